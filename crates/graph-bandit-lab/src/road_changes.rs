//! What the map does not know of the roads of a study.

use crate::LabError;
use graph_bandit::{ClosureRates, Closures, Travel, World};

/// How roads close and how long drives take, where that is not as the map says. By default it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RoadChanges {
    /// Which roads close at random.
    pub closures: Option<Closures>,
    /// How long roads truly take.
    pub travel: Option<Travel>,
}

impl RoadChanges {
    /// All roads close at one rate and reopen at another, written `RATE,RATE`; drives are noisy to this scale. Either may be
    /// left out.
    ///
    /// # Errors
    /// Names the setting that is wrong, and what would be right.
    pub fn read(closures: Option<&str>, travel_noise: Option<f64>) -> Result<Self, LabError> {
        let closures = closures.map(rates).transpose()?.map(Closures::All);
        let noisy = |scale| Travel::noisy(scale);
        let travel = travel_noise.map(noisy).transpose();
        let travel = travel.map_err(|error| LabError::setting("travel-noise", error))?;
        Ok(Self { closures, travel })
    }

    /// The world with such roads.
    pub(crate) fn apply(&self, mut world: World) -> Result<World, LabError> {
        if let Some(closures) = &self.closures {
            let closing = world.with_closures(closures.clone());
            world = closing.map_err(|error| LabError::setting("closures", error))?;
        }
        if let Some(travel) = &self.travel {
            let noisy = world.with_travel(travel.clone());
            world = noisy.map_err(|error| LabError::setting("travel-noise", error))?;
        }
        Ok(world)
    }
}

fn rates(text: &str) -> Result<ClosureRates, LabError> {
    let unreadable = || {
        let reason = format!(
            "{text:?} is not two rates; write a closing and a reopening rate per unit of time, such as 0.01,0.1"
        );
        LabError::setting("closures", reason)
    };
    let (closing, reopening) = text.split_once(',').ok_or_else(unreadable)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| unreadable());
    let rates = ClosureRates::new(number(closing)?, number(reopening)?);
    rates.map_err(|error| LabError::setting("closures", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_and_bad_ones_refused_by_name() {
        let read = RoadChanges::read(Some("0.01, 0.5"), Some(0.25)).unwrap();
        let rates = ClosureRates::new(0.01, 0.5).unwrap();
        assert_eq!(read.closures, Some(Closures::All(rates)));
        assert_eq!(read.travel, Some(Travel::noisy(0.25).unwrap()));
        for bad in ["0.1", "a,b", "", "0.1;0.2"] {
            let refused = RoadChanges::read(Some(bad), None).unwrap_err().to_string();
            assert!(refused.contains("such as 0.01,0.1"), "{refused}");
        }
        for bad in ["-1,0.1", "0.1,-1", "NaN,1", "0.1,1e-9"] {
            let refused = RoadChanges::read(Some(bad), None).unwrap_err().to_string();
            assert!(refused.contains("per unit of time"), "{refused}");
        }
        assert!(RoadChanges::read(None, Some(-0.5)).unwrap_err().to_string().contains("-0.5"));
        assert_eq!(RoadChanges::read(None, None).unwrap(), RoadChanges::default());
    }
}

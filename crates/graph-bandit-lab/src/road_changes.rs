//! What the map of a study does not tell about its roads.

use crate::LabError;
use crate::closure_source::ClosureSource;
use graph_bandit::{Closures, Travel, World};
use graph_bandit_maps::RoadRates;

/// How roads close and how long drives take, if that differs from the map. Default: as on the map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RoadChanges {
    /// Which roads close at random.
    pub closures: Option<Closures>,
    /// How long roads truly take.
    pub travel: Option<Travel>,
}

impl RoadChanges {
    /// Roads close as `closures` says, if given, with the map's rates if it says so; drives are
    /// noisy to this scale, if given.
    ///
    /// # Errors
    /// When the scale is out of range.
    pub fn of(
        closures: Option<ClosureSource>,
        travel_noise: Option<f64>,
        of_map: &RoadRates,
    ) -> Result<Self, LabError> {
        let closures = closures.map(|source| match source {
            ClosureSource::All(rates) => Closures::All(rates),
            ClosureSource::Map => Closures::Some(of_map.clone()),
        });
        let travel = travel_noise.map(Travel::noisy).transpose();
        let travel = travel.map_err(|error| LabError::setting("travel-noise", error))?;
        Ok(Self { closures, travel })
    }

    /// The world with these roads.
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

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::ClosureRates;

    #[test]
    fn rates_are_read_and_bad_ones_refused_by_name() {
        let none = RoadRates::new();
        let read = |text: &str| {
            let source = text.parse::<ClosureSource>().map_err(|error| error.to_string())?;
            RoadChanges::of(Some(source), None, &none).map_err(|error| error.to_string())
        };
        let rates = ClosureRates::new(0.01, 0.5).unwrap();
        assert_eq!(read("0.01, 0.5").unwrap().closures, Some(Closures::All(rates)));
        for bad in ["0.1", "a,b", "", "0.1;0.2", "maps"] {
            let refused = read(bad).unwrap_err();
            assert!(refused.contains("such as 0.01,0.1"), "{refused}");
        }
        for bad in ["-1,0.1", "0.1,-1", "NaN,1", "0.1,1e-9"] {
            let refused = read(bad).unwrap_err();
            assert!(refused.contains("per unit of time"), "{refused}");
        }
        let noisy = |scale| RoadChanges::of(None, Some(scale), &none);
        assert_eq!(noisy(0.25).unwrap().travel, Some(Travel::noisy(0.25).unwrap()));
        assert!(noisy(-0.5).unwrap_err().to_string().contains("-0.5"));
        assert_eq!(RoadChanges::of(None, None, &none).unwrap(), RoadChanges::default());
        let of_map = RoadRates::from([((0, 1), rates)]);
        let read = RoadChanges::of(Some(ClosureSource::Map), None, &of_map).unwrap();
        assert_eq!(read.closures, Some(Closures::Some(of_map)));
    }
}

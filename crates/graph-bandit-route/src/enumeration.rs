//! Exact means by enumerating all weathers.

use crate::MOST_UNCERTAIN;
use crate::connected::Reach;
use crate::error::RouteError;
use crate::policy::{Policy, travel};
use crate::trip::Trip;
use crate::weather::{Weather, time_beforehand};

/// The exact mean travel time of a policy, given that start and goal are connected; infinite if it
/// can get stuck.
///
/// The policy must decide by the belief alone.
///
/// # Errors
/// When more than [`MOST_UNCERTAIN`] roads are uncertain.
///
/// # Complexity
/// One trip for each of `2^uncertain` weathers.
pub fn mean_of(trip: &Trip, policy: &mut dyn Policy) -> Result<f64, RouteError> {
    mean(trip, |weather| travel(trip, weather, policy).time)
}

/// The exact mean travel time if the whole weather is known in advance: a lower bound for every
/// policy.
///
/// # Errors
/// When more than [`MOST_UNCERTAIN`] roads are uncertain.
pub fn mean_beforehand(trip: &Trip) -> Result<f64, RouteError> {
    mean(trip, |weather| time_beforehand(trip, weather))
}

/// Refuses more uncertain roads than can be enumerated.
pub(crate) fn check_uncertain(trip: &Trip) -> Result<(), RouteError> {
    match trip.network().uncertain() {
        0..=MOST_UNCERTAIN => Ok(()),
        uncertain => Err(RouteError::TooManyUncertain { uncertain, most: MOST_UNCERTAIN }),
    }
}

fn mean(trip: &Trip, mut time: impl FnMut(&Weather) -> f64) -> Result<f64, RouteError> {
    check_uncertain(trip)?;
    let roads = trip.network().roads();
    let uncertain: Vec<usize> =
        (0..roads.len()).filter(|&road| roads[road].is_uncertain()).collect();
    let mut reach = Reach::default();
    let (mut total, mut weight) = (0.0, 0.0);
    for number in 0..1_u64 << uncertain.len() {
        let mut open: Vec<bool> = roads.iter().map(|road| road.open == 1.0).collect();
        let mut probability = 1.0;
        for (bit, &road) in uncertain.iter().enumerate() {
            open[road] = number >> bit & 1 == 1;
            probability *= if open[road] { roads[road].open } else { 1.0 - roads[road].open };
        }
        if reach.connects(trip, |road| open[road]) {
            weight += probability;
            total += probability * time(&Weather::new(trip, open));
        }
    }
    Ok(total / weight)
}

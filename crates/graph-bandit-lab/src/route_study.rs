//! Compares policies for roads that may be closed, all in the same weathers.

use crate::error::LabError;
use crate::jobs::{Jobs, Watch, all_or_first_error, in_pool};
use crate::statistics::Moments;
use graph_bandit::Seed;
use graph_bandit::random::label;
use graph_bandit::spec::Named;
use graph_bandit_route::{
    Comparison, Exact, MOST_UNCERTAIN, Optimistic, Policy, RouteError, Trip, Uct, UctOptions,
    Weather, mean_beforehand, mean_of, time_beforehand, travel,
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;

/// The label of all weathers under the seed, with one child per weather.
const WEATHERS: u64 = 16;
// It must not be one of the core's.
const _: () = assert!(WEATHERS > label::WALKERS);
/// The name of the yardstick in results.
const BEFOREHAND: &str = "beforehand";

graph_bandit::named! {
    /// Decides the way.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum RoutePolicy {
        /// The optimum, by enumeration; for few uncertain roads.
        Exact = "exact",
        /// Takes the cheapest way that is not known to be closed.
        Optimistic = "optimistic",
        /// Turns back when going on takes longer than a fresh start.
        Comparison = "comparison",
        /// Looks ahead by rollouts.
        Uct = "uct",
    }
}

/// What to measure.
#[derive(Debug, Clone)]
pub struct RouteStudy {
    /// Network, start and goal.
    pub trip: Trip,
    /// The policies to compare.
    pub policies: Vec<RoutePolicy>,
    /// How many weathers to travel in. Default: exact means with few uncertain roads, otherwise
    /// [`DEFAULT_RUNS`](Self::DEFAULT_RUNS).
    pub runs: Option<u64>,
    /// The seed of all randomness.
    pub seed: Seed,
    /// How uct looks ahead.
    pub uct: UctOptions,
}

/// The result of one policy.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteOutcome {
    /// The policy's name, or `beforehand`: the best way when the whole weather is known.
    pub policy: &'static str,
    /// Its travel times.
    pub times: RouteTimes,
}

/// The travel times of a policy.
#[derive(Debug, Clone, PartialEq)]
pub enum RouteTimes {
    /// The mean over all weathers.
    Exact(f64),
    /// One time per weather, in order; infinite if the traveller got stuck.
    Simulated(Vec<f64>),
}

impl RouteTimes {
    /// The mean, infinite if a traveller got stuck.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Exact(mean) => *mean,
            Self::Simulated(times) => Moments::of(times.iter().copied()).mean,
        }
    }

    /// The standard error of the mean, if it exists.
    pub fn standard_error(&self) -> Option<f64> {
        match self {
            Self::Exact(_) => Some(0.0),
            Self::Simulated(times) => {
                let error = Moments::of(times.iter().copied()).standard_error();
                error.filter(|error| error.is_finite())
            }
        }
    }

    /// How many weathers were travelled in: zero for an exact mean.
    pub fn runs(&self) -> u64 {
        match self {
            Self::Exact(_) => 0,
            Self::Simulated(times) => times.len() as u64,
        }
    }
}

impl RouteStudy {
    /// The default number of weathers.
    pub const DEFAULT_RUNS: u64 = 1_000;
    /// The highest number of weathers: each keeps its times.
    pub const MOST_RUNS: u64 = 10_000_000;
    /// The highest number of rollouts per decision.
    pub const MOST_ROLLOUTS: u32 = 1_000_000;

    /// Whether the mean of a policy is computed instead of measured.
    fn is_exact(&self, policy: RoutePolicy) -> bool {
        let is_small = self.trip.network().uncertain() <= MOST_UNCERTAIN;
        match policy {
            RoutePolicy::Exact => true,
            RoutePolicy::Optimistic | RoutePolicy::Comparison => is_small && self.runs.is_none(),
            // Its decisions are random.
            RoutePolicy::Uct => false,
        }
    }

    /// How many weathers will be travelled in.
    pub fn weathers(&self) -> u64 {
        let simulates = self.policies.iter().any(|&policy| !self.is_exact(policy));
        if simulates { self.runs.unwrap_or(Self::DEFAULT_RUNS) } else { 0 }
    }

    /// Travels, and returns the times of the policies in order, then those with the weather known
    /// beforehand. The watch counts weathers. The times do not depend on the number of threads.
    ///
    /// # Errors
    /// [`LabError::Interrupted`] once the watch says stop. When too many roads are uncertain for an exact policy, or start and goal are hardly ever
    /// connected.
    pub fn execute(&self, jobs: Jobs, watch: Watch<'_>) -> Result<Vec<RouteOutcome>, LabError> {
        // Refuses first what can be refused.
        let exact: Vec<Option<f64>> = self
            .policies
            .iter()
            .map(|&policy| self.exact_mean(policy).transpose())
            .collect::<Result<_, _>>()
            .map_err(|error| LabError::setting("policy", error))?;
        let simulated: Vec<RoutePolicy> =
            self.policies.iter().copied().filter(|&policy| !self.is_exact(policy)).collect();
        let rows = self.simulate(&simulated, jobs, watch)?;
        let mut columns =
            (0..=simulated.len()).map(|column| rows.iter().map(|row| row[column]).collect());
        let mut times = |exact: Option<f64>| match exact {
            Some(mean) => RouteTimes::Exact(mean),
            None => RouteTimes::Simulated(columns.next().unwrap_or_default()),
        };
        let policies = self.policies.iter().zip(exact);
        let mut outcomes: Vec<RouteOutcome> = policies
            .map(|(policy, exact)| RouteOutcome { policy: policy.name(), times: times(exact) })
            .collect();
        let times = times(mean_beforehand(&self.trip).ok());
        outcomes.push(RouteOutcome { policy: BEFOREHAND, times });
        Ok(outcomes)
    }

    fn exact_mean(&self, policy: RoutePolicy) -> Option<Result<f64, RouteError>> {
        let trip = &self.trip;
        self.is_exact(policy).then(|| match policy {
            RoutePolicy::Exact => Exact::new(trip).map(|exact| exact.mean()),
            RoutePolicy::Optimistic => mean_of(trip, &mut Optimistic::new(trip)),
            RoutePolicy::Comparison => mean_of(trip, &mut Comparison::new(trip)),
            RoutePolicy::Uct => mean_of(trip, &mut Uct::new(trip, self.uct, self.seed)),
        })
    }

    /// For each weather, the times of these policies, then the time when everything is known
    /// beforehand.
    fn simulate(
        &self,
        policies: &[RoutePolicy],
        jobs: Jobs,
        watch: Watch<'_>,
    ) -> Result<Vec<Vec<f64>>, LabError> {
        if policies.is_empty() {
            return Ok(Vec::new());
        }
        let runs = self.weathers();
        let threads = jobs.threads().min(usize::try_from(runs).unwrap_or(usize::MAX));
        let rows = in_pool(threads, || {
            let runs = (0..runs).into_par_iter();
            // The ways that a thread remembers between weathers do not change the result.
            let own = || (Optimistic::new(&self.trip), Comparison::new(&self.trip));
            let rows = runs.map_init(own, |(optimistic, comparison), run| {
                if watch.stop.load(Ordering::Relaxed) {
                    return Err(LabError::Interrupted);
                }
                let seed = self.seed.child(WEATHERS).child(run);
                let weather = Weather::draw(&self.trip, seed.child(0)).map_err(|error| {
                    let remedy = "raise the probabilities, or choose a nearer goal";
                    LabError::setting("to", format!("{error}; {remedy}"))
                })?;
                let mut row = Vec::with_capacity(policies.len() + 1);
                for policy in policies {
                    let policy: &mut dyn Policy = match policy {
                        RoutePolicy::Optimistic => optimistic,
                        RoutePolicy::Comparison => comparison,
                        RoutePolicy::Uct => &mut Uct::new(&self.trip, self.uct, seed.child(1)),
                        RoutePolicy::Exact => &mut Exact::new(&self.trip)
                            .map_err(|error| LabError::setting("policy", error))?,
                    };
                    row.push(travel(&self.trip, &weather, policy).time);
                }
                row.push(time_beforehand(&self.trip, &weather));
                (watch.tick)();
                Ok(row)
            });
            rows.collect::<Vec<Result<Vec<f64>, LabError>>>()
        })?;
        all_or_first_error(rows)
    }
}

//! The contract of an [`Agent`], as a suite that checks any agent.
//!
//! Each [`Promise`] is one sentence and one check on graphs of every family, including a single
//! node. [`check_all`] runs them all and reports which are broken and how; [`check`] runs one. The
//! agents of this crate pass the same suite. Enable it for tests with the feature `conformance`:
//!
//! ```toml
//! [dev-dependencies]
//! graph-bandit = { version = "0.1", features = ["conformance"] }
//! ```
//!
//! Give the suite a function that builds a fresh agent for a graph:
//!
//! ```
//! use graph_bandit::{Agent, Leg, Raised, Situation, Stream, conformance};
//!
//! /// Goes to any neighbour, or stays.
//! struct RandomWalk;
//!
//! impl Agent for RandomWalk {
//!     fn next_leg(
//!         &mut self,
//!         now: &Situation<'_>,
//!         stream: &mut Stream,
//!         leg: &mut Leg,
//!     ) -> Result<(), Raised> {
//!         let around = now.graph.neighborhood(now.at);
//!         leg.visit_once(now.at, around[stream.below(around.len() as u64) as usize]);
//!         Ok(())
//!     }
//! }
//!
//! conformance::check_all(|_graph| Box::new(RandomWalk)).unwrap();
//! ```

mod changing_roads;
mod decisions;
mod legs;
mod memory;
mod sameness;
mod scene;

use crate::agent::Agent;
use crate::graph::Graph;
use scene::Scene;
use std::fmt;
use thiserror::Error;

macro_rules! promises {
    ($($promise:ident: $sentence:literal,)*) => {
        /// One promise of the contract.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Promise {
            $(#[doc = $sentence] $promise,)*
        }

        impl Promise {
            /// The whole contract.
            pub const ALL: &[Self] = &[$(Self::$promise,)*];

            /// The promise in one sentence.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Self::$promise => $sentence,)*
                }
            }
        }
    };
}

promises! {
    Legality: "Every leg is a legal walk of at least one visit from where the walker stands, even after it went elsewhere or was carried away.",
    Repeatability: "Two fresh agents with the same seed and the same rewards make the same legs, whatever other agents do meanwhile.",
    Grouping: "An agent makes the same legs whether it observes visits one by one or, as in a run, grouped by node.",
    Looking: "Scores are one number per node, never NaN, and looking at them changes nothing.",
    Resumption: "A fresh agent that recalls another agent's memory continues as that agent would have.",
    Decisions: "Planning changes only the leg and the position in the random stream: a session that takes another session's legs, and never plans, ends in the same state.",
    Refusal: "A memory of another size is refused and changes nothing.",
    Closures: "When edges close or open, legs use open edges only, or the agent refuses the change and continues as before; when roads close and reopen at random, a run reaches its end.",
    Footing: "An agent whose footing is any graph remembers nothing by node number: when nodes are cut off, it continues as a fresh agent would.",
    Times: "When road times differ from the map, the agent plans with their currently expected times, as a fresh agent that recalls its memory would.",
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}: {}", self.sentence())
    }
}

/// A promise that an agent breaks.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the agent breaks a promise: {promise}\n  {found}")]
#[non_exhaustive]
pub struct Broken {
    /// The promise.
    pub promise: Promise,
    /// The graph, the number of visits, and what happened.
    pub found: String,
}

/// All promises that an agent breaks.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct AllBroken(pub Vec<Broken>);

/// The outcome of a check: nothing wrong, or a description of what is.
type Verdict = Result<(), String>;

/// Builds a fresh agent.
type Build<'a> = &'a dyn Fn(&Graph) -> Box<dyn Agent + Send>;

/// Checks one promise; `build` builds a fresh agent for a graph.
///
/// # Errors
/// When the agent breaks the promise, or fails.
pub fn check(
    promise: Promise,
    build: impl Fn(&Graph) -> Box<dyn Agent + Send>,
) -> Result<(), Broken> {
    judge(promise, &build).map_err(|found| Broken { promise, found })
}

/// Checks the whole contract; `build` builds a fresh agent for a graph.
///
/// # Errors
/// When the agent breaks any promise, or fails. The error names all broken promises.
pub fn check_all(build: impl Fn(&Graph) -> Box<dyn Agent + Send>) -> Result<(), AllBroken> {
    let checks = Promise::ALL.iter().map(|&promise| check(promise, &build));
    let broken: Vec<Broken> = checks.filter_map(Result::err).collect();
    if broken.is_empty() { Ok(()) } else { Err(AllBroken(broken)) }
}

fn judge(promise: Promise, build: Build<'_>) -> Verdict {
    let holds = match promise {
        Promise::Legality => legs::legality,
        Promise::Repeatability => sameness::repeatability,
        Promise::Grouping => sameness::grouping,
        Promise::Looking => sameness::looking,
        Promise::Resumption => memory::resumption,
        Promise::Decisions => decisions::decisions,
        Promise::Refusal => memory::refusal,
        Promise::Closures => legs::closures,
        Promise::Footing => legs::footing,
        Promise::Times => changing_roads::times,
    };
    for scene in Scene::all()? {
        holds(&scene, build).map_err(|found| format!("{scene}, {found}"))?;
    }
    Ok(())
}

//! The instances of the paper on teams (Paschalidis, Zhang and Li, 2024, Section V), and the regrets
//! that its authors published with their program.
//!
//! Node `k` pays `c` walkers `f_k(c) = ln(1 + a b c) / ln(1 + a b)` draws, with `a = 0.05` and
//! `b = 2 + k`. Rewards are Gaussian with deviation 0.06.

use crate::sequel::{Instance, LARGE, SMALL, share_of};
use graph_bandit::team::planning::{Seats, best_allocation};
use graph_bandit::team::{Draws, Member, Sharing, TeamSetup};
use graph_bandit::{NodeId, RewardSpec, Seed, World};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

/// A graph, the means of its nodes, and what was published about it.
#[derive(Debug, Clone, Copy)]
pub struct TeamInstance {
    /// The name of its files: nodes and walkers.
    pub name: &'static str,
    instance: &'static Instance,
    published: &'static str,
}

macro_rules! instance {
    ($name:literal, $instance:expr) => {
        TeamInstance {
            name: $name,
            instance: $instance,
            published: include_str!(concat!("../data/reference/teams/", $name, ".json")),
        }
    };
}

/// 100 nodes, 5 walkers, 10,000 steps.
pub const ER100_5: TeamInstance = instance!("er100-5", &SMALL);
/// 300 nodes, 20 walkers, 150,000 steps: Figure 2.
pub const ER300_20: TeamInstance = instance!("er300-20", &LARGE);

/// What was published about an instance.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Published {
    /// The number of walkers.
    pub agents: usize,
    /// The number of steps, the initial search included.
    pub steps: u64,
    /// The noise, as for `--noise`.
    pub noise: String,
    /// What the authors' solver found that the best static allocation earns per step.
    pub stated_optimum_per_step: f64,
    /// Realized regret against that optimum, for each rule that ends an episode: `original`,
    /// `median`, `max`.
    #[serde(rename = "realized_cumulative_regret_against_stated_optimum")]
    pub regret: BTreeMap<String, PublishedRegret>,
}

/// Regret over several trials.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PublishedRegret {
    /// The number of trials.
    pub n: u64,
    /// The steps.
    pub t: Vec<u64>,
    /// The mean over trials at each step.
    pub mean: Vec<f64>,
    /// The standard deviation over trials at each step.
    pub sd: Vec<f64>,
}

/// What a file of this crate holds; a test reads all of them.
fn valid<T, E: Debug>(read: Result<T, E>) -> T {
    read.expect("the instances of this crate are valid")
}

impl TeamInstance {
    /// What was published about it.
    pub fn published(&self) -> Published {
        valid(serde_json::from_str(self.published))
    }

    /// The graph and the laws of its rewards.
    pub fn world(&self) -> World {
        let noise: RewardSpec = valid(self.published().noise.parse());
        let laws = valid(noise.laws(&self.instance.means()));
        valid(World::new(valid(self.instance.graph()), laws))
    }

    /// What nodes pay several walkers.
    pub fn sharing(&self) -> Sharing {
        let walkers = self.published().agents;
        let nodes = self.instance.nodes;
        let row = |node: usize| {
            let share = |count: usize| share_of(node as NodeId, count);
            (1..=walkers).map(share).collect()
        };
        let rows: Vec<Vec<f64>> = (0..nodes).map(row).collect();
        valid(Sharing::by_node(walkers, nodes, &rows))
    }

    /// The team, each walker on a random node of its own choice.
    pub fn team(&self, seed: Seed) -> TeamSetup {
        let sharing = self.sharing();
        let nodes = self.instance.nodes as u64;
        let mut stream = seed.stream();
        let start = |_| Member::at(stream.below(nodes) as NodeId);
        TeamSetup {
            members: (0..sharing.walkers()).map(start).collect(),
            sharing: Arc::new(sharing),
            draws: Draws::One,
            seats: None,
        }
    }

    /// What the best static allocation earns per step, from the means.
    pub fn optimum(&self) -> f64 {
        let world = self.world();
        let seats = Seats::Each(usize::MAX);
        valid(best_allocation(&self.sharing(), world.means(), seats)).value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instances_are_as_published() {
        for (instance, nodes, edges, walkers) in [(ER100_5, 100, 267, 5), (ER300_20, 300, 2296, 20)]
        {
            let (world, published) = (instance.world(), instance.published());
            assert_eq!(world.graph().len(), nodes);
            assert_eq!(world.graph().edges().count(), edges);
            assert_eq!(published.agents, walkers);
            assert_eq!(instance.team(Seed(1)).check(world.graph()), Ok(()));
            for rule in ["original", "median", "max"] {
                assert_eq!(published.regret[rule].t.last(), Some(&published.steps));
            }
        }
    }

    #[test]
    fn the_solver_of_the_authors_missed_the_optimum_of_the_larger_instance() {
        let missed = |instance: TeamInstance| {
            instance.optimum() - instance.published().stated_optimum_per_step
        };
        assert!(missed(ER100_5).abs() < 1e-9);
        assert!((missed(ER300_20) - 0.0127).abs() < 1e-4);
    }
}

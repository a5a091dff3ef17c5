//! Theorem 10: a guarantee for any heuristic.
//!
//! `lemmas` checks every step of the proof on clean runs, with the plain transcription of the rule
//! in `witness`. `ends` is about runs whose intervals are false, and `regret` compares the bound to
//! measured regret.
//!
//! # What is loose or missing
//!
//! - *The leading constant.* `17.17 R` is `45.3` for `tau = 25,000` and `h = 1/2`; the leading
//!   constant of Theorem 1 is `37.6` (`2 (sqrt 2 + 1) sqrt(3) sqrt(2 ln tau)`). So Theorem 10 is
//!   better only where `D |S| log T` matters compared with `sqrt(|S| T)`.
//! - *The order.* `sqrt(log T)` in the leading term is not necessary in general: MOSS does without
//!   it where travel is free.
//! - *Mean regret* of `g-safe` is far below its bound, like that of all other agents.
//! - *Closed roads, rewards that others report, visits that are not part of the planned leg.* The
//!   agent works with all of these, but the bound is only about walks without them.

mod ends;
mod heuristics;
mod lemmas;
mod regret;
mod witness;

use super::frontier::gaussian;
use graph_bandit::agents::SafeRule;
use graph_bandit::run::InitRecord;
use graph_bandit::theory::{SafeBound, patrol_time, patrol_walk};
use graph_bandit::{Graph, NodeId, Road, World};

/// The bound for `steps` units of time after this initialization.
fn bound(world: &World, rule: SafeRule, steps: u64, init: &InitRecord) -> SafeBound {
    let graph = world.graph();
    let largest_gap = world.gaps().iter().copied().fold(0.0, f64::max);
    let roads = graph.roads().is_some();
    SafeBound {
        rule,
        nodes: graph.len(),
        worst_step: if roads { largest_gap.max(world.best_mean()) } else { largest_gap },
        diameter: graph.time_diameter(),
        round: patrol_time(graph, &patrol_walk(graph)),
        steps,
        init_time: init.steps as f64 + init.travel,
    }
}

/// The time that a path takes, visits included.
fn time(graph: &Graph, at: NodeId, path: &[NodeId]) -> f64 {
    path.len() as f64 + on_roads(graph, at, path)
}

/// The time that a path spends on roads.
fn on_roads(graph: &Graph, at: NodeId, path: &[NodeId]) -> f64 {
    let from = std::iter::once(&at).chain(path);
    from.zip(path).map(|(&from, &to)| graph.travel(from, to).unwrap()).sum()
}

/// A graph of roads, given as pairs of nodes and times.
fn roads(nodes: usize, roads: &[(NodeId, NodeId, f64)]) -> Graph {
    let road = |&(from, to, time): &(NodeId, NodeId, f64)| Road { from, to, time };
    Graph::from_roads(nodes, roads.iter().map(road)).unwrap()
}

/// One way round, with roads of different lengths and two ways back.
fn one_way() -> Graph {
    roads(4, &[(0, 1, 0.5), (1, 2, 3.0), (2, 3, 0.0), (3, 0, 1.5), (2, 0, 4.0), (1, 0, 0.25)])
}

//! The two Q-learning benchmarks (Section V-A), on a table of all pairs of nodes.

use super::walker::{Walker, first_best};
use graph_bandit::NodeId;

const GAMMA: f64 = 0.9;
const HORIZON: f64 = 1.0 / GAMMA;

/// Rate 0.4, no bonus; explores with probability `1.5 (3 S + 1) / (3 S + t)`.
pub(super) fn epsilon_greedy(w: &mut Walker<'_>) {
    learn(w, 1.5, |_, _, _, _| (0.4, 0.0));
}

/// UCB-H: rate and bonus fall with the walks along the edge; explores with probability
/// `0.7 (3 S + 1) / (3 S + t)`.
pub(super) fn hoeffding(w: &mut Walker<'_>) {
    let nodes = w.near.len();
    let entries: usize = w.near.iter().map(Vec::len).sum();
    // Self-loops are edges, each listed once; the others are listed twice.
    let edges = (nodes + (entries - nodes) / 2) as f64;
    let nodes = nodes as f64;
    learn(w, 0.7, |w, v, a, t| {
        let k = w.walks[v as usize][a as usize].max(1) as f64;
        let log = libm::log(nodes * edges * k * (t as f64).sqrt()).max(0.0);
        let bonus = (HORIZON * HORIZON * HORIZON * log / k).sqrt();
        ((HORIZON + 1.0) / (HORIZON + k), bonus)
    });
}

/// `rule(w, v, a, t)` is the rate and the bonus of `Q(v, a)`, `t` the number before the step.
fn learn(
    w: &mut Walker<'_>,
    scale: f64,
    rule: impl Fn(&Walker<'_>, NodeId, NodeId, u64) -> (f64, f64),
) {
    let nodes = w.near.len();
    let patience = 3.0 * nodes as f64;
    let mut q = vec![vec![0.0; nodes]; nodes];
    while !w.is_done() {
        let near = w.near;
        let around = &near[w.at as usize];
        let explore = scale * (patience + 1.0) / (patience + w.t as f64);
        let next = if w.stream.unit() < explore {
            first_best(around, |v| -(w.n[v as usize] as f64))
        } else {
            let row = &q[w.at as usize];
            let best = highest_around(row, around);
            let best = around.iter().copied().filter(|&v| row[v as usize] == best);
            best.min().unwrap_or(w.at)
        };
        let before = w.t;
        let reward = w.collect(next);
        w.arrive();
        let around = &near[next as usize];
        let mut ahead = highest_around(&q[next as usize], around);
        for &v in around {
            let (rate, bonus) = rule(w, v, next, before);
            let value = &mut q[v as usize][next as usize];
            *value = (1.0 - rate) * *value + rate * (reward + GAMMA * ahead + bonus);
            if v == next {
                ahead = highest_around(&q[next as usize], around);
            }
        }
    }
}

fn highest_around(row: &[f64], around: &[NodeId]) -> f64 {
    around.iter().map(|&v| row[v as usize]).fold(f64::NEG_INFINITY, f64::max)
}

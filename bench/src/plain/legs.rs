//! The agents that commit to legs (the paper's episodes): G-UCB, Direct-SP and UCRL2.

use super::search::{dijkstra, hops, nearer};
use super::value_iteration::{value_iteration, value_iteration_capped};
use super::walker::{Walker, highest};
use graph_bandit::NodeId;

/// `mean(s) + sqrt(2 ln t / n(s))` of every node, Eq. (5).
fn ucb(w: &Walker<'_>) -> Vec<f64> {
    let log = 2.0 * libm::log(w.t as f64);
    let bound = |(&sum, &n): (&f64, &u64)| sum / n as f64 + (log / n as f64).sqrt();
    w.sum.iter().zip(&w.n).map(bound).collect()
}

/// `mean(s) + sqrt(7 ln(factor S A t / delta) / (2 n(s)))` of every node, Eq. (9), `delta` 0.01.
fn ucrl2_bound(w: &Walker<'_>, factor: f64) -> Vec<f64> {
    let nodes = w.near.len();
    let entries: usize = w.near.iter().map(Vec::len).sum();
    let actions = (entries + nodes) as f64;
    let log = 7.0 * libm::log(factor * nodes as f64 * actions * w.t as f64 / 0.01);
    let bound = |(&sum, &n): (&f64, &u64)| sum / n as f64 + (log / (2.0 * n as f64)).sqrt();
    w.sum.iter().zip(&w.n).map(bound).collect()
}

fn best_nodes(bounds: &[f64]) -> Vec<NodeId> {
    let best = highest(bounds);
    (0..bounds.len() as NodeId).filter(|&s| bounds[s as usize] == best).collect()
}

/// Algorithm 2.
pub(super) fn g_ucb(w: &mut Walker<'_>) {
    while !w.is_done() {
        let bounds = ucb(w);
        let best = highest(&bounds);
        let costs: Vec<f64> = bounds.iter().map(|bound| best - bound).collect();
        let (next, _) = dijkstra(w.near, &costs, &best_nodes(&bounds));
        let before = w.n.clone();
        while bounds[w.at as usize] < best && !w.is_done() {
            w.collect(next[w.at as usize]);
        }
        if bounds[w.at as usize] == best {
            w.arrive();
            double(w, &before);
        }
    }
}

/// Algorithm 2 along the fewest hops, Appendix F-F.
pub(super) fn direct_sp(w: &mut Walker<'_>) {
    while !w.is_done() {
        let bounds = ucb(w);
        let hops = hops(w.near, &best_nodes(&bounds));
        let before = w.n.clone();
        while hops[w.at as usize] > 0 && !w.is_done() {
            w.collect(nearer(w.near, &hops, w.at));
        }
        if hops[w.at as usize] == 0 {
            w.arrive();
            double(w, &before);
        }
    }
}

/// Stays until the visits to the node have doubled.
fn double(w: &mut Walker<'_>, before: &[u64]) {
    let here = w.at;
    while w.n[here as usize] < 2 * before[here as usize] && !w.is_done() {
        w.collect(here);
    }
}

/// Algorithm 3: a leg ends with the visit that doubles a node.
pub(super) fn ucrl2_of_paper(w: &mut Walker<'_>) {
    while !w.is_done() {
        let bounds = ucrl2_bound(w, 1.0);
        let policy = value_iteration(w.near, &bounds, 1.0 / (w.t as f64).sqrt());
        let before = w.n.clone();
        loop {
            w.collect(policy[w.at as usize]);
            if w.n[w.at as usize] >= 2 * before[w.at as usize] {
                w.arrive();
                break;
            }
            if w.is_done() {
                break;
            }
        }
    }
}

/// The authors' program: a leg ends before the move that would be one too many from a node.
pub(super) fn ucrl2_of_program(w: &mut Walker<'_>) {
    while !w.is_done() {
        let bounds = ucrl2_bound(w, 2.0);
        let policy = value_iteration_capped(w.near, &bounds, w.t);
        let before = w.n.clone();
        let mut moves = vec![0; before.len()];
        while moves[w.at as usize] < before[w.at as usize] && !w.is_done() {
            moves[w.at as usize] += 1;
            w.collect(policy[w.at as usize]);
        }
        if moves[w.at as usize] == before[w.at as usize] {
            w.arrive();
        }
    }
}

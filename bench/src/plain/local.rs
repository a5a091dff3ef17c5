//! The benchmarks that look only at their neighbours (Section V-A).

use super::walker::{Walker, first_best};
use graph_bandit::NodeId;

/// Each step to the neighbour of highest upper confidence bound.
pub(super) fn ucb(w: &mut Walker<'_>) {
    while !w.is_done() {
        let log = 2.0 * libm::log(w.t as f64);
        let bound = |v: NodeId| {
            let n = w.n[v as usize] as f64;
            w.sum[v as usize] / n + (log / n).sqrt()
        };
        let best = first_best(&w.near[w.at as usize], bound);
        w.collect(best);
        w.arrive();
    }
}

/// Each step to the neighbour of highest draw from `N(sum / (1 + n), 1 / (1 + n))`.
pub(super) fn thompson(w: &mut Walker<'_>) {
    while !w.is_done() {
        let near = w.near;
        let mut best = (w.at, f64::NEG_INFINITY);
        for &v in &near[w.at as usize] {
            let precision = 1.0 + w.n[v as usize] as f64;
            let draw = w.sum[v as usize] / precision + w.stream.normal() / precision.sqrt();
            if draw > best.1 {
                best = (v, draw);
            }
        }
        w.collect(best.0);
        w.arrive();
    }
}

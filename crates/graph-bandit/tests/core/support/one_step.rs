//! The four benchmarks that decide at every step, as Section V-A names them and the reference
//! describes them.

use crate::support::plain::{Walker, first_best, ucb};

/// "Moves to the neighbour of highest g-ucb U, every step."
pub(crate) fn local_ucb(w: &mut Walker<'_>, steps: u64) {
    while w.steps() < steps {
        w.begin_episode();
        let u = ucb(w);
        w.collect(first_best(&w.near[w.at], |v| u[v]));
    }
}

/// "Draws N(sum/(1+n), 1/(1+n)) for each neighbour, moves to the highest."
pub(crate) fn local_ts(w: &mut Walker<'_>, steps: u64) {
    while w.steps() < steps {
        w.begin_episode();
        let mut draws = vec![f64::NAN; w.n.len()];
        for &v in &w.near[w.at] {
            let k = 1.0 + w.n[v] as f64;
            draws[v] = w.sum[v] / k + w.stream.normal() / k.sqrt();
        }
        w.collect(first_best(&w.near[w.at], |v| draws[v]));
    }
}

/// "Q-table from zero, alpha 0.4, gamma 0.9", exploring "with probability 1.5 (3S+1)/(3S+t)".
pub(crate) fn ql_eps(w: &mut Walker<'_>, steps: u64) {
    q_learning(w, steps, 1.5, |_, _, _, _| (0.4, 0.0));
}

/// "As ql-eps but explores with probability 0.7 (3S+1)/(3S+t)", with the bonus of UCB-H; "t is the
/// number before the step".
pub(crate) fn ql_ucb_h(w: &mut Walker<'_>, steps: u64) {
    q_learning(w, steps, 0.7, |w, v, a, t| {
        let k = w.walks[v][a].max(1) as f64;
        let h = 1.0 / 0.9;
        let inside = w.n.len() as f64 * w.edges() * k * (t as f64).sqrt();
        // A negative logarithm, possible on one node only, would have no root.
        let b = (h * h * h * libm::log(inside).max(0.0) / k).sqrt();
        ((h + 1.0) / (h + k), b)
    });
}

/// `rule(w, v, a, t)` is the rate and the bonus of `Q(v, a)`, `t` the number before the step.
fn q_learning(
    w: &mut Walker<'_>,
    steps: u64,
    scale: f64,
    rule: impl Fn(&Walker<'_>, usize, usize, u64) -> (f64, f64),
) {
    let nodes = w.n.len();
    let mut q = vec![vec![0.0; nodes]; nodes];
    while w.steps() < steps {
        w.begin_episode();
        let around = w.near[w.at].clone();
        let patience = 3.0 * nodes as f64;
        let explore = scale * (patience + 1.0) / (patience + w.t as f64);
        let next = if w.stream.unit() < explore {
            first_best(&around, |v| -(w.n[v] as f64))
        } else {
            // "argmax Q takes the lowest number."
            let mut by_number = around;
            by_number.sort_unstable();
            first_best(&by_number, |v| q[w.at][v])
        };
        let before = w.t;
        let r = w.collect(next);
        let a = w.at;
        for &v in &w.near[a] {
            let ahead = q[a][first_best(&w.near[a], |next| q[a][next])];
            let (rate, bonus) = rule(w, v, a, before);
            q[v][a] = (1.0 - rate) * q[v][a] + rate * (r + 0.9 * ahead + bonus);
        }
    }
}

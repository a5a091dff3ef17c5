//! Value iteration, sweep by sweep (Algorithm 4).

use super::search::Lists;
use super::walker::first_best;
use graph_bandit::NodeId;

/// The values that follow from `values`, and the span of the change.
fn sweep(near: &Lists, rewards: &[f64], values: &[f64]) -> (Vec<f64>, f64) {
    let best = |around: &Vec<NodeId>| {
        around.iter().map(|&v| values[v as usize]).fold(f64::NEG_INFINITY, f64::max)
    };
    let new: Vec<f64> =
        near.iter().zip(rewards).map(|(around, reward)| reward + best(around)).collect();
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for (new, old) in new.iter().zip(values) {
        lowest = lowest.min(new - old);
        highest = highest.max(new - old);
    }
    (new, highest - lowest)
}

fn policy(near: &Lists, values: &[f64]) -> Vec<NodeId> {
    near.iter().map(|around| first_best(around, |v| values[v as usize])).collect()
}

/// Sweeps until the span of the change is below `tolerance`, however many it takes.
pub(super) fn value_iteration(near: &Lists, rewards: &[f64], tolerance: f64) -> Vec<NodeId> {
    let mut values = vec![0.0; near.len()];
    loop {
        let (new, span) = sweep(near, rewards, &values);
        values = new;
        if span < tolerance {
            return policy(near, &values);
        }
    }
}

/// The authors' program: at most `floor(min(10^4, sqrt(t))) + 1` sweeps, and the policy is read from
/// the values before the last one.
pub(super) fn value_iteration_capped(near: &Lists, rewards: &[f64], t: u64) -> Vec<NodeId> {
    let root = (t as f64).sqrt();
    let most = root.min(1e4) as u64 + 1;
    let mut values = vec![0.0; near.len()];
    for made in 1.. {
        let (new, span) = sweep(near, rewards, &values);
        if span < 1.0 / root || made >= most {
            break;
        }
        values = new;
    }
    policy(near, &values)
}

//! Bounds are compared with all improvements, leg by leg.

use super::*;
use crate::agent::Situation;
use crate::clock::{Clock, Reading};
use crate::exact::exact;
use crate::graph::Graph;
use crate::index::{Index, Noise, Variance};
use crate::planner::hunt::alike::Alike;
use crate::planner::hunt::distances::Distances;
use crate::random::Seed;

#[test]
fn bounds_hold_and_the_alluring_are_listed() {
    let graph = Graph::line(700).unwrap();
    let districts = Districts::new(&graph, &Distances::of(&graph));
    let mut stream = Seed(2).stream();
    for (levels, variance, trust) in [
        (1 << 30, Variance::Estimated, 0.0),
        (2, Variance::Estimated, 0.0),
        (1 << 30, Variance::Pooled, 0.0),
        (1 << 30, Variance::Declared, 0.0),
        (1 << 30, Variance::Estimated, 0.9),
    ] {
        let mut estimates = Estimates::new(700);
        for node in 0..700 {
            estimates.push(node, 3.0 * stream.unit());
        }
        let scores = ExpectedImprovement::new(Noise::new(0.5, variance), 1.5);
        let mut scores = scores.with_trust(trust);
        let mut bounds = Improvements::new(1e-9, 0.5);
        let (mut kept, mut spared, mut faint, mut looked, mut raised) = (0, 0, 0, 0, 0);
        let mut least_width = f64::INFINITY;
        let mut visited = Vec::new();
        for _ in 0..400 {
            let clock = Clock::default();
            let now = Situation { graph: &graph, at: 0, estimates: &estimates, clock: &clock };
            scores.prepare(&now, crate::clock::Visits::of(&now));
            let corners = bounds.corners.as_ref().map(|corners| corners.intervals.common);
            bounds.refresh(&scores, &estimates, &districts, &visited);
            kept += usize::from(corners == bounds.corners.as_ref().map(|now| now.intervals.common));
            let of = |node| scores.of(&estimates, node);
            let all: Vec<f64> = (0..700).map(of).collect();
            let sum: f64 = all.iter().sum();
            let most = all.iter().copied().fold(0.0, f64::max);
            assert!(bounds.sum().0 <= sum && sum <= bounds.sum().1);
            for sums in [bounds.of_clear(&scores, &estimates), bounds.of_all(&scores, &estimates)] {
                assert!(sums.0 <= sum && sum <= sums.1 && sums.1 < 1.05 * sums.0);
            }
            if let Some((low, high)) = bounds.close_sum_at_hand(&scores) {
                assert!(low <= sum && sum <= high, "{low} {sum} {high}");
                looked += 1;
            }
            raised += usize::from(bounds.raised > 0);
            if stream.below(3) == 0 {
                let (low, high) = bounds.close_sum(&scores, &estimates);
                assert!(low <= sum && sum <= high && high < 1.1 * low);
            }
            assert_eq!(bounds.highest_now(&mut Alike::new(&scores), &estimates, &districts), most);
            faint += bounds.faint.is_clear.iter().filter(|&&is_clear| !is_clear).count();
            assert!(all.iter().zip(&bounds.most).all(|(score, most)| score <= most));
            let are_above = all.iter().zip(&bounds.least).all(|(score, least)| score >= least);
            assert!(are_above || bounds.raised > 0);
            assert_eq!(bounds.highest().1, bounds.most.iter().copied().fold(0.0, f64::max));
            assert!(most <= bounds.highest().1);
            least_width = least_width.min(bounds.sum().1 / bounds.sum().0);

            let gap = |node| scores.leader().gap(&estimates, node);
            let floor = 0.02 + stream.unit();
            let stays = Amortized { growth: 0.5, per_hop: 0.1 };
            let least = stream.below(50) as f64;
            let mut seen = vec![false; 700];
            bounds.contenders(
                &districts,
                (floor, stays),
                |_| least,
                |node| {
                    seen[node as usize] = true;
                },
            );
            for node in 0..700 {
                let stay = stays.visits(estimates.count(node), least);
                if all[node as usize] >= floor * (gap(node) * exact(stay) + 1e-9) {
                    assert!(seen[node as usize], "{node}");
                }
            }
            spared += seen.iter().filter(|&&is_seen| !is_seen).count();
            visited.clear();
            if stream.below(9) == 0 {
                // A lucky node leads for a while, but not by much.
                let node = stream.below(700) as NodeId;
                let (count, top) = (exact(estimates.count(node)), scores.leader().mean);
                let lucky = top + 0.15 * scores.spread();
                let sum = count * estimates.estimate(node).mean;
                estimates.push(node, (count + 1.0) * lucky - sum);
                visited.push(node);
            }
            for _ in 0..=stream.below(20) {
                let node = stream.below(700) as NodeId;
                let reward = stream.below(levels) as f64 / levels as f64;
                estimates.push(node, f64::from(node) / 350.0 + reward - 0.5);
                visited.push(node);
            }
        }
        assert!(kept > 30 && least_width < 1.3, "{kept} {least_width}");
        assert!(looked > 10 && raised > 5, "{looked} {raised}");
        assert!(spared > 10_000 && faint > 10_000, "{spared} {faint}");
    }
}

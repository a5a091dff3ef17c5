//! Teams where nodes cost more than they pay: walkers share one loss, and still find where it is least.

use super::{members, walk};
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::planning::{Seats, best_allocation};
use graph_bandit::team::{Draws, Sharing, TeamSetup};
use graph_bandit::{Graph, Law, MeansSpec, Preset, Seed, World};
use std::sync::Arc;

/// The best of all ways to put the walkers on nodes, tried one by one.
fn brute_force(sharing: &Sharing, means: &[f64], (walkers, seats): (usize, usize)) -> f64 {
    fn rest(sharing: &Sharing, means: &[f64], (node, left): (usize, usize), seats: usize) -> f64 {
        if node == means.len() {
            return if left == 0 { 0.0 } else { f64::NEG_INFINITY };
        }
        let on_it = |count: usize| {
            let paid = sharing.multiple(node as u32, count) * means[node];
            paid + rest(sharing, means, (node + 1, left - count), seats)
        };
        (0..=left.min(seats)).map(on_it).fold(f64::NEG_INFINITY, f64::max)
    }
    rest(sharing, means, (0, walkers), seats)
}

fn sharing(share: &str, walkers: usize) -> Sharing {
    share.parse::<ShareSpec>().unwrap().sharing(walkers).unwrap()
}

const SHARES: [&str; 5] = ["equal", "capacity:2", "log:0.5", "power:0.5", "power:1.5"];

#[test]
fn allocations_of_losses_are_the_best_of_all() {
    for (case, text) in ["uniform:-2,-1", "uniform:-1,1", "uniform:-1,0"].iter().enumerate() {
        let means: MeansSpec = text.parse().unwrap();
        for seed in 0..40 {
            let means = means.draw(5, Seed(seed).child(case as u64)).unwrap();
            for share in SHARES {
                let shares = sharing(share, 4);
                for (limit, seats) in [(Seats::Unlimited, 4), (Seats::Each(2), 2)] {
                    let found = best_allocation(&shares, &means, limit).unwrap();
                    let best = brute_force(&shares, &means, (4, seats));
                    assert!((found.value - best).abs() < 1e-9, "{share} {means:?} {seats}");
                    let counted: u32 = found.counts.iter().map(|&(_, count)| count).sum();
                    assert_eq!(counted, 4);
                }
            }
        }
    }
}

/// Late in a long run, the team earns what the best of all allocations earns: it has not settled on another one.
#[test]
fn the_team_settles_where_the_common_loss_is_least() {
    let means: MeansSpec = "uniform:-2,-1".parse().unwrap();
    for share in SHARES {
        let mut late = 0.0;
        for seed in 0..20 {
            let means = means.draw(6, Seed(seed)).unwrap();
            let law = |mean: &f64| Law::gaussian(*mean, 0.5).unwrap();
            let laws = means.iter().map(law).collect();
            let world = World::new(Graph::complete(6).unwrap(), laws).unwrap();
            let shares = sharing(share, 3);
            let known = best_allocation(&shares, &means, Seats::Unlimited).unwrap();
            let best = brute_force(&shares, &means, (3, 3));
            assert!((known.value - best).abs() < 1e-9, "regret counts from the best of all");
            let setup = TeamSetup {
                members: members(&world, 3, Seed(seed)),
                sharing: Arc::new(shares),
                draws: Draws::One,
                seats: None,
            };
            let agent = TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
            let record = walk(&world, agent, &setup, (30_000, Seed(seed)));
            let [middle, end] = [record.checkpoints[0], record.checkpoints[1]];
            late += (end.regret - middle.regret) / 20_000.0 / 20.0;
        }
        // If walkers looked for better nodes only for their own sake, the first four shares would cost 0.03 to 0.1.
        assert!(late < 0.01, "{share}: {late} per step");
    }
}

//! Teams where nodes cost more than they pay: walkers share one loss, and still find where it is least.

use super::{members, walk};
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::planning::{Seats, best_allocation, confined_seats};
use graph_bandit::team::{Draws, Member, Sharing, TeamSetup};
use graph_bandit::{Graph, Law, MeansSpec, NodeId, Preset, Seed, World};
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

/// Rows of shares for every node: with few and with many walkers, the best node may be another one.
fn table(nodes: usize, walkers: usize, seed: Seed) -> Sharing {
    let mut stream = seed.child(3).stream();
    let row = |_| {
        // A further walker adds nothing, half a draw, a whole one, or something at random.
        let kind = stream.below(4);
        let mut added = |_| match kind {
            3 => 1.2 * stream.unit(),
            halves => halves as f64 / 2.0,
        };
        let further: Vec<f64> = (1..walkers).map(&mut added).collect();
        (0..walkers).map(|count| 1.0 + further[..count].iter().sum::<f64>()).collect()
    };
    let rows: Vec<Vec<f64>> = (0..nodes).map(row).collect();
    Sharing::by_node(walkers, nodes, &rows).unwrap()
}

const SHARES: [&str; 5] = ["equal", "capacity:2", "log:0.5", "power:0.5", "power:1.5"];

#[test]
fn allocations_of_losses_are_the_best_of_all() {
    for (case, text) in ["uniform:-2,-1", "uniform:-1,1", "uniform:-1,0"].iter().enumerate() {
        let means: MeansSpec = text.parse().unwrap();
        for seed in 0..40 {
            let means = means.draw(5, Seed(seed).child(case as u64)).unwrap();
            let alike = SHARES.map(|share| (share, sharing(share, 4)));
            for (share, shares) in alike.into_iter().chain([("table", table(5, 4, Seed(seed)))]) {
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

/// What a team with these shares and means loses per step, late in a long run: little, unless it has settled on
/// another allocation than the best of all.
fn late_loss(graph: &Graph, shares: Sharing, means: &[f64], seed: Seed) -> f64 {
    let walkers = shares.walkers();
    let law = |mean: &f64| Law::gaussian(*mean, 0.5).unwrap();
    let world = World::new(graph.clone(), means.iter().map(law).collect()).unwrap();
    let known = best_allocation(&shares, means, Seats::Unlimited).unwrap();
    let best = brute_force(&shares, means, (walkers, walkers));
    assert!((known.value - best).abs() < 1e-9, "regret counts from the best of all");
    let setup = TeamSetup {
        members: members(&world, walkers, seed),
        sharing: Arc::new(shares),
        draws: Draws::One,
        seats: None,
    };
    let agent = TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
    let record = walk(&world, agent, &setup, (30_000, seed));
    let [middle, end] = [record.checkpoints[0], record.checkpoints[1]];
    (end.regret - middle.regret) / 20_000.0
}

#[test]
fn the_team_settles_where_the_common_loss_is_least() {
    let (means, graph): (MeansSpec, _) =
        ("uniform:-2,-1".parse().unwrap(), Graph::complete(6).unwrap());
    for share in SHARES {
        let of_run = |seed| {
            let means = means.draw(6, Seed(seed)).unwrap();
            late_loss(&graph, sharing(share, 3), &means, Seed(seed))
        };
        let late = (0..20).map(of_run).sum::<f64>() / 20.0;
        // If walkers looked for better nodes only for their own sake, the first four shares would cost 0.03 to 0.1.
        assert!(late < 0.01, "{share}: {late} per step");
    }
}

/// The least loss of all is on the node with the lowest mean, where three walkers together pay one draw.
#[test]
fn moving_together_counts_the_shares_of_both_nodes() {
    let rows = [[1.0, 2.0, 3.0], [1.0, 1.0, 1.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]];
    let shares = Sharing::by_node(3, 4, &rows.map(Vec::from)).unwrap();
    let means = [-1.0, -1.5, -1.2, -1.3];
    let of_run = |seed| late_loss(&Graph::complete(4).unwrap(), shares.clone(), &means, Seed(seed));
    let late = (0..10).map(of_run).sum::<f64>() / 10.0;
    // If only the shares of home counted, as if the other nodes shared alike: 0.04.
    assert!(late < 0.002, "{late} per step");
}

/// Tables of shares that differ by node.
#[test]
fn teams_with_tables_settle_where_the_common_loss_is_least() {
    let graph = Graph::grid(3, 3).unwrap();
    let mut all = 0.0;
    for means in ["uniform:-2,-1", "uniform:-1,0"] {
        let means: MeansSpec = means.parse().unwrap();
        for seed in 0..16 {
            let means = means.draw(9, Seed(seed)).unwrap();
            let late = late_loss(&graph, table(9, 3, Seed(seed)), &means, Seed(seed));
            all += late / 32.0;
        }
    }
    // If walkers looked only for their own sake: 0.04. If only the shares of home counted: 0.018.
    assert!(all < 0.01, "{all} per step");
}

/// One walker may only be on two nodes, so it cannot follow the others to the best one. With these shares, seats are
/// exact for losses, too.
#[test]
fn those_who_may_go_find_the_least_loss() {
    let shares = sharing("power:1", 3);
    let allowed = Some(Arc::new(vec![true, true, false, false, false, false]));
    let may_be = |walker: usize, node: NodeId| walker > 0 || node < 2;
    let mut late = 0.0;
    for seed in 0..12 {
        // The best node is one where the first walker may not be.
        let means = [-1.2, -1.3, -1.4, -1.6, -1.0, -1.8];
        let law = |mean: &f64| Law::gaussian(*mean, 0.5).unwrap();
        let world =
            World::new(Graph::complete(6).unwrap(), means.iter().map(law).collect()).unwrap();
        let best = confined_seats(&shares, &means, 3, (3, may_be)).unwrap();
        assert_eq!(best.places, [0, 4, 4]);
        let mut members = members(&world, 3, Seed(seed));
        members[0] = Member { allowed: allowed.clone(), ..Member::at(1) };
        let sharing = Arc::new(shares.clone());
        let setup = TeamSetup { members, sharing, draws: Draws::One, seats: None };
        let agent = TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
        let record = walk(&world, agent, &setup, (30_000, Seed(seed)));
        let [middle, end] = [record.checkpoints[0], record.checkpoints[1]];
        late += (best.value - (end.reward - middle.reward) / 20_000.0) / 12.0;
    }
    assert!(late.abs() < 0.01, "{late} per step");
}

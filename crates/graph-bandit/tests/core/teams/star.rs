//! g-star for teams: it keeps to what walkers may do, and learns more cheaply than Multi-G-UCB.

use super::{equal, members, walk, world};
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::planning::confined_seats;
use graph_bandit::team::{Member, Post, Team, TeamAgent, TeamSetup};
use graph_bandit::{Graph, Law, NodeId, Preset, Seed, Tape, World};
use std::sync::Arc;

fn agent(text: &str) -> Box<dyn TeamAgent + Send> {
    TeamSpec::parse(text, Preset::Paper).unwrap().build()
}

#[test]
fn a_quarter_of_multi_g_ucb_s_regret() {
    for (graph, walkers) in [("grid:7x7", 5), ("line:40", 3), ("star:40", 8)] {
        let mean = |text: &str| {
            let of_run = |seed| {
                let world = world(graph, 0.5, Seed(seed));
                let setup = equal(members(&world, walkers, Seed(seed)));
                walk(&world, agent(text), &setup, (10_000, Seed(seed))).checkpoints[1].regret
            };
            (0..12).map(of_run).sum::<f64>() / 12.0
        };
        let (ours, theirs) = (mean("g-star"), mean("multi-g-ucb"));
        assert!(ours > 0.0 && ours < 0.35 * theirs, "{graph}: {ours} against {theirs}");
    }
}

#[test]
fn the_team_ends_on_the_best_places() {
    for (share, draws_in_each) in [("equal", 4), ("capacity:2", 2), ("power:0.9", 1)] {
        let world = world("grid:5x5", 0.05, Seed(3));
        let sharing = share.parse::<ShareSpec>().unwrap().sharing(4).unwrap();
        let best = graph_bandit::team::planning::best_allocation(
            &sharing,
            world.means(),
            graph_bandit::team::planning::Seats::Unlimited,
        );
        let best = best.unwrap();
        assert!(best.counts.len() >= draws_in_each, "{share}");
        let setup = TeamSetup { sharing: Arc::new(sharing), ..equal(members(&world, 4, Seed(3))) };
        let record = walk(&world, agent("g-star"), &setup, (6_000, Seed(3)));
        let [middle, end] = [record.checkpoints[0], record.checkpoints[1]];
        let late = (end.regret - middle.regret) / 4_000.0;
        assert!(late < 0.01 * best.value, "{share}: {late} per step of {}", best.value);
    }
}

#[test]
fn nobody_leaves_the_nodes_allowed_to_it() {
    let world = world("grid:4x6", 0.3, Seed(8));
    // The left half, the right half, and everywhere; the halves touch.
    let half = |keep: fn(NodeId) -> bool| {
        Some(Arc::new((0..24).map(|node: NodeId| keep(node % 6)).collect::<Vec<bool>>()))
    };
    let members = vec![
        Member { allowed: half(|column| column < 3), ..Member::at(0) },
        Member { allowed: half(|column| column >= 3), ..Member::at(5) },
        Member::at(0),
    ];
    let setup = equal(members);
    let mut team =
        Team::new(world.shared_graph(), agent("g-star"), setup.clone(), Seed(0).stream()).unwrap();
    let mut payer = world.on_tape(&Tape::new(Seed(2)));
    let mut seen = [[false; 24]; 3];
    while team.step() < 3_000 {
        team.advance(1, &mut payer).unwrap();
        for (walker, post) in team.posts().iter().enumerate() {
            assert!(post.may_enter(post.at()));
            seen[walker][post.at() as usize] = true;
        }
    }
    assert!(team.estimates().samples().iter().all(|sample| sample.count > 0));
    assert!(seen[2].iter().filter(|seen| **seen).count() > 6, "the third one explores");
}

#[test]
fn with_one_seat_per_node_nobody_shares_a_destination() {
    let world = world("complete:9", 0.3, Seed(8));
    let sharing = "power:2".parse::<ShareSpec>().unwrap().sharing(4).unwrap();
    let members = members(&world, 4, Seed(1));
    let setup = TeamSetup { sharing: Arc::new(sharing), seats: Some(1), ..equal(members) };
    let mut team =
        Team::new(world.shared_graph(), agent("g-star"), setup, Seed(0).stream()).unwrap();
    let mut payer = world.on_tape(&Tape::new(Seed(2)));
    while team.step() < 1_000 {
        team.advance(1, &mut payer).unwrap();
        if team.step() < 20 {
            continue;
        }
        let mut destinations: Vec<NodeId> = team.posts().iter().map(Post::destination).collect();
        destinations.sort_unstable();
        destinations.dedup();
        assert_eq!(destinations.len(), 4, "after {} steps", team.step());
    }
}

/// One walker may only be on the first nodes; the other must take the best of the rest, whatever the
/// order of the means and wherever both start.
#[test]
fn walkers_with_nodes_of_their_own_end_on_the_best_seats() {
    let means = [1.0, 3.0, 5.0, 7.0, 9.0];
    for case in 0..40 {
        let (shift, first, start) = (case % 5, 2 + case / 5 % 2 * 2, case as NodeId / 10);
        let laws = (0..5).map(|node| Law::gaussian(means[(2 * node + shift) % 5], 0.1).unwrap());
        let world = World::new(Graph::line(5).unwrap(), laws.collect()).unwrap();
        let allowed = Some(Arc::new((0..5).map(|node| node < first).collect()));
        let members = vec![Member { allowed, ..Member::at(0) }, Member::at(start)];
        let setup = equal(members);
        let may_be = |walker: usize, node: NodeId| walker == 1 || (node as usize) < first;
        let best = confined_seats(&setup.sharing, world.means(), 2, (2, may_be)).unwrap().value;
        let record = walk(&world, agent("g-star"), &setup, (3_000, Seed(shift as u64)));
        let [middle, end] = [record.checkpoints[0], record.checkpoints[1]];
        let late = (end.reward - middle.reward) / 2_000.0;
        assert!((late - best).abs() < 0.05, "{case}: {late} of {best}");
    }
}

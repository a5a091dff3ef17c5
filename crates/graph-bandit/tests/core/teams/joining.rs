//! Walkers that join a session, where they look first, and what their clocks show.

use graph_bandit::spec::TeamSpec;
use graph_bandit::team::{Member, Sharing, TeamSession};
use graph_bandit::{Graph, NodeId, Phase, Preset, Road, Seed};
use std::sync::Arc;

fn session(graph: Graph, most: usize) -> TeamSession {
    let agent = TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
    TeamSession::new(graph, agent, Sharing::equal(most), Seed(0)).unwrap()
}

/// The first walker has seen its start and is on its way to `node` of a line.
fn heading_for(node: NodeId, nodes: usize) -> (TeamSession, u64) {
    let mut team = session(Graph::line(nodes).unwrap(), 4);
    let first = team.join(Member::at(0)).unwrap();
    for seen in 1..node {
        team.observe(seen, 0.5).unwrap();
    }
    team.tell(first, 0, 0.5).unwrap();
    assert_eq!(team.ask(first).unwrap().destination(), node);
    (team, first)
}

#[test]
fn a_walker_that_joins_on_an_unseen_node_looks_at_it_whoever_is_on_the_way() {
    let (mut team, first) = heading_for(3, 6);
    let second = team.join(Member::at(3)).unwrap();
    let order = team.ask(second).unwrap();
    assert_eq!((order.path, order.stay, order.phase), (&[][..], 1, Phase::Cover));
    assert_eq!(team.ask(first).unwrap().path, [1, 2, 3], "the other one carries on");
    // A third on the same node finds somebody there, and goes on to a node that nobody looks at.
    let third = team.join(Member::at(3)).unwrap();
    assert_eq!(team.ask(third).unwrap().path, [4]);
    // The same for a node on the way, and for a walker that was carried there.
    let (mut team, _) = heading_for(3, 6);
    let carried = team.join(Member::at(5)).unwrap();
    team.tell(carried, 5, 0.5).unwrap();
    team.ask(carried).unwrap();
    team.move_to(carried, 3).unwrap();
    assert!(team.ask(carried).unwrap().path.is_empty());
}

/// Of two walkers on one node, one looks there; nobody is sent to where a third stands.
#[test]
fn walkers_that_join_together_look_at_different_nodes() {
    let mut team = session(Graph::line(4).unwrap(), 4);
    let walkers = team.join_all(vec![Member::at(0), Member::at(0), Member::at(1)]).unwrap();
    let ends: Vec<NodeId> =
        walkers.iter().map(|&walker| team.ask(walker).unwrap().destination()).collect();
    assert_eq!(ends, [0, 2, 1]);
}

/// Some walkers never ask. Nobody is sent to where they stand while there are other unseen nodes, but then somebody
/// is: otherwise, nobody would ever know what these nodes pay.
#[test]
fn nodes_where_others_stand_idle_come_last() {
    let mut team = session(Graph::line(4).unwrap(), 4);
    let walkers = team.join_all(vec![Member::at(0), Member::at(1), Member::at(3)]).unwrap();
    let mut order = Vec::new();
    while order.len() < 40 {
        let node = team.ask(walkers[0]).unwrap().node;
        team.tell(walkers[0], node, f64::from(node)).unwrap();
        order.push(node);
    }
    // Node 1 is on the way.
    assert_eq!(order[..4], [0, 1, 2, 3]);
    assert!(order[4..].iter().filter(|&&node| node == 3).count() > 30, "{order:?}");
    // The one on node 1 moves at last, and is not sent where another one looks.
    let mut team = session(Graph::line(4).unwrap(), 4);
    let walkers = team.join_all(vec![Member::at(0), Member::at(3)]).unwrap();
    for node in [0, 1, 2] {
        team.tell(walkers[0], node, 0.5).unwrap();
    }
    assert_eq!(team.ask(walkers[1]).unwrap().destination(), 3);
    assert_ne!(team.ask(walkers[0]).unwrap().destination(), 3, "the other one has an order now");
}

#[test]
fn walkers_that_join_together_are_counted_together() {
    let allowed = Some(Arc::new(vec![true, false, false]));
    let first = || Member { allowed: allowed.clone(), ..Member::at(0) };
    let mut team = session(Graph::line(3).unwrap(), 9).with_seats(1);
    let before = team.join(Member::at(2)).unwrap();
    let state = team.state();
    let said = |team: &mut TeamSession, members| team.join_all(members).unwrap_err().to_string();
    assert_eq!(
        said(&mut team, vec![Member::at(0); 7]),
        "8 walkers do not fit on 3 nodes with at most 1 on each; allow more per node, or send fewer walkers"
    );
    assert!(said(&mut team, vec![first(), first(), Member::at(0)]).starts_with("4 walkers do not"));
    assert_eq!(team.state(), state, "none of them joined");
    assert_eq!(team.walkers(), [before]);
    let mut small = session(Graph::line(3).unwrap(), 2);
    small.join(Member::at(0)).unwrap();
    assert_eq!(
        said(&mut small, vec![Member::at(0); 4]),
        "the team would have 5 walkers, but it has room for at most 2; let others leave first, or \
         make a team with more room"
    );
    assert_eq!(small.walkers(), [0]);
    assert_eq!(team.join(Member::at(0)).unwrap(), before + 1);
}

/// The phase belongs to the order: it stays, whoever looks at the node meanwhile, and is stored.
#[test]
fn an_order_keeps_its_phase() {
    let (mut team, first) = heading_for(3, 4);
    assert_eq!(team.decision(first).unwrap().phase, Phase::Cover);
    team.observe(3, 0.5).unwrap();
    assert_eq!(team.ask(first).unwrap().phase, Phase::Cover);
    let agent = TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
    let state = serde_json::from_str(&serde_json::to_string(&team.state()).unwrap()).unwrap();
    let map = team.field().map().clone();
    let mut again = TeamSession::resume(map, agent, Sharing::equal(4), state).unwrap();
    assert_eq!(again.pending(first).unwrap(), team.pending(first).unwrap());
    let decision = team.decision(first).unwrap();
    again.fail(first).unwrap();
    again.decide(first, &decision).unwrap();
    assert_eq!(again.state(), team.state());
    team.fail(first).unwrap();
    assert_eq!(team.ask(first).unwrap().phase, Phase::Learn, "every node is seen");
}

/// The road was open when the walker set out, and it took its time.
#[test]
fn a_road_that_closes_under_the_walker_counts() {
    let road = |from, to, time| Road { from, to, time };
    let roads = [road(0, 1, 3.0), road(1, 0, 3.0), road(1, 2, 5.0), road(2, 0, 7.0)];
    let mut team = session(Graph::from_roads(3, roads).unwrap(), 2);
    let walker = team.join(Member::at(0)).unwrap();
    team.close((0, 1)).unwrap();
    team.tell(walker, 1, 0.5).unwrap();
    assert_eq!(team.time(walker).unwrap().0, 4.0);
    assert_eq!(team.times(walker, &[2, 0]).unwrap(), Some(vec![6.0, 8.0]));
}

/// By hand: a walker of speed 2 on roads of 3 and 5 units.
#[test]
fn clocks_count_visits_and_roads_at_the_walkers_speed() {
    let road = |from, to, time| Road { from, to, time };
    let roads = [road(0, 1, 3.0), road(1, 0, 3.0), road(1, 2, 5.0), road(2, 1, 5.0)];
    let mut team = session(Graph::from_roads(3, roads).unwrap(), 2);
    let quick = team.join(Member { speed: 2.0, ..Member::at(0) }).unwrap();
    let usual = team.join(Member::at(0)).unwrap();
    let times = |team: &TeamSession, path: &[NodeId]| team.times(quick, path).unwrap();
    assert_eq!(times(&team, &[1, 2]), Some(vec![2.5, 3.5]));
    assert_eq!(times(&team, &[]), Some(vec![]));
    let mut shown = Vec::new();
    // It looks where it is, drives, stays, and reports a node to which no road leads from there.
    for node in [0, 1, 1, 2, 0] {
        team.tell(quick, node, 0.5).unwrap();
        shown.push(team.time(quick).unwrap().0);
    }
    assert_eq!(shown, [1.0, 3.5, 4.5, 8.0, 9.0]);
    team.tell(usual, 1, 0.5).unwrap();
    assert_eq!((team.time(usual).unwrap().0, team.visits(usual).unwrap()), (4.0, 1));
    let agent = TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
    let (map, state) = (team.field().map().clone(), team.state());
    let again = TeamSession::resume(map, agent, Sharing::equal(2), state).unwrap();
    assert_eq!(again.time(quick).unwrap(), team.time(quick).unwrap());
    let plain = session(Graph::line(3).unwrap(), 1);
    assert!(plain.times(0, &[1]).is_err(), "there is no walker");
}

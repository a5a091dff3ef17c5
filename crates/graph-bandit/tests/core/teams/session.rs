//! Ask and tell for a team.

use super::world;
use graph_bandit::spec::TeamSpec;
use graph_bandit::team::{Member, SessionError, Sharing, TeamSession};
use graph_bandit::{
    AgentSpec, AskTell, Graph, Init, NodeId, Payer, Preset, Seed, SessionPlan, Tape, Time, World,
};

fn session(graph: Graph, most: usize) -> TeamSession {
    let agent = TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
    TeamSession::new(graph, agent, Sharing::equal(most), Seed(0)).unwrap()
}

/// The rewards of a world, whoever visits.
struct Paying<'a> {
    payer: graph_bandit::OnTape<&'a World>,
    seen: graph_bandit::Estimates,
}

impl<'a> Paying<'a> {
    fn new(world: &'a World) -> Self {
        let nodes = world.graph().len();
        let payer = world.on_tape(&Tape::new(Seed(3)));
        Self { payer, seen: graph_bandit::Estimates::new(nodes) }
    }

    fn reward(&mut self, node: NodeId) -> f64 {
        self.payer.pay_once(node, Time(0.0), &mut self.seen).unwrap()
    }
}

#[test]
fn a_team_of_one_gets_the_orders_of_a_walker_alone() {
    let world = world("grid:6x6", 0.5, Seed(4));
    let agent = AgentSpec::parse("g-star", Preset::Paper).unwrap().build(world.graph()).unwrap();
    let plan = SessionPlan { start: 14, init: Init::Nearest, seed: Seed(0) };
    let mut alone = AskTell::new(world.graph().clone(), agent, plan).unwrap();
    let mut team = session(world.graph().clone(), 3);
    let walker = team.join(Member::at(14)).unwrap();
    let mut paying = Paying::new(&world);
    for visit in 0..3_000 {
        let (ours, theirs) = (team.ask(walker).unwrap(), alone.ask().unwrap());
        assert_eq!((ours.node, ours.path, ours.stay), (theirs.node, theirs.path, theirs.stay));
        let node = ours.node;
        let reward = paying.reward(node);
        team.tell(walker, node, reward).unwrap();
        alone.tell(node, reward).unwrap();
        if visit % 500 == 499 {
            team.fail(walker).unwrap();
            alone.abandon();
        }
    }
}

#[test]
fn walkers_report_in_any_order_join_leave_and_fail() {
    let world = world("grid:6x6", 0.2, Seed(9));
    let mut team = session(world.graph().clone(), 4);
    let mut paying = Paying::new(&world);
    let mut stream = Seed(5).stream();
    let starts = [0, 5, 30];
    let mut walkers: Vec<_> =
        starts.iter().map(|&start| team.join(Member::at(start)).unwrap()).collect();
    let mut told = 0;
    for round in 0..6_000 {
        // Whoever reports is random: some walkers are slow, some reports come late.
        let walker = walkers[stream.below(walkers.len() as u64) as usize];
        let node = team.ask(walker).unwrap().node;
        let reward = paying.reward(node);
        team.tell(walker, node, reward).unwrap();
        told += 1;
        match round {
            1_000 => walkers.push(team.join(Member::at(35)).unwrap()),
            2_000 => team.fail(walkers[0]).unwrap(),
            3_000 => {
                let gone = walkers.remove(1);
                team.leave(gone).unwrap();
                let error = team.ask(gone).unwrap_err().to_string();
                assert_eq!(error, "walker 1 is not in the team; the walkers are 0, 2, 3");
            }
            4_000 => team.move_to(walkers[0], 20).unwrap(),
            _ => {}
        }
    }
    assert_eq!(team.estimates().visits(), told);
    assert_eq!(team.estimates(), &paying.seen, "no reward is lost or doubled");
    // Three walkers are left; they sit on the three best nodes.
    let mut best: Vec<NodeId> = world.graph().nodes().collect();
    best.sort_by(|&a, &b| world.mean(b).total_cmp(&world.mean(a)));
    let mut ends: Vec<NodeId> =
        walkers.iter().map(|&walker| team.ask(walker).unwrap().destination()).collect();
    ends.sort_unstable();
    let mut best = best[..3].to_vec();
    best.sort_unstable();
    assert_eq!(ends, best);
}

#[test]
fn a_walker_that_is_elsewhere_is_believed() {
    let mut team = session(Graph::line(5).unwrap(), 2);
    let walker = team.join(Member::at(0)).unwrap();
    team.ask(walker).unwrap();
    team.tell(walker, 4, 0.5).unwrap();
    assert_eq!(team.ask(walker).unwrap().at, 4);
}

#[test]
fn bad_reports_change_nothing() {
    let mut team = session(Graph::line(5).unwrap(), 2);
    let (first, _second) = (team.join(Member::at(0)).unwrap(), team.join(Member::at(4)).unwrap());
    let order = team.ask(first).unwrap().node;
    assert!(matches!(team.tell(first, 9, 0.5), Err(SessionError::Field(_))));
    assert!(matches!(team.tell(first, 1, f64::NAN), Err(SessionError::Field(_))));
    assert!(matches!(team.tell(7, 1, 0.5), Err(SessionError::UnknownWalker { walker: 7, .. })));
    assert!(matches!(team.move_to(first, 5), Err(SessionError::Field(_))));
    assert!(matches!(team.join(Member::at(0)), Err(SessionError::Full { most: 2 })));
    let mut other = session(Graph::line(5).unwrap(), 2);
    assert!(matches!(other.join(Member::at(5)), Err(SessionError::Member(_))));
    assert_eq!((team.estimates().visits(), team.ask(first).unwrap().node), (0, order));
    let together = TeamSpec::parse("multi-g-ucb", Preset::Paper).unwrap().build();
    let refused = TeamSession::new(Graph::line(5).unwrap(), together, Sharing::equal(2), Seed(0));
    assert!(matches!(refused.err(), Some(SessionError::StepsTogether)));
}

/// What may happen to a team, drawn at random. Everything is reported, whether it is refused or not.
fn happen(team: &mut TeamSession, stream: &mut graph_bandit::Stream) {
    let nodes = team.graph().len() as u64;
    let node = |stream: &mut graph_bandit::Stream| stream.below(nodes) as NodeId;
    let walkers = team.walkers().to_vec();
    let walker = walkers[stream.below(walkers.len() as u64) as usize];
    let reward = stream.unit();
    match stream.below(40) {
        0 => drop(team.join(Member::at(node(stream)))),
        1 if walkers.len() > 1 => team.leave(walker).unwrap(),
        2 => team.fail(walker).unwrap(),
        3 => drop(team.move_to(walker, node(stream))),
        4 => team.observe(node(stream), reward).unwrap(),
        5 | 6 => {
            let from = node(stream);
            let to = team.field().map().neighborhood(from)[0];
            drop(team.close((from, to)));
        }
        7 | 8 => {
            let closed = team.field().closed().clone();
            if let Some(&edge) = closed.iter().nth(stream.below(3) as usize) {
                team.open(edge).unwrap();
            }
        }
        9 => drop(team.tell(walker, node(stream), reward)),
        _ => {
            let node = team.ask(walker).unwrap().node;
            team.tell(walker, node, reward).unwrap();
        }
    }
}

fn roads(text: &str) -> Graph {
    let graph = text.parse::<graph_bandit::GraphSpec>().unwrap().build(Seed(1)).unwrap();
    let both = graph.all_roads().map(|road| graph_bandit::Road { time: 0.5, ..road });
    Graph::from_roads(graph.len(), both).unwrap()
}

/// Under way on one-way roads, a walker may enter a part that its leg would leave again.
#[test]
fn a_team_can_be_stored_wherever_its_walkers_are() {
    let pairs = [(0, 1), (1, 0), (2, 3), (3, 2), (4, 2), (3, 0), (1, 4)];
    let roads = pairs.map(|(from, to)| graph_bandit::Road { from, to, time: 0.0 });
    let mut team = session(Graph::from_roads(5, roads).unwrap(), 2);
    team.close((1, 4)).unwrap();
    let walker = team.join(Member::at(4)).unwrap();
    for node in [4, 2, 3, 1] {
        team.observe(node, 0.5).unwrap();
    }
    assert_eq!(team.ask(walker).unwrap().path, [2, 3, 0]);
    for _ in 0..10 {
        let node = team.ask(walker).unwrap().node;
        team.tell(walker, node, 0.5).unwrap();
        let agent = TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
        let (map, state) = (team.field().map().clone(), team.state());
        let mut again = TeamSession::resume(map, agent, Sharing::equal(2), state).unwrap();
        assert_eq!(again.ask(walker).unwrap(), team.ask(walker).unwrap());
    }
}

#[test]
fn a_stored_team_continues_as_if_it_had_never_stopped() {
    let fresh = || TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
    for (graph, seats) in
        [(Graph::grid(4, 4).unwrap(), 9), (Graph::line(9).unwrap(), 1), (roads("grid:3x4"), 2)]
    {
        let sharing = std::sync::Arc::new(Sharing::same(6, |count| (count as f64).sqrt()).unwrap());
        let new =
            TeamSession::new(graph.clone(), fresh(), std::sync::Arc::clone(&sharing), Seed(7));
        let mut team = new.unwrap().with_seats(seats);
        let part = |from: usize, to: usize| {
            let allowed = (0..graph.len()).map(|node| (from..to).contains(&node)).collect();
            Some(std::sync::Arc::new(allowed))
        };
        team.join(Member::at(0)).unwrap();
        team.join(Member { allowed: part(0, 4), ..Member::at(1) }).unwrap();
        team.join(Member { speed: 0.5, ..Member::at(3) }).unwrap();
        let (mut ours, mut theirs) = (Seed(8).stream(), Seed(8).stream());
        let mut twin: Option<TeamSession> = None;
        for round in 0..1_500 {
            if round % 3 == 0 {
                let text = serde_json::to_string(&team.state()).unwrap();
                let state = serde_json::from_str(&text).unwrap();
                let sharing = std::sync::Arc::clone(&sharing);
                twin = Some(TeamSession::resume(graph.clone(), fresh(), sharing, state).unwrap());
            }
            let twin = twin.as_mut().unwrap();
            happen(&mut team, &mut ours);
            happen(twin, &mut theirs);
            assert_eq!(twin.state(), team.state(), "round {round}");
        }
        assert!(team.estimates().visits() > 1_000);
        // The decisions of one team, given to another, are its orders.
        let mut other = TeamSession::resume(graph, fresh(), sharing, team.state()).unwrap();
        for walker in team.walkers().to_vec() {
            team.fail(walker).unwrap();
            other.fail(walker).unwrap();
            let order = team.ask(walker).unwrap().kept();
            other.decide(walker, &team.decision(walker).unwrap()).unwrap();
            assert_eq!(other.pending(walker).unwrap().kept(), order);
        }
        assert_eq!(other.state(), team.state());
    }
}

/// Whatever is closed, every order is a walk along open edges to nodes where the walker may be.
#[test]
fn orders_lead_around_closed_edges_and_stay_in_the_walkers_part() {
    for graph in [Graph::grid(4, 5).unwrap(), Graph::line(7).unwrap(), roads("circle:8")] {
        let nodes = graph.len();
        let mut team = session(graph, 5);
        for start in 0..4 {
            team.join(Member::at(start)).unwrap();
        }
        let mut stream = Seed(11).stream();
        let mut cut_off = 0;
        for round in 0..2_000 {
            happen(&mut team, &mut stream);
            for walker in team.walkers().to_vec() {
                let order = team.ask(walker).unwrap().kept();
                let mut from = order.at;
                for &to in &order.path {
                    assert!(team.graph().allows(from, to), "{round}: {from} to {to}");
                    from = to;
                }
            }
            cut_off += usize::from(!team.graph().is_connected());
        }
        assert!(cut_off > 100, "{nodes} nodes: {cut_off}");
    }
}

#[test]
fn only_walkers_that_would_use_a_closed_edge_plan_again() {
    let mut team = session(Graph::line(6).unwrap(), 3);
    let (first, second) = (team.join(Member::at(0)).unwrap(), team.join(Member::at(5)).unwrap());
    for (walker, node) in [(first, 0), (second, 5), (first, 1), (second, 4)] {
        team.tell(walker, node, 0.5).unwrap();
    }
    assert_eq!((team.ask(first).unwrap().node, team.ask(second).unwrap().node), (2, 3));
    let order = team.ask(second).unwrap().kept();
    assert_eq!(team.close((2, 1)).unwrap(), [first]);
    assert_eq!(team.pending(second).unwrap().kept(), order);
    assert_eq!(team.field().set_aside(1), [2, 3, 4, 5]);
    // All nodes within its reach are seen, so it stays with the best of them, or goes there.
    assert!(team.ask(first).unwrap().destination() <= 1);
    let again = team.close((1, 2)).unwrap_err().to_string();
    assert_eq!(again, "the edge between node 1 and node 2 is closed already");
    assert!(matches!(team.close((0, 5)), Err(SessionError::Edge(_))));
    // The first walker is carried across, reports there, and is confined to the other part.
    team.tell(first, 4, 0.9).unwrap();
    assert!(team.ask(first).unwrap().destination() >= 2);
    assert!(team.open((1, 2)).unwrap().contains(&first));
    assert!(team.open((1, 2)).is_err());
}

#[test]
fn where_edges_are_closed_the_best_seat_goes_to_whoever_asks_next_to_it() {
    let mut team = session(Graph::line(6).unwrap(), 2);
    let (silent, busy) = (team.join(Member::at(0)).unwrap(), team.join(Member::at(5)).unwrap());
    for node in 0..6 {
        team.observe(node, if node == 4 { 9.0 } else { 1.0 }).unwrap();
    }
    team.tell(busy, 5, 1.0).unwrap();
    team.close((4, 5)).unwrap();
    team.move_to(busy, 3).unwrap();
    assert_eq!(team.ask(busy).unwrap().destination(), 4);
    // It is going there, so the other one has its seat elsewhere, even if it is carried there.
    for node in [0, 3, 4] {
        team.move_to(silent, node).unwrap();
        assert_ne!(team.ask(silent).unwrap().destination(), 4, "from {node}");
    }
}

#[test]
fn seats_are_checked_when_a_walker_joins_and_give_way_to_closed_edges() {
    let allowed = |nodes: &[usize]| {
        Some(std::sync::Arc::new((0..4).map(|node| nodes.contains(&node)).collect()))
    };
    let mut team = session(Graph::line(4).unwrap(), 4).with_seats(1);
    team.join(Member { allowed: allowed(&[0]), ..Member::at(0) }).unwrap();
    let refused = team.join(Member { allowed: allowed(&[0]), ..Member::at(0) }).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "2 walkers do not all have a seat where they may be, with at most 1 on each node; allow more \
         per node, or allow the walkers on more nodes"
    );
    let cut_off = team.join(Member { allowed: allowed(&[0, 2]), ..Member::at(0) }).unwrap_err();
    assert!(cut_off.to_string().starts_with("walker 1 may be on node 2"), "{cut_off}");
    let second = team.join(Member::at(0)).unwrap();
    for node in 0..4 {
        team.observe(node, 0.5).unwrap();
    }
    team.close((0, 1)).unwrap();
    assert_eq!(team.ask(second).unwrap().destination(), 0);
}

#[test]
fn states_that_do_not_fit_are_refused() {
    let fresh = || TeamSpec::parse("g-star", Preset::Paper).unwrap().build();
    let mut team = session(Graph::line(4).unwrap(), 2);
    let walker = team.join(Member::at(1)).unwrap();
    team.tell(walker, 1, 0.5).unwrap();
    team.ask(walker).unwrap();
    let text = serde_json::to_string(&team.state()).unwrap();
    let resumed = |graph: Graph, text: &str| {
        let state = serde_json::from_str(text).unwrap();
        let resumed = TeamSession::resume(graph, fresh(), Sharing::equal(2), state);
        resumed.err().map(|error| error.to_string())
    };
    let line = || Graph::line(4).unwrap();
    assert_eq!(resumed(line(), &text), None);
    let of = |change: (&str, &str)| {
        let changed = text.replace(change.0, change.1);
        assert_ne!(changed, text, "{change:?}");
        resumed(line(), &changed).unwrap()
    };
    assert!(resumed(Graph::line(5).unwrap(), &text).unwrap().contains("4 nodes"));
    assert!(of(("\"at\":1", "\"at\":7")).contains("node 7"));
    assert!(of(("\"at\":1", "\"at\":3")).contains("cannot follow its leg"));
    assert!(of(("\"visits\":1", "\"visits\":2")).contains("counts 2 reports"));
    assert!(of(("\"walker\":0", "\"walker\":1")).contains("out of order"));
    assert!(of(("\"speed\":1.0", "\"speed\":0.0")).contains("speed 0"));
}

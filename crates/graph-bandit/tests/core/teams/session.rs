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

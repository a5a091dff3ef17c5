//! g-drift in sessions, where reports come one by one.

use super::{changing, graph, team_agent};
use graph_bandit::team::agents::Independent;
use graph_bandit::team::{
    Member, SessionError, Sharing, TeamSession, TeamState, TeamStateError, WalkerId,
};
use graph_bandit::{
    AgentSpec, AskTell, Graph, Init, NodeId, Preset, Seed, SessionPlan, Tape, Time, World,
};

fn session(graph: Graph, agent: &str, starts: &[NodeId]) -> TeamSession {
    let sharing = Sharing::equal(starts.len());
    let mut team = TeamSession::new(graph, team_agent(agent), sharing, Seed(0)).unwrap();
    for &start in starts {
        team.join(Member::at(start)).unwrap();
    }
    team
}

/// What a world pays for the next draw of a node at a moment.
fn pay(world: &World, seed: Seed, (node, k): (NodeId, u64), time: f64) -> f64 {
    world.law(node).draw(Tape::new(seed).node(node), k, Time(time)).unwrap()
}

/// Lets a walker report its next visit, at this time of the world; where it was.
fn report(team: &mut TeamSession, walker: WalkerId, world: &World, time: f64) -> NodeId {
    let node = team.ask(walker).unwrap().node;
    let reward = pay(world, Seed(7), (node, team.estimates().count(node)), time);
    team.tell(walker, node, reward).unwrap();
    node
}

#[test]
fn a_session_of_one_is_g_drift_alone() {
    let mut changes = 0;
    for seed in 0..4 {
        let world = changing(graph("grid:4x5"), "redrawn:0.5,9.5,300", (0.5, Seed(seed)));
        let mut team = session(graph("grid:4x5"), "g-drift", &[3]);
        let agent = AgentSpec::parse("g-drift", Preset::Paper).unwrap();
        let agent = agent.build(world.graph()).unwrap();
        let plan = SessionPlan { start: 3, init: Init::Nearest, ..SessionPlan::default() };
        let mut alone = AskTell::new(graph("grid:4x5"), agent, plan).unwrap();
        for time in 0..1_500 {
            let order = alone.ask().unwrap();
            let (path, stay) = (order.path.to_vec(), order.stay);
            let same = team.ask(0).unwrap();
            assert_eq!((same.path.to_vec(), same.stay), (path, stay), "{seed}: visit {time}");
            let node = same.node;
            let reward =
                pay(&world, Seed(7), (node, team.estimates().count(node)), f64::from(time));
            alone.tell(node, reward).unwrap();
            team.tell(0, node, reward).unwrap();
            assert_eq!(team.found_change(), alone.found_change(), "{seed}: visit {time}");
            assert_eq!(*team.remembered(), *alone.remembered());
            changes += usize::from(team.found_change());
        }
    }
    assert!(changes > 8, "{changes}");
}

/// Reports in any order; between any two of them the team is stored and resumed.
#[test]
fn a_stored_team_goes_on_as_if_it_had_not_stopped() {
    for seed in 0..3 {
        let world = changing(graph("grid:4x5"), "redrawn:0.5,9.5,250,regular", (0.5, Seed(seed)));
        let mut team = session(graph("grid:4x5"), "g-drift", &[0, 7, 19]);
        let mut resumed = session(graph("grid:4x5"), "g-drift", &[0, 7, 19]);
        let mut stream = Seed(seed).child(1).stream();
        let (mut changes, mut outdated) = (0, 0);
        for time in 0..2_500 {
            let walker = stream.below(3);
            let time = f64::from(time) / 3.0;
            // Asking plans, and plans are not remembered.
            let before = team.state();
            team.ask(walker).unwrap();
            let learned =
                |state: &TeamState| serde_json::to_value(state).unwrap()["learned"].take();
            assert_eq!(learned(&team.state()), learned(&before));
            let node = report(&mut team, walker, &world, time);
            assert_eq!(report(&mut resumed, walker, &world, time), node);
            changes += usize::from(team.found_change());
            let text = serde_json::to_string(&resumed.state()).unwrap();
            outdated += usize::from(text.contains("outdated"));
            let state: TeamState = serde_json::from_str(&text).unwrap();
            let (graph, sharing) = (graph("grid:4x5"), Sharing::equal(3));
            resumed = TeamSession::resume(graph, team_agent("g-drift"), sharing, state).unwrap();
            assert_eq!(resumed.state(), team.state(), "{seed}: after {time}");
        }
        assert!(changes >= 2 && outdated >= 2, "{changes} {outdated}");
    }
}

/// Two robots stand on the two best nodes; one of these falls, and both know at once.
#[test]
fn what_one_robot_finds_the_other_knows() {
    let pays = |node: NodeId, falls: bool| {
        [0.1, 0.9, 0.5, 0.8, 0.2][node as usize] * if falls && node == 1 { 0.1 } else { 1.0 }
    };
    let mut team = session(Graph::line(5).unwrap(), "g-drift:noise-scale=0.05", &[0, 4]);
    let visit = |team: &mut TeamSession, walker, falls| {
        let node = team.ask(walker).unwrap().node;
        team.tell(walker, node, pays(node, falls)).unwrap();
        node
    };
    for _ in 0..60 {
        visit(&mut team, 0, false);
        visit(&mut team, 1, false);
    }
    assert_eq!((team.at(0), team.at(1)), (Ok(1), Ok(3)));
    let stay = team.ask(1).unwrap().stay;
    assert!(stay > 1, "{stay}");
    let mut reports = 0;
    while !team.found_change() {
        visit(&mut team, 0, true);
        reports += 1;
    }
    assert!(reports < 5, "{reports}");
    // The other goes on until its next report, and then plans again.
    assert_eq!(team.ask(1).unwrap().stay, stay);
    assert!(!team.is_idle(1).unwrap());
    visit(&mut team, 1, true);
    assert!(team.is_idle(1).unwrap());
    for _ in 0..40 {
        visit(&mut team, 0, true);
        visit(&mut team, 1, true);
    }
    let mut places = [team.at(0).unwrap(), team.at(1).unwrap()];
    places.sort_unstable();
    assert_eq!(places, [2, 3]);
    assert!((team.remembered().estimate(1).mean - 0.09).abs() < 1e-9);
    assert!(team.estimates().estimate(1).mean > 0.5);
}

#[test]
fn the_time_of_a_team_is_that_of_the_walker_ahead() {
    let mut team = session(Graph::line(3).unwrap(), "g-drift", &[0, 2]);
    let time = |team: &TeamSession| {
        let state = serde_json::to_value(team.state()).unwrap();
        state["learned"]["time"].as_f64().unwrap()
    };
    for _ in 0..10 {
        team.tell(0, 0, 0.5).unwrap();
    }
    assert_eq!(time(&team), 10.0);
    team.tell(1, 2, 0.5).unwrap();
    assert_eq!(time(&team), 10.0);
    // It has caught up, so its next visit takes one unit more.
    team.tell(1, 2, 0.5).unwrap();
    assert_eq!(time(&team), 11.0);
    team.tell(0, 0, 0.5).unwrap();
    assert_eq!(time(&team), 11.0);
    team.leave(0).unwrap();
    team.tell(1, 2, 0.5).unwrap();
    assert_eq!(time(&team), 12.0);
    let late = team.join(Member::at(0)).unwrap();
    team.tell(late, 0, 0.5).unwrap();
    assert_eq!(time(&team), 13.0);
}

#[test]
fn states_that_do_not_belong_to_the_team_are_refused() {
    let mut team = session(Graph::line(3).unwrap(), "g-drift", &[0, 2]);
    team.tell(0, 0, 0.5).unwrap();
    let resume = |change: &dyn Fn(&mut serde_json::Value), agent: &str| {
        let mut state = serde_json::to_value(team.state()).unwrap();
        change(&mut state);
        let state: TeamState = serde_json::from_value(state).unwrap();
        let agent = team_agent(agent);
        TeamSession::resume(Graph::line(3).unwrap(), agent, Sharing::equal(2), state).err()
    };
    assert_eq!(resume(&|_| {}, "g-drift"), None);
    let memory = |state: &mut serde_json::Value| {
        state["learned"]["memory"]["values"].as_array_mut().unwrap().pop();
    };
    assert!(matches!(resume(&memory, "g-drift"), Some(TeamStateError::Memory(_))));
    assert!(matches!(resume(&|_| {}, "g-star"), Some(TeamStateError::Memory(_))));
    let time = |state: &mut serde_json::Value| state["learned"]["time"] = (-1.0).into();
    assert_eq!(resume(&time, "g-drift"), Some(TeamStateError::Time { time: -1.0 }));
    let behind = |state: &mut serde_json::Value| state["walkers"][1]["behind"] = (-2.0).into();
    assert_eq!(resume(&behind, "g-drift"), Some(TeamStateError::Time { time: -2.0 }));
    // Teams whose agent remembers nothing store no memory.
    let star = session(Graph::line(3).unwrap(), "g-star", &[0, 2]);
    let text = serde_json::to_string(&star.state()).unwrap();
    assert!(!text.contains("learned") && !text.contains("behind") && !text.contains("outdated"));
}

/// Agents that need to hear all walkers at the same time still cannot lead a session.
#[test]
fn walkers_by_themselves_do_not_lead_a_session() {
    let apart = Independent::new(Vec::new(), Init::default());
    let line = Graph::line(3).unwrap();
    let refused = TeamSession::new(line, Box::new(apart), Sharing::equal(2), Seed(0));
    assert!(matches!(refused.err(), Some(SessionError::StepsTogether)));
}

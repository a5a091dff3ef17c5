//! A team of one is a walker alone.

use super::{equal, walk, world, world_on};
use graph_bandit::random::label;
use graph_bandit::spec::TeamSpec;
use graph_bandit::team::Member;
use graph_bandit::team::agents::Independent;
use graph_bandit::{
    AgentSpec, Event, Field, Graph, Init, NodeId, Observer, Payer, Preset, RegretFrom, Road,
    RunPlan, Seed, Setting, Situation, Tape, Time, Trajectory, World, run,
};

/// The same visits, and the same regret up to rounding: the team adds up other sums. (Studies run a
/// team of one as a walker alone, to the bit.)
fn assert_same(world: &World, agent: &str, (start, seed): (NodeId, Seed)) {
    let steps = 4_000;
    let plan = RunPlan {
        start,
        init: Init::Nearest,
        regret_from: RegretFrom::Start,
        ..RunPlan::new(steps, 1)
    };
    let mut alone = AgentSpec::parse(agent, Preset::Paper).unwrap().build(world.graph()).unwrap();
    let alone = run(world, &mut alone, &plan, seed).unwrap();
    let team = TeamSpec::parse(agent, Preset::Paper).unwrap().build();
    let team = walk(world, team, &equal(vec![Member::at(start)]), (steps, seed));
    assert_eq!(team.visits, alone.visits, "{agent} from {start}");
    let (ours, theirs) = (team.checkpoints[1].regret, alone.checkpoints[0].regret);
    assert!((ours - theirs).abs() < 1e-8, "{ours} {theirs}");
}

#[test]
fn g_star_leads_a_team_of_one_as_it_walks_alone() {
    for (graph, start) in
        [("grid:7x7", 24), ("line:30", 11), ("star:20", 0), ("tree:40,3", 7), ("complete:12", 3)]
    {
        for seed in 0..4 {
            let world = world(graph, 0.5, Seed(seed));
            assert_same(&world, "g-star", (start, Seed(seed)));
            assert_same(&world, "g-star:caution=1,growth=0.2,horizon=4000", (start, Seed(seed)));
        }
    }
}

#[test]
fn also_on_roads_that_take_whole_units_and_run_one_way() {
    let road = |from, to, time| Road { from, to, time };
    let mut roads = Vec::new();
    for node in 0..12 {
        roads.push(road(node, (node + 1) % 12, f64::from(node % 3)));
        if node % 4 != 0 {
            roads.push(road((node + 1) % 12, node, 2.0));
        }
    }
    roads.push(road(2, 9, 1.0));
    for seed in 0..8 {
        let graph = Graph::from_roads(12, roads.clone()).unwrap();
        assert_same(&world_on(graph, 0.3, Seed(seed)), "g-star", (4, Seed(seed)));
    }
}

/// How often each node was visited.
struct Visits(Vec<u64>);

impl Observer for Visits {
    fn hear(&mut self, _now: &Situation<'_>, event: Event<'_>) {
        if let Event::Visited(visit) = event {
            self.0[visit.node as usize] += visit.sample.count;
        }
    }
}

/// The visits of an agent alone that draws from the stream of the first walker of a team.
fn visits_alone(world: &World, agent: &str, (start, steps, seed): (NodeId, u64, Seed)) -> Vec<u64> {
    let agent = AgentSpec::parse(agent, Preset::Paper).unwrap().build(world.graph()).unwrap();
    let stream = Seed(seed.child(label::AGENT).stream().bits()).stream();
    let setting = Setting { start, init: Init::Nearest, stream };
    let mut walk = Trajectory::new(Field::new(world.shared_graph()), agent, setting).unwrap();
    let mut payer = world.on_tape(&Tape::new(seed));
    payer.begin(Time::START);
    let mut visits = Visits(vec![0; world.graph().len()]);
    for _ in 0..steps {
        walk.advance(1, &mut payer, &mut visits).unwrap();
    }
    visits.0
}

#[test]
fn every_agent_walks_by_itself_in_a_team_of_one_as_it_walks_alone() {
    let steps = 1_500;
    // An oracle tells it when means change, which works for one walker only.
    for agent in AgentSpec::names().into_iter().filter(|agent| *agent != "restarting-klucb") {
        let graphs = match agent {
            // It chooses among all nodes at every step.
            "exp3s" => [("complete:12", 7), ("complete:5", 3)],
            _ => [("grid:5x5", 7), ("star:12", 3)],
        };
        for (graph, start) in graphs {
            let seed = Seed(2);
            let world = world(graph, 0.5, seed);
            let one = AgentSpec::parse(agent, Preset::Paper).unwrap();
            let team = Independent::new(vec![one.build(world.graph()).unwrap()], Init::Nearest);
            let team = walk(&world, Box::new(team), &equal(vec![Member::at(start)]), (steps, seed));
            let alone = visits_alone(&world, agent, (start, steps, seed));
            assert_eq!(team.visits, alone, "{agent} on {graph}");
            let gaps = world.means().iter().map(|mean| world.best_mean() - mean);
            let regret: f64 = gaps.zip(&alone).map(|(gap, visits)| gap * *visits as f64).sum();
            assert!((team.checkpoints[1].regret - regret).abs() < 1e-8, "{agent} on {graph}");
        }
    }
}

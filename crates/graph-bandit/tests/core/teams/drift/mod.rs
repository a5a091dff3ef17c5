//! g-drift for teams, and teams in worlds whose means change.

mod alone;
mod cuts;
mod regret;
mod session;
mod sharing;

use super::equal;
use graph_bandit::spec::{MeansSpec, Span, TeamSpec};
use graph_bandit::team::{Member, Team, TeamAgent, TeamSetup};
use graph_bandit::{Graph, GraphSpec, Law, NodeId, Payer, Preset, Seed, Tape, Time, World};

fn team_agent(text: &str) -> Box<dyn TeamAgent + Send> {
    TeamSpec::parse(text, Preset::Paper).unwrap().build()
}

/// A world whose means change as this text says, with Gaussian noise.
fn changing(graph: Graph, means: &str, (deviation, seed): (f64, Seed)) -> World {
    let means: MeansSpec = means.parse().unwrap();
    let table = means.over_time(&Span { nodes: graph.len(), steps: 6_000, run: seed });
    let table = table.unwrap().unwrap();
    let laws = graph.nodes().map(|_| Law::gaussian(0.0, deviation).unwrap()).collect();
    World::new(graph, laws).unwrap().with_timetable(table).unwrap()
}

fn graph(text: &str) -> Graph {
    text.parse::<GraphSpec>().unwrap().build(Seed(5)).unwrap()
}

/// Where every walker draws in each step; nothing on a road.
fn walked(
    world: &World,
    agent: Box<dyn TeamAgent + Send>,
    setup: TeamSetup,
    (steps, seed): (u64, Seed),
) -> Vec<Vec<Option<NodeId>>> {
    let mut team = Team::new(world.shared_graph(), agent, setup, Seed(0).stream()).unwrap();
    let mut payer = world.on_tape(&Tape::new(seed));
    payer.begin(Time::START);
    let mut walked = Vec::new();
    while team.step() < steps {
        team.advance(1, &mut payer).unwrap();
        let on_node = |post: &graph_bandit::team::Post| (!post.is_on_road()).then(|| post.at());
        walked.push(team.posts().iter().map(on_node).collect());
    }
    walked
}

fn at(nodes: &[NodeId]) -> TeamSetup {
    equal(nodes.iter().map(|&node| Member::at(node)).collect())
}

//! Legs that end because of what somebody saw.

use super::super::equal;
use super::{at, changing, graph, team_agent, walked};
use graph_bandit::team::agents::Independent;
use graph_bandit::team::{Cut, Member, Sharing, Team, TeamAgent, TeamSession, TeamSituation};
use graph_bandit::{
    AgentSpec, Graph, Hearing, Init, Law, Leg, NodeId, Preset, Raised, Road, Sample, Seed, Stream,
    Tape, World,
};

/// Sends everybody along the circle for good; cuts all legs in one step.
struct Restless {
    cut_at: u64,
    step: u64,
    planned: Vec<(u64, usize, NodeId)>,
}

impl TeamAgent for Restless {
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        _stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        for &walker in now.idle {
            let at = now.posts[walker].at();
            self.planned.push((now.step, walker, at));
            let nodes = now.graph.len() as NodeId;
            legs[walker].path = (1..=12).map(|step| (at + step) % nodes).collect();
            legs[walker].stay = 50;
        }
        Ok(())
    }

    fn observe(&mut self, now: &TeamSituation<'_>, _seen: &[Sample]) -> Result<(), Raised> {
        self.step = now.step;
        Ok(())
    }

    fn cuts(&self, _walker: usize) -> Cut {
        if self.step == self.cut_at { Cut::WithOwnDraw } else { Cut::No }
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }
}

fn walk(graph: Graph, cut_at: u64) -> Vec<(u64, usize, NodeId)> {
    let laws = vec![Law::constant(1.0).unwrap(); graph.len()];
    let world = World::new(graph, laws).unwrap();
    let setup = equal(vec![Member::at(0), Member::at(3)]);
    let agent = Restless { cut_at, step: 0, planned: Vec::new() };
    let mut team = Team::new(world.shared_graph(), agent, setup, Seed(0).stream()).unwrap();
    let mut payer = world.on_tape(&Tape::new(Seed(1)));
    while team.step() < 60 {
        team.advance(1, &mut payer).unwrap();
    }
    team.agent().planned.clone()
}

#[test]
fn a_cut_leg_is_planned_again_at_the_next_step() {
    let circle = || Graph::circle(8).unwrap();
    let first = [(0, 0, 0), (0, 1, 3)];
    assert_eq!(walk(circle(), 1_000), first);
    // All nodes have a draw after the eighth step.
    assert_eq!(walk(circle(), 10)[2..], [(10, 0, 2), (10, 1, 5)]);
    assert_eq!(walk(circle(), 30)[2..], [(30, 0, 4), (30, 1, 7)]);
}

/// The second walker's leg ends on a node that nobody has seen, so it goes on until it gets there.
#[test]
fn legs_to_unseen_nodes_are_not_cut_on_the_way() {
    assert_eq!(walk(Graph::circle(8).unwrap(), 1)[2..], [(1, 0, 1), (4, 1, 7)]);
}

/// On a road nobody turns: the leg ends at its end.
#[test]
fn a_walker_on_a_road_plans_again_when_it_arrives() {
    let time = |from| if from == 1 { 5.0 } else { 0.0 };
    let roads = (0..8).map(|from| Road { from, to: (from + 1) % 8, time: time(from) });
    // The first walker is on the road from node 1 to 2 in steps 15 to 19.
    let planned = walk(Graph::from_roads(8, roads).unwrap(), 17);
    assert_eq!(planned[2..], [(17, 1, 7), (20, 0, 2)]);
}

/// Walkers by themselves may cut legs to nodes that nobody in the team has seen.
#[test]
fn walkers_by_themselves_cut_as_they_do_alone() {
    for seed in 0..6 {
        let world = changing(graph("star:9"), "redrawn:0,1,40,regular", (0.3, Seed(seed)));
        for agent in ["g-drift", "glr-klucb:changes=20,horizon=1500,rewards=gaussian"] {
            let alone = |_| AgentSpec::parse(agent, Preset::Paper).unwrap().build(world.graph());
            let alone = (0..3).map(|walker| alone(walker).unwrap()).collect();
            let apart = Box::new(Independent::new(alone, Init::None));
            walked(&world, apart, at(&[0, 1, 2]), (1_500, Seed(seed)));
        }
    }
}

/// A robot that stands on a node without an order may never draw there again: it needs a look.
#[test]
fn whoever_stands_by_does_not_look() {
    let sharing = Sharing::equal(2);
    let agent = team_agent("g-drift:noise-scale=0.05,rate=0.01");
    let mut team = TeamSession::new(Graph::line(3).unwrap(), agent, sharing, Seed(0)).unwrap();
    let (first, second) = (team.join(Member::at(0)).unwrap(), team.join(Member::at(2)).unwrap());
    // The second robot sees the last node once, and is not heard of again.
    team.tell(second, 2, 0.5).unwrap();
    let mut seen = 0;
    for _ in 0..2_000 {
        let node = team.ask(first).unwrap().node;
        seen += usize::from(node == 2);
        team.tell(first, node, [0.9, 0.6, 0.5][node as usize]).unwrap();
    }
    assert!(seen > 1, "{seen}");
}

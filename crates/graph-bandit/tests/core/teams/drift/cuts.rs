//! Legs that end because of what somebody saw.

use super::super::equal;
use graph_bandit::team::{Member, Team, TeamAgent, TeamSituation};
use graph_bandit::{
    Graph, Hearing, Law, Leg, NodeId, Raised, Road, Sample, Seed, Stream, Tape, World,
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

    fn cuts(&self, _walker: usize) -> bool {
        self.step == self.cut_at
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

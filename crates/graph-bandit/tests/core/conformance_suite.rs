//! The public suite: every agent of the library passes it, and agents with one fault each do not.

use crate::support::agents::anywhere;
use graph_bandit::conformance::{Promise, check_all};
use graph_bandit::{
    Agent, Footing, Graph, Leg, Memory, MemoryError, NodeId, Phase, Preset, Raised, RemembersEdges,
    Situation, Stream, Visit,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn every_agent_keeps_the_contract() {
    for spec in [Preset::Paper, Preset::Program].map(anywhere).concat() {
        check_all(|graph| spec.build(graph).unwrap())
            .unwrap_or_else(|broken| panic!("{spec}\n{broken}"));
    }
}

/// The fault of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Nothing.
    None,
    /// It wants to go anywhere in one step.
    Jumps,
    /// It returns an empty leg if there is no neighbour.
    EmptyWhereAlone,
    /// It continues from where its last leg ended, even if it was carried elsewhere.
    BelievesItsLegs,
    /// It fails after a while.
    Fails,
    /// All agents from the same factory share a count.
    SharesItsCount,
    /// It counts how often it is told, not what it is told.
    CountsTells,
    /// Looking at its scores changes its decisions.
    DriftsWhenSeen,
    /// Its scores are NaN.
    ScoresNothing,
    /// It scores only its own node.
    ScoresItsNode,
    /// It remembers, but has no memory to store.
    HidesItsMemory,
    /// It learns from planning, not from visits.
    CountsPlans,
    /// It accepts any memory.
    TakesAnyMemory,
    /// It keeps part of a memory that it refuses.
    TakesHalfAMemory,
    /// It walks the graph that it was built for, whatever is closed.
    KeepsClosedEdges,
    /// It refuses changed edges, but changes its decisions.
    DriftsWhenRefusing,
    /// It claims to continue on any graph, but uses the number of nodes of the first one.
    KeepsTheSize,
    /// It uses the road times of its first plan.
    KeepsTheTimes,
}

/// Goes to one neighbour after another by its number of visits, with a fault.
struct Faulty {
    fault: Fault,
    graph: Graph,
    count: u64,
    legs: u64,
    end: Option<NodeId>,
    size: Option<u64>,
    time: Option<u64>,
    shared: Arc<AtomicU64>,
}

impl Faulty {
    fn new(fault: Fault, graph: &Graph, shared: &Arc<AtomicU64>) -> Self {
        let shared = Arc::clone(shared);
        Self {
            fault,
            graph: graph.clone(),
            count: 0,
            legs: 0,
            end: None,
            size: None,
            time: None,
            shared,
        }
    }
}

impl Agent for Faulty {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.legs += 1;
        let is_early = now.estimates.visits() < 50;
        let (mut count, mut at, mut graph) = (self.count, now.at, now.graph);
        match self.fault {
            Fault::Fails if !is_early => return Err(Raised::new("no idea")),
            Fault::SharesItsCount => count = self.shared.fetch_add(1, Ordering::Relaxed),
            Fault::BelievesItsLegs => at = self.end.unwrap_or(at),
            Fault::KeepsClosedEdges => graph = &self.graph,
            Fault::CountsPlans => self.count += 1,
            Fault::KeepsTheSize => {
                count += *self.size.get_or_insert(graph.len() as u64);
            }
            Fault::KeepsTheTimes => {
                let times = graph.all_roads().map(|road| (8.0 * road.time) as u64);
                count += *self.time.get_or_insert(times.sum());
            }
            _ => {}
        }
        let around = graph.neighborhood(at);
        let mut node = around[(count % around.len() as u64) as usize];
        if self.fault == Fault::Jumps {
            node = (count % graph.len() as u64) as NodeId;
        }
        self.end = Some(node);
        leg.visit_once(now.at, node);
        // Some visits come in blocks.
        leg.stay += u64::from(count % 5 == 0);
        if self.fault == Fault::EmptyWhereAlone && graph.len() == 1 {
            leg.stay = 0;
        }
        Ok(())
    }

    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        if visit.phase == Phase::Learn {
            self.count += if self.fault == Fault::CountsTells { 1 } else { visit.sample.count };
        }
        Ok(())
    }

    fn scores(&mut self, now: &Situation<'_>, _stream: &mut Stream) -> Option<Vec<f64>> {
        let nodes = now.graph.len();
        match self.fault {
            Fault::DriftsWhenSeen => {
                self.count += 1;
                None
            }
            Fault::ScoresNothing => Some(vec![f64::NAN; nodes]),
            Fault::ScoresItsNode => Some(vec![1.0]),
            _ => Some(vec![self.count as f64; nodes]),
        }
    }

    fn change_graph(&mut self, _graph: &Graph) -> Result<(), RemembersEdges> {
        if self.fault == Fault::DriftsWhenRefusing {
            self.count += 1;
            return Err(RemembersEdges);
        }
        Ok(())
    }

    fn footing(&self) -> Footing {
        match self.fault {
            Fault::KeepsTheSize => Footing::AnyGraph,
            _ => Footing::SameNodes,
        }
    }

    fn memory(&self) -> Memory {
        let counts = if self.fault == Fault::HidesItsMemory { vec![] } else { vec![self.count] };
        Memory { values: vec![], counts }
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        match self.fault {
            Fault::HidesItsMemory => return memory.expect(0, 0).map(drop),
            Fault::TakesHalfAMemory => self.count += memory.values.len() as u64,
            Fault::TakesAnyMemory => {
                self.count = memory.counts[0];
                return Ok(());
            }
            _ => {}
        }
        self.count = memory.expect(0, 1)?.counts[0];
        Ok(())
    }
}

fn broken_by(fault: Fault) -> Vec<(Promise, String)> {
    let shared = Arc::default();
    match check_all(|graph| Box::new(Faulty::new(fault, graph, &shared))) {
        Ok(()) => Vec::new(),
        Err(broken) => {
            broken.0.into_iter().map(|broken| (broken.promise, broken.to_string())).collect()
        }
    }
}

#[test]
fn every_fault_is_found_and_blamed_on_the_promises_it_breaks() {
    use Promise::{
        Closures, Decisions, Grouping, Legality, Looking, Refusal, Repeatability, Resumption, Times,
    };
    // An agent that cannot walk can keep only the promise that takes no step.
    let lost: &[Promise] =
        &[Legality, Repeatability, Grouping, Looking, Resumption, Decisions, Closures, Times];
    let expected: [(Fault, &[Promise]); 18] = [
        (Fault::None, &[]),
        (Fault::Jumps, lost),
        // Graphs whose roads take time have several nodes.
        (Fault::EmptyWhereAlone, &lost[..7]),
        (Fault::BelievesItsLegs, &[Legality, Repeatability, Resumption, Decisions, Closures]),
        (Fault::Fails, lost),
        (Fault::SharesItsCount, &[Repeatability, Grouping, Looking, Resumption, Closures, Times]),
        (Fault::CountsTells, &[Grouping]),
        (Fault::DriftsWhenSeen, &[Looking]),
        (Fault::ScoresNothing, &[Looking]),
        (Fault::ScoresItsNode, &[Looking]),
        (Fault::HidesItsMemory, &[Resumption, Times]),
        (Fault::CountsPlans, &[Decisions]),
        (Fault::TakesAnyMemory, &[Refusal]),
        (Fault::TakesHalfAMemory, &[Refusal]),
        (Fault::KeepsClosedEdges, &[Closures]),
        (Fault::DriftsWhenRefusing, &[Closures]),
        (Fault::KeepsTheSize, &[Promise::Footing]),
        (Fault::KeepsTheTimes, &[Times]),
    ];
    let mut wrong = Vec::new();
    for (fault, promises) in expected {
        let broken = broken_by(fault);
        let found: Vec<Promise> = broken.iter().map(|(promise, _)| *promise).collect();
        if found != promises {
            wrong.push(format!("{fault:?}: expected {promises:?}, got {broken:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for promise in Promise::ALL {
        assert!(expected.iter().any(|(_, promises)| promises.contains(promise)), "{promise}");
    }
}

#[test]
fn a_broken_promise_names_the_graph_and_what_happened() {
    let broken = broken_by(Fault::EmptyWhereAlone);
    let said = "the agent breaks a promise: Legality: Every leg is a legal walk of at least one \
        visit from where the walker stands, even after it went elsewhere or was carried away.\n  on \
        line:1 not covered, after 0 visits: the agent's leg on node 0 is empty; a leg needs at \
        least one visit";
    assert_eq!(broken[0].1, said);
}

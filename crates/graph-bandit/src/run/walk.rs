//! Executes visits: the one place where rewards are collected in a run.

use super::meter::Meter;
use super::{InitRecord, Observer, Return, RunError, RunPlan};
use crate::agent::{Leg, Phase, Situation, Visit};
use crate::cover::{Cover, walk_by_hops};
use crate::estimates::{Estimates, Sample};
use crate::graph::{Hops, NodeId};
use crate::random::Seed;
use crate::world::{Tape, TapeKind, World};

/// Consecutive visits to one node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) node: NodeId,
    pub(super) times: u64,
    /// Where the leg ends of which this is the first block.
    pub(super) begins_leg_to: Option<NodeId>,
}

impl Block {
    /// The blocks of a leg that starts on `at`.
    pub(super) fn of_leg(at: NodeId, leg: &Leg) -> impl Iterator<Item = Self> + '_ {
        let destination = leg.destination(at);
        let path = leg.path.iter().map(|&node| (node, 1));
        let stay = (leg.stay > 0).then_some((destination, leg.stay));
        path.chain(stay).enumerate().map(move |(i, (node, times))| Self {
            node,
            times,
            begins_leg_to: (i == 0).then_some(destination),
        })
    }
}

/// A walker in a world: where it stands and what it has seen.
pub(super) struct Walk<'a> {
    world: &'a World,
    tape: TapeKind,
    /// By node: where its rewards come from. Every node is visited, most of them often.
    seeds: Vec<Seed>,
    pub(super) at: NodeId,
    pub(super) estimates: Estimates,
}

impl<'a> Walk<'a> {
    pub(super) fn new(world: &'a World, seed: Seed, plan: &RunPlan) -> Self {
        let tape = Tape::of_kind(seed, plan.tape);
        Self {
            world,
            tape: plan.tape,
            seeds: world.graph().nodes().map(|node| tape.node(node)).collect(),
            at: plan.start,
            estimates: Estimates::new(world.graph().len()),
        }
    }

    pub(super) fn situation(&self) -> Situation<'_> {
        Situation { graph: self.world.graph(), at: self.at, estimates: &self.estimates }
    }

    /// Refuses a leg that the graph does not allow.
    pub(super) fn check(&self, leg: &Leg) -> Result<(), RunError> {
        if leg.visits() == 0 {
            return Err(RunError::EmptyLeg { at: self.at });
        }
        let graph = self.world.graph();
        let mut from = self.at;
        for &to in &leg.path {
            if to as usize >= graph.len() || !graph.allows(from, to) {
                return Err(RunError::IllegalStep { from, to });
            }
            from = to;
        }
        Ok(())
    }

    /// Covers the graph and goes back to the start, telling `hear` of every visit.
    pub(super) fn initialize(
        &mut self,
        plan: &RunPlan,
        mut hear: impl FnMut(&Situation<'_>, &Visit),
    ) -> InitRecord {
        let mut cover = Cover::new(plan.init);
        let mut leg = Leg::default();
        while cover.next_leg(&self.situation(), &mut leg) {
            self.cover(&leg, &mut hear);
        }
        match plan.back {
            Return::Jump => self.at = plan.start,
            Return::Walk => {
                leg = Leg::default();
                let mut hops = Hops::default();
                walk_by_hops(&mut hops, &self.situation(), plan.start, &mut leg.path);
                self.cover(&leg, &mut hear);
            }
        }
        let losses = self.estimates.samples().iter().zip(self.world.gaps());
        let regret = losses.map(|(sample, gap)| gap * sample.n()).sum();
        InitRecord { steps: self.estimates.visits(), regret }
    }

    fn cover(&mut self, leg: &Leg, hear: &mut impl FnMut(&Situation<'_>, &Visit)) {
        for block in Block::of_leg(self.at, leg) {
            let visit = self.visit(block.node, block.times, Phase::Cover);
            hear(&self.situation(), &visit);
        }
    }

    /// Visits `node` so many times.
    #[inline]
    pub(super) fn visit(&mut self, node: NodeId, times: u64, phase: Phase) -> Visit {
        let mut visit = self.arrive(node, phase);
        self.collect(node, times, &mut visit.sample);
        visit
    }

    #[inline]
    fn collect(&mut self, node: NodeId, times: u64, block: &mut Sample) {
        let tape = (self.seeds[node as usize], self.tape);
        self.world.visit_on(tape, node, times, &mut self.estimates, block);
    }

    /// Visits `node` so many times, stopping whenever the meter is to look.
    #[inline]
    pub(super) fn visit_measured(
        &mut self,
        node: NodeId,
        times: u64,
        meter: &mut Meter<'_>,
        observer: &mut dyn Observer,
    ) -> Visit {
        if times == 1 && self.tape == TapeKind::OneByOne {
            // Most blocks are such. What they pay is kept out of memory: sums that are written apart
            // and read together make a processor wait.
            let seed = self.seeds[node as usize];
            let mut sample = Sample::default();
            sample.push(self.world.visit_once(seed, node, &mut self.estimates));
            meter.advance(1, &self.estimates, observer);
            return Visit { sample, ..self.arrive(node, Phase::Learn) };
        }
        let mut visit = self.arrive(node, Phase::Learn);
        let before = *self.estimates.sample(node);
        let mut left = times;
        loop {
            let part = left.min(meter.until_look());
            self.collect(node, part, &mut visit.sample);
            meter.advance(part, &self.estimates, observer);
            left -= part;
            if left == 0 {
                break;
            }
        }
        if self.tape == TapeKind::Sums && self.world.law(node).has_closed_sums() {
            // Differences of totals do not add up to the bit; what the agent hears of must not
            // depend on where the meter looked.
            visit.sample = self.estimates.sample(node).since(&before);
        }
        visit
    }

    fn arrive(&mut self, node: NodeId, phase: Phase) -> Visit {
        let from = std::mem::replace(&mut self.at, node);
        Visit { from, node, sample: Sample::default(), phase }
    }
}

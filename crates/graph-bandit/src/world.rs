//! The hidden truth: a graph and one reward law per node (Section II of the paper).
//!
//! `mu* = max_s mu_s`, the gap or cost of a node is `c_s = mu* - mu_s`, and `Delta` is the smallest
//! positive gap. The paper assumes a unique best node. A world does not: every node of mean `mu*`
//! has gap zero, and [`World::best_node`] is the one with the lowest number.

use crate::clock::Time;
use crate::closures::{self, ClosureError, Closures};
use crate::estimates::{Estimates, Sample};
use crate::field::Edge;
use crate::graph::{Graph, NodeId, Roads};
use crate::raised::Raised;
use crate::random::{Family, Seed, label};
use crate::reward::{Course, Law, LawError, Memory};
use crate::timetable::Timetable;
use crate::trajectory::Payer;
use crate::travel::{Travel, TravelError};
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::sync::Arc;
use thiserror::Error;

/// Why a world could not be built.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The number of laws is not the number of nodes.
    #[error("{laws} reward laws for {nodes} nodes; give exactly one per node")]
    WrongNumberOfLaws {
        /// How many laws were given.
        laws: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Every mean is negative and roads take time, so a walker loses less the longer it travels.
    #[error(
        "the highest mean is {best_mean}, and roads take time: a walker would lose less by \
         travelling than by visiting; add a number to all means so that the highest is at least 0"
    )]
    TravelPays {
        /// The highest mean.
        best_mean: f64,
    },
    /// The closures are invalid.
    #[error(transparent)]
    Closures(#[from] ClosureError),
    /// The travel times are invalid.
    #[error(transparent)]
    Travel(#[from] TravelError),
    /// The timetable has another number of nodes.
    #[error("a timetable of {means} nodes for a graph of {nodes} nodes; give one mean per node")]
    WrongTimetable {
        /// How many nodes the timetable has.
        means: usize,
        /// How many nodes the graph has.
        nodes: usize,
    },
    /// A law cannot have the means of the timetable.
    #[error("node {node} cannot have the means of the timetable: {source}")]
    OverTime {
        /// The node.
        node: NodeId,
        /// Why not.
        source: LawError,
    },
}

/// A graph and the reward laws of its nodes.
///
/// Every node number passed in must be below the number of nodes.
///
/// ```
/// use graph_bandit::Graph;
/// use graph_bandit::reward::Law;
/// use graph_bandit::world::World;
/// let graph = Graph::from_edges(3, [(0, 1), (1, 2)])?;
/// let laws = vec![Law::bernoulli(0.25)?, Law::bernoulli(0.5)?, Law::bernoulli(1.0)?];
/// let world = World::new(graph, laws)?;
/// assert_eq!((world.best_node(), world.best_mean()), (2, 1.0));
/// assert_eq!(world.gaps(), [0.75, 0.5, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    graph: Arc<Graph>,
    laws: Vec<Law>,
    means: Vec<f64>,
    gaps: Vec<f64>,
    best: NodeId,
    scale: f64,
    range: (f64, f64),
    course: Course,
    timetable: Option<Arc<Timetable>>,
    closures: Option<Closures>,
    travel: Option<Travel>,
}

impl World {
    /// Puts law number `s` on node `s`.
    ///
    /// # Errors
    /// When there is not exactly one law per node.
    pub fn new(graph: impl Into<Arc<Graph>>, laws: Vec<Law>) -> Result<Self, WorldError> {
        let graph = graph.into();
        if laws.len() != graph.len() {
            return Err(WorldError::WrongNumberOfLaws { laws: laws.len(), nodes: graph.len() });
        }
        let means: Vec<f64> = laws.iter().map(Law::mean).collect();
        let best_mean = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if best_mean < 0.0 && graph.roads().is_some_and(Roads::take_time) {
            return Err(WorldError::TravelPays { best_mean });
        }
        let mut best = 0;
        for (s, &mean) in means.iter().enumerate() {
            if mean > means[best] {
                best = s;
            }
        }
        let gaps = means.iter().map(|mean| means[best] - mean).collect();
        let scale = laws.iter().map(Law::sub_gaussian_scale).fold(0.0, f64::max);
        let range = laws
            .iter()
            .map(Law::range)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (l, h)| {
                (low.min(l), high.max(h))
            });
        let changing = laws.iter().any(|law| law.course() == Course::Changing);
        let course = if changing { Course::Changing } else { Course::Constant };
        let best = best as NodeId;
        let (timetable, closures, travel) = (None, None, None);
        Ok(Self {
            graph,
            laws,
            means,
            gaps,
            best,
            scale,
            range,
            course,
            timetable,
            closures,
            travel,
        })
    }

    /// The same world with means that change: every law keeps its shape and moves to the mean of
    /// the timetable. [`means`](Self::means) and everything derived from them are those of the
    /// start.
    ///
    /// # Errors
    /// When the timetable does not have the nodes of the graph, a law cannot have one of its means,
    /// or roads take time and the highest mean is negative at some moment.
    pub fn with_timetable(self, timetable: impl Into<Arc<Timetable>>) -> Result<Self, WorldError> {
        let timetable = timetable.into();
        let (means, nodes) = (timetable.nodes(), self.graph.len());
        if means != nodes {
            return Err(WorldError::WrongTimetable { means, nodes });
        }
        let law = |(node, law): (NodeId, &Law)| {
            let over_time = law.over_time(timetable.track(node));
            over_time.map_err(|source| WorldError::OverTime { node, source })
        };
        let laws = (0..).zip(&self.laws).map(law).collect::<Result<_, _>>()?;
        let best_mean = timetable.lowest_highest();
        let travels = self.travel.as_ref().is_some_and(Travel::adds_time);
        if best_mean < 0.0 && (travels || self.graph.roads().is_some_and(Roads::take_time)) {
            return Err(WorldError::TravelPays { best_mean });
        }
        let Self { graph, closures, travel, .. } = self;
        let course = Course::Changing;
        let timetable = Some(timetable);
        Ok(Self { course, timetable, closures, travel, ..Self::new(graph, laws)? })
    }

    /// The means over time, if they change by a timetable.
    pub fn timetable(&self) -> Option<&Timetable> {
        self.timetable.as_deref()
    }

    /// The same world with roads that close and reopen at random.
    ///
    /// # Errors
    /// When the graph does not have these roads.
    pub fn with_closures(mut self, closures: Closures) -> Result<Self, WorldError> {
        closures.check(&self.graph)?;
        self.closures = Some(closures);
        Ok(self)
    }

    /// The same world with travel times that differ from the map.
    ///
    /// # Errors
    /// When the graph does not have these roads, or every mean is negative and roads take time.
    pub fn with_travel(mut self, travel: Travel) -> Result<Self, WorldError> {
        travel.check(&self.graph)?;
        let best_mean = match &self.timetable {
            Some(timetable) => timetable.lowest_highest(),
            None => self.best_mean(),
        };
        if best_mean < 0.0 && travel.adds_time() {
            return Err(WorldError::TravelPays { best_mean });
        }
        self.travel = Some(travel);
        Ok(self)
    }

    /// Which roads close at random, if any.
    pub fn closures(&self) -> Option<&Closures> {
        self.closures.as_ref()
    }

    /// How long roads really take, if that differs from the map.
    pub fn travel(&self) -> Option<&Travel> {
        self.travel.as_ref()
    }

    /// Whether the road from one node to another is closed at a moment in the run of this seed.
    pub fn is_closed(&self, run: Seed, road: Edge, at: Time) -> bool {
        let closures = self.closures.as_ref();
        closures.is_some_and(|closures| closures::is_closed((&self.graph, closures), run, road, at))
    }

    /// The graph.
    #[inline]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The graph, shared.
    pub fn shared_graph(&self) -> Arc<Graph> {
        Arc::clone(&self.graph)
    }

    /// The reward law of `node`.
    #[inline]
    pub fn law(&self, node: NodeId) -> &Law {
        &self.laws[node as usize]
    }

    /// `mu_s`: the mean reward of `node`.
    #[inline]
    pub fn mean(&self, node: NodeId) -> f64 {
        self.means[node as usize]
    }

    /// The mean rewards of all nodes, by number.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// `mu*`: the highest mean reward.
    #[inline]
    pub fn best_mean(&self) -> f64 {
        self.means[self.best as usize]
    }

    /// `s*`: the node of highest mean reward, or the lowest number among several.
    #[inline]
    pub fn best_node(&self) -> NodeId {
        self.best
    }

    /// All nodes of highest mean reward, ascending.
    pub fn best_nodes(&self) -> Vec<NodeId> {
        self.graph.nodes().filter(|&s| self.gap(s) == 0.0).collect()
    }

    /// `c_s = mu* - mu_s`: what a visit to `node` costs compared to the best node.
    #[inline]
    pub fn gap(&self, node: NodeId) -> f64 {
        self.gaps[node as usize]
    }

    /// The gaps of all nodes, by number.
    pub fn gaps(&self) -> &[f64] {
        &self.gaps
    }

    /// `Delta`: the smallest positive gap; `None` when all means are equal.
    pub fn smallest_gap(&self) -> Option<f64> {
        let positive = self.gaps.iter().copied().filter(|&gap| gap > 0.0);
        positive.reduce(f64::min)
    }

    /// The largest sub-Gaussian scale of any node; see [`Law::sub_gaussian_scale`].
    pub fn sub_gaussian_scale(&self) -> f64 {
        self.scale
    }

    /// The lowest and the highest reward any node can pay.
    ///
    /// The paper's theory assumes `[0, 1]`.
    pub fn reward_range(&self) -> (f64, f64) {
        self.range
    }

    /// Whether some law changes over time.
    pub fn course(&self) -> Course {
        self.course
    }

    /// The mean reward of `node` for a visit that begins at a moment.
    #[inline]
    pub fn mean_at(&self, node: NodeId, at: Time) -> f64 {
        self.law(node).mean_at(at)
    }

    /// The highest mean at a moment.
    pub fn best_mean_at(&self, at: Time) -> f64 {
        match &self.timetable {
            Some(timetable) => timetable.highest(at),
            None => self.laws.iter().map(|law| law.mean_at(at)).fold(f64::NEG_INFINITY, f64::max),
        }
    }

    pub(crate) fn gap_and_best_at(&self, node: NodeId, at: Time) -> (f64, f64) {
        let best = self.best_mean_at(at);
        (best - self.law(node).mean_at(at), best)
    }

    /// The moments at which some mean changes, counted from the end of initialization; `None` if
    /// means may change at any moment.
    pub fn changes(&self) -> Option<Vec<f64>> {
        match (&self.timetable, self.course) {
            (Some(timetable), _) => timetable.moments(),
            (None, Course::Constant) => Some(Vec::new()),
            (None, Course::Changing) => None,
        }
    }

    /// Pays for visits from the tape of a run.
    pub fn on_tape(&self, tape: &Tape) -> OnTape<&Self> {
        OnTape::new(self, tape)
    }
}

/// A world that pays from a tape: reward `k` of a node belongs to its `k`-th visit.
#[derive(Debug, Clone)]
pub struct OnTape<W> {
    world: W,
    kind: TapeKind,
    /// The reward source of each node. Every node is visited, most of them often.
    seeds: Vec<Seed>,
    /// When the moments of the laws begin: at the end of initialization if means follow a
    /// timetable, else when the walker starts.
    origin: Time,
    /// What a tape of sums remembers of its last totals.
    memory: Memory,
}

impl<W: Borrow<World>> OnTape<W> {
    /// This world on this tape.
    pub fn new(world: W, tape: &Tape) -> Self {
        let seeds = world.borrow().graph().nodes().map(|node| tape.node(node)).collect();
        // Until initialization ends, all moments lie before the first change.
        let is_timed = world.borrow().timetable().is_some();
        let origin = if is_timed { Time(f64::INFINITY) } else { Time::START };
        Self { world, kind: tape.kind, seeds, origin, memory: Memory::new(true) }
    }

    /// On a tape of sums, draws no squares of Gaussian rewards, which takes a fraction of the time.
    /// Their sums have the same law, and are almost the same numbers; sums of squares are NaN.
    #[must_use]
    pub(crate) fn without_squares(self) -> Self {
        Self { memory: Memory::new(false), ..self }
    }

    /// When the moments of the laws begin.
    pub fn origin(&self) -> Time {
        self.origin
    }

    /// A moment as the laws count it.
    #[inline]
    fn since_origin(&self, at: Time) -> Time {
        Time(at.0 - self.origin.0)
    }

    /// The world.
    #[inline]
    pub fn world(&self) -> &World {
        self.world.borrow()
    }
}

impl<W: Borrow<World>> Payer for OnTape<W> {
    #[expect(clippy::inline_always, reason = "a tenth of a one-step agent's time")]
    #[inline(always)]
    fn pay_once(&mut self, node: NodeId, at: Time, totals: &mut Estimates) -> Result<f64, Raised> {
        let (seed, k) = (self.seeds[node as usize], totals.count(node));
        let reward = self.world().law(node).draw(seed, k, self.since_origin(at))?;
        totals.push(node, reward);
        Ok(reward)
    }

    fn pay(
        &mut self,
        (node, times): (NodeId, u64),
        at: Time,
        totals: &mut Estimates,
        block: &mut Sample,
    ) -> Result<(), Raised> {
        let at = self.since_origin(at);
        let (law, seed) = (self.world.borrow().law(node), self.seeds[node as usize]);
        totals.extend(node, |totals| {
            let visits = totals.count..totals.count.saturating_add(times);
            let at_once = match self.kind {
                TapeKind::OneByOne => None,
                TapeKind::Sums => law.totals_on((node, seed), totals, visits.end, &mut self.memory),
            };
            let Some(after) = at_once else {
                return law.draw_many((seed, visits), at, totals, block);
            };
            let paid = after.since(totals);
            *block = Sample {
                count: block.count + paid.count,
                sum: block.sum + paid.sum,
                sum_of_squares: block.sum_of_squares + paid.sum_of_squares,
            };
            *totals = after;
            Ok(())
        })
    }

    fn begin(&mut self, now: Time) {
        // Only once: closed roads may let a walker finish its cover again later.
        if self.origin.0 == f64::INFINITY {
            self.origin = now;
        }
    }

    #[inline]
    fn pays_by_totals(&self, node: NodeId) -> bool {
        self.kind == TapeKind::Sums && self.world().law(node).has_closed_sums()
    }
}

crate::named! {
    /// How the rewards of a tape are drawn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    pub enum TapeKind {
        /// One by one.
        ///
        /// Each reward is a draw of its law.
        #[default]
        OneByOne = "one-by-one",
        /// As sums over whole legs, for Bernoulli and Gaussian rewards: same law, different draws.
        ///
        /// Laws whose sums have no closed form ([`Law::has_closed_sums`]) are drawn one by one. A
        /// single visit costs as much as a leg, about a microsecond. Use this kind if legs are
        /// long: from a few hundred visits with a Gaussian law, from a few thousand with a
        /// Bernoulli law.
        Sums = "sums",
    }
}

/// The luck of one run: every reward of every node, already decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tape {
    rewards: Family,
    kind: TapeKind,
}

impl Tape {
    /// The tape of a run, drawn one reward at a time.
    pub const fn new(run: Seed) -> Self {
        Self::of_kind(run, TapeKind::OneByOne)
    }

    /// The tape of a run, drawn in the given way.
    pub const fn of_kind(run: Seed, kind: TapeKind) -> Self {
        Self { rewards: run.child(label::REWARDS).family(), kind }
    }

    /// How the tape is drawn.
    pub const fn kind(&self) -> TapeKind {
        self.kind
    }

    /// The tape of one node, as [`Law::draw`] reads it.
    #[inline]
    pub const fn node(&self, node: NodeId) -> Seed {
        self.rewards.child(node as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(means: &[f64]) -> World {
        let nodes = means.len() as NodeId;
        let graph = Graph::from_edges(means.len(), (1..nodes).map(|s| (s - 1, s))).unwrap();
        let laws = means.iter().map(|mean| Law::constant(*mean).unwrap());
        World::new(graph, laws.collect()).unwrap()
    }

    #[test]
    fn gaps_by_hand() {
        let world = line(&[0.5, 2.0, -1.0, 1.75]);
        assert_eq!((world.best_node(), world.best_mean()), (1, 2.0));
        assert_eq!(world.gaps(), [1.5, 0.0, 3.0, 0.25]);
        assert_eq!(world.smallest_gap(), Some(0.25));
        assert_eq!(world.reward_range(), (-1.0, 2.0));
        assert_eq!(world.sub_gaussian_scale(), 0.0);
    }

    #[test]
    fn of_several_best_nodes_the_lowest_number_is_best_node() {
        let world = line(&[0.0, 3.0, 1.0, 3.0]);
        assert_eq!(world.best_node(), 1);
        assert_eq!(world.best_nodes(), [1, 3]);
        assert_eq!(world.smallest_gap(), Some(2.0));
    }

    #[test]
    fn equal_means_have_no_smallest_gap() {
        let world = line(&[0.7, 0.7, 0.7]);
        assert_eq!(world.best_nodes(), [0, 1, 2]);
        assert_eq!(world.smallest_gap(), None);
        assert_eq!(line(&[4.0]).smallest_gap(), None);
    }

    #[test]
    fn scale_and_range_cover_every_node() {
        let graph = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let laws = vec![
            Law::bernoulli(0.5).unwrap(),
            Law::uniform(-1.0, 3.0).unwrap(),
            Law::beta(2.0, 2.0).unwrap(),
        ];
        let world = World::new(graph.clone(), laws).unwrap();
        assert_eq!(world.sub_gaussian_scale(), 2.0);
        assert_eq!(world.reward_range(), (-1.0, 3.0));
        assert_eq!(world.best_nodes(), [1]);
        let wild = World::new(graph, vec![Law::gaussian(0.0, 1.0).unwrap(); 3]).unwrap();
        assert_eq!(wild.reward_range(), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn laws_must_match_nodes() {
        let graph = Graph::from_edges(2, [(0, 1)]).unwrap();
        let error = World::new(graph, vec![Law::constant(1.0).unwrap()]).unwrap_err();
        assert_eq!(error.to_string(), "1 reward laws for 2 nodes; give exactly one per node");
    }

    #[test]
    fn visits_continue_the_tape_however_they_are_grouped() {
        let graph = Graph::from_edges(2, [(0, 1)]).unwrap();
        let laws = vec![Law::gaussian(1.0, 2.0).unwrap(), Law::uniform(0.0, 1.0).unwrap()];
        let world = World::new(graph, laws).unwrap();
        let tape = Tape::new(Seed(11));
        let mut payer = world.on_tape(&tape);
        let mut together = Estimates::new(2);
        let mut block = Sample::default();
        payer.pay((0, 100), Time::START, &mut together, &mut block).unwrap();
        payer.pay((1, 50), Time::START, &mut together, &mut Sample::default()).unwrap();
        assert_eq!(block, *together.sample(0));
        let mut one_by_one = Sample::default();
        for k in 0..100 {
            one_by_one.push(world.law(0).draw(tape.node(0), k, Time::START).unwrap());
        }
        assert_eq!(block, one_by_one);

        let mut apart = Estimates::new(2);
        for (node, times) in [(1, 20), (0, 1), (0, 0), (1, 30), (0, 98), (0, 1)] {
            let mut block = Sample::default();
            payer.pay((node, times), Time::START, &mut apart, &mut block).unwrap();
            assert_eq!(block.count, times);
        }
        assert_eq!(apart, together);
        assert_eq!(apart.visits(), 150);
    }

    #[test]
    fn tapes_differ_by_run_and_node() {
        let tape = Tape::new(Seed(1));
        assert_eq!(tape.node(4), Seed(1).child(label::REWARDS).child(4));
        assert_ne!(tape.node(4), tape.node(5));
        assert_ne!(tape.node(4), Tape::new(Seed(2)).node(4));
    }
}

//! The planner of g-horizon: few trips, each made to learn what it was made for.
//!
//! The agent stays on a rival until it is resolved, whether that rival is better than the leader. It
//! knows its leader well before it leaves it. It then goes round all rivals that are worth a look,
//! near ones first and those on the way home last, and comes back. `rule` has the numbers, and what
//! `steady` makes of them. With `steady=0` they are those below.
//!
//! `u` is where the agent stands, `l` the leader, `gap(v)` by how much `v` is below it, `n(v)` how
//! often `v` was visited, and `G(v, c)` the expected improvement with caution `c`. `R` is the number
//! of remaining visits, shared among the rivals. `out(v)`, `back(v)` and `straight` are the costs of
//! the ways from `u` to `v`, from `v` to `l` and from `u` to `l`. A look at `v` costs
//! `look(v) = (1 + 2 n(v)) gap(v)`. A short stay has `n / 16` visits, and at least one.
//!
//! 1. *Stay until it is resolved.* Away from `l`, the agent stays shortly on `u` as long as
//!    `R G(u, 1.5) > look(u)` and `n(u) < 8 n(l)`. Otherwise, if `n(l) < 4`, it goes to `l`.
//! 2. *Know the best node.* On `l`, it stays shortly while `n(l) < 20`.
//! 3. *Candidates* are the rivals `v` for which `R G(v, 1.2)` exceeds `look(v)` plus the detour
//!    `max(0, out(v) + back(v) - straight)`; away from `l`, only those with `n(v) < 2 n(l)`.
//! 4. *No candidate.* It goes to `l`, or stays there for `n(l) / 4 + 1` visits.
//! 5. *Wait.* On `l`, it stays shortly while some candidate has `n(l) < 10 n(v)`.
//! 6. *Tour.* It goes to the candidate of least
//!    `(out(v) + 2 max(0, out(v) - back(v) + straight) + h / 2) / gain^0.2`, where
//!    `gain = R G(v, 1.2) / h`, and `h` is the declared scale; from `l`, without the term `max`. It
//!    makes one visit there.

mod rule;

pub(crate) use rule::Care;

use super::SharedFuture;
use super::detours::Detours;
use crate::agent::Situation;
use crate::graph::NodeId;
use crate::index::{ExpectedImprovement, Horizon, Leader};
use crate::leg::Leg;

/// The planner. One value serves one run.
#[derive(Debug, Clone)]
pub(crate) struct Expedition {
    /// The declared scale of the noise.
    scale: f64,
    horizon: Horizon,
    care: Care,
    detours: Detours,
    /// The improvement of every node.
    improvements: Vec<f64>,
    candidates: Vec<Candidate>,
}

/// A rival that may be worth a trip.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    node: NodeId,
    /// What going there is expected to gain over the rest of the run.
    gain: f64,
    /// The cost of a look there.
    look: f64,
}

/// What to do next.
enum Step {
    /// Make this many visits here.
    Stay(u64),
    /// Go to the leader; nothing has been searched.
    Home,
    /// Go to this node by the paths that were searched.
    To(NodeId),
}

impl Expedition {
    /// A planner for noise of this declared scale.
    pub(crate) fn new(scale: f64, horizon: Horizon, care: Care) -> Self {
        let (improvements, candidates) = (Vec::new(), Vec::new());
        Self { scale, horizon, care, detours: Detours::new(scale), improvements, candidates }
    }

    /// Fills in the next leg. The improvements must have the caution `Care::trip_caution`.
    pub(crate) fn plan(
        &mut self,
        now: &Situation<'_>,
        improvements: &ExpectedImprovement,
        leg: &mut Leg,
    ) {
        leg.clear();
        if self.detours.trips.lay_to_unvisited(now) {
            leg.path.extend_from_slice(self.detours.trips.path());
            leg.stay = u64::from(leg.path.is_empty());
            return;
        }
        let leader = improvements.leader();
        let destination = match self.step(now, improvements) {
            Step::Stay(visits) => {
                leg.stay = visits;
                return;
            }
            Step::Home => {
                self.detours.trips.search_leader(now, &leader);
                leader.node
            }
            Step::To(node) => node,
        };
        self.detours.trips.lay_to(now, destination);
        leg.path.extend_from_slice(self.detours.trips.path());
    }

    /// Forgets all nodes and edges.
    pub(crate) fn forget_graph(&mut self) {
        self.detours.forget_graph();
    }

    fn step(&mut self, now: &Situation<'_>, improvements: &ExpectedImprovement) -> Step {
        let leader = improvements.leader();
        let [here, of_leader] = [now.at, leader.node].map(|node| now.estimates.count(node));
        let is_home = now.at == leader.node;
        if is_home && self.care.is_unsettled(here) {
            return Step::Stay(rule::few(here));
        }
        let visits = self.score(now, improvements);
        if !is_home {
            let gain = visits
                * improvements.with_caution(self.care.stay_caution).of(now.estimates, now.at);
            let look = self.care.look(here, leader.gap(now.estimates, now.at));
            if gain > look && !self.care.is_far_ahead(here, of_leader) {
                return Step::Stay(rule::few(here));
            }
            if rule::is_new(of_leader) {
                return Step::Home;
            }
        }
        self.find_candidates(now, &leader, visits);
        // Most plans end here: nothing is worth a look even if travel were free.
        if !self.candidates.is_empty() {
            self.detours.search(now, &leader);
            self.keep_worthwhile();
        }
        let waits =
            |candidate: &Candidate| self.care.waits(here, now.estimates.count(candidate.node));
        match (self.first_candidate(is_home), is_home) {
            (None, true) => Step::Stay(rule::many(here)),
            (None, false) => Step::Home,
            (Some(_), true) if self.candidates.iter().any(waits) => Step::Stay(rule::few(here)),
            (Some(rival), _) => Step::To(rival),
        }
    }

    /// Scores every node; returns the visits left, as far as they count for one rival.
    fn score(&mut self, now: &Situation<'_>, improvements: &ExpectedImprovement) -> f64 {
        self.improvements.clear();
        let mut future = SharedFuture::default();
        for node in now.graph.nodes() {
            let improvement = improvements.of_any(now.estimates, node);
            self.improvements.push(improvement);
            future.add(improvement);
        }
        future.visits(self.horizon.left_generously(now.clock.now()))
    }

    /// Finds the rivals that would be worth a look if travel were free.
    fn find_candidates(&mut self, now: &Situation<'_>, leader: &Leader, visits: f64) {
        let estimates = now.estimates;
        let of_leader = estimates.count(leader.node);
        let is_open = |n| now.at == leader.node || !rule::is_ahead(n, of_leader);
        let is_rival = |node: NodeId| node != now.at && node != leader.node;
        self.candidates.clear();
        for (node, improvement) in now.graph.nodes().zip(&self.improvements) {
            let gain = visits * improvement;
            // Most nodes end here.
            if gain == 0.0 || !is_rival(node) {
                continue;
            }
            let n = estimates.count(node);
            let look = self.care.look(n, leader.gap(estimates, node));
            if gain > look + self.detours.trips.step() && is_open(n) {
                self.candidates.push(Candidate { node, gain, look });
            }
        }
    }

    /// Keeps the candidates that are worth their trip. The paths must be known.
    fn keep_worthwhile(&mut self) {
        let detours = &self.detours;
        self.candidates.retain(|candidate| {
            let (out, back) = (detours.trips.cost(candidate.node), detours.back(candidate.node));
            let detour = rule::detour(out, back, detours.straight());
            candidate.gain > detour + candidate.look + detours.trips.step()
        });
    }

    /// The candidate to go to first; ties go to the lowest number.
    fn first_candidate(&self, is_home: bool) -> Option<NodeId> {
        let (mut first, mut least) = (None, f64::INFINITY);
        for candidate in &self.candidates {
            let (out, back) =
                (self.detours.trips.cost(candidate.node), self.detours.back(candidate.node));
            // From home, no trip leads home, though on one-way roads the way back may be longer.
            let straight = self.detours.straight();
            let homeward = if is_home { 0.0 } else { rule::homeward(out, back, straight) };
            let delay = rule::delay(self.scale, candidate.gain, out, homeward);
            if delay < least {
                (first, least) = (Some(candidate.node), delay);
            }
        }
        first
    }
}

//! g-drift for teams: one knowledge of changes, learned from the draws of all walkers.
//!
//! Until changes must be reckoned with, it makes the decisions of g-star for teams. Then seats come
//! from the believed means, and every walker weighs trips to stay against trips to look, as g-drift
//! does alone: to a walker, a node is worth what the walker would add there, and a node where somebody
//! else is or is going needs no look. A team of one makes g-drift's decisions in every run. In a session
//! it may not: beliefs come from all nodes, also from those that closed edges cut off, and before the
//! first change the time on roads does not count, as with g-star for teams.

use super::star::{Home, Planned, StarParameters, TeamStar, together};
use crate::agent::Hearing;
use crate::agents::g_drift::{Beliefs, Expected, Knowledge, Seen};
use crate::estimates::{Estimates, Sample};
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError};
use crate::planner::{OnWay, Prices, Prospects, Purpose};
use crate::raised::Raised;
use crate::random::Stream;
use crate::team::{Cut, Draws, Manner, TeamAgent, TeamSituation};

/// The parameters of [`TeamDrift`]; those of g-drift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DriftParameters {
    /// Those that it shares with g-star.
    pub(crate) star: StarParameters,
    /// What is known about rewards and their changes beforehand.
    pub(crate) expected: Expected,
}

/// g-drift for teams.
pub(crate) struct TeamDrift {
    expected: Expected,
    /// What all draws have taught; `None` before the first.
    knowledge: Option<Knowledge>,
    beliefs: Beliefs,
    trips: Trips,
    /// Which walkers must plan again after the last draws.
    cut: Vec<bool>,
    has_found: bool,
}

/// Chooses trips by beliefs, with memory reused between plans.
struct Trips {
    star: TeamStar,
    /// What each node may bring, as it was when it was seen.
    known: Vec<f64>,
    /// What each node may bring because it has changed.
    changed: Vec<f64>,
    on_way: OnWay,
}

impl TeamDrift {
    /// An agent with these parameters.
    pub(crate) fn new(parameters: DriftParameters) -> Self {
        let DriftParameters { star, expected } = parameters;
        Self {
            beliefs: Beliefs::new(star.noise, star.caution, star.horizon),
            trips: Trips {
                star: TeamStar::new(star),
                known: Vec::new(),
                changed: Vec::new(),
                on_way: OnWay::default(),
            },
            expected,
            knowledge: None,
            cut: Vec::new(),
            has_found: false,
        }
    }

    /// Learns from the draws of a node that this walker and perhaps others have seen.
    fn learn(&mut self, now: &TeamSituation<'_>, seen: &[Sample], walker: usize) {
        let node = now.posts[walker].at();
        let is_there =
            |&other: &usize| now.posts[other].at() == node && !now.posts[other].is_on_road();
        let mates = (0..now.walkers()).filter(is_there);
        let mut sample = seen[walker];
        let mut pace = 1.0;
        if now.draws == Draws::Own {
            mates.clone().filter(|&mate| mate != walker).for_each(|mate| sample.add(&seen[mate]));
            pace = exact(mates.clone().count() as u64);
        }
        let (nodes, expected) = (now.graph.len(), &self.expected);
        let knowledge = self.knowledge.get_or_insert_with(|| Knowledge::new(nodes, expected));
        let lesson = knowledge.learn(&Seen {
            node,
            sample,
            at: now.time.0,
            took: 1.0,
            pace,
            total: now.estimates.sample(node),
        });
        self.has_found |= lesson.is_news;
        if lesson.ends_legs {
            let goes_there = |&other: &usize| now.posts[other].destination() == node;
            mates.chain((0..now.walkers()).filter(goes_there)).for_each(|it| self.cut[it] = true);
        }
    }
}

impl Trips {
    /// Plans one walker, given the legs of those that are `planned` already.
    fn plan_one(
        &mut self,
        of: Planned<'_>,
        beliefs: &Beliefs,
        (legs, planned): (&mut [Leg], &[bool]),
    ) -> Result<(), Raised> {
        let Planned { now, walker, at } = of;
        let Some(home) = self.star.settle(of, legs, planned)? else { return Ok(()) };
        let most = self.weigh_up(of, home, beliefs);
        let prospects = Prospects {
            known: &self.known,
            changed: &self.changed,
            most,
            horizon: beliefs.lasts(),
        };
        self.star.search_out(of, home);
        self.star.search_back(of, home);
        let star = &self.star;
        let nodes = || now.graph.nodes().filter(|&node| star.reaches(of, node));
        self.on_way.add_up((at, nodes()), |node| star.before(node), prospects.changed);
        // As with g-star, a team tries more rivals at the same time.
        let share = (prospects.share() * together(now.walkers())).min(1.0);
        let mut prices = OfWalker { star, of, home };
        let (node, purpose) =
            self.on_way.best_trip((home.node, nodes()), share, &prospects, &mut prices);
        let visits = match purpose {
            Purpose::Look => 1,
            Purpose::Stay => star.visits_on(of, node),
        };
        star.lay(of, (node, visits), &mut legs[walker]);
        Ok(())
    }

    /// Weighs up what each node may bring the walker beyond its home: as it was when it was seen, and
    /// because it has changed since. Returns the most that changes on one trip can bring.
    fn weigh_up(&mut self, of: Planned<'_>, home: Home, beliefs: &Beliefs) -> f64 {
        self.known.clear();
        self.changed.clear();
        let mut most = 0.0_f64;
        for node in of.now.graph.nodes() {
            let offer = (home, node);
            self.known.push(self.star.best_offer(of, offer, |level| beliefs.known(node, level)));
            most = most.max(self.star.best_offer(of, offer, |level| beliefs.most_above(level)));
            let changed = if self.star.is_looked_at(node) {
                0.0
            } else {
                self.star
                    .best_offer(of, offer, |level| beliefs.changed(node, &beliefs.chances(level)))
            };
            self.changed.push(changed);
        }
        most
    }
}

/// What the trips of one walker cost.
struct OfWalker<'a> {
    star: &'a TeamStar,
    of: Planned<'a>,
    home: Home,
}

impl Prices for OfWalker<'_> {
    fn gap(&self, node: NodeId) -> f64 {
        self.star.gap(self.of.now, self.home, node)
    }

    fn detour(&self, node: NodeId) -> f64 {
        self.star.detour(self.home, node)
    }

    fn visits(&mut self, node: NodeId) -> u64 {
        self.star.visits_on(self.of, node)
    }

    fn step(&self) -> f64 {
        self.star.step()
    }
}

impl TeamAgent for TeamDrift {
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        let Self { beliefs, trips, knowledge, .. } = self;
        let Some(knowledge) = knowledge.as_ref().filter(|it| it.are_changes_possible()) else {
            return trips.star.plan(now, stream, legs);
        };
        // Nobody draws while the walkers are planned for, so all of them believe the same.
        beliefs.form((now.estimates, now.time), knowledge.records(), knowledge.changes());
        let believed = TeamSituation { estimates: beliefs.estimates(), ..*now };
        let mut planned = vec![false; now.walkers()];
        for &walker in now.idle {
            let of = Planned { now: &believed, walker, at: now.posts[walker].at() };
            trips.plan_one(of, beliefs, (legs, &planned))?;
            planned[walker] = true;
        }
        Ok(())
    }

    fn observe(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) -> Result<(), Raised> {
        self.cut.clear();
        self.cut.resize(now.walkers(), false);
        self.has_found = false;
        for walker in (0..now.walkers()).filter(|&walker| seen[walker].count > 0) {
            let node = now.posts[walker].at();
            // Those who drew on one node learn together, when the first of them is at turn.
            let is_mate = |other: usize| seen[other].count > 0 && now.posts[other].at() == node;
            if !(0..walker).any(is_mate) {
                self.learn(now, seen, walker);
            }
        }
        if self.has_found {
            // All nodes are in doubt now, so every seat is.
            self.cut.fill(true);
        }
        Ok(())
    }

    fn cuts(&self, walker: usize) -> Cut {
        if self.cut.get(walker) == Some(&true) { Cut::WithOwnDraw } else { Cut::No }
    }

    fn found_change(&self) -> bool {
        self.has_found
    }

    fn remembered(&self, all: &Estimates) -> Option<Estimates> {
        self.knowledge.as_ref()?.remembered(all)
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }

    fn hears_reports(&self) -> bool {
        true
    }

    fn manner(&self) -> Manner {
        Manner::Apart
    }

    fn memory(&self) -> Memory {
        self.knowledge.as_ref().map(Knowledge::memory).unwrap_or_default()
    }

    fn recall(&mut self, graph: &Graph, memory: &Memory) -> Result<(), MemoryError> {
        if *memory == Memory::default() {
            self.knowledge = None;
            return Ok(());
        }
        let mut knowledge = Knowledge::new(graph.len(), &self.expected);
        knowledge.recall(memory)?;
        self.knowledge = Some(knowledge);
        Ok(())
    }
}

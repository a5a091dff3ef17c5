//! The rule of Theorem 10, transcribed from `docs/explanations/theory.md`.
//!
//! From the visits and the heuristic's proposals alone, the witness works out epochs, intervals,
//! `Q`, `B`, levels and `W`, and says which leg must follow. On roads it counts time as the theorem
//! does.

use super::{on_roads, time};
use graph_bandit::agents::SafeRule;
use graph_bandit::index::Horizon;
use graph_bandit::theory::patrol_walk;
use graph_bandit::{Event, Graph, Leg, NodeId, Observer, Phase, Situation, Visit, World};
use std::cell::RefCell;
use std::rc::Rc;

/// Why a leg was walked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Why {
    Accepted {
        q: f64,
        b: f64,
    },
    /// The level is `2 R 2^-k`.
    Swept {
        level: f64,
        k: u32,
    },
    Settled {
        tolerance: f64,
    },
}

/// A leg, and what was known when it was planned.
#[derive(Debug, Clone)]
pub(super) struct Walked {
    pub(super) why: Why,
    pub(super) at: NodeId,
    pub(super) leg: Leg,
    pub(super) t: f64,
    pub(super) epoch: Epoch,
    /// The visits to its destination, `n`.
    pub(super) visits: u64,
    pub(super) width: f64,
    /// The regret since initialization.
    pub(super) regret_before: f64,
}

impl Walked {
    pub(super) fn to(&self) -> NodeId {
        self.leg.destination(self.at)
    }

    /// `R / sqrt(n)` of its destination.
    pub(super) fn radius(&self) -> f64 {
        self.epoch.reach / (self.visits as f64).sqrt()
    }

    /// When it ends.
    pub(super) fn end(&self, graph: &Graph) -> f64 {
        self.t + time(graph, self.at, &self.leg.path) + self.leg.stay as f64
    }
}

/// An epoch: it ends at `tau_j`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Epoch {
    pub(super) number: u32,
    pub(super) end: f64,
    pub(super) reach: f64,
}

impl Epoch {
    /// Epoch `j`: `tau_j` is `tau_0` to the power of `(5/4)^j`, where `tau_0` is the horizon or 64.
    pub(super) fn of(rule: &SafeRule, number: u32) -> Self {
        let first = match rule.horizon {
            Horizon::Unknown => 64.0,
            Horizon::Known(horizon) => horizon,
        };
        let end = libm::pow(first, libm::pow(1.25, f64::from(number)));
        let exponent = |m: f64| {
            let root = libm::cosh(libm::log(end) / (4.0 * m));
            root * root * libm::log(2.0 * m * end)
        };
        let least = (1..2000).map(|m| exponent(f64::from(m))).fold(f64::INFINITY, f64::min);
        Self { number, end, reach: rule.scale * (2.0 * least).sqrt() }
    }

    /// The epoch of the moment `t`.
    fn at(rule: &SafeRule, t: f64) -> Self {
        (0..30).map(|number| Self::of(rule, number)).find(|epoch| t <= epoch.end).unwrap()
    }
}

/// `K(t)`.
pub(super) fn levels(rule: &SafeRule, nodes: usize, t: f64) -> u32 {
    let widest = 2.0 / rule.resolution * (t / nodes as f64).sqrt();
    (0..60).find(|&k| libm::exp2(f64::from(k)) >= widest * (1.0 - 1e-12)).unwrap()
}

/// Comparisons with a level allow for rounding.
fn is_within(width: f64, level: f64) -> bool {
    width <= level * (1.0 + 1e-9)
}

/// Watches a run, and asserts that each leg is the one that the rule asks for.
pub(super) struct Witness<'a> {
    world: &'a World,
    rule: SafeRule,
    proposed: Option<Rc<RefCell<Leg>>>,
    /// The nodes in the order of the closed walk.
    order: Vec<NodeId>,
    epoch: Epoch,
    intervals: Vec<(f64, f64)>,
    own: Vec<u64>,
    /// The time on roads until initialization ended.
    init_travel: f64,
    /// The last epoch in which some interval did not hold its mean.
    pub(super) last_bad: Option<Epoch>,
    pub(super) walked: Vec<Walked>,
}

/// What is known at one moment.
struct Known {
    /// `U*`.
    upper: f64,
    /// `L*`.
    lower: f64,
    tolerance: f64,
}

impl<'a> Witness<'a> {
    pub(super) fn new(
        world: &'a World,
        rule: SafeRule,
        proposed: Option<Rc<RefCell<Leg>>>,
    ) -> Self {
        let nodes = world.graph().len();
        let mut order = vec![0];
        for node in patrol_walk(world.graph()) {
            if !order.contains(&node) {
                order.push(node);
            }
        }
        Self {
            world,
            rule,
            proposed,
            order,
            epoch: Epoch::of(&rule, 0),
            intervals: vec![(f64::NEG_INFINITY, f64::INFINITY); nodes],
            own: vec![0; nodes],
            init_travel: 0.0,
            last_bad: None,
            walked: Vec::new(),
        }
    }

    /// `t`: the time, or the number of visits if that is larger.
    fn moment(now: &Situation<'_>) -> f64 {
        now.clock.now().0.max(now.estimates.visits() as f64)
    }

    /// The time on roads since initialization.
    fn travel(&self, now: &Situation<'_>) -> f64 {
        now.clock.travel() - self.init_travel
    }

    fn regret(&self, now: &Situation<'_>) -> f64 {
        let cost = |(&visits, &gap): (&u64, &f64)| visits as f64 * gap;
        let visits: f64 = self.own.iter().zip(self.world.gaps()).map(cost).sum();
        visits + self.travel(now) * self.world.best_mean()
    }

    fn interval(&self, now: &Situation<'_>, node: NodeId) -> (f64, f64) {
        let sample = now.estimates.sample(node);
        if sample.count == 0 {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let radius = self.epoch.reach / (sample.count as f64).sqrt();
        (sample.mean() - radius, sample.mean() + radius)
    }

    fn visited(&mut self, now: &Situation<'_>, visit: &Visit) {
        assert_eq!(visit.sample.count, 1, "it hears every visit");
        let node = visit.node as usize;
        match visit.phase {
            Phase::Learn => self.own[node] += 1,
            Phase::Cover => self.init_travel = now.clock.travel(),
        }
        let t = Self::moment(now);
        if t > self.epoch.end {
            self.epoch = Epoch::at(&self.rule, t);
            self.intervals = now.graph.nodes().map(|node| self.interval(now, node)).collect();
        } else {
            let (lower, upper) = self.interval(now, visit.node);
            let (low, high) = self.intervals[node];
            self.intervals[node] = (low.max(lower), high.min(upper));
        }
        let holds = |(&(low, high), node)| (low..=high).contains(&self.world.mean(node));
        if !self.intervals.iter().zip(now.graph.nodes()).all(holds) {
            self.last_bad = Some(self.epoch);
        }
    }

    /// The highest `U`, without that of `but`.
    fn highest(&self, but: Option<usize>) -> f64 {
        let uppers = self.intervals.iter().enumerate();
        let uppers = uppers.filter(|(node, _)| Some(*node) != but).map(|(_, i)| i.1);
        uppers.fold(f64::NEG_INFINITY, f64::max)
    }

    /// `Q`.
    fn certified(&self, now: &Situation<'_>, leg: &Leg) -> f64 {
        let mut visits: Vec<f64> = self.own.iter().map(|&visits| visits as f64).collect();
        leg.path.iter().for_each(|&node| visits[node as usize] += 1.0);
        visits[leg.destination(now.at) as usize] += leg.stay as f64;
        let cost = |node: usize| (self.highest(Some(node)) - self.intervals[node].0).max(0.0);
        let cost: f64 = visits.iter().enumerate().map(|(node, n)| n * cost(node)).sum();
        let roads = self.travel(now) + on_roads(now.graph, now.at, &leg.path);
        cost + roads * self.highest(None).max(0.0)
    }

    /// The heuristic's leg, cut to end at twice the end of the epoch at the latest. `None` if its
    /// path takes longer than that.
    fn proposal(&self, now: &Situation<'_>) -> Option<Leg> {
        let mut leg = self.proposed.as_ref()?.borrow().clone();
        let on_arrival = Self::moment(now) + time(now.graph, now.at, &leg.path);
        let room = 2.0 * self.epoch.end - on_arrival;
        leg.stay = leg.stay.min(room.max(0.0).floor() as u64);
        (room >= 0.0).then_some(leg)
    }

    /// Where a leg of the agent's own leads, why, and how many visits it makes there at most.
    fn own_leg(&self, now: &Situation<'_>, known: &Known) -> (NodeId, Why, u64) {
        let &Known { upper, lower, tolerance } = known;
        if is_within(upper - lower, tolerance) {
            let why = Why::Settled { tolerance };
            if is_within(upper - self.intervals[now.at as usize].0, tolerance) {
                return (now.at, why, u64::MAX);
            }
            let safest = now.graph.nodes().find(|&node| self.intervals[node as usize].0 == lower);
            return (safest.unwrap(), why, u64::MAX);
        }
        // The last level that is not below the width.
        let level_of = |k: u32| 2.0 * self.epoch.reach / libm::exp2(f64::from(k));
        let k = (0..60).find(|&k| !is_within(upper - lower, level_of(k + 1))).unwrap();
        let level = level_of(k);
        let is_swept =
            |node: NodeId| !is_within(self.intervals[node as usize].1 - lower, level / 2.0);
        let here = self.order.iter().position(|&node| node == now.at).unwrap();
        let from_here = self.order.iter().cycle().skip(here).take(self.order.len());
        let to = *from_here.clone().find(|&&node| is_swept(node)).unwrap();
        (to, Why::Swept { level, k }, 4_u64.pow(k + 1) - now.estimates.count(to))
    }

    /// Asserts that `leg` is the one of the agent's own that the rule asks for.
    fn check_own(&self, now: &Situation<'_>, leg: &Leg, known: &Known) -> Why {
        let (to, why, most) = self.own_leg(now, known);
        assert_eq!(leg.destination(now.at), to, "{why:?}");
        let fastest = now.graph.times_from(now.at)[to as usize];
        let takes = time(now.graph, now.at, &leg.path);
        assert!((takes - fastest).abs() < 1e-9, "a fastest path: {takes} {fastest}");
        let visits = (now.estimates.count(to) / 4).max(1).min(most);
        let on_arrival = u64::from(!leg.path.is_empty());
        assert_eq!(leg.stay + on_arrival, visits, "{why:?}");
        why
    }

    fn planned(&mut self, now: &Situation<'_>, leg: &Leg) {
        let (t, nodes) = (Self::moment(now), self.world.graph().len());
        let b = self.rule.budget * self.epoch.reach * (nodes as f64 * t).sqrt();
        let halvings = levels(&self.rule, nodes, t);
        let known = Known {
            upper: self.highest(None),
            lower: self.intervals.iter().map(|i| i.0).fold(f64::NEG_INFINITY, f64::max),
            tolerance: 2.0 * self.epoch.reach / libm::exp2(f64::from(halvings)),
        };
        let proposal = self.proposal(now).map(|leg| (self.certified(now, &leg), leg));
        let why = match proposal {
            // The agent adds in another order, so a tie may be decided either way.
            Some((q, proposal))
                if q <= b * (1.0 - 1e-9) || (q <= b * (1.0 + 1e-9) && proposal == *leg) =>
            {
                assert_eq!(*leg, proposal);
                Why::Accepted { q, b }
            }
            _ => self.check_own(now, leg, &known),
        };
        self.walked.push(Walked {
            why,
            at: now.at,
            leg: leg.clone(),
            t,
            epoch: self.epoch,
            visits: now.estimates.count(leg.destination(now.at)),
            width: known.upper - known.lower,
            regret_before: self.regret(now),
        });
    }
}

impl Observer for Witness<'_> {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Visited(visit) => self.visited(now, visit),
            Event::Planned { leg, phase: Phase::Learn } => self.planned(now, leg),
            _ => {}
        }
    }
}

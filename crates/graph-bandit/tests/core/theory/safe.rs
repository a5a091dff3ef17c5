//! Theorem 10: the lemmas of its proof on clean runs, with a plain transcription of the rule.
//! `safe_regret` compares its bound to measured regret.
//!
//! The transcription computes intervals, `Q`, `B`, levels and `W` anew from the visits alone, and
//! the heuristic is spied on. Each inequality is tested with how close a run comes to it.

use super::frontier::gaussian;
use graph_bandit::agents::{Certified, Epoch, SafeRule, confidence_exponent};
use graph_bandit::index::Horizon;
use graph_bandit::run::run_observed;
use graph_bandit::theory::{SafeBound, patrol_time, patrol_walk};
use graph_bandit::{
    Agent, AgentSpec, Event, Footing, Graph, Leg, NodeId, Observer, Phase, Preset, Raised, RunPlan,
    Seed, Situation, Stream, Visit, World,
};
use std::cell::RefCell;
use std::rc::Rc;

/// Where an adversary wants to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wish {
    /// Where rewards are lowest.
    Worst(NodeId),
    /// As far away as possible, wherever it is.
    Farthest,
}

/// A heuristic that wants to do harm: it goes to a node and stays for a while.
pub(super) struct Adversary(pub(super) Wish);

impl Agent for Adversary {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let target = match self.0 {
            Wish::Worst(node) => node,
            Wish::Farthest => {
                let times = now.graph.times_from(now.at);
                let farther =
                    |a: &NodeId, b: &NodeId| times[*a as usize].total_cmp(&times[*b as usize]);
                now.graph.nodes().max_by(farther).unwrap()
            }
        };
        let times = now.graph.times_to(target);
        leg.path.clear();
        let mut at = now.at;
        while at != target {
            let after = |node: NodeId| {
                1.0 + now.graph.travel(at, node).unwrap_or(0.0) + times[node as usize]
            };
            let others = now.graph.neighborhood(at).iter().copied().filter(|&node| node != at);
            at = others.min_by(|&a, &b| after(a).total_cmp(&after(b))).unwrap();
            leg.path.push(at);
        }
        leg.stay = 1 + now.estimates.count(target) / 8;
        Ok(())
    }

    fn footing(&self) -> Footing {
        Footing::AnyGraph
    }
}

/// An agent that writes down every leg it proposes.
struct Spy {
    agent: Box<dyn Agent>,
    proposed: Rc<RefCell<Leg>>,
}

impl Agent for Spy {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.agent.next_leg(now, stream, leg)?;
        self.proposed.borrow_mut().clone_from(leg);
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.agent.observe(now, visit)
    }
}

/// The heuristics, as trait objects; none for sweeping alone.
pub(super) fn heuristics(world: &World) -> Vec<(&'static str, Option<Box<dyn Agent>>)> {
    let worst = world.graph().nodes().max_by(|&a, &b| world.gap(a).total_cmp(&world.gap(b)));
    let named = |name| -> Option<Box<dyn Agent>> {
        let spec = AgentSpec::named(name, Preset::Paper).unwrap();
        Some(spec.build(world.graph()).unwrap())
    };
    vec![
        ("none", None),
        ("g-star", named("g-star")),
        ("random", named("random")),
        ("worst", Some(Box::new(Adversary(Wish::Worst(worst.unwrap()))))),
        ("farthest", Some(Box::new(Adversary(Wish::Farthest)))),
    ]
}

/// Why a leg was walked.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Why {
    Accepted { q: f64, b: f64 },
    Swept { level: f64 },
    Settled { tolerance: f64 },
}

/// A leg, and what the transcription knew when it was planned.
#[derive(Debug, Clone)]
struct Walked {
    why: Why,
    at: NodeId,
    leg: Leg,
    t: f64,
    epoch: Epoch,
    /// `R / sqrt(n)` of its destination.
    radius: f64,
    width: f64,
    /// The regret since initialization.
    regret_before: f64,
}

impl Walked {
    fn to(&self) -> NodeId {
        self.leg.destination(self.at)
    }
}

/// The transcription.
struct Witness<'a> {
    world: &'a World,
    rule: SafeRule,
    proposed: Option<Rc<RefCell<Leg>>>,
    epoch: Epoch,
    intervals: Vec<(f64, f64)>,
    own: Vec<u64>,
    is_clean: bool,
    walked: Vec<Walked>,
}

impl Witness<'_> {
    fn regret(&self) -> f64 {
        let cost = |(&visits, &gap): (&u64, &f64)| visits as f64 * gap;
        self.own.iter().zip(self.world.gaps()).map(cost).sum()
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
        self.own[node] += u64::from(visit.phase == Phase::Learn);
        let t = now.estimates.visits() as f64;
        if t > self.epoch.end {
            self.epoch = self.rule.next_epoch(&self.epoch);
            self.intervals = now.graph.nodes().map(|node| self.interval(now, node)).collect();
        } else {
            let (lower, upper) = self.interval(now, visit.node);
            let (low, high) = self.intervals[node];
            self.intervals[node] = (low.max(lower), high.min(upper));
        }
        let mean = self.world.mean(visit.node);
        let (low, high) = self.intervals[node];
        self.is_clean &= (low..=high).contains(&mean);
    }

    fn planned(&mut self, now: &Situation<'_>, leg: &Leg) {
        let highest = |but: Option<usize>| {
            let uppers = self.intervals.iter().enumerate();
            let uppers = uppers.filter(|(node, _)| Some(*node) != but).map(|(_, i)| i.1);
            uppers.fold(f64::NEG_INFINITY, f64::max)
        };
        let lowest = self.intervals.iter().map(|i| i.0).fold(f64::NEG_INFINITY, f64::max);
        let certified = |proposed: &Leg| {
            let mut visits = self.own.clone();
            proposed.nodes(now.at).for_each(|node| visits[node as usize] += 1);
            let cost = |node: usize| (highest(Some(node)) - self.intervals[node].0).max(0.0);
            visits.iter().enumerate().map(|(node, &n)| n as f64 * cost(node)).sum::<f64>()
        };
        let (t, nodes) = (now.estimates.visits() as f64, self.world.graph().len());
        let b = self.rule.budget * self.epoch.reach * (nodes as f64 * t).sqrt();
        let enough = self.rule.resolution * self.epoch.reach * (nodes as f64 / t).sqrt();
        let levels = (0..60).map(|k| 2.0 * self.epoch.reach / f64::from(1 << k.min(30)));
        let levels: Vec<f64> = levels.collect();
        let tolerance = *levels.iter().find(|&&level| level <= enough).unwrap();
        let is_within = |width: f64, level: f64| width <= level * (1.0 + 1e-9);
        let width = highest(None) - lowest;
        let to = leg.destination(now.at);
        let (low, high) = self.intervals[to as usize];
        let q = self.proposed.as_ref().map(|proposed| certified(&proposed.borrow()));
        // The agent adds in another order, so a tie may be decided either way.
        let why = match q {
            Some(q) if q <= b * (1.0 - 1e-9) => {
                assert_eq!(*leg, *self.proposed.as_ref().unwrap().borrow());
                Why::Accepted { q, b }
            }
            Some(q) if q <= b * (1.0 + 1e-9) => Why::Accepted { q, b },
            _ if !is_within(width, tolerance) => {
                let level = *levels.iter().rfind(|&&level| is_within(width, level)).unwrap();
                let is_known = is_within(high - lowest, level / 2.0);
                assert!(!is_known, "a sweep goes to nodes that may be best");
                Why::Swept { level }
            }
            _ => {
                let loss = highest(None) - low;
                let is_safest = is_within(lowest - low, 1e-9);
                assert!(is_within(loss, tolerance) || is_safest, "{loss} {tolerance}");
                Why::Settled { tolerance }
            }
        };
        let radius = self.epoch.reach / (now.estimates.count(to) as f64).sqrt();
        let regret_before = self.regret();
        let (at, leg, epoch) = (now.at, leg.clone(), self.epoch);
        self.walked.push(Walked { why, at, leg, t, epoch, radius, width, regret_before });
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

/// The largest ratio of each left side to its right side.
#[derive(Debug, Default)]
struct Closest {
    regret_to_q: f64,
    q_to_b: f64,
    gap_to_radii: f64,
    gap_to_tolerance: f64,
    round: f64,
    rounds: f64,
    ways: f64,
    way: f64,
    swept: f64,
    settled: f64,
    regret: f64,
    clean: u32,
    runs: u32,
}

fn nearer(closest: &mut f64, left: f64, right: f64, what: &str) {
    assert!(left <= right * (1.0 + 1e-9) + 1e-9, "{what}: {left} is above {right}");
    if right > 0.0 {
        *closest = closest.max(left / right);
    }
}

pub(super) fn bound(world: &World, rule: SafeRule, steps: u64, init_steps: u64) -> SafeBound {
    let graph = world.graph();
    let largest_gap = world.gaps().iter().copied().fold(0.0, f64::max);
    let roads = graph.roads().is_some();
    SafeBound {
        rule,
        nodes: graph.len(),
        worst_step: if roads { largest_gap.max(world.best_mean()) } else { largest_gap },
        diameter: graph.time_diameter(),
        round: patrol_time(graph, &patrol_walk(graph)),
        steps,
        init_steps,
    }
}

/// One run, and every inequality of the proof if it is clean.
fn check(
    world: &World,
    rule: SafeRule,
    heuristic: Option<Box<dyn Agent>>,
    seed: Seed,
    closest: &mut Closest,
) {
    const STEPS: u64 = 20_000;
    let nodes = world.graph().len();
    let proposed = Rc::new(RefCell::new(Leg::default()));
    let has_heuristic = heuristic.is_some();
    let spy = heuristic.map(|agent| Spy { agent, proposed: Rc::clone(&proposed) });
    let mut agent = Certified::new(nodes, rule, spy);
    let mut witness = Witness {
        world,
        rule,
        proposed: has_heuristic.then_some(proposed),
        epoch: rule.first_epoch(),
        intervals: vec![(f64::NEG_INFINITY, f64::INFINITY); nodes],
        own: vec![0; nodes],
        is_clean: true,
        walked: Vec::new(),
    };
    let plan = RunPlan::new(STEPS, 1);
    let record = run_observed(world, &mut agent, &plan, seed, &mut witness).unwrap();
    closest.runs += 1;
    if !witness.is_clean {
        return;
    }
    closest.clean += 1;
    let bound = bound(world, rule, STEPS, record.init.steps);
    nearer(&mut closest.regret, record.checkpoints[0].regret, bound.regret(), "regret");
    let last_accepted = witness.walked.iter().rposition(|w| matches!(w.why, Why::Accepted { .. }));
    let (mut swept, mut settled, mut rounds, mut ways) = (0.0, 0.0, 0, 0);
    let mut round: Option<(u32, f64)> = None;
    let mut hops = 0.0;
    for (m, walked) in witness.walked.iter().enumerate() {
        let gap = world.gap(walked.to());
        let is_after = last_accepted.is_none_or(|last| m > last);
        let path = walked.leg.path.len() as f64;
        let stay = walked.leg.stay as f64 * gap;
        if let Some(before) = m.checked_sub(1).map(|before| &witness.walked[before])
            && before.epoch == walked.epoch
        {
            assert!(walked.width <= before.width, "the width never grows within an epoch");
        }
        match walked.why {
            Why::Accepted { q, b } => {
                let cost: f64 = walked.leg.nodes(walked.at).map(|node| world.gap(node)).sum();
                let regret = walked.regret_before + cost;
                nearer(&mut closest.regret_to_q, regret, q, "accepted regret");
                nearer(&mut closest.q_to_b, q, b, "certified regret");
            }
            Why::Swept { level } => {
                nearer(&mut closest.gap_to_radii, gap, 4.0 * walked.radius, "a sweep visit's gap");
                nearer(&mut 0.0, gap, level / 2.0 + 2.0 * walked.radius, "a sweep visit's gap");
                assert!(walked.radius > level / 4.0, "a node that is swept is not known well");
                if is_after {
                    swept += stay;
                    // A new level, or a new epoch, begins another round.
                    if round != Some((walked.epoch.number, level)) {
                        round = Some((walked.epoch.number, level));
                        hops = 0.0;
                        rounds += 1;
                    }
                    hops += path;
                    nearer(&mut closest.round, hops, bound.round, "a round");
                }
            }
            Why::Settled { tolerance } => {
                let before = if path == 0.0 { gap } else { 0.0 };
                nearer(&mut closest.gap_to_tolerance, before, tolerance, "a stay's gap");
                nearer(&mut 0.0, gap, tolerance, "a stay's gap");
                let enough = rule.known_enough(&walked.epoch, nodes, walked.t);
                assert!(tolerance <= enough && 2.0 * tolerance > enough.min(2.0 * tolerance));
                if is_after {
                    settled += stay;
                    ways += u32::from(path > 0.0);
                    nearer(&mut closest.way, path, bound.diameter, "a way");
                }
            }
        }
    }
    nearer(&mut closest.rounds, f64::from(rounds), f64::from(bound.rounds()), "rounds");
    nearer(&mut closest.ways, f64::from(ways), f64::from(bound.ways()), "ways");
    nearer(&mut closest.swept, swept, bound.sweeps(), "the stays of sweeps");
    let settling = SafeBound { rule: SafeRule { budget: 0.0, ..rule }, ..bound };
    nearer(&mut closest.settled, settled, settling.heuristic_and_stays(), "other stays");
    assert!(bound.round <= 2.0 * (nodes as f64 - 1.0));
}

fn worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for graph in [
        Graph::line(6).unwrap(),
        Graph::star(6).unwrap(),
        Graph::circle(7).unwrap(),
        Graph::grid(2, 4).unwrap(),
        Graph::complete(4).unwrap(),
        Graph::complete(2).unwrap(),
    ] {
        let last = graph.len() - 1;
        let needle = |gap: f64| -> Vec<f64> {
            (0..graph.len()).map(|s| if s == last { 1.0 } else { 1.0 - gap }).collect()
        };
        let ramp: Vec<f64> = (0..graph.len()).map(|s| s as f64 / last as f64).collect();
        // Both ends are best.
        let tie: Vec<f64> =
            (0..graph.len()).map(|s| if s == 0 || s == last { 1.0 } else { 0.0 }).collect();
        for means in [needle(0.1), needle(1.0), ramp, tie] {
            worlds.push(gaussian(graph.clone(), &means, 0.5));
        }
    }
    worlds
}

#[test]
fn the_lemmas_hold_on_clean_runs() {
    let known =
        SafeRule { scale: 0.5, budget: 1.5, resolution: 2.0, horizon: Horizon::Known(20_100.0) };
    let anytime = SafeRule { budget: 6.0, horizon: Horizon::Unknown, ..known };
    let mut closest = Closest::default();
    for (w, world) in worlds().iter().enumerate() {
        for (r, rule) in [known, anytime].into_iter().enumerate() {
            for (h, (_, heuristic)) in heuristics(world).into_iter().enumerate() {
                let seed = Seed(1010).child(w as u64).child(r as u64).child(h as u64);
                check(world, rule, heuristic, seed, &mut closest);
            }
        }
    }
    let Closest { runs, clean, .. } = closest;
    assert_eq!(runs, 240);
    assert!(clean > 230, "nearly all runs are clean: {clean} of {runs}");
    // How close some run comes to each inequality: a constant smaller by this factor would fail.
    assert!(closest.regret_to_q > 0.95 && closest.q_to_b > 0.999, "{closest:?}");
    assert!(closest.gap_to_radii > 0.38 && closest.gap_to_tolerance > 0.39, "{closest:?}");
    assert!(closest.round > 0.89 && closest.rounds == 1.0, "{closest:?}");
    assert!(closest.ways == 1.0 && closest.way == 1.0, "{closest:?}");
    assert!(closest.swept > 0.02 && closest.settled > 0.02, "{closest:?}");
    assert!(closest.regret > 0.27, "{closest:?}");
}

/// How often some mean of the first `counts` rewards of a tape is further than `h sqrt(2 ell / n)`
/// from the true one, over 10^4 tapes.
fn bad_tapes(counts: u32, ell: f64) -> f64 {
    const TAPES: u64 = 10_000;
    let reach = (2.0 * ell).sqrt();
    let is_bad = |tape: u64| {
        let mut stream = Seed(77).child(tape).stream();
        let mut sum = 0.0;
        (1..=counts).any(|n| {
            // A normal variable, by Box and Muller.
            let radius = (-2.0 * libm::log(1.0 - stream.unit())).sqrt();
            sum += radius * libm::cos(std::f64::consts::TAU * stream.unit());
            f64::abs(sum) > reach * f64::from(n).sqrt()
        })
    };
    (0..TAPES).filter(|&tape| is_bad(tape)).count() as f64 / TAPES as f64
}

#[test]
fn bad_tapes_are_as_rare_as_promised() {
    for counts in [1, 30, 1000] {
        let ell = confidence_exponent(f64::from(counts), 0.1);
        let often = bad_tapes(counts, ell);
        // For one count it is the sub-Gaussian bound itself, which normal noise meets up to a
        // factor of about six; beyond, pieces cost another factor.
        assert!(often <= 0.1 && often > 0.01, "{counts}: {often}");
        assert!(bad_tapes(counts, ell / 3.0) > 0.1, "{counts}: a third of ell is not enough");
    }
}

//! Runs whose intervals are false: a leg of the heuristic ends by twice the end of its epoch.
//!
//! The tape of one node begins with rewards that are far too high. So this node seems certain to be
//! the best, nothing certifies any regret, and the certificate lets the heuristic stay there.
//!
//! Choose `ell` so that the lemma allows a probability of 10% for one node. Of 10,000 tapes of
//! normal noise, between 1% and 10% then have a mean outside its interval. With `ell / 3`, more
//! than 10% do. If the tape of the worst node begins with rewards that are far too high, the
//! certificate accepts a leg that would stay there forever: the leg then ends at exactly `2 tau_j`,
//! and costs at least 95% of the `2 g tau_j` that the proof allows. On roads it ends with the last
//! whole visit before that, and a path that would take longer is refused.

use super::heuristics::{Adversary, Goal, Patience, Spy};
use super::witness::{Walked, Why, Witness};
use super::{bound, roads};
use graph_bandit::agents::{Certified, SafeRule};
use graph_bandit::index::Horizon;
use graph_bandit::reward::OwnLaw;
use graph_bandit::run::run_observed;
use graph_bandit::{Agent, Graph, Law, Leg, NodeId, Raised, RunPlan, Seed, Time, World};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

const ANYTIME: SafeRule =
    SafeRule { scale: 0.5, budget: 12.0, resolution: 5.6, horizon: Horizon::Unknown };

/// With this budget, no leg is refused for its cost, but only for its end.
const GENEROUS: SafeRule = SafeRule { budget: 1e9, ..ANYTIME };

/// A tape of the mean 0 whose first rewards are 9.
#[derive(Debug)]
struct BadTape {
    lucky: u64,
}

impl OwnLaw for BadTape {
    fn draw(&self, _tape: Seed, k: u64, _at: Time) -> Result<f64, Raised> {
        Ok(if k < self.lucky { 9.0 } else { 0.0 })
    }

    fn mean(&self, _at: Time) -> f64 {
        0.0
    }

    fn variance(&self) -> f64 {
        0.25
    }

    fn sub_gaussian_scale(&self) -> f64 {
        0.5
    }
}

/// The last node pays 0 on average, but its first rewards are too high. All others pay 1.
fn world(graph: Graph, lucky: u64) -> World {
    let last = graph.len() as NodeId - 1;
    let law = |node: NodeId| {
        if node == last { Law::own(Arc::new(BadTape { lucky })) } else { Law::constant(1.0) }
    };
    let laws = graph.nodes().map(|node| law(node).unwrap()).collect();
    World::new(graph, laws).unwrap()
}

/// When a leg began and ended, the end of its epoch, and whether it was the heuristic's.
#[derive(Debug, PartialEq)]
struct Ended {
    begin: f64,
    end: f64,
    epoch: f64,
    is_accepted: bool,
}

/// A run with a heuristic that wants to stay for good.
struct Fooled {
    legs: Vec<Ended>,
    /// The regret until epochs with false intervals are over, as a share of what the theorem allows;
    /// `None` if intervals are false to the end.
    harm: Option<f64>,
}

/// Runs it; the witness checks all legs.
fn fooled(world: &World, rule: SafeRule, goal: Goal) -> Fooled {
    const STEPS: u64 = 3000;
    let heuristic: Box<dyn Agent> = Box::new(Adversary(goal, Patience::Endless));
    let proposed = Rc::new(RefCell::new(Leg::default()));
    let spy = Spy { agent: heuristic, proposed: Rc::clone(&proposed) };
    let mut agent = Certified::new(world.graph().len(), rule, Some(spy));
    let mut witness = Witness::new(world, rule, Some(proposed));
    let plan = RunPlan::new(STEPS, 1);
    let record = run_observed(world, &mut agent, &plan, Seed(8), &mut witness).unwrap();
    let bad = witness.last_bad.expect("the tape is bad");
    let bound = bound(world, rule, STEPS, &record.init);
    let allowed = 2.0 * bad.end * bound.worst_step;
    let later = witness.walked.iter().find(|walked| walked.t > bad.end);
    let harm = later.map(|walked| walked.regret_before / allowed);
    assert!(harm.is_none_or(|harm| harm <= 1.0), "{harm:?}");
    // What follows costs no more than in clean epochs.
    let most = bound.regret() - bound.bad_epochs() + bound.worst_step + allowed;
    assert!(record.checkpoints[0].regret <= most, "{record:?} {most}");
    let ended = |walked: &Walked| Ended {
        begin: walked.t,
        end: walked.end(world.graph()),
        epoch: walked.epoch.end,
        is_accepted: matches!(walked.why, Why::Accepted { .. }),
    };
    let legs: Vec<Ended> = witness.walked.iter().map(ended).collect();
    for leg in legs.iter().filter(|leg| leg.is_accepted) {
        assert!(leg.end <= 2.0 * leg.epoch, "{leg:?}");
    }
    Fooled { legs, harm }
}

#[test]
fn an_endless_leg_ends_at_twice_its_epoch() {
    let line = Graph::line(2).unwrap();
    let known = SafeRule { horizon: Horizon::Known(500.0), ..ANYTIME };
    for (rule, epoch) in [(ANYTIME, 64.0), (known, 500.0)] {
        let Fooled { legs, harm } = fooled(&world(line.clone(), 1), rule, Goal::Node(1));
        let first = Ended { begin: 2.0, end: 2.0 * epoch, epoch, is_accepted: true };
        assert_eq!(legs[0], first);
        assert!(legs.iter().any(|leg| !leg.is_accepted), "the truth comes out");
        assert!(harm.unwrap() > 0.95, "nearly all that the theorem allows is lost: {harm:?}");
    }
}

#[test]
fn a_worse_tape_lasts_for_another_epoch() {
    let Fooled { legs, .. } = fooled(&world(Graph::line(2).unwrap(), 130), ANYTIME, Goal::Node(1));
    assert_eq!((legs[0].end, legs[0].epoch), (128.0, 64.0));
    // The second epoch ends at 64^(5/4) = 181.02, and a stay has whole visits.
    assert!((legs[1].epoch - 181.019_336).abs() < 1e-6, "{legs:?}");
    assert_eq!((legs[1].begin, legs[1].end, legs[1].is_accepted), (128.0, 362.0, true));
}

#[test]
fn time_on_roads_counts_for_the_end_of_a_leg() {
    // Initialization takes 1 + 20.75, and jumps back. The way takes another 20.75, until 42.5. So 85
    // whole visits end before 128.
    let both = [(0, 1, 19.75), (1, 0, 0.5)];
    let Fooled { legs, .. } = fooled(&world(roads(2, &both), 1), GENEROUS, Goal::Node(1));
    let first = Ended { begin: 21.75, end: 127.5, epoch: 64.0, is_accepted: true };
    assert_eq!(legs[0], first);
}

#[test]
fn a_path_that_would_end_too_late_is_refused() {
    // The way from node 2 to node 1, the farthest, takes 252. At 128 it would end at 380.
    let ring = [(0, 1, 0.0), (1, 2, 0.0), (2, 0, 250.0)];
    let Fooled { legs, .. } = fooled(&world(roads(3, &ring), 1), GENEROUS, Goal::Farthest);
    assert_eq!((legs[0].begin, legs[0].end, legs[0].is_accepted), (3.0, 128.0, true));
    let second = &legs[1];
    assert!(!second.is_accepted && second.begin == 128.0 && second.epoch < 190.0, "{second:?}");
    // In the next epoch there is room.
    let later = legs.iter().find(|leg| leg.epoch > 600.0).unwrap();
    assert!(later.is_accepted, "{later:?}");
}

//! The same legs, however an agent is run, told and observed.

use super::scene::{SEED, Scene, ordered, same};
use super::{Build, Verdict};
use crate::agent::{Phase, Situation};
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::run::{RunPlan, run_observed};
use crate::trajectory::{Event, Observer};

const VISITS: u64 = 240;

pub(super) fn repeatability(scene: &Scene, build: Build<'_>) -> Verdict {
    let mut alone = scene.session(build)?;
    let mut orders = Vec::new();
    for _ in 0..VISITS {
        orders.push(scene.obey(&mut alone)?);
    }
    let (mut one, mut other) = (scene.session(build)?, scene.session(build)?);
    for (step, expected) in (0..).zip(&orders) {
        same(step, "the order of a second agent", &scene.obey(&mut one)?, expected)?;
        // A third agent is now and then ahead by a visit and goes its own way.
        if step % 3 == 0 {
            scene.obey(&mut other)?;
        }
        let stay = other.at();
        scene.visit(&mut other, stay)?;
    }
    Ok(())
}

/// The visits of a run after initialization, and its totals at the end.
#[derive(Default)]
struct Walk {
    visits: Vec<NodeId>,
    estimates: Option<Estimates>,
}

impl Observer for Walk {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            // Not as planned: an agent may cut its legs.
            Event::Visited(visit) if visit.phase == Phase::Learn => {
                let times = usize::try_from(visit.sample.count).unwrap_or(usize::MAX);
                self.visits.extend(std::iter::repeat_n(visit.node, times));
            }
            Event::Ended => self.estimates = Some(now.estimates.clone()),
            _ => {}
        }
    }
}

pub(super) fn grouping(scene: &Scene, build: Build<'_>) -> Verdict {
    let (start, init) = (scene.start(), scene.init);
    let plan = RunPlan { start, init, ..RunPlan::new(VISITS, 1) };
    let mut agent = build(scene.world.graph());
    let mut walk = Walk::default();
    let record = run_observed(&scene.world, &mut *agent, &plan, SEED, &mut walk)
        .map_err(|error| format!("in a run: {error}"))?;
    let made: u64 = record.visits.iter().sum();
    let mut session = scene.session(build)?;
    for step in 0..record.init.steps {
        let order = scene.obey(&mut session)?;
        same(step, "the phase of a visit that covers the graph", &order.phase, &Phase::Cover)?;
    }
    // A run puts the agent back where it started.
    session.move_to(start).map_err(|error| error.to_string())?;
    for (step, expected) in (record.init.steps..).zip(&walk.visits) {
        same(step, "the next visit", &scene.obey(&mut session)?.node, expected)?;
    }
    let (got, expected) = (session.estimates(), walk.estimates.as_ref());
    same(record.init.steps + made, "the totals of all rewards", &Some(got), &expected)
}

pub(super) fn looking(scene: &Scene, build: Build<'_>) -> Verdict {
    let mut unseen = scene.session(build)?;
    let mut looked_at = scene.session(build)?;
    for step in 0..VISITS {
        // Before and after the leg is planned, and more than once.
        let scores = [looked_at.scores(), looked_at.scores()];
        let [first, second] = scores.each_ref().map(|scores| {
            scores.as_ref().map(|all| all.iter().map(|score| score.to_bits()).collect::<Vec<_>>())
        });
        same(step, "the scores at a second look", &second, &first)?;
        for scores in scores.iter().flatten() {
            same(step, "how many scores there are", &scores.len(), &scene.world.graph().len())?;
            let not_numbers = scores.iter().filter(|score| score.is_nan()).count();
            same(step, "how many scores are NaN", &not_numbers, &0)?;
        }
        let expected = ordered(&mut unseen)?;
        for asked in ["once", "twice"] {
            let what = format!("the order after looking, asked {asked}");
            same(step, &what, &ordered(&mut looked_at)?, &expected)?;
            looked_at.scores();
        }
        scene.obey(&mut unseen)?;
        scene.obey(&mut looked_at)?;
    }
    Ok(())
}

//! Measures a trajectory on roads at moments of time: visits that have ended by then count.

use super::RunPlan;
use super::meter::{Checkpoint, Meter};
use super::reach::Reach;
use crate::agent::Situation;
use crate::clock::{Clock, Time};
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::reward::Course;
use crate::trajectory::{Event, Observer};
use crate::world::World;

/// A meter whose checkpoints are moments, not numbers of visits. Regret at time `t` is `mu* t`
/// minus the means of the visits that have ended by then.
pub(super) struct RoadMeter<'a> {
    meter: Meter<'a>,
    world: &'a World,
    /// The clock when the window began.
    begin: Clock,
    /// When the moments of the laws begin.
    origin: Time,
    /// How many visits may be made before the next checkpoint.
    patience: u64,
    /// Set if means change: the expected rewards of the visits so far and of the best node.
    moving: Option<Moving>,
    /// Set if roads close at random.
    closing: Option<Closing<'a>>,
}

/// The expected rewards of the best node within reach, if roads close at random.
struct Closing<'a> {
    reach: Reach<&'a World>,
    /// Where the walker is, or where its current road leads.
    place: NodeId,
    /// The sum over the first `units` units of time.
    best: f64,
    units: u64,
}

impl Closing<'_> {
    /// Adds up to the last unit that begins before `end`; the window began at `begin`, and the
    /// moments of the laws at the origin.
    fn add_until(&mut self, (begin, origin): (Time, Time), end: f64) {
        while exact(self.units) < end {
            self.best += self.reach.best_mean(self.place, begin.after(self.units), origin);
            self.units += 1;
        }
    }
}

/// Expected rewards if means change.
#[derive(Debug, Clone, Copy, Default)]
struct Moving {
    paid: f64,
    /// The expected rewards of the currently best node up to unit `units`.
    best: f64,
    units: u64,
}

impl<'a> RoadMeter<'a> {
    /// A meter whose window begins now; the moments of the laws begin at the origin.
    pub(super) fn new(
        (world, plan): (&'a World, &'a RunPlan),
        now: &Estimates,
        begin: Clock,
        origin: Time,
    ) -> Self {
        let moving = (world.course() == Course::Changing).then(Moving::default);
        let meter = Meter::new(world, plan, now, origin);
        let mut road_meter =
            Self { meter, world, begin, origin, patience: 0, moving, closing: None };
        road_meter.aim(0.0);
        road_meter
    }

    /// Measures against the nodes within reach of the walker on `place`, if not all are.
    pub(super) fn against(mut self, reach: Option<Reach<&'a World>>, place: NodeId) -> Self {
        self.closing = reach.map(|reach| Closing { reach, place, best: 0.0, units: 0 });
        self
    }

    /// The time left in a window of `steps` steps. Visits are counted, not added up, so rounding
    /// takes no time from a walker that stays.
    pub(super) fn left(&self, steps: u64, clock: &Clock) -> f64 {
        exact(steps) - clock.since(&self.begin)
    }

    /// Measures regret against these values, one per checkpoint.
    pub(super) fn compare(&mut self, values: Vec<f64>) {
        self.meter.compare(values);
    }

    pub(super) fn meter(self) -> Meter<'a> {
        self.meter
    }

    /// Records the checkpoints before the moment `until`, measured from the start of the window: no
    /// visit ends before it.
    fn look_until(&mut self, now: &Situation<'_>, until: f64) {
        while let Some(t) = self.meter.next_checkpoint()
            && exact(t) < until
        {
            let point = self.look(now.estimates, t);
            self.meter.record_point(point);
        }
    }

    /// The state at `t`, if no visit has ended since the last one recorded.
    fn look(&mut self, now: &Estimates, t: u64) -> Checkpoint {
        let mut point = self.meter.look(now, t);
        if let Some(closing) = &mut self.closing {
            closing.add_until((self.begin.now(), self.origin), exact(t));
            let means = self.meter.counts(now).zip(self.world.means());
            let paid = || means.fold(0.0, |sum, (count, mean)| sum + mean * exact(count));
            let paid = self.moving.map_or_else(paid, |moving| moving.paid);
            point.regret = closing.best - paid;
            point.realized_regret = closing.best - point.reward;
            return point;
        }
        let best = match &mut self.moving {
            None => {
                let visits: u64 = self.meter.counts(now).sum();
                // Time not spent on completed visits pays nothing.
                let unpaid = exact(t.saturating_sub(visits));
                point.regret += unpaid * self.world.best_mean();
                exact(t) * self.world.best_mean()
            }
            Some(moving) => {
                let begin = Time(self.begin.now().0 - self.origin.0);
                for unit in moving.units..t {
                    moving.best += self.world.best_mean_at(begin.after(unit));
                }
                moving.units = t;
                point.regret = moving.best - moving.paid;
                moving.best
            }
        };
        point.realized_regret = best - point.reward;
        point
    }

    fn aim(&mut self, passed: f64) {
        let next = self.meter.next_checkpoint().map_or(f64::INFINITY, exact);
        // A visit takes one unit. If less is left, the checkpoint has been recorded.
        self.patience = ((next - passed) as u64).max(1);
    }
}

impl Observer for RoadMeter<'_> {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Planned { leg, .. } => self.meter.leg(leg.destination(now.at)),
            Event::SetOut { to, until } => {
                if let Some(closing) = &mut self.closing {
                    closing.place = to;
                }
                self.look_until(now, until.0 - self.begin.now().0);
                self.aim(now.clock.since(&self.begin));
            }
            Event::Visited(visit) => {
                let passed = now.clock.since(&self.begin);
                if let Some(moving) = &mut self.moving {
                    for back in (1..=visit.sample.count).rev() {
                        let at = Time(now.clock.now().0 - exact(back) - self.origin.0);
                        moving.paid += self.world.law(visit.node).mean_at(at);
                    }
                }
                if let Some(closing) = &mut self.closing {
                    closing.place = visit.node;
                }
                // The next visit cannot end before one unit has passed.
                self.look_until(now, passed + 1.0);
                if let Some(closing) = &mut self.closing {
                    closing.add_until((self.begin.now(), self.origin), passed);
                }
                self.aim(passed);
            }
            Event::Ended => {
                self.look_until(now, f64::INFINITY);
                self.meter.end(now.estimates);
            }
            Event::Arrived | Event::Covered => {}
        }
    }

    fn patience(&self) -> u64 {
        self.patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Graph, Road};
    use crate::random::Seed;
    use crate::reward::Law;
    use crate::run::run;
    use crate::spec::{AgentSpec, Preset};

    #[test]
    fn rounding_takes_no_visit_from_a_walker_that_stays() {
        let mut stream = Seed(5).stream();
        let mut would_be_lost = 0;
        for case in 0..300_u64 {
            let roads =
                (0..4).map(|from| Road { from, to: (from + 1) % 4, time: 3.0 * stream.unit() });
            let graph = Graph::from_roads(4, roads.collect::<Vec<_>>()).unwrap();
            let laws = [9.0, 1.0, 1.0, 1.0].map(|mean| Law::constant(mean).unwrap());
            let world = World::new(graph, laws.to_vec()).unwrap();
            let mut agent =
                AgentSpec::parse("g-star", Preset::Paper).unwrap().build(world.graph()).unwrap();
            let plan = RunPlan::new(900 + case, 1);
            let record = run(&world, &mut agent, &plan, Seed(case)).unwrap();
            assert_eq!(record.checkpoints[0].regret, 0.0, "{case}");
            // What rounded moments would give.
            let moment = |visits: u64| exact(record.init.steps + visits) + record.init.travel;
            let end = moment(0) + exact(plan.steps);
            let is_short = |made| ((end - moment(made)) as u64) < plan.steps - made;
            would_be_lost += u32::from((0..plan.steps).any(is_short));
        }
        assert!(would_be_lost > 0);
    }
}

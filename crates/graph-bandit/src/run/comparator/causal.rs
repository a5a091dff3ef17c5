//! The walk of an agent that knows the present means only: the cheapest path to the node that is best
//! now, planned again whenever a mean has changed.

use super::{Against, Beginning, ComparatorError, check_roads};
use crate::agent::{Agent, Situation};
use crate::agents::Oracle;
use crate::clock::Clock;
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::graph::NodeId;
use crate::leg::Leg;
use crate::random::Seed;

/// The value of *causal* at each of the `moments`, counted from the beginning in units of time and
/// ascending.
///
/// # Errors
/// When roads are not as mapped.
pub fn causal(from: &Beginning<'_>, moments: &[u64]) -> Result<Vec<f64>, ComparatorError> {
    check_roads(from.world, Against::Causal)?;
    let mut walk = Walk::new(*from);
    let mut values = Vec::with_capacity(moments.len());
    for &moment in moments {
        values.push(walk.until(exact(moment)));
    }
    Ok(values)
}

struct Walk<'a> {
    from: Beginning<'a>,
    at: NodeId,
    /// Time since the beginning, when the last visit ended: visits and time on roads.
    visits: u64,
    travel: f64,
    collected: f64,
    /// The planned path, the next node last.
    path: Vec<NodeId>,
    /// The moments of change; `None` if means may change at any moment.
    moments: Option<Vec<f64>>,
    /// How many of them have passed.
    next_moment: usize,
    has_plan: bool,
}

impl<'a> Walk<'a> {
    fn new(from: Beginning<'a>) -> Self {
        let moments = from.world.changes();
        let passed = |moments: &Vec<f64>| moments.partition_point(|&at| at <= from.time.0);
        Self {
            from,
            at: from.at,
            visits: 0,
            travel: 0.0,
            collected: 0.0,
            path: Vec::new(),
            next_moment: moments.as_ref().map_or(0, passed),
            moments,
            has_plan: false,
        }
    }

    /// Goes on while visits end by this moment; returns everything collected.
    fn until(&mut self, moment: f64) -> f64 {
        loop {
            self.plan_if_changed();
            let node = self.path.last().copied().unwrap_or(self.at);
            let graph = self.from.world.graph();
            let road =
                if node == self.at { 0.0 } else { graph.travel(self.at, node).unwrap_or(0.0) };
            if exact(self.visits + 1) + (self.travel + road) > moment {
                return self.collected;
            }
            self.travel += road;
            let visit = self.from.time.after(self.visits).later(self.travel);
            self.collected += self.from.world.mean_at(node, visit);
            self.visits += 1;
            self.path.pop();
            self.at = node;
        }
    }

    /// Plans again if a mean has changed since the last plan.
    fn plan_if_changed(&mut self) {
        let now = self.from.time.after(self.visits).later(self.travel);
        let world = self.from.world;
        let changed = match &self.moments {
            Some(moments) => {
                let before = self.next_moment;
                while moments.get(self.next_moment).is_some_and(|&moment| moment <= now.0) {
                    self.next_moment += 1;
                }
                self.next_moment > before || !self.has_plan
            }
            None => true,
        };
        if !changed {
            return;
        }
        let graph = world.graph();
        let means = graph.nodes().map(|node| world.mean_at(node, now)).collect();
        let (estimates, clock) = (Estimates::new(graph.len()), Clock::default());
        let here = Situation { graph, at: self.at, estimates: &estimates, clock: &clock };
        let mut leg = Leg::default();
        // The oracle draws nothing and never fails.
        let planned = Oracle::new(means).next_leg(&here, &mut Seed(0).stream(), &mut leg);
        if planned.is_ok() {
            leg.path.reverse();
            self.path = leg.path;
        }
        self.has_plan = true;
    }
}

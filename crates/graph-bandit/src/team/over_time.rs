//! What a team earns where means change, and what the best allocation of every step would have earned.
//!
//! Everything is added step by step, so no number depends on how steps were grouped.

use super::best_static::{BestStatic, BestStaticError};
use super::post::Post;
use super::setup::TeamSetup;
use crate::clock::Time;
use crate::estimates::{Estimates, Sample};
use crate::exact::exact;
use crate::graph::NodeId;
use crate::raised::Raised;
use crate::run::comparator::next_change;
use crate::trajectory::Payer;
use crate::world::World;

/// The expected earnings of a team whose means change. The walkers of the best static allocation are on
/// the best places of every step: they move whenever means change, and pay nothing for it.
#[derive(Debug, Clone)]
pub struct EarnedOverTime {
    setup: TeamSetup,
    best: BestStatic,
    means: Vec<f64>,
    /// What the best allocation earns per step under these means.
    best_value: f64,
    /// Until when these means hold.
    until: f64,
    /// If means repeat themselves, what the best allocation earns in each unit of their period; NaN if
    /// that is not known yet.
    cycle: Vec<f64>,
    /// How many walkers are on each node; zero between steps.
    counts: Vec<usize>,
    totals: Totals,
}

/// Expected earnings.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Of the best allocation of every step.
    pub best: f64,
    /// Of the team.
    pub expected: f64,
}

impl EarnedOverTime {
    /// Nothing is earned yet.
    pub fn new(world: &World, setup: &TeamSetup) -> Self {
        let period = world.timetable().and_then(crate::Timetable::period).unwrap_or(0);
        Self {
            best: BestStatic::new(setup),
            setup: setup.clone(),
            means: world.means().to_vec(),
            best_value: f64::NAN,
            until: f64::NEG_INFINITY,
            cycle: vec![f64::NAN; period as usize],
            counts: vec![0; world.graph().len()],
            totals: Totals::default(),
        }
    }

    /// Everything earned so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The means of a moment, and what the best static allocation of that moment earns per step.
    ///
    /// # Errors
    /// When the best allocation is not known for the means of this moment.
    pub fn at(&mut self, world: &World, at: Time) -> Result<(&[f64], f64), BestStaticError> {
        self.look(world, at)?;
        Ok((&self.means, self.best_value))
    }

    /// For how many steps from this moment on no mean changes; at least one. Moments are those of the
    /// laws.
    ///
    /// # Errors
    /// When the best allocation is not known for the means of this moment.
    pub fn steady_steps(&mut self, world: &World, at: Time) -> Result<u64, BestStaticError> {
        self.look(world, at)?;
        // A step has the means of the moment at which it begins.
        Ok(((self.until - at.0).ceil() as u64).max(1))
    }

    /// Adds these steps of walkers that stay where they are: the first begins at this moment, and no
    /// mean changes before the last.
    ///
    /// # Errors
    /// When the best allocation is not known for the means of this moment.
    pub fn pass(
        &mut self,
        world: &World,
        (posts, steps): (&[Post], u64),
        at: Time,
    ) -> Result<(), BestStaticError> {
        self.look(world, at)?;
        let on_nodes = || posts.iter().filter(|post| !post.is_on_road()).map(Post::at);
        on_nodes().for_each(|node| self.counts[node as usize] += 1);
        let mut of_step = 0.0;
        for node in on_nodes() {
            let count = std::mem::take(&mut self.counts[node as usize]);
            if count > 0 {
                of_step += self.setup.sharing.multiple(node, count) * self.means[node as usize];
            }
        }
        for _ in 0..steps {
            self.totals.best += self.best_value;
            self.totals.expected += of_step;
        }
        Ok(())
    }

    /// Looks up the means of a moment.
    fn look(&mut self, world: &World, at: Time) -> Result<(), BestStaticError> {
        // Your own laws may change at any moment, and then their means hold for none.
        if at.0 < self.until {
            return Ok(());
        }
        let mut until = f64::INFINITY;
        for (mean, node) in self.means.iter_mut().zip(0..) {
            *mean = world.mean_at(node, at);
            until = until.min(next_change(world, node, at));
        }
        let unit = (at.0.max(0.0) as u64).checked_rem(self.cycle.len() as u64);
        let known = unit.map(|unit| self.cycle[unit as usize]).filter(|value| !value.is_nan());
        self.best_value = match known {
            Some(value) => value,
            None => self
                .best
                .value(&self.means)
                .map_err(|error| error.named(|node| world.graph().label(node), Some(at)))?,
        };
        if let Some(unit) = unit {
            self.cycle[unit as usize] = self.best_value;
        }
        self.until = until;
        Ok(())
    }
}

/// Pays all draws of one call by the means of one moment: several walkers draw at the same time, and
/// steps that are made together have the same means. If means change, it pays draw by draw.
pub(super) struct AtOneMoment<P> {
    payer: P,
    /// Whether means change at all.
    is_changing: bool,
}

impl<P> AtOneMoment<P> {
    pub(super) fn new(payer: P, is_changing: bool) -> Self {
        Self { payer, is_changing }
    }
}

impl<P: Payer> Payer for AtOneMoment<P> {
    #[inline]
    fn pay_once(&mut self, node: NodeId, at: Time, totals: &mut Estimates) -> Result<f64, Raised> {
        self.payer.pay_once(node, at, totals)
    }

    fn pay(
        &mut self,
        (node, times): (NodeId, u64),
        at: Time,
        totals: &mut Estimates,
        block: &mut Sample,
    ) -> Result<(), Raised> {
        if !self.is_changing {
            return self.payer.pay((node, times), at, totals, block);
        }
        for _ in 0..times {
            block.push(self.payer.pay_once(node, at, totals)?);
        }
        Ok(())
    }

    fn begin(&mut self, now: Time) {
        self.payer.begin(now);
    }

    #[inline]
    fn pays_by_totals(&self, node: NodeId) -> bool {
        !self.is_changing && self.payer.pays_by_totals(node)
    }
}

/// The moment at which the step after this many steps begins, as the laws count it from their origin.
pub(super) fn moment(step: u64, origin: Time) -> Time {
    Time(exact(step) - origin.0)
}

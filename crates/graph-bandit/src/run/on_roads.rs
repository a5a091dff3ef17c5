//! A tape that also provides travel times, if they differ from the map.

use crate::clock::Time;
use crate::estimates::{Estimates, Sample};
use crate::field::Edge;
use crate::graph::NodeId;
use crate::raised::Raised;
use crate::random::Seed;
use crate::trajectory::Payer;
use crate::world::{OnTape, Tape, TapeKind, World};
use std::borrow::Borrow;
use std::collections::BTreeMap;

/// A world that pays from the tape of a run and provides travel times ([`World::with_travel`]).
#[derive(Debug, Clone)]
pub struct OnRoads<W> {
    tape: OnTape<W>,
    run: Seed,
    /// The number of drives along each road.
    made: BTreeMap<Edge, u64>,
}

impl<W: Borrow<World>> OnRoads<W> {
    /// This world in the run of this seed.
    pub fn new(world: W, run: Seed, kind: TapeKind) -> Self {
        let tape = OnTape::new(world, &Tape::of_kind(run, kind));
        Self { tape, run, made: BTreeMap::new() }
    }

    /// The same, after these numbers of drives along some roads.
    #[must_use]
    pub fn after(mut self, drives: impl IntoIterator<Item = (Edge, u64)>) -> Self {
        self.made = drives.into_iter().collect();
        self
    }

    /// When the moments of the laws begin; see [`OnTape::origin`].
    pub fn origin(&self) -> Time {
        self.tape.origin()
    }

    /// The world.
    pub fn world(&self) -> &World {
        self.tape.world()
    }

    /// How long the next drive along a road takes beyond the visit; `None` if it takes the map's
    /// time.
    pub fn drive_ahead(&self, road: Edge) -> Option<f64> {
        let world = self.world();
        let made = self.made.get(&road).copied().unwrap_or(0);
        Some(world.travel()?.drive(world.graph(), self.run, road, made))
    }
}

impl<W: Borrow<World>> Payer for OnRoads<W> {
    fn pay_once(&mut self, node: NodeId, at: Time, totals: &mut Estimates) -> Result<f64, Raised> {
        self.tape.pay_once(node, at, totals)
    }

    fn pay(
        &mut self,
        visits: (NodeId, u64),
        at: Time,
        totals: &mut Estimates,
        block: &mut Sample,
    ) -> Result<(), Raised> {
        self.tape.pay(visits, at, totals, block)
    }

    fn begin(&mut self, now: Time) {
        self.tape.begin(now);
    }

    fn pays_by_totals(&self, node: NodeId) -> bool {
        self.tape.pays_by_totals(node)
    }

    fn tells_times(&self) -> bool {
        self.world().travel().is_some()
    }

    fn travel(&mut self, road: Edge) -> Option<f64> {
        let time = self.drive_ahead(road)?;
        *self.made.entry(road).or_default() += 1;
        Some(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Graph, Road};
    use crate::{Law, Travel};

    #[test]
    fn drives_follow_the_run_in_order() {
        let roads = [(0, 1, 4.0), (1, 0, 2.0)].map(|(from, to, time)| Road { from, to, time });
        let graph = Graph::from_roads(2, roads).unwrap();
        let travel = Travel::noisy(0.5).unwrap();
        let world = World::new(graph, vec![Law::constant(1.0).unwrap(); 2]).unwrap();
        let mut still = OnRoads::new(&world, Seed(2), TapeKind::OneByOne);
        assert!(!still.tells_times() && still.travel((0, 1)).is_none());
        let world = world.clone().with_travel(travel.clone()).unwrap();
        let mut payer = OnRoads::new(&world, Seed(2), TapeKind::OneByOne);
        for k in 0..5 {
            let drive = Some(travel.drive(world.graph(), Seed(2), (0, 1), k));
            assert_eq!((payer.drive_ahead((0, 1)), payer.travel((0, 1))), (drive, drive));
        }
        let mut later = OnRoads::new(&world, Seed(2), TapeKind::OneByOne).after([((0, 1), 5)]);
        assert_eq!(later.travel((0, 1)), payer.travel((0, 1)));
        let other = travel.drive(world.graph(), Seed(2), (1, 0), 0);
        assert_eq!(payer.drive_ahead((1, 0)), Some(other));
    }
}

//! Bounds of the best walk if roads take fractions of a unit of time.
//!
//! Time is cut into cells of one unit. From below: of all walks that end a visit on a node within
//! a cell, the one that has collected most goes on, at its own exact time. From above: the walk that
//! goes on has collected as much as the richest of them, is as early as the earliest, may wait for
//! nothing, and earns the highest mean that its cell allows. Waiting makes an earlier walk at least
//! as good as a later one, so no real walk collects more.

use super::means_ahead::next_change;
use super::{Beginning, Bounds, ComparatorError};
use crate::clock::Time;
use crate::graph::NodeId;
use crate::reward::Course;
use crate::world::World;
use std::collections::VecDeque;

/// The walks that end a visit on one node within one cell.
#[derive(Debug, Clone, Copy)]
struct Arrivals {
    /// The richest real walk: what it has collected, and when it arrived.
    real: (f64, f64),
    /// What no walk exceeds, and the earliest moment of any.
    most: f64,
    earliest: f64,
}

const NONE: Arrivals = Arrivals {
    real: (f64::NEG_INFINITY, f64::INFINITY),
    most: f64::NEG_INFINITY,
    earliest: f64::INFINITY,
};

pub(super) fn planning_bounds(
    from: &Beginning<'_>,
    moments: &[u64],
    longest: f64,
) -> Result<Vec<Bounds>, ComparatorError> {
    let world = from.world;
    if world.timetable().is_none() && world.course() == Course::Changing {
        return Err(ComparatorError::OwnLawBetweenUnits);
    }
    let cells = longest.ceil() as usize + 3;
    let mut ahead = Ahead::new(world, from.time, cells);
    let here = &mut ahead.cells[0][from.at as usize];
    *here = Arrivals { real: (0.0, 0.0), most: 0.0, earliest: 0.0 };
    let mut bounds = Bounds { low: 0.0, high: 0.0 };
    let mut values = Vec::with_capacity(moments.len());
    let mut cell = 0;
    for &moment in moments {
        // Visits that end exactly at the moment are in its own cell, which has other walks, too.
        while cell < moment {
            let (low, high) = ahead.leave_cell(cell);
            bounds = Bounds { low: bounds.low.max(low), high: bounds.high.max(high) };
            cell += 1;
        }
        let (low, high) = ahead.ended_by(moment as f64);
        values.push(Bounds { low: bounds.low.max(low), high: bounds.high.max(high) });
    }
    Ok(values)
}

/// The arrivals in this cell and in the ones that roads can reach from it.
struct Ahead<'a> {
    world: &'a World,
    begin: Time,
    cells: VecDeque<Vec<Arrivals>>,
}

impl<'a> Ahead<'a> {
    fn new(world: &'a World, begin: Time, cells: usize) -> Self {
        let nodes = world.graph().len();
        Self { world, begin, cells: (0..cells).map(|_| vec![NONE; nodes]).collect() }
    }

    /// The most collected by arrivals in the current cell that end by this moment.
    fn ended_by(&self, moment: f64) -> (f64, f64) {
        let by = |at: f64, value: f64| if at <= moment { value } else { f64::NEG_INFINITY };
        let most = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        self.cells[0].iter().fold(most, |(low, high), arrivals| {
            let (collected, at) = arrivals.real;
            (low.max(by(at, collected)), high.max(by(arrivals.earliest, arrivals.most)))
        })
    }

    /// Lets the walks of the current cell go on; returns the most that they have collected.
    fn leave_cell(&mut self, cell: u64) -> (f64, f64) {
        let end = cell as f64 + 1.0;
        let found = self.ended_by(f64::INFINITY);
        let graph = self.world.graph();
        for node in graph.nodes() {
            let arrivals = self.cells[0][node as usize];
            if arrivals.most == f64::NEG_INFINITY {
                continue;
            }
            self.enter(cell, (node, 0.0), &arrivals);
            let roads = graph.roads().into_iter().flat_map(|_| graph.roads_from(node));
            for road in roads.collect::<Vec<_>>() {
                self.enter(cell, road, &arrivals);
            }
            // From above, a walk may wait where it is.
            let waits = &mut self.cells[1][node as usize];
            waits.most = waits.most.max(arrivals.most);
            waits.earliest = waits.earliest.min(end);
        }
        if let Some(mut left) = self.cells.pop_front() {
            left.fill(NONE);
            self.cells.push_back(left);
        }
        found
    }

    /// Walks of this cell enter a node by a road of this time.
    fn enter(&mut self, cell: u64, (node, time): (NodeId, f64), arrivals: &Arrivals) {
        let start = cell as f64;
        let (collected, at) = arrivals.real;
        if collected > f64::NEG_INFINITY {
            let visit = at + time;
            let value = collected + self.world.mean_at(node, self.begin.later(visit));
            let ends = visit + 1.0;
            let there = &mut self.cells[(ends - start) as usize][node as usize];
            if value > there.real.0 || (value == there.real.0 && ends < there.real.1) {
                there.real = (value, ends);
            }
            // A real walk is also a walk.
            there.most = there.most.max(value);
            there.earliest = there.earliest.min(ends);
        }
        let first = arrivals.earliest + time;
        let value = arrivals.most + self.highest_within(node, first, start + 1.0 + time);
        let ends = first + 1.0;
        let there = &mut self.cells[(ends - start) as usize][node as usize];
        there.most = there.most.max(value);
        there.earliest = there.earliest.min(ends);
    }

    /// The highest mean of a node from one moment until before another.
    fn highest_within(&self, node: NodeId, first: f64, until: f64) -> f64 {
        let end = self.begin.later(until).0;
        let mut at = self.begin.later(first);
        let mut highest = self.world.mean_at(node, at);
        loop {
            let next = next_change(self.world, node, at);
            if next >= end {
                return highest;
            }
            at = Time(next);
            highest = highest.max(self.world.mean_at(node, at));
        }
    }
}

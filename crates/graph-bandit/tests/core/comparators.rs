//! The three comparators of regret against every walk of tiny graphs.

use graph_bandit::run::comparator::{Beginning, Bounds, causal, free, planning};
use graph_bandit::{
    Change, ClosureRates, Closures, Course, Graph, Law, MAX_TRAVEL, NodeId, OwnLaw, Raised, Road,
    Season, Seed, Stream, Time, Timetable, World,
};
use std::sync::Arc;

/// The most that any walk of visits ending by `end` collects: every walk is tried.
fn most_of_any_walk(world: &World, (at, now): (NodeId, f64), begin: Time, end: f64) -> f64 {
    let graph = world.graph();
    // Where roads take time, a walk may still be on its way at the end.
    let mut most = if graph.roads().is_some() { 0.0 } else { f64::NEG_INFINITY };
    let mut has_step = false;
    for &next in graph.neighborhood(at) {
        let road = if next == at { 0.0 } else { graph.travel(at, next).unwrap_or(0.0) };
        let visit = now + road;
        if visit + 1.0 > end {
            continue;
        }
        has_step = true;
        let paid = world.mean_at(next, Time(begin.0 + visit));
        let later = most_of_any_walk(world, (next, visit + 1.0), begin, end);
        most = f64::max(most, paid + later);
    }
    if has_step { most } else { 0.0 }
}

fn table(whim: &mut Stream, nodes: usize) -> Timetable {
    if whim.below(4) == 0 {
        let season = |_| Season {
            mean: whim.unit() + 1.0,
            amplitude: whim.unit(),
            phase: (4.0 * whim.unit()).floor(),
        };
        return Timetable::of_seasons(&(0..nodes).map(season).collect::<Vec<_>>(), 4).unwrap();
    }
    let start: Vec<f64> = (0..nodes).map(|_| whim.unit()).collect();
    let mut at = 0.0;
    let changes = (0..5).map(|_| {
        at += [0.5, 1.0, 2.0][whim.below(3) as usize];
        Change { at, node: whim.below(nodes as u64) as NodeId, mean: whim.unit() }
    });
    let changes: Vec<Change> = changes.collect();
    Timetable::of_changes(&start, &changes).unwrap()
}

/// A ring of four with some extra roads; times are multiples of `unit`.
fn ring(whim: &mut Stream, unit: f64) -> Graph {
    let mut road = |from: NodeId, to| Road { from, to, time: unit * (4.0 * whim.unit()).floor() };
    let roads = [road(0, 1), road(1, 2), road(2, 3), road(3, 0), road(1, 0), road(0, 2)];
    Graph::from_roads(4, roads).unwrap()
}

fn changing(graph: Graph, table: Timetable) -> World {
    let laws = vec![Law::constant(0.5).unwrap(); graph.len()];
    World::new(graph, laws).unwrap().with_timetable(table).unwrap()
}

const MOMENTS: [u64; 4] = [1, 3, 6, 7];

/// Checks the order of the three, and returns the bounds and the true values of planning.
fn compared(world: &World, at: NodeId, time: Time) -> Vec<(Bounds, f64)> {
    let from = Beginning { world, at, time };
    let planned = planning(&from, &MOMENTS).unwrap();
    let (free, causal) = (free(&from, &MOMENTS), causal(&from, &MOMENTS).unwrap());
    let mut all = Vec::new();
    for (k, &moment) in MOMENTS.iter().enumerate() {
        let truth = most_of_any_walk(world, (at, 0.0), time, moment as f64);
        assert!(free[k] >= truth - 1e-12, "free {} below {truth}", free[k]);
        assert!(causal[k] <= truth + 1e-12, "causal {} above {truth}", causal[k]);
        all.push((planned[k], truth));
    }
    all
}

#[test]
fn on_whole_times_planning_is_the_best_of_all_walks() {
    let mut whim = Seed(11).stream();
    let mut strict = [0; 2];
    for round in 0..60 {
        let graph = match round % 3 {
            0 => Graph::line(4).unwrap(),
            1 => Graph::from_edges(5, [(0, 1), (1, 2), (2, 3), (3, 0), (2, 4)]).unwrap(),
            _ => ring(&mut whim, 1.0),
        };
        let nodes = graph.len();
        let world = changing(graph, table(&mut whim, nodes));
        let at = whim.below(nodes as u64) as NodeId;
        let time = Time(whim.below(3) as f64);
        for (bounds, truth) in compared(&world, at, time) {
            assert_eq!(bounds.low, bounds.high);
            assert!((bounds.low - truth).abs() < 1e-12, "{bounds:?} {truth}");
        }
        // The order is strict in many cases, or the test would show little.
        let from = Beginning { world: &world, at, time };
        let planned = planning(&from, &MOMENTS).unwrap()[3].low;
        strict[0] += i32::from(free(&from, &MOMENTS)[3] > planned + 1e-9);
        strict[1] += i32::from(planned > causal(&from, &MOMENTS).unwrap()[3] + 1e-9);
    }
    assert!(strict[0] > 30 && strict[1] > 10, "{strict:?}");
}

#[test]
fn on_other_times_planning_is_bracketed() {
    let mut whim = Seed(12).stream();
    let (mut width, mut value) = (0.0, 0.0);
    for _ in 0..60 {
        let graph = ring(&mut whim, 0.3);
        let table = table(&mut whim, 4);
        let world = changing(graph, table);
        for (bounds, truth) in compared(&world, whim.below(4) as NodeId, Time(0.0)) {
            assert!(bounds.low <= truth + 1e-12, "{bounds:?} {truth}");
            assert!(bounds.high >= truth - 1e-12, "{bounds:?} {truth}");
            width += bounds.high - bounds.low;
            value += truth;
        }
    }
    // Bounds that are far apart would say nothing.
    assert!(width < 0.5 * value, "{width} {value}");
}

#[test]
fn constant_means_need_no_timetable() {
    let laws = [0.2, 0.9, 0.4].map(|mean| Law::bernoulli(mean).unwrap());
    let world = World::new(Graph::line(3).unwrap(), laws.to_vec()).unwrap();
    let from = Beginning { world: &world, at: 2, time: Time::START };
    let (free, causal) = (free(&from, &[4]), causal(&from, &[4]).unwrap());
    assert!((free[0] - 3.6).abs() < 1e-12 && (causal[0] - 3.6).abs() < 1e-12);
    let planned = planning(&from, &[0, 4]).unwrap();
    assert_eq!(planned[0], Bounds { low: 0.0, high: 0.0 });
    assert!((planned[1].low - 3.6).abs() < 1e-12);
}

/// Your own law: rises with time.
#[derive(Debug)]
struct Rising(f64);

impl OwnLaw for Rising {
    fn draw(&self, _tape: Seed, _k: u64, at: Time) -> Result<f64, Raised> {
        Ok(self.mean(at))
    }

    fn mean(&self, at: Time) -> f64 {
        1.0 + self.0 * at.0
    }

    fn course(&self) -> Course {
        Course::Changing
    }

    fn variance(&self) -> f64 {
        0.0
    }

    fn sub_gaussian_scale(&self) -> f64 {
        0.0
    }
}

#[test]
fn your_own_laws_are_compared_on_whole_times() {
    let own = |rises| Law::own(Arc::new(Rising(rises))).unwrap();
    let mut whim = Seed(13).stream();
    for unit in [1.0, 0.3] {
        let graph = ring(&mut whim, unit);
        let laws = [0.1, -0.05, 0.3, 0.0].map(own).to_vec();
        let world = World::new(graph, laws).unwrap();
        let from = Beginning { world: &world, at: 0, time: Time(2.0) };
        if unit == 1.0 {
            for (bounds, truth) in compared(&world, 0, Time(2.0)) {
                assert!((bounds.low - truth).abs() < 1e-12, "{bounds:?} {truth}");
            }
        } else {
            let refused = planning(&from, &MOMENTS).unwrap_err().to_string();
            assert!(refused.contains("whole road times"), "{refused}");
        }
    }
}

#[test]
fn roads_that_are_not_as_mapped_are_refused() {
    let laws = vec![Law::constant(1.0).unwrap(); 3];
    let rates = ClosureRates::new(0.1, 0.1).unwrap();
    let world = World::new(Graph::line(3).unwrap(), laws).unwrap();
    let world = world.with_closures(Closures::All(rates)).unwrap();
    let from = Beginning { world: &world, at: 0, time: Time::START };
    for refused in [planning(&from, &[1]).unwrap_err(), causal(&from, &[1]).unwrap_err()] {
        assert!(refused.to_string().contains("measure it against free"), "{refused}");
    }
    let long = (0..300).map(|s| Road { from: s, to: (s + 1) % 300, time: MAX_TRAVEL });
    let laws = vec![Law::constant(1.0).unwrap(); 300];
    let world = World::new(Graph::from_roads(300, long).unwrap(), laws).unwrap();
    let from = Beginning { world: &world, at: 0, time: Time::START };
    let refused = planning(&from, &[1]).unwrap_err().to_string();
    assert!(refused.contains("does not fit into memory"), "{refused}");
}

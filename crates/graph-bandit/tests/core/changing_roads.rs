//! Roads that close and reopen at random, and drives whose times differ from the map.

use crate::support::agents::anywhere;
use graph_bandit::run::run_observed;
use graph_bandit::{
    AgentSpec, Checkpoint, ClosureRates, Closures, Course, Edge, Event, Graph, Init, Law, NodeId,
    Observer, Preset, Return, Road, RunPlan, RunRecord, Seed, Situation, Time, Travel, World, run,
};
use std::collections::{BTreeMap, BTreeSet};

fn roads(list: &[(NodeId, NodeId, f64)]) -> Vec<Road> {
    list.iter().map(|&(from, to, time)| Road { from, to, time }).collect()
}

fn constant(graph: Graph, means: &[f64]) -> World {
    let laws = means.iter().map(|&mean| Law::constant(mean).unwrap()).collect();
    World::new(graph, laws).unwrap()
}

/// A ring with chords: two-way edges, or roads that take time.
fn town(seed: u64, nodes: NodeId, by_road: bool) -> World {
    let mut whim = Seed(seed).stream();
    let mut list: Vec<_> = (0..nodes).map(|s| (s, (s + 1) % nodes)).collect();
    for _ in 0..nodes {
        list.push((whim.below(nodes.into()) as NodeId, whim.below(nodes.into()) as NodeId));
    }
    let graph = if by_road {
        let timed = list.iter().map(|&(from, to)| Road { from, to, time: 3.0 * whim.unit() });
        Graph::from_roads(nodes as usize, timed).unwrap()
    } else {
        Graph::from_edges(nodes as usize, list).unwrap()
    };
    let laws = (0..nodes).map(|_| {
        let mean = 1.0 + 4.0 * whim.unit();
        Law::uniform(mean - 0.5, mean + 0.5).unwrap()
    });
    let laws = laws.collect();
    World::new(graph, laws).unwrap()
}

fn all_closing(world: World, closing: f64, reopening: f64) -> World {
    world.with_closures(Closures::All(ClosureRates::new(closing, reopening).unwrap())).unwrap()
}

/// Records where the walker was when, and checks it against the true state of the roads.
struct Log<'a> {
    world: &'a World,
    run: Seed,
    /// Each visit: when the step to it began, when it ended, and its node.
    visits: Vec<(f64, f64, NodeId)>,
    last: f64,
    begin: Option<f64>,
}

impl<'a> Log<'a> {
    fn new(world: &'a World, run: Seed) -> Self {
        Self { world, run, visits: Vec::new(), last: 0.0, begin: None }
    }

    fn nodes(&self) -> Vec<NodeId> {
        self.visits.iter().map(|&(_, _, node)| node).collect()
    }
}

impl Observer for Log<'_> {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        let time = now.clock.now().0;
        match event {
            Event::Covered => {
                self.begin.get_or_insert(time);
            }
            Event::SetOut { to, .. } => {
                let road = (now.at, to);
                assert!(!self.world.is_closed(self.run, road, Time(time)), "{road:?} is closed");
            }
            Event::Visited(visit) => {
                for back in (0..visit.sample.count).rev() {
                    let end = time - back as f64;
                    self.visits.push((self.last, end, visit.node));
                    self.last = end;
                }
            }
            _ => {}
        }
    }
}

fn logged<'a>(world: &'a World, spec: &str, plan: &RunPlan, seed: Seed) -> (RunRecord, Log<'a>) {
    let mut agent = AgentSpec::parse(spec, Preset::Paper).unwrap().build(world.graph()).unwrap();
    let mut log = Log::new(world, seed);
    let record = run_observed(world, agent.as_mut(), plan, seed, &mut log).unwrap();
    (record, log)
}

/// From 0 to 1 by a closed road, or over 2 by roads that take `time` each.
fn detour(time: f64, reopening: f64) -> World {
    let ways = [(0, 1, 0.0), (1, 0, 0.0), (0, 2, time), (2, 1, time), (1, 2, time), (2, 0, time)];
    let graph = Graph::from_roads(3, roads(&ways)).unwrap();
    let closed = ClosureRates::new(0.0, reopening).unwrap().closed_at_start(1.0).unwrap();
    let closures = Closures::Some(BTreeMap::from([((0, 1), closed)]));
    constant(graph, &[0.5, 1.0, 0.25]).with_closures(closures).unwrap()
}

#[test]
fn a_walker_waits_if_that_is_faster_than_the_detour() {
    // It reopens at rate 0.25: the expected wait is 4, and the step then takes 1. The detour takes
    // 2 and its roads.
    for seed in (0..20).map(Seed) {
        let plan = RunPlan::new(0, 0);
        let costly = detour(2.0, 0.25);
        let (_, log) = logged(&costly, "g-ucb", &plan, seed);
        // A visit to 0 ends at 1, 2, 3, ..; the walker leaves if the road is open at that moment.
        let opens =
            (1..1000).find(|&t| !costly.is_closed(seed, (0, 1), Time(f64::from(t)))).unwrap();
        let mut expected = vec![0; opens as usize];
        expected.extend([1, 2]);
        assert_eq!(log.nodes(), expected, "waits: 5 is less than 6");

        let cheap = detour(1.0, 0.25);
        let (_, log) = logged(&cheap, "g-ucb", &plan, seed);
        let expected =
            if cheap.is_closed(seed, (0, 1), Time(1.0)) { vec![0, 2, 1] } else { vec![0, 1, 2] };
        assert_eq!(log.nodes(), expected, "takes the detour: 4 is less than 5");
    }
}

#[test]
fn planners_wait_or_take_the_detour_too() {
    // After covering, all agents are put back on 0 and want to be on 1: by a road that closes and
    // reopens, or by a detour.
    let rates = ClosureRates::new(0.5, 0.5).unwrap();
    for spec in ["g-ucb", "g-star", "direct-sp", "ucrl2", "g-moss", "g-klucb", "g-imed", "g-safe"] {
        let mut waits = 0;
        for seed in (0..10).map(Seed) {
            let closures = Closures::Some(BTreeMap::from([((0, 1), rates)]));
            // The expected wait is 2; the detour takes 40.
            let world = detour(20.0, 0.5).with_closures(closures).unwrap();
            let (_, log) = logged(&world, spec, &RunPlan::new(400, 1), seed);
            let begin = log.begin.unwrap();
            let window = log.visits.iter().filter(|&&(_, end, _)| end > begin);
            let first: Vec<NodeId> = window.map(|&(_, _, node)| node).collect();
            let waited = first.iter().take_while(|&&node| node == 0).count();
            assert_eq!(first.get(waited), Some(&1), "{spec}: never over 2");
            waits += waited;
        }
        assert!(waits > 0, "{spec}");
        for seed in (0..10).map(Seed) {
            // The expected wait is 10,000; the detour takes 4.
            let world = detour(1.0, 1e-4);
            let (_, log) = logged(&world, spec, &RunPlan::new(400, 1), seed);
            let begin = log.begin.unwrap();
            let mut window = log.visits.iter().filter(|&&(_, end, _)| end > begin);
            let first = window.find(|&&(_, _, node)| node != 0).unwrap();
            assert!(first.2 == 2 && first.0 - begin < 2.0, "{spec}: {first:?}");
        }
    }
}

#[test]
fn nodes_cut_off_for_good_cost_no_regret() {
    // A line whose best node is behind an edge that is never open.
    let never = ClosureRates::new(0.0, 0.0).unwrap().closed_at_start(1.0).unwrap();
    let closures = Closures::Some(BTreeMap::from([((3, 2), never)]));
    let world = constant(Graph::line(5).unwrap(), &[0.25, 1.0, 0.5, 2.0, 9.0]);
    let world = world.with_closures(closures).unwrap();
    for spec in anywhere(Preset::Paper) {
        let (record, log) = logged(&world, &spec.to_string(), &RunPlan::new(2000, 1), Seed(2));
        assert_eq!((record.visits[3], record.visits[4]), (0, 0), "{spec}");
        let gaps = [0.75, 0.0, 0.5];
        let regret: f64 = gaps.iter().zip(&record.visits).map(|(gap, &n)| gap * n as f64).sum();
        let point = record.checkpoints[0];
        assert!((point.regret - regret).abs() < 1e-9, "{spec}: {point:?} {regret}");
        assert!(log.nodes().iter().all(|&node| node < 3));
    }
}

#[test]
fn a_walker_in_a_closed_trap_makes_the_best_of_it() {
    // 0 and 1 pay little, 2 and 3 more; the edge in between sometimes closes for a long time.
    let rates = ClosureRates::new(0.01, 0.01).unwrap();
    let world = constant(Graph::line(4).unwrap(), &[0.5, 0.25, 0.0, 1.0]);
    let closures = Closures::Some(BTreeMap::from([((1, 2), rates)]));
    let world = world.with_closures(closures).unwrap();
    let mut cut_off = 0;
    for seed in (0..20).map(Seed) {
        let (record, log) = logged(&world, "g-ucb", &RunPlan::new(3000, 30), seed);
        // Estimates from one side are kept on the other: it reaches the best node and stays.
        assert!(record.visits[3] > 1500, "{:?}", record.visits);
        assert!(record.checkpoints.windows(2).all(|pair| pair[0].regret <= pair[1].regret + 1e-9));
        let begin = log.begin.unwrap();
        let window = log.visits.iter().filter(|&&(_, end, _)| end > begin);
        let window: Vec<_> = window.collect();
        let left = window.iter().filter(|&&&(_, _, node)| node < 2).count();
        cut_off += usize::from(left > 20 && left < window.len());
    }
    assert!(cut_off > 3, "{cut_off}");
}

/// The nodes that open roads lead to from one node.
fn reached(open: &[Edge], from: NodeId) -> BTreeSet<NodeId> {
    let mut reached = BTreeSet::from([from]);
    loop {
        let before = reached.len();
        reached.extend(
            open.iter().filter(|(a, _)| reached.contains(a)).map(|&(_, b)| b).collect::<Vec<_>>(),
        );
        if reached.len() == before {
            return reached;
        }
    }
}

/// The nodes that a walker can go to and come back from; if it cannot come back, the largest part
/// it can reach and the nodes on the way.
fn within_reach(open: &[Edge], place: NodeId) -> BTreeSet<NodeId> {
    let there = reached(open, place);
    let from: BTreeMap<NodeId, BTreeSet<NodeId>> =
        there.iter().map(|&node| (node, reached(open, node))).collect();
    let part = |node: NodeId| -> BTreeSet<NodeId> {
        from[&node].iter().copied().filter(|other| from[other].contains(&node)).collect()
    };
    let mut home = part(place);
    for &node in &there {
        let other = part(node);
        if other.len() > home.len() {
            home = other;
        }
    }
    there.into_iter().filter(|node| !from[node].is_disjoint(&home)).collect()
}

/// The sum of the best means within reach, unit by unit, minus the means of the visits that have
/// ended.
fn regret_by_definition(log: &Log<'_>, point: &Checkpoint, start: NodeId) -> f64 {
    let (world, begin) = (log.world, log.begin.unwrap());
    let map: Vec<Edge> = world.graph().all_roads().map(|road| (road.from, road.to)).collect();
    let visits: Vec<_> = log.visits.iter().filter(|&&(_, end, _)| end > begin).collect();
    let mut best = 0.0;
    for k in 0..point.t {
        let at = begin + k as f64;
        // Where it is, or where its current road leads.
        let there = visits.iter().find(|&&&(from, end, _)| from.max(begin) <= at && at < end);
        let last = visits.last().map_or(start, |&&(_, _, node)| node);
        let place = there.map_or(last, |&&(_, _, node)| node);
        let open: Vec<Edge> =
            map.iter().copied().filter(|&road| !world.is_closed(log.run, road, Time(at))).collect();
        let means = within_reach(&open, place).into_iter().map(|node| world.mean(node));
        best += means.fold(f64::NEG_INFINITY, f64::max);
    }
    let ended = visits.iter().filter(|&&&(_, end, _)| end - begin <= point.t as f64 + 1e-9);
    best - ended.map(|&&(_, _, node)| world.mean(node)).sum::<f64>()
}

#[test]
fn regret_is_measured_against_the_best_within_reach() {
    for (seed, by_road, (closing, reopening)) in [
        (1, false, (0.1, 0.2)),
        (2, true, (0.1, 0.2)),
        (3, true, (0.4, 0.1)),
        (4, false, (0.01, 0.0)),
    ] {
        let world = all_closing(town(seed, 9, by_road), closing, reopening);
        for spec in ["g-ucb", "g-star", "local-ts", "ql-eps"] {
            let plan = RunPlan { start: 2, ..RunPlan::new(120, 24) };
            let (record, log) = logged(&world, spec, &plan, Seed(seed));
            assert_eq!(record.checkpoints.len(), 24);
            let mut before = 0.0;
            for point in &record.checkpoints {
                let expected = regret_by_definition(&log, point, 2);
                assert!(
                    (point.regret - expected).abs() < 1e-6,
                    "{spec} on {seed} at {}: {} {expected}",
                    point.t,
                    point.regret
                );
                assert!(point.regret >= before - 5.0, "{spec}: {point:?}");
                before = point.regret;
            }
            let total = record.visits.iter().sum::<u64>();
            assert!(total > 30 && total <= 120, "{spec}: {total}");
        }
    }
}

#[test]
fn every_agent_continues_whatever_closes_and_however_long_drives_take() {
    for (seed, by_road) in [(11, false), (12, true)] {
        for (closing, reopening) in [(0.02, 0.1), (0.5, 0.2), (0.002, 0.0)] {
            let travel = Travel::noisy(0.7).unwrap();
            let world = all_closing(town(seed, 14, by_road), closing, reopening);
            let world = world.with_travel(travel).unwrap();
            for spec in anywhere(Preset::Paper) {
                for (init, back) in [
                    (Init::Lowest, Return::Jump),
                    (Init::DepthFirst, Return::Walk),
                    (Init::Tour, Return::Walk),
                    (Init::None, Return::Jump),
                ] {
                    let plan = RunPlan { init, back, start: 5, ..RunPlan::new(400, 4) };
                    let (record, log) = logged(&world, &spec.to_string(), &plan, Seed(seed));
                    let begin = log.begin.unwrap();
                    assert!(log.visits.iter().all(|&(_, end, _)| end <= begin + 400.0), "{spec}");
                    assert_eq!(record.checkpoints.len(), 4, "{spec}");
                    assert!(record.checkpoints[3].regret >= -1e-6, "{spec} {record:?}");
                }
            }
        }
    }
}

#[test]
fn the_same_run_whatever_the_checkpoints_and_pauses() {
    for by_road in [false, true] {
        let world = all_closing(town(21, 12, by_road), 0.05, 0.2);
        let world = world.with_travel(Travel::noisy(0.3).unwrap()).unwrap();
        for spec in anywhere(Preset::Paper) {
            let record = |count| {
                let mut agent = spec.build(world.graph()).unwrap();
                run(&world, agent.as_mut(), &RunPlan::new(500, count), Seed(2)).unwrap()
            };
            let (few, many) = (record(1), record(500));
            assert_eq!((&few.visits, few.init), (&many.visits, many.init), "{spec}");
            assert_eq!(few.checkpoints[0], many.checkpoints[499], "{spec}");
            let mut agent = spec.build(world.graph()).unwrap();
            let plan = RunPlan::new(500, 1);
            let mut run = graph_bandit::Run::new(&world, agent.as_mut(), &plan, Seed(2)).unwrap();
            while run.step(&mut ()).unwrap() == graph_bandit::Status::Going {}
            assert_eq!(run.into_record(), few, "{spec}");
        }
    }
}

/// Rates of zero change only the kind of run, not the measurements.
#[test]
fn roads_that_never_close_and_take_what_the_map_says() {
    let plain = town(31, 12, true);
    let closing =
        all_closing(plain.clone(), 0.0, 1.0).with_travel(Travel::noisy(0.0).unwrap()).unwrap();
    assert_eq!(closing.course(), Course::Constant);
    for spec in anywhere(Preset::Paper) {
        // A Q-learner with told times looks them up.
        let record = |world: &World| {
            let mut agent = spec.build(world.graph()).unwrap();
            run(world, agent.as_mut(), &RunPlan::new(600, 5), Seed(3)).unwrap()
        };
        let (one, other) = (record(&plain), record(&closing));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let regrets = one.checkpoints.iter().zip(&other.checkpoints);
        assert!(
            regrets.clone().all(|(a, b)| near(a.regret, b.regret)),
            "{spec}: {one:?} {other:?}"
        );
    }
}

/// The expected times of both roads, as of the last plan.
struct Last([f64; 2]);

impl Observer for Last {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        if let Event::Planned { .. } = event {
            self.0 = [(0, 1), (1, 0)].map(|(a, b)| now.graph.travel(a, b).unwrap());
        }
    }
}

#[test]
fn the_learned_mean_converges_to_the_truth() {
    let ways = [(0, 1, 4.0), (1, 0, 4.0)];
    let graph = Graph::from_roads(2, roads(&ways)).unwrap();
    let travel = Travel::noisy(0.5).unwrap().with_mean((1, 0), 1.5).unwrap();
    let world = constant(graph, &[1.0, 1.0]).with_travel(travel).unwrap();
    let mut agent = AgentSpec::parse("ql-eps:epsilon=1000", Preset::Paper)
        .unwrap()
        .build(world.graph())
        .unwrap();
    let mut last = Last([0.0; 2]);
    let plan = RunPlan::new(20_000, 1);
    let record = run_observed(&world, agent.as_mut(), &plan, Seed(4), &mut last).unwrap();
    assert!(record.visits[0] > 1000 && record.visits[1] > 1000, "{:?}", record.visits);
    assert!((last.0[0] - 4.0).abs() < 0.2 && (last.0[1] - 1.5).abs() < 0.1, "{:?}", last.0);
}

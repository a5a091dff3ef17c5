//! Worlds whose means follow a timetable: what is paid, and how regret is counted.

use graph_bandit::run::{Against, run, run_observed};
use graph_bandit::{
    AgentSpec, ClosureRates, Closures, Event, Graph, Law, NodeId, Observer, Preset, RewardSpec,
    Road, RunError, RunPlan, RunRecord, Season, Seed, Situation, Tape, TapeKind, Time, Timetable,
    World, WorldError,
};

const SEED: Seed = Seed(17);

/// Every visit: the node, when it began, what it paid, and whether it counts.
#[derive(Default)]
struct Diary {
    visits: Vec<(NodeId, f64, f64)>,
    begin: Option<f64>,
}

impl Observer for Diary {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Visited(visit) => {
                assert_eq!(visit.sample.count, 1);
                self.visits.push((visit.node, now.clock.now().0 - 1.0, visit.sample.sum));
            }
            Event::Covered => self.begin = Some(now.clock.now().0),
            _ => {}
        }
    }

    fn patience(&self) -> u64 {
        1
    }
}

fn rows() -> Timetable {
    let row = |from: f64, turn: usize| {
        let mut means: Vec<f64> = (0..12).map(|s| 0.5 + f64::from(s * 7 % 12)).collect();
        means.rotate_left(turn);
        (from, means)
    };
    Timetable::of_rows(&[row(0.0, 0), row(100.0, 5), row(250.5, 3), row(700.0, 8)]).unwrap()
}

fn seasons() -> Timetable {
    let season = |s: u32| Season { mean: 5.0, amplitude: 3.0, phase: f64::from(s * 11 % 40) };
    Timetable::of_seasons(&(0..12).map(season).collect::<Vec<_>>(), 40).unwrap()
}

fn world(graph: Graph, noise: &str, table: Timetable) -> World {
    let laws = noise.parse::<RewardSpec>().unwrap().laws(&[0.5; 12]).unwrap();
    World::new(graph, laws).unwrap().with_timetable(table).unwrap()
}

fn roads() -> Graph {
    let road = |(from, to)| Road { from, to, time: f64::from(from % 3) * 0.5 };
    let ways = (0..12).flat_map(|s| [(s, (s + 1) % 12), ((s + 1) % 12, s), (s, (s + 5) % 12)]);
    Graph::from_roads(12, ways.map(road)).unwrap()
}

fn recorded(world: &World, agent: &str, plan: &RunPlan) -> (RunRecord, Diary) {
    let mut agent = AgentSpec::parse(agent, Preset::Paper).unwrap().build(world.graph()).unwrap();
    let mut diary = Diary::default();
    let record = run_observed(world, agent.as_mut(), plan, SEED, &mut diary).unwrap();
    (record, diary)
}

#[test]
fn reward_k_of_a_node_keeps_its_luck() {
    for (noise, table) in [("uniform:0.5", rows()), ("gaussian:2", seasons())] {
        for graph in [Graph::grid(3, 4).unwrap(), roads()] {
            let spec: RewardSpec = noise.parse().unwrap();
            let world = world(graph, noise, table.clone());
            let (_, diary) = recorded(&world, "g-star", &RunPlan::new(1_000, 7));
            let begin = diary.begin.unwrap();
            let tape = Tape::new(SEED);
            let mut seen = [0; 12];
            for &(node, at, paid) in &diary.visits {
                let k = &mut seen[node as usize];
                // Before the window, the first means hold.
                let mean = table.mean(node, Time(at - begin));
                let law = spec.law(mean).unwrap();
                let luck = law.draw(tape.node(node), *k, Time::START).unwrap();
                assert!((paid - luck).abs() < 1e-12, "{noise} node {node} at {at}: {paid} {luck}");
                *k += 1;
            }
            assert!(seen.iter().all(|&visits| visits > 0) && diary.visits.len() > 600);
        }
    }
}

#[test]
fn regret_is_the_sum_over_visits_wherever_checkpoints_are() {
    for table in [rows(), seasons()] {
        for graph in [Graph::grid(3, 4).unwrap(), roads()] {
            let world = world(graph, "uniform:0.5", table.clone());
            for agent in ["g-star", "g-ucb", "ql-eps"] {
                let often = RunPlan { checkpoints: (1..=900).collect(), ..RunPlan::new(900, 1) };
                let (fine, diary) = recorded(&world, agent, &often);
                let (coarse, _) = recorded(&world, agent, &RunPlan::new(900, 3));
                let begin = diary.begin.unwrap();
                for point in &coarse.checkpoints {
                    let same = fine.checkpoints[point.t as usize - 1];
                    assert_eq!((point.regret, point.reward), (same.regret, same.reward), "{agent}");
                    let end = point.t as f64;
                    let best: f64 = (0..point.t).map(|unit| table.highest(Time(unit as f64))).sum();
                    let ended = diary
                        .visits
                        .iter()
                        .filter(|&&(_, at, _)| at >= begin && at - begin + 1.0 <= end);
                    let paid: f64 =
                        ended.map(|&(node, at, _)| table.mean(node, Time(at - begin))).sum();
                    assert!((point.regret - (best - paid)).abs() < 1e-8, "{agent} {point:?}");
                    assert!((point.realized_regret - (best - point.reward)).abs() < 1e-8);
                }
            }
        }
    }
}

#[test]
fn a_timetable_without_changes_is_the_world_itself() {
    let means: Vec<f64> = (0..12).map(|s| 0.5 + f64::from(s * 7 % 12)).collect();
    let constant = Timetable::of_rows(&[(0.0, means.clone())]).unwrap();
    for graph in [Graph::grid(3, 4).unwrap(), roads()] {
        let laws = "uniform:0.5".parse::<RewardSpec>().unwrap().laws(&means).unwrap();
        let still = World::new(graph, laws).unwrap();
        let timed = still.clone().with_timetable(constant.clone()).unwrap();
        for agent in ["g-star", "g-ucb", "local-ts"] {
            let plan = RunPlan::new(2_000, 4);
            let (a, _) = recorded(&still, agent, &plan);
            let (b, _) = recorded(&timed, agent, &plan);
            assert_eq!((&a.visits, &a.destinations), (&b.visits, &b.destinations));
            for (a, b) in a.checkpoints.iter().zip(&b.checkpoints) {
                assert_eq!(a.reward, b.reward);
                assert!((a.regret - b.regret).abs() < 1e-9 * a.regret.max(1.0));
            }
        }
    }
}

#[test]
fn regret_against_each_comparator_differs_by_their_values() {
    use graph_bandit::run::comparator::{Beginning, values};
    let world = world(Graph::grid(3, 4).unwrap(), "uniform:0.5", rows());
    let of = |against| recorded(&world, "g-star", &RunPlan { against, ..RunPlan::new(900, 3) }).0;
    let free = of(Against::Free);
    for against in [Against::Planning, Against::Causal] {
        let other = of(against);
        let from = Beginning { world: &world, at: 0, time: Time::START };
        let at = [300, 600, 900];
        let (best, value) =
            (values(Against::Free, &from, &at).unwrap(), values(against, &from, &at).unwrap());
        for k in 0..3 {
            let (a, b) = (free.checkpoints[k], other.checkpoints[k]);
            assert!((a.regret - b.regret - (best[k] - value[k])).abs() < 1e-8, "{against}");
            assert!(value[k] < best[k] && a.reward == b.reward);
            assert!(against != Against::Planning || b.regret >= 0.0);
        }
    }
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let table = rows();
    let timed = world(Graph::grid(3, 4).unwrap(), "gaussian:1", table.clone());
    let refused = |world: &World, plan: RunPlan| {
        let mut agent = AgentSpec::parse("g-star", Preset::Paper).unwrap().build(world.graph());
        run(world, agent.as_mut().unwrap().as_mut(), &plan, SEED).unwrap_err()
    };
    let plan = RunPlan { tape: TapeKind::Sums, ..RunPlan::new(10, 1) };
    let sums = refused(&timed, plan);
    assert_eq!(sums, RunError::SumsOverTime);
    assert!(sums.to_string().contains("one-by-one"));
    let closing =
        timed.clone().with_closures(Closures::All(ClosureRates::new(0.1, 0.1).unwrap())).unwrap();
    for against in [Against::Planning, Against::Causal] {
        let error = refused(&closing, RunPlan { against, ..RunPlan::new(10, 1) });
        assert!(error.to_string().contains("closures"), "{error}");
    }
    let bernoulli = vec![Law::bernoulli(0.5).unwrap(); 12];
    let still = World::new(Graph::grid(3, 4).unwrap(), bernoulli).unwrap();
    let error = still.clone().with_timetable(table.clone()).unwrap_err();
    assert!(error.to_string().contains("cannot have mean"), "{error}");
    let short = Timetable::of_rows(&[(0.0, vec![0.5; 3])]).unwrap();
    let error = still.with_timetable(short).unwrap_err();
    assert_eq!(error, WorldError::WrongTimetable { means: 3, nodes: 12 });
    // Roads that take time need a mean that makes visits worth more than travel, at all times.
    let sad = Timetable::of_rows(&[(0.0, vec![1.0; 12]), (5.0, vec![-1.0; 12])]).unwrap();
    let laws = vec![Law::constant(1.0).unwrap(); 12];
    let error = World::new(roads(), laws).unwrap().with_timetable(sad).unwrap_err();
    assert_eq!(error, WorldError::TravelPays { best_mean: -1.0 });
}

#[test]
fn closed_roads_and_changing_means_go_together() {
    let timed = world(Graph::grid(3, 4).unwrap(), "uniform:0.5", rows());
    let closing =
        timed.with_closures(Closures::All(ClosureRates::new(0.02, 0.1).unwrap())).unwrap();
    let (record, diary) = recorded(&closing, "g-star", &RunPlan::new(900, 3));
    let begin = diary.begin.unwrap();
    for &(node, at, paid) in &diary.visits {
        let mean = rows().mean(node, Time(at - begin));
        assert!((paid - mean).abs() <= 0.5 + 1e-12, "node {node} at {at}: {paid} {mean}");
    }
    assert!(record.checkpoints[2].regret > 0.0);
}

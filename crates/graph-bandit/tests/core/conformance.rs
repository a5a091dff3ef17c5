//! Properties of every agent, in both presets, on every kind of graph: only legal legs, the same
//! record for the same seed, and records that add up.

use crate::support::agents::anywhere;
use crate::support::trace::Trace;
use crate::support::worlds;
use graph_bandit::run::run_observed;
use graph_bandit::{
    Agent, AgentSpec, Init, Leg, LegError, NodeId, Preset, Raised, Return, RunError, RunPlan,
    RunRecord, Seed, Situation, Stream, World, run,
};

const GRAPHS: [&str; 14] = [
    "line:1",
    "line:2",
    "line:5",
    "circle:6",
    "star:6",
    "tree:7",
    "grid:3x3",
    "complete:5",
    "broom:8,4",
    "arkansas",
    "barbell:3,2",
    "erdos-renyi:9,0.4",
    "geometric:9,0.6",
    "small-world:9,4,0.3",
];
const REWARDS: [(&str, &str); 3] = [
    ("uniform:0.5", "uniform:0.5,9.5"),
    ("bernoulli", "uniform:0,1"),
    ("gaussian:1", "uniform:-1,1"),
];
const INITS: [Init; 4] = [Init::Lowest, Init::Nearest, Init::DepthFirst, Init::None];
const SEED: Seed = Seed(6);

fn every_spec() -> Vec<AgentSpec> {
    [Preset::Paper, Preset::Program].map(anywhere).concat()
}

fn execute(world: &World, spec: &AgentSpec, plan: &RunPlan, seed: Seed) -> (RunRecord, Trace) {
    let mut agent = spec.build(world.graph()).unwrap();
    let mut trace = Trace::default();
    let record = run_observed(world, &mut *agent, plan, seed, &mut trace).unwrap();
    trace.ends_cut = agent.cuts();
    (record, trace)
}

/// Every step follows an edge or stays, every leg has at least one visit, and each leg starts where
/// the last one ended.
fn assert_legal(world: &World, plan: &RunPlan, trace: &Trace, what: &str) {
    let edges: Vec<_> = world.graph().edges().collect();
    let mut at = plan.start;
    for ((from, leg), visits) in trace.legs.iter().zip(trace.visits_by_leg()) {
        assert_eq!(*from, at, "{what}");
        assert!(leg.path.len() as u64 + leg.stay > 0, "{what}: {leg:?}");
        for &to in &leg.path {
            let edge = (at.min(to), at.max(to));
            assert!(edges.contains(&edge), "{what}: {edge:?}");
            at = to;
        }
        // Less than planned if the agent cut the leg.
        at = visits.last().copied().unwrap_or(*from);
    }
}

/// Compares the record to sums over the trajectory, in node order so that they agree to the bit.
fn assert_adds_up(world: &World, plan: &RunPlan, (record, trace): &(RunRecord, Trace), what: &str) {
    let legs = trace.visits_by_leg();
    let destination = |m: usize| trace.legs[m].1.destination(trace.legs[m].0);
    let made: usize = legs.iter().map(Vec::len).sum();
    let steps = plan.steps as usize;
    let skip = plan.skip as usize;
    assert_eq!(record.overshoot as usize, made - skip - steps, "{what}");
    assert_eq!(record.visits.iter().sum::<u64>(), plan.steps, "{what}");

    // Each visit with the number of its leg.
    let visits = legs.iter().enumerate();
    let visits: Vec<(usize, NodeId)> = visits
        .flat_map(|(m, leg)| leg.iter().map(move |&node| (m, node)))
        .skip(skip)
        .take(steps)
        .collect();
    let nodes = world.graph().len();
    for point in &record.checkpoints {
        let (last, _) = visits[point.t as usize - 1];
        assert_eq!(point.legs, (last - visits[0].0 + 1) as u64, "{what}");
        assert_eq!(point.destination, destination(last), "{what}");
        let mut counts = vec![0_u64; nodes];
        for &(_, node) in &visits[..point.t as usize] {
            counts[node as usize] += 1;
        }
        let mut regret = 0.0;
        for (&count, gap) in counts.iter().zip(world.gaps()) {
            regret += gap * count as f64;
        }
        assert_eq!(point.regret.to_bits(), regret.to_bits(), "{what}");
        let best = point.t as f64 * world.best_mean();
        assert_eq!(point.realized_regret, best - point.reward, "{what}");
        if point.t == plan.steps {
            assert_eq!(record.visits, counts, "{what}");
        }
    }
    let mut destinations = vec![0; nodes];
    if let (Some((first, _)), Some((last, _))) = (visits.first(), visits.last()) {
        for m in *first..=*last {
            destinations[destination(m) as usize] += 1;
        }
    }
    assert_eq!(record.destinations, destinations, "{what}");
}

fn assert_initialized(world: &World, plan: &RunPlan, record: &RunRecord, trace: &Trace) {
    let Some(known) = &trace.before_first_leg else {
        assert_eq!(plan.steps, 0);
        return;
    };
    assert_eq!(record.init.steps, known.visits());
    if plan.init == Init::None {
        assert_eq!((record.init.steps, record.init.regret), (0, 0.0));
    } else {
        assert!(known.samples().iter().all(|sample| sample.count > 0));
    }
    if plan.init == Init::DepthFirst && plan.back == Return::Jump {
        assert!(record.init.steps < 2 * world.graph().len() as u64);
    }
}

#[test]
fn legs_are_legal_and_records_add_up() {
    for (i, graph) in GRAPHS.into_iter().enumerate() {
        let (noise, means) = REWARDS[i % REWARDS.len()];
        let world = worlds::world(graph, noise, means, Preset::Paper, SEED);
        let last = world.graph().len() as NodeId - 1;
        for (spec, init) in every_spec().iter().flat_map(|spec| INITS.map(|init| (spec, init))) {
            for (back, skip, start) in [
                (Return::Jump, 0, 0),
                (Return::Jump, 5, last),
                (Return::Walk, 0, last),
                (Return::Walk, 91, last / 2),
            ] {
                for steps in [0, 1, 2, 3, 7, 150] {
                    let plan = RunPlan { start, init, back, skip, ..RunPlan::new(steps, 9) };
                    let what = format!("{spec} on {graph}: {plan:?}");
                    let (record, trace) = execute(&world, spec, &plan, SEED);
                    assert_legal(&world, &plan, &trace, &what);
                    assert_initialized(&world, &plan, &record, &trace);
                    assert_adds_up(&world, &plan, &(record, trace), &what);
                }
            }
        }
    }
}

#[test]
fn walking_back_costs_one_step_per_hop() {
    let world = worlds::world("line:7", "uniform:0.5", "uniform:0,1", Preset::Paper, SEED);
    for spec in every_spec() {
        let steps = |back| {
            let plan = RunPlan { back, ..RunPlan::new(5, 1) };
            execute(&world, &spec, &plan, SEED).0.init.steps
        };
        assert_eq!((steps(Return::Jump), steps(Return::Walk)), (7, 13), "{spec}");
    }
}

#[test]
fn the_same_seed_gives_the_same_record_and_another_seed_another() {
    for graph in ["grid:3x3", "star:6", "erdos-renyi:9,0.4"] {
        let world = worlds::world(graph, "uniform:0.5", "uniform:0,1", Preset::Paper, SEED);
        for spec in every_spec() {
            for skip in [0, 60] {
                let plan = RunPlan { skip, ..RunPlan::new(400, 8) };
                let (record, trace) = execute(&world, &spec, &plan, Seed(1));
                let (again, trace_again) = execute(&world, &spec, &plan, Seed(1));
                assert_eq!((&record, &trace.legs), (&again, &trace_again.legs), "{spec}");
                let (other, _) = execute(&world, &spec, &plan, Seed(2));
                assert_ne!(record, other, "{spec}");
            }
        }
    }
}

#[test]
fn checkpoints_do_not_change_what_they_measure() {
    let steps = 500;
    for graph in ["line:5", "grid:3x3", "complete:5"] {
        let world = worlds::world(graph, "uniform:0.5", "uniform:0,1", Preset::Paper, SEED);
        for spec in every_spec() {
            for skip in [0, 60] {
                let last = |checkpoints: Vec<u64>| {
                    let plan = RunPlan { skip, checkpoints, ..RunPlan::new(steps, 0) };
                    let (record, _) = execute(&world, &spec, &plan, SEED);
                    let end = *record.checkpoints.last().unwrap();
                    let bits = [end.regret, end.reward, end.realized_regret].map(f64::to_bits);
                    (bits, end.legs, record.visits, record.destinations)
                };
                let once = last(vec![steps]);
                assert_eq!(once, last((1..=steps).collect()), "{spec}");
                assert_eq!(once, last(vec![1, 2, 99, 100, 477, steps]), "{spec}");
            }
        }
    }
}

/// Returns the same leg again and again.
struct Fixed(Leg);

impl Agent for Fixed {
    fn next_leg(&mut self, _: &Situation<'_>, _: &mut Stream, leg: &mut Leg) -> Result<(), Raised> {
        leg.clone_from(&self.0);
        Ok(())
    }
}

#[test]
fn illegal_legs_are_refused() {
    let world = worlds::world("line:4", "constant", "uniform:0,1", Preset::Paper, SEED);
    let answer = |path: &[NodeId], stay, plan: &RunPlan| {
        let mut agent = Fixed(Leg { path: path.to_vec(), stay });
        run(&world, &mut agent, plan, SEED).map(drop)
    };
    let plan = RunPlan::new(10, 1);
    assert_eq!(answer(&[], 1, &plan), Ok(()));
    assert_eq!(answer(&[], 0, &plan), Err(RunError::Leg(LegError::EmptyLeg { at: 0 })));
    let illegal = |from, to| Err(RunError::Leg(LegError::IllegalStep { from, to }));
    assert_eq!(answer(&[1, 3], 1, &plan), illegal(1, 3));
    assert_eq!(answer(&[9], 1, &plan), illegal(0, 9));
    let outside = RunPlan { start: 4, ..plan.clone() };
    let error = RunError::StartOutside { start: 4, last: 3 };
    assert_eq!(answer(&[], 1, &outside), Err(error));
    for (checkpoints, t, after) in
        [(vec![0], 0, 0), (vec![5, 5], 5, 5), (vec![5, 4], 4, 5), (vec![11], 11, 0)]
    {
        let plan = RunPlan { checkpoints, ..plan.clone() };
        let error = RunError::Checkpoint { t, after, steps: 10 };
        assert_eq!(answer(&[], 1, &plan), Err(error));
    }
}

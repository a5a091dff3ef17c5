//! The last window is measured on the same trajectory as the first, exactly like a run that skips
//! what the last leg overshoots.

use graph_bandit::{
    Agent, AgentSpec, Graph, Init, Leg, Preset, Raised, RunPlan, RunRecord, Seed, Situation,
    Stream, TapeKind, World, run,
};
use graph_bandit_lab::{
    Entrant, Jobs, LabError, MeansSource, RoadChanges, Study, Task, Watch, Window,
};
use graph_bandit_paper::LAST;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const NOISES: [(&str, &str); 3] = [
    ("uniform:0.5", "uniform:0.5,9.5"),
    ("bernoulli", "uniform:0,1"),
    ("gaussian:0.5", "uniform:0,3"),
];

fn study(agents: Vec<Entrant>, plan: RunPlan, noise: (&str, &str)) -> Study {
    Study {
        graph: Arc::new(Graph::grid(4, 4).unwrap()),
        agents,
        preset: Preset::Paper,
        means: MeansSource::Drawn(noise.1.parse().unwrap()),
        noise: noise.0.parse().unwrap(),
        plan,
        window: LAST,
        team: None,
        roads: RoadChanges::default(),
        runs: 2,
        seed: Seed(5),
    }
}

/// The regret of every run at every checkpoint of a record.
fn regrets(record: &RunRecord) -> Vec<f64> {
    record.checkpoints.iter().map(|point| point.regret).collect()
}

/// The last window of one run, by a second run of the same agent.
fn by_hand(
    world: &World,
    build: &dyn Fn() -> Box<dyn Agent + Send>,
    plan: &RunPlan,
    seed: Seed,
) -> RunRecord {
    let whole = run(world, build().as_mut(), plan, seed).unwrap();
    let skip = whole.overshoot;
    let last = run(world, build().as_mut(), &RunPlan { skip, ..plan.clone() }, seed).unwrap();
    assert_eq!(last.overshoot, 0, "the last leg is complete");
    assert_eq!(last.visits.iter().sum::<u64>(), plan.steps);
    last
}

#[test]
fn both_windows_equal_single_runs() {
    let mut overshoots = 0;
    for tape in [TapeKind::OneByOne, TapeKind::Sums] {
        for noise in NOISES {
            for preset in [Preset::Paper, Preset::Program] {
                for spec in AgentSpec::all(preset) {
                    let takes_any = spec.build(&Graph::line(3).unwrap()).is_ok();
                    if !takes_any {
                        continue;
                    }
                    let plan = RunPlan { tape, ..RunPlan::new(777, 9) };
                    let study = study(vec![spec.clone().into()], plan.clone(), noise);
                    let agent = &study.agents[0];
                    let both = study.regrets_in(&[Window::FIRST, LAST], agent, Jobs::All).unwrap();
                    for run in 0..study.runs {
                        let what = format!("{spec} with {noise:?}, run {run}");
                        let (world, seed) = (study.world(run).unwrap(), study.run_seed(run));
                        let build = || agent.build(&world, seed).unwrap();
                        let first =
                            graph_bandit::run(&world, build().as_mut(), &plan, seed).unwrap();
                        let last = by_hand(&world, &build, &plan, seed);
                        assert_eq!(both[0][run as usize], regrets(&first), "{what}");
                        assert_eq!(both[1][run as usize], regrets(&last), "{what}");
                        // Measured alone it is the same, with everything else recorded.
                        let alone = study.run_once(agent, run).unwrap();
                        assert_eq!(alone.checkpoints, last.checkpoints, "{what}");
                        assert_eq!(alone.init, first.init, "{what}");
                        assert_eq!(alone.overshoot, first.overshoot, "{what}");
                        overshoots += u64::from(first.overshoot > 0);
                    }
                }
            }
        }
    }
    assert!(overshoots > 100, "{overshoots}");
}

/// Returns the same leg again and again.
struct Fixed(Leg);

impl Agent for Fixed {
    fn next_leg(&mut self, _: &Situation<'_>, _: &mut Stream, leg: &mut Leg) -> Result<(), Raised> {
        leg.clone_from(&self.0);
        Ok(())
    }
}

fn fixed(stay: u64) -> Entrant {
    Entrant::own("fixed", move |_, _| Ok(Box::new(Fixed(Leg { path: Vec::new(), stay })) as _))
}

#[test]
fn a_leg_without_end_is_refused() {
    let plan = RunPlan { init: Init::None, ..RunPlan::new(50, 5) };
    let long = study(vec![fixed(1_000)], plan.clone(), NOISES[0]);
    assert_eq!(long.run_once(&long.agents[0], 0).unwrap().overshoot, 950);
    let endless = study(vec![fixed(u64::MAX)], plan, NOISES[0]);
    let refused = endless.run_once(&endless.agents[0], 0).unwrap_err().to_string();
    assert!(refused.contains("has no end; the last window needs complete legs"), "{refused}");
    let first = Study { window: Window::FIRST, ..endless };
    assert!(first.run_once(&first.agents[0], 0).is_ok());
}

/// Both the run and the walk that measures it again end when asked.
#[test]
fn it_can_be_stopped() {
    let agents = Entrant::parse_list("g-ucb", Preset::Paper).unwrap();
    let study = study(agents, RunPlan::new(1 << 40, 1), NOISES[0]);
    let stop = AtomicBool::new(false);
    let stopped = std::thread::scope(|scope| {
        let made = scope.spawn(|| {
            let watch = Watch { tick: &|| {}, stop: &stop };
            study.execute_tasks(&[Task { agent: 0, run: 0 }], Jobs::All, watch)
        });
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        made.join().unwrap()
    });
    assert_eq!(stopped, Err(LabError::Interrupted));
    // After this many looks it is on the second walk.
    let plan = RunPlan { init: Init::None, ..RunPlan::new(50, 5) };
    let long = self::study(vec![fixed(30)], plan.clone(), NOISES[0]);
    let (world, seed) = (long.world(0).unwrap(), long.run_seed(0));
    let legs = [Leg { path: Vec::new(), stay: 30 }, Leg { path: Vec::new(), stay: 30 }];
    let record = run(&world, &mut Fixed(legs[0].clone()), &plan, seed).unwrap();
    let made = graph_bandit_lab::window::FinishedRun {
        world: &world,
        plan: &plan,
        seed,
        record: &record,
        legs: &legs,
    };
    let graph_bandit_lab::window::Measure::Afterwards(measure) = LAST.entry().measure else {
        panic!("the last window is known only afterwards")
    };
    assert!(measure(&made, &[&AtomicBool::new(false)]).is_ok());
    let stopped = measure(&made, &[&AtomicBool::new(false), &AtomicBool::new(true)]);
    assert_eq!(stopped, Err(graph_bandit::RunError::Stopped));
}

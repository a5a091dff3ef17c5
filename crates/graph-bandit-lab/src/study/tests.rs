//! Studies give the same bits on any number of threads, with other agents or alone, whole or in
//! parts.

use super::*;
use graph_bandit::AgentSpec;
use std::sync::atomic::Ordering;

pub(crate) fn study() -> Study {
    Study {
        graph: Arc::new(Graph::grid(4, 4).unwrap()),
        agents: Entrant::parse_list("g-ucb,local-ts,ql-eps", Preset::Paper).unwrap(),
        preset: Preset::Paper,
        means: MeansSource::Drawn("uniform:0.5,9.5".parse().unwrap()),
        noise: "uniform:0.5".parse().unwrap(),
        plan: RunPlan::new(500, 5),
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team: None,
        runs: 7,
        seed: Seed(3),
    }
}

/// A record without the clock.
fn bits(record: StudyRecord) -> Vec<(String, Vec<Vec<Checkpoint>>)> {
    let runs = |agent: AgentRecord| {
        (agent.label, agent.runs.into_iter().map(|run| run.checkpoints).collect())
    };
    record.agents.into_iter().map(runs).collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let study = study();
    let one = bits(study.execute(Jobs::Exactly(1), &|| {}).unwrap());
    for jobs in [Jobs::Exactly(2), Jobs::Exactly(5), Jobs::Exactly(usize::MAX), Jobs::All] {
        assert_eq!(bits(study.execute(jobs, &|| {}).unwrap()), one);
    }
}

#[test]
fn runs_do_not_depend_on_the_other_agents() {
    let all = bits(study().execute(Jobs::All, &|| {}).unwrap());
    let mut alone = study();
    alone.agents = vec![alone.agents[2].clone()];
    assert_eq!(bits(alone.execute(Jobs::All, &|| {}).unwrap())[0], all[2]);
}

#[test]
fn your_own_agent_runs_beside_the_others() {
    let mut with = study();
    let spec = AgentSpec::parse("local-ts", Preset::Paper).unwrap();
    with.agents.push(Entrant::own("mine", move |graph, _| Ok(spec.build(graph)?)));
    let record = bits(with.execute(Jobs::All, &|| {}).unwrap());
    assert_eq!(record[3].0, "mine");
    // The same algorithm on the same tapes under another name.
    assert_eq!(record[3].1, record[1].1);
    with.agents.push(Entrant::own("broken", |_, _| Err(Raised::new("no such table"))));
    let error = with.execute(Jobs::All, &|| {}).unwrap_err().to_string();
    assert!(error.ends_with("of broken: no such table"), "{error}");
    with.agents[4] = Entrant::own("mine", |_, _| Err(Raised::new("unused")));
    let error = with.execute(Jobs::All, &|| {}).unwrap_err().to_string();
    assert_eq!(error, "agents: mine is named twice");
}

#[test]
fn tasks_are_parts_of_the_study_and_can_be_stopped() {
    let study = study();
    let whole = bits(study.execute(Jobs::All, &|| {}).unwrap());
    let stop = AtomicBool::new(false);
    let tasks = [Task { agent: 2, run: 5 }, Task { agent: 0, run: 1 }];
    let watch = Watch { tick: &|| {}, stop: &stop };
    let parts = study.execute_tasks(&tasks, Jobs::All, watch).unwrap();
    assert_eq!(parts[0].checkpoints, whole[2].1[5]);
    assert_eq!(parts[1].checkpoints, whole[0].1[1]);
    // Stopped by the watcher, midway.
    let tick = || stop.store(true, Ordering::Relaxed);
    let many: Vec<Task> = (0..7).map(|run| Task { agent: 0, run }).collect();
    let stopped = study.execute_tasks(&many, Jobs::Exactly(1), Watch { tick: &tick, stop: &stop });
    assert_eq!(stopped, Err(LabError::Interrupted));
    let endless = Study { plan: RunPlan::new(1 << 40, 1), ..study };
    let stopped = std::thread::scope(|scope| {
        stop.store(false, Ordering::Relaxed);
        let made = scope.spawn(|| {
            endless.execute_tasks(&[tasks[0]], Jobs::All, Watch { tick: &|| {}, stop: &stop })
        });
        stop.store(true, Ordering::Relaxed);
        made.join().unwrap()
    });
    assert_eq!(stopped, Err(LabError::Interrupted));
}

#[test]
fn mistakes_are_named_before_the_first_run() {
    let message = |change: fn(&mut Study)| {
        let mut study = study();
        change(&mut study);
        study.execute(Jobs::All, &|| panic!("no run was to be made")).unwrap_err().to_string()
    };
    assert!(message(|s| s.plan.start = 16).contains("start: 16 is outside the graph"));
    assert!(message(|s| s.runs = 0).contains("runs: 0 runs"));
    assert!(message(|s| s.agents.clear()).contains("agents: name at least one"));
    assert!(message(|s| s.plan.steps = u64::MAX).contains("the limit is 9007199254740992"));
    assert!(message(|s| s.plan.steps = 0).contains("steps: 0 steps"));
    assert!(message(|s| s.agents.push(s.agents[1].clone())).contains("local-ts is named twice"));
    let bernoulli = message(|s| s.noise = "bernoulli".parse().unwrap());
    assert!(bernoulli.contains("9.5") && bernoulli.contains("from 0 to 1"), "{bernoulli}");
}

#[test]
fn the_oracle_does_best_and_every_run_reports_its_best_node() {
    let mut with = study();
    with.agents.insert(0, Entrant::Oracle);
    with.agents.push(Entrant::parse("random", Preset::Paper).unwrap());
    let record = with.execute(Jobs::All, &|| {}).unwrap();
    assert_eq!(record.agents[0].label, "oracle");
    for run in 0..7 {
        let world = with.world(run as u64).unwrap();
        let regrets: Vec<f64> = record.agents.iter().map(|agent| agent.regrets(4)[run]).collect();
        assert!(regrets[1..].iter().all(|&other| other >= regrets[0] - 1e-9), "{regrets:?}");
        for agent in &record.agents {
            let found = agent.runs[run].best.unwrap();
            assert_eq!(found.is_true, world.gap(found.best.node.node) == 0.0);
            assert!((found.noise_scale - 0.5).abs() < 1e-12 && found.best.unvisited == 0);
        }
        // A node seen once may have been lucky; the interval of the best-looking node still holds.
        let best = record.agents[0].runs[run].best.unwrap().best.node;
        let mean = world.mean(best.node);
        assert!(best.low() < mean && mean < best.high());
    }
    let summary = crate::StudySummary::of(&with, &record);
    let best = summary.agents[0].best.as_ref().unwrap();
    let right = |agent: &AgentRecord| agent.runs.iter().filter(|r| r.best.unwrap().is_true).count();
    assert_eq!(best.runs_right, right(&record.agents[0]) as u64);
    assert!(best.runs_right >= 5 && best.runs_right >= best.runs_settled);
    assert_eq!((best.confidence, &best.first), (0.95, &None));
    let fixed = Study { means: MeansSource::parse("needle:2,2", "".as_ref()).unwrap(), ..with };
    let record = fixed.execute(Jobs::All, &|| {}).unwrap();
    let summary = crate::StudySummary::of(&fixed, &record);
    let best = summary.agents[0].best.as_ref().unwrap();
    // All nodes are equally good, so none is settled.
    assert_eq!((best.runs_right, best.runs_settled), (7, 0));
    let first = best.first.as_ref().unwrap();
    assert!(!first.settled && first.best.interval[0] < 2.0 && 2.0 < first.best.interval[1]);
}

#[test]
fn sums_that_change_nothing_are_told() {
    let mut study = study();
    assert_eq!(study.useless_sums(), None);
    study.plan.tape = TapeKind::Sums;
    let told = study.useless_sums().unwrap();
    assert!(told.starts_with("tape sums draws nothing at once with noise uniform:0.5"), "{told}");
    for noise in ["gaussian:1", "uniform:0.5|gaussian:1"] {
        study.noise = noise.parse().unwrap();
        assert_eq!(study.useless_sums(), None, "{noise}");
    }
}

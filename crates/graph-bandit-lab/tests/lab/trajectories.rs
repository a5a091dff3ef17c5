//! Every visit in a file: the rows add up to the study's measurements.

use graph_bandit::{AgentSpec, Graph, Preset, Return, RunPlan, Seed};
use graph_bandit_lab::{
    Entrant, Jobs, MeansSource, RoadChanges, Starts, Study, TeamStudy, Watch, Window,
};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn study(graph: Graph, back: Return) -> Study {
    let agent = |text| Entrant::Named(AgentSpec::parse(text, Preset::Paper).unwrap());
    Study {
        graph: Arc::new(graph),
        agents: vec![agent("g-ucb"), agent("local-ts")],
        preset: Preset::Paper,
        means: MeansSource::parse("uniform:0,1", Path::new("")).unwrap(),
        noise: "bernoulli".parse().unwrap(),
        plan: RunPlan { back, start: 1, ..RunPlan::new(70, 7) },
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team: None,
        runs: 5,
        seed: Seed(4),
    }
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn write(study: &Study, path: &Path, jobs: usize) -> u64 {
    let ticks = AtomicU64::new(0);
    let tick = || {
        ticks.fetch_add(1, Ordering::Relaxed);
    };
    let watch = Watch { tick: &tick, stop: &AtomicBool::new(false) };
    study.write_trajectories(path, Jobs::Exactly(jobs), watch).unwrap();
    ticks.into_inner()
}

#[test]
fn rows_add_up_to_the_study_and_threads_do_not_matter() {
    let line = || {
        let names = ["hall", "yard", "barn", "attic"].map(str::to_owned).to_vec();
        let edges = [(0, 1), (1, 2), (2, 3)];
        Graph::from_edges(4, edges).unwrap().with_names(names).unwrap()
    };
    for back in [Return::Jump, Return::Walk] {
        let study = study(line(), back);
        let (one, three) = (file("one.parquet"), file("three.parquet"));
        assert_eq!(write(&study, &one, 1), 10);
        write(&study, &three, 3);
        assert_eq!(fs::read(&one).unwrap(), fs::read(&three).unwrap());
        let record = study.execute(Jobs::Exactly(1), &|| {}).unwrap();
        let reader = SerializedFileReader::new(File::open(&one).unwrap()).unwrap();
        assert_eq!(reader.num_row_groups(), 10);
        let mut rewards = [[0.0; 5]; 2];
        let mut counted = 0;
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            let run = usize::try_from(row.get_long(0).unwrap()).unwrap();
            let agent = study
                .agents
                .iter()
                .position(|agent| agent.label(Preset::Paper) == *row.get_string(1).unwrap());
            let (t, leg) = (row.get_double(2).unwrap(), row.get_long(5).unwrap());
            assert!(
                ["hall", "yard", "barn", "attic"].contains(&row.get_string(3).unwrap().as_str())
            );
            let phase = row.get_string(6).unwrap().as_str();
            assert_eq!(phase, if t > 0.0 { "learn" } else { "cover" });
            assert_eq!(leg > 0, t > 0.0);
            if t > 0.0 {
                counted += 1;
                rewards[agent.unwrap()][run] += row.get_double(4).unwrap();
            }
        }
        assert_eq!(counted, 2 * 5 * 70);
        for (agent, sums) in record.agents.iter().zip(rewards) {
            let paid = agent.runs.iter().map(|run| run.checkpoints[6].reward);
            assert_eq!(paid.collect::<Vec<f64>>(), sums);
        }
    }
}

#[test]
fn a_stopped_run_leaves_no_file() {
    let study = study(Graph::from_edges(2, [(0, 1)]).unwrap(), Return::Jump);
    let path = file("stopped.parquet");
    let watch = Watch { tick: &|| {}, stop: &AtomicBool::new(true) };
    let stopped = study.write_trajectories(&path, Jobs::Exactly(1), watch);
    assert_eq!(stopped, Err(graph_bandit_lab::LabError::Interrupted));
    assert!(!path.exists() && !file("stopped.parquet.part").exists());
}

#[test]
fn only_a_walker_alone_is_recorded() {
    let mut study = study(Graph::from_edges(2, [(0, 1)]).unwrap(), Return::Jump);
    let alone = study.record(&study.agents[0], 2, &AtomicBool::new(false)).unwrap();
    study.team = Some(TeamStudy { starts: Starts::Nodes(vec![1]), ..TeamStudy::of(1) });
    study.check_trajectories().unwrap();
    let team_of_one = study.record(&study.agents[0], 2, &AtomicBool::new(false));
    assert_eq!(team_of_one, Ok(alone));
    study.team = Some(TeamStudy::of(2));
    let refused = study.check_trajectories().unwrap_err().to_string();
    assert!(refused.contains("only walkers alone can be recorded"), "{refused}");
    assert!(study.record(&study.agents[0], 2, &AtomicBool::new(false)).is_err());
}

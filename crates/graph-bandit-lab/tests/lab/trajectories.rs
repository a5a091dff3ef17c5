//! Every visit in a file: the rows add up to the study's measurements.

use graph_bandit::team::Draws;
use graph_bandit::{AgentSpec, Graph, Preset, RegretFrom, Return, Road, RunPlan, Seed};
use graph_bandit_lab::{
    Entrant, Jobs, MeansSource, RoadChanges, ShareSource, Starts, Study, TeamStudy, Watch, Window,
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
fn a_team_of_one_is_recorded_as_a_walker_alone() {
    let mut study = study(Graph::from_edges(2, [(0, 1)]).unwrap(), Return::Jump);
    let alone = study.record(&study.agents[0], 2, &AtomicBool::new(false)).unwrap();
    assert!(study.record_team(&study.agents[0], 2, &AtomicBool::new(false)).is_err());
    study.team = Some(TeamStudy { starts: Starts::Nodes(vec![1]), ..TeamStudy::of(1) });
    study.check_trajectories().unwrap();
    let team_of_one = study.record(&study.agents[0], 2, &AtomicBool::new(false));
    assert_eq!(team_of_one, Ok(alone));
    study.team = Some(TeamStudy::of(2));
    let refused = study.record(&study.agents[0], 2, &AtomicBool::new(false)).unwrap_err();
    assert!(refused.to_string().contains("several walkers are recorded as a team"), "{refused}");
    study.plan.steps = 15_000_000;
    let refused = study.check_trajectories().unwrap_err().to_string();
    assert!(refused.contains("30000000 visits per run are too many"), "{refused}");
}

/// One row of the file of a team.
struct Visit {
    agent: String,
    run: i64,
    walker: i64,
    t: i64,
    node: u32,
    reward: f64,
    draw: f64,
    leg: i64,
    is_cover: bool,
}

fn visits(path: &Path) -> Vec<Visit> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let row = |row: Result<parquet::record::Row, parquet::errors::ParquetError>| {
        let row = row.unwrap();
        Visit {
            run: row.get_long(0).unwrap(),
            agent: row.get_string(1).unwrap().clone(),
            walker: row.get_long(2).unwrap(),
            t: row.get_double(3).unwrap() as i64,
            node: row.get_string(4).unwrap().parse().unwrap(),
            reward: row.get_double(5).unwrap(),
            draw: row.get_double(6).unwrap(),
            leg: row.get_long(7).unwrap(),
            is_cover: row.get_string(8).unwrap() == "cover",
        }
    };
    reader.get_row_iter(None).unwrap().map(row).collect()
}

fn roads() -> Graph {
    let road = |from, to, time| Road { from, to, time };
    let ring = [(0, 1, 0.0), (1, 2, 1.5), (2, 3, 0.0), (3, 4, 2.0), (4, 0, 0.0)];
    let both = ring.iter().flat_map(|&(a, b, time)| [road(a, b, time), road(b, a, time)]);
    Graph::from_roads(5, both).unwrap()
}

/// The rows of a team against the study and against what the rows themselves say.
#[test]
fn rows_of_teams_add_up_to_the_study() {
    let team = |text| Entrant::parse_for_team(text, Preset::Paper, 3).unwrap();
    for graph in [Graph::grid(3, 4).unwrap(), roads()] {
        for (draws, regret_from) in
            [(Draws::One, RegretFrom::Start), (Draws::Own, RegretFrom::Cover)]
        {
            let mut study = study(graph.clone(), Return::Jump);
            study.agents = ["g-star", "multi-g-ucb", "g-ucb"].map(team).to_vec();
            study.plan.regret_from = regret_from;
            let share = ShareSource::parse("log:0.7", Path::new("")).unwrap();
            study.team = Some(TeamStudy { draws, share, ..TeamStudy::of(3) });
            study.check_trajectories().unwrap();
            let path = file(&format!("team-{}-{draws}.parquet", graph.len()));
            assert_eq!(write(&study, &path, 2), 15);
            let record = study.execute(Jobs::Exactly(1), &|| {}).unwrap();
            let visits = visits(&path);
            for (agent, measured) in study.agents.iter().zip(&record.agents) {
                let label = agent.label(Preset::Paper);
                for (run, measured) in measured.runs.iter().enumerate() {
                    let of_run = |visit: &&Visit| {
                        visit.agent == label && visit.run == (run as u64).cast_signed()
                    };
                    let rows: Vec<&Visit> = visits.iter().filter(of_run).collect();
                    check_team_rows(&study, &rows);
                    let counted = rows.iter().filter(|row| row.t > 0);
                    let paid: f64 = counted.clone().map(|row| row.reward).sum();
                    assert!((paid - measured.checkpoints[6].reward).abs() < 1e-9, "{label}");
                    assert_eq!(counted.map(|row| row.t).max(), Some(70));
                    let before = rows.iter().filter(|row| row.t <= 0).map(|row| row.t).min();
                    // Without a step before the window, the first row has t = 1.
                    assert_eq!(before.map_or(0, |t| 1 - t), measured.init.steps.cast_signed());
                    if regret_from == RegretFrom::Cover {
                        assert!(rows.iter().all(|row| row.is_cover == (row.t <= 0)));
                    }
                }
            }
        }
    }
}

/// Walkers go along roads, and shares are paid by how many are there.
fn check_team_rows(study: &Study, rows: &[&Visit]) {
    let team = study.team.as_ref().unwrap();
    let sharing = team.share.sharing(3, study.graph.len()).unwrap();
    let mut seen = vec![false; study.graph.len()];
    for group in rows.chunk_by(|a, b| a.t == b.t) {
        assert!(group.is_sorted_by_key(|row| row.walker) && group.len() <= 3);
        let is_cover = seen.contains(&false);
        for row in group {
            let there: Vec<&&Visit> = group.iter().filter(|other| other.node == row.node).collect();
            let part = sharing.multiple(row.node, there.len()) / there.len() as f64;
            assert_eq!(row.reward, part * row.draw);
            if team.draws == Draws::One {
                assert!(there.iter().all(|other| other.draw == row.draw));
            }
            assert_eq!(row.is_cover, is_cover);
            seen[row.node as usize] = true;
        }
    }
    for walker in 0..3 {
        let own = || rows.iter().filter(|row| row.walker == walker);
        for (before, after) in own().zip(own().skip(1)) {
            assert!(study.graph.allows(before.node, after.node));
            let road = study.graph.travel(before.node, after.node).unwrap_or(0.0).ceil() as i64;
            let road = if before.node == after.node { 0 } else { road };
            assert_eq!(after.t - before.t, 1 + road, "walker {walker}");
            assert!([0, 1].contains(&(after.leg - before.leg)));
        }
        assert_eq!(own().next().unwrap().leg, 1);
    }
}

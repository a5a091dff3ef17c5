//! Study files with teams: the same numbers however they are made, and mistakes named by their key.

use crate::scratch;
use graph_bandit_lab::Jobs;
use graph_bandit_lab::campaign::{Block, Campaign, End, Presets, Progress, Shard, Store, execute};
use graph_bandit_lab::study_file::StudyFile;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const STUDY: &str = "
name = 'teams'
title = 'Teams'
steps = 200
runs = 45
checkpoints = 4
means = 'uniform:0.25,0.75'
noise = 'gaussian:0.1'
walkers = 3
share = 'log:0.5'
agents = ['g-star', 'multi-g-ucb:until=median', 'g-ucb']
[[cases]]
graph = 'grid:3x3'
[[cases]]
title = 'shares by node'
graph = 'line:4'
walkers = 'walkers.csv'
share = 'file:shares.csv'
draws = 'own'
seats = 2
agents = ['multi-g-ucb']
[[cases]]
graph = 'star:6'
walkers = 2
starts = [0, 3]
agents = ['comb-ucb']
";

fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("walkers.csv"), "start,speed\n0,1\n3,1\n").unwrap();
    fs::write(folder.join("shares.csv"), "1,1.5\n1,1\n1,2\n1,1.2\n").unwrap();
    folder
}

fn parse(text: &str) -> StudyFile {
    StudyFile::parse(text, Path::new("teams.toml")).unwrap()
}

fn campaign(base: &Path) -> Campaign {
    Campaign::new(vec![parse(STUDY)], Presets::Own, base.to_owned()).unwrap()
}

fn contents(store: &Store, campaign: &Campaign) -> Vec<Vec<u64>> {
    let bits = |block| store.get(block).unwrap().into_iter().map(f64::to_bits).collect();
    Block::all(campaign).into_iter().map(bits).collect()
}

fn whole(campaign: &Campaign, name: &str, jobs: Jobs) -> Vec<Vec<u64>> {
    let store = Store::open(&scratch(name), campaign).unwrap();
    let never = AtomicBool::new(false);
    let end = execute(campaign, &store, Shard::ALL, jobs, &(), &never).unwrap();
    assert_eq!(end, End::Complete);
    contents(&store, campaign)
}

struct StopAfter<'a>(AtomicU64, &'a AtomicBool);

impl Progress for StopAfter<'_> {
    fn begin(&self, _done: u64, _of: u64) {}

    fn tick(&self) {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn threads_stops_and_shards_change_no_bit() {
    let campaign = campaign(&folder("teams-files"));
    assert_eq!(campaign.cells.len(), 5);
    let alone = whole(&campaign, "teams-one", Jobs::Exactly(1));
    assert_eq!(whole(&campaign, "teams-three", Jobs::Exactly(3)), alone);

    let directory = scratch("teams-resumed");
    let mut stops = 0;
    loop {
        let store = Store::open(&directory, &campaign).unwrap();
        let stop = AtomicBool::new(false);
        let progress = StopAfter(AtomicU64::new(31), &stop);
        let end = execute(&campaign, &store, Shard::ALL, Jobs::Exactly(2), &progress, &stop);
        if end.unwrap() == End::Complete {
            assert_eq!(contents(&store, &campaign), alone);
            break;
        }
        stops += 1;
    }
    assert!(stops >= 3, "{stops}");

    let joined = Store::open(&scratch("teams-joined"), &campaign).unwrap();
    for part in 1..=3 {
        let store = Store::open(&scratch(&format!("teams-part-{part}")), &campaign).unwrap();
        let shard = Shard { part, of: 3 };
        execute(&campaign, &store, shard, Jobs::All, &(), &AtomicBool::new(false)).unwrap();
        for block in Block::all(&campaign).into_iter().filter(|&block| store.has(block)) {
            joined.copy(block, &store).unwrap();
        }
    }
    assert_eq!(contents(&joined, &campaign), alone);
}

/// A study file and the same study in code make the same runs.
#[test]
fn keys_mean_what_the_command_line_means() {
    let campaign = campaign(&folder("teams-keys"));
    let prepared: Vec<_> = campaign
        .cells
        .iter()
        .map(|cell| cell.prepare(&campaign.base, &campaign.graphs).unwrap())
        .collect();
    let team = |cell: usize| prepared[cell].team.as_ref().unwrap();
    assert_eq!((team(0).walkers, team(0).share.to_string()), (3, "log:0.5".to_owned()));
    assert_eq!((team(3).walkers, team(3).seats), (2, Some(2)));
    assert_eq!(team(4).walkers, 2);
    for study in &prepared {
        assert_eq!(study.plan.regret_from, graph_bandit::run::RegretFrom::Start);
    }
    let outcome = prepared[0].run_once(&prepared[0].agents[0], 7).unwrap();
    let store = Store::open(&scratch("teams-keys-store"), &campaign).unwrap();
    let never = AtomicBool::new(false);
    execute(&campaign, &store, Shard::ALL, Jobs::All, &(), &never).unwrap();
    let block = Block::all(&campaign)[0];
    let numbers = store.get(block).unwrap();
    let length = numbers.len() / block.runs as usize;
    let row = graph_bandit_lab::campaign::Row::new(&numbers[7 * length..8 * length], 4);
    let stored: Vec<f64> = row.regret(0).collect();
    let made: Vec<f64> = outcome.checkpoints.iter().map(|point| point.regret).collect();
    assert_eq!(stored, made);
}

/// A plan names the contents of the files of a team, so that a changed file is noticed.
#[test]
fn changed_files_change_the_plan() {
    let base = folder("teams-changed");
    let before = serde_json::to_value(campaign(&base)).unwrap();
    assert_eq!(before["team_hashes"].as_object().unwrap().len(), 2);
    assert_eq!(serde_json::to_value(campaign(&base)).unwrap(), before);
    fs::write(base.join("shares.csv"), "1,1.5\n1,1\n1,2\n1,1.3\n").unwrap();
    let shares = serde_json::to_value(campaign(&base)).unwrap();
    assert_ne!(shares, before);
    fs::write(base.join("walkers.csv"), "start,speed\n0,1\n2,1\n").unwrap();
    assert_ne!(serde_json::to_value(campaign(&base)).unwrap(), shares);
}

/// Plans without teams have none of their keys.
#[test]
fn plans_without_teams_do_not_mention_them() {
    let text = "name = 'a'\ntitle = 'A'\nsteps = 10\nruns = 1\n[[cases]]\ngraph = 'line:5'\n";
    let plan = Campaign::new(vec![parse(text)], Presets::Own, PathBuf::new()).unwrap();
    let plan = serde_json::to_string(&plan).unwrap();
    for key in ["team", "walkers", "starts", "share", "draws", "seats", "regret"] {
        assert!(!plan.contains(key), "{key}: {plan}");
    }
}

#[test]
fn mistakes_are_named_with_their_key() {
    let base = folder("teams-mistakes");
    for (name, beyond) in [("nan", "nan"), ("negative", "-3"), ("falling", "1.2")] {
        let rows = format!("1,1.5,2\n1,1.5\n1,1.5\n1,1.5\n1,1.5,{beyond}\n");
        fs::write(base.join(format!("{name}.csv")), rows).unwrap();
    }
    let with = |keys: &str, agent: &str| {
        let text = format!(
            "name = 'a'\ntitle = 'A'\nsteps = 10\nruns = 1\nmeans = 'uniform:0.2,0.7'\n\
             agents = ['{agent}']\n{keys}\n[[cases]]\ngraph = 'line:5'\n"
        );
        let study = match StudyFile::parse(&text, Path::new("a.toml")) {
            Ok(study) => study,
            Err(error) => return error.to_string(),
        };
        match Campaign::new(vec![study], Presets::Own, base.clone()) {
            Ok(_) => "nothing is wrong".to_owned(),
            Err(error) => error.to_string(),
        }
    };
    fs::write(base.join("confined.csv"), "start,nodes\n0,0 1 2\n1,1 2 3\n").unwrap();
    for (keys, part) in [
        ("walkers = 0", "walkers: 0 walkers are not a team"),
        ("walkers = -2", "walkers: \"-2\" is neither a whole number nor a file"),
        ("walkers = 2.5", "`walkers` must be a whole number"),
        ("walkers = 'none.csv'", "walkers: \"none.csv\" is neither a whole number nor a file"),
        ("share = 'equal'", "study a: share: it needs walkers"),
        ("seats = 2", "seats: it needs walkers"),
        ("walkers = 2\nseats = 0", "seats: 0 is not from 1"),
        ("walkers = 7\nseats = 1", "walkers: "),
        ("walkers = 2\nshare = 'powr:2'", "share: "),
        ("walkers = 2\nshare = 'file:none.csv'", "none.csv"),
        ("walkers = 2\nshare = 'file:shares.csv'", "4 rows of shares for 5 nodes"),
        (
            "walkers = 2\nshare = 'file:nan.csv'",
            "node 4 has f(3) = NaN; give a number of at least 0",
        ),
        ("walkers = 2\nshare = 'file:negative.csv'", "node 4 has f(3) = -3; give a number"),
        ("walkers = 2\nshare = 'file:falling.csv'", "f(3) = 1.2, less than f(2) = 1.5"),
        ("walkers = 2\nstarts = [0, 1, 2]", "starts: 3 starts for 2 walkers"),
        ("walkers = 2\nstarts = 'here'", "starts: \"here\" is not a node"),
        ("walkers = 2\nstarts = 9", "starts: walker 0 starts on node 9"),
        ("walkers = 2\nstart = 3", "start: it is for one walker"),
        ("walkers = 2\nstarts = true", "`starts` must be \"random\""),
        ("walkers = 2\ndraws = 'two'", "two"),
        ("walkers = 2\nregret-from = 'end'", "end"),
        ("walkers = 2\nagainst = 'causal'", "against: "),
        (
            "walkers = 'confined.csv'\nregret-from = 'cover'",
            "regret-from: no walker may go to node 4, so the cover never ends; count regret from the start",
        ),
        ("walkers = 2\nmeans = 'redrawn:0.2,0.7,5'", "duplicate key"),
        (
            "walkers = 2\ninit = 'tour'",
            "init: g-star leads a team, and covers the graph in its own way",
        ),
        (
            "walkers = 2\nagainst = 'planning'\n[[cases]]\ntitle = 'b'\ngraph = 'line:5'\nmeans = 'redrawn:0,1,9'",
            "against: planning is not known for teams whose means change; use free",
        ),
        (
            "walkers = 2\n[[cases]]\ntitle = 'b'\ngraph = 'line:5'\nmeans = 'redrawn:0,1,9'\n\
             agents = ['restarting-klucb']",
            "agents: restarting-klucb must be told when means change, which works for one walker only",
        ),
        (
            "walkers = 2\n[[cases]]\ntitle = 'b'\ngraph = 'line:5'\nclosures = '0.1,0.1'",
            "study a: case \"b\": closures: teams need roads that stay open",
        ),
        (
            "walkers = 2\n[[cases]]\ntitle = 'b'\ngraph = 'line:5'\ntravel-noise = 0.2",
            "study a: case \"b\": travel-noise: teams need travel times as mapped",
        ),
    ] {
        let error = with(keys, "g-star");
        assert!(error.contains(part), "{keys}: {error}");
    }
    let error = with("", "multi-g-ucb");
    assert!(error.contains("multi-g-ucb leads a team; say how many walkers it has"), "{error}");
    // An agent that also walks alone is told what is wrong with its parameters.
    for (agent, part) in [("g-star:steady=1", "steady"), ("g-drift:rate=abc", "abc")] {
        let error = with("", agent);
        assert!(error.contains(part) && !error.contains("leads a team"), "{error}");
    }
    let error = with("walkers = 2", "oracle");
    assert!(error.contains("agents: the oracle walks alone"), "{error}");
    assert_eq!(with("walkers = 2", "comb-ucb"), "nothing is wrong");
    let error = with("walkers = 'confined.csv'", "comb-ucb");
    assert!(error.contains("cannot handle walkers that are confined to some nodes"), "{error}");
    // Walkers that learn by themselves cover the graph as asked, and so does a walker alone.
    assert_eq!(with("walkers = 2\ninit = 'tour'", "g-ucb"), "nothing is wrong");
    assert_eq!(with("walkers = 1\ninit = 'tour'", "g-star"), "nothing is wrong");
    // In the second case alone there is nobody to lead.
    let error = with("[[cases]]\ntitle = 'led'\ngraph = 'line:5'\nwalkers = 2", "multi-g-ucb");
    assert!(error.starts_with("study a: case \"line:5\": multi-g-ucb leads a team"), "{error}");
    let error = with("[[cases]]\ntitle = 'led'\ngraph = 'line:5'", "multi-g-ucb");
    assert!(error.starts_with("study a: multi-g-ucb leads a team"), "{error}");
    let error = with("walkers = 2", "multi-gucb");
    assert!(error.contains("did you mean multi-g-ucb?"), "{error}");
}

/// Means that change, in a file: runs and records of single steps agree, wherever counting begins.
#[test]
fn means_of_a_team_may_change() {
    for from in ["start", "cover"] {
        follows_changes(from);
    }
}

fn follows_changes(from: &str) {
    let text = "
name = 'rush'
title = 'Rush'
steps = 900
runs = 2
checkpoints = 3
noise = 'gaussian:0.3'
walkers = 2
agents = ['g-drift', 'g-star', 'multi-g-ucb', 'g-ucb']
[[cases]]
title = 'rows'
graph = 'line:4'
means = [[0, 5, 2, 1, 3], [300, 1, 2, 5, 3], [600, 5, 2, 1, 3]]
[[cases]]
title = 'random'
graph = 'grid:3x3'
means = 'redrawn:1,9,200'
draws = 'own'
share = 'log:0.5'
[[cases]]
title = 'seasons'
graph = 'circle:5'
means = 'seasons:3,7,2,300'
";
    let text = format!("regret-from = '{from}'{text}");
    let base = folder("teams-change");
    let campaign = Campaign::new(vec![parse(&text)], Presets::Own, base).unwrap();
    let mut regrets = Vec::new();
    for cell in &campaign.cells {
        let study = cell.prepare(&campaign.base, &campaign.graphs).unwrap();
        let agent = &study.agents[0];
        let outcome = study.run_once(agent, 1).unwrap();
        let recorded = study.record_team(agent, 1, &AtomicBool::new(false)).unwrap();
        assert_eq!(recorded.best.len(), recorded.steps());
        for point in &outcome.checkpoints {
            let counted = recorded.began..recorded.began + point.t as usize;
            let best: f64 = recorded.best[counted.clone()].iter().sum();
            let expected: f64 = recorded.expected[counted].iter().sum();
            let away = (point.regret - (best - expected)).abs();
            assert!(away < 1e-6, "{}: {away} at {}", agent.label(study.preset), point.t);
        }
        regrets.push(outcome.checkpoints[2].regret);
    }
    assert_eq!(campaign.cells.len(), 12);
    // On the rows, g-drift follows the rush hour, and g-star does not.
    assert!(regrets[0] < 0.5 * regrets[1], "{regrets:?}");
}

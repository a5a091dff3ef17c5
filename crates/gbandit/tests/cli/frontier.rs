//! `reproduce --frontier`: its own experiments, directory, table and page.

use crate::program::{gbandit, run_json};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    directory
}

#[test]
fn the_seven_graphs_are_compared_with_g_ucb() {
    let out = scratch("frontier");
    let text = out.to_str().unwrap();
    let flags = ["--frontier", "--only", "frontier-seven-graphs", "--runs", "2", "--out", text];
    let answer = gbandit(&[&["reproduce"], &flags[..]].concat());
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.stdout.starts_with("The paper's seven graphs, 2 runs per case\n"), "{answer:?}");
    assert!(answer.stdout.contains("vs g-ucb"), "{answer:?}");
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("as a multiple of g-ucb's"));
    // It begins with the results, says that these are few runs, and shows agents above the zero
    // line.
    assert!(page.contains("<h1>Beyond the paper: g-star against G-UCB (quick)</h1>"));
    assert!(page.contains("2 runs of each agent on each case instead of 1000"));
    assert!(page.contains("The paper&#39;s seven graphs: g-star has "), "{}", &page[..9_000]);
    let curves = fs::read_to_string(out.join("figures/frontier-seven-graphs-2.json")).unwrap();
    let curves: Value = serde_json::from_str(&curves).unwrap();
    assert_eq!(curves["panels"][0]["body"]["curves"]["y"]["scale"], "log");
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    let rows = summary["studies"][0]["comparison"]["rows"].as_array().unwrap();
    let agents = summary["studies"][0]["comparison"]["agents"].as_array().unwrap();
    assert_eq!(rows.len(), 8 * agents.len());
    // The table agrees with `gbandit run` on one graph.
    let row = |agent: &str| {
        rows.iter().find(|row| row["case"] == "Star" && row["agent"] == agent).unwrap()
    };
    let run = run_json("--graph star:100 --agents g-ucb,g-star --runs 2 --seed 3 --checkpoints 40");
    let mean = |agent: usize| run["agents"][agent]["regret_mean"][39].as_f64().unwrap();
    let close = |a: &Value, b: f64| (a.as_f64().unwrap() - b).abs() < 1e-9 * b;
    assert!(close(&row("g-star")["mean"], mean(1)), "{:?}", row("g-star"));
    assert!(close(&row("g-star")["of_baseline"], mean(1) / mean(0)), "{:?}", row("g-star"));
    assert_eq!(row("g-ucb")["of_baseline"], 1.0);
    // The same command finds the result; redrawn, it has the same page.
    let again = gbandit(&[&["reproduce"], &flags[..]].concat());
    assert!(again.stdout.contains("already holds this result"), "{again:?}");
    assert_eq!(gbandit(&["plot", text]).code, 0);
    assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), page);
}

#[test]
fn the_two_sets_of_experiments_do_not_know_each_other_s() {
    let of_frontier = gbandit(&["reproduce", "--frontier", "--only", "robot"]);
    assert_eq!(of_frontier.code, 2);
    assert!(of_frontier.stderr.contains("frontier-reporting"), "{of_frontier:?}");
    assert_eq!(gbandit(&["reproduce", "--only", "frontier-reporting"]).code, 2);
}

#[test]
fn a_horizon_is_called_known_only_if_it_may_cover_the_run() {
    let told = |name: &str, counts: &str, horizon: u32| {
        let place = scratch(name);
        let (file, out) = (place.join("study.toml"), place.join("out"));
        let text = format!(
            "name = 's'\ntitle = 'S'\nsteps = 20\nruns = 1\nregret-from = '{counts}'\n\
             baseline = 'g-star'\nagents = ['g-star', 'g-horizon:horizon={horizon}']\n\
             cases = [{{graph = 'line:3'}}]\n"
        );
        fs::create_dir_all(&place).unwrap();
        fs::write(&file, text).unwrap();
        let answer = gbandit(&["study", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
        assert_eq!(answer.code, 0, "{answer:?}");
        answer.stdout.contains("g-horizon:horizon=known")
    };
    // Initialization comes before the steps, unless regret counts from the start.
    assert!(!told("horizon-of-the-steps", "cover", 20));
    assert!(told("horizon-beyond-the-steps", "cover", 23));
    assert!(told("horizon-of-all-steps", "start", 20));
    assert!(!told("horizon-before-the-end", "start", 19));
}

//! The sections: the shape of what they print. No time is asserted.

use serde_json::Value;
use std::process::{Command, Output};

fn measured(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_graph-bandit-bench");
    Command::new(program).args(args).arg("--quick").output().unwrap()
}

fn json(args: &[&str]) -> Value {
    let Output { status, stdout, stderr } = measured(&[args, &["--json"]].concat());
    assert!(status.success(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).unwrap()
}

fn positive(row: &Value, keys: &[&str]) {
    for key in keys {
        assert!(row[key].as_f64().is_some_and(|x| x.is_finite() && x > 0.0), "{key} of {row}");
    }
}

#[test]
fn runs_have_a_row_per_agent_and_graph() {
    let value = json(&["runs"]);
    assert_eq!(value["effort"], "quick");
    assert!(value["cores"].as_u64().unwrap() >= 1);
    assert_eq!(value["runs"]["steps"], 20_000);
    for absent in ["planning", "scale", "studies", "teams"] {
        assert!(value.get(absent).is_none(), "{absent} was not asked for");
    }
    let rows = value["runs"]["rows"].as_array().unwrap();
    for agent in ["g-ucb", "direct-sp", "ucrl2", "local-ucb", "local-ts", "ql-eps", "ql-ucb-h"] {
        for graph in ["line", "circle", "grid", "tree", "star", "complete", "robot"] {
            let is_it = |row: &&Value| row["agent"] == agent && row["graph"] == graph;
            let presets: Vec<_> = rows.iter().filter(is_it).map(|row| &row["preset"]).collect();
            let expected = if agent == "ucrl2" { &["paper", "program"][..] } else { &["paper"] };
            assert_eq!(presets, expected, "{agent} on {graph}");
        }
    }
    for row in rows {
        positive(row, &["seconds_per_run", "seconds_per_step", "legs"]);
        positive(&row["plain"], &["seconds", "ratio"]);
        let [run, step] = ["seconds_per_run", "seconds_per_step"].map(|k| row[k].as_f64().unwrap());
        assert!((run / 20_000.0 - step).abs() <= 1e-9 * step, "{row}");
        let ratio = row["plain"]["seconds"].as_f64().unwrap() / run;
        assert!((ratio - row["plain"]["ratio"].as_f64().unwrap()).abs() <= 1e-9 * ratio, "{row}");
    }
}

#[test]
fn scale_fits_an_exponent_per_agent() {
    let value = json(&["scale"]);
    let curves = value["scale"]["curves"].as_array().unwrap();
    let agents: Vec<_> = curves.iter().map(|curve| &curve["agent"]).collect();
    assert_eq!(agents, ["direct-sp", "g-ucb", "g-star", "g-safe"]);
    for curve in curves {
        let points = curve["points"].as_array().unwrap();
        let nodes: Vec<_> = points.iter().map(|point| point["nodes"].as_u64().unwrap()).collect();
        assert_eq!(nodes, [1_024, 3_136, 10_000, 31_684, 99_856]);
        for point in points {
            positive(point, &["build", "init", "init_steps", "preparation", "legs", "leg"]);
            let steps = point["init_steps"].as_u64().unwrap();
            assert!(steps < 2 * point["nodes"].as_u64().unwrap(), "{point}");
        }
        if cfg!(target_os = "linux") {
            positive(&points[4], &["peak_bytes", "added_bytes"]);
            // At least a count, two sums and a mean per node.
            assert!(points[4]["added_bytes"].as_u64().unwrap() > 32 * 99_856, "{curve}");
        }
        assert!(curve["leg_exponent"].is_number() && curve["init_exponent"].is_number());
    }
}

#[test]
fn studies_measure_all_thread_counts_and_two_run_counts() {
    let value = json(&["studies"]);
    let studies = &value["studies"];
    let threads = studies["threads"].as_array().unwrap();
    assert_eq!(threads.len() as u64, value["cores"].as_u64().unwrap());
    assert_eq!(threads[0]["speed_up"], 1.0);
    for (i, row) in threads.iter().enumerate() {
        assert_eq!(row["threads"], i + 1);
        positive(row, &["seconds", "speed_up"]);
        // Hundredths of a second are coarse compared with short studies.
        let had = row["cores_had"].as_f64();
        assert!(had.is_none_or(|had| had <= 1.5 * (i + 1) as f64 + 0.5), "{row}");
    }
    let runs: Vec<_> = studies["memory"].as_array().unwrap().iter().map(|m| &m["runs"]).collect();
    assert_eq!(runs, [50, 500]);
}

#[test]
fn planning_writes_its_problems_for_peers() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/planning");
    let value = json(&["planning", "--export", folder]);
    let rows = value["planning"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    // A town of 32 x 32 has roads, each with a time.
    let town = |ending: &str| std::fs::read(format!("{folder}/town-32x32.{ending}")).unwrap().len();
    assert!(town("edges") > 8 * 2_500 && town("times") == town("edges"));
    for row in rows {
        positive(row, &["nodes", "edges", "policy", "path", "path_ratio_to_petgraph_all"]);
        positive(&row["petgraph"], &["seconds", "ratio"]);
        positive(&row["petgraph_path"], &["seconds", "ratio"]);
    }
    // A grid of 32 x 32: the exported numbers are a problem and its solution.
    let read = |ending: &str| std::fs::read(format!("{folder}/grid-32x32.{ending}")).unwrap();
    let about: Value = serde_json::from_slice(&read("json")).unwrap();
    assert_eq!((&about["graph"], &about["nodes"]), (&"grid:32x32".into(), &1_024.into()));
    let floats = |ending: &str| -> Vec<f64> {
        let bytes = read(ending);
        bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
    };
    let (all_costs, all_distances) = (floats("costs"), floats("distances"));
    let targets = about["targets"].as_array().unwrap();
    assert!(targets.len() > 1 && all_costs[..1_024] != all_costs[1_024..2_048]);
    assert_eq!(
        (all_costs.len(), all_distances.len()),
        (1_024 * targets.len(), 1_024 * targets.len())
    );
    let edges: Vec<usize> = read("edges")
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes(b.try_into().unwrap()) as usize)
        .collect();
    assert_eq!(edges.len(), 2 * 1_984);
    for (round, target) in targets.iter().enumerate() {
        let target = target.as_u64().unwrap() as usize;
        let of_round = round * 1_024..(round + 1) * 1_024;
        let (costs, distances) = (&all_costs[of_round.clone()], &all_distances[of_round]);
        assert_eq!((costs[target], distances[target]), (0.0, 0.0));
        // Bellman's equation: a distance is the minimum over the neighbours, and only the distances
        // satisfy it.
        let mut least = vec![f64::INFINITY; 1_024];
        for pair in edges.chunks_exact(2) {
            for (a, b) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                least[a] = least[a].min(distances[b] + costs[b]);
            }
        }
        for (s, &distance) in distances.iter().enumerate().filter(|(s, _)| *s != target) {
            assert!((least[s] - distance).abs() <= 1e-9 * (1.0 + distance), "node {s}");
        }
    }
}

#[test]
fn teams_have_runs_and_plans() {
    let value = json(&["teams"]);
    let runs = value["teams"]["runs"].as_array().unwrap();
    let tapes: Vec<_> = runs.iter().map(|row| &row["tape"]).collect();
    assert_eq!(tapes, ["one-by-one", "sums"]);
    for row in runs {
        assert_eq!((&row["instance"], &row["steps"]), (&"er300-20".into(), &150_000.into()));
        positive(row, &["seconds_per_run", "legs", "regret"]);
    }
    let plans = value["teams"]["plans"].as_array().unwrap();
    let planned: Vec<_> = plans.iter().map(|row| (&row["agent"], &row["legs"])).collect();
    let [multi, star] = [Value::from("multi-g-ucb"), Value::from("g-star")];
    let [all, one] = [Value::from(100), Value::from(1)];
    assert_eq!(planned, [(&multi, &all), (&multi, &all), (&star, &one)]);
    for row in plans {
        positive(row, &["seconds", "plans"]);
    }
}

/// The columns are those of the tables in the repository.
#[test]
fn tables_are_those_that_are_kept() {
    let output = measured(&["scale", "studies", "teams"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let tables: Vec<_> = text.split_terminator("\n\n").collect();
    let kept = ["scale", "studies", "studies-memory", "teams"];
    assert_eq!(tables.len(), kept.len(), "{text}");
    for (table, name) in tables.iter().zip(kept) {
        let path = format!("{}/measured/{name}.csv", env!("CARGO_MANIFEST_DIR"));
        let kept = std::fs::read_to_string(path).unwrap();
        assert_eq!(table.lines().next(), kept.lines().next(), "{name}");
        assert!(table.lines().count() > 1, "{table}");
    }
}

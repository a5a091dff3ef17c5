//! `reproduce --change`: its own experiments, directory, tables and page.

use crate::campaign::scratch;
use crate::program::gbandit;
use serde_json::Value;
use std::fs;

#[test]
fn g_drift_is_compared_with_g_star_where_nothing_changes() {
    let out = scratch("change-nothing").join("out");
    let text = out.to_str().unwrap();
    let flags = ["--change", "--only", "change-nothing", "--runs", "2", "--out", text];
    let answer = gbandit(&[&["reproduce"], &flags[..]].concat());
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.stdout.starts_with("Where nothing changes, 2 runs per case\n"), "{answer:?}");
    assert!(answer.stdout.contains("vs g-star"), "{answer:?}");
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(
        page.contains("<h1>Rewards that change: g-drift against the others (quick)</h1>"),
        "{}",
        &page[..9_000]
    );
    assert!(page.contains("2 runs of each agent on each case instead of 1000"));
    assert!(page.contains("Where nothing changes: g-drift has "));
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    let rows = summary["studies"][0]["comparison"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 8 * 2);
}

#[test]
fn passive_agents_fail_where_the_best_place_moves_far_away() {
    let out = scratch("change-far-away").join("out");
    let text = out.to_str().unwrap();
    let flags = ["--change", "--only", "change-far-away", "--runs", "1", "--out", text];
    let answer = gbandit(&[&["reproduce"], &flags[..]].concat());
    assert_eq!(answer.code, 0, "{answer:?}");
    let summary: Value =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    let rows = summary["studies"][0]["comparison"]["rows"].as_array().unwrap();
    let multiples = |name: &str| -> Vec<f64> {
        let of = rows.iter().filter(|row| row["agent"].as_str().unwrap().starts_with(name));
        of.map(|row| row["of_baseline"].as_f64().unwrap()).collect()
    };
    for name in ["g-star", "sw-ucb", "sw-klucb", "sw-ts", "discounted-ucb", "discounted-klucb"] {
        let of_drift = multiples(name);
        assert_eq!(of_drift.len(), 2, "{name}");
        assert!(of_drift.iter().all(|multiple| *multiple > 2.0), "{name}: {of_drift:?}");
    }
    assert!(out.join("figures/change-far-away.json").exists());
}

#[test]
fn one_set_of_experiments_does_not_know_another_s() {
    let of_change = gbandit(&["reproduce", "--change", "--only", "frontier-reporting"]);
    assert_eq!(of_change.code, 2);
    assert!(of_change.stderr.contains("change-reporting"), "{of_change:?}");
    assert_eq!(gbandit(&["reproduce", "--frontier", "--only", "change-reporting"]).code, 2);
    assert_eq!(gbandit(&["reproduce", "--frontier", "--change"]).code, 2);
}

/// Each point is a case: its regret over the square root of `x` times its steps.
#[test]
fn regret_over_the_root_is_drawn_for_each_graph_and_number_of_steps() {
    let folder = scratch("over-root");
    let file = folder.join("root.toml");
    let study = "name = 'root'\ntitle = 'Root'\nsteps = 100\nruns = 2\nagents = ['g-star', 'g-ucb']\n\
                 [[cases]]\ngraph = 'line:5'\ntitle = 'a'\nmeans = 'redrawn:0.5,9.5,50'\nx = 1\n\
                 [[cases]]\ngraph = 'line:5'\ntitle = 'b'\nmeans = 'redrawn:0.5,9.5,20'\nx = 4\n\
                 [[cases]]\ngraph = 'line:5'\ntitle = 'c'\nsteps = 200\nx = 4\n\
                 [[figures]]\nkind = 'over-root'\naxis = 'changes'\n";
    fs::write(&file, study).unwrap();
    let out = folder.join("out");
    let made = gbandit(&["study", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let read = |path: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(out.join(path)).unwrap()).unwrap()
    };
    let (summary, figure) = (read("summary.json"), read("figures/root.json"));
    let rows = summary["studies"][0]["rows"].as_array().unwrap();
    let regret = |case: &str| {
        let row = rows.iter().find(|row| row["case"] == case && row["agent"] == "g-star").unwrap();
        row["stats"]["mean"].as_array().unwrap().last().unwrap().as_f64().unwrap()
    };
    let series = &figure["panels"][0]["body"]["curves"]["series"];
    let names = [&series[0]["name"], &series[1]["name"]];
    assert_eq!(names, ["line:5, T = 100", "line:5, T = 200"]);
    for (point, case, [x, root]) in [
        (&series[0]["points"][0], "a", [1.0, 10.0]),
        (&series[0]["points"][1], "b", [4.0, 20.0]),
        (&series[1]["points"][0], "c", [4.0, 800.0_f64.sqrt()]),
    ] {
        let [drawn_x, drawn_y] = [0, 1].map(|i| point[i].as_f64().unwrap());
        assert_eq!(drawn_x, x, "{case}");
        assert!((drawn_y - regret(case) / root).abs() < 1e-9 * drawn_y, "{case}: {drawn_y}");
        assert!(drawn_y > 0.0, "{case}");
    }
    let without = study.replace("x = 4", "");
    fs::write(&file, without).unwrap();
    let refused = gbandit(&["study", file.to_str().unwrap()]);
    assert_eq!(refused.code, 3);
    assert!(refused.stderr.contains("kind over-root shows \"b\", which has no x"), "{refused:?}");
}

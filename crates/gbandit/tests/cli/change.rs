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

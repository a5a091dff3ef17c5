//! Preset `program` against the figures of the authors' own program: every pair of agent and graph.

use graph_bandit_lab::Jobs;
use graph_bandit_paper::conformance::{LIMIT, PairReport, compare, reference_pairs};

#[test]
fn every_mean_is_within_its_limits() {
    let pairs = reference_pairs();
    assert_eq!(pairs.len(), 51, "nine agents on five graphs, six on the complete one");
    let reports: Vec<PairReport> =
        pairs.iter().map(|pair| compare(pair, 1_000, Jobs::All).unwrap()).collect();
    let mut outside = Vec::new();
    for report in &reports {
        for window in &report.windows {
            assert_eq!(window.z.len(), 20);
            if window.worst().abs() > LIMIT || window.worst().is_nan() {
                outside.push(format!("{} on {}: {window:?}", report.agent, report.graph));
            }
        }
    }
    assert!(outside.is_empty(), "{outside:#?}");
}

#[test]
fn a_wrong_protocol_is_noticed() {
    // The paper's doubling instead of the program's: about a tenth more regret on the line.
    let pairs = reference_pairs();
    let line = pairs.iter().find(|pair| pair.graph == "line:100" && pair.agent == "g-ucb");
    let mut wrong = line.unwrap().clone();
    wrong.agent = "g-ucb:doubling=exact".to_owned();
    let report = compare(&wrong, 200, Jobs::All).unwrap();
    assert!(report.windows[0].worst() > LIMIT, "{report:?}");
}

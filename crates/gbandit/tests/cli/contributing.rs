//! The entries in CONTRIBUTING.md are those that tests add from outside.

const PAGE: &str = include_str!("../../../../CONTRIBUTING.md");
const OF_LIBRARY: &str = include_str!("../../../graph-bandit/tests/outside.rs");
const OF_MAPS: &str = include_str!("../../../graph-bandit-maps/tests/outside.rs");
const OF_LAB: &str = include_str!("../../../graph-bandit-lab/tests/lab/outside.rs");
const OF_WINDOWS: &str = include_str!("../../../graph-bandit-lab/tests/lab/windows.rs");

#[test]
fn every_walkthrough_shows_code_that_a_test_runs() {
    let walks = [
        ("agent", OF_LIBRARY),
        ("family", OF_LIBRARY),
        ("law", OF_LIBRARY),
        ("format", OF_MAPS),
        ("figure", OF_LAB),
        ("window", OF_WINDOWS),
    ];
    for (kind, test) in walks {
        let mark = format!("// [{kind}]\n");
        let code = test.split(&mark).nth(1).unwrap();
        assert!(PAGE.contains(&format!("```rust\n{code}```")), "copy the {kind}:\n{code}");
    }
}

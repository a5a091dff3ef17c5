//! What the page repeats of the house is what the house says.

use graph_bandit::{AgentSpec, GraphSpec};
use graph_bandit_lab::figure::palette::style_sheet;
use std::collections::BTreeSet;

const SUGGESTIONS: &str = include_str!("../../../graph-bandit-server/dashboard/suggestions.js");
const PALETTE: &str = include_str!("../../../graph-bandit-server/dashboard/palette.css");

/// The texts in quotes of a list.
fn listed(name: &str) -> BTreeSet<&'static str> {
    let (_, list) = SUGGESTIONS.split_once(&format!("const {name} = [")).unwrap();
    let (list, _) = list.split_once(']').unwrap();
    list.split('\'').skip(1).step_by(2).collect()
}

#[test]
fn every_agent_and_graph_is_suggested() {
    assert_eq!(listed("AGENTS"), AgentSpec::NAMES.iter().copied().collect());
    let families = GraphSpec::families().iter().map(|family| family.example);
    assert_eq!(listed("GRAPHS"), families.collect());
}

#[test]
fn the_colours_are_those_of_the_figures() {
    assert_eq!(PALETTE, style_sheet());
}

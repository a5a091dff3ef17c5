//! What the page repeats of the house is what the house says.

use graph_bandit_figures::palette::style_sheet;

const PALETTE: &str = include_str!("../../../graph-bandit-server/dashboard/palette.css");

#[test]
fn the_colours_are_those_of_the_figures() {
    assert_eq!(PALETTE, style_sheet());
}

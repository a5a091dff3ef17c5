//! Pinned results of teams: a change needs a line under "Trajectory changes" in the changelog.

use super::{equal, members, walk, world};
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::{Draws, TeamSetup};
use graph_bandit::{Preset, Seed};
use std::fmt::Write as _;
use std::sync::Arc;

/// Agent, preset, share, draws; then the regret at the end and the legs begun.
const PINNED: &[(&str, Preset, &str, Draws, &str, u64)] = &[
    ("g-star", Preset::Paper, "equal", Draws::One, "193.0047685442005", 288),
    ("g-star", Preset::Paper, "log:0.5", Draws::Own, "187.01352259526902", 288),
    ("g-star", Preset::Program, "equal", Draws::One, "193.0047685442005", 288),
    ("g-star", Preset::Program, "log:0.5", Draws::Own, "187.01352259526902", 288),
    ("multi-g-ucb", Preset::Paper, "equal", Draws::One, "1348.315872579149", 525),
    ("multi-g-ucb", Preset::Paper, "log:0.5", Draws::Own, "1301.8003958828904", 510),
    ("multi-g-ucb", Preset::Program, "equal", Draws::One, "1213.1510428261245", 435),
    ("multi-g-ucb", Preset::Program, "log:0.5", Draws::Own, "1162.4086385249684", 435),
    ("multi-g-ucb:until=most", Preset::Paper, "equal", Draws::One, "2209.256089585735", 330),
    ("multi-g-ucb:until=most", Preset::Paper, "log:0.5", Draws::Own, "2089.859238127994", 325),
    ("multi-g-ucb:until=most", Preset::Program, "equal", Draws::One, "2173.077172112986", 230),
    ("multi-g-ucb:until=most", Preset::Program, "log:0.5", Draws::Own, "1772.2871917272587", 230),
    ("comb-ucb", Preset::Paper, "equal", Draws::One, "1310.7961942484435", 4500),
    ("comb-ucb", Preset::Paper, "log:0.5", Draws::Own, "1131.1254154526287", 4505),
    ("comb-ucb", Preset::Program, "equal", Draws::One, "1310.7961942484435", 4500),
    ("comb-ucb", Preset::Program, "log:0.5", Draws::Own, "1131.1254154526287", 4505),
];

#[test]
fn teams_walk_as_pinned() {
    let mut found = String::new();
    let mut all_right = !PINNED.is_empty();
    for agent in ["g-star", "multi-g-ucb", "multi-g-ucb:until=most", "comb-ucb"] {
        for preset in [Preset::Paper, Preset::Program] {
            for (share, draws) in [("equal", Draws::One), ("log:0.5", Draws::Own)] {
                let world = world("geometric:40,0.3", 0.4, Seed(6));
                let sharing = share.parse::<ShareSpec>().unwrap().sharing(5).unwrap();
                let setup = TeamSetup {
                    sharing: Arc::new(sharing),
                    draws,
                    ..equal(members(&world, 5, Seed(6)))
                };
                let built = TeamSpec::parse(agent, preset).unwrap().build();
                let end = walk(&world, built, &setup, (3_000, Seed(6))).checkpoints[1];
                let regret = format!("{:?}", end.regret);
                let row = (agent, preset, share, draws, regret.as_str(), end.legs);
                all_right &= PINNED.contains(&row);
                let _ = writeln!(
                    found,
                    "    ({agent:?}, Preset::{preset:?}, {share:?}, Draws::{draws:?}, {regret:?}, {}),",
                    end.legs
                );
            }
        }
    }
    assert!(all_right, "the table is now\n{found}");
}

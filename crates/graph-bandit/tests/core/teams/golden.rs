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
    ("multi-g-ucb", Preset::Paper, "equal", Draws::One, "1339.2873283109639", 530),
    ("multi-g-ucb", Preset::Paper, "log:0.5", Draws::Own, "1247.6892234419356", 505),
    ("multi-g-ucb", Preset::Program, "equal", Draws::One, "1240.8850400892406", 445),
    ("multi-g-ucb", Preset::Program, "log:0.5", Draws::Own, "1184.4757803594657", 435),
    ("multi-g-ucb:until=most", Preset::Paper, "equal", Draws::One, "2085.2617866706278", 330),
    ("multi-g-ucb:until=most", Preset::Paper, "log:0.5", Draws::Own, "2059.579142166236", 325),
    ("multi-g-ucb:until=most", Preset::Program, "equal", Draws::One, "1962.9640510700083", 230),
    ("multi-g-ucb:until=most", Preset::Program, "log:0.5", Draws::Own, "1924.3495641363043", 225),
    ("comb-ucb", Preset::Paper, "equal", Draws::One, "1336.9289735861585", 4500),
    ("comb-ucb", Preset::Paper, "log:0.5", Draws::Own, "1125.8987499229606", 4445),
    ("comb-ucb", Preset::Program, "equal", Draws::One, "1336.9289735861585", 4500),
    ("comb-ucb", Preset::Program, "log:0.5", Draws::Own, "1125.8987499229606", 4445),
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
                let row = (agent, preset, share, draws, regret.as_str(), end.episodes);
                all_right &= PINNED.contains(&row);
                let _ = writeln!(
                    found,
                    "    ({agent:?}, Preset::{preset:?}, {share:?}, Draws::{draws:?}, {regret:?}, {}),",
                    end.episodes
                );
            }
        }
    }
    assert!(all_right, "the table is now\n{found}");
}

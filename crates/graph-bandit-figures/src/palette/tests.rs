use super::apart::{confused, confused_colors};
use super::vision::{Vision, contrast};
use super::*;
use graph_bandit::{Origin, Preset};

/// Agents that share a hue with a Q-learner of the paper or with UCRL2, beside which nobody draws
/// them. They differ in dashes.
const SHARED: [[&str; 2]; 3] =
    [["ql-eps", "g-safe"], ["ql-ucb-h", "g-sweep"], ["ucrl2", "g-horizon"]];

/// Two circles of agents, each with hardly more agents than there are hues: those for means that do
/// not change, and those for means that do, with the two that they are compared with. Agents of
/// different circles may share a hue, and then differ in dashes.
#[test]
fn every_reader_can_tell_any_two_agents_apart() {
    let is_for_changes =
        |name: &&str| AgentSpec::named(name, Preset::Paper).unwrap().origin() == Origin::Changing;
    let (mut changing, constant): (Vec<&str>, Vec<&str>) =
        AgentSpec::names().into_iter().partition(is_for_changes);
    changing.extend(["g-ucb", "g-star"]);
    for names in [changing, constant] {
        for (i, a) in names.iter().enumerate() {
            for b in &names[..i] {
                if SHARED.contains(&[*b, *a]) {
                    assert_ne!(style_of(a).dash, style_of(b).dash, "{a} and {b}");
                    continue;
                }
                let found = confused(style_of(a), style_of(b));
                assert_eq!(found, None, "{a} and {b}");
            }
        }
    }
}

/// Agents that are often compared have colours with different names. G-UCB, g-ts and g-moss were
/// all blue once.
#[test]
fn agents_that_are_often_compared_are_far_apart() {
    let sets = [
        (["g-ucb", "g-star", "g-ts", "g-moss", "g-imed", "g-klucb"], 24.0),
        (["g-ucb", "ucrl2", "local-ucb", "local-ts", "ql-eps", "ql-ucb-h"], 21.0),
    ];
    for (names, least) in sets {
        for (i, a) in names.iter().enumerate() {
            for b in &names[..i] {
                for paper in [0, 1] {
                    let [a, b] = [a, b].map(|name| color_of(name).rgb()[paper]);
                    let found = Vision::Full.difference(a, b);
                    assert!(found > least, "{names:?} {i} on {paper}: {found}");
                }
            }
        }
    }
    let blues = [0x00_72b2, 0x00_439c, 0x7a_95c9];
    assert!(Vision::Full.difference(blues[0], blues[1]) < 24.0);
}

/// Agents of a figure beyond the registry may have any hue with any dashes.
#[test]
fn every_reader_can_tell_any_two_hues_apart() {
    for a in 0..SLOTS {
        for b in 0..a {
            let [x, y] = [a, b].map(|slot| Color::Slot(slot).rgb());
            assert_eq!(confused_colors(x, y, false), None, "{a} and {b}");
        }
    }
}

/// The test above can fail: it refuses colours that readers are known to confuse.
#[test]
fn bad_palettes_are_refused() {
    let both = |rgb: u32| [rgb, rgb];
    let is_confused = |a, b| confused_colors(both(a), both(b), false).is_some();
    // Red and green of the same lightness, purple and blue of matplotlib, two greys.
    assert!(is_confused(0xd6_2728, 0x7a_6a00) && is_confused(0x94_67bd, 0x1f_77b4));
    assert!(is_confused(0x80_8080, 0x88_8888) && is_confused(0x00_72b2, 0x00_72b2));
    // An earlier palette: alike for readers who lack blue.
    assert!(is_confused(0x3e_a282, 0x28_a0c3) && is_confused(0xff_7c1c, 0xfe_6082));
    // Okabe and Ito's blue and vermilion are fine.
    assert_eq!(confused_colors(both(0x00_72b2), both(0xd5_5e00), true), None);
}

/// All lists of agents in a study file.
fn lists(value: &toml::Value, found: &mut Vec<Vec<String>>) {
    if let Some(table) = value.as_table() {
        for (key, value) in table {
            match value.as_array() {
                Some(texts) if key == "agents" => {
                    let text = |text: &toml::Value| text.as_str().unwrap().to_owned();
                    found.push(texts.iter().map(text).collect());
                }
                _ => lists(value, found),
            }
        }
    }
    value.as_array().into_iter().flatten().for_each(|value| lists(value, found));
}

/// Agents that are compared in the experiments differ in hue; if there are more agents than hues,
/// in hue or dashes; and if there are many, some are dashed.
#[test]
fn compared_agents_look_different() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../graph-bandit-paper/experiments");
    let mut sets = Vec::new();
    for folder in ["", "/frontier", "/change", "/teams"].map(|part| format!("{folder}{part}")) {
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                let text = std::fs::read_to_string(&path).unwrap();
                lists(&toml::from_str(&text).unwrap(), &mut sets);
            }
        }
    }
    assert!(sets.len() > 20 && sets.iter().any(|set| set.len() > usize::from(SLOTS)));
    for set in sets {
        let styles = styles_of(set.iter().map(String::as_str));
        for (i, a) in styles.iter().enumerate() {
            for (k, b) in styles[..i].iter().enumerate() {
                let (one, other) = (&set[i], &set[k]);
                assert_ne!(a, b, "{one} and {other}");
                if set.len() <= usize::from(SLOTS) {
                    let found = confused_colors(a.color.rgb(), b.color.rgb(), false);
                    assert_eq!(found, None, "{one} and {other}");
                }
            }
        }
        let is_dashed = |style: &&Style| style.dash != Dash::Solid;
        if set.len() > 8 {
            assert!(styles.iter().filter(is_dashed).count() >= set.len() / 3, "{set:?}");
        }
    }
}

#[test]
fn every_color_stands_out_from_the_paper() {
    for color in all() {
        let least = match color {
            Color::Ink => [12.0, 12.0],
            Color::Muted => [4.5, 4.5],
            Color::Slot(_) => [3.0, 4.0],
            Color::Ramp(_) => [2.2, 2.5],
            Color::Grid | Color::Paper => [1.0, 1.0],
        };
        for paper in [0, 1] {
            let found = contrast(color.rgb()[paper], PAPER[paper]);
            assert!(found >= least[paper], "{color:?} on {paper}: {found}");
        }
    }
}

#[test]
fn the_ramp_is_ordered() {
    for paper in [0, 1] {
        let stand_out = |level| contrast(Color::Ramp(level).rgb()[paper], PAPER[paper]);
        assert!((1..LEVELS).all(|level| stand_out(level) > stand_out(level - 1)));
    }
    assert_eq!([ramp(0, 3), ramp(1, 3), ramp(2, 3)], [0, 8, 15].map(Color::Ramp));
    assert_eq!((ramp(0, 1), ramp(0, 0)), (Color::Ramp(0), Color::Ramp(0)));
    assert_eq!(ramp_at(f64::NAN, 0.0, 0.0), Color::Ramp(8));
}

#[test]
fn every_agent_of_the_registry_has_its_own_style() {
    let names = AgentSpec::names();
    let styles: Vec<Style> = names.iter().map(|name| style_of(name)).collect();
    for (i, style) in styles.iter().enumerate() {
        assert!(!styles[..i].contains(style), "{} looks like another", names[i]);
    }
    assert_eq!(color_of("g-ucb"), Color::Slot(0));
    assert_eq!(styles_of(names), styles);
}

/// Six of the registry are enough for every hue to be wanted twice.
#[test]
fn no_two_agents_of_a_race_look_alike() {
    let alone = AgentSpec::names();
    let mut races: Vec<Vec<&str>> = vec![
        vec!["ucrl2", "g-horizon", "g-safe", "ql-eps"],
        vec!["g-ucb", "g-ucb:bonus=0.5", "g-ucb:bonus=2", "ucrl2", "g-horizon", "cusum-klucb"],
    ];
    races.extend(alone.iter().flat_map(|a| alone.iter().map(|b| vec![*a, *b])));
    let mut stream = graph_bandit::Seed(38).stream();
    let mut any = || alone[stream.below(alone.len() as u64) as usize];
    races.extend((0..300).map(|_| (0..6).map(|_| any()).collect()));
    let mut moved = 0;
    for mut race in races {
        race.dedup();
        let (styles, own) = (styles_apart(race.iter().copied()), styles_of(race.iter().copied()));
        assert_eq!(styles[0], own[0]);
        for (i, a) in race.iter().enumerate() {
            for (k, b) in race[..i].iter().enumerate().filter(|(_, b)| *b != a) {
                assert_eq!(confused(styles[i], styles[k]), None, "{a} and {b} of {race:?}");
            }
        }
        moved += usize::from(styles != own);
    }
    assert!(moved > 100, "{moved}");
}

/// Agents that lead teams are drawn beside agents for one walker, which every walker of a team may
/// follow by itself.
#[test]
fn agents_that_lead_teams_look_like_no_other_agent() {
    let all: Vec<&str> = AgentSpec::names().into_iter().chain(TeamSpec::names()).collect();
    for entry in TeamSpec::entries() {
        let (leader, look) = (entry.name, entry.look.unwrap());
        assert_eq!(style_of(leader), Style { color: Color::Slot(look.slot), dash: look.dash });
        for other in all.iter().filter(|other| **other != leader) {
            assert_ne!(style_of(leader), style_of(other), "{leader} and {other}");
        }
        for other in ["g-ucb", "g-star", "multi-g-ucb", "comb-ucb"] {
            let found = confused(style_of(leader), style_of(other));
            assert_eq!(found.is_some(), leader == other, "{leader} and {other}: {found:?}");
        }
    }
}

#[test]
fn labels_with_parameters_have_the_style_of_their_agent_where_it_is_free() {
    assert_eq!(style_of("g-star:noise-scale=1"), style_of("g-star"));
    let scaled = ["g-ucb", "g-star:noise-scale=1", "g-ts:noise-scale=1"];
    assert_eq!(styles_of(scaled), styles_of(["g-ucb", "g-star", "g-ts"]));
    let labels =
        ["g-ucb:bonus=0.5", "g-ucb", "g-ucb:bonus=2", "g-ucb:bonus=4", "ucrl2", "g-ucb:bonus=2"];
    let styles = styles_of(labels);
    assert_eq!(styles, styles_of(labels));
    assert_eq!((styles[1], styles[4]), (style_of("g-ucb"), style_of("ucrl2")));
    assert_eq!(styles[2], styles[5]);
    for i in 0..5 {
        assert!(styles[..i].iter().all(|s| s.color != styles[i].color), "{styles:?}");
    }
    // There are three kinds of dashes: two variants of an agent differ from it and from each other.
    for labels in [
        ["multi-g-ucb", "multi-g-ucb:until=median", "multi-g-ucb:until=most"],
        ["multi-g-ucb:until=median", "multi-g-ucb:until=most", "multi-g-ucb"],
        ["g-ucb", "g-ucb:bonus=0.5", "g-ucb:bonus=2"],
    ] {
        let styles = styles_of(labels);
        for (i, k) in [(0, 1), (0, 2), (1, 2)] {
            assert_ne!(styles[i].dash, styles[k].dash, "{labels:?}: {styles:?}");
            assert_ne!(styles[i].color, styles[k].color, "{labels:?}: {styles:?}");
        }
    }
    let many: Vec<String> = (0..40).map(|i| format!("agent {i}")).collect();
    let styles = styles_of(many.iter().map(String::as_str));
    assert!((0..40).all(|i| !styles[..i].contains(&styles[i])));
}

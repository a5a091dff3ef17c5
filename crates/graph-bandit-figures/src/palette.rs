//! Colours: one per agent everywhere, an ordered ramp for families of numbers, dashes as a second
//! channel.
//!
//! The fourteen hues grew from Okabe and Ito's: their blue and vermilion are kept, the others were
//! moved until every two are told apart by readers with full colour vision, deuteranopia and
//! protanopia, and until each stands out from the paper at 3:1 in light and 4:1 in dark pages.
//! The ramp is a part of viridis; more always means farther from the paper.

pub use graph_bandit::spec::Dash;

use graph_bandit::AgentSpec;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A colour by its role, so that a page can restyle it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    /// Text and what must be seen first.
    Ink,
    /// Labels of axes.
    Muted,
    /// Lines that guide the eye.
    Grid,
    /// The background.
    Paper,
    /// One of the hues, counted round.
    Slot(u8),
    /// One of the levels of the ramp, the last one for all beyond.
    Ramp(u8),
}

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Style {
    /// Its colour.
    pub color: Color,
    /// Its dashes.
    pub dash: Dash,
}

impl Style {
    /// An unbroken line.
    pub fn solid(color: Color) -> Self {
        Self { color, dash: Dash::Solid }
    }
}

/// The number of hues.
pub const SLOTS: u8 = 14;
/// The number of levels of the ramp.
pub const LEVELS: u8 = 16;

/// Light and dark, as `0xRRGGBB`.
type Pair = [u32; 2];

const INK: Pair = [0x1f_2328, 0xe6_e8eb];
const MUTED: Pair = [0x5c_636b, 0xa0_a7af];
const GRID: Pair = [0xe4_e7ea, 0x2d_3239];
const PAPER: Pair = [0xff_ffff, 0x14_171b];

const HUES: [Pair; SLOTS as usize] = [
    [0x00_72b2, 0x15_92f3],
    [0xaf_8d58, 0xd7_b472],
    [0xd5_5e00, 0xff_7c1c],
    [0x76_7678, 0xa6_a3a0],
    [0x8e_6ef2, 0xbd_abff],
    [0x3e_a282, 0x3e_dfac],
    [0x63_7b53, 0xb2_e948],
    [0xc2_6e9b, 0xf7_91c8],
    [0x77_1d5a, 0xd6_57c0],
    [0x05_4390, 0x62_7996],
    [0x28_a0c3, 0x95_e5ff],
    [0x5a_3508, 0xb1_804b],
    [0xcb_2833, 0xfe_6082],
    [0x17_5042, 0x16_9a7d],
];

const RAMP: [Pair; LEVELS as usize] = [
    [0x43_bf71, 0x34_5f8d],
    [0x31_b57b, 0x2f_6b8e],
    [0x24_aa83, 0x2b_768e],
    [0x1f_9f88, 0x26_818e],
    [0x1f_958c, 0x22_8c8d],
    [0x23_8a8d, 0x1f_968b],
    [0x27_7f8e, 0x1f_a187],
    [0x2b_748e, 0x26_ac82],
    [0x30_698e, 0x34_b679],
    [0x35_5d8d, 0x47_c06f],
    [0x3b_518b, 0x5e_c962],
    [0x41_4487, 0x79_d152],
    [0x45_3681, 0x96_d83f],
    [0x48_2878, 0xb4_dd2c],
    [0x48_196b, 0xd3_e21b],
    [0x46_085c, 0xf1_e51d],
];

impl Color {
    /// The colour on light and on dark paper, as `0xRRGGBB`.
    pub fn rgb(self) -> [u32; 2] {
        match self {
            Self::Ink => INK,
            Self::Muted => MUTED,
            Self::Grid => GRID,
            Self::Paper => PAPER,
            Self::Slot(slot) => HUES[usize::from(slot % SLOTS)],
            Self::Ramp(level) => RAMP[usize::from(level.min(LEVELS - 1))],
        }
    }

    /// The name in style sheets, as in `--gb-c3`.
    pub fn key(self) -> String {
        match self {
            Self::Ink => "ink".to_owned(),
            Self::Muted => "muted".to_owned(),
            Self::Grid => "grid".to_owned(),
            Self::Paper => "paper".to_owned(),
            Self::Slot(slot) => format!("c{}", slot % SLOTS),
            Self::Ramp(level) => format!("r{}", level.min(LEVELS - 1)),
        }
    }
}

/// How an agent's line looks, by its label: the same everywhere.
///
/// Agents of the registry have a hue of their own. Labels with parameters, such as
/// `g-ucb:bonus=0.5`, and unknown names have a style that depends on the label alone; use
/// [`styles_of`] where several of them meet.
pub fn style_of(label: &str) -> Style {
    own_style(label).unwrap_or_else(|| other_style(hash(label)))
}

/// The style that the registry gives to an agent.
fn own_style(label: &str) -> Option<Style> {
    let entry = AgentSpec::entries().into_iter().find(|entry| entry.name == label)?;
    entry.look.map(|look| Style { color: Color::Slot(look.slot), dash: look.dash })
}

/// The hue of an agent, by its label; see [`style_of`].
pub fn color_of(label: &str) -> Color {
    style_of(label).color
}

/// The styles of labels that meet in one figure: those of [`style_of`], except that a label whose
/// style is taken moves on to the next free one. Agents of the registry never move.
pub fn styles_of<'a>(labels: impl IntoIterator<Item = &'a str>) -> Vec<Style> {
    let labels: Vec<&str> = labels.into_iter().collect();
    let known = |label: &str| own_style(label).is_some();
    let mut styles: Vec<Style> = labels.iter().map(|label| style_of(label)).collect();
    let mut taken: Vec<Style> =
        styles.iter().zip(&labels).filter(|(_, label)| known(label)).map(|(s, _)| *s).collect();
    for (i, label) in labels.iter().enumerate().filter(|(_, label)| !known(label)) {
        if let Some(earlier) = labels[..i].iter().position(|other| other == label) {
            styles[i] = styles[earlier];
            continue;
        }
        let start = hash(label);
        // A hue nobody has is best, then dashes nobody has with it, then whatever comes.
        let candidates = || (0..3 * u64::from(SLOTS)).map(|k| other_style(start.wrapping_add(k)));
        let free_hue = |s: &Style| taken.iter().all(|t| t.color != s.color);
        let style = candidates()
            .find(free_hue)
            .or_else(|| candidates().find(|s| !taken.contains(s)))
            .unwrap_or(styles[i]);
        styles[i] = style;
        taken.push(style);
    }
    styles
}

fn other_style(number: u64) -> Style {
    let slot = (number % u64::from(SLOTS)) as u8;
    let dash = [Dash::Dashed, Dash::Dotted, Dash::Solid][(number / u64::from(SLOTS) % 3) as usize];
    Style { color: Color::Slot(slot), dash }
}

/// The colour of member `i` of an ordered family of `count`.
pub fn ramp(i: usize, count: usize) -> Color {
    let last = count.saturating_sub(1).max(1);
    let top = usize::from(LEVELS - 1);
    Color::Ramp(((i.min(last) * top + last / 2) / last) as u8)
}

/// The colour of `value` between `low` and `high`.
pub fn ramp_at(value: f64, low: f64, high: f64) -> Color {
    let share = (value - low) / (high - low);
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
    Color::Ramp((share * f64::from(LEVELS - 1) + 0.5) as u8)
}

/// 64-bit FNV-1a, folded so that all its bits count.
fn hash(text: &str) -> u64 {
    let step = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    let h = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (h ^ (h >> 32)) & 0xffff_ffff
}

/// All colours, in the order of style sheets.
pub fn all() -> impl Iterator<Item = Color> {
    let roles = [Color::Ink, Color::Muted, Color::Grid, Color::Paper];
    roles.into_iter().chain((0..SLOTS).map(Color::Slot)).chain((0..LEVELS).map(Color::Ramp))
}

/// The style sheet that makes adaptive figures follow a page's colour scheme: the reader's, or the
/// one `<html data-theme="dark">` (or `light`) asks for.
pub fn style_sheet() -> String {
    let properties = |dark: usize| {
        all().fold(String::new(), |mut text, color| {
            // Writing to a string cannot fail.
            let _ = write!(text, "--gb-{}:#{:06x};", color.key(), color.rgb()[dark]);
            text
        })
    };
    let (light, dark) = (properties(0), properties(1));
    format!(
        ":root{{{light}}}\n@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n\
         :root[data-theme=dark]{{{dark}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(rgb: u32) -> [f64; 3] {
        [16, 8, 0].map(|shift| {
            let c = f64::from(rgb >> shift & 0xff) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
        })
    }

    fn apply(matrix: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
    }

    /// Deuteranopia by Machado, Oliveira and Fernandes (2009), on linear light.
    const DEUTERANOPIA: [[f64; 3]; 3] = [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ];

    fn lab(light: [f64; 3]) -> [f64; 3] {
        let to_xyz = [
            [0.412_456, 0.357_576, 0.180_438],
            [0.212_673, 0.715_152, 0.072_175],
            [0.019_334, 0.119_192, 0.950_304],
        ];
        let [x, y, z] = apply(to_xyz, light.map(|c| c.clamp(0.0, 1.0)));
        let [x, y, z] = [x / 0.950_47, y, z / 1.088_83]
            .map(|t| if t > 0.008_856 { libm::cbrt(t) } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    }

    fn contrast(a: u32, b: u32) -> f64 {
        let luminance = |rgb| apply([[0.2126, 0.7152, 0.0722]; 3], linear(rgb))[0] + 0.05;
        let (a, b) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn every_two_agents_are_told_apart_with_and_without_red_and_green() {
        for paper in [0, 1] {
            for a in 0..SLOTS {
                for b in 0..a {
                    let [a_light, b_light] =
                        [a, b].map(|slot| linear(Color::Slot(slot).rgb()[paper]));
                    let full = distance(lab(a_light), lab(b_light));
                    assert!(full > 19.0, "{a} and {b} on {paper}: {full}");
                    let [a_seen, b_seen] =
                        [a_light, b_light].map(|light| lab(apply(DEUTERANOPIA, light)));
                    let seen = distance(a_seen, b_seen);
                    assert!(seen > 10.0, "{a} and {b} on {paper}: {seen}");
                }
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

    #[test]
    fn labels_with_parameters_have_stable_styles_of_their_own() {
        let labels = [
            "g-ucb",
            "g-ucb:bonus=0.5",
            "g-ucb:bonus=2",
            "g-ucb:bonus=4",
            "ucrl2",
            "g-ucb:bonus=2",
        ];
        let styles = styles_of(labels);
        assert_eq!(styles, styles_of(labels));
        assert_eq!((styles[0], styles[4]), (style_of("g-ucb"), style_of("ucrl2")));
        assert_eq!(styles[2], styles[5]);
        for i in 0..5 {
            assert!(styles[..i].iter().all(|s| s.color != styles[i].color), "{styles:?}");
        }
        let many: Vec<String> = (0..40).map(|i| format!("agent {i}")).collect();
        let styles = styles_of(many.iter().map(String::as_str));
        assert!((0..40).all(|i| !styles[..i].contains(&styles[i])));
    }
}

//! Colours: one per agent everywhere, an ordered ramp for families of numbers, dashes as a second
//! channel.
//!
//! The sixteen hues started from Okabe and Ito's. Their blue and vermilion are kept; the others
//! were moved until three conditions hold. Readers with full colour vision, protanopia,
//! deuteranopia and tritanopia can tell every two apart. Each hue has a contrast to the background
//! of 3:1 on light and 4:1 on dark pages. Agents that are often compared have colours with
//! different names: only G-UCB is blue. The ramp is a part of viridis; a larger value is always
//! farther from the background.

mod apart;
mod few;
mod lab;
mod vision;

pub use apart::styles_apart;
pub use graph_bandit::spec::Dash;

use graph_bandit::AgentSpec;
use graph_bandit::agents::Oracle;
use graph_bandit::spec::TeamSpec;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A colour by its role, so that a page can restyle it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    /// Text and other prominent parts.
    Ink,
    /// Axis labels.
    Muted,
    /// Guide lines.
    Grid,
    /// The background.
    Paper,
    /// One of the hues; numbers wrap around.
    Slot(u8),
    /// One of the levels of the ramp; larger numbers mean the last one.
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
    /// A solid line.
    pub fn solid(color: Color) -> Self {
        Self { color, dash: Dash::Solid }
    }
}

/// The number of hues.
pub const SLOTS: u8 = 16;
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
    [0x53_6962, 0xb2_d56e],
    [0xd5_5e00, 0xff_7c1c],
    [0x3d_3e46, 0x6b_7a7d],
    [0xb3_5fff, 0xce_acff],
    [0x34_a66b, 0x74_fab9],
    [0x5e_5604, 0xff_e70a],
    [0xc1_6e8c, 0xe0_9598],
    [0x6e_5b82, 0xf8_21cf],
    [0x78_0066, 0x82_749c],
    [0x96_8bbd, 0xff_cdf0],
    [0x4f_2d00, 0xaa_6d05],
    [0xc4_0040, 0xfe_0d5c],
    [0x08_6f42, 0x50_8466],
    [0x09_0c00, 0xf7_f9f4],
    [0x1c_22fb, 0xa8_a4b7],
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
    /// The colour on light and on dark background, as `0xRRGGBB`.
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

/// The style of an agent's line, by its label: the same everywhere.
///
/// Agents of the registry have their own hue and keep it with other parameters, as in
/// `g-ucb:bonus=0.5`. Unknown names have a style that depends only on the name. Use [`styles_of`]
/// for several labels in one figure.
pub fn style_of(label: &str) -> Style {
    own_style(label)
        .or_else(|| own_style(agent_of(label)))
        .unwrap_or_else(|| other_style(hash(label)))
}

/// The agent that a label names.
fn agent_of(label: &str) -> &str {
    label.split_once(':').map_or(label, |(agent, _)| agent)
}

/// The style of an agent in the registry.
fn own_style(label: &str) -> Option<Style> {
    if label == Oracle::NAME {
        // A yardstick, not one of the compared agents.
        return Some(Style::solid(Color::Ink));
    }
    let alone = AgentSpec::entries().into_iter().find(|entry| entry.name == label);
    let leader = || TeamSpec::entries().into_iter().find(|entry| entry.name == label);
    let look = alone.map_or_else(|| leader().and_then(|entry| entry.look), |entry| entry.look);
    look.map(|look| Style { color: Color::Slot(look.slot), dash: look.dash })
}

/// The hue of an agent, by its label; see [`style_of`].
pub fn color_of(label: &str) -> Color {
    style_of(label).color
}

/// The styles of labels in one figure: those of [`style_of`], except that a label whose hue is
/// taken gets a free one. Agents of the registry with their default parameters keep theirs. Variants
/// of one agent, such as `g-ucb:bonus=0.5` beside `g-ucb`, also differ in their dashes, as long as
/// there are free ones.
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
        let kin: Vec<Dash> = (0..labels.len())
            .filter(|&j| j < i || known(labels[j]))
            .filter(|&j| labels[j] != *label && agent_of(labels[j]) == agent_of(label))
            .map(|j| styles[j].dash)
            .collect();
        // Prefer a free hue with other dashes than its kin, then a free hue, then free dashes with
        // that hue, then anything.
        let candidates = || (0..3 * u64::from(SLOTS)).map(|k| other_style(start.wrapping_add(k)));
        let free_hue = |s: &Style| taken.iter().all(|t| t.color != s.color);
        let wanted = || std::iter::once(styles[i]).chain(candidates()).filter(free_hue);
        let style = wanted()
            .find(|s| !kin.contains(&s.dash))
            .or_else(|| wanted().next())
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

/// 64-bit FNV-1a, folded so that all bits count.
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
/// one that `<html data-theme="dark">` (or `light`) sets.
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
mod tests;

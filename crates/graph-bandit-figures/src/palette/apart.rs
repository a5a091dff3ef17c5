//! Styles of a few labels side by side: no two of them look alike, for any reader.

use super::vision::Vision;
use super::{Color, Dash, Pair, SLOTS, Style, styles_of};

/// How far apart two colours must be (CIEDE2000) for readers with full colour vision, and for all
/// others. A difference of 1 is just visible side by side; across a figure, in thin lines, it takes
/// about ten. This many hues cannot be much farther apart for readers who lack one kind of cone.
const FULL: f64 = 14.5;
const PART: f64 = 9.5;
/// The same for other readers, if dashes do not help.
const PART_OF_SAME_DASHES: f64 = 10.0;

/// The styles of labels that are seen side by side: those of [`styles_of`], except that a label that
/// would look like an earlier one gets a free hue. A dozen labels leave enough of them.
pub fn styles_apart<'a>(labels: impl IntoIterator<Item = &'a str>) -> Vec<Style> {
    let mut styles = styles_of(labels);
    for i in 1..styles.len() {
        let is_alike = |a: Style, b: Style| confused(a, b).is_some();
        if styles[..i].iter().any(|earlier| is_alike(*earlier, styles[i])) {
            let is_free = |style: &Style| {
                (0..styles.len()).all(|other| other == i || !is_alike(styles[other], *style))
            };
            styles[i] = styles_from(styles[i]).find(is_free).unwrap_or(styles[i]);
        }
    }
    styles
}

/// All styles of agents, from one on: its hue first, and of every hue its dashes first.
fn styles_from(Style { color, dash }: Style) -> impl Iterator<Item = Style> {
    let slot = if let Color::Slot(slot) = color { slot } else { 0 };
    (0..SLOTS).flat_map(move |further| {
        let color = Color::Slot((slot + further) % SLOTS);
        [dash, Dash::Solid, Dash::Dashed, Dash::Dotted].map(|dash| Style { color, dash })
    })
}

/// How a reader may confuse two styles, and on which background.
pub(super) fn confused(a: Style, b: Style) -> Option<String> {
    confused_colors(a.color.rgb(), b.color.rgb(), a.dash == b.dash)
}

pub(super) fn confused_colors(a: Pair, b: Pair, same_dashes: bool) -> Option<String> {
    for paper in [0, 1] {
        for vision in Vision::ALL {
            let least = match vision {
                Vision::Full => FULL,
                _ if same_dashes => PART_OF_SAME_DASHES,
                _ => PART,
            };
            let found = vision.difference(a[paper], b[paper]);
            if found < least {
                return Some(format!("{vision:?} on paper {paper}: {found:.1} of {least}"));
            }
        }
    }
    None
}

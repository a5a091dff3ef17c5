//! The colours of figures in a terminal: as they are, or the nearest of 256.

use graph_bandit_figures::Color;
use std::io::{IsTerminal, stdout};

/// What a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Text alone.
    Plain,
    /// Every colour.
    Full(Paper),
    /// The 240 colours that mean the same in every terminal.
    Few(Paper),
}

/// What is behind the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paper {
    Light,
    Dark,
}

impl Ink {
    /// What standard output can show, as far as it says so.
    pub(crate) fn of_stdout() -> Self {
        if !stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some() {
            return Self::Plain;
        }
        let said = |name: &str| std::env::var(name).unwrap_or_default();
        Self::of_words(&said("COLORTERM"), &said("COLORFGBG"))
    }

    /// By `COLORTERM`, and by `COLORFGBG`, which ends with the number of the background. Most terminals
    /// that do not say are dark.
    fn of_words(colors: &str, ground: &str) -> Self {
        let is_light = matches!(ground.rsplit(';').next(), Some("7" | "15"));
        let paper = if is_light { Paper::Light } else { Paper::Dark };
        if matches!(colors, "truecolor" | "24bit") { Self::Full(paper) } else { Self::Few(paper) }
    }

    /// The text in a colour.
    pub(crate) fn paint(self, text: &str, color: Color) -> String {
        let on = |paper: Paper| channels(color.rgb()[usize::from(paper == Paper::Dark)]);
        match self {
            Self::Plain => text.to_owned(),
            Self::Full(paper) => {
                let [red, green, blue] = on(paper);
                format!("\x1b[38;2;{red};{green};{blue}m{text}\x1b[0m")
            }
            Self::Few(paper) => format!("\x1b[38;5;{}m{text}\x1b[0m", nearest(on(paper))),
        }
    }
}

fn channels(rgb: u32) -> [u8; 3] {
    [16, 8, 0].map(|shift| (rgb >> shift & 0xff) as u8)
}

/// The nearest of the cube of 216 colours and the 24 greys. The first 16 look as their user likes.
fn nearest(wanted: [u8; 3]) -> u8 {
    let distance = |number: &u8| {
        let found = shown(*number);
        // Eyes are most sensitive to green, least to blue.
        let parts = wanted.iter().zip(found).zip([3, 6, 1]);
        parts.map(|((&a, b), weight)| weight * u32::from(a.abs_diff(b)).pow(2)).sum::<u32>()
    };
    (16..=255).min_by_key(distance).unwrap_or(15)
}

/// What terminals show for a number from 16 on.
fn shown(number: u8) -> [u8; 3] {
    if number >= 232 {
        return [8 + 10 * (number - 232); 3];
    }
    let cube = number - 16;
    [cube / 36, cube / 6 % 6, cube % 6].map(|level| if level == 0 { 0 } else { 55 + 40 * level })
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit_figures::palette::SLOTS;

    #[test]
    fn colors_are_those_of_figures() {
        let blue = Color::Slot(0);
        assert_eq!(Ink::Full(Paper::Light).paint("x", blue), "\x1b[38;2;0;114;178mx\x1b[0m");
        assert_eq!(Ink::Full(Paper::Dark).paint("x", blue), "\x1b[38;2;21;146;243mx\x1b[0m");
        // 33 is #0087ff.
        assert_eq!(Ink::Few(Paper::Dark).paint("x", blue), "\x1b[38;5;33mx\x1b[0m");
        assert_eq!(Ink::Plain.paint("x", blue), "x");
        assert_eq!([[0, 0, 0], [255, 255, 255], [0x58, 0x58, 0x58]].map(nearest), [16, 231, 240]);
    }

    #[test]
    fn every_hue_stays_another_color_among_few() {
        for paper in [0, 1] {
            let numbers: Vec<u8> =
                (0..SLOTS).map(|slot| nearest(channels(Color::Slot(slot).rgb()[paper]))).collect();
            for (slot, number) in numbers.iter().enumerate() {
                assert!(!numbers[..slot].contains(number), "{slot} on {paper}: {numbers:?}");
            }
        }
    }

    #[test]
    fn terminals_say_what_they_can_show() {
        assert_eq!(Ink::of_words("truecolor", "15;0"), Ink::Full(Paper::Dark));
        assert_eq!(Ink::of_words("24bit", "0;default;15"), Ink::Full(Paper::Light));
        assert_eq!(Ink::of_words("", "0;7"), Ink::Few(Paper::Light));
        assert_eq!(Ink::of_words("", ""), Ink::Few(Paper::Dark));
    }
}

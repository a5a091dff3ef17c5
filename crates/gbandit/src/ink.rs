//! The colours of figures in a terminal: as they are, or the nearest of 256.

use graph_bandit_figures::Color;
use std::io::{IsTerminal, stdout};

/// What a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// No colour.
    Plain,
    /// Every colour.
    Full(Paper),
    /// The 240 colours that are the same in every terminal.
    Few(Paper),
}

/// The background, in the order of a colour's two variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paper {
    Light,
    Dark,
}

impl Ink {
    /// What standard output can show, as far as the environment tells.
    pub(crate) fn of_stdout() -> Self {
        if !stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some() {
            return Self::Plain;
        }
        let said = |name: &str| std::env::var(name).unwrap_or_default();
        Self::of_words(&said("COLORTERM"), &said("COLORFGBG"))
    }

    /// Reads `COLORTERM`, and `COLORFGBG`, which ends with the number of the background colour.
    /// Most terminals that set neither are dark.
    fn of_words(colors: &str, ground: &str) -> Self {
        let is_light = matches!(ground.rsplit(';').next(), Some("7" | "15"));
        let paper = if is_light { Paper::Light } else { Paper::Dark };
        if matches!(colors, "truecolor" | "24bit") { Self::Full(paper) } else { Self::Few(paper) }
    }

    /// The text in a colour.
    pub(crate) fn paint(self, text: &str, color: Color) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Full(paper) => {
                let rgb = color.rgb()[paper as usize];
                let [red, green, blue] = [16, 8, 0].map(|shift| rgb >> shift & 0xff);
                format!("\x1b[38;2;{red};{green};{blue}m{text}\x1b[0m")
            }
            Self::Few(paper) => {
                format!("\x1b[38;5;{}m{text}\x1b[0m", color.of_256()[paper as usize])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_match_the_figures() {
        let blue = Color::Slot(0);
        assert_eq!(Ink::Full(Paper::Light).paint("x", blue), "\x1b[38;2;0;114;178mx\x1b[0m");
        assert_eq!(Ink::Full(Paper::Dark).paint("x", blue), "\x1b[38;2;21;146;243mx\x1b[0m");
        // 32 is #0087d7.
        assert_eq!(Ink::Few(Paper::Dark).paint("x", blue), "\x1b[38;5;32mx\x1b[0m");
        assert_eq!(Ink::Plain.paint("x", blue), "x");
    }

    #[test]
    fn environment_variables_select_the_ink() {
        assert_eq!(Ink::of_words("truecolor", "15;0"), Ink::Full(Paper::Dark));
        assert_eq!(Ink::of_words("24bit", "0;default;15"), Ink::Full(Paper::Light));
        assert_eq!(Ink::of_words("", "0;7"), Ink::Few(Paper::Light));
        assert_eq!(Ink::of_words("", ""), Ink::Few(Paper::Dark));
    }
}

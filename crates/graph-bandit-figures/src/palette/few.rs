//! Colours for terminals with few colours.

use super::Color;
use super::lab::{lab, linear};

impl Color {
    /// The nearest of a terminal's 256 colours, on light and on dark background.
    ///
    /// It is one of the cube of 216 or of the 24 greys; users configure the first 16.
    pub fn of_256(self) -> [u8; 2] {
        self.rgb().map(nearest)
    }
}

/// The nearest by CIE 1976, which keeps all hues distinct.
fn nearest(rgb: u32) -> u8 {
    let wanted = lab(linear(rgb));
    let distance = |number: u8| -> f64 {
        let found = lab(linear(shown(number)));
        wanted.iter().zip(found).map(|(a, b)| (a - b) * (a - b)).sum()
    };
    (16..=255).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or(16)
}

/// The colour that terminals show for a number from 16 on.
fn shown(number: u8) -> u32 {
    let number = u32::from(number);
    if number >= 232 {
        return (8 + 10 * (number - 232)) * 0x01_0101;
    }
    let cube = number - 16;
    let [red, green, blue] = [cube / 36, cube / 6 % 6, cube % 6]
        .map(|level| if level == 0 { 0 } else { 55 + 40 * level });
    red << 16 | green << 8 | blue
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::SLOTS;

    #[test]
    fn existing_colors_are_found() {
        for number in [16, 33, 130, 231, 240] {
            assert_eq!(nearest(shown(number)), number);
        }
        assert_eq!((shown(33), shown(240), shown(231)), (0x00_87ff, 0x58_5858, 0xff_ffff));
    }

    #[test]
    fn hues_stay_distinct() {
        for paper in [0, 1] {
            let numbers: Vec<u8> =
                (0..SLOTS).map(|slot| Color::Slot(slot).of_256()[paper]).collect();
            for (slot, number) in numbers.iter().enumerate() {
                assert!(!numbers[..slot].contains(number), "{slot} on {paper}: {numbers:?}");
            }
        }
    }
}

//! Decides which places are one node.

use std::collections::HashMap;

/// How near two places must be, along each axis, to be one node: a centimetre if coordinates are
/// degrees.
const TOLERANCE: f64 = 1e-7;
/// Beyond this, numbers are too coarse for the tolerance: only equal places are one node.
const COARSE: f64 = 1e8;

/// More nodes this close together are not distinguished, or finding one would take long.
const CROWD: usize = 16;

/// Finds nodes by their places.
#[derive(Debug, Default)]
pub(super) struct Snap {
    cells: HashMap<[i64; 2], Vec<(usize, [f64; 2])>>,
}

impl Snap {
    /// Records where a node is, unless one is known there.
    pub(super) fn add(&mut self, node: usize, place: [f64; 2]) {
        let cell = self.cells.entry(place.map(cell)).or_default();
        if cell.len() < CROWD && cell.iter().all(|(_, known)| *known != place) {
            cell.push((node, place));
        }
    }

    /// The nearest node at that place; the first of several.
    pub(super) fn find(&self, place: [f64; 2]) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for [across, up] in AROUND {
            let [x, y] = place.map(cell);
            let cell = [x.wrapping_add(across), y.wrapping_add(up)];
            for &(node, there) in self.cells.get(&cell).into_iter().flatten() {
                let away = (place[0] - there[0]).abs().max((place[1] - there[1]).abs());
                let is_better = best.is_none_or(|(least, first)| (away, node) < (least, first));
                if away <= TOLERANCE && is_better {
                    best = Some((away, node));
                }
            }
        }
        best.map(|(_, node)| node)
    }
}

const AROUND: [[i64; 2]; 9] =
    [[0, 0], [-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];

fn cell(number: f64) -> i64 {
    if number.abs() < COARSE {
        (number / TOLERANCE).floor() as i64
    } else {
        number.to_bits().cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_places_are_one_also_across_cells() {
        let mut snap = Snap::default();
        snap.add(7, [1.0, 2.0]);
        snap.add(8, [1e300, 2.0]);
        assert_eq!(snap.find([1.0 - 9e-8, 2.0 + 9e-8]), Some(7));
        assert_eq!(snap.find([1.0 + 3e-7, 2.0]), None);
        assert_eq!(snap.find([1e300, 2.0]), Some(8));
        assert_eq!(snap.find([0.0, -0.0]), None);
    }
}

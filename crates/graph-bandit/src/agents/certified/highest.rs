//! The highest of many values, at the cost of what changed: a tournament.

use std::ops::Range;

/// Values per block: a block is scanned in about the time of two matches higher up.
const BLOCK: usize = 16;

/// The winner of a match that nobody takes part in.
const NOBODY: u32 = u32::MAX;

/// Values that are not NaN, and the place of the highest.
#[derive(Debug, Clone, Default)]
pub(super) struct Highest {
    values: Vec<f64>,
    /// A binary tree of places: the children of match `i` are `2 i` and `2 i + 1`, blocks are the
    /// leaves.
    winners: Vec<u32>,
    leaves: usize,
}

impl Highest {
    /// Replaces all values; there must be one at least.
    pub(super) fn fill(&mut self, values: impl Iterator<Item = f64>) {
        self.values.clear();
        self.values.extend(values);
        self.leaves = self.values.len().div_ceil(BLOCK).next_power_of_two();
        self.winners.clear();
        self.winners.resize(2 * self.leaves, NOBODY);
        for place in (1..2 * self.leaves).rev() {
            self.winners[place] = self.play(place);
        }
    }

    /// Replaces one value.
    pub(super) fn set(&mut self, place: usize, value: f64) {
        self.values[place] = value;
        let mut game = self.leaves + place / BLOCK;
        while game > 0 {
            let winner = self.play(game);
            let before = std::mem::replace(&mut self.winners[game], winner);
            // Another winner than the one that changed means the same to all matches above.
            if winner == before && winner as usize != place {
                break;
            }
            game /= 2;
        }
    }

    /// The winner of a match, if those below it are decided. Ties go to the lowest place.
    fn play(&self, game: usize) -> u32 {
        let Some(&[left, right]) =
            self.winners.get(2 * game..2 * game + 2).and_then(|below| below.first_chunk())
        else {
            let block = self.block(game);
            let first = block.start;
            let better = |best: usize, place: usize| {
                if self.values[place] > self.values[best] { place } else { best }
            };
            return if block.is_empty() { NOBODY } else { block.fold(first, better) as u32 };
        };
        if right != NOBODY && self.of(right) > self.of(left) { right } else { left }
    }

    fn block(&self, game: usize) -> Range<usize> {
        let first = ((game - self.leaves) * BLOCK).min(self.values.len());
        first..(first + BLOCK).min(self.values.len())
    }

    fn of(&self, place: u32) -> f64 {
        self.values[place as usize]
    }

    /// The lowest place of the highest value.
    pub(super) fn first(&self) -> usize {
        self.winners[1] as usize
    }

    /// The highest value at any other place than the first; minus infinity if there is none.
    pub(super) fn second(&self) -> f64 {
        let first = self.first();
        let mut game = self.leaves + first / BLOCK;
        let others = self.block(game).filter(|&place| place != first);
        let mut highest = others.map(|place| self.values[place]).fold(f64::NEG_INFINITY, f64::max);
        while game > 1 {
            let rival = self.winners[game ^ 1];
            if rival != NOBODY {
                highest = highest.max(self.of(rival));
            }
            game /= 2;
        }
        highest
    }

    /// All values.
    #[inline]
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn the_answers_are_those_of_a_scan() {
        let mut stream = Seed(4).stream();
        for (places, levels) in [(1, 9), (2, 2), (15, 3), (16, 1 << 40), (17, 4), (700, 9_000)] {
            let mut values: Vec<f64> = (0..places).map(|_| stream.below(levels) as f64).collect();
            let mut highest = Highest::default();
            highest.fill(values.iter().copied());
            for _ in 0..500 {
                let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let first = values.iter().position(|&value| value == best).unwrap();
                let others = values.iter().enumerate().filter(|&(place, _)| place != first);
                let second = others.map(|(_, &value)| value).fold(f64::NEG_INFINITY, f64::max);
                assert_eq!((highest.first(), highest.second()), (first, second));
                assert_eq!(highest.values(), values);
                // The highest falls as often as others change.
                let anywhere = stream.below(places as u64) as usize;
                let place = [first, anywhere][stream.below(2) as usize];
                values[place] = stream.below(levels) as f64;
                highest.set(place, values[place]);
            }
        }
    }
}

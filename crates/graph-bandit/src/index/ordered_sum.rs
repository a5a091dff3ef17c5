//! A long sum in order, to the bit of adding its terms one by one, at the cost of what changed.
//!
//! Floating-point sums depend on the order of their terms, so a sum cannot be corrected by a
//! difference. But while a running sum stays between two powers of two, it is a whole number of
//! units in its last place, and adding a term adds a whole number of units: the term, rounded. The
//! sum matters only if the term ends in exactly half a unit: then the sum becomes even. So what a
//! block of terms adds depends only on the power of two and on whether the sum was odd. Blocks
//! remember that, and so do groups of blocks. A block within which the sum passes a power of two is
//! added term by term; there are few of these.

/// Terms per block.
const BLOCK: usize = 128;

/// Blocks per group.
const GROUP: usize = 64;

/// The bits of a number's fraction.
const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;

/// What is added to an exponent before it is stored.
const BIAS: u64 = 1_023;

/// The stored exponents for which terms can be counted in units without overflow.
const EXPONENTS: std::ops::Range<u64> = BIAS - 800..BIAS + 800;

/// A sum of terms that are not negative.
#[derive(Debug, Clone, Default)]
pub(super) struct OrderedSum {
    terms: Vec<f64>,
    blocks: Vec<Block>,
    groups: Vec<Block>,
}

/// What a block or a group adds to a sum with this exponent.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// As stored; `None` if unknown.
    exponent: Option<u64>,
    /// In units of the sum's last place: added to an even and to an odd sum.
    units: [u64; 2],
}

const UNKNOWN: Block = Block { exponent: None, units: [0; 2] };

impl OrderedSum {
    /// Replaces all terms.
    pub(super) fn fill(&mut self, terms: impl Iterator<Item = f64>) {
        self.terms.clear();
        self.terms.extend(terms);
        self.blocks.clear();
        self.blocks.resize(self.terms.len().div_ceil(BLOCK), UNKNOWN);
        self.groups.clear();
        self.groups.resize(self.blocks.len().div_ceil(GROUP), UNKNOWN);
    }

    /// Replaces one term.
    pub(super) fn set(&mut self, place: usize, term: f64) {
        if self.terms[place].to_bits() != term.to_bits() {
            self.terms[place] = term;
            self.blocks[place / BLOCK] = UNKNOWN;
            self.groups[place / BLOCK / GROUP] = UNKNOWN;
        }
    }

    /// All terms.
    pub(super) fn terms(&self) -> &[f64] {
        &self.terms
    }

    /// `start` plus all terms, added one by one.
    pub(super) fn after(&mut self, start: f64) -> f64 {
        let mut sum = start;
        let blocks = self.blocks.chunks_mut(GROUP).zip(self.terms.chunks(GROUP * BLOCK));
        for (group, (blocks, terms)) in self.groups.iter_mut().zip(blocks) {
            let whole = group.add(sum, |exponent| units_of_group(exponent, blocks, terms));
            sum = whole.unwrap_or_else(|| add_blocks(sum, blocks, terms));
        }
        sum
    }
}

/// The sum after the terms of these blocks.
fn add_blocks(start: f64, blocks: &mut [Block], terms: &[f64]) -> f64 {
    let mut sum = start;
    for (block, terms) in blocks.iter_mut().zip(terms.chunks(BLOCK)) {
        let whole = block.add(sum, |exponent| Some(units_of(exponent, terms)));
        sum = whole.unwrap_or_else(|| terms.iter().fold(sum, |sum, x| sum + x));
    }
    sum
}

impl Block {
    /// The sum after the terms of this block; `None` if they must be added in smaller parts. If it
    /// is not known what they add to a sum with an exponent, `count` says that.
    #[inline]
    fn add(&mut self, sum: f64, count: impl FnOnce(u64) -> Option<[u64; 2]>) -> Option<f64> {
        let bits = sum.to_bits();
        let exponent = bits >> FRACTION;
        if self.exponent != Some(exponent) {
            if !EXPONENTS.contains(&exponent) {
                return None;
            }
            *self = Self { exponent: Some(exponent), units: count(exponent)? };
        }
        // Within a power of two, the bits of a number count its units.
        let after = bits.checked_add(self.units[(bits & 1) as usize])?;
        (after >> FRACTION == bits >> FRACTION).then(|| f64::from_bits(after))
    }
}

/// What these terms add to an even and to an odd sum with this exponent.
fn units_of(exponent: u64, terms: &[f64]) -> [u64; 2] {
    let units_per_one = f64::from_bits((u64::from(FRACTION) + 2 * BIAS - exponent) << FRACTION);
    [0, 1].map(|odd| {
        let mut sum: u64 = odd;
        for term in terms {
            let units = term * units_per_one;
            let whole = units.floor();
            let rest = units - whole;
            // Too many units leave the power of two whatever the sum.
            sum = sum.saturating_add(whole as u64);
            let rounds_up = rest > 0.5 || (rest == 0.5 && sum & 1 == 1);
            sum = sum.saturating_add(u64::from(rounds_up));
        }
        sum - odd
    })
}

/// What these blocks add to an even and to an odd sum with this exponent; `None` if some of them were last added
/// to a sum with another one. The sum passes a power of two among them then, or did so before now: counted one by
/// one, each block keeps the exponent that it meets.
fn units_of_group(exponent: u64, blocks: &mut [Block], terms: &[f64]) -> Option<[u64; 2]> {
    let meets_another = |block: &Block| block.exponent.is_some_and(|met| met != exponent);
    if blocks.iter().any(meets_another) {
        return None;
    }
    for (block, terms) in blocks.iter_mut().zip(terms.chunks(BLOCK)) {
        if block.exponent != Some(exponent) {
            *block = Block { exponent: Some(exponent), units: units_of(exponent, terms) };
        }
    }
    Some([0, 1].map(|odd| {
        let add = |sum: u64, block: &Block| sum.saturating_add(block.units[(sum & 1) as usize]);
        blocks.iter().fold(odd, add) - odd
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, Stream};

    fn plain(start: f64, terms: &[f64]) -> f64 {
        terms.iter().fold(start, |sum, x| sum + x)
    }

    /// Terms of many kinds: of one scale, few levels so that halves are common, many scales, mostly
    /// zero, huge.
    fn term(kind: u64, stream: &mut Stream) -> f64 {
        match kind {
            0 => stream.unit(),
            1 => stream.below(64) as f64 / 64.0,
            2 => libm::exp2(stream.unit() * 120.0 - 100.0),
            3 if stream.below(9) > 0 => 0.0,
            3 => 0.5 + stream.unit(),
            4 => libm::exp2((stream.below(108) as f64) - 54.0),
            _ => 1e307 * stream.unit(),
        }
    }

    #[test]
    fn the_bits_are_those_of_adding_one_by_one() {
        let mut stream = Seed(12).stream();
        let mut remembered = 0;
        for case in 0..600 {
            let kind = case % 6;
            let nodes = 1 + stream.below([3_000, 30_000][usize::from(case % 9 == 0)]) as usize;
            let mut terms: Vec<f64> = (0..nodes).map(|_| term(kind, &mut stream)).collect();
            let start = [0.5, 0.0, 3.0, 1e-310, 1e-250][case as usize / 6 % 5];
            let mut sum = OrderedSum::default();
            sum.fill(terms.iter().copied());
            for _ in 0..20 {
                assert_eq!(sum.after(start).to_bits(), plain(start, &terms).to_bits(), "{case}");
                remembered += sum.blocks.iter().filter(|block| block.exponent.is_some()).count();
                for _ in 0..stream.below(9) {
                    let place = stream.below(nodes as u64) as usize;
                    terms[place] = term(kind, &mut stream);
                    sum.set(place, terms[place]);
                }
            }
        }
        assert!(remembered > 20_000, "{remembered}");
    }

    #[test]
    fn halves_of_a_unit_round_to_even() {
        // Above 2^52 a unit is 1, so every half depends on whether the sum is odd.
        let terms = vec![0.5; 1_000];
        let mut sum = OrderedSum::default();
        sum.fill(terms.iter().copied());
        for start in [4_503_599_627_370_496.0, 4_503_599_627_370_497.0, 9_007_199_254_740_000.0] {
            assert_eq!(sum.after(start), plain(start, &terms));
        }
        assert_eq!(sum.after(4_503_599_627_370_497.0), 4_503_599_627_370_498.0);
    }
}

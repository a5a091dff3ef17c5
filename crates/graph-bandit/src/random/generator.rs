//! A stream as a `rand_core` generator, so that the distributions of `rand` can draw from it.

use super::{Seed, Stream};
use rand_core::{Infallible, SeedableRng, TryRng, utils};

/// Every call consumes whole values of the stream. 64 bits are the next value, 32 bits are the
/// upper half of one, and bytes are values in little-endian order; the rest of the last value is
/// dropped. So you can mix the methods of [`Stream`] and the traits, and a stored stream resumes
/// with the same bits.
///
/// The infallible trait `rand_core::Rng` follows from this one.
impl TryRng for Stream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.bits() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.bits())
    }

    #[inline]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        utils::fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}

/// `Stream::seed_from_u64(7)` is `Seed(7).stream()`, and `Stream::from_rng` takes its seed from
/// another generator.
impl SeedableRng for Stream {
    type Seed = [u8; 8];

    fn from_seed(seed: [u8; 8]) -> Self {
        Seed(u64::from_le_bytes(seed)).stream()
    }

    // The default would scramble the number, which the stream already does.
    fn seed_from_u64(seed: u64) -> Self {
        Seed(seed).stream()
    }
}

//! The feature `rand_core`: the values of the traits are pinned and equal those of the stream
//! itself.

use graph_bandit::{Seed, Stream};
use rand::distr::{Bernoulli, Distribution, Uniform};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};

#[test]
fn words_and_bytes_are_values_of_the_stream() {
    let value = |k| Seed(1_234_567).bits(k);
    let mut stream = Seed(1_234_567).stream();
    assert_eq!(stream.next_u64(), 6_457_827_717_110_365_317);
    assert_eq!(u64::from(stream.next_u32()), value(1) >> 32);
    let mut bytes = [0; 11];
    stream.fill_bytes(&mut bytes);
    assert_eq!(bytes[..8], value(2).to_le_bytes());
    assert_eq!(bytes[8..], value(3).to_le_bytes()[..3]);
    // Nothing is buffered between calls: the stream's own methods continue with the next value.
    assert_eq!(stream.bits(), value(4));
    stream.fill_bytes(&mut []);
    assert_eq!(stream.bits(), value(5));
}

#[test]
fn a_stored_stream_resumes_with_the_same_bits() {
    let mut stream = Seed(3).stream();
    let _: u32 = stream.random();
    let mut resumed: Stream =
        serde_json::from_str(&serde_json::to_string(&stream).unwrap()).unwrap();
    assert_eq!([(); 9].map(|()| resumed.next_u32()), [(); 9].map(|()| stream.next_u32()));
}

#[test]
fn seeds_are_ours() {
    assert_eq!(Stream::seed_from_u64(7), Seed(7).stream());
    assert_eq!(Stream::from_seed(7_u64.to_le_bytes()), Seed(7).stream());
    let mut outside = Xoshiro256PlusPlus::seed_from_u64(5);
    let expected = Seed(outside.clone().next_u64()).stream();
    assert_eq!(Stream::from_rng(&mut outside), expected);
}

/// Each mean and frequency is within five standard deviations of its expectation.
#[test]
fn distributions_draw_from_it() {
    const DRAWS: usize = 40_000;
    let within = |found: f64, mean: f64, deviation: f64| {
        let allowed = 5.0 * deviation / (DRAWS as f64).sqrt();
        assert!((found - mean).abs() < allowed, "{found} instead of {mean}");
    };
    let mut stream = Seed(11).stream();
    let uniform = Uniform::new(2.0, 6.0).unwrap();
    let sum: f64 = (0..DRAWS).map(|_| uniform.sample(&mut stream)).sum();
    within(sum / DRAWS as f64, 4.0, 4.0 / 12_f64.sqrt());
    let coin = Bernoulli::new(0.3).unwrap();
    let heads = (0..DRAWS).filter(|_| coin.sample(&mut stream)).count();
    within(heads as f64 / DRAWS as f64, 0.3, 0.21_f64.sqrt());
    let first = |stream: &mut Stream| {
        let mut nodes = [0, 1, 2];
        nodes.shuffle(stream);
        nodes[0]
    };
    let zeros = (0..DRAWS).filter(|_| first(&mut stream) == 0).count();
    within(zeros as f64 / DRAWS as f64, 1.0 / 3.0, (2_f64 / 9.0).sqrt());
}

//! Looking ahead by rollouts: better than optimism, close to the optimum, and the same bits for a
//! seed.

use super::trip;
use graph_bandit::Seed;
use graph_bandit_route::{Exact, Optimistic, Trip, Uct, UctOptions, Weather, mean_of, travel};

fn times(trip: &Trip, rollouts: u32, runs: u64, seed: Seed) -> Vec<[f64; 2]> {
    let options = UctOptions { rollouts, ..UctOptions::default() };
    let time = |run: u64| {
        let seed = seed.child(run);
        let weather = Weather::draw(trip, seed.child(0)).unwrap();
        let uct = travel(trip, &weather, &mut Uct::new(trip, options, seed.child(1))).time;
        [uct, travel(trip, &weather, &mut Optimistic::new(trip)).time]
    };
    (0..runs).map(time).collect()
}

/// The mean of the differences, and its standard error.
fn saved(times: &[[f64; 2]]) -> (f64, f64) {
    let differences: Vec<f64> = times.iter().map(|[uct, optimistic]| optimistic - uct).collect();
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let squares: f64 = differences.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

#[test]
fn it_beats_optimism_on_the_larger_graphs() {
    for name in ["ctp20-00", "ctp20-01"] {
        let (mean, error) = saved(&times(&trip(name), 300, 150, Seed(1)));
        assert!(mean > 3.0 * error, "{name}: {mean} ± {error}");
    }
}

#[test]
fn it_comes_close_to_the_best_on_the_small_graphs() {
    for name in ["ctp5-00", "ctp5-03"] {
        let trip = trip(name);
        let best = Exact::new(&trip).unwrap().mean();
        let optimistic = mean_of(&trip, &mut Optimistic::new(&trip)).unwrap();
        let (saved, error) = saved(&times(&trip, 200, 2_000, Seed(2)));
        let possible = optimistic - best;
        assert!(saved - 3.0 * error < possible, "{name}: {saved} ± {error} of {possible}");
        assert!(saved + 3.0 * error > possible, "{name}: {saved} ± {error} of {possible}");
        assert!(saved > 3.0 * error, "{name}: {saved} ± {error} of {possible}");
    }
}

#[test]
fn the_seed_decides() {
    let trip = trip("ctp20-00");
    let [first, again, other] = [3, 3, 4].map(|seed| times(&trip, 20, 20, Seed(seed)));
    assert_eq!(first, again);
    assert_ne!(first, other);
}

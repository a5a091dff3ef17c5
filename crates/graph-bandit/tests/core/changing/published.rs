//! The dynamic regret that Besson's thesis (2019) reports, mean and standard deviation of 1,000
//! runs of 5,000 steps.

use super::piecewise::{Problem, pb1, pb4};

const RUNS: u64 = 1_000;

fn assert_published(problem: &Problem, agent: &str, (mean, deviation): (f64, f64)) {
    let found = problem.regrets(agent, RUNS);
    let error = deviation / (RUNS as f64).sqrt();
    let apart = (found.mean() - mean) / error;
    println!(
        "{agent}: {:.1} ± {:.1}, published {mean} ± {deviation}: {apart:.2} SE",
        found.mean(),
        found.variance().unwrap().sqrt()
    );
    assert!(apart.abs() < 3.5, "{agent}: {} {mean} {apart}", found.mean());
}

#[test]
fn pb1_() {
    let p = pb1(5000);
    for (a, b) in [
        ("glr-klucb:restarts=local,changes=4,horizon=5000", (74.0, 31.0)),
        ("glr-klucb:restarts=global,changes=4,horizon=5000", (97.0, 32.0)),
        ("sw-klucb:changes=4,horizon=5000", (177.0, 34.0)),
        ("klucb", (270.0, 76.0)),
    ] {
        assert_published(&p, a, b);
    }
}
#[test]
fn pb4_() {
    let p = pb4(5000);
    for (a, b) in [
        ("glr-klucb:restarts=local,changes=4,horizon=5000", (99.0, 32.0)),
        ("glr-klucb:restarts=global,changes=4,horizon=5000", (128.0, 32.0)),
        ("sw-klucb:changes=4,horizon=5000", (202.0, 33.0)),
        ("klucb", (615.0, 74.0)),
    ] {
        assert_published(&p, a, b);
    }
}

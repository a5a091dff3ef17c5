//! The dynamic regret that Besson's thesis (2019) reports: mean and standard deviation of 1,000
//! runs of 5,000 steps. Ours makes as many.

use super::piecewise::{Problem, pb1, pb4};

const RUNS: u64 = 1_000;
const STEPS: u64 = 5_000;
const LOCAL: &str = "glr-klucb:restarts=local,changes=4,horizon=5000";
const GLOBAL: &str = "glr-klucb:restarts=global,changes=4,horizon=5000";
const WINDOW: &str = "sw-klucb:changes=4,horizon=5000";

/// Whether an agent's regret is that of the thesis, within 3.5 standard errors.
fn assert_published(problem: &Problem, agent: &str, (mean, deviation): (f64, f64)) {
    let found = problem.regrets(agent, RUNS).mean();
    let apart = (found - mean) / (deviation / (RUNS as f64).sqrt());
    assert!(apart.abs() < 3.5, "{agent}: {found}, published {mean}, {apart} standard errors apart");
}

#[test]
fn restarts_by_likelihood_ratio_on_problem_1() {
    assert_published(&pb1(STEPS), LOCAL, (74.0, 31.0));
    assert_published(&pb1(STEPS), GLOBAL, (97.0, 32.0));
}

#[test]
fn restarts_by_likelihood_ratio_on_problem_4() {
    assert_published(&pb4(STEPS), LOCAL, (99.0, 32.0));
    assert_published(&pb4(STEPS), GLOBAL, (128.0, 32.0));
}

#[test]
fn no_restarts_on_problem_1() {
    assert_published(&pb1(STEPS), WINDOW, (177.0, 34.0));
    assert_published(&pb1(STEPS), "klucb", (270.0, 76.0));
}

#[test]
fn no_restarts_on_problem_4() {
    assert_published(&pb4(STEPS), WINDOW, (202.0, 33.0));
    assert_published(&pb4(STEPS), "klucb", (615.0, 74.0));
}

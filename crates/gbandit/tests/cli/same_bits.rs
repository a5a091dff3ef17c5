//! The same command gives the same result, whatever the number of threads.

use crate::program::timeless;

const ALL: &str = "g-ucb,direct-sp,ucrl2,g-ucb-ucrl2-bound,g-ucb-ucrl2-doubling,local-ucb,local-ts,\
                   ql-eps,ql-ucb-h";

#[test]
fn any_number_of_jobs_gives_the_same_answer() {
    let flags = format!("--graph grid:4x4 --agents {ALL} --steps 500 --runs 5");
    let one = timeless(&format!("{flags} --jobs 1"));
    for jobs in ["--jobs 2", "--jobs 3", "--jobs 65535", ""] {
        assert_eq!(timeless(&format!("{flags} {jobs}")), one, "{jobs}");
    }
}

#[test]
fn the_seed_determines_the_result() {
    let flags = "--graph grid:4x4 --agents g-ucb,local-ts,ql-eps --steps 300 --runs 3";
    let seeded = |seed: u64| timeless(&format!("{flags} --seed {seed}"))["agents"].clone();
    assert_eq!(seeded(7), seeded(7));
    assert_ne!(seeded(7), seeded(8));
    assert_ne!(seeded(0), seeded(u64::MAX));
    assert_eq!(timeless(&format!("{flags} --seed {}", u64::MAX))["seed"], u64::MAX);
}

#[test]
fn an_agent_does_not_depend_on_the_other_agents() {
    let flags = "--graph grid:4x4 --steps 300 --runs 3 --agents";
    let all = timeless(&format!("{flags} {ALL}"));
    for (i, name) in ALL.split(',').enumerate() {
        let alone = timeless(&format!("{flags} {name}"));
        assert_eq!(alone["agents"][0], all["agents"][i], "{name}");
    }
}

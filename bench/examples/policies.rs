//! Finds the cheapest paths from all nodes of a square grid, again and again, for a profiler:
//! `policies NODES ROUNDS`. The problems are those of section `planning`.

use anyhow::{Context, Result};
use graph_bandit::plan::CheapestPaths;
use graph_bandit_bench::planning::Problem;

fn main() -> Result<()> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<usize>());
    let mut next = || numbers.next().context("usage: policies NODES ROUNDS")?.context("a number");
    let (problem, rounds) = (Problem::grid(next()?)?, next()?);
    let mut paths = CheapestPaths::default();
    for round in 0..rounds {
        problem.policy(&mut paths, round);
    }
    println!("{}: {rounds} policies", problem.name);
    Ok(())
}

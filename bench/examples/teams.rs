//! Makes R runs of Multi-G-UCB on the largest instance of its paper, for profilers: `teams R
//! [one-by-one]`. Without `one-by-one`, rewards are drawn as sums.

use anyhow::{Context, Result};
use graph_bandit::TapeKind;
use graph_bandit_bench::teams::Setting;
use std::hint::black_box;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (runs, tape) = match &args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [runs] => (*runs, TapeKind::Sums),
        [runs, "one-by-one"] => (*runs, TapeKind::OneByOne),
        _ => anyhow::bail!("usage: teams RUNS [one-by-one]"),
    };
    let setting = Setting::new(tape)?;
    for round in 0..runs.parse::<usize>().context("RUNS must be a whole number")? {
        black_box(setting.run(round)?);
    }
    Ok(())
}

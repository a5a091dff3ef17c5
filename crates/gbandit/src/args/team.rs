//! Arguments for teams.

use super::values::{integer, named};
use clap::Args as ClapArgs;
use graph_bandit::team::Draws;

const HEADING: &str = "Teams";

#[derive(Debug, ClapArgs)]
pub(crate) struct TeamArgs {
    /// How many walkers share the graph, or a CSV file with one row per walker. Its columns are all
    /// optional: `start`, `speed` (divides the time of roads) and `nodes` (where the walker may be:
    /// names separated by spaces, or by semicolons if a name has spaces; `*` for everywhere).
    /// Agents for teams lead all walkers: g-star, multi-g-ucb, comb-ucb, g-drift. With any other
    /// agent, every walker learns by itself.
    #[arg(long, value_name = "N|FILE", help_heading = HEADING)]
    pub(crate) walkers: Option<String>,

    /// Where the walkers start: `random`, drawn for every run, or nodes separated by commas. If you
    /// give one node, all walkers start there. Default: random.
    #[arg(long, value_name = "random|NODE,..", requires = "walkers", help_heading = HEADING)]
    pub(crate) starts: Option<String>,

    /// What c walkers on one node are worth, as a multiple f(c) of one draw: `equal` (1),
    /// `capacity:ROOM` (min(c, ROOM)), `power:EXPONENT` (c^EXPONENT), `log:BEND`
    /// (ln(1 + BEND c) / ln(1 + BEND)), `sequel` (the shares of the paper on teams, for the graph
    /// and means er100-5 or er300-20), or `file:CSV` with one row per node, f(1),f(2),.., and no
    /// header. Default: equal.
    #[arg(long, value_name = "SHARE", requires = "walkers", help_heading = HEADING)]
    pub(crate) share: Option<String>,

    /// What walkers on one node draw. Default: one.
    #[arg(long, value_parser = named::<Draws>(), requires = "walkers", help_heading = HEADING)]
    pub(crate) draws: Option<Draws>,

    /// The most walkers that are sent to one node. Default: any number.
    #[arg(
        long,
        value_name = "N",
        value_parser = integer(1..=100_000),
        requires = "walkers",
        help_heading = HEADING
    )]
    pub(crate) seats: Option<u64>,
}

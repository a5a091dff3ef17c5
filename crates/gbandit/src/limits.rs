//! The limits of `gbandit serve`.

use crate::args::integer;
use clap::Args;
use graph_bandit_server::ConnectionLimits;
use graph_bandit_server::ServeOptions;
use graph_bandit_server::agent::GraphLimits;
use graph_bandit_server::fleet::{FleetLimits, KeepHistory};
use graph_bandit_server::http::{HttpLimits, Rate};
use std::time::Duration;

/// The upper bound of every count.
const MOST: u64 = 1_000_000_000;
/// The upper bound of the memory for agents: a tebibyte.
const MOST_MEMORY: u64 = 1 << 40;
/// The upper bound of times, in seconds: a day.
const LONGEST: u64 = 86_400;

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Largest request body, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = HttpLimits::default().body as u64,
        value_parser = integer(1..=MOST))]
    max_body: u64,

    /// Maximum number of nodes in a graph.
    #[arg(long, value_name = "N", default_value_t = GraphLimits::default().nodes as u64,
        value_parser = integer(1..=MOST))]
    max_nodes: u64,

    /// Maximum number of edges in a graph.
    #[arg(long, value_name = "N", default_value_t = GraphLimits::default().edges as u64,
        value_parser = integer(1..=MOST))]
    max_edges: u64,

    /// Maximum number of requests per second from one client.
    #[arg(long, value_name = "N", default_value_t = Rate::default().per_second as u64,
        value_parser = integer(1..=MOST))]
    max_requests_per_second: u64,

    /// Maximum number of connections at once.
    #[arg(long, value_name = "N", default_value_t = ConnectionLimits::default().at_once as u64,
        value_parser = integer(1..=1_000_000))]
    max_connections: u64,

    /// Maximum number of connections at once from one address; raise it behind a proxy, where all
    /// clients share one address. [default: half of --max-connections]
    #[arg(long, value_name = "N", value_parser = integer(1..=1_000_000))]
    max_connections_per_address: Option<u64>,

    /// Maximum number of event streams at once; each is also a connection.
    #[arg(long, value_name = "N", default_value_t = HttpLimits::default().streams as u64,
        value_parser = integer(1..=1_000_000))]
    max_streams: u64,

    /// Total memory for large request bodies while they are read, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = HttpLimits::default().memory_for_bodies as u64,
        value_parser = integer(1..=MOST))]
    max_memory_for_bodies: u64,

    /// Total memory for large answers while they are sent, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = HttpLimits::default().memory_for_answers as u64,
        value_parser = integer(1..=MOST))]
    max_memory_for_answers: u64,

    /// Longest time a request may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = HttpLimits::default().time.as_secs(),
        value_parser = integer(1..=LONGEST))]
    timeout: u64,

    /// Longest silence of a connection, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = ConnectionLimits::default().idle.as_secs(),
        value_parser = integer(1..=LONGEST))]
    idle: u64,

    /// Agents kept in memory; others are loaded on request.
    #[arg(long, value_name = "N", default_value_t = FleetLimits::default().in_memory as u64,
        value_parser = integer(1..=MOST))]
    agents_in_memory: u64,

    /// Total memory for agents, in bytes, by estimate; others are loaded on request.
    #[arg(long, value_name = "BYTES", default_value_t = FleetLimits::default().memory as u64,
        value_parser = integer(1..=MOST_MEMORY))]
    max_memory_for_agents: u64,

    /// How much history to keep of each agent: all, a time such as 30d, 12h or 90m, or a number of
    /// records such as 100000. Estimates and orders stay exact.
    #[arg(long, value_name = "all|TIME|COUNT", default_value = "all", value_parser = keep_history)]
    keep_history: KeepHistory,
}

/// Reads `all`, a time with its unit, or a number of records.
pub(crate) fn keep_history(text: &str) -> Result<KeepHistory, String> {
    if text == "all" {
        return Ok(KeepHistory::All);
    }
    let wrong = || {
        format!(
            "{text:?} is not an amount of history; write all, a time such as 30d, 12h, 90m or 600s, or a number of records of at least 1"
        )
    };
    let seconds = match text.chars().last() {
        Some('d') => 86_400,
        Some('h') => 3_600,
        Some('m') => 60,
        Some('s') => 1,
        _ => 0,
    };
    let number = text.strip_suffix(['d', 'h', 'm', 's']).unwrap_or(text);
    let number = number.parse::<u64>().ok().filter(|number| (1..=MOST).contains(number));
    let number = number.ok_or_else(wrong)?;
    Ok(match seconds {
        0 => KeepHistory::Last(number),
        seconds => KeepHistory::For(Duration::from_secs(number.saturating_mul(seconds))),
    })
}

impl LimitArgs {
    pub(crate) fn apply(&self, options: &mut ServeOptions) {
        let per_second = self.max_requests_per_second as f64;
        options.http = HttpLimits {
            body: self.max_body as usize,
            time: Duration::from_secs(self.timeout),
            rate: Rate { per_second, burst: per_second },
            streams: self.max_streams as usize,
            simulations: options.http.simulations,
            memory_for_bodies: self.max_memory_for_bodies as usize,
            memory_for_answers: self.max_memory_for_answers as usize,
        };
        options.fleet = FleetLimits {
            graph: GraphLimits { nodes: self.max_nodes as usize, edges: self.max_edges as usize },
            in_memory: self.agents_in_memory as usize,
            memory: usize::try_from(self.max_memory_for_agents).unwrap_or(usize::MAX),
            keep_history: self.keep_history,
            patience: Duration::from_secs(self.timeout),
            ..FleetLimits::default()
        };
        options.connections = ConnectionLimits {
            at_once: self.max_connections as usize,
            per_address: self
                .max_connections_per_address
                .unwrap_or(self.max_connections.div_ceil(2)) as usize,
            idle: Duration::from_secs(self.idle),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_is_all_a_time_or_a_number() {
        let time = |seconds| Ok(KeepHistory::For(Duration::from_secs(seconds)));
        assert_eq!(keep_history("all"), Ok(KeepHistory::All));
        assert_eq!(keep_history("30d"), time(30 * 86_400));
        assert_eq!(keep_history("12h"), time(12 * 3_600));
        assert_eq!(keep_history("90m"), time(90 * 60));
        assert_eq!(keep_history("5s"), time(5));
        assert_eq!(keep_history("100000"), Ok(KeepHistory::Last(100_000)));
        for text in ["", "d", "0", "0d", "-1", "1.5d", "3w", "none", "ALL", "99999999999"] {
            let said = keep_history(text).unwrap_err();
            assert!(said.contains(&format!("{text:?}")) && said.contains("30d"), "{said}");
        }
    }
}

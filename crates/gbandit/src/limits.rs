//! How much `gbandit serve` takes on.

use crate::args::whole;
use clap::Args;
use graph_bandit_server::ConnectionLimits;
use graph_bandit_server::ServeOptions;
use graph_bandit_server::agent::GraphLimits;
use graph_bandit_server::fleet::FleetLimits;
use graph_bandit_server::http::{HttpLimits, Rate};
use std::time::Duration;

/// The highest number of anything.
const MOST: u64 = 1_000_000_000;
/// The longest time, in seconds: a day.
const LONGEST: u64 = 86_400;

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// The longest body of a request, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = HttpLimits::default().body as u64,
        value_parser = whole(1..=MOST))]
    max_body: u64,

    /// The most nodes of a graph.
    #[arg(long, value_name = "N", default_value_t = GraphLimits::default().nodes as u64,
        value_parser = whole(1..=MOST))]
    max_nodes: u64,

    /// The most edges of a graph.
    #[arg(long, value_name = "N", default_value_t = GraphLimits::default().edges as u64,
        value_parser = whole(1..=MOST))]
    max_edges: u64,

    /// How many requests a client may make in a second.
    #[arg(long, value_name = "N", default_value_t = Rate::default().per_second as u64,
        value_parser = whole(1..=MOST))]
    max_requests_per_second: u64,

    /// How many connections there may be at once.
    #[arg(long, value_name = "N", default_value_t = ConnectionLimits::default().at_once as u64,
        value_parser = whole(1..=1_000_000))]
    max_connections: u64,

    /// How many of them may come from one address; raise it behind a proxy, which is one address.
    /// [default: half of --max-connections]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000))]
    max_connections_per_address: Option<u64>,

    /// How many may watch agents at once: streams of events, which are connections, too.
    #[arg(long, value_name = "N", default_value_t = HttpLimits::default().streams as u64,
        value_parser = whole(1..=1_000_000))]
    max_streams: u64,

    /// How many bytes the large bodies that are read at the same time may have together.
    #[arg(long, value_name = "BYTES", default_value_t = HttpLimits::default().memory_for_bodies as u64,
        value_parser = whole(1..=MOST))]
    max_memory_for_bodies: u64,

    /// How many bytes the large answers that are sent at the same time may have together.
    #[arg(long, value_name = "BYTES", default_value_t = HttpLimits::default().memory_for_answers as u64,
        value_parser = whole(1..=MOST))]
    max_memory_for_answers: u64,

    /// How long a request may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = HttpLimits::default().time.as_secs(),
        value_parser = whole(1..=LONGEST))]
    timeout: u64,

    /// How long a connection may be silent, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = ConnectionLimits::default().idle.as_secs(),
        value_parser = whole(1..=LONGEST))]
    idle: u64,

    /// How many agents are kept in memory; the others are loaded when they are asked.
    #[arg(long, value_name = "N", default_value_t = FleetLimits::default().in_memory as u64,
        value_parser = whole(1..=MOST))]
    agents_in_memory: u64,
}

impl LimitArgs {
    pub(crate) fn apply(&self, options: &mut ServeOptions) {
        let per_second = self.max_requests_per_second as f64;
        options.http = HttpLimits {
            body: self.max_body as usize,
            time: Duration::from_secs(self.timeout),
            rate: Rate { per_second, burst: per_second },
            streams: self.max_streams as usize,
            memory_for_bodies: self.max_memory_for_bodies as usize,
            memory_for_answers: self.max_memory_for_answers as usize,
        };
        options.fleet = FleetLimits {
            graph: GraphLimits { nodes: self.max_nodes as usize, edges: self.max_edges as usize },
            in_memory: self.agents_in_memory as usize,
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

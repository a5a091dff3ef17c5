//! The service's metrics, in the text format of Prometheus.

mod commits;
mod connections;
mod histogram;
mod program;

pub use commits::Commits;
pub(crate) use commits::Outcome;
pub(crate) use connections::Refused;

use crate::store::Sizes;
use connections::Connections;
use histogram::Histogram;
use program::Program;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds to it.
    pub fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    /// Its value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The upper ends of the classes of durations, in seconds.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// The method, the route and the status of a request.
type Kind = (String, String, u16);

/// All metrics.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Requests for orders.
    pub asks: Counter,
    /// Accepted reports.
    pub reports: Counter,
    /// Rewards in them.
    pub rewards: Counter,
    /// Repeats of accepted reports.
    pub repeats: Counter,
    /// Appends that lost against another writer.
    pub contended: Counter,
    /// Reports that spent their planning budget.
    pub budgets_spent: Counter,
    /// Reports given up before they were accepted.
    pub given_up: Counter,
    /// Agents loaded from the store.
    pub loads: Counter,
    /// Stored snapshots.
    pub snapshots: Counter,
    /// Snapshots that could not be used.
    pub damaged_snapshots: Counter,
    /// Agents whose log in the store had lost records that had been read.
    pub other_pasts: Counter,
    /// Requests that met an agent whose definition or log is damaged.
    pub damaged_agents: Counter,
    /// Lost lines of the log; the writer of the log counts them.
    pub log_lines_dropped: Arc<Counter>,
    pub(crate) connections: Connections,
    program: Program,
    streams: AtomicUsize,
    requests: Mutex<BTreeMap<Kind, Histogram<{ SECONDS.len() }>>>,
}

/// Values measured elsewhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen<'a> {
    /// How many agents are in memory.
    pub agents_in_memory: usize,
    /// About how much memory they take, in bytes.
    pub memory_of_agents: usize,
    /// The commits of the store, if it measures them.
    pub commits: Option<&'a Commits>,
    /// The sizes of the store's files, if it has any.
    pub sizes: Option<Sizes>,
}

/// An open event stream, until it is dropped.
#[derive(Debug)]
pub struct Counted(Arc<Metrics>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.streams.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Metrics {
    /// Metrics at zero; `log_lines_dropped` is counted elsewhere.
    pub fn with_log(log_lines_dropped: Arc<Counter>) -> Self {
        Self { log_lines_dropped, ..Self::default() }
    }

    /// Adds an event stream, unless the limit is reached.
    pub fn count_stream(metrics: &Arc<Self>, most: usize) -> Option<Counted> {
        let more = |streams| (streams < most).then_some(streams + 1);
        let counted = metrics.streams.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
        counted.ok().map(|_| Counted(Arc::clone(metrics)))
    }

    /// Counts a request; `route` is a pattern, so that the number of kinds is bounded.
    pub fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let kind = (method.to_owned(), route.to_owned(), status);
        let durations = requests.entry(kind).or_insert_with(|| Histogram::new(&SECONDS));
        durations.add(took.as_secs_f64());
    }

    /// The text that Prometheus reads.
    pub fn text(&self, seen: &Seen<'_>) -> String {
        let &Seen { agents_in_memory, memory_of_agents, commits, sizes } = seen;
        let counters = [
            ("asks", "Requests for orders.", &self.asks),
            ("reports", "Accepted reports, which are durable.", &self.reports),
            ("rewards", "Rewards in accepted reports.", &self.rewards),
            ("repeats", "Repeats of accepted reports.", &self.repeats),
            ("contended", "Appends that lost against another writer.", &self.contended),
            ("budgets_spent", "Reports that spent their planning budget.", &self.budgets_spent),
            ("reports_given_up", "Reports given up before they were accepted.", &self.given_up),
            ("agent_loads", "Agents loaded from the store.", &self.loads),
            ("snapshots", "Stored snapshots.", &self.snapshots),
            ("damaged_snapshots", "Snapshots that could not be used.", &self.damaged_snapshots),
            (
                "other_pasts",
                "Agents loaded again because the store had lost records.",
                &self.other_pasts,
            ),
            ("damaged_agents", "Requests that met a damaged agent.", &self.damaged_agents),
            ("log_lines_dropped", "Lost lines of the log.", &self.log_lines_dropped),
        ];
        let mut text = String::new();
        for (name, help, counter) in counters {
            let name = format!("gbandit_{name}_total");
            head(&mut text, (&name, "counter"), help);
            line(&mut text, format_args!("{name} {}", counter.get()));
        }
        let streams = self.streams.load(Ordering::SeqCst);
        for (name, help, value) in [
            ("gbandit_agents_in_memory", "Agents in memory.", agents_in_memory),
            ("gbandit_agents_memory_bytes", "Their memory, by estimate.", memory_of_agents),
            ("gbandit_event_streams", "Open event streams.", streams),
        ] {
            head(&mut text, (name, "gauge"), help);
            line(&mut text, format_args!("{name} {value}"));
        }
        self.connections.write(&mut text);
        self.program.write(&mut text);
        if let Some(Sizes { data, write_ahead }) = sizes {
            for (name, help, bytes) in [
                ("gbandit_store_size_bytes", "Size of the store's file.", data),
                ("gbandit_store_write_ahead_bytes", "Size of the write-ahead file.", write_ahead),
            ] {
                head(&mut text, (name, "gauge"), help);
                line(&mut text, format_args!("{name} {bytes}"));
            }
        }
        if let Some(commits) = commits {
            commits.write(&mut text);
        }
        self.write_requests(&mut text);
        text
    }

    fn write_requests(&self, text: &mut String) {
        const NAME: &str = "gbandit_http_request_duration_seconds";
        head(text, (NAME, "histogram"), "How long requests took.");
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        for ((method, route, status), durations) in requests.iter() {
            let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
            durations.write(text, NAME, &labels);
        }
    }
}

/// Adds gauges: name, help, value.
pub(crate) fn write_gauges(text: &mut String, gauges: &[(&str, &str, usize)]) {
    for (name, help, value) in gauges {
        head(text, (name, "gauge"), help);
        line(text, format_args!("{name} {value}"));
    }
}

fn head(text: &mut String, (name, kind): (&str, &str), help: &str) {
    line(text, format_args!("# HELP {name} {help}"));
    line(text, format_args!("# TYPE {name} {kind}"));
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{content}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_fall_into_classes() {
        let metrics = Metrics::default();
        for millis in [1, 4, 40, 9_000] {
            metrics.request("POST", "/v1/agents/{id}/tell", 200, Duration::from_millis(millis));
        }
        metrics.rewards.add(7);
        let commits = Commits::default();
        commits.done(30, Duration::from_millis(2));
        commits.failed();
        let sizes = Some(Sizes { data: 5, write_ahead: 6 });
        let text = metrics.text(&Seen {
            agents_in_memory: 3,
            memory_of_agents: 9,
            commits: Some(&commits),
            sizes,
        });
        let labels = "method=\"POST\",route=\"/v1/agents/{id}/tell\",status=\"200\"";
        for (end, count) in [("0.001", 1), ("0.005", 2), ("0.03", 2), ("0.05", 3), ("+Inf", 4)] {
            let line = format!(
                "gbandit_http_request_duration_seconds_bucket{{{labels},le=\"{end}\"}} {count}\n"
            );
            assert!(text.contains(&line), "{line}{text}");
        }
        assert!(text.contains("gbandit_rewards_total 7\n"));
        for line in [
            "gbandit_agents_in_memory 3",
            "gbandit_agents_memory_bytes 9",
            "gbandit_store_size_bytes 5",
            "gbandit_store_write_ahead_bytes 6",
            "gbandit_store_commit_writes_bucket{le=\"20\"} 0",
            "gbandit_store_commit_writes_bucket{le=\"50\"} 1",
            "gbandit_store_commit_writes_sum 30",
            "gbandit_store_commit_duration_seconds_bucket{le=\"0.0025\"} 1",
            "gbandit_store_commit_duration_seconds_count 1",
            "gbandit_store_failed_commits_total 1",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{line}\n{text}");
        }
        let version = env!("CARGO_PKG_VERSION");
        assert!(
            text.contains(&format!("gbandit_build_info{{version=\"{version}\"}} 1\n")),
            "{text}"
        );
        let started =
            text.lines().find_map(|line| line.strip_prefix("process_start_time_seconds "));
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
        let started: f64 = started.unwrap().parse().unwrap();
        assert!(started > 1.7e9 && started <= now + 1.0, "{started} of {now}");
        #[cfg(target_os = "linux")]
        assert!(text.contains("process_resident_memory_bytes "));
    }
}

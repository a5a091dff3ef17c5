//! What the service counts, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds to it.
    pub fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The upper ends of the classes of durations, in seconds.
const CLASSES: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// Requests of one kind.
#[derive(Debug, Default)]
struct Requests {
    by_class: [u64; CLASSES.len()],
    count: u64,
    seconds: f64,
}

/// A method and a route, and what was answered.
type Kind = (String, String, u16);

/// Everything that is counted.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Orders asked for.
    pub asks: Counter,
    /// Reports taken in.
    pub reports: Counter,
    /// Rewards in them.
    pub rewards: Counter,
    /// Reports that had been taken in before.
    pub repeats: Counter,
    /// Appends that another writer was faster than.
    pub contended: Counter,
    /// Agents loaded from the store.
    pub loads: Counter,
    /// Snapshots kept.
    pub snapshots: Counter,
    /// Snapshots that could not be used.
    pub damaged_snapshots: Counter,
    requests: Mutex<BTreeMap<Kind, Requests>>,
}

impl Metrics {
    /// Counts a request; `route` is a pattern, so that the number of kinds is bounded.
    pub fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let kind = (method.to_owned(), route.to_owned(), status);
        let requests = requests.entry(kind).or_default();
        let seconds = took.as_secs_f64();
        requests.count += 1;
        requests.seconds += seconds;
        for (count, end) in requests.by_class.iter_mut().zip(CLASSES) {
            *count += u64::from(seconds <= end);
        }
    }

    /// The text that Prometheus reads.
    pub fn text(&self, agents_in_memory: usize) -> String {
        let counters = [
            ("asks", "Orders asked for.", &self.asks),
            ("reports", "Reports taken in and durable.", &self.reports),
            ("rewards", "Rewards in these reports.", &self.rewards),
            ("repeats", "Reports that had been taken in before.", &self.repeats),
            ("contended", "Appends that another writer was faster than.", &self.contended),
            ("agent_loads", "Agents loaded from the store.", &self.loads),
            ("snapshots", "Snapshots kept.", &self.snapshots),
            ("damaged_snapshots", "Snapshots that were of no use.", &self.damaged_snapshots),
        ];
        let mut text = String::new();
        for (name, help, counter) in counters {
            let name = format!("gbandit_{name}_total");
            line(&mut text, format_args!("# HELP {name} {help}"));
            line(&mut text, format_args!("# TYPE {name} counter"));
            line(&mut text, format_args!("{name} {}", counter.get()));
        }
        line(&mut text, format_args!("# HELP gbandit_agents_in_memory Agents in memory."));
        line(&mut text, format_args!("# TYPE gbandit_agents_in_memory gauge"));
        line(&mut text, format_args!("gbandit_agents_in_memory {agents_in_memory}"));
        self.write_requests(&mut text);
        text
    }

    fn write_requests(&self, text: &mut String) {
        const NAME: &str = "gbandit_http_request_duration_seconds";
        line(text, format_args!("# HELP {NAME} How long requests took."));
        line(text, format_args!("# TYPE {NAME} histogram"));
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        for ((method, route, status), requests) in requests.iter() {
            let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
            for (count, end) in requests.by_class.iter().zip(CLASSES) {
                line(text, format_args!("{NAME}_bucket{{{labels},le=\"{end}\"}} {count}"));
            }
            let Requests { count, seconds, .. } = requests;
            line(text, format_args!("{NAME}_bucket{{{labels},le=\"+Inf\"}} {count}"));
            line(text, format_args!("{NAME}_sum{{{labels}}} {seconds}"));
            line(text, format_args!("{NAME}_count{{{labels}}} {count}"));
        }
    }
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
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
        let text = metrics.text(3);
        let labels = "method=\"POST\",route=\"/v1/agents/{id}/tell\",status=\"200\"";
        for (end, count) in [("0.001", 1), ("0.005", 2), ("0.03", 2), ("0.05", 3), ("+Inf", 4)] {
            let line = format!(
                "gbandit_http_request_duration_seconds_bucket{{{labels},le=\"{end}\"}} {count}\n"
            );
            assert!(text.contains(&line), "{line}{text}");
        }
        assert!(text.contains("gbandit_rewards_total 7\n"));
        assert!(text.contains("gbandit_agents_in_memory 3\n"));
    }
}

//! Requests of robots: repeated until answered, at any process of the service that runs.

use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long one request may take before it is sent elsewhere. Short: a paused process then still
/// has the request, and continues with it later.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a request is repeated.
const IN_ALL: Duration = Duration::from_secs(180);
const PAUSE: Duration = Duration::from_millis(20);

/// The current addresses of the service's processes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Addresses(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    urls: Mutex<Vec<String>>,
    turn: AtomicUsize,
    given_up: AtomicBool,
}

impl Addresses {
    pub(crate) fn set(&self, process: usize, url: &str) {
        let mut urls = self.0.urls.lock().unwrap();
        if urls.len() <= process {
            urls.resize(process + 1, String::new());
        }
        url.clone_into(&mut urls[process]);
    }

    pub(crate) fn get(&self, process: usize) -> String {
        self.0.urls.lock().unwrap()[process].clone()
    }

    fn next(&self) -> String {
        let turn = self.0.turn.fetch_add(1, Ordering::Relaxed);
        let urls = self.0.urls.lock().unwrap();
        urls[turn % urls.len()].clone()
    }

    /// Ends the battle for everyone: something went wrong.
    pub(crate) fn give_up(&self) {
        self.0.given_up.store(true, Ordering::Relaxed);
    }
}

/// One robot's connection to the service.
pub(crate) struct Http {
    addresses: Addresses,
    agent: ureq::Agent,
}

impl Http {
    pub(crate) fn new(addresses: &Addresses) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        Self { addresses: addresses.clone(), agent: config.into() }
    }

    /// One attempt, at one process.
    pub(crate) fn attempt(&self, path: &str, body: Option<&Value>) -> Option<(u16, Value)> {
        let url = format!("{}{path}", self.addresses.next());
        let sent = match body {
            Some(body) => {
                let request = self.agent.post(url).header("Content-Type", "application/json");
                request.send(body.to_string())
            }
            None => self.agent.get(url).call(),
        };
        let mut response = sent.ok()?;
        let status = response.status().as_u16();
        let text = response.body_mut().with_config().limit(1 << 28).read_to_string().ok()?;
        Some((status, serde_json::from_str(&text).unwrap_or(Value::Null)))
    }

    /// Repeats a request until the answer is not temporary.
    ///
    /// # Panics
    /// When no such answer comes for a long time.
    pub(crate) fn answered(&self, path: &str, body: Option<&Value>) -> (u16, Value) {
        let since = Instant::now();
        let mut last = None;
        while since.elapsed() < IN_ALL {
            assert!(!self.addresses.0.given_up.load(Ordering::Relaxed), "the battle was given up");
            let answer = self.attempt(path, body);
            match answer {
                Some((status, answer)) if !is_for_now(status, &answer) => return (status, answer),
                other => last = other.or(last),
            }
            std::thread::sleep(PAUSE);
        }
        panic!("{path} was never answered, the last answer was {last:?}");
    }
}

/// Whether an answer may change soon: no seat, no turn, no store, or concurrent requests.
fn is_for_now(status: u16, answer: &Value) -> bool {
    matches!(status, 429 | 503) || answer["type"] == "urn:graph-bandit:contended"
}

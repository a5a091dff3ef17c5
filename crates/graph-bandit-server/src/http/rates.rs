//! How many requests one client may make: a bucket that fills at a steady rate.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How many clients are tracked; beyond that, quiet clients are forgotten.
const MOST_CLIENTS: usize = 10_000;

/// A steady rate, and a burst beyond it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Requests per second.
    pub per_second: f64,
    /// Requests at once.
    pub burst: f64,
}

impl Default for Rate {
    fn default() -> Self {
        Self { per_second: 20_000.0, burst: 20_000.0 }
    }
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    level: f64,
    at: Instant,
}

/// The buckets of all clients.
#[derive(Debug)]
pub(super) struct Rates {
    rate: Rate,
    clients: Mutex<HashMap<String, Bucket>>,
}

impl Rates {
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, clients: Mutex::default() }
    }

    /// Whether the client may make a request now; if so, it counts.
    pub(super) fn admit(&self, client: &str, now: Instant) -> bool {
        let Rate { per_second, burst } = self.rate;
        let filled = |bucket: &Bucket| {
            let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
            (bucket.level + passed * per_second).min(burst)
        };
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MOST_CLIENTS && !clients.contains_key(client) {
            clients.retain(|_, bucket| filled(bucket) < burst);
        }
        let bucket = clients.entry(client.to_owned()).or_insert(Bucket { level: burst, at: now });
        let level = filled(bucket);
        let admitted = level >= 1.0;
        *bucket = Bucket { level: if admitted { level - 1.0 } else { level }, at: now };
        admitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_empties_and_fills_and_is_one_clients_own() {
        let rates = Rates::new(Rate { per_second: 2.0, burst: 3.0 });
        let start = Instant::now();
        let admitted = |client, millis| rates.admit(client, start + Duration::from_millis(millis));
        assert!((0..3).all(|_| admitted("a", 0)));
        assert!(!admitted("a", 0) && !admitted("a", 499) && admitted("b", 499));
        assert!(admitted("a", 500) && !admitted("a", 501));
        // At most the burst, however long the client was quiet.
        assert!((0..3).all(|_| admitted("a", 60_000)));
        assert!(!admitted("a", 60_000));
    }
}

//! Metrics of connections: how many are open, and how many were refused or cut off.

use super::{Counter, head, line};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Why a connection was refused or cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// All seats were taken.
    Full,
    /// Its address had reached its limit.
    Address,
    /// There was no standing room either.
    CutOff,
}

/// The counts of connections.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    seats: AtomicUsize,
    standing: AtomicUsize,
    full: Counter,
    address: Counter,
    cut_off: Counter,
}

impl Connections {
    /// Sets how many are open now.
    pub(crate) fn are(&self, seats: usize, standing: usize) {
        self.seats.store(seats, Ordering::Relaxed);
        self.standing.store(standing, Ordering::Relaxed);
    }

    /// Counts a connection that was refused or cut off.
    pub(crate) fn refused(&self, why: Refused) {
        let counter = match why {
            Refused::Full => &self.full,
            Refused::Address => &self.address,
            Refused::CutOff => &self.cut_off,
        };
        counter.add(1);
    }

    pub(super) fn write(&self, text: &mut String) {
        let name = "gbandit_connections";
        head(text, (name, "gauge"), "Open connections.");
        for (place, number) in [("seat", &self.seats), ("standing", &self.standing)] {
            let number = number.load(Ordering::Relaxed);
            line(text, format_args!("{name}{{place=\"{place}\"}} {number}"));
        }
        let name = "gbandit_connections_refused_total";
        head(text, (name, "counter"), "Connections that were refused at the limit, or cut off.");
        for (reason, counter) in
            [("full", &self.full), ("address", &self.address), ("cut-off", &self.cut_off)]
        {
            line(text, format_args!("{name}{{reason=\"{reason}\"}} {}", counter.get()));
        }
    }
}

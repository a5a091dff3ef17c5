//! Seats for connections: a limit in total and per address, and some standing room beside them.
//!
//! A connection that finds no seat stands. It may make one request, soon: for health and metrics, or any
//! request with an admin token. So a client that holds all seats can neither hide what happens nor lock out
//! the administrator.

use crate::metrics::{Metrics, Refused};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many connections may stand at the same time; more are cut off.
const STANDING: usize = 50;
/// How many of them may come from one address.
const STANDING_PER_ADDRESS: usize = 10;

/// The place of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Admission {
    /// A seat: all requests that the client may make.
    Seat,
    /// Standing: requests for health and metrics for all; any request for an admin.
    Standing,
}

/// How many seats there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) seats: usize,
    pub(crate) per_address: usize,
}

/// All places, and which are taken.
pub(crate) struct Seats {
    room: Room,
    taken: Mutex<Taken>,
    metrics: Arc<Metrics>,
}

#[derive(Default)]
struct Taken {
    seats: usize,
    standing: usize,
    by_client: HashMap<(Admission, IpAddr), usize>,
}

/// A taken place; dropping it frees it.
pub(crate) struct Held {
    seats: Arc<Seats>,
    client: IpAddr,
    pub(crate) place: Admission,
}

impl Seats {
    pub(crate) fn new(room: Room, metrics: Arc<Metrics>) -> Arc<Self> {
        Arc::new(Self { room, taken: Mutex::default(), metrics })
    }

    /// Takes a place for a connection from this address, if one is free.
    pub(crate) fn take(self: &Arc<Self>, address: IpAddr) -> Option<Held> {
        let client = client(address);
        let mut taken = self.taken();
        let held = |place| taken.by_client.get(&(place, client)).copied().unwrap_or(0);
        let place = if taken.seats >= self.room.seats {
            self.metrics.connections.refused(Refused::Full);
            Admission::Standing
        } else if held(Admission::Seat) >= self.room.per_address {
            self.metrics.connections.refused(Refused::Address);
            Admission::Standing
        } else {
            Admission::Seat
        };
        if place == Admission::Standing
            && (taken.standing >= STANDING || held(place) >= STANDING_PER_ADDRESS)
        {
            self.metrics.connections.refused(Refused::CutOff);
            return None;
        }
        *taken.by_client.entry((place, client)).or_default() += 1;
        *taken.of(place) += 1;
        self.show(&taken);
        Some(Held { seats: Arc::clone(self), client, place })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn show(&self, taken: &Taken) {
        self.metrics.connections.are(taken.seats, taken.standing);
    }
}

impl Taken {
    fn of(&mut self, place: Admission) -> &mut usize {
        match place {
            Admission::Seat => &mut self.seats,
            Admission::Standing => &mut self.standing,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        let key = (self.place, self.client);
        if let Some(number) = taken.by_client.get_mut(&key) {
            *number -= 1;
            if *number == 0 {
                taken.by_client.remove(&key);
            }
        }
        *taken.of(self.place) -= 1;
        self.seats.show(&taken);
    }
}

/// The client's address, or its network for IPv6: a machine often has 2^64 IPv6 addresses.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Seen;

    fn places(held: &[Option<Held>]) -> Vec<Option<Admission>> {
        held.iter().map(|held| held.as_ref().map(|held| held.place)).collect()
    }

    #[test]
    fn one_address_leaves_seats_for_others() {
        let metrics = Arc::<Metrics>::default();
        let seats = Seats::new(Room { seats: 5, per_address: 3 }, Arc::clone(&metrics));
        let take = |address: &str| seats.take(address.parse().unwrap());
        let mut greedy: Vec<_> = (0..20).map(|_| take("10.0.0.1")).collect();
        let expected =
            [Some(Admission::Seat); 3].into_iter().chain([Some(Admission::Standing); 10]);
        assert!(places(&greedy).into_iter().eq(expected.chain([None; 7])));
        let others: Vec<_> = (0..3).map(|_| take("10.0.0.2")).collect();
        assert_eq!(
            places(&others),
            [Some(Admission::Seat), Some(Admission::Seat), Some(Admission::Standing)]
        );
        let shown = metrics.text(&Seen::default());
        for line in [
            "gbandit_connections{place=\"seat\"} 5",
            "gbandit_connections{place=\"standing\"} 11",
            "gbandit_connections_refused_total{reason=\"full\"} 1",
            "gbandit_connections_refused_total{reason=\"address\"} 17",
            "gbandit_connections_refused_total{reason=\"cut-off\"} 7",
        ] {
            assert!(shown.contains(&format!("{line}\n")), "{line}\n{shown}");
        }
        // A place that was given back can be taken again.
        greedy.remove(0);
        assert_eq!(places(&[take("10.0.0.1")]), [Some(Admission::Seat)]);
        drop((greedy, others));
        assert!(seats.taken().by_client.is_empty());
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let of = |address: &str| client(address.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}

//! Short keys of sets of roads, for lookups.
//!
//! The key of a set is the exclusive or of 128 random bits per member (Zobrist, 1970): adding a
//! member takes one operation, whatever the size of the network. Among a billion sets, two share a
//! key with probability below 1e-20.

use graph_bandit::NodeId;
use graph_bandit::Seed;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::network::RoadId;

/// The key of a set.
pub(crate) type Key = u128;

const OPEN: Seed = Seed(0x6f70_656e);
const CLOSED: Seed = Seed(0x636c_6f73);
const PLACE: Seed = Seed(0x706c_6163);

#[inline]
const fn key(seed: Seed, number: u64) -> Key {
    (seed.bits(2 * number) as Key) << 64 | seed.bits(2 * number + 1) as Key
}

#[inline]
pub(crate) const fn open(road: RoadId) -> Key {
    key(OPEN, road as u64)
}

#[inline]
pub(crate) const fn closed(road: RoadId) -> Key {
    key(CLOSED, road as u64)
}

#[inline]
pub(crate) const fn place(node: NodeId) -> Key {
    key(PLACE, node as u64)
}

/// A map from keys. Their bits are random, so half of them serve as the hash.
pub(crate) type KeyMap<V> = HashMap<Key, V, BuildHasherDefault<Half>>;

#[derive(Debug, Clone, Default)]
pub(crate) struct Half(u64);

impl Hasher for Half {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    #[inline]
    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

//! The waiting nodes of a search along roads, roughly ordered by price.
//!
//! Buckets are a fraction of a typical road's price wide, and nodes of one bucket come out in any
//! order. So a node may come out, be expanded, and then get a better offer; it then waits again. In
//! towns this happens to fewer than one node in a thousand, and buckets are much cheaper than an
//! exact order.

use crate::graph::NodeId;

const BUCKETS: usize = 256;

/// The number of buckets per price of a typical road.
const BUCKETS_PER_ROAD: f64 = 6.0;

/// A queue by price, for prices that never fall below the bucket being emptied.
#[derive(Debug, Clone, Default)]
pub(crate) struct PriceBuckets {
    buckets: Vec<Vec<(f64, NodeId)>>,
    buckets_per_price: f64,
    /// The number of the first bucket, counted from price 0.
    first: u64,
    /// The bucket being emptied.
    at: usize,
    /// A lower bound on all prices still to come out.
    floor: f64,
    /// Nodes beyond the last bucket.
    far: Vec<(f64, NodeId)>,
    /// The number of nodes in buckets.
    near: usize,
    /// How many nodes may still be moved before this is too much work.
    patience: usize,
}

impl PriceBuckets {
    /// Resets the queue for roads of about this price in a graph of `nodes` nodes.
    pub(crate) fn start(&mut self, typical: f64, nodes: usize) {
        if self.near > 0 {
            self.buckets.iter_mut().for_each(Vec::clear);
        }
        self.buckets.resize_with(BUCKETS, Vec::new);
        self.far.clear();
        (self.first, self.at, self.near, self.floor) = (0, 0, 0, 0.0);
        self.buckets_per_price = BUCKETS_PER_ROAD / typical;
        self.patience = 4 * nodes + 64 * BUCKETS;
    }

    /// The number of waiting nodes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.near + self.far.len()
    }

    /// Whether so many nodes were moved that an exact order would have been cheaper.
    #[inline]
    pub(crate) fn is_too_costly(&self) -> bool {
        self.patience == 0
    }

    /// The bucket of a price, counted from price 0.
    #[inline]
    fn number(&self, price: f64) -> u64 {
        // Prices too large for a bucket number saturate.
        (price * self.buckets_per_price) as u64
    }

    /// A lower bound on all prices still to come out: all cheaper nodes are final.
    #[inline]
    pub(crate) fn floor(&self) -> f64 {
        self.floor
    }

    #[inline]
    pub(crate) fn push(&mut self, price: f64, node: NodeId) {
        let place = self.number(price) - self.first;
        match usize::try_from(place).ok().and_then(|place| self.buckets.get_mut(place)) {
            Some(bucket) => {
                bucket.push((price, node));
                self.near += 1;
            }
            None => self.far.push((price, node)),
        }
    }

    /// A node of the cheapest bucket, and its price.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(f64, NodeId)> {
        if self.near == 0 {
            self.refill()?;
        }
        loop {
            if let Some(next) = self.buckets[self.at].pop() {
                self.near -= 1;
                self.patience = self.patience.saturating_sub(1);
                return Some(next);
            }
            self.at += 1;
            self.raise_floor();
        }
    }

    /// Raises the floor to the start of the current bucket, or slightly below, out of reach of
    /// rounding.
    fn raise_floor(&mut self) {
        let begins = (self.first + self.at as u64) as f64 / self.buckets_per_price;
        self.floor = begins * (1.0 - 4.0 * f64::EPSILON);
    }

    /// Refills the buckets with the nearest nodes beyond them.
    #[cold]
    fn refill(&mut self) -> Option<()> {
        let nearest = self.far.iter().map(|&(price, _)| price).min_by(f64::total_cmp)?;
        (self.first, self.at) = (self.number(nearest), 0);
        self.raise_floor();
        let far = std::mem::take(&mut self.far);
        self.patience = self.patience.saturating_sub(far.len() + BUCKETS / 8);
        for (price, node) in far {
            self.push(price, node);
        }
        Some(())
    }
}

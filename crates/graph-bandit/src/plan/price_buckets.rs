//! The nodes that wait in a search along roads, out by price but for small differences.
//!
//! They lie in buckets, each as wide as a fraction of what a road costs, and those of one bucket come out in
//! any order. So a node may be taken out, passed on, and be offered a better price afterwards; it then waits
//! again. In towns that happens to fewer than one node in a thousand, and a bucket is much cheaper than any order.

use crate::graph::NodeId;

const BUCKETS: usize = 256;

/// Into how many buckets the price of a typical road is divided.
const BUCKETS_PER_ROAD: f64 = 6.0;

/// A queue by price, for prices that never fall below those of the bucket that is being emptied.
#[derive(Debug, Clone, Default)]
pub(super) struct PriceBuckets {
    buckets: Vec<Vec<(f64, NodeId)>>,
    buckets_per_price: f64,
    /// The number of the first bucket, all prices counted from 0.
    first: u64,
    /// Which of the buckets is being emptied.
    at: usize,
    /// No price below this one will come out any more.
    floor: f64,
    /// What lies beyond the last bucket.
    far: Vec<(f64, NodeId)>,
    /// How many wait in buckets.
    near: usize,
    /// How many nodes may still be moved before this is too much work.
    patience: usize,
}

impl PriceBuckets {
    /// Is as new, for roads of about this price in a graph of so many nodes.
    pub(super) fn start(&mut self, typical: f64, nodes: usize) {
        if self.near > 0 {
            self.buckets.iter_mut().for_each(Vec::clear);
        }
        self.buckets.resize_with(BUCKETS, Vec::new);
        self.far.clear();
        (self.first, self.at, self.near, self.floor) = (0, 0, 0, 0.0);
        self.buckets_per_price = BUCKETS_PER_ROAD / typical;
        self.patience = 4 * nodes + 64 * BUCKETS;
    }

    /// How many wait.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.near + self.far.len()
    }

    /// Whether so many nodes were moved that keeping them in order would have been cheaper.
    #[inline]
    pub(super) fn is_tired(&self) -> bool {
        self.patience == 0
    }

    /// The bucket of a price, counted from price 0.
    #[inline]
    fn number(&self, price: f64) -> u64 {
        // Too large a price is cut off, and lies far away.
        (price * self.buckets_per_price) as u64
    }

    /// No price below this one will come out any more: all nodes that are cheaper are out for good.
    #[inline]
    pub(super) fn floor(&self) -> f64 {
        self.floor
    }

    #[inline]
    pub(super) fn push(&mut self, price: f64, node: NodeId) {
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
    pub(super) fn pop(&mut self) -> Option<(f64, NodeId)> {
        if self.near == 0 {
            self.come_closer()?;
        }
        loop {
            if let Some(next) = self.buckets[self.at].pop() {
                self.near -= 1;
                self.patience = self.patience.saturating_sub(1);
                return Some(next);
            }
            self.at += 1;
            self.lift_floor();
        }
    }

    /// Where the bucket begins that is being emptied, or a little below, where rounding cannot take any price of it.
    fn lift_floor(&mut self) {
        let begins = (self.first + self.at as u64) as f64 / self.buckets_per_price;
        self.floor = begins * (1.0 - 4.0 * f64::EPSILON);
    }

    /// Fills the buckets anew, with the nearest of what lies beyond them.
    #[cold]
    fn come_closer(&mut self) -> Option<()> {
        let nearest = self.far.iter().map(|&(price, _)| price).min_by(f64::total_cmp)?;
        (self.first, self.at) = (self.number(nearest), 0);
        self.lift_floor();
        let far = std::mem::take(&mut self.far);
        self.patience = self.patience.saturating_sub(far.len() + BUCKETS / 8);
        for (price, node) in far {
            self.push(price, node);
        }
        Some(())
    }
}

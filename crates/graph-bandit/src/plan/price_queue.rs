//! The waiting nodes of Dijkstra's method: out by price, then by number.
//!
//! Prices are never negative, so their bits sort as they do, and no price falls below that of the
//! last node taken out. A few waiting nodes are kept in a heap. Of many, only the cheapest are kept
//! in order. The others lie in buckets by the first digit in which their price differs from the
//! cheapest, and are sorted when their turn comes. Each is moved a few times, whatever the scale of
//! prices, whereas a heap compares it at every level.

use crate::graph::NodeId;

/// The bits of a price, then the number of the node.
type Key = u128;

const DIGIT_BITS: u32 = 5;
const DIGITS: usize = 1 << DIGIT_BITS;
const LEVELS: usize = (u64::BITS as usize).div_ceil(DIGIT_BITS as usize);

/// The most waiting nodes kept in the heap alone.
const FEW_WAITING: usize = 32;

/// The most nodes of a bucket that are sorted.
const FEW: usize = 16;

/// The most nodes of a bucket that are fetched at once.
const SOON: usize = 128;

/// The children of an entry of the heap.
const CHILDREN: usize = 4;

/// A queue by price and number, for prices that never fall below the last one taken out.
#[derive(Debug, Clone)]
pub(crate) struct PriceQueue {
    /// Entries that arrived below `bound`: a heap, the least first.
    heap: Vec<Key>,
    /// Entries of the cheapest bucket: the least last.
    run: Vec<Key>,
    /// The bits of the lowest price that belongs in a bucket.
    bound: u64,
    /// A lower bound on the bits of all prices in the buckets.
    base: u64,
    /// By level, the position of the first digit that differs from `base`, and by that digit.
    buckets: Vec<Vec<Key>>,
    /// One bit per bucket that holds something, by level.
    used_digits: [u32; LEVELS],
    /// One bit per level that holds something.
    used_levels: u32,
    /// An unused bucket, kept for its memory.
    spare: Vec<Key>,
    waiting: usize,
}

impl Default for PriceQueue {
    fn default() -> Self {
        Self {
            heap: Vec::new(),
            run: Vec::new(),
            bound: u64::MAX,
            base: 0,
            buckets: Vec::new(),
            used_digits: [0; LEVELS],
            used_levels: 0,
            spare: Vec::new(),
            waiting: 0,
        }
    }
}

#[inline]
fn bits(key: Key) -> u64 {
    (key >> NodeId::BITS) as u64
}

#[inline]
fn node(key: Key) -> NodeId {
    key as NodeId
}

impl PriceQueue {
    /// The number of waiting nodes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.waiting
    }

    #[inline]
    pub(crate) fn push(&mut self, price: f64, node: NodeId) {
        self.waiting += 1;
        let bits = price.to_bits();
        let key = (Key::from(bits) << NodeId::BITS) | Key::from(node);
        if bits < self.bound {
            heap_push(&mut self.heap, key);
        } else {
            self.put_in_bucket(key);
        }
    }

    /// The next node and its price. Nodes whose turn comes soon are passed to `fetch`, many at
    /// once; those that `is_of_use` rejects may be dropped.
    #[inline]
    pub(crate) fn pop(
        &mut self,
        fetch: impl FnMut(NodeId),
        is_of_use: impl Fn(NodeId) -> bool,
    ) -> Option<(f64, NodeId)> {
        let key = match (self.run.last(), self.heap.first()) {
            (Some(&ordered), Some(&top)) if top < ordered => heap_pop(&mut self.heap)?,
            (None, Some(_)) => {
                if self.heap.len() > FEW_WAITING && self.bound == u64::MAX {
                    self.spread();
                }
                heap_pop(&mut self.heap)?
            }
            (None, None) => {
                self.order_the_cheapest(fetch, is_of_use);
                self.run.pop()?
            }
            (Some(_), _) => self.run.pop()?,
        };
        self.waiting -= 1;
        Some((f64::from_bits(bits(key)), node(key)))
    }

    /// All waiting nodes, in arbitrary order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = NodeId> + '_ {
        let in_buckets = self.buckets.iter().flatten();
        self.heap.iter().chain(&self.run).chain(in_buckets).map(|&key| node(key))
    }

    /// Takes everything out in arbitrary order and resets the queue.
    pub(crate) fn drain(&mut self, mut taken: impl FnMut(f64, NodeId)) {
        let mut take = |key: Key| taken(f64::from_bits(bits(key)), node(key));
        self.heap.drain(..).for_each(&mut take);
        self.run.drain(..).for_each(&mut take);
        while let Some((level, digit)) = self.first_bucket() {
            self.buckets[level * DIGITS + digit].drain(..).for_each(&mut take);
        }
        self.bound = u64::MAX;
        self.waiting = 0;
    }

    /// Moves all but the cheapest from the heap to the buckets.
    #[cold]
    fn spread(&mut self) {
        self.buckets.resize(LEVELS * DIGITS, Vec::new());
        let mut waiting = std::mem::replace(&mut self.heap, std::mem::take(&mut self.spare));
        self.base = bits(waiting[0]);
        self.bound = self.base + 1;
        for key in waiting.drain(..) {
            if bits(key) < self.bound {
                heap_push(&mut self.heap, key);
            } else {
                self.put_in_bucket(key);
            }
        }
        self.spare = waiting;
    }

    #[inline]
    fn put_in_bucket(&mut self, key: Key) {
        let bits = bits(key);
        let level = ((bits ^ self.base) | 1).ilog2() / DIGIT_BITS;
        let digit = (bits >> (level * DIGIT_BITS)) as usize % DIGITS;
        self.used_levels |= 1 << level;
        self.used_digits[level as usize] |= 1 << digit;
        self.buckets[level as usize * DIGITS + digit].push(key);
    }

    /// The level and digit of the cheapest bucket, from now on counted as empty.
    #[inline]
    fn first_bucket(&mut self) -> Option<(usize, usize)> {
        if self.used_levels == 0 {
            return None;
        }
        let level = self.used_levels.trailing_zeros() as usize;
        let digits = &mut self.used_digits[level];
        let digit = digits.trailing_zeros() as usize;
        *digits &= *digits - 1;
        if *digits == 0 {
            self.used_levels &= self.used_levels - 1;
        }
        Some((level, digit))
    }

    /// Splits the cheapest bucket until few nodes are left, or all have one price, and sorts those.
    #[inline(never)]
    fn order_the_cheapest(
        &mut self,
        mut fetch: impl FnMut(NodeId),
        is_of_use: impl Fn(NodeId) -> bool,
    ) {
        while let Some((level, digit)) = self.first_bucket() {
            let low_bits = level as u32 * DIGIT_BITS;
            let kept = u64::MAX.checked_shl(low_bits + DIGIT_BITS).unwrap_or(0);
            self.base = (self.base & kept) | ((digit as u64) << low_bits);
            let bucket = &mut self.buckets[level * DIGITS + digit];
            if bucket.len() <= SOON {
                for &key in bucket.iter() {
                    fetch(node(key));
                }
            }
            if level > 0 && bucket.len() > FEW {
                let mut split = std::mem::replace(bucket, std::mem::take(&mut self.spare));
                for key in split.drain(..) {
                    self.put_in_bucket(key);
                }
                self.spare = split;
                continue;
            }
            self.bound = self.base + (1 << low_bits);
            self.waiting -= bucket.len();
            self.run.extend(bucket.drain(..).filter(|&key| is_of_use(node(key))));
            self.waiting += self.run.len();
            if !self.run.is_empty() {
                self.run.sort_unstable_by(|a, b| b.cmp(a));
                return;
            }
        }
    }
}

#[inline]
fn heap_push(heap: &mut Vec<Key>, key: Key) {
    heap.push(key);
    let last = heap.len() - 1;
    rise(heap, last, key);
}

/// Puts `key` at `place`, or further up while it is less than its parent.
#[inline]
fn rise(heap: &mut [Key], mut place: usize, key: Key) {
    while place > 0 {
        let parent = (place - 1) / CHILDREN;
        if heap[parent] <= key {
            break;
        }
        heap[place] = heap[parent];
        place = parent;
    }
    heap[place] = key;
}

#[inline]
fn heap_pop(heap: &mut Vec<Key>) -> Option<Key> {
    let last = heap.pop()?;
    let Some(&top) = heap.first() else { return Some(last) };
    // The gap sinks to the bottom, where the last entry most likely belongs: this has fewer
    // unpredictable branches than comparing on the way down.
    let mut gap = 0;
    loop {
        let first = CHILDREN * gap + 1;
        let child = if let Some(&[a, b, c, d]) = heap.get(first..first + CHILDREN) {
            let (left, right) = (usize::from(b < a), 2 + usize::from(d < c));
            first + if c.min(d) < a.min(b) { right } else { left }
        } else if let Some(child) = (first..heap.len()).min_by_key(|&child| heap[child]) {
            child
        } else {
            break;
        };
        heap[gap] = heap[child];
        gap = child;
    }
    rise(heap, gap, last);
    Some(top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    #[test]
    fn the_order_is_that_of_a_plain_heap() {
        let mut stream = Seed(31).stream();
        let mut queue = PriceQueue::default();
        for case in 0..400 {
            queue.drain(|_, _| ());
            let mut plain = BinaryHeap::new();
            let scale = [1.0, 1e-320, 1e300, 1e-12][case / 2 % 4];
            let levels = [2, 5, 1 << 40][case / 8 % 3];
            let (mut price, mut pushes) = (0.0, 0);
            while pushes < 2000 || !plain.is_empty() {
                for _ in 0..stream.below(6) {
                    if pushes < 2000 {
                        let cost = scale * (stream.below(levels) as f64 / levels as f64);
                        let node = stream.below(1 << 32) as NodeId;
                        queue.push(price + cost, node);
                        plain.push(Reverse(((price + cost).to_bits(), node)));
                        pushes += 1;
                    }
                }
                assert_eq!(queue.len(), plain.len());
                let expected =
                    plain.pop().map(|Reverse((bits, node))| (f64::from_bits(bits), node));
                assert_eq!(queue.pop(|_| (), |_| true), expected);
                price = expected.map_or(price, |(price, _)| price);
                if case % 5 == 0 && stream.below(500) == 0 {
                    let mut rest = Vec::new();
                    queue.drain(|price, node| rest.push(Reverse((price.to_bits(), node))));
                    assert_eq!(queue.len(), 0);
                    for &Reverse((bits, node)) in &rest {
                        queue.push(f64::from_bits(bits), node);
                    }
                    assert_eq!(
                        BinaryHeap::from(rest).into_sorted_vec(),
                        plain.clone().into_sorted_vec()
                    );
                }
            }
        }
    }

    #[test]
    fn only_useless_nodes_are_dropped() {
        let mut queue = PriceQueue::default();
        for node in 0..1000 {
            queue.push(f64::from(node * 7 % 1000), node);
        }
        let mut taken = Vec::new();
        while let Some((_, node)) = queue.pop(|_| (), |node| node % 3 != 0) {
            taken.push(node);
        }
        assert_eq!(taken.iter().filter(|&node| node % 3 != 0).count(), 666);
        assert!(taken.len() < 1000);
        assert_eq!(queue.len(), 0);
    }
}

//! Who goes where on small graphs whose roads take no time: [`Matching`]'s method, with ways that
//! are searched only as far as the matching needs them.
//!
//! Rows are walkers, columns are places. A search from a walker's node settles few nodes, because
//! their neighbours are compared with those of all places: the last node before a place need
//! not be settled. Neighbourhoods are sets of bits in the order of costs, so the cheapest common
//! neighbour is the first bit of both. If the next node to be settled has price `r`, and the
//! cheapest neighbour of a place costs `l`, then all ways to the place that are not known cost at
//! least `r + l`, without the place. A search goes on only where such a way could make the next
//! chain of the matching shorter.
//!
//! [`Matching`]: super::assignment::Matching

use super::ranking::Ranking;
use super::ranks::{Ranks, first, first_of_both};
use super::search::{MOST_NODES, Search, Settled, suits};
use crate::graph::{Graph, NodeId};
use std::array::from_fn;
use std::hint::select_unpredictable;

/// A column without a row, or the reverse.
const NOBODY: u32 = u32::MAX;

/// The bits of a word.
const WORD: usize = u64::BITS as usize;

/// Columns are handled by this many. Those beyond the last are places that nobody can reach.
const LANES: usize = 4;

/// How a way ends that is known from a start to a column: its hops, the branch of the last settled
/// node on it, and perhaps one more node. All in one word, which takes one instruction to replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known(u64);

impl Known {
    /// More hops than any way has, and more of them can be added.
    const UNKNOWN: Self = Self(u64::MAX >> 1);
    const NO_NODE: u16 = u16::MAX;

    /// The last hop to a column, or the last two over a node.
    #[inline]
    fn last_hops(over: Option<NodeId>) -> Self {
        over.map_or(Self(1 << 32 | u64::from(Self::NO_NODE)), |node| {
            Self(2 << 32 | u64::from(node))
        })
    }

    /// These last hops, after so many to a branch. Searches are on graphs of few nodes, so 16 bits
    /// hold each number of a node or branch.
    #[inline]
    fn after(self, hops: u32, branch: u32) -> Self {
        Self(self.0 + (u64::from(hops) << 32 | u64::from(branch) << 16))
    }

    #[inline]
    fn hops(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn branch(self) -> u32 {
        u32::from((self.0 >> 16) as u16)
    }

    fn over(self) -> Option<NodeId> {
        let over = self.0 as u16;
        (over != Self::NO_NODE).then_some(NodeId::from(over))
    }
}

/// The rows and columns of a matching.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides<'a> {
    /// The distinct nodes of rows.
    pub(super) starts: &'a [NodeId],
    /// The place of each row's node among them.
    pub(super) start_of: &'a [usize],
    /// The node of each column.
    pub(super) ends: &'a [NodeId],
}

/// A row that chains lead to.
#[derive(Debug, Clone, Copy)]
struct Reached {
    row: u32,
    start: u32,
    /// What entering it costs.
    offset: f64,
}

/// A matching and its searches, with reused memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Meeting {
    ranks: Ranks,
    /// How ways may end over the node of each rank, and what that costs without the column's node. The
    /// last entry stands for no such way: its cost is infinite.
    ends: Vec<(f64, Known)>,
    /// The neighbours of each column's node, as sets of ranks.
    near: Vec<u64>,
    /// The columns to which the node settled last led on a cheaper way, and their number.
    nearer: Vec<u32>,
    nearer_count: usize,
    /// The number of columns, with those added to fill the lanes.
    width: usize,
    /// One for each start.
    searches: Vec<Search>,
    /// The price of the next node that each search settles.
    radii: Vec<f64>,
    /// Whether every start has one row.
    is_one_to_one: bool,
    /// The least cost of a neighbour of each column's node.
    lows: Vec<f64>,
    /// What entering the node of each column costs.
    entries: Vec<f64>,
    /// The cost of the cheapest way known from each start to each column, without the entry of the
    /// column's node; then with it; then the way.
    ways: Vec<f64>,
    costs: Vec<f64>,
    known: Vec<Known>,
    /// The column of each row, and the row of each column.
    columns: Vec<u32>,
    rows: Vec<u32>,
    /// The columns without a row, as bits.
    unmatched: Vec<u64>,
    /// The prices of columns; negative infinity while their chain is final.
    prices: Vec<f64>,
    /// The shortest chain known to each column, unless it is final, and the row before it there.
    /// Numbers of 64 bits, so that the compiler handles several columns at once.
    lengths: Vec<f64>,
    before: Vec<u64>,
    /// The columns whose chain is final, with its length and with their price.
    done: Vec<(u32, f64, f64)>,
    /// The rows whose columns the chains lead to, and how long the chains over ways that are not known
    /// are from each, at least: as last computed. It only grows.
    reached: Vec<Reached>,
    floors: Vec<f64>,
}

/// The parts of a meeting that handle sets of a certain number of words, so that the compiler knows it.
#[derive(Clone, Copy)]
struct BySize {
    list_ends: fn(&mut Meeting, &Graph, &[NodeId]),
    go_on: fn(&mut Meeting, &Graph, usize) -> bool,
}

/// Those for each number of words.
const BY_SIZE: [BySize; MOST_NODES / WORD + 1] = [
    BySize { list_ends: |_, _, _| {}, go_on: |_, _, _| false },
    BySize::of::<1>(),
    BySize::of::<2>(),
    BySize::of::<3>(),
    BySize::of::<4>(),
    BySize::of::<5>(),
    BySize::of::<6>(),
    BySize::of::<7>(),
    BySize::of::<8>(),
    BySize::of::<9>(),
    BySize::of::<10>(),
    BySize::of::<11>(),
    BySize::of::<12>(),
    BySize::of::<13>(),
    BySize::of::<14>(),
    BySize::of::<15>(),
    BySize::of::<16>(),
];

impl BySize {
    const fn of<const W: usize>() -> Self {
        Self { list_ends: Meeting::list_ends::<W>, go_on: Meeting::settle::<W> }
    }
}

/// The bit of each column of a word.
const BITS: [u64; WORD] = {
    let mut bits = [1; WORD];
    let mut column = 1;
    while column < WORD {
        bits[column] = bits[column - 1] << 1;
        column += 1;
    }
    bits
};

impl Meeting {
    /// Prepares for these costs; false if the graph does not suit.
    /// A ranking, if there is one, has the nodes in ascending order of costs, except for ties.
    pub(super) fn prepare(
        &mut self,
        graph: &Graph,
        entry: impl Fn(NodeId) -> f64,
        ranking: Option<&Ranking>,
    ) -> bool {
        if !suits(graph) {
            return false;
        }
        self.ranks.update(graph.len(), entry, ranking);
        true
    }

    /// Gives each row a column so that the ways cost least together, or returns a row for which
    /// no column is left that it can reach. No start may be an end.
    pub(super) fn find(&mut self, graph: &Graph, sides: Sides<'_>) -> Result<(), usize> {
        self.start(graph, sides);
        for row in 0..sides.start_of.len() {
            self.add(graph, sides, row)?;
        }
        // Among equally cheap ways, take one of fewest hops, and repair what rounding missed.
        for row in 0..self.columns.len() {
            let (start, column) = (sides.start_of[row], self.columns[row] as usize);
            let place = start * self.width + column;
            loop {
                let (radius, hops) = self.searches[start].radius();
                let farther = (radius + self.lows[column], hops.saturating_add(2));
                if farther >= (self.ways[place], self.known[place].hops()) {
                    break;
                }
                if !self.go_on(graph, start) {
                    break;
                }
            }
        }
        Ok(())
    }

    fn start(&mut self, graph: &Graph, sides: Sides<'_>) {
        let Sides { starts, start_of, ends } = sides;
        let (rows, columns) = (start_of.len(), ends.len());
        self.width = columns.next_multiple_of(LANES);
        (BY_SIZE[self.ranks.words()].list_ends)(self, graph, ends);
        refill(&mut self.radii, starts.len(), 0.0);
        self.is_one_to_one = starts.len() == rows;
        refill(&mut self.nearer, self.width + 1, 0);
        // The roots, which are settled below, overwrite all ways.
        self.ways.resize(starts.len() * self.width, f64::INFINITY);
        self.costs.resize(starts.len() * self.width, f64::INFINITY);
        self.known.resize(starts.len() * self.width, Known::UNKNOWN);
        if self.searches.len() < starts.len() {
            self.searches.resize_with(starts.len(), Search::default);
        }
        for (start, &node) in starts.iter().enumerate() {
            self.searches[start].start(&self.ranks, node);
            self.go_on(graph, start);
        }
        refill(&mut self.columns, rows, NOBODY);
        refill(&mut self.rows, self.width, NOBODY);
        refill(&mut self.unmatched, self.width.div_ceil(WORD), u64::MAX);
        refill(&mut self.prices, self.width, 0.0);
        refill(&mut self.lengths, self.width, f64::INFINITY);
        refill(&mut self.before, self.width, 0);
    }

    /// Lists how ways to these nodes may end.
    fn list_ends<const W: usize>(&mut self, graph: &Graph, ends: &[NodeId]) {
        refill(&mut self.ends, W * WORD + 1, (f64::INFINITY, Known::UNKNOWN));
        for (end, &(cost, node)) in self.ends.iter_mut().zip(self.ranks.order()) {
            *end = (f64::from_bits(cost), Known::last_hops(Some(node)));
        }
        refill(&mut self.near, W * ends.len(), 0);
        refill(&mut self.lows, self.width, f64::INFINITY);
        refill(&mut self.entries, self.width, 0.0);
        let near = self.near.as_chunks_mut::<W>().0;
        for (column, (&end, near)) in ends.iter().zip(near).enumerate() {
            self.ranks.list::<W>(graph, end);
            *near = *self.ranks.row(end);
            let (word, bit) = self.ranks.bit(end);
            near[word] &= !bit;
            self.entries[column] = self.ranks.cost(end);
            self.lows[column] = self.ends[first(near)].0;
        }
    }

    /// Settles the next node of a search, and finds the ways over it; false if there is none. Lists
    /// the columns to which one is cheaper than those known.
    #[inline]
    fn go_on(&mut self, graph: &Graph, start: usize) -> bool {
        (BY_SIZE[self.ranks.words()].go_on)(self, graph, start)
    }

    /// As [`go_on`](Self::go_on); `W` is the number of words of sets.
    fn settle<const W: usize>(&mut self, graph: &Graph, start: usize) -> bool {
        let search = &mut self.searches[start];
        let Some(settled) = search.next() else { return false };
        self.ranks.list::<W>(graph, settled.node);
        search.go_on::<W>(&self.ranks, settled);
        self.radii[start] = search.radius().0;
        // Only the root takes no hops.
        if settled.hops == 0 {
            self.offer_first::<W>(start, settled);
        } else {
            self.offer::<W>(start, settled);
        }
        true
    }

    /// Offers all columns the cheapest way from the root: there at once if it is next to it, which no
    /// other way can beat, else over one node.
    fn offer_first<const W: usize>(&mut self, start: usize, root: Settled) {
        let row = self.ranks.row::<W>(root.node);
        let (own_word, own_bit) = self.ranks.bit(root.node);
        let next_to = Known::last_hops(None).after(root.hops, root.branch);
        let range = start * self.width..(start + 1) * self.width;
        let ways = &mut self.ways[range.clone()];
        let (known, costs) = (&mut self.known[range.clone()], &mut self.costs[range]);
        let near = self.near.as_chunks::<W>().0;
        // Nobody stands on the columns that fill the lanes.
        ways[near.len()..].fill(f64::INFINITY);
        costs[near.len()..].fill(f64::INFINITY);
        let costs = costs.iter_mut().zip(&self.entries);
        for (near, ((way, known), (cost, entry))) in
            near.iter().zip(ways.iter_mut().zip(known).zip(costs))
        {
            let is_next_to = near[own_word] & own_bit != 0;
            let (over, end) = self.ends[first_of_both(row, near)];
            *way = select_unpredictable(is_next_to, root.price, over);
            *known = select_unpredictable(is_next_to, next_to, end);
            *cost = *way + entry;
        }
    }

    /// Offers all columns the cheapest way over a node that was settled, and is not the root.
    ///
    /// The way to a column next to the node needs no other node between them. But only the root offers
    /// it: any other node is a neighbour of one settled before, which offered the same way, over this
    /// node.
    fn offer<const W: usize>(&mut self, start: usize, settled: Settled) {
        let Settled { node, branch, price, hops } = settled;
        let row = self.ranks.row::<W>(node);
        let (place, width) = (start * self.width, self.width);
        let ways = self.ways[place..][..width].iter_mut().zip(&mut self.known[place..][..width]);
        let costs = self.costs[place..][..width].iter_mut().zip(&self.entries);
        let near = self.near.as_chunks::<W>().0.iter();
        let mut count = 0;
        // Which ways are cheaper, and over which node, is unpredictable, so there are no branches.
        for (column, (near, ((way, known), (cost, entry)))) in near.zip(ways.zip(costs)).enumerate()
        {
            let (new, end) = self.ends[first_of_both(row, near)];
            let (new, end) = (price + new, end.after(hops, branch));
            self.nearer[count] = column as u32;
            let is_cheaper = new < *way;
            count += usize::from(is_cheaper);
            // Of ways that cost the same, the one of fewer hops is better.
            let is_better = (new <= *way) & (is_cheaper | (end.hops() < known.hops()));
            *known = select_unpredictable(is_better, end, *known);
            *way = lower(*way, new);
            *cost = *way + entry;
        }
        self.nearer_count = count;
    }

    /// Matches one more row, along the shortest chain that ends at a column without a row.
    fn add(&mut self, graph: &Graph, sides: Sides<'_>, row: usize) -> Result<(), usize> {
        let width = self.width;
        self.lengths.fill(f64::INFINITY);
        self.floors.clear();
        let of_columns = lanes(&self.lows).zip(lanes(&self.entries)).zip(lanes(&self.prices));
        let least = least_of(
            of_columns.map(|((low, entry), price)| from_fn(|i| low[i] + entry[i] - price[i])),
        );
        self.done.clear();
        self.reached.clear();
        let (mut from, mut length) = (row, 0.0);
        let last = loop {
            let start = sides.start_of[from];
            // Entering `from` costs nothing by its own column.
            let offset = match self.done.last() {
                None => 0.0,
                Some(&(own, _, price)) => {
                    length - (self.costs[start * width + own as usize] - price)
                }
            };
            self.reached.push(Reached { row: from as u32, start: start as u32, offset });
            self.floors.push(self.radii[start] + least + offset);
            let next = self.relax(start, from, offset);
            let (shortest, column) = self.go_farther(graph, least, next);
            if shortest == f64::INFINITY {
                return Err(row);
            }
            length = shortest;
            if self.rows[column] == NOBODY {
                break column as u32;
            }
            self.done.push((column as u32, shortest, self.prices[column]));
            self.lengths[column] = f64::INFINITY;
            self.prices[column] = f64::NEG_INFINITY;
            from = self.rows[column] as usize;
        };
        for &(column, shortest, price) in &self.done {
            self.prices[column as usize] = price + (shortest - length);
        }
        self.unmatched[last as usize / WORD] &= !(1 << (last as usize % WORD));
        let mut column = last;
        loop {
            let from = self.before[column as usize] as u32;
            self.rows[column as usize] = from;
            std::mem::swap(&mut self.columns[from as usize], &mut column);
            if from as usize == row {
                return Ok(());
            }
        }
    }

    /// Offers all columns a chain over row `from`; returns the shortest chain and its column: of
    /// equally short ones, one that ends, else the lowest.
    #[inline]
    fn relax(&mut self, start: usize, from: usize, offset: f64) -> (f64, usize) {
        let width = self.width;
        let costs = lanes(&self.costs[start * width..][..width]);
        let chains = lanes_mut(&mut self.lengths).zip(lanes_mut(&mut self.before));
        let mut least = [f64::INFINITY; LANES];
        // Without branches, several columns at once.
        for ((cost, price), (length, before)) in costs.zip(lanes(&self.prices)).zip(chains) {
            let offer: [f64; LANES] = from_fn(|i| cost[i] - price[i] + offset);
            let is_shorter: [u64; LANES] =
                from_fn(|i| u64::from(offer[i] < length[i]).wrapping_neg());
            *length = from_fn(|i| lower(length[i], offer[i]));
            *before =
                from_fn(|i: usize| (from as u64 & is_shorter[i]) | (before[i] & !is_shorter[i]));
            least = from_fn(|i| lower(least[i], length[i]));
        }
        let shortest = least_lane(least);
        // Where it is, is unpredictable, so all columns are compared.
        let mut other = width;
        for (word, lengths) in self.lengths.chunks(WORD).enumerate() {
            let mut bits = [0; LANES];
            for (length, bit) in lanes(lengths).zip(lanes(&BITS)) {
                let is_shortest = |i: usize| u64::from(length[i] == shortest).wrapping_neg();
                bits = from_fn(|i| bits[i] | bit[i] & is_shortest(i));
            }
            let is_shortest = bits[0] | bits[1] | bits[2] | bits[3];
            let is_last = is_shortest & self.unmatched[word];
            if is_last != 0 {
                return (shortest, word * WORD + is_last.trailing_zeros() as usize);
            }
            if is_shortest != 0 {
                other = other.min(word * WORD + is_shortest.trailing_zeros() as usize);
            }
        }
        (shortest, other)
    }

    /// Offers the columns that a search came nearer to a chain over a row; `next` is the shortest
    /// chain before and after.
    #[inline]
    fn relax_nearer(&mut self, reached: Reached, next: &mut (f64, usize)) {
        let Reached { row, start, offset } = reached;
        let costs = &self.costs[start as usize * self.width..][..self.width];
        for &column in &self.nearer[..self.nearer_count] {
            let column = column as usize;
            let offer = costs[column] - self.prices[column] + offset;
            if offer < self.lengths[column] {
                self.lengths[column] = offer;
                self.before[column] = u64::from(row);
                let rank = |column: usize| (self.rows[column] != NOBODY, column);
                if offer < next.0 || offer == next.0 && rank(column) < rank(next.1) {
                    *next = (offer, column);
                }
            }
        }
    }

    /// Searches farther from all rows reached until no unknown way can lead to a shorter chain;
    /// returns the shortest one and its column.
    #[inline]
    fn go_farther(&mut self, graph: &Graph, least: f64, mut next: (f64, usize)) -> (f64, usize) {
        for place in 0..self.floors.len() {
            if self.floors[place] >= next.0 {
                continue;
            }
            let reached = self.reached[place];
            let (start, offset) = (reached.start as usize, reached.offset);
            // The first bound is quick. Rounding may leave a way that is dearer by as much, until
            // the end.
            loop {
                let quick = self.radii[start] + least + offset;
                self.floors[place] = quick;
                if quick >= next.0 {
                    break;
                }
                let floor = self.floor(start) + offset;
                self.floors[place] = floor;
                if floor >= next.0 || !self.go_on(graph, start) {
                    break;
                }
                if self.nearer_count == 0 {
                    continue;
                }
                if self.is_one_to_one {
                    self.relax_nearer(reached, &mut next);
                    continue;
                }
                for other in 0..self.reached.len() {
                    if self.reached[other].start as usize == start {
                        self.relax_nearer(self.reached[other], &mut next);
                    }
                }
            }
        }
        next
    }

    /// What a way from `start` that is not known adds to a chain, at least.
    #[inline]
    fn floor(&self, start: usize) -> f64 {
        let costs = lanes(&self.costs[start * self.width..][..self.width]);
        let radius = self.radii[start];
        let bounds = lanes(&self.lows).zip(lanes(&self.entries));
        let chains = bounds.zip(costs).zip(lanes(&self.prices));
        least_of(chains.map(|(((low, entry), cost), price)| {
            from_fn(|i| {
                let least = radius + low[i] + entry[i];
                // The way may be known.
                if least < cost[i] { least - price[i] } else { f64::INFINITY }
            })
        }))
    }

    /// The column of each row, as last found.
    pub(super) fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Adds the nodes entered from a start to a column's node on the way last found, and returns
    /// its cost.
    pub(super) fn add_way(
        &self,
        sides: Sides<'_>,
        (start, column): (usize, usize),
        path: &mut Vec<NodeId>,
    ) -> f64 {
        let place = start * self.width + column;
        let known = self.known[place];
        self.searches[start].add_path(known.branch(), path);
        path.extend(known.over());
        path.push(sides.ends[column]);
        self.costs[place]
    }
}

/// The lower of two numbers that are not NaN: one instruction.
#[inline]
fn lower(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The least of these numbers, several at a time: each minimum waits for the one before it.
#[inline]
fn least_of(numbers: impl Iterator<Item = [f64; LANES]>) -> f64 {
    let mut least = [f64::INFINITY; LANES];
    for some in numbers {
        for (least, number) in least.iter_mut().zip(some) {
            *least = lower(*least, number);
        }
    }
    least_lane(least)
}

/// The least of some lanes, of which half are compared with the others at a time.
#[inline]
fn least_lane([a, b, c, d]: [f64; LANES]) -> f64 {
    lower(lower(a, c), lower(b, d))
}

/// Numbers of columns, by lanes.
#[inline]
fn lanes<T: Copy>(numbers: &[T]) -> impl Iterator<Item = [T; LANES]> {
    numbers.as_chunks().0.iter().copied()
}

/// Numbers of columns, by lanes, to be changed.
#[inline]
fn lanes_mut<T>(numbers: &mut [T]) -> impl Iterator<Item = &mut [T; LANES]> {
    numbers.as_chunks_mut().0.iter_mut()
}

fn refill<T: Copy>(list: &mut Vec<T>, length: usize, value: T) {
    list.clear();
    list.resize(length, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Heading, RoadCosts};
    use crate::random::{Seed, Stream};
    use crate::team::planning::Matching;
    use crate::team::planning::ways::{Map, Ways};

    /// A large graph has sets of many words, and edges enough for them.
    fn graph(stream: &mut Stream, is_large: bool) -> Graph {
        let nodes = if is_large { 129 + stream.below(896) } else { 2 + stream.below(90) } as NodeId;
        let below = |stream: &mut Stream, bound: NodeId| stream.below(u64::from(bound)) as NodeId;
        let mut edges: Vec<(NodeId, NodeId)> = (1..nodes).map(|v| (below(stream, v), v)).collect();
        let more = if is_large { 9 * u64::from(nodes) } else { stream.below(4 * u64::from(nodes)) };
        for _ in 0..more {
            edges.push((below(stream, nodes), below(stream, nodes)));
        }
        Graph::from_edges(nodes as usize, edges).unwrap()
    }

    /// Costs with many ties, some of them only after rounding, and closed nodes.
    fn costs(stream: &mut Stream, nodes: usize) -> Vec<f64> {
        let cost = |stream: &mut Stream| match stream.below(8) {
            0 => 0.0,
            1 => -0.0,
            2 => f64::INFINITY,
            3 => 1e-17 * stream.below(5) as f64,
            4 => stream.unit(),
            _ => stream.below(3) as f64,
        };
        (0..nodes).map(|_| cost(stream)).collect()
    }

    /// Some of these nodes, perhaps several times.
    fn some(stream: &mut Stream, nodes: &[NodeId], length: usize) -> Vec<NodeId> {
        (0..length).map(|_| nodes[stream.below(nodes.len() as u64) as usize]).collect()
    }

    /// All ways by the plain search and the matching of the whole table cost as much, and every way
    /// is a cheapest one of fewest hops.
    #[test]
    fn matchings_cost_as_much_as_with_all_ways_known() {
        let mut stream = Seed(11).stream();
        let (mut meeting, mut ways) = (Meeting::default(), Ways::default());
        let (mut matched, mut impossible, mut longest, mut most_words) = (0, 0, 0, 0);
        for case in 0..600 {
            let is_large = case % 20 < 2;
            let graph = graph(&mut stream, is_large);
            let cost = if case % 2 == 0 && is_large {
                // Sums that are not rounded: where they are, the plain search may take more hops.
                graph.nodes().map(|_| stream.below(3) as f64).collect()
            } else if case % 2 == 0 {
                costs(&mut stream, graph.len())
            } else {
                graph.nodes().map(|_| stream.unit()).collect()
            };
            let entry = |node: NodeId| cost[node as usize];
            let mut ranking = Ranking::default();
            let values: Vec<f64> = cost.iter().map(|cost| -cost).collect();
            ranking.update(&values);
            let ranking = (case % 4 < 2).then_some(&ranking);
            if !meeting.prepare(&graph, entry, ranking) {
                continue;
            }
            // No start is an end.
            let (near, far): (Vec<NodeId>, Vec<NodeId>) =
                graph.nodes().partition(|_| stream.below(2) == 0);
            if near.is_empty() || far.is_empty() {
                continue;
            }
            let rows = 1 + stream.below(12) as usize;
            let nodes = some(&mut stream, &near, rows);
            let mut starts = nodes.clone();
            starts.sort_unstable();
            starts.dedup();
            let place = |node: &NodeId| starts.partition_point(|other| other < node);
            let start_of: Vec<usize> = nodes.iter().map(place).collect();
            let columns = rows + stream.below(4) as usize;
            let ends = some(&mut stream, &far, columns);
            let sides = Sides { starts: &starts, start_of: &start_of, ends: &ends };

            let road_costs = RoadCosts { entry, time: 0.0 };
            let map = Map { graph: &graph, costs: &road_costs, heading: Heading::FromHere };
            let mut table = Vec::new();
            let mut hops = Vec::new();
            for &start in &start_of {
                ways.clear();
                ways.search(&map, (starts[start], usize::MAX), &ends);
                for &end in &ends {
                    let way = ways.way(end);
                    table.push(way.map_or(f64::INFINITY, |(cost, _)| cost + entry(end)));
                    hops.push(way.map_or(0, |(_, way)| way.hops));
                }
            }
            let mut whole = Matching::default();
            let Ok(_) = whole.find(columns, &table) else {
                assert!(meeting.find(&graph, sides).is_err());
                impossible += 1;
                continue;
            };
            meeting.find(&graph, sides).unwrap();
            most_words = most_words.max(meeting.ranks.words());
            let mut used = vec![false; columns];
            let mut total = 0.0;
            for (row, &column) in meeting.columns().iter().enumerate() {
                let column = column as usize;
                assert!(!std::mem::replace(&mut used[column], true));
                let mut path = Vec::new();
                let cost = meeting.add_way(sides, (start_of[row], column), &mut path);
                let place = row * columns + column;
                assert_eq!(cost, table[place]);
                assert_eq!(path.len(), hops[place] as usize);
                assert_eq!(path.last(), Some(&ends[column]));
                let mut here = starts[start_of[row]];
                let mut walked = 0.0;
                for &next in &path {
                    assert!(graph.allows(here, next));
                    walked += entry(next);
                    here = next;
                }
                assert_eq!(walked, table[place]);
                total += table[place];
                matched += 1;
                longest = longest.max(path.len());
            }
            let least = whole.total();
            assert!((total - least).abs() <= 1e-12 * (1.0 + least), "{total} instead of {least}");
        }
        assert!(
            matched > 2_000 && impossible > 20 && longest > 5 && most_words > 14,
            "{matched} {impossible} {longest} {most_words}"
        );
    }
}

//! Who goes where on small graphs whose roads take no time: [`Matching`]'s method, with ways that
//! are searched only as far as the matching needs them.
//!
//! Rows are walkers, columns are places. A search from a walker's node settles few nodes, because
//! their neighbours are compared with those of all places: the last node before a place need
//! not be settled. If the next node to be settled has price `r`, and the cheapest neighbour of a
//! place costs `l`, then all ways to the place that are not known cost at least `r + l`, without
//! the place. A search goes on only where such a way could make the next chain of the matching
//! shorter.
//!
//! [`Matching`]: super::assignment::Matching

use super::search::{Search, Settled, suits};
use crate::graph::{Graph, NodeId};
use std::array::from_fn;

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
    const UNKNOWN: Self = Self(u64::MAX);
    const NO_NODE: u16 = u16::MAX;

    /// Searches are on graphs of few nodes, so 16 bits hold each number of a node or branch.
    #[inline]
    fn new(hops: u32, branch: u32, then: Option<NodeId>) -> Self {
        let then = then.map_or(Self::NO_NODE, |node| node as u16);
        Self(u64::from(hops) << 32 | u64::from(branch as u16) << 16 | u64::from(then))
    }

    #[inline]
    fn hops(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Whether it is the better of two ways that cost the same: the one of fewer hops. If they
    /// differ only in their last node, their costs are the same only after rounding, and the node
    /// of less cost is better.
    fn is_before(self, other: Self, node_costs: &[f64]) -> bool {
        if self.hops() != other.hops() {
            return self.hops() < other.hops();
        }
        let cost = |known: Self| known.then().map(|node| node_costs[node as usize]);
        self.branch() == other.branch() && cost(self) < cost(other)
    }

    fn branch(self) -> u32 {
        u32::from((self.0 >> 16) as u16)
    }

    fn then(self) -> Option<NodeId> {
        let then = self.0 as u16;
        (then != Self::NO_NODE).then_some(NodeId::from(then))
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

/// A matching and its searches, with reused memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Meeting {
    /// What it costs to enter each node.
    node_costs: Vec<f64>,
    /// For each node, the columns whose node is a neighbour, as bits of some words.
    near: Vec<u64>,
    /// The number of words.
    words: usize,
    /// The neighbours of a settled node that are also neighbours of a column's node.
    met: Vec<NodeId>,
    /// The number of columns, with those added to fill the lanes.
    width: usize,
    /// One for each start.
    searches: Vec<Search>,
    /// The price of the next node that each search settles; infinity if it is of no use.
    radii: Vec<f64>,
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
    /// The prices of columns; negative infinity while their chain is final.
    prices: Vec<f64>,
    /// The shortest chain known to each column, unless it is final, and the row before it there.
    /// Numbers of 64 bits, so that the compiler handles several columns at once.
    lengths: Vec<f64>,
    before: Vec<u64>,
    /// The columns whose chain is final, with its length and with their price.
    done: Vec<(u32, f64, f64)>,
    /// The rows whose columns the chains lead to, and what entering them costs.
    reached: Vec<(u32, f64)>,
}

impl Meeting {
    /// Prepares for these costs; false if the graph does not suit.
    pub(super) fn prepare(&mut self, graph: &Graph, entry: impl Fn(NodeId) -> f64) -> bool {
        if !suits(graph) {
            return false;
        }
        self.node_costs.clear();
        // Adding 0 makes -0 equal to 0, so that bits of costs sort as costs do.
        self.node_costs.extend(graph.nodes().map(|node| entry(node) + 0.0));
        true
    }

    /// Gives each row a column so that the ways cost least together, or returns a row for which
    /// no column is left that it can reach. No start may be an end.
    pub(super) fn find(&mut self, graph: &Graph, sides: Sides<'_>) -> Result<(), usize> {
        self.start(graph, sides);
        for row in 0..sides.start_of.len() {
            self.add(graph, sides, row)?;
        }
        // Of equally cheap ways, one of fewest hops; and what rounding missed.
        for row in 0..self.columns.len() {
            let (start, column) = (sides.start_of[row], self.columns[row] as usize);
            let place = start * self.width + column;
            loop {
                let (radius, hops) = self.searches[start].radius();
                let farther = (radius + self.lows[column], hops.saturating_add(2));
                if farther >= (self.ways[place], self.known[place].hops()) {
                    break;
                }
                if self.go_on(graph, start).is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    fn start(&mut self, graph: &Graph, sides: Sides<'_>) {
        let Sides { starts, start_of, ends } = sides;
        let (rows, columns) = (start_of.len(), ends.len());
        let words = columns.div_ceil(WORD);
        self.words = words;
        self.width = columns.next_multiple_of(LANES);
        refill(&mut self.near, words * graph.len(), 0);
        refill(&mut self.lows, self.width, f64::INFINITY);
        refill(&mut self.entries, self.width, 0.0);
        for (column, &end) in ends.iter().enumerate() {
            self.entries[column] = self.node_costs[end as usize];
            for &neighbor in graph.neighborhood(end).iter().filter(|&&neighbor| neighbor != end) {
                let cost = self.node_costs[neighbor as usize];
                self.lows[column] = lower(self.lows[column], cost);
                self.near[neighbor as usize * words + column / WORD] |= 1 << (column % WORD);
            }
        }
        refill(&mut self.radii, starts.len(), 0.0);
        refill(&mut self.ways, starts.len() * self.width, f64::INFINITY);
        refill(&mut self.costs, starts.len() * self.width, f64::INFINITY);
        refill(&mut self.known, starts.len() * self.width, Known::UNKNOWN);
        refill(&mut self.met, graph.len() + 1, 0);
        if self.searches.len() < starts.len() {
            self.searches.resize_with(starts.len(), Search::default);
        }
        for (start, &node) in starts.iter().enumerate() {
            self.searches[start].start(node);
            self.go_on(graph, start);
        }
        refill(&mut self.columns, rows, NOBODY);
        refill(&mut self.rows, self.width, NOBODY);
        refill(&mut self.prices, self.width, 0.0);
        refill(&mut self.lengths, self.width, f64::INFINITY);
        refill(&mut self.before, self.width, 0);
    }

    /// Settles the next node of a search, and finds the ways over it. Whether one is cheaper than
    /// those known, or as cheap with fewer hops; `None` if there is no such node.
    fn go_on(&mut self, graph: &Graph, start: usize) -> Option<bool> {
        let (width, places) = (self.width, start * self.width);
        let (near, met, node_costs) = (&self.near, &mut self.met, &self.node_costs);
        let words = self.words;
        let search = &mut self.searches[start];
        let settled = search.next()?;
        // The neighbours that are also neighbours of an end.
        let mut count = 0;
        search.go_on(graph, settled, |node| {
            met[count] = node;
            let any = if words == 1 {
                near[node as usize]
            } else {
                near[node as usize * words..][..words].iter().fold(0, |all, some| all | some)
            };
            count += usize::from(any != 0);
            node_costs[node as usize]
        });
        let ways = &mut self.ways[places..][..width];
        let known = &mut self.known[places..][..width];
        let Settled { node: from, branch, price, hops } = settled;
        let over_more = Known::new(hops + 2, branch, Some(0));
        let mut is_better = 0;
        for &node in &met[..count] {
            let (new, end) = if node == from {
                (price, Known::new(hops + 1, branch, None))
            } else {
                (price + node_costs[node as usize], Known(over_more.0 | u64::from(node)))
            };
            for (word, &columns) in near[node as usize * words..][..words].iter().enumerate() {
                let mut left = columns;
                while left != 0 {
                    let column = word * WORD + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let (way, known) = (&mut ways[column], &mut known[column]);
                    if new == *way {
                        is_better |= u64::from(end.hops() < known.hops());
                        if end.is_before(*known, node_costs) {
                            *known = end;
                        }
                        continue;
                    }
                    // Nobody can foretell which way is cheaper. So there is no branch, but bits.
                    let is_cheaper = u64::from(new < *way).wrapping_neg();
                    is_better |= is_cheaper;
                    let either = |a: u64, b: u64| (a & is_cheaper) | (b & !is_cheaper);
                    *way = f64::from_bits(either(new.to_bits(), way.to_bits()));
                    known.0 = either(end.0, known.0);
                }
            }
        }
        let (radius, _) = search.radius();
        let costs = lanes_mut(&mut self.costs[places..][..width]);
        let (lows, entries) = (lanes(&self.lows), lanes(&self.entries));
        let mut is_of_use = [0; LANES];
        for (((way, cost), low), entry) in lanes(ways).zip(costs).zip(lows).zip(entries) {
            let is_less: [u64; LANES] = from_fn(|i| u64::from(radius + low[i] < way[i]));
            is_of_use = from_fn(|i: usize| is_of_use[i] | is_less[i]);
            *cost = from_fn(|i| way[i] + entry[i]);
        }
        self.radii[start] = if is_of_use == [0; LANES] { f64::INFINITY } else { radius };
        Some(is_better != 0)
    }

    /// Matches one more row, along the shortest chain that ends at a column without a row.
    fn add(&mut self, graph: &Graph, sides: Sides<'_>, row: usize) -> Result<(), usize> {
        let width = self.width;
        self.lengths.fill(f64::INFINITY);
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
            self.reached.push((from as u32, offset));
            let next = self.relax(start, from, offset);
            let (shortest, column) = self.go_farther(graph, sides, least, next);
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
        let shortest = least.into_iter().fold(f64::INFINITY, lower);
        let (lengths, rows) = (&self.lengths[..width], &self.rows[..width]);
        let mut first = width;
        for (column, _) in lengths.iter().enumerate().filter(|(_, length)| **length == shortest) {
            if rows[column] == NOBODY {
                return (shortest, column);
            }
            first = first.min(column);
        }
        (shortest, first)
    }

    /// Searches farther from all rows reached until no unknown way can lead to a shorter chain;
    /// returns the shortest one and its column.
    #[inline]
    fn go_farther(
        &mut self,
        graph: &Graph,
        sides: Sides<'_>,
        least: f64,
        mut next: (f64, usize),
    ) -> (f64, usize) {
        for place in 0..self.reached.len() {
            let (row, offset) = self.reached[place];
            let start = sides.start_of[row as usize];
            // The first bound is quick. Rounding may leave a way that is dearer by as much, until
            // the end.
            while self.radii[start] + least + offset < next.0
                && self.is_worth_it(start, offset, next.0)
                && let Some(is_better) = self.go_on(graph, start)
            {
                if is_better {
                    for other in 0..self.reached.len() {
                        let (row, offset) = self.reached[other];
                        if sides.start_of[row as usize] == start {
                            next = self.relax(start, row as usize, offset);
                        }
                    }
                }
            }
        }
        next
    }

    /// Whether a way from `start` that is not known could make a chain shorter than `shortest`.
    #[inline]
    fn is_worth_it(&self, start: usize, offset: f64, shortest: f64) -> bool {
        let costs = lanes(&self.costs[start * self.width..][..self.width]);
        let radius = self.radii[start];
        let mut is_worth_it = [0; LANES];
        let bounds = lanes(&self.lows).zip(lanes(&self.entries));
        for (((low, entry), cost), price) in bounds.zip(costs).zip(lanes(&self.prices)) {
            let least: [f64; LANES] = from_fn(|i| radius + low[i] + entry[i]);
            let is_new: [u64; LANES] = from_fn(|i| u64::from(least[i] < cost[i]));
            let is_shorter: [u64; LANES] =
                from_fn(|i| u64::from(least[i] - price[i] + offset < shortest));
            is_worth_it = from_fn(|i: usize| is_worth_it[i] | (is_new[i] & is_shorter[i]));
        }
        is_worth_it != [0; LANES]
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
        path.extend(known.then());
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
    least.into_iter().fold(f64::INFINITY, lower)
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

    fn graph(stream: &mut Stream) -> Graph {
        let nodes = 2 + stream.below(90) as NodeId;
        let below = |stream: &mut Stream, bound: NodeId| stream.below(u64::from(bound)) as NodeId;
        let mut edges: Vec<(NodeId, NodeId)> = (1..nodes).map(|v| (below(stream, v), v)).collect();
        for _ in 0..stream.below(4 * u64::from(nodes)) {
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
        let (mut matched, mut impossible, mut longest) = (0, 0, 0);
        for case in 0..600 {
            let graph = graph(&mut stream);
            let cost = if case % 2 == 0 {
                costs(&mut stream, graph.len())
            } else {
                graph.nodes().map(|_| stream.unit()).collect()
            };
            let entry = |node: NodeId| cost[node as usize];
            if !meeting.prepare(&graph, entry) {
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
            matched > 2_000 && impossible > 20 && longest > 5,
            "{matched} {impossible} {longest}"
        );
    }
}

//! Who goes where on small graphs whose roads take no time: [`Matching`]'s method, with ways that
//! are searched only as far as the matching needs them.
//!
//! Rows are walkers, columns are places. A search from a walker's node settles few nodes, because
//! each of them is compared with the neighbours of all places: the last node before a place need
//! not be settled. If the next node to be settled has price `r`, and the cheapest neighbour of a
//! place costs `l`, then all ways to the place that are not known cost at least `r + l`, without
//! the place. A search goes on only where such a way could make the next chain of the matching
//! shorter.
//!
//! [`Matching`]: super::assignment::Matching

use super::ranked::{Between, Ranked, Search, Settled};
use crate::graph::{Graph, NodeId};

/// A column without a row, or the reverse.
const NOBODY: u32 = u32::MAX;

/// How a way ends that is known from a start to a column.
#[derive(Debug, Clone, Copy)]
struct Known {
    hops: u32,
    /// The last settled node on it, and perhaps one more.
    branch: u32,
    then: Option<NodeId>,
}

const UNKNOWN: Known = Known { hops: u32::MAX, branch: 0, then: None };

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
    ranked: Ranked,
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
        self.ranked.rank(graph, entry)
    }

    /// Gives each row a column so that the ways cost least together, or returns a row for which
    /// no column is left that it can reach. No start may be an end.
    pub(super) fn find(
        &mut self,
        graph: &Graph,
        sides: Sides<'_>,
        entry: impl Fn(NodeId) -> f64,
    ) -> Result<(), usize> {
        self.start(graph, sides, entry);
        for row in 0..sides.start_of.len() {
            self.add(graph, sides, row)?;
        }
        // Of equally cheap ways, one of fewest hops; and what rounding missed.
        for row in 0..self.columns.len() {
            let (start, column) = (sides.start_of[row], self.columns[row] as usize);
            let place = start * sides.ends.len() + column;
            loop {
                let (radius, hops) = self.searches[start].radius();
                let farther = (radius + self.lows[column], hops.saturating_add(2));
                if farther >= (self.ways[place], self.known[place].hops) {
                    break;
                }
                let Some(settled) = self.searches[start].go_on((graph, &mut self.ranked)) else {
                    break;
                };
                self.learn(sides, start, settled);
            }
        }
        Ok(())
    }

    fn start(&mut self, graph: &Graph, sides: Sides<'_>, entry: impl Fn(NodeId) -> f64) {
        let Sides { starts, start_of, ends } = sides;
        let (rows, columns) = (start_of.len(), ends.len());
        let ranked = &mut self.ranked;
        self.lows.clear();
        self.lows.extend(ends.iter().map(|&end| ranked.cheapest_neighbor(graph, end)));
        self.entries.clear();
        self.entries.extend(ends.iter().map(|&end| entry(end)));
        refill(&mut self.radii, starts.len(), 0.0);
        refill(&mut self.ways, starts.len() * columns, f64::INFINITY);
        refill(&mut self.costs, starts.len() * columns, f64::INFINITY);
        refill(&mut self.known, starts.len() * columns, UNKNOWN);
        if self.searches.len() < starts.len() {
            self.searches.resize_with(starts.len(), Search::default);
        }
        for (start, &node) in starts.iter().enumerate() {
            let root = self.searches[start].start((graph, &mut self.ranked), node);
            self.learn(sides, start, root);
        }
        refill(&mut self.columns, rows, NOBODY);
        refill(&mut self.rows, columns, NOBODY);
        refill(&mut self.prices, columns, 0.0);
        refill(&mut self.lengths, columns, f64::INFINITY);
        refill(&mut self.before, columns, 0);
    }

    /// Finds the ways over a settled node; whether one is cheaper than those known, or as cheap
    /// with fewer hops.
    fn learn(&mut self, sides: Sides<'_>, start: usize, settled: Settled) -> bool {
        let Settled { node, branch, price, hops } = settled;
        let columns = sides.ends.len();
        let lows = &self.lows[..columns];
        let ways = &mut self.ways[start * columns..][..columns];
        let costs = &mut self.costs[start * columns..][..columns];
        let known = &mut self.known[start * columns..][..columns];
        let mut is_better = false;
        let of_columns = ways.iter_mut().zip(costs).zip(known).zip(lows);
        for ((((way, cost), known), low), (&end, entry)) in
            of_columns.zip(sides.ends.iter().zip(&self.entries))
        {
            // If the settled node is a neighbour of the end, their way has been known since the
            // node before it was settled. So only ways over one more node can be new.
            if price + low > *way {
                continue;
            }
            let (new, hops, then) = match self.ranked.between(node, end) {
                None => continue,
                Some(Between::Nothing) => (price, hops + 1, None),
                Some(Between::Node { node, cost }) => (price + cost, hops + 2, Some(node)),
            };
            if (new, hops) < (*way, known.hops) {
                *known = Known { hops, branch, then };
                *way = new;
                *cost = new + entry;
                is_better = true;
            }
        }
        let (radius, _) = self.searches[start].radius();
        let mut is_of_use = false;
        for (way, low) in ways.iter().zip(lows) {
            is_of_use |= radius + low < *way;
        }
        self.radii[start] = if is_of_use { radius } else { f64::INFINITY };
        is_better
    }

    /// Matches one more row, along the shortest chain that ends at a column without a row.
    fn add(&mut self, graph: &Graph, sides: Sides<'_>, row: usize) -> Result<(), usize> {
        let columns = sides.ends.len();
        self.lengths.fill(f64::INFINITY);
        let of_columns = self.lows.iter().zip(&self.entries).zip(&self.prices);
        let least = of_columns.map(|((low, entry), price)| low + entry - price);
        let least = least.fold(f64::INFINITY, f64::min);
        self.done.clear();
        self.reached.clear();
        let (mut from, mut length) = (row, 0.0);
        let last = loop {
            let start = sides.start_of[from];
            // Entering `from` costs nothing by its own column.
            let offset = match self.done.last() {
                None => 0.0,
                Some(&(own, _, price)) => {
                    length - (self.costs[start * columns + own as usize] - price)
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
        let columns = self.lengths.len();
        let costs = &self.costs[start * columns..][..columns];
        let (prices, rows) = (&self.prices[..columns], &self.rows[..columns]);
        let (lengths, before) = (&mut self.lengths[..columns], &mut self.before[..columns]);
        let chains = lengths.iter_mut().zip(before);
        for ((cost, price), (length, before)) in costs.iter().zip(prices).zip(chains) {
            let offer = cost - price + offset;
            // Without branches, several columns at once.
            let is_shorter = u64::from(offer < *length).wrapping_neg();
            *length = if offer < *length { offer } else { *length };
            *before = (from as u64 & is_shorter) | (*before & !is_shorter);
        }
        let shortest = least_of(lengths);
        let mut first = columns;
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
                && let Some(settled) = self.searches[start].go_on((graph, &mut self.ranked))
            {
                if self.learn(sides, start, settled) {
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
        let columns = self.lows.len();
        let (lows, entries) = (&self.lows[..columns], &self.entries[..columns]);
        let prices = &self.prices[..columns];
        let costs = &self.costs[start * columns..][..columns];
        let radius = self.radii[start];
        let mut is_worth_it = false;
        let bounds = lows.iter().zip(entries).map(|(low, entry)| radius + low + entry);
        for ((least, cost), price) in bounds.zip(costs).zip(prices) {
            is_worth_it |= least < *cost && least - price + offset < shortest;
        }
        is_worth_it
    }

    /// The column of each row, as last found.
    pub(super) fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The nodes entered from a start to a column's node on the way last found, and its cost.
    pub(super) fn way(&self, sides: Sides<'_>, start: usize, column: usize) -> (Vec<NodeId>, f64) {
        let place = start * sides.ends.len() + column;
        let known = &self.known[place];
        let mut path = self.searches[start].path(known.branch);
        path.extend(known.then);
        path.push(sides.ends[column]);
        (path, self.costs[place])
    }
}

/// The least of these numbers, four at a time.
#[inline]
fn least_of(numbers: &[f64]) -> f64 {
    let lower = |a: f64, b: f64| if b < a { b } else { a };
    let (fours, rest) = numbers.as_chunks::<4>();
    let mut least = [f64::INFINITY; 4];
    for four in fours {
        for (least, &number) in least.iter_mut().zip(four) {
            *least = lower(*least, number);
        }
    }
    rest.iter().chain(&least).fold(f64::INFINITY, |a, &b| lower(a, b))
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
                assert!(meeting.find(&graph, sides, entry).is_err());
                impossible += 1;
                continue;
            };
            meeting.find(&graph, sides, entry).unwrap();
            let mut used = vec![false; columns];
            let mut total = 0.0;
            for (row, &column) in meeting.columns().iter().enumerate() {
                let column = column as usize;
                assert!(!std::mem::replace(&mut used[column], true));
                let (path, cost) = meeting.way(sides, start_of[row], column);
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

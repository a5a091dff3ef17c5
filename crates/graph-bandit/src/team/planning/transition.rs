//! From one allocation to the next: `SPMatching`, Algorithm 2 of the sequel.
//!
//! Walkers take cheapest ways to the places, and a matching gives each walker a place so that the
//! ways cost least together. What walkers share under way is not part of it.

use super::assignment::{Matching, MatchingError};
use super::meeting::{Meeting, Sides};
use super::ranking::Ranking;
use super::ways::{Map, Way, Ways};
use crate::graph::{Graph, NodeId};
use crate::plan::{Heading, RoadCosts};
use thiserror::Error;

/// Where each walker goes, and how.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transition {
    /// The place of each walker.
    pub places: Vec<NodeId>,
    /// The nodes that each walker enters, in order; none if it stays.
    pub paths: Vec<Vec<NodeId>>,
    /// The cost of all ways together.
    pub cost: f64,
}

/// The rules for ways between places.
#[derive(Debug, Clone, Copy)]
pub struct WayRules<'a, C> {
    /// The graph; roads may run one way and take time.
    pub graph: &'a Graph,
    /// What it costs to enter a node, and a unit of travel time; an infinite cost closes a node.
    /// Staying costs nothing.
    pub costs: RoadCosts<C>,
    /// The most hops of a way; `None` for no limit.
    pub most_hops: Option<u32>,
}

/// Why walkers cannot get to their places.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum TransitionError {
    /// There are fewer places than walkers.
    #[error("{walkers} walkers but {places} places; give at least one place per walker")]
    Places {
        /// The number of walkers.
        walkers: usize,
        /// The number of places.
        places: usize,
    },
    /// A node is not part of the graph.
    #[error("node {node} is unknown: the nodes are 0 to {}", nodes - 1)]
    Node {
        /// The node.
        node: NodeId,
        /// The number of nodes.
        nodes: usize,
    },
    /// A cost is negative or not a number.
    #[error("entering node {node} costs {cost}; give a number of at least 0")]
    Cost {
        /// The node.
        node: NodeId,
        /// The cost.
        cost: f64,
    },
    /// The cost of travel time is negative, infinite or not a number.
    #[error("a unit of travel time costs {cost}; give a finite number of at least 0")]
    Time {
        /// The cost.
        cost: f64,
    },
    /// Some walkers reach fewer places than there are such walkers.
    #[error(
        "no place is left that walker {walker} can reach from node {node}; allow more hops or \
         choose other places"
    )]
    Unreachable {
        /// The walker.
        walker: usize,
        /// Where it is.
        node: NodeId,
    },
}

/// The number of ways that a first search looks for.
const NEAREST: usize = 6;

/// How much farther a search goes if it did not go far enough.
const FARTHER: usize = 4;

/// Transitions of least cost, with reused memory.
#[derive(Debug, Clone, Default)]
pub struct SpMatching {
    ways: Ways,
    matching: Matching,
    meeting: Meeting,
    /// The walkers that do not keep their place, and the places left for them.
    walkers: Vec<usize>,
    places: Vec<NodeId>,
    /// The distinct nodes of these walkers and places. They are ascending, except for a meeting, which
    /// has no use for the ends.
    starts: Vec<NodeId>,
    ends: Vec<NodeId>,
    /// The place of each of these walkers among the starts, and of each place among the ends.
    start_of: Vec<usize>,
    end_of: Vec<usize>,
    /// The way from each start to each end, and what it costs, if it is known.
    pairs: Vec<Option<(f64, Way)>>,
    /// For each root of searches, how many ways were searched for, and what all others cost at
    /// least.
    searched: Vec<(usize, f64)>,
    costs: Vec<f64>,
    /// A number for each node; zero between its uses.
    marks: Vec<u32>,
}

impl SpMatching {
    /// Gives each walker, by its node in `from`, a place of `to` and a way there, so that all ways
    /// together cost least. A node may appear several times in both lists.
    ///
    /// Of equally cheap ways, walkers take one of fewest hops. Without a limit on hops, as many
    /// walkers as possible keep their node if it is a place. This is never dearer, because whoever
    /// else would come there can go on to the place that the walker would have gone to.
    ///
    /// # Errors
    /// When there are fewer places than walkers, a node is unknown, a cost is negative, or some
    /// walkers cannot reach a place.
    ///
    /// # Complexity
    /// O(M^3) for the matching of M walkers, plus searches from each start or from each place,
    /// whichever has fewer different nodes. A search without a limit takes O(e + n log n) for the n
    /// nodes and e edges as far as it goes: a few nearest places at first, and farther only until
    /// the prices of the matching show that no way beyond is of use. One with a limit of D hops
    /// takes O(D e). All searches stay in memory until the next call: 8 bytes for each node that a
    /// search reached; on graphs of up to 1,024 nodes with enough edges, up to 170 bytes for each
    /// node that it settled.
    pub fn find<C: Fn(NodeId) -> f64>(
        &mut self,
        rules: &WayRules<'_, C>,
        from: &[NodeId],
        to: &[NodeId],
    ) -> Result<Transition, TransitionError> {
        let mut transition = Transition::default();
        self.find_into(rules, (from, to), None, &mut transition)?;
        Ok(transition)
    }

    /// As [`find`](Self::find), but reuses the memory of `transition`. After an error, do not read
    /// what it holds. A ranking of the nodes in ascending order of what it costs to enter them, in
    /// which ties may be in any order, saves sorting them.
    pub(crate) fn find_into<C: Fn(NodeId) -> f64>(
        &mut self,
        rules: &WayRules<'_, C>,
        (from, to): (&[NodeId], &[NodeId]),
        ranking: Option<&Ranking>,
        transition: &mut Transition,
    ) -> Result<(), TransitionError> {
        check(rules, from, to)?;
        let free = self.find_by(rules, (from, to), (None, ranking), transition);
        let Some(most) = rules.most_hops else { return free };
        // If the best ways of all are short enough, no others are better.
        let is_short = |path: &Vec<NodeId>| path.len() <= most as usize;
        if free.is_ok() && transition.paths.iter().all(is_short) {
            return Ok(());
        }
        self.find_by(rules, (from, to), (Some(most), ranking), transition)
    }

    fn find_by<C: Fn(NodeId) -> f64>(
        &mut self,
        rules: &WayRules<'_, C>,
        (from, to): (&[NodeId], &[NodeId]),
        (most_hops, ranking): (Option<u32>, Option<&Ranking>),
        transition: &mut Transition,
    ) -> Result<(), TransitionError> {
        transition.places.clear();
        transition.places.extend_from_slice(from);
        transition.paths.resize_with(from.len(), Vec::new);
        transition.paths.iter_mut().for_each(Vec::clear);
        transition.cost = 0.0;
        self.list_movers(rules.graph, (from, to), most_hops.is_none());
        if self.walkers.is_empty() {
            return Ok(());
        }
        if most_hops.is_none() && self.meeting.prepare(rules.graph, &rules.costs.entry, ranking) {
            self.number_starts(from);
            return self.meet(rules.graph, from, transition);
        }
        self.sort_nodes(from);
        let heading =
            if self.starts.len() < self.ends.len() { Heading::FromHere } else { Heading::There };
        self.start_searches(heading, most_hops);
        loop {
            self.search_farther(rules, heading, most_hops);
            self.list_costs(rules);
            match self.matching.find(self.places.len(), &self.costs).map(|_| ()) {
                Ok(()) if self.mark_too_near(rules, heading) => {}
                Ok(()) => break,
                Err(_) if self.mark_all() => {}
                Err(MatchingError::Impossible { row }) => {
                    let walker = self.walkers[row];
                    return Err(TransitionError::Unreachable { walker, node: from[walker] });
                }
                // All costs are checked, so the matching refuses nothing else.
                Err(_) => return Err(TransitionError::Time { cost: rules.costs.time }),
            }
        }
        let columns = self.matching.columns().iter().map(|&column| column as usize);
        for ((&walker, &start), column) in self.walkers.iter().zip(&self.start_of).zip(columns) {
            transition.places[walker] = self.places[column];
            if let Some((_, way)) = self.pairs[start * self.ends.len() + self.end_of[column]] {
                transition.paths[walker] = self.ways.path(way, heading);
            }
        }
        transition.cost = self.matching.total();
        Ok(())
    }

    /// Fills in the ways of those who move, on a graph that suits.
    fn meet(
        &mut self,
        graph: &Graph,
        from: &[NodeId],
        transition: &mut Transition,
    ) -> Result<(), TransitionError> {
        let Self { meeting, walkers, places, starts, start_of, .. } = self;
        let sides = Sides { starts, start_of, ends: places };
        if let Err(row) = meeting.find(graph, sides) {
            let walker = walkers[row];
            return Err(TransitionError::Unreachable { walker, node: from[walker] });
        }
        let columns = meeting.columns().iter().map(|&column| column as usize);
        for ((&walker, &start), column) in walkers.iter().zip(&*start_of).zip(columns) {
            let path = &mut transition.paths[walker];
            transition.cost += meeting.add_way(sides, (start, column), path);
            transition.places[walker] = places[column];
        }
        Ok(())
    }

    /// Lists who has to move, and the places left; `may_keep` lets walkers keep their node.
    fn list_movers(&mut self, graph: &Graph, (from, to): (&[NodeId], &[NodeId]), may_keep: bool) {
        self.places.clear();
        self.places.extend_from_slice(to);
        self.places.sort_unstable();
        self.walkers.clear();
        self.walkers.extend(0..from.len());
        self.marks.resize(graph.len(), 0);
        if !may_keep {
            return;
        }
        // The seats that are left on each node.
        let seats = &mut self.marks;
        for &place in to {
            seats[place as usize] += 1;
        }
        // Who moves is unpredictable, so there are no branches. The first of those on a node keep
        // its seats.
        let mut movers = 0;
        for (walker, &node) in from.iter().enumerate() {
            let moves = seats[node as usize] == 0;
            seats[node as usize] -= u32::from(!moves);
            self.walkers[movers] = walker;
            movers += usize::from(moves);
        }
        self.walkers.truncate(movers);
        let mut left = 0;
        for place in 0..self.places.len() {
            let node = self.places[place];
            let is_left = seats[node as usize] > 0;
            seats[node as usize] -= u32::from(is_left);
            self.places[left] = node;
            left += usize::from(is_left);
        }
        self.places.truncate(left);
    }

    /// Lists the nodes of those who move in the order of walkers, which takes less time than sorting.
    fn number_starts(&mut self, from: &[NodeId]) {
        self.starts.clear();
        self.start_of.clear();
        for &walker in &self.walkers {
            let mark = &mut self.marks[from[walker] as usize];
            if *mark == 0 {
                self.starts.push(from[walker]);
                *mark = self.starts.len() as u32;
            }
            self.start_of.push(*mark as usize - 1);
        }
        for &start in &self.starts {
            self.marks[start as usize] = 0;
        }
    }

    /// Lists the nodes of those who move and of the places left, ascending.
    fn sort_nodes(&mut self, from: &[NodeId]) {
        self.starts.clear();
        self.starts.extend(self.walkers.iter().map(|&walker| from[walker]));
        self.starts.sort_unstable();
        self.starts.dedup();
        self.ends.clone_from(&self.places);
        self.ends.dedup();
        let start_of = |&walker: &usize| rank(&self.starts, from[walker]);
        self.start_of.clear();
        self.start_of.extend(self.walkers.iter().map(start_of));
        self.end_of.clear();
        self.end_of.extend(self.places.iter().map(|&place| rank(&self.ends, place)));
    }

    /// Forgets all ways.
    fn start_searches(&mut self, heading: Heading, most_hops: Option<u32>) {
        let (starts, ends) = (self.starts.len(), self.ends.len());
        let (roots, others) = match heading {
            Heading::FromHere => (starts, ends),
            Heading::There => (ends, starts),
        };
        self.ways.clear();
        let nearest = if most_hops.is_none() { NEAREST.min(others) } else { others };
        self.pairs.clear();
        self.pairs.resize(roots * others, None);
        self.searched.clear();
        self.searched.resize(roots, (nearest, f64::NAN));
    }

    /// Searches from all roots whose radius is not known.
    fn search_farther<C: Fn(NodeId) -> f64>(
        &mut self,
        rules: &WayRules<'_, C>,
        heading: Heading,
        most_hops: Option<u32>,
    ) {
        let (roots, others) = match heading {
            Heading::FromHere => (&self.starts, &self.ends),
            Heading::There => (&self.ends, &self.starts),
        };
        let map = Map { graph: rules.graph, costs: &rules.costs, heading };
        let pair = |root: usize, other: usize| match heading {
            Heading::FromHere => root * others.len() + other,
            Heading::There => other * roots.len() + root,
        };
        for (i, &root) in roots.iter().enumerate() {
            let (enough, radius) = &mut self.searched[i];
            if !radius.is_nan() {
                continue;
            }
            *radius = self.ways.search(&map, (root, *enough), others);
            for (j, &other) in others.iter().enumerate() {
                self.pairs[pair(i, j)] = self.ways.way(other);
            }
            let Some(most) = most_hops else { continue };
            // Where the cheapest way of all is too long, a short one is searched for.
            let is_long = |j: usize| self.pairs[pair(i, j)].is_some_and(|(_, way)| way.hops > most);
            let long: Vec<usize> = (0..others.len()).filter(|&j| is_long(j)).collect();
            if long.is_empty() {
                continue;
            }
            let wanted: Vec<NodeId> = long.iter().map(|&j| others[j]).collect();
            self.ways.search_within(&map, (root, most), &wanted);
            for (&j, &node) in long.iter().zip(&wanted) {
                self.pairs[pair(i, j)] = self.ways.way(node);
            }
        }
    }

    /// Lists what each walker's way to each place costs, as far as it is known.
    fn list_costs<C: Fn(NodeId) -> f64>(&mut self, rules: &WayRules<'_, C>) {
        self.costs.clear();
        for &start in &self.start_of {
            let here = self.starts[start];
            let pairs = &self.pairs[start * self.ends.len()..];
            for (&place, &end) in self.places.iter().zip(&self.end_of) {
                let entry = if place == here { 0.0 } else { (rules.costs.entry)(place) };
                self.costs.push(pairs[end].map_or(f64::INFINITY, |(cost, _)| cost + entry));
            }
        }
    }

    /// Marks the roots that must search farther; false if no way that is still unknown can be part
    /// of a cheaper matching, because it costs at least the prices of its walker and its place.
    fn mark_too_near<C: Fn(NodeId) -> f64>(
        &mut self,
        rules: &WayRules<'_, C>,
        heading: Heading,
    ) -> bool {
        if self.searched.iter().all(|searched| searched.1 == f64::INFINITY) {
            return false;
        }
        let mut any = false;
        let (u, v) = (self.matching.row_prices(), self.matching.column_prices());
        for (row, &start) in self.start_of.iter().enumerate() {
            for (column, (&place, &end)) in self.places.iter().zip(&self.end_of).enumerate() {
                if self.pairs[start * self.ends.len() + end].is_some() {
                    continue;
                }
                let searched = match heading {
                    Heading::FromHere => &mut self.searched[start],
                    Heading::There => &mut self.searched[end],
                };
                // A radius that is NaN has been marked.
                if searched.1 + (rules.costs.entry)(place) < u[row] + v[column] {
                    *searched = (searched.0.saturating_mul(FARTHER), f64::NAN);
                    any = true;
                }
            }
        }
        any
    }

    /// Marks all roots that did not search everywhere; false if there are none.
    fn mark_all(&mut self) -> bool {
        let mut any = false;
        for searched in self.searched.iter_mut().filter(|searched| searched.1 < f64::INFINITY) {
            *searched = (searched.0.saturating_mul(FARTHER), f64::NAN);
            any = true;
        }
        any
    }
}

/// The place of a node in a sorted list that has it.
fn rank(nodes: &[NodeId], node: NodeId) -> usize {
    nodes.partition_point(|&other| other < node)
}

fn check<C: Fn(NodeId) -> f64>(
    rules: &WayRules<'_, C>,
    from: &[NodeId],
    to: &[NodeId],
) -> Result<(), TransitionError> {
    let (walkers, places, nodes) = (from.len(), to.len(), rules.graph.len());
    if walkers > places {
        return Err(TransitionError::Places { walkers, places });
    }
    if let Some(&node) = from.iter().chain(to).find(|&&node| node as usize >= nodes) {
        return Err(TransitionError::Node { node, nodes });
    }
    let cost = rules.costs.time;
    if !(cost >= 0.0 && cost.is_finite()) {
        return Err(TransitionError::Time { cost });
    }
    let is_wrong = |&node: &NodeId| {
        let cost = (rules.costs.entry)(node);
        cost.is_nan() || cost < 0.0
    };
    // All are looked at, without branches, because almost always none is wrong.
    if rules.graph.nodes().fold(false, |any, node| any | is_wrong(&node))
        && let Some(node) = rules.graph.nodes().find(is_wrong)
    {
        return Err(TransitionError::Cost { node, cost: (rules.costs.entry)(node) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;
    use crate::plan::CheapestPaths;
    use crate::random::{Seed, Stream};
    use petgraph::algo::dijkstra;
    use petgraph::graph::{DiGraph, NodeIndex};

    /// A random connected graph, with one-way roads that take time if `has_roads`.
    fn graph(stream: &mut Stream, has_roads: bool) -> Graph {
        let nodes = 2 + stream.below(8) as NodeId;
        let mut pairs: Vec<(NodeId, NodeId)> =
            (1..nodes).map(|v| (stream.below(u64::from(v)) as NodeId, v)).collect();
        for _ in 0..stream.below(2 * u64::from(nodes)) {
            let mut end = || stream.below(u64::from(nodes)) as NodeId;
            pairs.push((end(), end()));
        }
        if !has_roads {
            return Graph::from_edges(nodes as usize, pairs).unwrap();
        }
        let tree = nodes as usize - 1;
        let mut roads = Vec::new();
        for (place, (a, b)) in pairs.into_iter().enumerate().filter(|(_, (a, b))| a != b) {
            let mut road = |from, to| {
                let time = stream.below(4) as f64 / 2.0;
                roads.push(Road { from, to, time });
            };
            road(a, b);
            if place < tree {
                road(b, a);
            }
        }
        Graph::from_roads(nodes as usize, roads).unwrap()
    }

    /// The least total, by trying all columns for each row.
    fn least(columns: usize, costs: &[f64], used: u32) -> f64 {
        if costs.is_empty() {
            return 0.0;
        }
        let free = (0..columns).filter(|&column| used & (1_u32 << column) == 0);
        let with =
            |column| costs[column] + least(columns, &costs[columns..], used | (1_u32 << column));
        free.map(with).fold(f64::INFINITY, f64::min)
    }

    /// The cost and hops of a path, if its steps are roads.
    fn walked(rules: &WayRules<'_, impl Fn(NodeId) -> f64>, from: NodeId, path: &[NodeId]) -> f64 {
        let mut here = from;
        let mut cost = 0.0;
        for &next in path {
            let time = rules.graph.travel(here, next).expect("a road");
            assert!(next != here);
            cost += (rules.costs.entry)(next) + rules.costs.time * time;
            here = next;
        }
        cost
    }

    fn random_nodes(stream: &mut Stream, graph: &Graph, count: usize) -> Vec<NodeId> {
        (0..count).map(|_| stream.below(graph.len() as u64) as NodeId).collect()
    }

    #[test]
    fn the_cost_is_the_least_of_all_matchings_on_petgraphs_distances() {
        let mut stream = Seed(24).stream();
        let mut planner = SpMatching::default();
        for case in 0..600 {
            let graph = graph(&mut stream, case % 3 == 0);
            let levels = [3, 1 << 30][case % 2];
            let entry: Vec<f64> =
                graph.nodes().map(|_| stream.below(levels) as f64 / levels as f64).collect();
            let costs = RoadCosts { entry: |v: NodeId| entry[v as usize], time: 0.25 };
            let rules = WayRules { graph: &graph, costs, most_hops: None };
            let walkers = 1 + stream.below(4) as usize;
            let from = random_nodes(&mut stream, &graph, walkers);
            let to = random_nodes(&mut stream, &graph, walkers + case % 2);
            let roads = graph.all_roads();
            let oracle = DiGraph::<(), f64>::from_edges(
                roads.map(|Road { from, to, time }| (from, to, entry[to as usize] + 0.25 * time)),
            );
            let table: Vec<f64> = from
                .iter()
                .flat_map(|&start| {
                    let costs =
                        dijkstra(&oracle, NodeIndex::new(start as usize), None, |e| *e.weight());
                    to.iter().map(|&end| costs[&NodeIndex::new(end as usize)]).collect::<Vec<_>>()
                })
                .collect();
            let found = planner.find(&rules, &from, &to).unwrap();
            let expected = least(to.len(), &table, 0);
            assert!((found.cost - expected).abs() < 1e-9, "{case}: {} {expected}", found.cost);
            check_paths(&rules, &found, &from, &to);
            assert_eq!(planner.find(&rules, &from, &to).unwrap(), found);
            assert_eq!(SpMatching::default().find(&rules, &from, &to).unwrap(), found);
            // So many hops do not limit anything, and then keeping places saves nothing.
            let enough = WayRules { most_hops: Some(graph.len() as u32), ..rules };
            let within = planner.find(&enough, &from, &to).unwrap();
            assert!((within.cost - expected).abs() < 1e-9);
        }
    }

    fn check_paths(
        rules: &WayRules<'_, impl Fn(NodeId) -> f64>,
        found: &Transition,
        from: &[NodeId],
        to: &[NodeId],
    ) {
        let mut left = to.to_vec();
        let mut cost = 0.0;
        for ((&start, path), place) in from.iter().zip(&found.paths).zip(&found.places) {
            assert_eq!(path.last().unwrap_or(&start), place);
            left.remove(left.iter().position(|other| other == place).expect("a free place"));
            cost += walked(rules, start, path);
        }
        assert!((cost - found.cost).abs() < 1e-9);
    }

    #[test]
    fn limited_ways_are_the_cheapest_of_at_most_that_many_hops() {
        let mut stream = Seed(25).stream();
        let mut planner = SpMatching::default();
        let (mut impossible, mut dearer) = (0, 0);
        for case in 0..2000 {
            let graph = graph(&mut stream, case % 3 == 0);
            let entry: Vec<f64> =
                graph.nodes().map(|_| [0.0, 1.0, 9.0, 9.5][stream.below(4) as usize]).collect();
            let costs = RoadCosts { entry: |v: NodeId| entry[v as usize], time: 2.0 };
            let most = 1 + stream.below(3) as u32;
            let rules = WayRules { graph: &graph, costs, most_hops: Some(most) };
            let walkers = 1 + stream.below(4) as usize;
            let from = random_nodes(&mut stream, &graph, walkers);
            let to = random_nodes(&mut stream, &graph, walkers);
            let roads: Vec<Road> = graph.all_roads().collect();
            let mut table = Vec::new();
            for &start in &from {
                let mut known = vec![f64::INFINITY; graph.len()];
                known[start as usize] = 0.0;
                for _ in 0..most {
                    let before = known.clone();
                    for road in &roads {
                        let toll = entry[road.to as usize] + 2.0 * road.time;
                        let known = &mut known[road.to as usize];
                        *known = known.min(before[road.from as usize] + toll);
                    }
                }
                table.extend(to.iter().map(|&end| known[end as usize]));
            }
            let expected = least(to.len(), &table, 0);
            match planner.find(&rules, &from, &to) {
                Ok(found) => {
                    assert_eq!(found.cost, expected, "{case}");
                    assert!(found.paths.iter().all(|path| path.len() <= most as usize));
                    check_paths(&rules, &found, &from, &to);
                    let free = WayRules { most_hops: None, ..rules };
                    let free = planner.find(&free, &from, &to).unwrap();
                    dearer += usize::from(free.cost < found.cost);
                }
                Err(error) => {
                    assert!(matches!(error, TransitionError::Unreachable { .. }));
                    assert_eq!(expected, f64::INFINITY, "{case}");
                    impossible += 1;
                }
            }
        }
        assert!(impossible > 50 && dearer > 20, "{impossible} {dearer}");
    }

    #[test]
    fn short_searches_find_what_full_ones_find() {
        let mut stream = Seed(30).stream();
        let mut planner = SpMatching::default();
        let mut full = Matching::default();
        let (mut long, mut farther) = (0, 0);
        for case in 0..120 {
            // A grid, or a ring whose roads take time and are longer one way round.
            let nodes = 64;
            let graph = if case % 2 == 0 {
                let right = (0..nodes).filter(|v| v % 8 < 7).map(|v| (v, v + 1));
                Graph::from_edges(64, right.chain((0..nodes - 8).map(|v| (v, v + 8)))).unwrap()
            } else {
                let road = |v: NodeId| {
                    let next = (v + 1) % nodes;
                    [(v, next, 0.5), (next, v, 1.5)].map(|(from, to, time)| Road { from, to, time })
                };
                Graph::from_roads(64, (0..nodes).flat_map(road)).unwrap()
            };
            let levels = [3, 1 << 30][case / 2 % 2];
            let entry: Vec<f64> =
                (0..nodes).map(|_| stream.below(levels) as f64 / levels as f64).collect();
            let costs = RoadCosts { entry: |v: NodeId| entry[v as usize], time: 0.25 };
            let rules = WayRules { graph: &graph, costs, most_hops: None };
            // Some teams start close together, so that many must go far.
            let spread = [nodes, 9][case / 4 % 2];
            let from: Vec<NodeId> =
                (0..24).map(|_| stream.below(u64::from(spread)) as NodeId).collect();
            let to = random_nodes(&mut stream, &graph, 24 + case % 3);
            let mut paths = CheapestPaths::default();
            let mut table = vec![0.0; from.len() * to.len()];
            for (column, &place) in to.iter().enumerate() {
                paths.search_roads((&graph, Heading::There), &costs, [place], |_| false);
                for (row, &start) in from.iter().enumerate().filter(|pair| *pair.1 != place) {
                    table[row * to.len() + column] = paths.cost(start) + entry[place as usize];
                }
            }
            full.find(to.len(), &table).unwrap();
            let found = planner.find(&rules, &from, &to).unwrap();
            assert!((found.cost - full.total()).abs() < 1e-9, "{case}");
            check_paths(&rules, &found, &from, &to);
            long += usize::from(planner.searched.iter().any(|searched| searched.0 > NEAREST));
            farther += planner.searched.iter().filter(|searched| searched.1.is_finite()).count();
        }
        // Some searches had to go on, and some could stop.
        assert!(long > 20 && farther > 100, "{long} {farther}");
    }

    #[test]
    fn ties_go_to_fewer_hops() {
        // From 0 to 4: over 1, 2, 3 for nothing, or over 5 for nothing and shorter.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 4)];
        let graph = Graph::from_edges(6, edges).unwrap();
        let roads = edges.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
        let roads = roads.map(|(from, to)| Road { from, to, time: 1.0 });
        let timed = Graph::from_roads(6, roads).unwrap();
        for graph in [&graph, &timed] {
            for most_hops in [None, Some(4)] {
                let costs = RoadCosts { entry: |_: NodeId| 0.0, time: 0.0 };
                let rules = WayRules { graph, costs, most_hops };
                for (from, to) in [(vec![0], vec![4]), (vec![0], vec![4, 4])] {
                    let found = SpMatching::default().find(&rules, &from, &to).unwrap();
                    assert_eq!(found.paths, [vec![5, 4]]);
                }
            }
        }
    }

    #[test]
    fn walkers_keep_their_places_and_the_first_of_several_stays() {
        let line = Graph::from_edges(5, (0..4).map(|v| (v, v + 1))).unwrap();
        let costs = RoadCosts { entry: |_: NodeId| 1.0, time: 0.0 };
        let rules = WayRules { graph: &line, costs, most_hops: None };
        let found = SpMatching::default().find(&rules, &[3, 1, 1, 1], &[1, 3, 1, 4]).unwrap();
        assert_eq!(found.places, [3, 1, 1, 4]);
        assert_eq!(found.paths, [vec![], vec![], vec![], vec![2, 3, 4]]);
        assert_eq!(found.cost, 3.0);
    }

    #[test]
    fn mistakes_are_refused_by_name() {
        let pair = Graph::from_edges(2, [(0, 1)]).unwrap();
        let of = |cost: f64, time, most_hops, (from, to): (&[NodeId], &[NodeId])| {
            let costs = RoadCosts { entry: move |_: NodeId| cost, time };
            let rules = WayRules { graph: &pair, costs, most_hops };
            SpMatching::default().find(&rules, from, to).unwrap_err().to_string()
        };
        assert_eq!(
            of(0.0, 0.0, None, (&[0, 1], &[1])),
            "2 walkers but 1 places; give at least one place per walker"
        );
        assert_eq!(of(0.0, 0.0, None, (&[0], &[7])), "node 7 is unknown: the nodes are 0 to 1");
        assert_eq!(
            of(-1.0, 0.0, None, (&[0], &[1])),
            "entering node 0 costs -1; give a number of at least 0"
        );
        assert!(
            of(0.0, f64::NAN, None, (&[0], &[1])).starts_with("a unit of travel time costs NaN")
        );
        assert_eq!(
            of(0.0, 0.0, Some(0), (&[0], &[1])),
            "no place is left that walker 0 can reach from node 0; allow more hops or choose other \
             places"
        );
        assert!(of(f64::INFINITY, 0.0, None, (&[0], &[1])).starts_with("no place is left"));
    }
}

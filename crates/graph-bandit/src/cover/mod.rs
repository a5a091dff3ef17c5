//! Initialization: a walk that visits every node at least once (Algorithm 2, line 2).

mod closed_walk;
mod tour;

use crate::agent::Situation;
use crate::estimates::Estimates;
use crate::graph::{Budget, NodeId, Part, Wave};
use crate::leg::Leg;
use crate::plan::FastestPath;
use serde::{Deserialize, Serialize};
use tour::Tour;

pub(crate) use closed_walk::closed_walk;

crate::named! {
    /// The order in which initialization visits the nodes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
    pub enum Init {
        /// Always to the unvisited node with the lowest number.
        ///
        /// The walker takes the path with the fewest hops, as in the paper and its program; if
        /// roads take time, it takes the fastest path.
        #[default]
        Lowest = "lowest",
        /// Always to the nearest unvisited node.
        ///
        /// Ties go to the lowest number.
        Nearest = "nearest",
        /// Depth first: fewer than two steps per node, if roads lead both ways and take no time.
        ///
        /// Neighbours are visited in ascending order.
        DepthFirst = "depth-first",
        /// Along a short tour of all nodes.
        ///
        /// It computes the distances between all nodes; beyond 2,048 nodes it falls back to
        /// `nearest`.
        Tour = "tour",
        /// No initialization: unvisited nodes count as infinitely promising.
        ///
        /// So the agent itself visits them first.
        None = "none",
    }
}

/// The legs of a cover walk. The estimates show which nodes are unvisited, so a walker that was
/// pushed off its path simply continues.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cover {
    init: Init,
    /// All lower nodes are visited.
    lowest: NodeId,
    /// The nodes to fall back to, depth first.
    trail: Vec<NodeId>,
    #[serde(skip)]
    seen: Seen,
    #[serde(skip)]
    around: Wave,
    #[serde(skip)]
    paths: FastestPath,
    /// The reachable nodes, if not all are.
    #[serde(skip)]
    part: Option<Box<Part>>,
    /// The tour, once computed; it depends only on the graph.
    #[serde(skip)]
    tour: Option<Box<Tour>>,
}

/// How many nodes at the head of each neighbourhood are known to be visited. Visited nodes stay
/// visited, so all searches for unvisited neighbours together cost no more than one pass over the
/// edges.
#[derive(Debug, Clone, Default)]
struct Seen(Vec<u32>);

impl Seen {
    /// The lowest unvisited neighbour of a visited node.
    fn unvisited_neighbor(&mut self, node: NodeId, now: &Situation<'_>) -> Option<NodeId> {
        if self.0.len() != now.graph.len() {
            self.0 = vec![0; now.graph.len()];
        }
        let seen = &mut self.0[node as usize];
        let row = now.graph.neighborhood(node).get(*seen as usize..).unwrap_or(&[]);
        let visited = row.iter().take_while(|&&v| now.estimates.count(v) > 0).count();
        *seen += visited as u32;
        row.get(visited).copied()
    }
}

impl Cover {
    /// A cover walk in this order.
    pub fn new(init: Init) -> Self {
        Self {
            init,
            lowest: 0,
            trail: Vec::new(),
            seen: Seen::default(),
            around: Wave::default(),
            paths: FastestPath::default(),
            part: None,
            tour: None,
        }
    }

    /// Forgets everything derived from the graph's edges.
    pub(crate) fn forget_shortcuts(&mut self) {
        (self.seen, self.around, self.paths, self.part) = Default::default();
        self.tour = None;
    }

    /// The state of the walk after these estimates.
    pub(crate) fn after(&self, seen: &Estimates) -> Self {
        let mut cover = self.clone();
        cover.pass_visited(seen);
        cover
    }

    fn pass_visited(&mut self, seen: &Estimates) {
        let unseen = &seen.samples()[self.lowest as usize..];
        self.lowest += unseen.iter().take_while(|sample| sample.count > 0).count() as NodeId;
    }

    /// All lower nodes are visited.
    pub(crate) fn lowest(&self) -> NodeId {
        self.lowest
    }

    /// The nodes it would fall back to.
    pub(crate) fn trail(&self) -> &[NodeId] {
        &self.trail
    }

    /// Sets the number of nodes to fall back to, as after a leg from `at`; `false` if no leg leads
    /// to that.
    pub(crate) fn fall_back_to(&mut self, trail: u64, at: NodeId) -> bool {
        let there = self.trail.len() as u64;
        if trail == there + 1 {
            self.trail.push(at);
        } else {
            self.trail.truncate(usize::try_from(trail).unwrap_or(usize::MAX));
        }
        trail <= there + 1
    }

    /// Whether no reachable node is left to visit.
    pub(crate) fn is_done(&mut self, now: &Situation<'_>) -> bool {
        self.pass_visited(now.estimates);
        self.lowest as usize >= now.graph.len() || self.lowest_within_reach(now).is_none()
    }

    /// Fills in the next leg; `false` if no reachable node is left to visit.
    pub fn next_leg(&mut self, now: &Situation<'_>, leg: &mut Leg) -> bool {
        let unvisited = |node: NodeId| now.estimates.count(node) == 0;
        self.pass_visited(now.estimates);
        if self.init == Init::None || self.lowest as usize >= now.graph.len() {
            return false;
        }
        let Some(lowest) = self.lowest_within_reach(now) else { return false };
        let target = match self.init {
            _ if unvisited(now.at) && self.init != Init::Lowest => now.at,
            Init::DepthFirst => {
                let deeper = self.unvisited_neighbor(now);
                if deeper.is_some() {
                    self.trail.push(now.at);
                }
                // An empty trail means that the walker was moved; any unvisited node will do.
                deeper.or_else(|| self.fall_back()).unwrap_or(lowest)
            }
            Init::Tour => self.next_of_tour(now, lowest),
            Init::Nearest => self.nearest(now, lowest),
            Init::Lowest | Init::None => lowest,
        };
        self.way_to(now, target, leg);
        leg.stay = u64::from(target == now.at);
        true
    }

    /// The lowest unvisited node within reach.
    fn lowest_within_reach(&mut self, now: &Situation<'_>) -> Option<NodeId> {
        if now.graph.is_connected() {
            return Some(self.lowest);
        }
        let stands_in = |part: &Part| part.is_around(now.graph, now.at);
        if !self.part.as_deref().is_some_and(stands_in) {
            // The part has its own numbering, so paths are not remembered across parts.
            self.paths = FastestPath::default();
            self.part = None;
        }
        let around = || Box::new(Part::around(now.graph, now.at));
        let part = self.part.get_or_insert_with(around);
        part.nodes().iter().copied().find(|&node| now.estimates.count(node) == 0)
    }

    /// The lowest unvisited neighbour from which a way leads back.
    fn unvisited_neighbor(&mut self, now: &Situation<'_>) -> Option<NodeId> {
        let Some(part) = self.part.as_deref().filter(|_| now.graph.roads().is_some()) else {
            return self.seen.unvisited_neighbor(now.at, now);
        };
        let is_wanted = |&node: &NodeId| now.estimates.count(node) == 0 && part.holds(node);
        now.graph.neighborhood(now.at).iter().copied().find(is_wanted)
    }

    /// The last reachable node of the trail; later nodes are dropped.
    fn fall_back(&mut self) -> Option<NodeId> {
        let Some(part) = &self.part else { return self.trail.pop() };
        let last = self.trail.iter().rposition(|&node| part.holds(node))?;
        let node = self.trail[last];
        self.trail.truncate(last);
        Some(node)
    }

    /// Makes `leg` the path of fewest hops to `target`; if roads take time, the fastest path.
    pub(crate) fn way_to(&mut self, now: &Situation<'_>, target: NodeId, leg: &mut Leg) {
        leg.clear();
        let Some(part) = &self.part else {
            self.paths.append(now.graph, now.at, &[target], &mut leg.path);
            return;
        };
        if let (Some(at), Some(target)) = (part.inside(now.at), part.inside(target)) {
            self.paths.append(part.graph(), at, &[target], &mut leg.path);
            part.outside(&mut leg.path);
        }
    }

    /// The next unvisited node of the tour; if there is none, the nearest.
    fn next_of_tour(&mut self, now: &Situation<'_>, lowest: NodeId) -> NodeId {
        if now.graph.len() > tour::MOST_NODES || !now.graph.is_connected() {
            return self.nearest(now, lowest);
        }
        let tour = self.tour.get_or_insert_with(|| Box::new(Tour::of(&now.graph.as_mapped())));
        tour.after(now.at, |node| now.estimates.count(node) == 0).unwrap_or(lowest)
    }

    /// The lowest of the nearest unvisited nodes: visited nodes are searched layer by layer until
    /// one has an unvisited neighbour.
    fn nearest(&mut self, now: &Situation<'_>, lowest: NodeId) -> NodeId {
        if now.graph.roads().is_some() {
            // A road may lead out of the part and not back.
            let part = self.part.as_deref();
            let is_wanted =
                |node| now.estimates.count(node) == 0 && part.is_none_or(|part| part.holds(node));
            return self.paths.soonest(now.graph, now.at, is_wanted).unwrap_or(lowest);
        }
        let mut budget = Budget::ENDLESS;
        self.around.begin(now.graph, &[now.at]);
        loop {
            let rim = self.around.outermost().iter();
            let found = rim.filter_map(|&node| self.seen.unvisited_neighbor(node, now)).min();
            if let Some(found) = found {
                return found;
            }
            if self.around.grow(now.graph, &mut budget).is_none() {
                return lowest;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::graph::{Graph, Road};
    use std::collections::BTreeSet;

    /// Walks until every node is visited; returns the nodes in visiting order.
    fn walk(graph: &Graph, init: Init, start: NodeId) -> Vec<NodeId> {
        let mut cover = Cover::new(init);
        let mut estimates = Estimates::new(graph.len());
        let mut leg = Leg::default();
        let (mut at, mut visited) = (start, Vec::new());
        let clock = Clock::default();
        while cover
            .next_leg(&Situation { graph, at, estimates: &estimates, clock: &clock }, &mut leg)
        {
            assert!(leg.visits() > 0);
            for node in leg.nodes(at) {
                assert!(graph.allows(at, node));
                at = node;
                estimates.push(at, 0.0);
                visited.push(at);
            }
        }
        let within_reach = graph.within_reach(start);
        assert!(init == Init::None || within_reach.iter().all(|&v| estimates.count(v) > 0));
        visited
    }

    #[test]
    fn lowest_collects_where_it_stands_and_on_the_way() {
        let line = Graph::from_edges(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
        assert_eq!(walk(&line, Init::Lowest, 0), [0, 1, 2, 3]);
        assert_eq!(walk(&line, Init::Lowest, 2), [1, 0, 1, 2, 3]);
        let star = Graph::from_edges(4, [(0, 1), (0, 2), (0, 3)]).unwrap();
        assert_eq!(walk(&star, Init::Lowest, 0), [0, 1, 0, 2, 0, 3]);
    }

    #[test]
    fn nearest_breaks_ties_by_number() {
        // 0 is joined to 3 and 1 through 2: from 2, both 1 and 3 are one hop.
        let graph = Graph::from_edges(4, [(0, 2), (2, 3), (2, 1)]).unwrap();
        assert_eq!(walk(&graph, Init::Nearest, 0), [0, 2, 1, 2, 3]);
        assert_eq!(walk(&graph, Init::None, 0), [0_u32; 0]);
    }

    #[test]
    fn no_cover_enters_a_node_without_a_way_back() {
        // 2 is next to 1 and lower than 3, but the road from 2 on is closed.
        let roads = [(0, 1, 0.0), (1, 2, 0.0), (1, 3, 5.0), (2, 3, 0.0), (3, 0, 0.0)];
        let roads = roads.map(|(from, to, time)| Road { from, to, time });
        let closed = BTreeSet::from([(2, 3)]);
        let graph = Graph::from_roads(4, roads).unwrap().without(&closed).unwrap();
        for init in [Init::Lowest, Init::Nearest, Init::DepthFirst, Init::Tour] {
            assert_eq!(walk(&graph, init, 0), [0, 1, 3], "{init}");
        }
    }

    #[test]
    fn depth_first_takes_fewer_than_twice_the_nodes() {
        let mut seed = 3_u64;
        for nodes in 1..60_u32 {
            let edges = (1..nodes).map(|v| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (v, (seed >> 33) as u32 % v)
            });
            let tree = Graph::from_edges(nodes as usize, edges).unwrap();
            assert!(walk(&tree, Init::DepthFirst, nodes / 2).len() < 2 * nodes as usize);
            walk(&tree, Init::Nearest, nodes / 2);
        }
    }
}

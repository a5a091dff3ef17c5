//! Paths of fewest hops, many on the same graph: the same paths as [`Hops`], at a small part of the
//! cost on large graphs.
//!
//! The path goes from each node to the lowest-numbered neighbour one hop nearer to the nearest
//! target. If the nearest target is `k` hops from the start, only targets at exactly `k` hops
//! matter: a node on the path, after `i` hops, has its nearest targets at `k - i` hops, which are
//! at most `k` from the start, and none is nearer than `k`. So the path is the lexicographically
//! first of all shortest paths, and any exact search may find it:
//! - on a small graph, a plain search;
//! - on a tree, the only path ([`TreePaths`]);
//! - two searches that meet ([`MeetingSearch`]), which need no preparation;
//! - a search guided by landmarks ([`GuidedSearch`]), which needs a table.
//!
//! Tables are built once the searches without them have cost as much. After that a query alternates
//! both searches with growing budgets, starting with the one that answered last. The cost is within
//! a constant factor of the cheaper search, or of a guided search of that length.

mod guided_search;
mod landmarks;
mod meeting_search;
mod renumbering;
mod tree_paths;
mod wave;

use super::{Graph, Hops, NodeId};
use guided_search::GuidedSearch;
pub(crate) use landmarks::Landmarks;
use meeting_search::MeetingSearch;
use renumbering::Renumbering;
pub(crate) use tree_paths::TreePaths;
pub(crate) use wave::{Budget, Wave};

/// Smaller graphs use a plain search: tables would gain nothing.
const SMALL: usize = 512;

/// The cost of tables in searches of the whole graph, on a tree and elsewhere.
const PRICE_ON_A_TREE: usize = 2;
const PRICE: usize = 16;

/// Neighbours examined before a search first yields to the other.
const FIRST_BUDGET: usize = 1 << 12;

/// For long paths the first budget is this multiple of what a guided search is expected to examine.
const PATIENCE: usize = 4;

/// The growth of budgets from turn to turn.
const GROWTH: usize = 4;

/// With more targets than this, one is probably near, and landmarks help little.
pub(super) const FEW_TARGETS: usize = 4;

/// When to build tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preparation {
    /// Once the searches without them have cost as much.
    #[default]
    WhenWorthwhile,
    /// At the first query.
    AtOnce,
    /// Never.
    Never,
}

/// Finds paths of fewest hops on one graph, with tables and memory kept from query to query.
///
/// ```
/// use graph_bandit::{Graph, graph::HopPaths};
/// let circle = Graph::circle(6)?;
/// let (mut paths, mut path) = (HopPaths::default(), Vec::new());
/// paths.append(&circle, 0, &[3], &mut path);
/// assert_eq!(path, [1, 2, 3]);
/// # Ok::<(), graph_bandit::FamilyError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct HopPaths {
    preparation: Preparation,
    /// The number of nodes and edges of the graph that the tables belong to.
    size: (usize, usize),
    tables: Tables,
    searches: Searches,
    /// The targets by their new numbers, if the graph is renumbered.
    targets: Vec<NodeId>,
}

/// The tables of a graph.
#[derive(Debug, Clone, Default)]
enum Tables {
    #[default]
    NotYet,
    Tree(TreePaths),
    Others {
        renumbering: Option<Renumbering>,
        landmarks: Option<Landmarks>,
    },
}

/// The searches and their costs so far.
#[derive(Debug, Clone, Default)]
struct Searches {
    plain: Hops,
    meeting: MeetingSearch,
    guided: GuidedSearch,
    first: Turn,
    /// Neighbours examined without landmarks.
    spent: usize,
}

/// Which search goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Turn {
    #[default]
    Guided,
    Meeting,
}

/// The start and the targets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Query<'a> {
    pub(super) graph: &'a Graph,
    pub(super) from: NodeId,
    /// At least one target, and not the start.
    pub(super) targets: &'a [NodeId],
}

impl HopPaths {
    /// Paths with tables built at this point.
    pub fn new(preparation: Preparation) -> Self {
        Self { preparation, ..Self::default() }
    }

    /// Appends the nodes to enter from `from` to the nearest of `targets`, always to the
    /// lowest-numbered neighbour one hop nearer. Appends nothing if there is no target or `from` is
    /// one. Use one graph for all queries; another graph is recognized by its number of nodes or
    /// edges, and its tables are rebuilt.
    ///
    /// # Complexity
    /// O(|S| + |E|) at worst, and for the first queries; O(hops) on trees; O(hops) times the
    /// degrees if landmarks give exact distances.
    ///
    /// # Panics
    /// When the graph has roads that run one way or take time: searches from both ends need two-way
    /// edges. Use [`CheapestPaths::search_roads`](crate::plan::CheapestPaths::search_roads)
    /// instead.
    pub fn append(
        &mut self,
        graph: &Graph,
        from: NodeId,
        targets: &[NodeId],
        path: &mut Vec<NodeId>,
    ) {
        assert!(graph.roads().is_none(), "hop paths need two-way edges");
        if targets.is_empty() || targets.contains(&from) {
            return;
        }
        if let &[target] = targets
            && graph.allows(from, target)
        {
            path.push(target);
            return;
        }
        if graph.len() < SMALL && self.preparation == Preparation::WhenWorthwhile {
            self.searches.plain.search(graph, targets.iter().copied(), Some(from));
            let query = Query { graph, from, targets };
            descend(&query, path, |node| self.searches.plain.distance(node));
            return;
        }
        let size = (graph.len(), graph.edge_count());
        if self.size != size {
            *self = Self { size, ..Self::new(self.preparation) };
        }
        self.prepare(graph);
        match &self.tables {
            Tables::Tree(tree) if targets.len() == 1 => tree.path(from, targets[0], path),
            Tables::Others { renumbering: Some(renumbering), landmarks } => {
                self.targets.clear();
                self.targets.extend(targets.iter().map(|&t| renumbering.new_number(t)));
                let (from, kept) = (renumbering.new_number(from), path.len());
                let query = Query { graph: &renumbering.graph, from, targets: &self.targets };
                self.searches.find(&query, landmarks.as_ref(), path);
                path[kept..].iter_mut().for_each(|node| *node = renumbering.old_number(*node));
            }
            Tables::Others { renumbering: None, landmarks } => {
                let query = Query { graph, from, targets };
                self.searches.find(&query, landmarks.as_ref(), path);
            }
            Tables::Tree(_) | Tables::NotYet => {
                self.searches.find(&Query { graph, from, targets }, None, path);
            }
        }
    }

    fn prepare(&mut self, graph: &Graph) {
        let is_tree = graph.edge_count() + 1 == graph.len();
        let price = if is_tree { PRICE_ON_A_TREE } else { PRICE };
        let is_due = match self.preparation {
            Preparation::WhenWorthwhile => self.searches.spent / price >= graph.row_entries(),
            Preparation::AtOnce => true,
            Preparation::Never => false,
        };
        if is_due && matches!(self.tables, Tables::NotYet) {
            self.tables = TreePaths::new(graph).map_or_else(|| Tables::others(graph), Tables::Tree);
        }
    }
}

impl Tables {
    fn others(graph: &Graph) -> Self {
        let renumbering = Renumbering::new(graph);
        let landmarks = Landmarks::new(renumbering.as_ref().map_or(graph, |r| &r.graph));
        Self::Others { renumbering, landmarks }
    }
}

impl Searches {
    fn find(&mut self, query: &Query<'_>, landmarks: Option<&Landmarks>, path: &mut Vec<NodeId>) {
        if let Some(landmarks) = landmarks {
            self.take_turns(query, landmarks, path);
        } else {
            let mut budget = Budget::ENDLESS;
            // With an unlimited budget the searches meet, because the graph is connected.
            let _ = self.meeting.path(query, &mut budget, path);
            self.spent = self.spent.saturating_add(budget.spent_of_endless());
        }
    }

    fn take_turns(&mut self, query: &Query<'_>, landmarks: &Landmarks, path: &mut Vec<NodeId>) {
        let start = landmarks.toward(query.from);
        let bounds = query.targets.iter().take(FEW_TARGETS).map(|&target| start.bound(target));
        let hops = bounds.min().unwrap_or(0) as usize;
        let row = query.graph.row_entries().div_ceil(query.graph.len());
        let mut limit = FIRST_BUDGET.max(PATIENCE * hops * landmarks.nodes_per_hop() * row);
        let first = if query.targets.len() > FEW_TARGETS { Turn::Meeting } else { self.first };
        let mut turn = first;
        loop {
            let mut budget = Budget::new(limit);
            let done = match turn {
                Turn::Guided => self.guided.path(query, landmarks, &mut budget, path),
                Turn::Meeting => self.meeting.path(query, &mut budget, path),
            };
            if done.is_some() {
                self.first = turn;
                return;
            }
            turn = turn.other();
            if turn == first {
                limit = limit.saturating_mul(GROWTH);
            }
        }
    }
}

impl Turn {
    fn other(self) -> Self {
        match self {
            Self::Guided => Self::Meeting,
            Self::Meeting => Self::Guided,
        }
    }
}

/// Appends the path of fewest hops, given the hops to the targets for all nodes on such paths, and
/// for no other node fewer hops than it has.
pub(super) fn descend(
    query: &Query<'_>,
    path: &mut Vec<NodeId>,
    hops: impl Fn(NodeId) -> Option<u32>,
) {
    let mut node = query.from;
    let mut left = hops(node).unwrap_or(0);
    while left > 0 {
        left -= 1;
        let mut nearer = query.graph.neighbors(node).filter(|&v| hops(v) == Some(left));
        let Some(next) = nearer.next() else {
            return;
        };
        path.push(next);
        node = next;
    }
}

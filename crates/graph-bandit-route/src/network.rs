//! Roads with travel times and the probability that they are open.

use crate::error::RouteError;
use graph_bandit::graph::{MAX_NODES, NodeId};

/// The number of a road, from 0, in the order given.
pub type RoadId = u32;

/// One road.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Road {
    /// Where it begins.
    pub source: NodeId,
    /// Where it ends.
    pub target: NodeId,
    /// How long it takes.
    pub time: f64,
    /// The probability that it is open.
    pub open: f64,
}

impl Road {
    /// Whether its state is unknown until it is seen.
    #[inline]
    pub fn is_uncertain(&self) -> bool {
        self.open > 0.0 && self.open < 1.0
    }
}

/// In which directions roads can be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Directions {
    /// From either end to the other.
    #[default]
    Both,
    /// Only from source to target. The state is still seen at both ends.
    OneWay,
}

/// A road as seen from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) road: RoadId,
    /// The other end.
    pub(crate) node: NodeId,
}

/// Nodes and the roads between them. Several roads may join the same two nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    roads: Vec<Road>,
    directions: Directions,
    leaving: Rows,
    arriving: Rows,
    touching: Rows,
}

impl Network {
    /// A network of `nodes` nodes.
    ///
    /// # Errors
    /// When a time is negative or not finite, a probability is not in `[0, 1]`, a node does not
    /// exist, or a road ends where it begins.
    pub fn new(nodes: usize, roads: Vec<Road>, directions: Directions) -> Result<Self, RouteError> {
        if nodes == 0 || nodes > MAX_NODES || roads.len() > MAX_NODES {
            return Err(RouteError::Size { nodes, roads: roads.len(), most: MAX_NODES });
        }
        for (road, number) in roads.iter().zip(0..) {
            check(road, number, nodes)?;
        }
        // A walk repeats roads, so the limit is far below overflow.
        if roads.iter().map(|road| road.time).sum::<f64>() > f64::MAX / 1e12 {
            return Err(RouteError::Overflow);
        }
        let forward = |road: &Road| (road.source, road.target);
        let backward = |road: &Road| (road.target, road.source);
        let both = Rows::new(nodes, &roads, &[&forward, &backward]);
        let (leaving, arriving) = match directions {
            Directions::Both => (both.clone(), both.clone()),
            Directions::OneWay => {
                (Rows::new(nodes, &roads, &[&forward]), Rows::new(nodes, &roads, &[&backward]))
            }
        };
        let uncertain = both.only(|step| roads[step.road as usize].is_uncertain());
        Ok(Self { roads, directions, leaving, arriving, touching: uncertain })
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.leaving.starts.len() - 1
    }

    /// The roads, in the order given.
    pub fn roads(&self) -> &[Road] {
        &self.roads
    }

    /// In which directions roads can be taken.
    pub fn directions(&self) -> Directions {
        self.directions
    }

    /// The number of roads that may be open or closed.
    pub fn uncertain(&self) -> usize {
        self.roads.iter().filter(|road| road.is_uncertain()).count()
    }

    #[inline]
    pub(crate) fn time(&self, road: RoadId) -> f64 {
        self.roads[road as usize].time
    }

    /// The roads that can be taken from a node.
    #[inline]
    pub(crate) fn leaving(&self, node: NodeId) -> &[Step] {
        self.leaving.of(node)
    }

    /// The roads that lead to a node.
    #[inline]
    pub(crate) fn arriving(&self, node: NodeId) -> &[Step] {
        self.arriving.of(node)
    }

    /// The uncertain roads whose state is seen at a node.
    #[inline]
    pub(crate) fn seen_at(&self, node: NodeId) -> &[Step] {
        self.touching.of(node)
    }
}

fn check(road: &Road, number: RoadId, nodes: usize) -> Result<(), RouteError> {
    let &Road { source, target, time, open } = road;
    for node in [source, target] {
        if node as usize >= nodes {
            return Err(RouteError::RoadEnd { road: number, node, nodes });
        }
    }
    if source == target {
        return Err(RouteError::Loop { road: number, node: source });
    }
    if !(time.is_finite() && time >= 0.0) {
        return Err(RouteError::Time { road: number, time });
    }
    if !(0.0..=1.0).contains(&open) {
        return Err(RouteError::Probability { road: number, open });
    }
    Ok(())
}

/// The steps of every node, in compressed rows, each in the order of roads.
#[derive(Debug, Clone, PartialEq)]
struct Rows {
    starts: Vec<u32>,
    steps: Vec<Step>,
}

type Ends<'a> = &'a dyn Fn(&Road) -> (NodeId, NodeId);

impl Rows {
    fn new(nodes: usize, roads: &[Road], ends: &[Ends<'_>]) -> Self {
        let mut rows = vec![Vec::new(); nodes];
        for (road, number) in roads.iter().zip(0..) {
            for ends in ends {
                let (from, to) = ends(road);
                rows[from as usize].push(Step { road: number, node: to });
            }
        }
        Self::of_rows(&rows)
    }

    fn of_rows(rows: &[Vec<Step>]) -> Self {
        let mut starts = vec![0];
        let mut steps = Vec::new();
        for row in rows {
            steps.extend_from_slice(row);
            starts.push(steps.len() as u32);
        }
        Self { starts, steps }
    }

    fn only(&self, keep: impl Fn(&Step) -> bool) -> Self {
        let nodes = 0..self.starts.len() as NodeId - 1;
        let rows: Vec<Vec<Step>> =
            nodes.map(|node| self.of(node).iter().copied().filter(&keep).collect()).collect();
        Self::of_rows(&rows)
    }

    #[inline]
    fn of(&self, node: NodeId) -> &[Step] {
        let node = node as usize;
        &self.steps[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

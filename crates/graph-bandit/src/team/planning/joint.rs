//! The joint plan: where every walker should be at every step, with sharing under way.
//!
//! Known values `v_k >= 0`, concave shares `f_k` and interchangeable walkers: the plan maximizes
//! the sum of `f_k(c_k(t)) v_k` over nodes and steps 1 to `H`, where each walker stays or goes to a
//! neighbour at every step. It is a flow of least cost through time.
//!
//! **Long horizons** need few layers, because walkers settle: a plan of `L` steps whose last step
//! counts `H - L + 1` times is the best of all that stay from step `L` on. Whether staying is best
//! is proved by prices. Let `q(k, t)` be any prices for a seat. A plan gets at most the sum of
//! `(gain - q)+` over all seats, plus what its walkers pay; and a walker pays at most as much as on
//! the dearest walk from its start. This bound holds for all plans of `H` steps. If it is not the
//! plan's own value, the number of layers is doubled.
//!
//! **Longer ones** follow from the static optimum `S`, the most that a step can pay: if the last
//! step of a best plan pays `S`, staying there is a best plan for all longer horizons, and the
//! value grows by `S` per step.

use super::allocation::{AllocationError, Limits, Problem, Seats};
use super::dearest_walks::dearest_walks;
use super::time_flow::{Task, TimeFlow};
use crate::graph::{Graph, NodeId, Roads};
use crate::plan::StepsOnly;
use crate::team::Sharing;
use thiserror::Error;

/// How far, as a part of the value, a bound may be from a value that equals it up to rounding.
const ROUNDING: f64 = 1e-12;

/// The layers of the first attempt.
const FEW_LAYERS: usize = 8;

/// Where a team is and what it plays for.
#[derive(Debug, Clone, Copy)]
pub struct JointProblem<'a> {
    task: Task<'a>,
    /// What the best static allocation pays per step.
    optimum: f64,
    most_states: usize,
}

/// A best plan for some horizon, or the best one found.
#[derive(Debug, Clone, PartialEq)]
pub struct JointPlan {
    /// The horizon.
    pub steps: u64,
    /// What the plan pays in all steps.
    pub value: f64,
    /// At most this can be paid.
    pub bound: f64,
    /// What the plan pays in its last step.
    pub last_pay: f64,
    /// The node of each walker at steps 1, 2 and so on; at its last node it stays.
    pub paths: Vec<Vec<NodeId>>,
}

impl JointPlan {
    /// Whether the plan is proved to be best, up to rounding.
    pub fn is_best(&self) -> bool {
        self.bound - self.value <= ROUNDING * self.value.max(1.0)
    }
}

/// Why there is no joint plan.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum JointError {
    /// A list does not have one entry per node.
    #[error("{given} values for {nodes} nodes; give one per node")]
    Values {
        /// The number of values.
        given: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// A value is negative.
    #[error("the value of node {node} is {value}; joint plans need values of at least 0")]
    Negative {
        /// The node.
        node: NodeId,
        /// The value.
        value: f64,
    },
    /// Some walker adds more than the one before it.
    #[error("the shares are not concave; joint plans need shares whose gains never rise")]
    NotConcave,
    /// A start is not part of the graph.
    #[error("walker {walker} starts on node {node}, but the nodes are 0 to {}", nodes - 1)]
    Start {
        /// The walker.
        walker: usize,
        /// Its start.
        node: NodeId,
        /// The number of nodes.
        nodes: usize,
    },
    /// The seats within reach are taken.
    #[error(
        "walker {walker} finds no free seat within reach once the walkers before it are placed; allow more \
         seats per node or other starts"
    )]
    NoWay {
        /// The walker.
        walker: usize,
    },
    /// Steps do not take one unit each.
    #[error(transparent)]
    Steps(#[from] StepsOnly),
    /// There is no static allocation.
    #[error(transparent)]
    Allocation(#[from] AllocationError),
}

impl<'a> JointProblem<'a> {
    /// A team that starts on `starts`, on nodes of known values; the shares may be for more
    /// walkers.
    ///
    /// # Errors
    /// When a value is negative or not finite, the shares are not concave or for fewer walkers, a
    /// start is unknown, there are fewer seats than walkers, or roads take time.
    ///
    /// # Panics
    /// When shares or seats are by node and there are fewer of them than nodes.
    pub fn new(
        graph: &'a Graph,
        (sharing, seats): (&'a Sharing, Seats<'a>),
        values: &'a [f64],
        starts: &'a [NodeId],
    ) -> Result<Self, JointError> {
        let nodes = graph.len();
        if graph.roads().is_some_and(Roads::take_time) {
            return Err(StepsOnly { what: "a joint plan" }.into());
        }
        if values.len() != nodes {
            return Err(JointError::Values { given: values.len(), nodes });
        }
        if let Some(node) = values.iter().position(|&value| value < 0.0) {
            return Err(JointError::Negative { node: node as NodeId, value: values[node] });
        }
        if !sharing.is_concave() {
            return Err(JointError::NotConcave);
        }
        if let Some(walker) = starts.iter().position(|&node| node as usize >= nodes) {
            return Err(JointError::Start { walker, node: starts[walker], nodes });
        }
        let limits = Limits { walkers: starts.len(), seats };
        let optimum = Problem { sharing, values, limits }.best()?.value;
        let task = Task { graph, sharing, values, starts, seats };
        Ok(Self { task, optimum, most_states: 1 << 24 })
    }

    /// Limits the memory of a plan to about 32 bytes per state: two for each node and layer.
    /// Default: 2^24. A plan that would need more is the best found, with a bound.
    #[must_use]
    pub fn with_most_states(mut self, most_states: usize) -> Self {
        self.most_states = most_states;
        self
    }

    /// What the best static allocation pays per step.
    pub fn optimum(&self) -> f64 {
        self.optimum
    }

    /// The best plan for a horizon; see [`JointPlan::is_best`].
    ///
    /// # Errors
    /// When a walker finds no free seat within reach.
    ///
    /// # Complexity
    /// O(M s log s) for M walkers and the s states and roads of the layers needed, usually a few
    /// times the longest way.
    pub fn plan(&self, steps: u64) -> Result<JointPlan, JointError> {
        if steps == 0 || self.task.starts.is_empty() {
            let paths = vec![Vec::new(); self.task.starts.len()];
            return Ok(JointPlan { steps, value: 0.0, bound: 0.0, last_pay: 0.0, paths });
        }
        let mut best: Option<JointPlan> = None;
        let mut layers = FEW_LAYERS;
        loop {
            layers = usize::try_from(steps).unwrap_or(usize::MAX).min(layers);
            let mut plan = self.plan_with(steps, layers)?;
            // An earlier attempt can only be worse, but its bound may be lower.
            if let Some(before) = &best {
                plan.bound = plan.bound.min(before.bound);
            }
            let is_last = layers as u64 == steps
                || 4 * layers.saturating_mul(self.task.graph.len()) > self.most_states;
            if plan.is_best() || is_last {
                return Ok(plan);
            }
            best = Some(plan);
            layers *= 2;
        }
    }

    /// The value of the best plan for each horizon, as the least and the most that it can be. Both
    /// are equal, up to rounding, except where a plan would take too much memory
    /// ([`with_most_states`](Self::with_most_states)).
    ///
    /// # Errors
    /// When a walker finds no free seat within reach.
    ///
    /// # Complexity
    /// One [`plan`](Self::plan) per horizon, except those longer than one that is known to end at
    /// the static optimum.
    pub fn value_by_horizon(&self, horizons: &[u64]) -> Result<Vec<(f64, f64)>, JointError> {
        let mut order: Vec<usize> = (0..horizons.len()).collect();
        order.sort_by_key(|&place| horizons[place]);
        let mut values = vec![(0.0, 0.0); horizons.len()];
        let mut settled: Option<JointPlan> = None;
        for place in order {
            let steps = horizons[place];
            if let Some(plan) = &settled {
                let beyond = (steps - plan.steps) as f64 * self.optimum;
                values[place] = (plan.value + beyond, plan.bound + beyond);
                continue;
            }
            let plan = self.plan(steps)?;
            values[place] = (plan.value, plan.bound);
            if self.ends_at_optimum(&plan) {
                settled = Some(plan);
            }
        }
        Ok(values)
    }

    /// Whether a plan is proved best and its last step pays the static optimum. Then every longer
    /// horizon adds exactly the optimum per step: no step can pay more, and staying pays that.
    pub fn ends_at_optimum(&self, plan: &JointPlan) -> bool {
        // The same pay, if summed over other nodes, may be rounded in another way.
        let is_optimum = plan.last_pay >= self.optimum * (1.0 - 1e-12);
        plan.steps > 0 && plan.is_best() && is_optimum
    }

    /// The best plan of those that stay from step `layers` on, and a bound for all plans.
    fn plan_with(&self, steps: u64, layers: usize) -> Result<JointPlan, JointError> {
        let repeats = steps - layers as u64 + 1;
        let flow = TimeFlow::solve(self.task, layers, repeats as f64)
            .map_err(|walker| JointError::NoWay { walker })?;
        let paths = flow.paths();
        let mut value = 0.0;
        let mut last_pay = 0.0;
        let mut places = Vec::with_capacity(paths.len());
        for layer in 0..layers {
            places.clear();
            places.extend(paths.iter().map(|path| path[layer]));
            last_pay = self.pay(&mut places);
            value += if layer + 1 == layers { repeats as f64 * last_pay } else { last_pay };
        }
        let bound = self.bound(&flow, layers, repeats).max(value);
        Ok(JointPlan { steps, value, bound, last_pay, paths })
    }

    /// What a step pays with walkers on these places, which it sorts.
    fn pay(&self, places: &mut [NodeId]) -> f64 {
        places.sort_unstable();
        let same = places.chunk_by(|a, b| a == b);
        let pays = same.map(|same| {
            let value = self.task.values[same[0] as usize];
            self.task.sharing.multiple(same[0], same.len()) * value
        });
        pays.sum()
    }

    /// The most that any plan gets, by the prices of a flow: see the top of this file.
    fn bound(&self, flow: &TimeFlow<'_>, layers: usize, repeats: u64) -> f64 {
        let graph = self.task.graph;
        let prices = |layer| graph.nodes().map(|node| flow.price(layer, node)).collect::<Vec<_>>();
        let last = prices(layers);
        let mut rents = repeats as f64 * self.rents(&last);
        let mut dearest = dearest_walks(graph, &last, repeats);
        for layer in (1..layers).rev() {
            let prices = prices(layer);
            rents += self.rents(&prices);
            dearest = best_steps(graph, |node| prices[node as usize] + dearest[node as usize]);
        }
        rents + self.task.starts.iter().map(|&start| dearest[start as usize]).sum::<f64>()
    }

    /// What all seats of a layer gain beyond their price.
    fn rents(&self, prices: &[f64]) -> f64 {
        let rent = |node: NodeId| {
            let price = prices[node as usize];
            let gains = (0..self.task.room(node)).map(|count| self.task.gain(node, count) - price);
            gains.take_while(|&gain| gain > 0.0).sum::<f64>()
        };
        self.task.graph.nodes().map(rent).sum()
    }
}

/// The highest value that one step from each node leads to.
fn best_steps(graph: &Graph, value: impl Fn(NodeId) -> f64) -> Vec<f64> {
    let values: Vec<f64> = graph.nodes().map(value).collect();
    let best = |node| {
        let row = graph.neighborhood(node).iter();
        row.map(|&v| values[v as usize]).fold(f64::NEG_INFINITY, f64::max)
    };
    graph.nodes().map(best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::RoadCosts;
    use crate::random::{Seed, Stream};
    use crate::team::planning::{SpMatching, WayRules, best_allocation};

    /// A small world.
    struct Instance {
        graph: Graph,
        sharing: Sharing,
        values: Vec<f64>,
        starts: Vec<NodeId>,
        seats: Vec<usize>,
    }

    fn instance(stream: &mut Stream, case: usize) -> Instance {
        let nodes = 3 + stream.below(3) as NodeId;
        let walkers = 1 + stream.below(3) as usize;
        let mut edges: Vec<_> =
            (1..nodes).map(|v| (stream.below(u64::from(v)) as NodeId, v)).collect();
        for _ in 0..stream.below(3) {
            let mut end = || stream.below(u64::from(nodes)) as NodeId;
            edges.push((end(), end()));
        }
        let row = |stream: &mut Stream| {
            let mut gains: Vec<f64> = (1..walkers).map(|_| stream.below(5) as f64 / 4.0).collect();
            gains.sort_unstable_by(|a, b| b.total_cmp(a));
            let mut row = vec![1.0];
            for gain in gains {
                row.push(row[row.len() - 1] + gain);
            }
            row
        };
        let rows: Vec<_> = (0..nodes).map(|_| row(stream)).collect();
        let levels = [4, 1000][case % 2];
        let mut of = |bound: usize| stream.below(bound as u64) as usize;
        Instance {
            graph: Graph::from_edges(nodes as usize, edges).unwrap(),
            sharing: Sharing::by_node(walkers, nodes as usize, &rows).unwrap(),
            values: (0..nodes).map(|_| of(levels) as f64 / levels as f64).collect(),
            starts: (0..walkers).map(|_| of(nodes as usize) as NodeId).collect(),
            seats: (0..nodes)
                .map(|_| if case.is_multiple_of(3) { of(3) } else { walkers })
                .collect(),
        }
    }

    impl Instance {
        fn problem(&self) -> Result<JointProblem<'_>, JointError> {
            let seats = Seats::ByNode(&self.seats);
            JointProblem::new(&self.graph, (&self.sharing, seats), &self.values, &self.starts)
        }

        fn pay(&self, places: &[NodeId]) -> f64 {
            self.graph.nodes().fold(0.0, |sum, node| {
                let count = places.iter().filter(|&&place| place == node).count();
                if count > self.seats[node as usize] {
                    return f64::NEG_INFINITY;
                }
                sum + self.sharing.multiple(node, count) * self.values[node as usize]
            })
        }

        /// All places of all walkers, as the digits of a number.
        fn places(&self, state: usize) -> Vec<NodeId> {
            let mut rest = state;
            let digit = |_| {
                let digit = rest % self.graph.len();
                rest /= self.graph.len();
                digit as NodeId
            };
            (0..self.starts.len()).map(digit).collect()
        }

        /// The most for 0, 1, .. steps, over all joint walks.
        fn by_brute_force(&self, steps: usize) -> Vec<f64> {
            let states = self.graph.len().pow(self.starts.len() as u32);
            let all: Vec<Vec<NodeId>> = (0..states).map(|state| self.places(state)).collect();
            let leads = |from: &[NodeId], to: &[NodeId]| {
                from.iter().zip(to).all(|(&a, &b)| self.graph.allows(a, b))
            };
            let next: Vec<Vec<usize>> = all
                .iter()
                .map(|from| (0..states).filter(|&to| leads(from, &all[to])).collect())
                .collect();
            let pays: Vec<f64> = all.iter().map(|places| self.pay(places)).collect();
            let start = all.iter().position(|places| *places == self.starts).unwrap();
            let mut value = vec![0.0; states];
            let mut values = vec![0.0];
            for _ in 0..steps {
                value = next
                    .iter()
                    .map(|next| {
                        let best = next.iter().map(|&to| pays[to] + value[to]);
                        best.fold(f64::NEG_INFINITY, f64::max)
                    })
                    .collect();
                values.push(value[start]);
            }
            values
        }

        /// What walkers on these paths get, if each step is allowed.
        fn walked(&self, paths: &[Vec<NodeId>], steps: usize) -> f64 {
            let mut here = self.starts.clone();
            let mut sum = 0.0;
            for step in 0..steps {
                for (here, path) in here.iter_mut().zip(paths) {
                    let next = path.get(step).copied().unwrap_or(*here);
                    assert!(self.graph.allows(*here, next));
                    *here = next;
                }
                sum += self.pay(&here);
            }
            sum
        }
    }

    #[test]
    fn plans_are_the_best_of_all_joint_walks() {
        let mut stream = Seed(26).stream();
        let (mut impossible, mut settled) = (0, 0);
        for case in 0..300 {
            let instance = instance(&mut stream, case);
            let Ok(problem) = instance.problem() else {
                impossible += 1;
                continue;
            };
            let horizons: Vec<u64> = (0..=24).collect();
            let best = instance.by_brute_force(24);
            let Ok(by_horizon) = problem.value_by_horizon(&horizons) else {
                assert_eq!(best[1], f64::NEG_INFINITY);
                assert!(problem.plan(1).is_err());
                impossible += 1;
                continue;
            };
            for &steps in &horizons {
                let expected = best[steps as usize];
                let plan = problem.plan(steps).unwrap();
                assert!((plan.value - expected).abs() < 1e-9, "{case} {steps}: {}", plan.value);
                assert!(plan.is_best(), "{case} {steps}: {} {}", plan.value, plan.bound);
                assert!((instance.walked(&plan.paths, steps as usize) - plan.value).abs() < 1e-9);
                let (low, high) = by_horizon[steps as usize];
                assert!((low - expected).abs() < 1e-9 && (high - expected).abs() < 1e-8);
                settled += usize::from(problem.ends_at_optimum(&plan));
            }
        }
        assert!(impossible > 10 && settled > 1000, "{impossible} {settled}");
    }

    #[test]
    fn bounds_hold_if_walkers_must_settle_early() {
        let mut stream = Seed(27).stream();
        let mut open = 0;
        for case in 0..200 {
            let instance = instance(&mut stream, 3 * case + 1);
            let problem = instance.problem().unwrap();
            let best = instance.by_brute_force(12);
            for layers in 1..=12 {
                let plan = problem.plan_with(12, layers).unwrap();
                assert!(plan.value <= best[12] + 1e-9 && plan.bound >= best[12] - 1e-9);
                open += usize::from(!plan.is_best());
            }
        }
        assert!(open > 50, "{open}");
    }

    #[test]
    fn never_worse_than_a_transition() {
        let mut stream = Seed(28).stream();
        let mut better = 0;
        for case in 0..200 {
            let instance = instance(&mut stream, 3 * case + 1);
            let problem = instance.problem().unwrap();
            let to =
                best_allocation(&instance.sharing, &instance.values, Seats::Unlimited).unwrap();
            assert_eq!(to.value, problem.optimum());
            let to: Vec<NodeId> = to.places().collect();
            let most = instance.values.iter().copied().fold(0.0, f64::max);
            let entry = |v: NodeId| most - instance.values[v as usize];
            let costs = RoadCosts { entry, time: 0.0 };
            let rules = WayRules { graph: &instance.graph, costs, most_hops: None };
            let transition = SpMatching::default().find(&rules, &instance.starts, &to).unwrap();
            for steps in [1, 3, 10, 100] {
                let walked = instance.walked(&transition.paths, steps);
                let plan = problem.plan(steps as u64).unwrap();
                assert!(plan.value >= walked - 1e-9);
                better += usize::from(plan.value > walked + 1e-9);
            }
        }
        assert!(better > 100, "{better}");
    }

    #[test]
    fn nodes_worth_almost_the_same_are_left_late_or_never() {
        // A walker on 0 gets to node 2 over the poor node 1; it is worth it beyond 501 steps.
        let line = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let values = [0.5, 0.0, 0.501];
        let sharing = Sharing::equal(1);
        let start = [0];
        let problem =
            JointProblem::new(&line, (&sharing, Seats::Unlimited), &values, &start).unwrap();
        for (steps, end, value) in [(400, 0, 200.0), (600, 2, 599.0 * 0.501), (10, 0, 5.0)] {
            let plan = problem.plan(steps).unwrap();
            assert!(plan.is_best());
            assert_eq!(plan.paths[0].last(), Some(&end));
            assert!((plan.value - value).abs() < 1e-9);
            assert_eq!(problem.ends_at_optimum(&plan), end == 2);
        }
        let values = problem.value_by_horizon(&[1_000_000, 600]).unwrap();
        assert!((values[0].0 - 999_999.0 * 0.501).abs() < 1e-6);
        assert!((values[0].1 - values[0].0).abs() < 1e-6);
    }

    #[test]
    fn mistakes_are_refused_by_name() {
        let pair = Graph::from_edges(2, [(0, 1)]).unwrap();
        let equal = Sharing::equal(2);
        let of = |values: &[f64], sharing: &Sharing, starts: &[NodeId]| {
            let sharing = (sharing, Seats::Each(1));
            JointProblem::new(&pair, sharing, values, starts).unwrap_err().to_string()
        };
        assert_eq!(of(&[1.0], &equal, &[0]), "1 values for 2 nodes; give one per node");
        assert_eq!(
            of(&[1.0, -0.5], &equal, &[0]),
            "the value of node 1 is -0.5; joint plans need values of at least 0"
        );
        assert!(of(&[1.0, f64::NAN], &equal, &[0]).starts_with("the value of node 1 is NaN"));
        let square = Sharing::same(2, |count| (count * count) as f64).unwrap();
        assert!(of(&[1.0; 2], &square, &[0]).starts_with("the shares are not concave"));
        assert_eq!(
            of(&[1.0; 2], &equal, &[0, 2]),
            "walker 1 starts on node 2, but the nodes are 0 to 1"
        );
        assert!(of(&[1.0; 2], &equal, &[0; 3]).starts_with("3 walkers, but the shares end at"));
        let three = Sharing::equal(3);
        assert!(of(&[1.0; 2], &three, &[0; 3]).starts_with("3 walkers but 2 seats"));
        // Both must leave node 0 for node 1, which has one seat.
        let seats = Seats::ByNode(&[0, 1, 5]);
        let line = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let problem = JointProblem::new(&line, (&equal, seats), &[1.0; 3], &[0, 0]).unwrap();
        assert!(
            problem.plan(3).unwrap_err().to_string().starts_with("walker 1 finds no free seat")
        );
    }
}

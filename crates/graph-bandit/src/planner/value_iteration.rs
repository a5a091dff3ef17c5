//! UCRL2's planner: value iteration to tolerance `1 / sqrt(t)` (Algorithms 3 and 4).
//!
//! If roads run one way or take time, it is computed to the limit, whatever tolerance and cap say:
//! the values converge to the costs of the cheapest paths to the best node, which Dijkstra's method
//! computes directly. Sweeps would have to solve a semi-Markov problem, with many sweeps per unit
//! of time.

use super::{Planner, Rewards};
use crate::agent::Situation;
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::plan::{CheapestPaths, Heading, KineticSweeps, RoadCosts, Sweeps, best_neighbor};
use crate::random::Stream;

/// How many sweeps value iteration may make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SweepCap {
    /// As many as the tolerance needs, as in the paper.
    #[default]
    None,
    /// `floor(min(10^4, sqrt(t))) + 1`, as in the authors' program. It makes plans short-sighted.
    SquareRoot,
}

/// Which values the policy is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PolicyValues {
    /// The values after the last sweep, as in the paper.
    #[default]
    Last,
    /// The values before the last sweep, as in the authors' program.
    Previous,
}

/// The best neighbour by the values of finitely many sweeps.
#[derive(Debug, Clone, Default)]
pub struct ValueIteration {
    cap: SweepCap,
    policy: PolicyValues,
    rewards: Rewards,
    /// For plans without a cap, which may take thousands of sweeps.
    kinetic: KineticSweeps,
    /// For plans with a cap, with the same sums to the bit as the authors' program.
    capped: Sweeps,
    /// For roads.
    by_road: CheapestPaths,
}

impl ValueIteration {
    /// A planner with this cap that reads its policy from these values.
    pub fn new(cap: SweepCap, policy: PolicyValues) -> Self {
        Self { cap, policy, ..Self::default() }
    }
}

impl Planner for ValueIteration {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.rewards.score(now, index, stream);
        if now.graph.roads().is_some() {
            let entry = |node: NodeId| self.rewards.best - self.rewards.of[node as usize];
            let costs = RoadCosts { entry, time: self.rewards.best.max(0.0) };
            let there = (now.graph, Heading::There);
            self.by_road.search_all_roads(there, &costs, self.rewards.best_nodes());
            return;
        }
        let root = (now.estimates.visits() as f64).sqrt();
        let tolerance = 1.0 / root;
        match self.cap {
            SweepCap::None => {
                self.kinetic.run(now.graph, &self.rewards.of, tolerance);
            }
            SweepCap::SquareRoot => {
                let most = root.min(1e4) as u64 + 1;
                self.capped.run(now.graph, &self.rewards.of, tolerance, most);
            }
        }
    }

    fn next(&self, graph: &Graph, node: NodeId) -> NodeId {
        if graph.roads().is_some() {
            return self.by_road.next(node);
        }
        let (kinetic, capped) = (&self.kinetic, &self.capped);
        match (self.cap, self.policy) {
            (SweepCap::None, PolicyValues::Last) => {
                best_neighbor(graph, node, |v| -kinetic.last_loss(v))
            }
            (SweepCap::None, PolicyValues::Previous) => {
                best_neighbor(graph, node, |v| -kinetic.previous_loss(v))
            }
            (SweepCap::SquareRoot, PolicyValues::Last) => {
                best_neighbor(graph, node, |v| capped.values()[v as usize])
            }
            (SweepCap::SquareRoot, PolicyValues::Previous) => {
                best_neighbor(graph, node, |v| capped.previous()[v as usize])
            }
        }
    }

    fn forget_graph(&mut self) {
        (self.kinetic, self.capped, self.by_road) = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Episodic;
    use crate::agents::parameters::{COUNTING, DELTA, POLICY_VALUES, SWEEP_CAP, UNION_FACTOR};
    use crate::index::Ucrl2Bound;
    use crate::plan::sweeps_by_the_letter;
    use crate::random::Seed;
    use crate::reward::Law;
    use crate::run::{RunPlan, run};
    use crate::schedule::DoubleAnywhere;
    use crate::spec::{AgentSpec, Preset};
    use crate::world::World;

    /// The planner by literal sweeps.
    struct Literal {
        cap: SweepCap,
        policy: PolicyValues,
        rewards: Rewards,
        values: Vec<f64>,
    }

    impl Planner for Literal {
        fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
            self.rewards.score(now, index, stream);
            let root = (now.estimates.visits() as f64).sqrt();
            let most = match self.cap {
                SweepCap::None => u64::MAX,
                SweepCap::SquareRoot => root.min(1e4) as u64 + 1,
            };
            let (_, _, [last, previous]) =
                sweeps_by_the_letter(now.graph, &self.rewards.of, 1.0 / root, most);
            self.values = match self.policy {
                PolicyValues::Last => last,
                PolicyValues::Previous => previous,
            };
        }

        fn next(&self, graph: &Graph, node: NodeId) -> NodeId {
            best_neighbor(graph, node, |v| self.values[v as usize])
        }
    }

    fn assert_same_runs(graph: &Graph, spec: &AgentSpec, steps: u64, seeds: std::ops::Range<u64>) {
        let values = spec.values();
        for seed in seeds {
            let mut stream = Seed(seed).stream();
            let law = |_| {
                let mean = 0.5 + 9.0 * stream.unit();
                Law::uniform(mean - 0.5, mean + 0.5).unwrap()
            };
            let laws = graph.nodes().map(law).collect();
            let world = World::new(graph.clone(), laws).unwrap();
            let plan = RunPlan::new(steps, 20);
            let record =
                run(&world, spec.build(graph).unwrap().as_mut(), &plan, Seed(seed)).unwrap();
            let mut literal = Episodic {
                index: Ucrl2Bound::new(values.get(&DELTA), values.get(&UNION_FACTOR)),
                planner: Literal {
                    cap: values.get(&SWEEP_CAP),
                    policy: values.get(&POLICY_VALUES),
                    rewards: Rewards::default(),
                    values: Vec::new(),
                },
                schedule: DoubleAnywhere::new(values.get(&COUNTING)),
            };
            assert_eq!(record, run(&world, &mut literal, &plan, Seed(seed)).unwrap());
        }
    }

    #[test]
    fn same_runs_as_by_literal_sweeps() {
        let graphs = [
            Graph::line(100),
            Graph::circle(100),
            Graph::grid(10, 10),
            Graph::tree(100, 2),
            Graph::star(100),
            Graph::complete(100),
        ];
        let [paper, program] = [Preset::Paper, Preset::Program]
            .map(|preset| AgentSpec::named("ucrl2", preset).unwrap());
        let previous = paper.with("policy-values=previous").unwrap();
        for graph in graphs.map(Result::unwrap) {
            assert_same_runs(&graph, &paper, 2_000, 0..6);
            assert_same_runs(&graph, &paper, 20_000, 6..8);
            assert_same_runs(&graph, &previous, 2_000, 8..10);
            assert_same_runs(&graph, &program, 2_000, 10..14);
            assert_same_runs(&graph, &program, 20_000, 14..16);
        }
    }
}

//! Section III and Appendix D: optimal behaviour if the means are known.

use crate::support::instances::{every_choice, every_policy, every_walk, graph, sixteenths, value};
use graph_bandit::plan::{FiniteHorizon, finite_horizon, shortest_path, sufficient_horizon};
use graph_bandit::{Graph, NodeId, Seed, Stream};

/// A graph with means k/16, and the quantities of Appendix D in whole numbers.
struct Instance {
    graph: Graph,
    means: Vec<f64>,
    best: f64,
    diameter: u64,
    /// `Delta`, the smallest positive gap, unless all means are equal.
    gap: Option<f64>,
}

impl Instance {
    fn new(graph: Graph, means: Vec<f64>) -> Self {
        let best = means.iter().copied().fold(0.0, f64::max);
        let gaps = means.iter().map(|mean| best - mean);
        let gap = gaps.filter(|&gap| gap > 0.0).reduce(f64::min);
        let diameter = u64::from(graph.diameter());
        Self { graph, means, best, diameter, gap }
    }

    fn draw(stream: &mut Stream, most_nodes: u64) -> Self {
        let nodes = 1 + stream.below(most_nodes);
        let graph = graph(stream, nodes, 3);
        Self::new(graph, sixteenths(stream, nodes))
    }

    fn is_best(&self, node: NodeId) -> bool {
        self.means[node as usize] == self.best
    }

    /// `T >= hops mu* / Delta`, exactly; true for every `T` if all means are equal.
    fn reaches(&self, horizon: u64, hops: u64) -> bool {
        self.gap.is_none_or(|gap| horizon as f64 * gap >= hops as f64 * self.best)
    }

    /// `T_G`; zero if all means are equal and the paper leaves it undefined.
    fn sufficient(&self) -> usize {
        let horizon = sufficient_horizon(&self.graph, &self.means).unwrap();
        assert_eq!(horizon.is_none(), self.gap.is_none());
        let horizon = horizon.unwrap_or(0);
        assert!(self.reaches(horizon, self.diameter));
        assert!(horizon == 0 || !self.reaches(horizon - 1, self.diameter) || self.gap.is_none());
        horizon as usize
    }

    fn plan(&self, horizon: usize) -> FiniteHorizon {
        finite_horizon(&self.graph, &self.means, horizon).unwrap()
    }

    /// `argmax over w in N(s) of V(w, t)`.
    fn greedy(&self, plan: &FiniteHorizon, s: NodeId, t: usize) -> Vec<NodeId> {
        let around = self.graph.neighborhood(s).iter().copied();
        let most = around.clone().map(|w| plan.value(w, t)).fold(f64::NEG_INFINITY, f64::max);
        around.filter(|&w| plan.value(w, t) == most).collect()
    }

    /// The last nodes of all optimal walks of `horizon` steps from `from`.
    fn optimal_ends(&self, plan: &FiniteHorizon, from: NodeId, horizon: usize) -> Vec<NodeId> {
        let mut ends = vec![from];
        for t in (0..horizon).rev() {
            ends = ends.iter().flat_map(|&s| self.greedy(plan, s, t)).collect();
            ends.sort_unstable();
            ends.dedup();
        }
        ends
    }

    /// All optimal walks of `horizon` steps from `from`, by brute force.
    fn optimal_walks(&self, from: NodeId, horizon: usize) -> Vec<Vec<NodeId>> {
        let mut most = f64::NEG_INFINITY;
        let mut walks = Vec::new();
        every_walk(&self.graph, from, horizon, &mut |walk| {
            let value = value(&self.means, walk);
            if value > most {
                most = value;
                walks.clear();
            }
            if value == most {
                walks.push(walk.to_vec());
            }
        });
        walks
    }

    fn least_costs(&self) -> Vec<f64> {
        shortest_path(&self.graph, &self.means).1
    }
}

#[test]
fn lemma_1_the_best_long_run_cost_is_at_most_the_diameter() {
    let mut stream = Seed(201).stream();
    let mut tight = 0;
    for _ in 0..500 {
        let at = Instance::draw(&mut stream, 12);
        for (s, cost) in at.graph.nodes().zip(at.least_costs()) {
            // Eq. (4) counts the first node; without it one node fewer is paid for.
            let with_first = cost + at.best - at.means[s as usize];
            assert!(with_first <= at.diameter as f64 * at.best);
            assert!(cost <= at.diameter.saturating_sub(1) as f64 * at.best);
            tight += usize::from(with_first > 0.0 && with_first == at.diameter as f64);
        }
    }
    assert!(tight > 0, "the bound is attained");
}

#[test]
fn lemma_1_needs_rewards_of_range_one() {
    let line = Graph::line(2).unwrap();
    let means = [0.5, 9.5];
    let (_, cost) = shortest_path(&line, &means);
    assert!(cost[0] + (9.5 - means[0]) > f64::from(line.diameter()));
}

#[test]
fn lemma_6_optimal_walks_of_sufficient_horizon_end_on_a_best_node() {
    let mut stream = Seed(206).stream();
    let mut below_t_g = 0;
    for _ in 0..400 {
        let at = Instance::draw(&mut stream, 6);
        let enough = at.sufficient();
        let plan = at.plan(enough + 3);
        for horizon in 0..=enough + 3 {
            for from in at.graph.nodes() {
                let ends = at.optimal_ends(&plan, from, horizon);
                let all_best = ends.iter().all(|&s| at.is_best(s));
                if at.reaches(horizon as u64, at.diameter) {
                    assert!(ends.iter().any(|&s| at.is_best(s)), "first half");
                    // The paper requires T > D mu* / Delta; equality is enough, because the walk to
                    // the best node enters only D - 1 others.
                    assert!(all_best, "second half");
                }
                if let (Some(gap), Some(hops)) = (at.gap, at.diameter.checked_sub(1))
                    && horizon as f64 * gap > hops as f64 * at.best
                {
                    assert!(all_best, "T > (D - 1) mu* / Delta is enough");
                }
                below_t_g += usize::from(!all_best);
            }
        }
    }
    assert!(below_t_g > 100, "short horizons do end elsewhere, {below_t_g}");
}

#[test]
fn lemma_6_is_sharp_at_one_hop_less() {
    // From node 2, four steps: staying pays 5 * 0.75, going pays 0.75 + 0 + 3.
    let at = Instance::new(Graph::line(3).unwrap(), vec![1.0, 0.0, 0.75]);
    let plan = at.plan(5);
    assert_eq!(at.optimal_ends(&plan, 2, 4), [0, 2]);
    assert_eq!(at.optimal_ends(&plan, 2, 5), [0]);
}

#[test]
fn lemma_7_and_corollary_1_values_grow_by_the_best_mean() {
    let mut stream = Seed(207).stream();
    let mut slower_before = 0;
    for _ in 0..400 {
        let at = Instance::draw(&mut stream, 10);
        let enough = at.sufficient();
        let plan = at.plan(enough + 12);
        for s in at.graph.nodes() {
            for more in 0..=12 {
                let expected = plan.value(s, enough) + more as f64 * at.best;
                assert_eq!(plan.value(s, enough + more), expected);
            }
            slower_before += usize::from(plan.value(s, 1) - plan.value(s, 0) < at.best);
        }
    }
    assert!(slower_before > 100);
}

/// `K`: the first step from which the means of a walk stay the same.
fn terminal_step(means: &[f64], walk: &[NodeId]) -> usize {
    let last = means[walk[walk.len() - 1] as usize];
    let different = walk.iter().rposition(|&s| means[s as usize] != last);
    different.map_or(0, |step| step + 1)
}

#[test]
fn lemmas_8_and_9_and_corollary_2_hold_for_all_optimal_walks() {
    let mut stream = Seed(208).stream();
    let (mut moved, mut several) = (0, 0);
    for _ in 0..150 {
        let at = Instance::draw(&mut stream, 4);
        for horizon in 0..=6 {
            let plan = at.plan(horizon);
            for from in at.graph.nodes() {
                let walks = at.optimal_walks(from, horizon);
                let mut ends: Vec<_> = walks.iter().map(|walk| walk[horizon]).collect();
                ends.sort_unstable();
                ends.dedup();
                assert_eq!(ends, at.optimal_ends(&plan, from, horizon));
                several += usize::from(walks.len() > 1);
                for walk in walks {
                    let mean = |t: usize| at.means[walk[t] as usize];
                    let k = terminal_step(&at.means, &walk);
                    let highest = (0..=horizon).map(mean).fold(0.0, f64::max);
                    assert!((k..=horizon).all(|t| mean(t) == highest), "Lemma 8");
                    assert!((0..k).all(|t| mean(t) < highest), "Corollary 2");
                    assert!(k < at.graph.len(), "Lemma 9: at most |S| - 1 steps");
                    let mut distinct = walk[..=k].to_vec();
                    distinct.sort_unstable();
                    distinct.dedup();
                    assert_eq!(distinct.len(), k + 1, "Lemma 9: no node twice");
                    moved += usize::from(k > 1);
                }
            }
        }
    }
    assert!(moved > 100 && several > 100, "{moved} {several}");
}

#[test]
fn lemma_9_with_ties_an_optimal_walk_may_end_far_from_its_terminal_node() {
    // The proof's TRANSPLANT appends p_K after p_T, but here they are not neighbours. Appending p_T
    // repairs it.
    let at = Instance::new(Graph::line(4).unwrap(), vec![0.0, 1.0, 1.0, 1.0]);
    let walks = at.optimal_walks(0, 3);
    let walk = walks.iter().find(|walk| walk[..] == [0, 1, 2, 3]).unwrap();
    let k = terminal_step(&at.means, walk);
    assert_eq!((k, at.graph.allows(walk[3], walk[k])), (1, false));
}

#[test]
fn proposition_1_greedy_on_a_sufficient_horizon_is_optimal_for_every_longer_one() {
    let mut stream = Seed(211).stream();
    for _ in 0..300 {
        let at = Instance::draw(&mut stream, 9);
        let horizon = at.sufficient() + at.graph.len();
        let plan = at.plan(horizon + 7);
        let greedy: Vec<_> = at.graph.nodes().map(|s| at.greedy(&plan, s, horizon)).collect();
        // The worst of all choices from the sets, step by step.
        let mut worst = at.means.clone();
        for t in 1..=horizon + 7 {
            let least = |s: NodeId| {
                let onward = greedy[s as usize].iter().map(|&w| worst[w as usize]);
                at.means[s as usize] + onward.fold(f64::INFINITY, f64::min)
            };
            worst = at.graph.nodes().map(least).collect();
            if t >= horizon {
                for s in at.graph.nodes() {
                    assert_eq!(worst[s as usize], plan.value(s, t));
                }
            }
        }
        // And one random choice, as a walk.
        for from in at.graph.nodes() {
            let mut walk = vec![from];
            for _ in 0..horizon {
                let choices = &greedy[walk[walk.len() - 1] as usize];
                walk.push(choices[stream.below(choices.len() as u64) as usize]);
            }
            assert_eq!(value(&at.means, &walk), plan.value(from, horizon));
        }
    }
}

#[test]
fn proposition_1_fails_for_short_horizons() {
    // Greedy on V(., 1) stays on the second best node; that is not optimal for ten steps.
    let at = Instance::new(Graph::line(3).unwrap(), vec![1.0, 0.0, 0.75]);
    let plan = at.plan(10);
    assert_eq!(at.greedy(&plan, 2, 1), [2]);
    assert!(0.75 * 11.0 < plan.value(2, 10));
}

#[test]
fn proposition_2_every_greedy_policy_has_least_long_run_cost() {
    let mut stream = Seed(212).stream();
    let mut several = 0;
    for _ in 0..600 {
        let at = Instance::draw(&mut stream, 5);
        let horizon = at.sufficient() + at.graph.len();
        let plan = at.plan(horizon);
        let greedy: Vec<_> = at.graph.nodes().map(|s| at.greedy(&plan, s, horizon)).collect();
        several += usize::from(greedy.iter().any(|choices| choices.len() > 1));
        let mut least = vec![f64::INFINITY; at.graph.len()];
        every_policy(&at.graph, |policy| {
            for s in at.graph.nodes() {
                let cost = policy.long_run_cost(&at.means, s);
                least[s as usize] = least[s as usize].min(cost);
            }
        });
        assert_eq!(least, at.least_costs());
        every_choice(&greedy, |next| {
            let policy = graph_bandit::plan::Policy::new(&at.graph, next.to_vec()).unwrap();
            for s in at.graph.nodes() {
                assert_eq!(policy.long_run_cost(&at.means, s), least[s as usize]);
            }
        });
    }
    assert!(several > 50, "{several}");
}

#[test]
fn proposition_3_every_policy_of_least_cost_is_optimal_for_finite_horizons() {
    let mut stream = Seed(213).stream();
    let (mut optimal, mut other) = (0, 0);
    for _ in 0..120 {
        let at = Instance::draw(&mut stream, 5);
        let enough = at.sufficient() + at.graph.len();
        let plan = at.plan(enough + 5);
        let least = at.least_costs();
        every_policy(&at.graph, |policy| {
            for s in at.graph.nodes() {
                let is_optimal = policy.long_run_cost(&at.means, s) == least[s as usize];
                let mut walk = vec![s];
                for _ in 0..enough + 5 {
                    walk.push(policy.next(walk[walk.len() - 1]));
                }
                for horizon in [enough, enough + 1, enough + 5] {
                    let attained = value(&at.means, &walk[..=horizon]);
                    // Both directions: only policies of least cost attain V(s, T).
                    assert_eq!(attained == plan.value(s, horizon), is_optimal);
                }
                optimal += usize::from(is_optimal);
                other += usize::from(!is_optimal);
            }
        });
    }
    assert!(optimal > 1000 && other > 1000, "{optimal} {other}");
}

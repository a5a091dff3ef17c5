//! The basis of literal transcriptions: a walker that collects one reward at a time, in plain
//! vectors, and textbook searches. It uses only the graph's edges and the tape of the library.

use crate::support::trace::Trace;
use graph_bandit::run::run_observed;
use graph_bandit::{AgentSpec, NodeId, RunPlan, Seed, Stream, Tape, Time, World};
use graph_bandit::{Init, Return, SelfPlace, random::label};
use std::collections::VecDeque;

/// A walker and its notes.
pub(crate) struct Walker<'a> {
    world: &'a World,
    seed: Seed,
    start: usize,
    /// The neighbours of each node, including itself, in the order that decides ties.
    pub(crate) near: Vec<Vec<usize>>,
    pub(crate) n: Vec<u64>,
    pub(crate) sum: Vec<f64>,
    pub(crate) t: u64,
    pub(crate) at: usize,
    /// `walks[v][a]`: the number of walks along the undirected edge `{v, a}`.
    pub(crate) walks: Vec<Vec<u64>>,
    /// The agent's own randomness.
    pub(crate) stream: Stream,
    episodes: Vec<Vec<NodeId>>,
    rewards: Vec<f64>,
    after_init: (Vec<u64>, Vec<f64>),
}

impl<'a> Walker<'a> {
    /// Stands on `start`, which is not yet visited, and covers the graph: "take the unvisited node
    /// of lowest number, walk a shortest-hop path to it, collecting at each node entered; when the
    /// target is the node it stands on, collect there once. [...] Then the agent is put back
    /// without collecting."
    pub(crate) fn initialized(
        world: &'a World,
        start: usize,
        itself: SelfPlace,
        seed: Seed,
    ) -> Self {
        let nodes = world.graph().len();
        let mut walker = Self {
            world,
            seed,
            start,
            near: neighbors(world, itself),
            n: vec![0; nodes],
            sum: vec![0.0; nodes],
            t: 0,
            at: start,
            walks: vec![vec![0; nodes]; nodes],
            stream: seed.child(label::AGENT).stream(),
            episodes: vec![Vec::new()],
            rewards: Vec::new(),
            after_init: (Vec::new(), Vec::new()),
        };
        while let Some(target) = (0..nodes).find(|&s| walker.n[s] == 0) {
            if target == walker.at {
                walker.collect(target);
            }
            let step = fewest_hops(&walker.near, &[target]);
            while walker.at != target {
                walker.collect(step[walker.at]);
            }
        }
        walker.at = start;
        walker.episodes.clear();
        walker.rewards.clear();
        walker.after_init = (walker.n.clone(), walker.sum.clone());
        walker
    }

    /// Goes to `node`, or stays there, and collects.
    pub(crate) fn collect(&mut self, node: usize) -> f64 {
        assert!(self.near[self.at].contains(&node));
        let law = self.world.law(node as NodeId);
        let tape = Tape::new(self.seed).node(node as NodeId);
        let reward = law.draw(tape, self.n[node], Time::START).unwrap();
        self.walks[self.at][node] += 1;
        if self.at != node {
            self.walks[node][self.at] += 1;
        }
        self.at = node;
        self.n[node] += 1;
        self.sum[node] += reward;
        self.t += 1;
        self.rewards.push(reward);
        self.episodes.last_mut().unwrap().push(node as NodeId);
        reward
    }

    pub(crate) fn begin_episode(&mut self) {
        self.episodes.push(Vec::new());
    }

    /// Steps since initialization.
    pub(crate) fn steps(&self) -> u64 {
        self.rewards.len() as u64
    }

    /// The number of edges, self-loops counted.
    pub(crate) fn edges(&self) -> f64 {
        let ends: usize = self.near.iter().map(|row| row.len() - 1).sum();
        (ends / 2 + self.near.len()) as f64
    }

    /// Runs `spec` in the same world and asserts that it walked the same, episode by episode, and
    /// that the measurements of the first and the last steps match these notes.
    pub(crate) fn assert_same_as_run(&self, spec: &AgentSpec, steps: u64, what: &str) {
        let beyond = self.steps() - steps;
        for skip in [0, beyond] {
            let plan = RunPlan {
                start: self.start as NodeId,
                init: Init::Lowest,
                back: Return::Jump,
                skip,
                ..RunPlan::new(steps, 7)
            };
            self.assert_same_as_planned(spec, &plan, &format!("{spec} {what}, {skip} skipped"));
        }
    }

    fn assert_same_as_planned(&self, spec: &AgentSpec, plan: &RunPlan, what: &str) {
        let mut agent = spec.build(self.world.graph()).unwrap();
        let mut trace = Trace::default();
        let record = run_observed(self.world, &mut *agent, plan, self.seed, &mut trace).unwrap();

        let (n, sum) = &self.after_init;
        let known = trace.before_first_leg.as_ref().unwrap();
        let counts: Vec<u64> = known.samples().iter().map(|sample| sample.count).collect();
        let sums: Vec<f64> = known.samples().iter().map(|sample| sample.sum).collect();
        assert_eq!((&counts, &sums), (n, sum), "initialization: {what}");
        assert_eq!(record.init.steps, n.iter().sum::<u64>(), "{what}");
        let cost: f64 = (0..n.len()).map(|s| n[s] as f64 * self.loss(s as NodeId)).sum();
        assert_close(record.init.regret, cost, what);

        for (m, (leg, episode)) in trace.visits_by_leg().iter().zip(&self.episodes).enumerate() {
            assert_eq!(leg, episode, "episode {m}: {what}");
        }
        assert_eq!(trace.legs.len(), self.episodes.len(), "{what}");

        let visited = self.episodes.concat();
        let first = plan.skip as usize;
        let beyond = visited.len() - first - plan.steps as usize;
        assert_eq!(record.overshoot, beyond as u64, "{what}");
        assert_eq!(record.checkpoints.len(), plan.checkpoints.len(), "{what}");
        for point in &record.checkpoints {
            let window = first..first + point.t as usize;
            let regret: f64 = visited[window.clone()].iter().map(|&s| self.loss(s)).sum();
            assert_close(point.regret, regret, what);
            let reward: f64 = self.rewards[window].iter().sum();
            assert_close(point.reward, reward, what);
        }
        let window = &visited[first..first + plan.steps as usize];
        for (s, &count) in record.visits.iter().enumerate() {
            let expected = window.iter().filter(|&&v| v as usize == s).count();
            assert_eq!(count, expected as u64, "visits of {s}: {what}");
        }
    }

    fn loss(&self, node: NodeId) -> f64 {
        let means = self.world.means();
        max(means) - means[node as usize]
    }
}

fn assert_close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{a} {b}: {what}");
}

fn neighbors(world: &World, itself: SelfPlace) -> Vec<Vec<usize>> {
    let mut near = vec![Vec::new(); world.graph().len()];
    for (a, b) in world.graph().edges() {
        near[a as usize].push(b as usize);
        near[b as usize].push(a as usize);
    }
    for (s, row) in near.iter_mut().enumerate() {
        row.sort_unstable();
        match itself {
            SelfPlace::First => row.insert(0, s),
            SelfPlace::Last => row.push(s),
            SelfPlace::Ascending => {
                row.push(s);
                row.sort_unstable();
            }
        }
    }
    near
}

pub(crate) fn max(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The first element with the highest value.
pub(crate) fn first_best(list: &[usize], value: impl Fn(usize) -> f64) -> usize {
    let mut best = list[0];
    for &v in list {
        if value(v) > value(best) {
            best = v;
        }
    }
    best
}

/// `mean(s) + sqrt(2 ln t / n(s))`, Eq. (5), with the root as a product of two, so that ties
/// between sums of bounds round as in the library.
pub(crate) fn ucb(w: &Walker<'_>) -> Vec<f64> {
    let bound = |s: usize| {
        let n = w.n[s] as f64;
        w.sum[s] / n + (2.0 * libm::log(w.t as f64)).sqrt() * (1.0 / n.sqrt())
    };
    (0..w.n.len()).map(bound).collect()
}

/// `mean(s) + sqrt(7 ln(factor S A t / delta) / (2 n(s)))`, Eq. (8), with delta = 0.01 and A twice
/// the number of edges, including self-loops.
pub(crate) fn ucrl2_bound(w: &Walker<'_>, factor: f64) -> Vec<f64> {
    let nodes = w.n.len() as f64;
    let actions = 2.0 * w.edges();
    let log = libm::log(factor * nodes * actions * w.t as f64 / 0.01);
    let bound = |s: usize| {
        let n = w.n[s] as f64;
        w.sum[s] / n + (3.5 * log).sqrt() * (1.0 / n.sqrt())
    };
    (0..w.n.len()).map(bound).collect()
}

/// From every node the lowest-numbered neighbour one hop nearer to the targets; targets stay.
pub(crate) fn fewest_hops(near: &[Vec<usize>], targets: &[usize]) -> Vec<usize> {
    let mut hops = vec![usize::MAX; near.len()];
    let mut queue = VecDeque::new();
    for &target in targets {
        hops[target] = 0;
        queue.push_back(target);
    }
    while let Some(s) = queue.pop_front() {
        for &v in &near[s] {
            if hops[v] == usize::MAX {
                hops[v] = hops[s] + 1;
                queue.push_back(v);
            }
        }
    }
    let step = |s: usize| {
        let nearer = near[s].iter().copied().filter(|&v| hops[v] + 1 == hops[s]);
        nearer.min().unwrap_or(s)
    };
    (0..near.len()).map(step).collect()
}

/// Algorithm 1 by the Bellman-Ford method: from every node the lowest-numbered cheapest next node
/// on the way to the targets, where entering `s` costs `max U - U(s)`.
pub(crate) fn cheapest(near: &[Vec<usize>], u: &[f64], targets: &[usize]) -> Vec<usize> {
    let cost: Vec<f64> = u.iter().map(|value| max(u) - value).collect();
    let mut total = vec![f64::INFINITY; near.len()];
    for &target in targets {
        total[target] = 0.0;
    }
    for _ in 0..near.len() {
        for s in 0..near.len() {
            for &v in &near[s] {
                total[s] = total[s].min(total[v] + cost[v]);
            }
        }
    }
    let step = |s: usize| {
        if targets.contains(&s) {
            return s;
        }
        let mut others: Vec<usize> = near[s].iter().copied().filter(|&v| v != s).collect();
        others.sort_unstable();
        first_best(&others, |v| -(total[v] + cost[v]))
    };
    (0..near.len()).map(step).collect()
}

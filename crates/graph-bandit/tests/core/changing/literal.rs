//! The published algorithms by the letter, as ordinary bandits, visit by visit against ours.

use super::piecewise::{Problem, pb1, pb4};
use graph_bandit::random::label;
use graph_bandit::run::run_observed;
use graph_bandit::{
    AgentSpec, Event, NodeId, Observer, Phase, Preset, RunPlan, Seed, Situation, Stream, Tape, Time,
};

/// A bandit algorithm on a few arms.
trait Bandit {
    fn choose(&mut self, at: usize, stream: &mut Stream) -> usize;

    fn learn(&mut self, arm: usize, reward: f64);
}

/// The highest `q` with `kl(mean, q) <= level`, by bisection.
fn klucb(mean: f64, level: f64) -> f64 {
    let kl = |q: f64| {
        let part = |p: f64, q: f64| if p > 0.0 { p * libm::log(p / q) } else { 0.0 };
        part(mean, q) + part(1.0 - mean, 1.0 - q)
    };
    if mean >= 1.0 {
        return 1.0;
    }
    let (mut low, mut high) = (mean, 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if kl(middle) > level { high = middle } else { low = middle }
    }
    low
}

/// The highest index: where it stands if that is among the highest, else the lowest number. Indices
/// closer than rounding are equal.
fn highest(indices: &[f64], at: usize) -> usize {
    let most = indices.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_best = |index: f64| index == most || most - index < 1e-11;
    if is_best(indices[at]) { at } else { indices.iter().position(|&i| is_best(i)).unwrap() }
}

/// KL-UCB on the rewards since each arm's restart, with `factor ln t / n`.
fn indices(rewards: &[Vec<f64>], factor: f64, t: impl Fn(usize) -> f64) -> Vec<f64> {
    let index = |(arm, rewards): (usize, &Vec<f64>)| {
        let n = rewards.len() as f64;
        if n == 0.0 {
            return f64::INFINITY;
        }
        klucb(rewards.iter().sum::<f64>() / n, factor * libm::log(t(arm)) / n)
    };
    rewards.iter().enumerate().map(index).collect()
}

/// How a literal algorithm forgets.
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Glr { local: bool },
    Cusum,
    Halves,
    Oracle,
    Window,
    Nothing,
}

struct Literal {
    rule: Rule,
    steps: f64,
    changes: Vec<f64>,
    t: usize,
    rewards: Vec<Vec<f64>>,
    restarts: Vec<usize>,
    /// All visits, for windows and rounds.
    log: Vec<(usize, f64)>,
}

impl Literal {
    fn new(rule: Rule, problem: &Problem) -> Self {
        let arms = problem.nodes();
        Self {
            rule,
            steps: problem.steps as f64,
            changes: problem.changes(),
            t: 0,
            rewards: vec![Vec::new(); arms],
            restarts: vec![0; arms],
            log: Vec::new(),
        }
    }

    fn arms(&self) -> f64 {
        self.rewards.len() as f64
    }

    fn y(&self) -> f64 {
        self.changes.len() as f64
    }

    /// The probability of exploring at random.
    fn exploration(&self) -> Option<f64> {
        let (y, t) = (self.y(), self.steps);
        match self.rule {
            Rule::Glr { local } => {
                let k = if local { self.arms() } else { 1.0 };
                Some(0.05 * (k * y * libm::log(t) / t).sqrt())
            }
            Rule::Cusum => Some((y * libm::log(t / y) / t).sqrt()),
            _ => None,
        }
    }

    fn has_changed(&self, arm: usize) -> bool {
        let rewards = &self.rewards[arm];
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let (y, t, n) = (self.y(), self.steps, rewards.len());
        match self.rule {
            Rule::Glr { local } => {
                let kl = |p: f64, q: f64| {
                    let part = |p: f64, q: f64| if p > 0.0 { p * libm::log(p / q) } else { 0.0 };
                    part(p, q) + part(1.0 - p, 1.0 - q)
                };
                let delta = 1.0 / ((if local { self.arms() } else { 1.0 }) * y * t).sqrt();
                let threshold = libm::log(3.0 * libm::pow(n as f64, 1.5) / delta);
                n % 10 == 0
                    && (1..n / 10).any(|tenth| {
                        let (before, after) = rewards.split_at(10 * tenth);
                        let all = mean(rewards);
                        let score = before.len() as f64 * kl(mean(before), all)
                            + after.len() as f64 * kl(mean(after), all);
                        score >= threshold
                    })
            }
            Rule::Cusum if n > 150 => {
                let first = mean(&rewards[..150]);
                let (mut above, mut below) = (0.0_f64, 0.0_f64);
                rewards[150..].iter().any(|reward| {
                    above = (above + (reward - first) - 0.1).max(0.0);
                    below = (below - (reward - first) - 0.1).max(0.0);
                    above.max(below) >= libm::log(t / y)
                })
            }
            Rule::Halves if n >= 150 => {
                let last = &rewards[n - 150..];
                let bound = (75.0 * libm::log(2.0 * self.arms() * t * t)).sqrt();
                (last[..75].iter().sum::<f64>() - last[75..].iter().sum::<f64>()).abs() > bound
            }
            Rule::Oracle => {
                let since = self.t as f64 - self.arms();
                self.changes.contains(&since)
            }
            _ => false,
        }
    }
}

impl Bandit for Literal {
    fn choose(&mut self, at: usize, stream: &mut Stream) -> usize {
        if let Some(probability) = self.exploration()
            && stream.unit() < probability
        {
            return stream.below(self.rewards.len() as u64) as usize;
        }
        if self.rule == Rule::Halves {
            let bound = (75.0 * libm::log(2.0 * self.arms() * self.steps * self.steps)).sqrt();
            let cost = 2.0 * bound + 3.0 * 150_f64.sqrt();
            let share = (self.y() * self.arms() * cost / (2.0 * self.steps)).sqrt().min(1.0);
            let round = (self.arms() / share).ceil() as usize;
            let start = self.restarts.iter().copied().max().unwrap();
            // In the first steps of a round, every arm that has not had its turn; where it stands
            // comes first.
            let begun = self.t - (self.t - start) % round;
            let seen = &self.log[begun..];
            let missing = |arm: usize| seen.iter().all(|(visited, _)| *visited != arm);
            let turns: Vec<usize> = (0..self.rewards.len()).filter(|&arm| missing(arm)).collect();
            if let Some(&first) = turns.first() {
                return if turns.contains(&at) { at } else { first };
            }
        }
        let t = self.t as f64;
        let counted = self.rewards.iter().map(Vec::len).sum::<usize>() as f64;
        let found = match self.rule {
            Rule::Glr { .. } => indices(&self.rewards, 3.0, |arm| t - self.restarts[arm] as f64),
            Rule::Window => {
                let size = (2.0 * (self.steps * libm::log(self.steps) / self.y()).sqrt()) as usize;
                let last = &self.log[self.log.len().saturating_sub(size)..];
                let mut rewards = vec![Vec::new(); self.rewards.len()];
                for (arm, reward) in last {
                    rewards[*arm].push(*reward);
                }
                indices(&rewards, 1.0, |_| t.min(size as f64))
            }
            _ => indices(&self.rewards, 1.0, |_| counted),
        };
        highest(&found, at)
    }

    fn learn(&mut self, arm: usize, reward: f64) {
        self.t += 1;
        self.rewards[arm].push(reward);
        self.log.push((arm, reward));
        if self.has_changed(arm) {
            let is_local = matches!(self.rule, Rule::Glr { local: true } | Rule::Cusum);
            for other in 0..self.rewards.len() {
                if other == arm || !is_local {
                    self.rewards[other].clear();
                    self.restarts[other] = self.t;
                }
            }
        }
    }
}

#[derive(Default)]
struct Visited(Vec<NodeId>);

impl Observer for Visited {
    fn hear(&mut self, _now: &Situation<'_>, event: Event<'_>) {
        if let Event::Visited(visit) = event
            && visit.phase == Phase::Learn
        {
            self.0.push(visit.node);
        }
    }
}

/// The visits of a literal algorithm on the same luck.
fn by_the_letter(bandit: &mut Literal, problem: &Problem, seed: Seed) -> Vec<NodeId> {
    let world = problem.world();
    let tape = Tape::new(seed);
    let mut stream = seed.child(label::AGENT).stream();
    let mut pulls = vec![0; problem.nodes()];
    let mut visit = |bandit: &mut Literal, arm: usize, t: usize| {
        let node = arm as NodeId;
        let reward = world.law(node).draw(tape.node(node), pulls[arm], Time(t as f64)).unwrap();
        pulls[arm] += 1;
        bandit.learn(arm, reward);
    };
    let arms = problem.nodes();
    (0..arms).for_each(|arm| visit(bandit, arm, arm));
    let mut at = 0;
    let step = |t: usize| {
        at = bandit.choose(at, &mut stream);
        visit(bandit, at, arms + t);
        at as NodeId
    };
    (0..problem.steps as usize).map(step).collect()
}

fn assert_literal(rule: Rule, agent: &str) {
    for (problem, seeds) in [(pb1(2_000), 0..4), (pb4(3_000), 4..8)] {
        let tuned = format!("changes=4,horizon={}", problem.steps);
        let text = agent.replace("TUNED", &tuned);
        let spec = AgentSpec::parse(&text, Preset::Paper).unwrap();
        let world = problem.world();
        for seed in seeds {
            let mut agent = spec.build(world.graph()).unwrap();
            agent.reveal(&problem.changes());
            let mut visited = Visited::default();
            let plan = RunPlan::new(problem.steps, 1);
            run_observed(&world, agent.as_mut(), &plan, Seed(seed), &mut visited).unwrap();
            let mut literal = Literal::new(rule, &problem);
            let expected = by_the_letter(&mut literal, &problem, Seed(seed));
            let differs = expected.iter().zip(&visited.0).position(|(a, b)| a != b);
            assert_eq!(differs, None, "{spec}, seed {seed}");
            assert_eq!(visited.0.len(), expected.len());
            // Something was forgotten, or the comparison says little.
            let restarts = literal.restarts.iter().any(|&restart| restart > 0);
            assert_eq!(restarts, !matches!(rule, Rule::Window | Rule::Nothing), "{spec}");
        }
    }
}

#[test]
fn glr_klucb_by_the_letter() {
    assert_literal(Rule::Glr { local: true }, "glr-klucb:TUNED");
    assert_literal(Rule::Glr { local: false }, "glr-klucb:restarts=global,TUNED");
}

#[test]
fn cusum_klucb_by_the_letter() {
    assert_literal(Rule::Cusum, "cusum-klucb:TUNED");
}

#[test]
fn m_klucb_by_the_letter() {
    assert_literal(Rule::Halves, "m-klucb:TUNED");
}

#[test]
fn sw_klucb_klucb_and_the_oracle_by_the_letter() {
    assert_literal(Rule::Window, "sw-klucb:TUNED");
    assert_literal(Rule::Nothing, "klucb");
    assert_literal(Rule::Oracle, "restarting-klucb");
}

//! Beliefs and the rollout results of their moves.

use crate::keys::{Key, KeyMap};
use crate::moves::Move;

/// The most moves kept, about 200 megabytes.
const MOST_CHOICES: usize = 1 << 22;

/// A move and its rollout results.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) to: Move,
    /// The number of rollouts, including those of the prior.
    count: f64,
    mean: f64,
}

impl Choice {
    pub(super) fn new(to: Move, prior: f64) -> Self {
        Self { to, count: prior, mean: to.time + to.rest }
    }

    pub(super) fn tell(&mut self, time: f64) {
        self.count += 1.0;
        self.mean += (time - self.mean) / self.count;
    }
}

#[derive(Debug, Clone, Copy)]
struct Node {
    first: u32,
    end: u32,
}

/// All beliefs that rollouts reached.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    choices: Vec<Choice>,
    by_key: KeyMap<u32>,
}

impl Tree {
    /// Whether the tree is full.
    pub(super) fn is_full(&self) -> bool {
        self.choices.len() >= MOST_CHOICES
    }

    #[inline]
    pub(super) fn find(&self, key: Key) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    pub(super) fn add(&mut self, key: Key, choices: impl Iterator<Item = Choice>) -> u32 {
        let first = self.choices.len() as u32;
        self.choices.extend(choices);
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { first, end: self.choices.len() as u32 });
        self.by_key.insert(key, node);
        node
    }

    pub(super) fn choices(&self, node: u32) -> usize {
        let Node { first, end } = self.nodes[node as usize];
        (end - first) as usize
    }

    pub(super) fn choice(&self, choice: u32) -> &Choice {
        &self.choices[choice as usize]
    }

    pub(super) fn choice_mut(&mut self, choice: u32) -> &mut Choice {
        &mut self.choices[choice as usize]
    }

    fn of(&self, node: u32) -> (u32, &[Choice]) {
        let Node { first, end } = self.nodes[node as usize];
        (first, &self.choices[first as usize..end as usize])
    }

    /// The choice of least mean minus its bonus.
    pub(super) fn choose(&self, node: u32, bias: f64) -> Option<u32> {
        let (first, choices) = self.of(node);
        if choices.len() == 1 {
            return Some(first);
        }
        let count: f64 = choices.iter().map(|choice| choice.count).sum();
        let value = choices.iter().map(|choice| choice.count * choice.mean).sum::<f64>() / count;
        let reach = bias * value * libm::log(count).sqrt();
        lowest(first, choices.iter().map(|choice| choice.mean - reach / choice.count.sqrt()))
    }

    /// The choice of least mean.
    pub(super) fn best(&self, node: u32) -> Option<u32> {
        let (first, choices) = self.of(node);
        lowest(first, choices.iter().map(|choice| choice.mean))
    }
}

/// The position of the first lowest score.
fn lowest(first: u32, scores: impl Iterator<Item = f64>) -> Option<u32> {
    let lowest = (first..).zip(scores).min_by(|(_, a), (_, b)| a.total_cmp(b));
    lowest.map(|(choice, _)| choice)
}

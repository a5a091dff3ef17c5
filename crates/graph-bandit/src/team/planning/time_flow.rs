//! The joint plan as a flow of least cost through time.
//!
//! The graph is unrolled in time. Layer `t` has two states for every node: walkers come *into* it at
//! step `t` and go *out of* it to the next layer. The `c`-th walker on node `k` loses
//! `max v - (f_k(c) - f_k(c - 1)) v_k`, which is never negative and, for concave shares, never falls
//! with `c`. So each is an arc of its own between the two states, and a flow of one unit per walker
//! that loses least is a best joint plan.
//!
//! Walkers are added one after another, each on the path that loses least beside the others or by
//! rerouting them (successive shortest paths). Every state has a potential, at first what a walker
//! alone would still lose from there, and arcs are measured against potentials, so that a search
//! goes straight to the end except where walkers compete. Potentials are prices in the end: see
//! [`TimeFlow::price`].

use super::allocation::Seats;
use crate::graph::{Graph, NodeId};
use crate::team::Sharing;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is planned for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) graph: &'a Graph,
    pub(super) sharing: &'a Sharing,
    pub(super) values: &'a [f64],
    pub(super) starts: &'a [NodeId],
    pub(super) seats: Seats<'a>,
}

impl Task<'_> {
    /// The number of walkers that can be on a node.
    #[inline]
    pub(super) fn room(&self, node: NodeId) -> usize {
        self.seats.on(node as usize).min(self.starts.len())
    }

    /// What the walker after `count` others adds on a node.
    #[inline]
    pub(super) fn gain(&self, node: NodeId, count: usize) -> f64 {
        self.sharing.marginal(node, count) * self.values[node as usize]
    }
}

/// A state: a node at a level. Level `2 t` is out of layer `t`, level `2 t - 1` into it.
type State = usize;

/// The state at the end of all paths.
const END: State = usize::MAX;

/// A flow through some layers, the last of which counts several times: there walkers stay.
#[derive(Debug, Clone)]
pub(super) struct TimeFlow<'a> {
    task: Task<'a>,
    layers: usize,
    /// How often the last layer counts.
    repeats: f64,
    /// The most that a walker gains in a step.
    most: f64,
    potential: Vec<f64>,
    /// The number of walkers into each node, layer after layer.
    counts: Vec<u32>,
    /// The steps into each layer, one per walker.
    moves: Vec<Vec<(NodeId, NodeId)>>,
    distance: Vec<f64>,
    before: Vec<State>,
    touched: Vec<State>,
    queue: BinaryHeap<Reverse<u128>>,
}

impl<'a> TimeFlow<'a> {
    /// The best flow of all walkers through this many layers, or the first walker without a way.
    ///
    /// # Complexity
    /// O(M s log s) for M walkers and the s states and roads of all layers; searches rarely see
    /// them all.
    pub(super) fn solve(task: Task<'a>, layers: usize, repeats: f64) -> Result<Self, usize> {
        let most = task.values.iter().copied().fold(0.0, f64::max);
        let states = 2 * layers * task.graph.len();
        let mut flow = Self {
            task,
            layers,
            repeats,
            most,
            potential: vec![f64::INFINITY; states],
            counts: vec![0; layers * task.graph.len()],
            moves: vec![Vec::new(); layers],
            distance: vec![f64::INFINITY; states],
            before: vec![END; states],
            touched: Vec::new(),
            queue: BinaryHeap::new(),
        };
        flow.find_potentials();
        for (walker, &start) in task.starts.iter().enumerate() {
            if !flow.add(start) {
                return Err(walker);
            }
        }
        Ok(flow)
    }

    fn nodes(&self) -> usize {
        self.task.graph.len()
    }

    fn level(&self, state: State) -> usize {
        state / self.nodes()
    }

    fn node(&self, state: State) -> NodeId {
        (state % self.nodes()) as NodeId
    }

    /// What the walker after `count` others loses on a node, at the level that leads into it.
    #[inline]
    fn loss(&self, level: usize, node: NodeId, count: usize) -> f64 {
        let loss = self.most - self.task.gain(node, count);
        if level + 1 == 2 * self.layers { self.repeats * loss } else { loss }
    }

    /// The potential of the state that a walker comes to from a node's state at `level`.
    #[inline]
    fn potential_beyond(&self, state: State) -> f64 {
        self.potential.get(state + self.nodes()).copied().unwrap_or(0.0)
    }

    /// What a walker alone loses from every state to the end.
    fn find_potentials(&mut self) {
        for level in (0..2 * self.layers).rev() {
            for node in self.task.graph.nodes() {
                let state = level * self.nodes() + node as usize;
                self.potential[state] = if level % 2 == 1 {
                    if self.task.room(node) == 0 {
                        continue;
                    }
                    self.loss(level, node, 0) + self.potential_beyond(state)
                } else {
                    let next = (level + 1) * self.nodes();
                    let row = self.task.graph.neighborhood(node).iter();
                    row.map(|&v| self.potential[next + v as usize]).fold(f64::INFINITY, f64::min)
                };
            }
        }
    }

    /// Adds a walker on the path of least loss; false if there is none.
    fn add(&mut self, start: NodeId) -> bool {
        self.queue.clear();
        for state in self.touched.drain(..) {
            self.distance[state] = f64::INFINITY;
        }
        if self.potential[start as usize] == f64::INFINITY {
            return false;
        }
        self.offer(start as usize, 0.0, END);
        let (mut length, mut last) = (f64::INFINITY, END);
        while let Some(Reverse(top)) = self.queue.pop() {
            let distance = f64::from_bits((top >> 64) as u64);
            let from_end = ((top >> 32) as u32) as usize;
            let state = (2 * self.layers - from_end) * self.nodes() + (top as u32) as usize;
            if distance >= length {
                break;
            }
            if distance > self.distance[state] {
                continue;
            }
            if let Some(end) = self.expand(state, distance)
                && end < length
            {
                (length, last) = (end, state);
            }
        }
        if last == END {
            return false;
        }
        for &state in &self.touched {
            self.potential[state] += (length - self.distance[state]).max(0.0);
        }
        self.augment(last);
        true
    }

    /// Offers all paths over a state to the states after it; returns the path's length to the end
    /// if the state leads there.
    fn expand(&mut self, state: State, distance: f64) -> Option<f64> {
        let (level, node, nodes) = (self.level(state), self.node(state), self.nodes());
        let here = self.potential[state];
        let mut end = None;
        if level.is_multiple_of(2) {
            for &next in self.task.graph.neighborhood(node) {
                let to = (level + 1) * nodes + next as usize;
                self.offer(to, distance + (self.potential[to] - here).max(0.0), state);
            }
            if level > 0 {
                let to = state - nodes;
                let count = self.counts[self.place(level - 1, node)] as usize;
                if count > 0 {
                    let saved = self.loss(level - 1, node, count - 1);
                    let length = (self.potential[to] - here - saved).max(0.0);
                    self.offer(to, distance + length, state);
                }
            }
        } else {
            let count = self.counts[self.place(level, node)] as usize;
            if count < self.task.room(node) {
                let beyond = self.potential_beyond(state) - here;
                let length = distance + (self.loss(level, node, count) + beyond).max(0.0);
                if level + 1 == 2 * self.layers {
                    end = Some(length);
                } else {
                    self.offer(state + nodes, length, state);
                }
            }
            if count > 0 {
                for place in 0..self.moves[level / 2].len() {
                    let (from, to) = self.moves[level / 2][place];
                    if to == node {
                        let back = (level - 1) * nodes + from as usize;
                        let length = (self.potential[back] - here).max(0.0);
                        self.offer(back, distance + length, state);
                    }
                }
            }
        }
        end
    }

    #[inline]
    fn offer(&mut self, state: State, distance: f64, before: State) {
        let known = &mut self.distance[state];
        if distance < *known {
            if *known == f64::INFINITY {
                self.touched.push(state);
            }
            *known = distance;
            self.before[state] = before;
            // On ties the state nearest to the end, then the lowest node.
            let from_end = (2 * self.layers - self.level(state)) as u128;
            let node = u128::from(self.node(state));
            self.queue.push(Reverse(u128::from(distance.to_bits()) << 64 | from_end << 32 | node));
        }
    }

    /// The place of a node's count, by the level that leads into it.
    fn place(&self, level: usize, node: NodeId) -> usize {
        level / 2 * self.nodes() + node as usize
    }

    /// Changes the flow along the path that ends at `last`.
    fn augment(&mut self, last: State) {
        let place = self.place(self.level(last), self.node(last));
        self.counts[place] += 1;
        let mut state = last;
        while self.before[state] != END {
            let from = self.before[state];
            let (a, b) = (self.node(from), self.node(state));
            match (self.level(from), self.level(state)) {
                (out, into) if out % 2 == 0 && into > out => self.moves[out / 2].push((a, b)),
                (into, out) if into % 2 == 1 && out < into => {
                    let moves = &mut self.moves[out / 2];
                    if let Some(place) = moves.iter().position(|&step| step == (b, a)) {
                        moves.swap_remove(place);
                    }
                }
                (into, out) if out > into => {
                    let place = self.place(into, a);
                    self.counts[place] += 1;
                }
                (_, into) => {
                    let place = self.place(into, b);
                    self.counts[place] -= 1;
                }
            }
            state = from;
        }
    }

    /// The node of each walker at each step. Walkers on one node are interchangeable: of several,
    /// the one of lowest number goes to the lowest node.
    pub(super) fn paths(&self) -> Vec<Vec<NodeId>> {
        let mut here = self.task.starts.to_vec();
        let mut paths = vec![Vec::with_capacity(self.layers); here.len()];
        let mut walkers: Vec<usize> = (0..here.len()).collect();
        for moves in &self.moves {
            let mut moves = moves.clone();
            moves.sort_unstable();
            walkers.sort_unstable_by_key(|&walker| (here[walker], walker));
            for (&walker, (_, to)) in walkers.iter().zip(moves) {
                here[walker] = to;
                paths[walker].push(to);
            }
        }
        paths
    }

    /// What a walker pays for a seat on a node at a step, in the end: no more than it gains there
    /// if somebody has the seat, and no less than one more walker would gain. Negative infinity on
    /// a node without seats.
    pub(super) fn price(&self, layer: usize, node: NodeId) -> f64 {
        let state = (2 * layer - 1) * self.nodes() + node as usize;
        if self.task.room(node) == 0 {
            return f64::NEG_INFINITY;
        }
        let lost = self.potential[state] - self.potential_beyond(state);
        self.most - if layer == self.layers { lost / self.repeats } else { lost }
    }
}

//! The agents of Theorems 6 and 7, transcribed from the text of the page: G-UCB that restarts when
//! a patrol finds a change, and G-UCB that restarts by the clock.

use graph_bandit::theory::{PatrolRule, patrol_walk};
use graph_bandit::{
    Agent, AgentSpec, Estimates, Graph, Hearing, Leg, NodeId, Phase, Preset, Raised, Situation,
    Stream, Visit,
};
use std::collections::VecDeque;

/// When it restarts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Watch {
    /// When a detector says so.
    Patrols(PatrolRule),
    /// After this many steps, initialization included.
    Periods(u64),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Initialization,
    Learning,
    Patrol,
}

pub(super) struct Restarting {
    watch: Watch,
    walk: Vec<NodeId>,
    g_ucb: Box<dyn Agent>,
    /// The rewards that G-UCB knows.
    known: Estimates,
    /// What is left of G-UCB's leg.
    planned: VecDeque<NodeId>,
    /// The kind of the current leg, and how many of its visits are to come.
    current: (Kind, usize),
    /// G-UCB's steps until the next tour or restart.
    rest: u64,
    /// The first reward of every node in the current tour.
    firsts: Vec<Option<f64>>,
    /// Their sums over all tours since the restart: none, the first, the first two, and so on.
    sums: Vec<Vec<f64>>,
    steps: u64,
    /// The nodes that G-UCB visited after initializations.
    pub(super) learned: Vec<NodeId>,
    /// The steps after which it restarted.
    pub(super) restarts: Vec<u64>,
}

impl Restarting {
    pub(super) fn new(graph: &Graph, watch: Watch) -> Self {
        Self {
            watch,
            walk: patrol_walk(graph),
            g_ucb: g_ucb(graph),
            known: Estimates::new(graph.len()),
            planned: VecDeque::new(),
            current: (Kind::Initialization, 0),
            rest: 0,
            firsts: Vec::new(),
            sums: vec![vec![0.0; graph.len()]],
            steps: 0,
            learned: Vec::new(),
            restarts: Vec::new(),
        }
    }

    /// The closed walk, from where it stands.
    fn tour(&mut self, at: NodeId) -> Vec<NodeId> {
        self.firsts = vec![None; self.known.samples().len()];
        let place = self.walk.iter().position(|&node| node == at).unwrap();
        let mut tour = self.walk.clone();
        tour.rotate_left(place + 1);
        tour
    }

    fn restart(&mut self, graph: &Graph) {
        self.restarts.push(self.steps);
        self.g_ucb = g_ucb(graph);
        self.known = Estimates::new(graph.len());
        self.planned.clear();
        self.sums.truncate(1);
    }

    fn tours(&self) -> usize {
        self.sums.len() - 1
    }

    fn finish_tour(&mut self) {
        let (before, firsts) = (&self.sums[self.tours()], &self.firsts);
        let after = before.iter().zip(firsts).map(|(sum, first)| sum + first.unwrap());
        self.sums.push(after.collect());
    }

    fn rest_after_tour(&self) -> u64 {
        match self.watch {
            Watch::Patrols(rule) => rule.rest,
            Watch::Periods(period) => period - self.walk.len() as u64,
        }
    }

    /// Whether the average of the last `w` tours differs from that of the first `w` by more than
    /// `delta / 2`, at some node.
    fn is_alarmed(&self) -> bool {
        let Watch::Patrols(PatrolRule { size, window, .. }) = self.watch else { return false };
        let window = window as usize;
        let tours = self.tours();
        if tours < window {
            return false;
        }
        let average = |from: usize, node: usize| {
            (self.sums[from + window][node] - self.sums[from][node]) / window as f64
        };
        let differ = |s: usize| (average(tours - window, s) - average(0, s)).abs() > size / 2.0;
        (0..self.known.samples().len()).any(differ)
    }
}

fn g_ucb(graph: &Graph) -> Box<dyn Agent> {
    AgentSpec::named("g-ucb", Preset::Paper).unwrap().build(graph).unwrap()
}

impl Agent for Restarting {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if matches!(self.watch, Watch::Periods(_)) && self.rest == 0 && self.tours() > 0 {
            self.restart(now.graph);
        }
        let kind = match (self.tours(), self.rest) {
            (0, _) => Kind::Initialization,
            (_, 0) => Kind::Patrol,
            _ => Kind::Learning,
        };
        let mut visits: Vec<NodeId> = if kind == Kind::Learning {
            if self.planned.is_empty() {
                let situation = Situation { estimates: &self.known, ..*now };
                self.g_ucb.next_leg(&situation, stream, leg)?;
                self.planned = leg.nodes(now.at).collect();
            }
            let begun = self.planned.len().min(self.rest as usize);
            self.rest -= begun as u64;
            self.planned.drain(..begun).collect()
        } else {
            self.tour(now.at)
        };
        self.current = (kind, visits.len());
        // A leg that stays is a path that ends, and visits that follow.
        let last = *visits.last().unwrap();
        let before = visits.iter().rev().take_while(|&&node| node == last).count();
        let stays = if before == visits.len() && last == now.at { before } else { before - 1 };
        visits.truncate(visits.len() - stays);
        (leg.path, leg.stay) = (visits, stays as u64);
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        if visit.phase == Phase::Cover {
            return Ok(());
        }
        assert_eq!(visit.sample.count, 1);
        self.steps += 1;
        let (kind, left) = self.current;
        self.current = (kind, left - 1);
        let reward = visit.sample.sum;
        if kind != Kind::Patrol {
            self.known.push(visit.node, reward);
            self.g_ucb.observe(&Situation { estimates: &self.known, ..*now }, visit)?;
        }
        if kind == Kind::Learning {
            self.learned.push(visit.node);
        } else {
            self.firsts[visit.node as usize].get_or_insert(reward);
            if left == 1 {
                self.finish_tour();
                self.rest = self.rest_after_tour();
                if self.is_alarmed() {
                    self.restart(now.graph);
                }
            }
        }
        Ok(())
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }
}

//! Multi-G-UCB, preset `program`, against a plain transcription that walks step by step.

use super::{equal, members, plan, walk, world};
use graph_bandit::plan::RoadCosts;
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::TeamSetup;
use graph_bandit::team::planning::{Seats, SpMatching, WayRules, best_allocation};
use graph_bandit::{Estimates, NodeId, Payer, Preset, Seed, Tape, Time, World};
use std::sync::Arc;

/// What the authors' program does, one step after another.
struct Literal<'a> {
    world: &'a World,
    setup: &'a TeamSetup,
    seen: Estimates,
    at: Vec<NodeId>,
    /// The program's clock, and the bound of every node as of its last draw.
    t: u64,
    bounds: Vec<f64>,
    left: u64,
    earned: f64,
    steps_by_node: Vec<u64>,
}

impl Literal<'_> {
    /// Draws at all occupied nodes, if there are steps left.
    fn sample(&mut self, payer: &mut impl Payer) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let mut occupied = self.at.clone();
        occupied.sort_unstable();
        for same in occupied.chunk_by(|a, b| a == b) {
            let node = same[0];
            payer.pay_once(node, Time(0.0), &mut self.seen).unwrap();
            // Rounded as the agent rounds: ways through a place tie with ways that end there.
            let reach = (2.0 * libm::log(self.t as f64)).sqrt();
            self.bounds[node as usize] = self.seen.estimate(node).bound(reach);
            self.earned +=
                self.setup.sharing.multiple(node, same.len()) * self.world.means()[node as usize];
            self.steps_by_node[node as usize] += 1;
        }
    }

    fn initialize(&mut self, payer: &mut impl Payer) {
        let mut parent: Vec<Option<NodeId>> = vec![None; self.world.graph().len()];
        for &node in &self.at {
            parent[node as usize] = Some(node);
        }
        while self.left > 0 {
            self.t += 1;
            if parent.iter().all(Option::is_some) {
                // The places reached are drawn once more at the same time.
                self.t -= 1;
                self.sample(payer);
                return;
            }
            self.sample(payer);
            for walker in 0..self.at.len() {
                let at = self.at[walker];
                let new = self.world.graph().neighbors(at).find(|&v| parent[v as usize].is_none());
                self.at[walker] = match new {
                    Some(next) => {
                        parent[next as usize] = Some(at);
                        next
                    }
                    None => parent[at as usize].unwrap(),
                };
            }
        }
    }

    fn episode(&mut self, rank: fn(usize) -> usize, payer: &mut impl Payer) {
        let best = best_allocation(&self.setup.sharing, &self.bounds, Seats::Unlimited).unwrap();
        let mut places: Vec<NodeId> = best.places().collect();
        let top = places.iter().map(|&v| self.bounds[v as usize]).fold(f64::MIN, f64::max);
        let bounds = self.bounds.clone();
        let costs = RoadCosts { entry: |v: NodeId| (top - bounds[v as usize]).max(0.0), time: 0.0 };
        let rules = WayRules { graph: self.world.graph(), costs, most_hops: None };
        let ways = SpMatching::default().find(&rules, &self.at, &places).unwrap();
        places.sort_by_key(|&place| self.seen.count(place));
        let decisive = places[rank(places.len())];
        let goal = 2 * self.seen.count(decisive);
        let longest = ways.paths.iter().map(Vec::len).max().unwrap();
        // As many steps as the longest path has nodes, its start included.
        for step in 0..=longest {
            for (walker, path) in ways.paths.iter().enumerate() {
                if step > 0 && step <= path.len() {
                    self.at[walker] = path[step - 1];
                }
            }
            self.t += 1;
            self.sample(payer);
        }
        while self.left > 0 && self.seen.count(decisive) < goal {
            self.t += 1;
            self.sample(payer);
        }
    }
}

/// A rule for ending an episode: its name, and the rank of the decisive place.
type Rule = (&'static str, fn(usize) -> usize);

#[test]
fn multi_g_ucb_is_the_program_step_by_step() {
    let rules: [Rule; 3] = [("least", |_| 0), ("median", |m| m / 2), ("most", |m| m - 1)];
    for graph in ["grid:5x5", "star:12", "geometric:30,0.35", "line:14"] {
        for (until, rank) in rules {
            for share in ["equal", "log:0.3", "power:1"] {
                let seed = Seed(11);
                let world = world(graph, 0.1, seed);
                let sharing = share.parse::<ShareSpec>().unwrap().sharing(4).unwrap();
                let setup =
                    TeamSetup { sharing: Arc::new(sharing), ..equal(members(&world, 4, seed)) };
                let text = format!("multi-g-ucb:until={until}");
                let agent = TeamSpec::parse(&text, Preset::Program).unwrap().build();
                let steps = 1_500;
                let made = walk(&world, agent, &setup, (steps, seed));
                let nodes = world.graph().len();
                let mut literal = Literal {
                    world: &world,
                    setup: &setup,
                    seen: Estimates::new(nodes),
                    at: setup.members.iter().map(|member| member.start).collect(),
                    t: 1,
                    bounds: vec![0.0; nodes],
                    left: steps,
                    earned: 0.0,
                    steps_by_node: vec![0; nodes],
                };
                let mut payer = world.on_tape(&Tape::new(seed));
                literal.initialize(&mut payer);
                while literal.left > 0 {
                    literal.episode(rank, &mut payer);
                }
                assert_eq!(made.visits, literal.steps_by_node, "{graph} {until} {share}");
                let optimum = plan(&world, &setup, steps).optimum;
                let regret = steps as f64 * optimum - literal.earned;
                assert!((made.checkpoints[1].regret - regret).abs() < 1e-8);
            }
        }
    }
}

//! Theorem L2 on real walks: an agent that keeps the theorem's promise crosses as often as it says.
//!
//! A line with two contenders and a star with five, over one stretch. The tests first check by 100
//! runs that an agent keeps the promise, whichever contender is better, and then count its
//! crossings at the tie. `g-star`, `g-safe`, `g-moss`, `g-imed` and `g-klucb` cross 12 to 26 times
//! as often as the theorem says. An agent that visits each contender once, for 1,500 visits, and
//! then stays on the best of them crosses 1.7 times as often on the star, and 3 times on the line.
//! If it leaves out one of two contenders, or two of five, it crosses less often than the theorem
//! says, and breaks the promise. `cargo test -p graph-bandit --test core travel_floor --
//! --nocapture` prints these numbers.

use super::crossings::Crossings;
use super::frontier::gaussian;
use graph_bandit::run::run_observed;
use graph_bandit::theory::TravelFloor;
use graph_bandit::{
    Agent, AgentSpec, Graph, Leg, NodeId, Preset, Raised, RegretFrom, RunPlan, Seed, Situation,
    Stream, World,
};

/// The standard deviation of the noise, `h`.
const NOISE: f64 = 0.5;
/// By how much the nodes between the contenders are worse, `g`.
const WORSE: f64 = 2.0;
const RUNS: u64 = 100;

/// Visits some contenders in one tour, each this often, and then stays on the best of them.
struct OneTour {
    contenders: Vec<NodeId>,
    visits: u64,
}

impl Agent for OneTour {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let mean = |node: &NodeId| now.estimates.all()[*node as usize].mean;
        let is_next = |node: &&NodeId| now.estimates.count(**node) < self.visits;
        let best = self.contenders.iter().max_by(|a, b| mean(a).total_cmp(&mean(b))).unwrap();
        let (to, is_tour) =
            self.contenders.iter().find(is_next).map_or((*best, false), |&to| (to, true));
        leg.path.clear();
        if to != now.at {
            let between = now.graph.neighborhood(to).iter().copied().find(|&node| node != to);
            leg.path.extend(between.filter(|&node| node != now.at));
            leg.path.push(to);
        }
        leg.stay = if is_tour { self.visits - now.estimates.count(to) } else { u64::MAX };
        Ok(())
    }
}

/// A graph whose contenders are equal, and the theorem about it. There is one stretch: from `first`
/// to `last`.
struct Tie {
    graph: Graph,
    contenders: Vec<NodeId>,
    floor: TravelFloor,
}

impl Tie {
    fn new(graph: Graph, contenders: Vec<NodeId>, rate: f64) -> Self {
        let first = 8 * contenders.len() as u64;
        let floor = TravelFloor {
            contenders: contenders.len(),
            apart: 2,
            gap: WORSE,
            rate,
            first,
            last: u64::MAX,
        };
        let last = first * floor.stretch() as u64;
        Self { graph, contenders, floor: TravelFloor { last, ..floor } }
    }

    /// One contender may be better than the others by this much.
    fn world(&self, better: Option<NodeId>, by: f64) -> World {
        let mean = |node: NodeId| {
            let is_worse = !self.contenders.contains(&node);
            let ahead = if better == Some(node) { by } else { 0.0 };
            ahead - if is_worse { WORSE } else { 0.0 }
        };
        let means: Vec<f64> = self.graph.nodes().map(mean).collect();
        gaussian(self.graph.clone(), &means, NOISE)
    }

    /// The mean of crossings and of regret, and the standard error of the latter.
    fn measured(&self, build: &Build<'_>, world: &World) -> (f64, f64, f64) {
        let (mut crossings, mut regret, mut squares) = (0.0, 0.0, 0.0);
        for k in 0..RUNS {
            let mut counted = Crossings::between(self.contenders.clone(), self.floor.first);
            // `last` counts from the first visit.
            let plan =
                RunPlan { regret_from: RegretFrom::Start, ..RunPlan::new(self.floor.last, 1) };
            let (agent, seed) = (&mut *build(world), Seed(721).child(k));
            let record = run_observed(world, agent, &plan, seed, &mut counted).unwrap();
            assert!(record.init.steps <= self.floor.first);
            crossings += f64::from(counted.count);
            regret += record.checkpoints[0].regret;
            squares += record.checkpoints[0].regret * record.checkpoints[0].regret;
        }
        let runs = RUNS as f64;
        let (crossings, regret) = (crossings / runs, regret / runs);
        let deviation = (squares / runs - regret * regret).max(0.0).sqrt();
        (crossings, regret, deviation / runs.sqrt())
    }

    /// Whether regret is as small as promised, whichever contender is better: by three standard
    /// errors at least, or not.
    fn is_promise_kept(&self, build: &Build<'_>) -> bool {
        let TravelFloor { contenders, rate, first, last, .. } = self.floor;
        let gap = 0.388 * NOISE * (contenders as f64 / first as f64).sqrt();
        let promised = rate * NOISE * (last as f64).sqrt();
        self.contenders.iter().all(|&better| {
            let (_, regret, error) = self.measured(build, &self.world(Some(better), gap));
            assert!((regret - promised).abs() > 3.0 * error, "{regret} {error} {promised}");
            regret < promised
        })
    }
}

/// Builds an agent.
type Build<'a> = dyn Fn(&World) -> Box<dyn Agent> + 'a;

/// Two contenders with `C = 3`, and five with `C = 5`. The number after each: the agent of one tour
/// crosses at most this many times as often as the theorem says.
fn ties() -> [(Tie, f64); 2] {
    [
        (Tie::new(Graph::line(3).unwrap(), vec![0, 2], 3.0), 3.2),
        (Tie::new(Graph::star(6).unwrap(), (1..6).collect(), 5.0), 1.8),
    ]
}

#[test]
fn whoever_keeps_the_promise_crosses_as_often_as_the_theorem_says() {
    for (tie, most) in ties() {
        let (least, floor) = (tie.floor.crossings().unwrap(), tie.floor.regret().unwrap());
        assert!(least > 0.0 && floor > 0.0);
        let check = |name: &str, build: &Build<'_>| {
            assert!(tie.is_promise_kept(build), "{name}");
            let (crossings, regret, _) = tie.measured(build, &tie.world(None, 0.0));
            assert!(crossings >= least && regret >= floor, "{name}: {crossings} {regret}");
            println!("{name}: {:.1} times as often as the theorem says", crossings / least);
            crossings / least
        };
        for agent in ["g-star", "g-safe", "g-moss", "g-imed", "g-klucb"] {
            let spec = AgentSpec::parse(agent, Preset::Paper).unwrap();
            check(agent, &|world| spec.build(world.graph()).unwrap());
        }
        let contenders = tie.contenders.clone();
        let one_tour = |_: &World| -> Box<dyn Agent> {
            Box::new(OneTour { contenders: contenders.clone(), visits: 1_500 })
        };
        let crossed = check("one tour", &one_tour);
        assert!(crossed < most, "{crossed}");
    }
}

#[test]
fn whoever_leaves_out_contenders_crosses_less_often_and_breaks_the_promise() {
    for (tie, _) in ties() {
        let contenders = tie.contenders[..tie.contenders.len().div_ceil(2)].to_vec();
        let build = |_: &World| -> Box<dyn Agent> {
            Box::new(OneTour { contenders: contenders.clone(), visits: 1_500 })
        };
        let (crossings, ..) = tie.measured(&build, &tie.world(None, 0.0));
        assert!(crossings < tie.floor.crossings().unwrap(), "{crossings}");
        assert!(!tie.is_promise_kept(&build));
    }
}

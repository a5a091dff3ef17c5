//! How often agents cross between two equal best nodes that are far apart.
//!
//! Theorem L2 says that whoever keeps its regret at the order of `sqrt(t)` crosses about `ln T`
//! times. The agents are listed in [`TRAVELLERS`] and [`LOCALS`].

use super::frontier::gaussian;
use graph_bandit::run::run_observed;
use graph_bandit::{
    AgentSpec, Event, Graph, NodeId, Observer, Preset, RunPlan, Seed, Situation, World,
};

/// Agents that go wherever it pays.
const TRAVELLERS: [&str; 6] = ["g-ucb", "direct-sp", "g-klucb", "g-moss", "g-ts", "g-star"];

/// Agents that look only at neighbours.
const LOCALS: [&str; 2] = ["local-ucb", "local-ts"];

const ENDS: [NodeId; 2] = [0, 11];

/// The ends of a line of twelve nodes have mean 10 (the last one `ahead` more), all others 0: a
/// crossing costs 100, and nothing but crossings costs anything.
fn tie(ahead: f64) -> World {
    let mut means = [0.0; 12];
    (means[0], means[11]) = (10.0, 10.0 + ahead);
    gaussian(Graph::line(12).unwrap(), &means, 0.5)
}

/// Counts the changes from one end to the other after initialization.
#[derive(Default)]
struct Crossings {
    from: Option<NodeId>,
    count: u32,
}

impl Observer for Crossings {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        let node = match event {
            Event::Covered => {
                *self = Self::default();
                now.at
            }
            Event::Visited(visit) => visit.node,
            _ => return,
        };
        if ENDS.contains(&node) {
            self.count += u32::from(self.from.is_some_and(|from| from != node));
            self.from = Some(node);
        }
    }
}

/// The mean number of crossings, and the mean regret.
fn crossings(world: &World, agent: &str, (steps, runs): (u64, u64)) -> (f64, f64) {
    let spec = AgentSpec::parse(agent, Preset::Paper).unwrap();
    let (mut count, mut regret) = (0.0, 0.0);
    for k in 0..runs {
        let mut agent = spec.build(world.graph()).unwrap();
        let mut crossings = Crossings::default();
        let plan = RunPlan::new(steps, 1);
        let seed = Seed(720).child(k);
        let record = run_observed(world, agent.as_mut(), &plan, seed, &mut crossings).unwrap();
        count += f64::from(crossings.count);
        regret += record.checkpoints[0].regret;
    }
    (count / runs as f64, regret / runs as f64)
}

#[test]
fn at_a_tie_travellers_keep_crossing_and_pay_for_nothing_else() {
    const RUNS: u64 = 40;
    let world = tie(0.0);
    for agent in TRAVELLERS {
        let grown = [1_000, 10_000, 100_000].map(|steps| {
            let (count, regret) = crossings(&world, agent, (steps, RUNS));
            // A crossing may be under way at the end.
            assert!((regret - 100.0 * count).abs() <= 100.0, "{agent}: {regret} {count}");
            count
        });
        // As often in every decade, up to a factor of four; never less than twice in four.
        let decades = [grown[1] - grown[0], grown[2] - grown[1]];
        assert!(decades.iter().all(|&more| more > 0.3), "{agent}: {grown:?}");
        let ratio = decades[1] / decades[0];
        assert!((0.25..4.0).contains(&ratio), "{agent}: {grown:?}");
    }
}

#[test]
fn g_ucb_crosses_at_every_doubling_and_g_star_much_less_often() {
    let world = tie(0.0);
    let (g_ucb, _) = crossings(&world, "g-ucb", (100_000, 40));
    let (g_star, _) = crossings(&world, "g-star", (100_000, 40));
    // Both ends double until they share 100,000 visits.
    let doublings = 2.0 * libm::log2(50_000.0);
    assert!(g_ucb > 0.75 * doublings && g_ucb <= doublings, "{g_ucb}");
    assert!(g_star < g_ucb / 5.0, "{g_star}");
}

#[test]
fn agents_that_never_cross_pay_in_proportion_to_time_if_the_other_end_is_better() {
    for agent in LOCALS {
        let (count, regret) = crossings(&tie(0.0), agent, (10_000, 10));
        assert_eq!((count, regret), (0.0, 0.0), "{agent}");
        // The promise of Theorem L2 is broken: regret is the gap times T.
        let (count, regret) = crossings(&tie(1.0), agent, (10_000, 10));
        assert_eq!((count, regret), (0.0, 10_000.0), "{agent}");
    }
}

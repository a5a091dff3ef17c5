//! Runs on a tape of sums keep the promises of a tape drawn one by one: the same bits however
//! visits are cut, and the same luck for all agents.

use crate::support::agents::anywhere;
use crate::support::worlds;
use graph_bandit::run::run_observed;
use graph_bandit::{
    Agent, AgentSpec, Estimates, Event, Law, Leg, NodeId, Observer, Preset, Raised, RunPlan,
    Sample, Seed, Situation, Stream, Tape, TapeKind, Visit, World, run,
};

const NOISES: [(&str, &str); 2] = [("bernoulli", "uniform:0,1"), ("gaussian:0.5", "uniform:0,3")];

fn world(noise: &str, means: &str) -> World {
    worlds::world("grid:4x4", noise, means, Preset::Paper, Seed(9))
}

fn plan(steps: u64, checkpoints: u64) -> RunPlan {
    RunPlan { tape: TapeKind::Sums, ..RunPlan::new(steps, checkpoints) }
}

/// An agent that records what it observes.
struct Listener {
    agent: Box<dyn Agent + Send>,
    heard: Vec<(NodeId, u64, u64, u64)>,
}

impl Agent for Listener {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.agent.next_leg(now, stream, leg)
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        let Sample { count, sum, sum_of_squares } = visit.sample;
        self.heard.push((visit.node, count, sum.to_bits(), sum_of_squares.to_bits()));
        self.agent.observe(now, visit)
    }
}

/// The totals of all nodes at the end.
#[derive(Default)]
struct Last(Option<Estimates>);

impl Observer for Last {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        if event == Event::Ended {
            self.0 = Some(now.estimates.clone());
        }
    }
}

#[test]
fn looking_more_often_changes_nothing() {
    // Sums that cross zero: differences of growing ones are nearly always exact.
    let around_zero = ("gaussian:2", "uniform:-0.1,0.1");
    for (noise, means) in NOISES.into_iter().chain([around_zero]) {
        let world = world(noise, means);
        for spec in anywhere(Preset::Paper) {
            let outcome = |checkpoints| {
                let agent = spec.build(world.graph()).unwrap();
                let mut listener = Listener { agent, heard: Vec::new() };
                let mut last = Last::default();
                let plan = plan(5000, checkpoints);
                let record = run_observed(&world, &mut listener, &plan, Seed(3), &mut last);
                (record.unwrap().checkpoints.pop(), listener.heard, last.0)
            };
            let once = outcome(1);
            for checkpoints in [7, 5000] {
                assert!(outcome(checkpoints) == once, "{spec} with {noise}");
            }
        }
    }
}

#[test]
fn totals_of_a_run_equal_those_of_the_tape() {
    for (noise, means) in NOISES {
        let world = world(noise, means);
        let tape = Tape::of_kind(Seed(3), TapeKind::Sums);
        for spec in anywhere(Preset::Paper) {
            let mut agent = spec.build(world.graph()).unwrap();
            let mut last = Last::default();
            run_observed(&world, &mut *agent, &plan(3000, 13), Seed(3), &mut last).unwrap();
            for (node, sample) in last.0.unwrap().samples().iter().enumerate() {
                let node = node as NodeId;
                let totals =
                    world.law(node).totals(tape.node(node), &Sample::default(), sample.count);
                assert_eq!(totals, Some(*sample), "{spec} with {noise}, node {node}");
            }
        }
    }
}

#[test]
fn laws_without_closed_sums_are_drawn_one_by_one() {
    let world = world("uniform:0.5", "uniform:0.5,3.5");
    for spec in anywhere(Preset::Paper) {
        let record = |tape| {
            let plan = RunPlan { tape, ..RunPlan::new(2000, 11) };
            run(&world, &mut *spec.build(world.graph()).unwrap(), &plan, Seed(5)).unwrap()
        };
        assert_eq!(record(TapeKind::Sums), record(TapeKind::OneByOne), "{spec}");
    }
}

#[test]
fn laws_of_all_kinds_mix() {
    let laws = [
        Law::bernoulli(0.4),
        Law::gaussian(0.3, 1.0),
        Law::constant(0.2),
        Law::uniform(0.0, 1.0),
        Law::beta(2.0, 2.0),
        Law::empirical([0.0, 0.7]),
    ];
    let laws: Vec<Law> = laws.into_iter().collect::<Result<_, _>>().unwrap();
    let graph = graph_bandit::Graph::line(laws.len()).unwrap();
    let world = World::new(graph, laws).unwrap();
    for spec in anywhere(Preset::Paper) {
        let outcome = |checkpoints| {
            let mut agent = spec.build(world.graph()).unwrap();
            let record = run(&world, &mut *agent, &plan(4000, checkpoints), Seed(8)).unwrap();
            (record.visits, record.checkpoints.last().copied())
        };
        assert_eq!(outcome(1), outcome(97), "{spec}");
    }
}

#[test]
fn a_run_too_long_to_draw_one_by_one_ends() {
    let world = world("gaussian:0.5", "uniform:0,3");
    let mut agent = AgentSpec::parse("g-ucb", Preset::Paper).unwrap().build(world.graph()).unwrap();
    let record = run(&world, &mut *agent, &plan(1 << 53, 20), Seed(1)).unwrap();
    assert_eq!(record.visits.iter().sum::<u64>(), 1 << 53);
    let end = record.checkpoints.last().unwrap();
    assert!(end.regret < 1e6 && end.realized_regret.abs() < 1e9, "{end:?}");
}

/// A change here changes everybody's results on this kind of tape, so it needs a line under
/// "Trajectory changes" in CHANGELOG.md.
#[test]
fn trajectories_are_as_pinned() {
    let found: Vec<(u64, u64, u64)> = NOISES
        .iter()
        .map(|(noise, means)| {
            let world = world(noise, means);
            let spec = AgentSpec::parse("g-ucb", Preset::Paper).unwrap();
            let mut agent = spec.build(world.graph()).unwrap();
            let record = run(&world, &mut *agent, &plan(1_000_000, 1), Seed(3)).unwrap();
            let end = record.checkpoints[0];
            (end.legs, end.regret.to_bits(), end.reward.to_bits())
        })
        .collect();
    assert_eq!(found, GOLDEN, "trajectories changed: {found:#018x?}");
}

const GOLDEN: [(u64, u64, u64); 2] = [
    (113, 0x40a7_5b72_47a6_18ac, 0x412e_65a2_0000_0000),
    (67, 0x4092_e8bb_faf9_a21c, 0x4146_da9c_df87_2345),
];

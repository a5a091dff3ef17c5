//! The contract of agents that most tests leave out, and of combinations of parts.

use graph_bandit::agents::{Episodic, Exploration, Forgetful};
use graph_bandit::conformance::check_all;
use graph_bandit::detector::Cusum;
use graph_bandit::divergence::Divergence;
use graph_bandit::forgetting::{Discount, Moments, Restarts, RestartsAt, Scope, Window};
use graph_bandit::index::{BeliefSample, ExpectedImprovement, Horizon, KlBound, MeanSample, Noise};
use graph_bandit::index::{Ucb, Variance};
use graph_bandit::planner::{Bargain, BestNeighbor, FewestHops, Travel, TravelAware};
use graph_bandit::schedule::{Amortized, Arrival, DoubleAtDestination, EveryVisit};
use graph_bandit::{
    Agent, AgentSpec, Graph, Init, LegError, Preset, RunError, RunPlan, Seed, SpecError, run,
};

/// Oracles keep the contract once they are told the future; if not, they say so.
#[test]
fn oracles_keep_the_contract() {
    for rewards in ["bernoulli", "gaussian"] {
        let text = format!("restarting-klucb:rewards={rewards}");
        let spec = AgentSpec::parse(&text, Preset::Paper).unwrap();
        let told = |graph: &Graph| {
            let mut agent = spec.build(graph).unwrap();
            agent.reveal(&[15.0, 40.5, 100.0, 120.0]);
            agent
        };
        check_all(told).unwrap_or_else(|broken| panic!("{spec}\n{broken}"));
    }
}

#[test]
fn an_oracle_that_knows_nothing_says_so() {
    let world = super::piecewise::pb1(100).world();
    for rewards in ["bernoulli", "gaussian"] {
        let text = format!("restarting-klucb:rewards={rewards}");
        let spec = AgentSpec::parse(&text, Preset::Paper).unwrap();
        let mut agent = spec.build(world.graph()).unwrap();
        let refused = run(&world, agent.as_mut(), &RunPlan::new(100, 1), Seed(1)).unwrap_err();
        let RunError::Leg(LegError::Agent(raised)) = refused else { panic!("{refused:?}") };
        assert!(raised.to_string().contains("only a simulation knows them"), "{raised}");
    }
}

#[test]
fn exp3s_walks_complete_graphs_only() {
    let spec = AgentSpec::parse("exp3s", Preset::Paper).unwrap();
    let refused = spec.build(&Graph::line(3).unwrap()).err().unwrap();
    assert!(matches!(refused, SpecError::Refused { .. }));
    assert!(refused.to_string().contains("try glr-klucb"), "{refused}");
    assert!(spec.build(&Graph::line(2).unwrap()).is_ok());
    let empty = AgentSpec::parse("exp3s:low=3,high=2", Preset::Paper).unwrap();
    assert!(empty.build(&Graph::complete(3).unwrap()).is_err());
}

/// Every way to forget with other indices, planners and schedules than the registry's.
#[test]
fn parts_compose() {
    let noise = || Noise::new(0.5, Variance::Estimated);
    let stays = Amortized { growth: 0.5, per_hop: 1.0 };
    check_all(|graph| {
        let index = ExpectedImprovement::new(noise(), 1.5);
        let planner = Bargain::new(stays, Horizon::Unknown, 0.5);
        let parts = Episodic { index, planner, schedule: stays };
        Box::new(Forgetful::new(Window::new(graph.len(), 50.0), parts))
    })
    .unwrap();
    check_all(|graph| {
        let planner = TravelAware::new(Travel::Priced, Horizon::Unknown, 0.5);
        let parts = Episodic { index: MeanSample::new(noise()), planner, schedule: stays };
        let forgetful = Forgetful::new(Discount::new(graph.len(), 0.9), parts);
        Box::new(forgetful.exploring(Exploration::InRounds(0.2.into())))
    })
    .unwrap();
    check_all(|graph| {
        let cusum = Cusum { first: 3, tolerance: 0.1, unit: 1.0, likelihood: 0.1.into() };
        let index = KlBound::new(Divergence::gaussian(0.5));
        let schedule = DoubleAtDestination::default();
        let parts = Episodic { index, planner: FewestHops::default(), schedule };
        let forgetful = Forgetful::new(Restarts::new(graph.len(), cusum, Scope::Global), parts);
        Box::new(forgetful.exploring(Exploration::AtRandom(0.1.into())))
    })
    .unwrap();
    check_all(|graph| {
        let parts = Episodic {
            index: BeliefSample::new(Divergence::Bernoulli),
            planner: BestNeighbor::default(),
            schedule: EveryVisit,
        };
        let every = RestartsAt::new(graph.len(), Moments::Every(30.0));
        Box::new(Forgetful::new(every, parts))
    })
    .unwrap();
    check_all(|graph| {
        let parts =
            Episodic { index: Ucb::new(1.0), planner: FewestHops::default(), schedule: Arrival };
        Box::new(Forgetful::new(Discount::new(graph.len(), 0.99), parts))
    })
    .unwrap();
}

/// With nothing to forget, a forgetful agent is the agent of its parts, to the bit; on graphs large
/// enough for tournaments, too.
#[test]
fn what_never_forgets_is_the_agent_of_its_parts() {
    for (graph, steps) in
        [(Graph::grid(6, 6).unwrap(), 3_000), (Graph::line(1_200).unwrap(), 4_000)]
    {
        let world = super::piecewise::still(&graph);
        let parts = || Episodic {
            index: Ucb::new(1.0),
            planner: graph_bandit::planner::ShortestPath::default(),
            schedule: DoubleAtDestination::default(),
        };
        let plan = RunPlan { init: Init::Nearest, ..RunPlan::new(steps, 10) };
        let mut never = RestartsAt::new(graph.len(), Moments::Changes);
        graph_bandit::forgetting::Recollection::reveal(&mut never, &[]);
        let forgetful: [Box<dyn Agent>; 2] = [
            Box::new(Forgetful::new(never, parts())),
            Box::new(Forgetful::new(Window::new(graph.len(), 1e9), parts())),
        ];
        let expected = run(&world, &mut parts(), &plan, Seed(2)).unwrap();
        for mut agent in forgetful {
            assert_eq!(run(&world, agent.as_mut(), &plan, Seed(2)).unwrap(), expected);
        }
    }
}

//! Agents that fail: the caller gets their error unchanged, and completed visits stay recorded.

use crate::support::worlds;
use graph_bandit::{
    Agent, AgentSpec, AskTell, Hearing, Init, Leg, LegError, Preset, Raised, RunError, RunPlan,
    Seed, SessionPlan, Situation, Stream, Visit, World, run,
};
use thiserror::Error;

const SEED: Seed = Seed(5);

fn some_world(graph: &str) -> World {
    worlds::world(graph, "uniform:0.5", "uniform:0.5,3.5", Preset::Paper, SEED)
}

#[derive(Debug, Error, PartialEq)]
#[error("out of fuel after {0} legs")]
struct OutOfFuel(u64);

/// Stays twice, until it fails.
struct Tired {
    legs: u64,
    most: u64,
}

impl Agent for Tired {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if self.legs == self.most {
            return Err(OutOfFuel(self.legs).into());
        }
        self.legs += 1;
        *leg = Leg { path: vec![], stay: 2 };
        Ok(())
    }
}

#[test]
fn the_caller_gets_an_agent_s_error_unchanged() {
    let world = some_world("line:4");
    let failed = run(&world, &mut Tired { legs: 0, most: 3 }, &RunPlan::new(100, 1), SEED);
    let Err(RunError::Leg(LegError::Agent(raised))) = failed else { panic!("{failed:?}") };
    assert_eq!(raised.downcast_ref::<OutOfFuel>(), Some(&OutOfFuel(3)));
    assert_eq!(raised.to_string(), "out of fuel after 3 legs");

    let agent = Box::new(Tired { legs: 0, most: 1 });
    let plan = SessionPlan { init: Init::None, ..SessionPlan::default() };
    let mut session = AskTell::new(world.shared_graph(), agent, plan).unwrap();
    assert_eq!(session.ask().unwrap().stay, 2);
    session.tell_leg(&[1.0, 2.0]).unwrap();
    assert!(session.ask().unwrap_err().to_string().starts_with("out of fuel"));
    assert!(session.tell(0, 1.0).is_err());
    assert_eq!((session.at(), session.estimates().visits()), (0, 2));
}

/// Observes visits one by one, and fails at the third.
struct Deaf(u64);

impl Agent for Deaf {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        *leg = Leg { path: vec![], stay: 5 };
        Ok(())
    }

    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        assert_eq!(visit.sample.count, 1);
        self.0 += 1;
        if self.0 == 3 { Err(OutOfFuel(3).into()) } else { Ok(()) }
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }
}

#[test]
fn completed_visits_stay_recorded_and_the_others_remain() {
    let graph = some_world("line:4").shared_graph();
    let plan = SessionPlan { init: Init::None, ..SessionPlan::default() };
    let mut session = AskTell::new(graph, Box::new(Deaf(0)), plan).unwrap();
    session.ask().unwrap();
    assert!(session.tell_leg(&[1.0, 2.0, 3.0, 4.0, 5.0]).is_err());
    assert_eq!((session.estimates().visits(), session.pending().stay), (3, 2));
    session.tell_leg(&[4.0, 5.0]).unwrap();
    assert_eq!(session.estimates().sample(0).sum, 15.0);
}

/// Absurd parameters that lead to NaN values still give a legal leg.
#[test]
fn absurd_parameters_of_a_q_learner_keep_it_on_the_graph() {
    for text in ["ql-ucb-h:gamma=1e-110,epsilon=0", "ql-ucb-h:c=1e308,epsilon=0"] {
        let world = some_world("circle:4");
        let agent = AgentSpec::parse(text, Preset::Paper).unwrap().build(world.graph()).unwrap();
        let plan = SessionPlan { init: Init::None, ..SessionPlan::default() };
        let mut session = AskTell::new(world.shared_graph(), agent, plan).unwrap();
        for round in 0..60 {
            let node = session.ask().unwrap().node;
            session.tell(node, 0.5).unwrap();
            session.abandon();
            session.move_to(round % 4).unwrap();
        }
    }
}

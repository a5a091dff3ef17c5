//! The one executor: what observers see, which errors occur, and what its methods do.

use crate::support::agents::anywhere;
use crate::support::worlds;
use graph_bandit::{
    AgentSpec, AskTell, Clock, Course, Event, Field, Graph, Init, Law, LegError, NodeId, Observer,
    OwnLaw, Phase, Preset, Raised, Run, RunError, RunPlan, Seed, SessionPlan, Setting, Situation,
    Status, Tape, Time, Told, Trajectory, Walker, World, run,
};
use std::sync::Arc;
use thiserror::Error;

const SEED: Seed = Seed(5);

fn some_world(graph: &str) -> World {
    worlds::world(graph, "uniform:0.5", "uniform:0.5,3.5", Preset::Paper, SEED)
}

fn setting(start: NodeId, init: Init) -> Setting {
    Setting { start, init, stream: SEED.stream() }
}

/// Records every event, piece by piece.
struct Scribe {
    patience: u64,
    visits: Vec<(NodeId, f64, Phase)>,
    planned: Vec<(usize, u64, Phase)>,
    arrivals: Vec<usize>,
    covered: Vec<usize>,
    ended: Vec<usize>,
}

impl Scribe {
    fn new(patience: u64) -> Self {
        let (visits, planned) = (Vec::new(), Vec::new());
        let (arrivals, covered, ended) = (Vec::new(), Vec::new(), Vec::new());
        Self { patience, visits, planned, arrivals, covered, ended }
    }
}

impl Observer for Scribe {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        let made = self.visits.len();
        match event {
            Event::Planned { leg, phase } => self.planned.push((made, leg.visits(), phase)),
            Event::Visited(visit) => {
                assert_eq!(visit.node, now.at);
                assert!(visit.sample.count <= self.patience);
                for _ in 0..visit.sample.count {
                    self.visits.push((visit.node, visit.sample.mean(), visit.phase));
                }
            }
            Event::SetOut { to, .. } => panic!("no road to {to} takes time"),
            Event::Arrived => self.arrivals.push(made),
            Event::Covered => self.covered.push(made),
            Event::Ended => self.ended.push(made),
        }
        assert_eq!(now.estimates.visits(), self.visits.len() as u64);
        assert_eq!(now.clock.now(), Time(self.visits.len() as f64));
    }

    fn patience(&self) -> u64 {
        self.patience
    }
}

#[test]
fn observers_see_every_visit() {
    for spec in anywhere(Preset::Paper) {
        let world = some_world("grid:4x3");
        let plan = RunPlan::new(500, 7);
        let mut agent = spec.build(world.graph()).unwrap();
        let mut scribe = Scribe::new(1);
        let mut going = Run::new(&world, agent.as_mut(), &plan, SEED).unwrap();
        while going.step(&mut scribe).unwrap() == Status::Going {}
        let record = going.into_record();
        let mut agent = spec.build(world.graph()).unwrap();
        assert_eq!(record, run(&world, agent.as_mut(), &plan, SEED).unwrap(), "{spec}");

        let init = record.init.steps as usize;
        assert_eq!(scribe.visits.len(), init + 500, "{spec}");
        assert_eq!((&scribe.covered, &scribe.ended), (&vec![init], &vec![init + 500]));
        // Every reward is the next one on its node's tape.
        let mut seen = vec![0; world.graph().len()];
        for (k, &(node, reward, phase)) in scribe.visits.iter().enumerate() {
            let number = &mut seen[node as usize];
            let tape = Tape::new(SEED).node(node);
            let paid = world.law(node).draw(tape, *number, Time::START).unwrap();
            assert_eq!(reward.to_bits(), paid.to_bits(), "{spec}");
            *number += 1;
            assert_eq!(phase == Phase::Cover, k < init, "{spec}");
        }
        // Legs follow one another without a gap; only the last is cut.
        let legs = scribe.planned.windows(2);
        assert!(
            legs.map(|pair| (pair[0], pair[1].0))
                .all(|((at, visits, _), next)| { at as u64 + visits == next as u64 })
        );
        let own = scribe.planned.iter().filter(|(_, _, phase)| *phase == Phase::Learn);
        assert_eq!(own.count() as u64, record.checkpoints[6].legs, "{spec}");
        assert!(scribe.arrivals.iter().all(|&at| at > 0));
    }
}

#[test]
fn a_less_patient_observer_changes_nothing() {
    let world = some_world("circle:9");
    let plan = RunPlan::new(400, 3);
    for spec in anywhere(Preset::Paper) {
        let heard = |patience| {
            let mut agent = spec.build(world.graph()).unwrap();
            let mut scribe = Scribe::new(patience);
            let mut going = Run::new(&world, agent.as_mut(), &plan, SEED).unwrap();
            while going.step(&mut scribe).unwrap() == Status::Going {}
            let nodes: Vec<NodeId> = scribe.visits.iter().map(|visit| visit.0).collect();
            (going.into_record(), nodes)
        };
        assert_eq!(heard(1), heard(u64::MAX), "{spec}");
        assert_eq!(heard(1), heard(7), "{spec}");
    }
}

#[derive(Debug, Error, PartialEq)]
#[error("out of fuel after {0} legs")]
struct OutOfFuel(u64);

/// Pays 1 until its third visit, then fails; or changes its mean over time.
#[derive(Debug)]
struct Odd {
    fails_at: Option<u64>,
    rises: f64,
}

impl OwnLaw for Odd {
    fn draw(&self, _tape: Seed, k: u64, at: Time) -> Result<f64, Raised> {
        if self.fails_at == Some(k) {
            return Err(OutOfFuel(k).into());
        }
        Ok(self.mean(at))
    }

    fn mean(&self, at: Time) -> f64 {
        1.0 + self.rises * at.0
    }

    fn course(&self) -> Course {
        if self.rises == 0.0 { Course::Constant } else { Course::Changing }
    }

    fn variance(&self) -> f64 {
        0.0
    }

    fn sub_gaussian_scale(&self) -> f64 {
        0.0
    }
}

fn odd(fails_at: Option<u64>, rises: f64) -> Law {
    Law::own(Arc::new(Odd { fails_at, rises })).unwrap()
}

#[test]
fn the_caller_gets_a_law_s_error_and_nothing_is_paid_in_its_place() {
    let laws = vec![odd(None, 0.0), odd(Some(3), 0.0)];
    let world = World::new(Graph::line(2).unwrap(), laws).unwrap();
    let spec = AgentSpec::parse("g-ucb", Preset::Paper).unwrap();
    let mut agent = spec.build(world.graph()).unwrap();
    let mut scribe = Scribe::new(1);
    let plan = RunPlan::new(1_000, 1);
    let mut going = Run::new(&world, agent.as_mut(), &plan, SEED).unwrap();
    let failed = loop {
        match going.step(&mut scribe) {
            Ok(Status::Going) => {}
            other => break other,
        }
    };
    let Err(RunError::Leg(LegError::Payer(raised))) = failed else { panic!("{failed:?}") };
    assert_eq!(raised.downcast_ref::<OutOfFuel>(), Some(&OutOfFuel(3)));
    assert_eq!(scribe.visits.iter().filter(|visit| visit.0 == 1).count(), 3);

    // A node that was not paid for was not entered.
    let agent = AgentSpec::parse("g-ucb", Preset::Paper).unwrap().build(world.graph()).unwrap();
    let field = Field::new(world.shared_graph());
    let mut walk = Trajectory::new(field, agent, setting(1, Init::Lowest)).unwrap();
    assert_eq!(walk.order(&mut ()).unwrap().path, [0]);
    let unpaid = walk.advance(1, &mut Told::new(&[]), &mut ()).unwrap_err();
    assert!(unpaid.to_string().contains("no reward was told for the visit to node 0"));
    assert_eq!((walk.at(), walk.order(&mut ()).unwrap().path), (1, &[0][..]));
}

#[test]
fn regret_of_changing_means_is_added_up_visit_by_visit() {
    // Node 1 starts equal to node 0 and rises; node 2 falls.
    let laws = vec![odd(None, 0.0), odd(None, 0.01), odd(None, -0.01)];
    let world = World::new(Graph::line(3).unwrap(), laws).unwrap();
    assert_eq!(world.course(), Course::Changing);
    let spec = AgentSpec::parse("local-ucb", Preset::Paper).unwrap();
    let mut agent = spec.build(world.graph()).unwrap();
    let plan = RunPlan::new(300, 5);
    let mut scribe = Scribe::new(1);
    let mut going = Run::new(&world, agent.as_mut(), &plan, SEED).unwrap();
    while going.step(&mut scribe).unwrap() == Status::Going {}
    let record = going.into_record();
    let init = record.init.steps as usize;
    for point in &record.checkpoints {
        let (mut regret, mut best) = (0.0, 0.0);
        for (t, visit) in scribe.visits.iter().enumerate().skip(init).take(point.t as usize) {
            let means = [0.0, 0.01, -0.01].map(|rises| 1.0 + rises * t as f64);
            let highest = means.into_iter().fold(f64::MIN, f64::max);
            regret += highest - means[visit.0 as usize];
            best += highest;
            assert_eq!(visit.1, means[visit.0 as usize]);
        }
        assert!((point.regret - regret).abs() < 1e-9 * regret.max(1.0), "{point:?}");
        assert!((point.realized_regret - (best - point.reward)).abs() < 1e-9 * best);
    }
    assert!(record.checkpoints[4].regret > 1.0);
}

#[test]
fn one_field_has_two_walkers_and_each_learns_from_both() {
    let world = some_world("grid:4x4");
    let mut field = Field::new(world.shared_graph());
    let mut payer = world.on_tape(&Tape::new(SEED));
    let build = |text| AgentSpec::parse(text, Preset::Paper).unwrap().build(world.graph()).unwrap();
    let mut walkers = [
        Walker::new(build("g-star"), setting(0, Init::DepthFirst)),
        Walker::new(build("g-ucb"), setting(15, Init::Nearest)),
    ];
    let mut made = [0_u64; 2];
    for round in 0..200_u64 {
        for (walker, made) in walkers.iter_mut().zip(&mut made) {
            *made += walker.advance(&mut field, 1 + round % 5, &mut payer, &mut ()).unwrap();
        }
    }
    assert_eq!(field.estimates().visits(), made[0] + made[1]);
    for (walker, made) in walkers.iter().zip(made) {
        assert_eq!(walker.clock().now(), Time(made as f64));
    }
    // Together they covered the graph in fewer visits each than one alone would need.
    assert!(field.estimates().samples().iter().all(|sample| sample.count > 0));
    // Whoever made a visit, the rewards follow the tape in the order of the visits.
    for node in world.graph().nodes() {
        let tape = Tape::new(SEED).node(node);
        let count = field.estimates().count(node);
        let mut sum = 0.0;
        for k in 0..count {
            sum += world.law(node).draw(tape, k, Time::START).unwrap();
        }
        assert_eq!(field.estimates().sample(node).sum, sum);
    }
}

#[test]
fn a_walker_on_a_field_of_its_own_is_a_run() {
    let world = some_world("grid:3x4");
    for spec in anywhere(Preset::Paper) {
        let plan = RunPlan { init: Init::None, ..RunPlan::new(400, 1) };
        let mut agent = spec.build(world.graph()).unwrap();
        let record = run(&world, agent.as_mut(), &plan, SEED).unwrap();
        let stream = SEED.child(graph_bandit::random::label::AGENT).stream();
        let agent = spec.build(world.graph()).unwrap();
        let setting = Setting { start: 0, init: Init::None, stream };
        let mut alone = Trajectory::new(Field::new(world.shared_graph()), agent, setting).unwrap();
        let mut payer = world.on_tape(&Tape::new(SEED));
        let mut left = 400;
        while left > 0 {
            left -= alone.advance(left.min(3), &mut payer, &mut ()).unwrap();
        }
        let visits: Vec<u64> = alone.estimates().samples().iter().map(|s| s.count).collect();
        assert_eq!(visits, record.visits, "{spec}");
    }
}

#[test]
fn observations_by_others_move_no_walker_and_take_no_time() {
    let world = some_world("line:5");
    let spec = AgentSpec::parse("g-star", Preset::Paper).unwrap();
    let agent = spec.build(world.graph()).unwrap();
    let mut session = AskTell::new(world.shared_graph(), agent, SessionPlan::default()).unwrap();
    session.tell(0, 0.5).unwrap();
    let order = session.ask().unwrap();
    let before = (order.path.to_vec(), order.stay);
    session.observe(4, 2.0).unwrap();
    let order = session.ask().unwrap();
    assert_eq!((order.path.to_vec(), order.stay), before);
    assert_eq!((session.at(), session.estimates().count(4)), (0, 1));
    assert!(session.observe(5, 1.0).is_err() && session.observe(4, f64::NAN).is_err());
    // The clock, which now differs from the number of visits, survives a stored session.
    let text = serde_json::to_string(&session.state()).unwrap();
    assert!(text.ends_with(r#""clock":1}"#), "{text}");
    let agent = spec.build(world.graph()).unwrap();
    let state = serde_json::from_str(&text).unwrap();
    let again = AskTell::resume(world.shared_graph(), agent, state).unwrap();
    assert_eq!(serde_json::to_string(&again.state()).unwrap(), text);
    assert!(serde_json::from_str::<Clock>("9007199254740993").is_err());
    let ahead = text.replace(r#""clock":1}"#, r#""clock":3}"#);
    let agent = spec.build(world.graph()).unwrap();
    let state = serde_json::from_str(&ahead).unwrap();
    let refused = AskTell::resume(world.shared_graph(), agent, state).err().unwrap();
    assert!(refused.to_string().contains("has 3 visits"), "{refused}");
}

#[test]
fn after_an_abandoned_leg_the_next_starts_where_the_walker_is() {
    let world = some_world("line:6");
    let spec = AgentSpec::parse("g-ucb", Preset::Paper).unwrap();
    let agent = spec.build(world.graph()).unwrap();
    let mut walk =
        Trajectory::new(Field::new(world.shared_graph()), agent, setting(3, Init::Lowest)).unwrap();
    assert_eq!(walk.order(&mut ()).unwrap().path, [2, 1, 0]);
    walk.advance(1, &mut Told::new(&[1.0]), &mut ()).unwrap();
    walk.abandon();
    assert!(walk.walker().is_idle());
    assert_eq!(walk.order(&mut ()).unwrap().path, [1, 0]);
    walk.be_at(5).unwrap();
    assert_eq!(walk.order(&mut ()).unwrap().path, [4, 3, 2, 1, 0]);
    assert!(walk.be_at(6).is_err());
    assert_eq!(walk.estimates().visits(), 1);
}

#[test]
fn a_run_can_be_stopped_in_its_cover() {
    let world = some_world("line:50");
    let spec = AgentSpec::parse("g-ucb", Preset::Paper).unwrap();
    let mut agent = spec.build(world.graph()).unwrap();
    let plan = RunPlan { start: 25, ..RunPlan::new(1 << 40, 1) };
    let mut going = Run::new(&world, agent.as_mut(), &plan, SEED).unwrap();
    assert_eq!(going.step(&mut ()).unwrap(), Status::Going);
    let record = going.into_record();
    assert!(record.checkpoints.is_empty());
    assert_eq!(record.visits.iter().sum::<u64>(), 0);
}

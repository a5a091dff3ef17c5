//! Legs that agents cut while they walk.

use graph_bandit::run::run_observed;
use graph_bandit::{
    Agent, AgentSpec, AskTell, Event, Graph, Hearing, Leg, Memory, MemoryError, NodeId, Observer,
    Paid, Phase, Preset, Raised, RunPlan, Seed, SessionPlan, Situation, Stream, Visit, run,
};

/// Goes to the end of a line and stays there; cuts its leg at every `every`th visit.
#[derive(Debug, Default)]
struct Restless {
    every: u64,
    hearing: Hearing,
    visits: u64,
    plans: Vec<(u64, NodeId)>,
}

impl Agent for Restless {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.plans.push((self.visits, now.at));
        let end = now.graph.len() as NodeId - 1;
        leg.path.clear();
        leg.path.extend(now.at + 1..=end);
        leg.stay = 100;
        Ok(())
    }

    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.visits += visit.sample.count;
        Ok(())
    }

    fn hearing(&self) -> Hearing {
        self.hearing
    }

    fn cuts(&self) -> bool {
        self.visits.is_multiple_of(self.every)
    }

    fn memory(&self) -> Memory {
        Memory { values: vec![], counts: vec![self.visits] }
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        self.visits = memory.expect(0, 1)?.counts[0];
        Ok(())
    }
}

#[derive(Default)]
struct Nodes(Vec<NodeId>);

impl Observer for Nodes {
    fn hear(&mut self, _now: &Situation<'_>, event: Event<'_>) {
        if let Event::Visited(visit) = event {
            let times = visit.sample.count as usize;
            self.0.extend(std::iter::repeat_n(visit.node, times));
        }
    }
}

#[test]
fn a_cut_drops_the_rest_of_the_leg_on_the_way_and_on_a_stay() {
    let world = super::piecewise::still(&Graph::line(5).unwrap());
    let mut agent = Restless { every: 7, hearing: Hearing::EveryVisit, ..Restless::default() };
    let mut nodes = Nodes::default();
    let plan = RunPlan::new(30, 1);
    let record = run_observed(&world, &mut agent, &plan, Seed(1), &mut nodes).unwrap();
    // The cover takes 5 visits and jumps back; visit 7 is on the way, visit 14 on the stay.
    assert_eq!(nodes.0[..12], [0, 1, 2, 3, 4, 1, 2, 3, 4, 4, 4, 4]);
    assert_eq!(agent.plans, [(5, 0), (7, 2), (14, 4), (21, 4), (28, 4), (35, 4)][..5]);
    assert_eq!((record.checkpoints[0].legs, nodes.0.len()), (5, 35));
    // Nobody asks an agent that hears blocks.
    let mut deaf = Restless { every: 7, ..Restless::default() };
    run(&world, &mut deaf, &plan, Seed(1)).unwrap();
    assert_eq!(deaf.plans, [(5, 0)]);
}

/// A leg told at once, even beyond the cut, equals the same visits told one by one.
#[test]
fn a_leg_told_beyond_its_cut_still_counts() {
    let line = Graph::line(5).unwrap();
    let session = || {
        let agent = Restless { every: 7, hearing: Hearing::EveryVisit, ..Restless::default() };
        AskTell::new(line.clone(), Box::new(agent), SessionPlan::default()).unwrap()
    };
    let (mut at_once, mut one_by_one) = (session(), session());
    for round in 0..9_u32 {
        let nodes: Vec<NodeId> = at_once.ask().unwrap().nodes().take(12).collect();
        let paid: Vec<Paid> = (0_u32..)
            .zip(&nodes)
            .map(|(k, _)| Paid { reward: f64::from(k + round), took: (k % 3 == 0).then_some(2.5) })
            .collect();
        at_once.tell_leg_timed(&paid).unwrap();
        for (&node, &paid) in nodes.iter().zip(&paid) {
            one_by_one.tell(node, paid).unwrap();
        }
        let [told, expected] =
            [&at_once, &one_by_one].map(|session| serde_json::to_string(&session.state()).unwrap());
        assert_eq!(told, expected);
    }
    assert!(at_once.estimates().visits() > 14);
}

/// The detector of a long stay ends it.
#[test]
fn a_stay_ends_when_the_detector_speaks() {
    /// The longest stay after the change, and the number of stays longer than it before.
    #[derive(Default)]
    struct Stays {
        planned: Vec<u64>,
        made: Vec<u64>,
    }
    impl Observer for Stays {
        fn hear(&mut self, _now: &Situation<'_>, event: Event<'_>) {
            match event {
                Event::Planned { leg, phase: Phase::Learn } => {
                    self.planned.push(leg.visits());
                    self.made.push(0);
                }
                Event::Visited(visit) if visit.phase == Phase::Learn => {
                    *self.made.last_mut().unwrap() += visit.sample.count;
                }
                _ => {}
            }
        }
    }
    let problem = super::piecewise::pb1(5_000);
    let spec = "glr-klucb:changes=4,horizon=5000,growth=1";
    let spec = AgentSpec::parse(spec, Preset::Paper).unwrap();
    let world = problem.world();
    let mut stays = Stays::default();
    let mut agent = spec.build(world.graph()).unwrap();
    run_observed(&world, agent.as_mut(), &RunPlan::new(5_000, 1), Seed(4), &mut stays).unwrap();
    let legs = stays.planned.iter().zip(&stays.made);
    let cut: Vec<_> =
        legs.take(stays.made.len() - 1).filter(|(planned, made)| made < planned).collect();
    assert!(!cut.is_empty() && stays.planned.iter().any(|&visits| visits > 200), "{cut:?}");
}

//! The executor: what a step pays, by plain bookkeeping.

use super::{equal, members, plan, walk, world, world_on};
use graph_bandit::agent::Hearing;
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::{
    Draws, Member, Team, TeamAgent, TeamError, TeamObserver, TeamRun, TeamRunPlan, TeamSetup,
    TeamSituation,
};
use graph_bandit::{
    Estimates, Graph, Law, Leg, NodeId, Preset, Raised, RewardSpec, Road, Sample, Seed, Stream,
    Tape, TapeKind, Time, World,
};
use std::sync::Arc;

fn agent(text: &str) -> Box<dyn TeamAgent + Send> {
    TeamSpec::parse(text, Preset::Program).unwrap().build()
}

/// Listens to every draw, and otherwise does as the agent inside.
struct Listening(Box<dyn TeamAgent + Send>);

impl TeamAgent for Listening {
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        self.0.plan(now, stream, legs)
    }

    fn observe(&mut self, _now: &TeamSituation<'_>, _seen: &[Sample]) -> Result<(), Raised> {
        Ok(())
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }
}

fn shared(text: &str, members: Vec<Member>, draws: Draws) -> TeamSetup {
    let sharing = text.parse::<ShareSpec>().unwrap().sharing(members.len()).unwrap();
    TeamSetup { members, sharing: Arc::new(sharing), draws, seats: None }
}

#[test]
fn blocks_and_single_draws_have_the_same_bits() {
    for draws in [Draws::One, Draws::Own] {
        for text in ["multi-g-ucb", "multi-g-ucb:until=most", "comb-ucb", "g-star"] {
            for seed in 0..3 {
                let world = world("grid:5x6", 0.4, Seed(seed));
                let setup = shared("power:0.5", members(&world, 4, Seed(seed)), draws);
                let blocks = walk(&world, agent(text), &setup, (900, Seed(seed)));
                let single =
                    walk(&world, Box::new(Listening(agent(text))), &setup, (900, Seed(seed)));
                assert_eq!(blocks, single, "{text} {draws}");
            }
        }
    }
}

/// Counts what it hears of, and compares it with the team's own counts.
#[derive(Default)]
struct Counting {
    steps: u64,
    legs: u64,
    draws: Vec<Sample>,
}

impl TeamObserver for Counting {
    fn planned(&mut self, now: &TeamSituation<'_>) {
        assert_eq!(now.step, self.steps);
        assert!(now.idle.iter().all(|&walker| !now.posts[walker].is_idle()));
        self.legs += now.idle.len() as u64;
    }

    fn stepped(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) {
        self.steps += 1;
        assert_eq!(now.step, self.steps);
        self.draws.resize(now.graph.len(), Sample::default());
        for (walker, (post, draw)) in now.posts.iter().zip(seen).enumerate() {
            assert_eq!(draw.count, u64::from(!post.is_on_road()));
            let is_first = now.posts[..walker].iter().all(|other| other.at() != post.at());
            if draw.count > 0 && (is_first || now.draws == Draws::Own) {
                self.draws[post.at() as usize].push(draw.sum);
            }
        }
        assert_eq!(now.estimates.samples(), self.draws);
    }
}

/// Whoever watches sees every draw in its order, and the team does not notice.
#[test]
fn watching_changes_nothing() {
    for draws in [Draws::One, Draws::Own] {
        for text in ["multi-g-ucb", "comb-ucb", "g-star"] {
            let world = world("grid:5x6", 0.4, Seed(8));
            let setup = shared("power:0.5", members(&world, 4, Seed(8)), draws);
            let plan = plan(&world, &setup, 900);
            let alone = walk(&world, agent(text), &setup, (900, Seed(8)));
            for agent in [agent(text), Box::new(Listening(agent(text)))] {
                let mut run = TeamRun::new(&world, agent, (setup.clone(), &plan), Seed(8)).unwrap();
                let mut heard = Counting::default();
                run.walk_watched(&[], &mut heard).unwrap();
                assert_eq!((heard.steps, heard.legs), (900, run.team().legs_begun()));
                assert_eq!(run.into_record(), alone, "{text} {draws}");
            }
        }
    }
}

#[test]
fn checkpoints_do_not_depend_on_each_other() {
    let world = world("grid:5x5", 0.4, Seed(2));
    let setup = equal(members(&world, 3, Seed(2)));
    let few = plan(&world, &setup, 1_000);
    let mut many = few.clone();
    many.checkpoints = (1..=1_000).collect();
    let of = |plan| {
        let mut run =
            TeamRun::new(&world, agent("g-star"), (setup.clone(), plan), Seed(9)).unwrap();
        run.walk_until(&[]).unwrap();
        run.into_record().checkpoints
    };
    let (few, many) = (of(&few), of(&many));
    assert_eq!([few[0], few[1]], [many[332], many[999]]);
}

/// Reads sums of squares, or says so.
struct Reading(Box<dyn TeamAgent + Send>);

impl TeamAgent for Reading {
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        self.0.plan(now, stream, legs)
    }
}

/// On a tape of sums, squares are drawn only for agents that read them, and neither checkpoints nor
/// the lack of squares change what a team may expect.
#[test]
fn squares_are_drawn_for_those_who_read_them() {
    let world = world("geometric:40,0.3", 0.4, Seed(3));
    let setup = equal(members(&world, 5, Seed(3)));
    let few = TeamRunPlan { tape: TapeKind::Sums, ..plan(&world, &setup, 6_000) };
    let many = TeamRunPlan { checkpoints: (1..=600).map(|t| 10 * t).collect(), ..few.clone() };
    let of = |agent, plan, seed| {
        let mut run = TeamRun::new(&world, agent, (setup.clone(), plan), Seed(seed)).unwrap();
        run.walk_until(&[]).unwrap();
        let squares: Vec<f64> =
            run.estimates().samples().iter().map(|sample| sample.sum_of_squares).collect();
        let end = run.into_record().checkpoints.pop().unwrap();
        (end.regret, end.legs, end.realized_regret, squares)
    };
    let without = of(agent("multi-g-ucb"), &few, 1);
    assert!(without.3.iter().all(|squares| squares.is_nan()));
    let same = of(agent("multi-g-ucb"), &many, 1);
    assert_eq!((without.0, without.1), (same.0, same.1));
    assert!((without.2 - same.2).abs() < 1e-8);
    let reading = || Box::new(Reading(agent("multi-g-ucb")));
    assert!(of(reading(), &few, 1).3.iter().all(|squares| squares.is_finite()));
    // The same agent with and without squares: equal regret on average.
    let apart: Sample = (0..200).fold(Sample::default(), |mut apart, seed| {
        let [a, b] = [reading() as Box<dyn TeamAgent + Send>, agent("multi-g-ucb")]
            .map(|agent| of(agent, &few, 100 + seed).2);
        apart.push(a - b);
        apart
    });
    let error = (apart.variance().unwrap() / apart.n()).sqrt();
    assert!(apart.mean().abs() < 4.0 * error, "{} with error {error}", apart.mean());
    assert!(error < 20.0, "{error}");
}

/// A run on a tape of sums pays for the draws of several steps at once. It makes the same legs and sees
/// the same totals as a team that is paid after every step, and earns as much.
#[test]
fn draws_that_wait_for_payment_have_the_same_totals() {
    for noise in ["gaussian:0.3", "bernoulli", "uniform:0.2"] {
        for (draws, text) in [(Draws::One, "multi-g-ucb"), (Draws::Own, "comb-ucb")] {
            let graph = Graph::grid(5, 6).unwrap();
            let means: Vec<f64> = (0..30).map(|node| 0.2 + 0.02 * f64::from(node)).collect();
            let laws = noise.parse::<RewardSpec>().unwrap().laws(&means).unwrap();
            let world = World::new(graph, laws).unwrap();
            let setup = shared("power:0.5", members(&world, 6, Seed(5)), draws);
            let plan = TeamRunPlan { tape: TapeKind::Sums, ..plan(&world, &setup, 2_000) };
            let reading = || Box::new(Reading(agent(text)));
            let mut run = TeamRun::new(&world, reading(), (setup.clone(), &plan), Seed(6)).unwrap();
            run.walk_until(&[]).unwrap();

            let stream = Seed(6).child(graph_bandit::random::label::AGENT).stream();
            let mut team = Team::new(world.shared_graph(), reading(), setup, stream).unwrap();
            let mut payer = world.on_tape(&Tape::of_kind(Seed(6), TapeKind::Sums));
            for step in 0..2_000 {
                assert_eq!(team.advance(1, &mut payer).unwrap(), 1);
                let draws = team.estimates().visits();
                assert!(draws > step, "step {step} is paid");
            }
            assert_eq!(run.estimates(), team.estimates(), "{noise} {draws}");
            assert_eq!(run.team().legs_begun(), team.legs_begun());
            let (means, optimum) = (world.means(), plan.optimum);
            assert_eq!(run.team().regret(means, optimum), team.regret(means, optimum));
        }
    }
}

/// Steps a team and adds up what every step pays, from where the walkers are.
#[test]
fn regret_is_what_plain_bookkeeping_says() {
    let road = |from, to, time| Road { from, to, time };
    let town = [
        road(0, 1, 0.0),
        road(1, 2, 1.5),
        road(2, 3, 0.0),
        road(3, 0, 2.0),
        road(1, 0, 0.0),
        road(2, 1, 3.0),
        road(3, 2, 0.0),
    ];
    let graphs = [Graph::grid(4, 5).unwrap(), Graph::from_roads(4, town).unwrap()];
    for graph in graphs {
        let nodes = graph.len();
        let laws = (0..nodes).map(|s| Law::constant(0.2 + 0.6 * s as f64 / nodes as f64).unwrap());
        let world = World::new(graph, laws.collect()).unwrap();
        for draws in [Draws::One, Draws::Own] {
            let mut members = members(&world, 3, Seed(4));
            members[1].speed = 0.5;
            let setup = shared("log:0.7", members, draws);
            let plan = plan(&world, &setup, 400);
            let made = walk(&world, agent("g-star"), &setup, (400, Seed(1)));
            let stream = Seed(1).child(graph_bandit::random::label::AGENT).stream();
            let graph = world.shared_graph();
            let mut team = Team::new(graph, agent("g-star"), setup.clone(), stream).unwrap();
            let mut payer = world.on_tape(&Tape::new(Seed(1)));
            let mut earned = 0.0;
            for _ in 0..400 {
                team.plan().unwrap();
                let before = team.step();
                assert_eq!(team.advance(1, &mut payer).unwrap(), 1);
                assert_eq!(team.step(), before + 1);
                let mut there = vec![0; nodes];
                for post in team.posts().iter().filter(|post| !post.is_on_road()) {
                    there[post.at() as usize] += 1;
                }
                let pay = |(node, count): (usize, &usize)| {
                    setup.sharing.multiple(node as NodeId, *count) * world.means()[node]
                };
                earned += there.iter().enumerate().map(pay).sum::<f64>();
            }
            let end = made.checkpoints[1];
            assert!((end.regret - (400.0 * plan.optimum - earned)).abs() < 1e-9);
            assert!((end.realized_regret - end.regret).abs() < 1e-9, "no noise");
        }
    }
}

/// Sends everybody to node 1, for long.
struct ToOne;

impl TeamAgent for ToOne {
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        _stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        for &walker in now.idle {
            legs[walker] = Leg { path: vec![1], stay: 100 };
        }
        Ok(())
    }
}

#[test]
fn a_road_takes_its_time_at_the_walker_s_speed() {
    let road = |from, to| Road { from, to, time: 3.0 };
    let graph = Graph::from_roads(2, [road(0, 1), road(1, 0)]).unwrap();
    let laws = vec![Law::constant(0.0).unwrap(), Law::constant(1.0).unwrap()];
    let world = World::new(graph, laws).unwrap();
    // A road of 3 units takes 3 steps at speed 1, 6 at speed 0.5 and 2 at speed 2, and then one
    // step for the visit.
    for (speed, steps) in [(1.0, 4), (0.5, 7), (2.0, 3)] {
        let setup = equal(vec![Member { speed, ..Member::at(0) }]);
        let mut team = Team::new(world.shared_graph(), ToOne, setup, Seed(0).stream()).unwrap();
        let mut payer = world.on_tape(&Tape::new(Seed(0)));
        while team.estimates().visits() == 0 {
            team.plan().unwrap();
            assert_eq!(team.posts()[0].steps_left(world.graph()), steps + 100 - team.step());
            team.advance(u64::MAX, &mut payer).unwrap();
        }
        assert_eq!(team.step(), steps, "{speed}");
    }
}

#[test]
fn illegal_legs_name_their_walker() {
    struct Sends(Vec<NodeId>);
    impl TeamAgent for Sends {
        fn plan(
            &mut self,
            now: &TeamSituation<'_>,
            _stream: &mut Stream,
            legs: &mut [Leg],
        ) -> Result<(), Raised> {
            for &walker in now.idle {
                legs[walker] = Leg { path: vec![], stay: 1 };
            }
            legs[1].path.clone_from(&self.0);
            legs[1].stay = 0;
            Ok(())
        }
    }
    let graph = Arc::new(Graph::line(4).unwrap());
    let allowed = Some(Arc::new(vec![true, true, true, false]));
    let members = vec![Member::at(0), Member { allowed, ..Member::at(2) }];
    let complaint = |path: &[NodeId]| {
        let setup = equal(members.clone());
        let agent = Sends(path.to_vec());
        let mut team = Team::new(Arc::clone(&graph), agent, setup, Seed(0).stream()).unwrap();
        team.plan().unwrap_err()
    };
    let text = complaint(&[0]).to_string();
    assert!(text.starts_with("walker 1: the agent's leg steps from node 2 to node 0"), "{text}");
    assert_eq!(complaint(&[3]), TeamError::Forbidden { walker: 1, node: 3 });
    assert!(complaint(&[]).to_string().starts_with("walker 1: the agent's leg on node 2 is empty"));
    assert!(complaint(&[9]).to_string().contains("to node 9"));
}

#[test]
fn shared_draws_count_once_and_own_draws_count_each() {
    let world = world_on(Graph::line(1).unwrap(), 0.1, Seed(1));
    let visits = |draws| {
        let setup = shared("power:1", vec![Member::at(0); 3], draws);
        let mut team =
            Team::new(world.shared_graph(), agent("g-star"), setup, Seed(0).stream()).unwrap();
        let mut payer = world.on_tape(&Tape::new(Seed(3)));
        while team.step() < 10 {
            team.advance(10 - team.step(), &mut payer).unwrap();
        }
        let mut by_hand = Estimates::new(1);
        for k in 0..team.estimates().visits() {
            let seed = Tape::new(Seed(3)).node(0);
            by_hand.push(0, world.law(0).draw(seed, k, Time(0.0)).unwrap());
        }
        assert_eq!(team.estimates(), &by_hand);
        by_hand.visits()
    };
    assert_eq!((visits(Draws::One), visits(Draws::Own)), (10, 30));
}

/// Roads that take time or run one way, and walkers of different speeds: episodes stay common, and
/// every node is seen.
#[test]
fn agents_that_plan_together_walk_roads() {
    let road = |from, to, time| Road { from, to, time };
    let ring =
        vec![road(0, 1, 0.0), road(1, 2, 3.0), road(2, 0, 0.0), road(0, 3, 5.0), road(3, 0, 1.0)];
    let pairs = [(0, 1, 0.0), (1, 2, 3.0), (2, 3, 0.0), (3, 4, 5.0), (4, 5, 1.0), (5, 0, 2.0)];
    let both_ways =
        pairs.iter().flat_map(|&(a, b, time)| [road(a, b, time), road(b, a, time)]).collect();
    for roads in [ring, both_ways] {
        let nodes = 1 + roads.iter().map(|road: &Road| road.to).max().unwrap() as usize;
        let graph = Graph::from_roads(nodes, roads).unwrap();
        let world = world_on(graph, 0.2, Seed(1));
        let mut members = vec![Member::at(0); 3];
        members[1].speed = 0.4;
        let setup = equal(members);
        for text in ["multi-g-ucb", "multi-g-ucb:until=median", "comb-ucb"] {
            for preset in [Preset::Paper, Preset::Program] {
                let agent = TeamSpec::parse(text, preset).unwrap().build();
                let record = walk(&world, agent, &setup, (2_000, Seed(1)));
                assert!(record.visits.iter().all(|visits| *visits > 0), "{text}");
                let late = record.checkpoints[1].regret / 2_000.0;
                assert!(late < 0.5 * plan(&world, &setup, 2_000).optimum, "{text}: {late}");
            }
        }
    }
}

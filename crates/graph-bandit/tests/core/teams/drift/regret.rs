//! Regret where means change, against an oracle that tries every allocation in every step.

use super::super::{equal, members, world_on};
use super::{changing, team_agent};
use graph_bandit::spec::ShareSpec;
use graph_bandit::team::{
    BestStatic, BestStaticError, Draws, EarnedOverTime, Sharing, TeamObserver, TeamRun,
    TeamRunError, TeamRunPlan, TeamSetup, TeamSituation,
};
use graph_bandit::{
    ClosureRates, Closures, Course, Graph, Law, NodeId, OwnLaw, Raised, RegretFrom, Road, Sample,
    Seed, Tape, TapeKind, Time, Timetable, Travel, World,
};
use std::sync::Arc;

/// The best of all ways to put the walkers on nodes, tried one by one.
fn brute_force(sharing: &Sharing, means: &[f64], left: usize, node: usize) -> f64 {
    if node == means.len() {
        return if left == 0 { 0.0 } else { f64::NEG_INFINITY };
    }
    let on_it = |count: usize| {
        let paid = sharing.multiple(node as NodeId, count) * means[node];
        paid + brute_force(sharing, means, left - count, node + 1)
    };
    (0..=left).map(on_it).fold(f64::NEG_INFINITY, f64::max)
}

/// Where everybody was in each step, and what they drew.
#[derive(Default)]
struct Steps(Vec<(Vec<Option<NodeId>>, Vec<Sample>)>);

impl TeamObserver for Steps {
    fn planned(&mut self, _now: &TeamSituation<'_>) {}

    fn stepped(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) {
        let at = now.posts.iter().map(|post| (!post.is_on_road()).then(|| post.at()));
        self.0.push((at.collect(), seen.to_vec()));
    }
}

fn plan(steps: u64, regret_from: RegretFrom) -> TeamRunPlan {
    TeamRunPlan {
        steps,
        checkpoints: vec![1, steps / 3, steps],
        regret_from,
        tape: TapeKind::OneByOne,
        optimum: f64::NAN,
        against: None,
    }
}

/// Compares a run with the oracle, and with the same run that nobody watches.
fn check(world: &World, agent: &str, setup: &TeamSetup, (from, seed): (RegretFrom, Seed)) {
    let (steps, plan) = (600, plan(600, from));
    let begin = || TeamRun::new(world, team_agent(agent), (setup.clone(), &plan), seed).unwrap();
    let (mut run, mut steps_made) = (begin(), Steps::default());
    run.walk_watched(&[], &mut steps_made).unwrap();
    let mut unwatched = begin();
    unwatched.walk_until(&[]).unwrap();
    let record = run.into_record();
    assert_eq!(record, unwatched.into_record(), "{agent}: watching changes nothing");

    let steps_made = steps_made.0;
    let covered = steps_made.len() - steps;
    assert_eq!(covered as u64, record.init.steps);
    let (mut counts, mut next) = (vec![0; world.graph().len()], 0);
    let tape = Tape::new(seed);
    let (mut best, mut expected, mut reward) = (0.0, 0.0, 0.0);
    for (step, (at, seen)) in steps_made.iter().enumerate() {
        // Before the window, the first means hold.
        let now = Time(step as f64 - covered as f64);
        if step == covered {
            assert!((record.init.regret - (best - expected)).abs() < 1e-7 || covered == 0);
            (best, expected, reward) = (0.0, 0.0, 0.0);
        }
        let means: Vec<f64> = world.graph().nodes().map(|node| world.mean_at(node, now)).collect();
        best += brute_force(&setup.sharing, &means, setup.walkers(), 0);
        for node in world.graph().nodes() {
            let there: Vec<usize> =
                (0..at.len()).filter(|&walker| at[walker] == Some(node)).collect();
            let Some(&first) = there.first() else { continue };
            let share = setup.sharing.multiple(node, there.len());
            expected += share * means[node as usize];
            let drawn = if setup.draws == Draws::One { &there[..1] } else { &there[..] };
            for &walker in drawn {
                let k = &mut counts[node as usize];
                let draw = world.law(node).draw(tape.node(node), *k, now).unwrap();
                assert_eq!(seen[walker].sum.to_bits(), draw.to_bits(), "step {step}");
                *k += 1;
                reward += share / drawn.len() as f64 * draw;
            }
            assert_eq!(seen[first].count, 1);
        }
        if step + 1 - covered.min(step + 1)
            == plan.checkpoints.get(next).copied().unwrap_or(0) as usize
            && step >= covered
        {
            let point = record.checkpoints[next];
            assert!((point.regret - (best - expected)).abs() < 1e-7, "{agent} at {}", point.t);
            assert!((point.reward - reward).abs() < 1e-7, "{agent} at {}", point.t);
            assert!((point.realized_regret - (best - reward)).abs() < 1e-7);
            next += 1;
        }
    }
    assert_eq!(next, 3);
}

#[test]
fn regret_is_against_the_best_allocation_of_every_step() {
    for (means, graph) in [
        ("redrawn:0.5,9.5,40", Graph::line(4).unwrap()),
        ("one-at-a-time:-1,1,9", Graph::star(4).unwrap()),
        ("seasons:0.5,1,0.4,90", Graph::circle(4).unwrap()),
    ] {
        for (share, draws) in
            [("equal", Draws::One), ("capacity:2", Draws::Own), ("power:1.5", Draws::Own)]
        {
            for from in [RegretFrom::Start, RegretFrom::Cover] {
                let world = changing(graph.clone(), means, (0.3, Seed(4)));
                let sharing = Arc::new(share.parse::<ShareSpec>().unwrap().sharing(3).unwrap());
                let members = members(&world, 3, Seed(4));
                let setup = TeamSetup { sharing, draws, ..equal(members) };
                for agent in ["g-drift", "g-star", "multi-g-ucb"] {
                    check(&world, agent, &setup, (from, Seed(9)));
                }
            }
        }
    }
}

#[test]
fn also_on_roads_with_walkers_of_different_speed() {
    let roads =
        (0..4).flat_map(|from| {
            [(from, (from + 1) % 4, 2.0), ((from + 1) % 4, from, 1.0)]
                .map(|(from, to, time)| Road { from, to, time })
        });
    let world = changing(Graph::from_roads(4, roads).unwrap(), "redrawn:1,5,50", (0.2, Seed(1)));
    let mut setup = equal(members(&world, 2, Seed(1)));
    setup.members[1].speed = 0.5;
    check(&world, "g-drift", &setup, (RegretFrom::Start, Seed(3)));
}

/// Your own law, whose mean may change at any moment.
#[derive(Debug)]
struct Rising;

impl OwnLaw for Rising {
    fn draw(&self, _tape: Seed, _visit: u64, at: Time) -> Result<f64, Raised> {
        Ok(self.mean(at))
    }

    fn mean(&self, at: Time) -> f64 {
        0.01 * at.0
    }

    fn course(&self) -> Course {
        Course::Changing
    }

    fn variance(&self) -> f64 {
        0.0
    }

    fn sub_gaussian_scale(&self) -> f64 {
        0.0
    }
}

#[test]
fn also_with_your_own_laws_that_change() {
    let laws = vec![
        Law::constant(1.0).unwrap(),
        Law::own(Arc::new(Rising)).unwrap(),
        Law::constant(0.5).unwrap(),
    ];
    let world = World::new(Graph::line(3).unwrap(), laws).unwrap();
    for draws in [Draws::One, Draws::Own] {
        let sharing = Arc::new("capacity:2".parse::<ShareSpec>().unwrap().sharing(2).unwrap());
        let setup = TeamSetup { draws, sharing, ..equal(members(&world, 2, Seed(1))) };
        check(&world, "g-drift", &setup, (RegretFrom::Start, Seed(3)));
    }
}

#[test]
fn stretches_are_as_long_as_means_hold() {
    let world = changing(Graph::line(4).unwrap(), "redrawn:0,1,100,regular", (0.1, Seed(1)));
    let mut earned = EarnedOverTime::new(&world, &equal(members(&world, 2, Seed(1))));
    assert_eq!(earned.steady_steps(&world, Time(0.0)).unwrap(), 100);
    assert_eq!(earned.steady_steps(&world, Time(130.0)).unwrap(), 70);
    let world = changing(Graph::line(4).unwrap(), "seasons:0,1,0.2,50", (0.1, Seed(1)));
    assert_eq!(world.timetable().unwrap().period(), Some(50));
    let mut earned = EarnedOverTime::new(&world, &equal(members(&world, 2, Seed(1))));
    assert_eq!(earned.steady_steps(&world, Time(7.0)).unwrap(), 1);
}

#[test]
fn what_teams_cannot_have_is_refused_with_what_to_do() {
    let world = || world_on(Graph::line(4).unwrap(), 0.3, Seed(1));
    let refused = |world: &World, tape| {
        let setup = equal(members(world, 2, Seed(1)));
        let plan = TeamRunPlan { tape, ..plan(100, RegretFrom::Start) };
        let run = TeamRun::new(world, team_agent("g-drift"), (setup, &plan), Seed(1));
        run.err().unwrap()
    };
    let rates = ClosureRates::new(0.1, 0.5).unwrap();
    let closing = world().with_closures(Closures::All(rates)).unwrap();
    let error = refused(&closing, TapeKind::OneByOne);
    assert_eq!(error, TeamRunError::RoadsClose);
    assert!(error.to_string().contains("leave closures out"));
    let noisy = world().with_travel(Travel::noisy(0.5).unwrap()).unwrap();
    let error = refused(&noisy, TapeKind::OneByOne);
    assert_eq!(error, TeamRunError::TimesDiffer);
    assert!(error.to_string().contains("leave travel noise out"));
    let changing = changing(Graph::line(4).unwrap(), "redrawn:0,1,100", (0.1, Seed(1)));
    assert_eq!(refused(&changing, TapeKind::Sums), TeamRunError::SumsOverTime);
}

/// The run ends where the mean becomes negative, and the error says which one, when, and what to do.
#[test]
fn a_negative_mean_of_a_confined_team_is_named() {
    let rows = [(0.0, vec![0.5, 1.0, 0.2]), (40.0, vec![0.5, 1.0, -0.25]), (80.0, vec![1.0; 3])];
    let table = Timetable::of_rows(&rows).unwrap();
    assert_eq!(table.first_negative(), Some((Time(40.0), 2, -0.25)));
    let names = ["hall", "attic", "yard"].map(str::to_owned).to_vec();
    let graph = Graph::line(3).unwrap().with_names(names).unwrap();
    let world = world_on(graph, 0.3, Seed(1)).with_timetable(table).unwrap();
    let mut setup = equal(members(&world, 2, Seed(1)));
    let ends = |setup: &TeamSetup| {
        let plan = plan(100, RegretFrom::Start);
        let run = TeamRun::new(&world, team_agent("g-drift"), (setup.clone(), &plan), Seed(1));
        run.unwrap().walk_until(&[])
    };
    assert!(ends(&setup).is_ok());
    setup.members[0].allowed = Some(Arc::new(vec![true; 3]));
    let error = ends(&setup).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the mean of node yard is -0.25 at moment 40, but with walkers that are confined to some nodes, the best \
         static allocation is known only for means of at least 0; let all walkers go everywhere, or raise the means"
    );
    // Without changes there is no moment, and without names the number counts.
    let error = BestStatic::new(&setup).value(&[0.5, -1.0, -2.0]).unwrap_err();
    assert!(error.to_string().starts_with("the mean of node 1 is -1, but"), "{error}");
    setup.sharing = Arc::new("power:2".parse::<ShareSpec>().unwrap().sharing(2).unwrap());
    assert_eq!(BestStatic::new(&setup).value(&[0.5; 3]), Err(BestStaticError::Shares));
}

#[test]
fn the_first_negative_mean_of_seasons_is_that_of_a_unit() {
    let world = changing(Graph::line(4).unwrap(), "seasons:0,1,1.5,40", (0.1, Seed(1)));
    let table = world.timetable().unwrap();
    let (at, node, mean) = table.first_negative().unwrap();
    assert!(mean < 0.0 && mean == table.mean(node, at), "{at:?} {node} {mean}");
    let before = (0..at.0 as u64).flat_map(|unit| (0..4).map(move |node| (unit, node)));
    assert!(before.into_iter().all(|(unit, node)| table.mean(node, Time(unit as f64)) >= 0.0));
    let above = changing(Graph::line(4).unwrap(), "seasons:2,3,1.5,40", (0.1, Seed(1)));
    assert_eq!(above.timetable().unwrap().first_negative(), None);
}

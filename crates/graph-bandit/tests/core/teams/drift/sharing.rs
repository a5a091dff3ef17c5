//! What walkers of one team do for each other when means change.

use super::super::{equal, members};
use super::{changing, team_agent};
use graph_bandit::team::agents::Independent;
use graph_bandit::team::{Draws, TeamAgent, TeamObserver, TeamRun, TeamRunPlan, TeamSituation};
use graph_bandit::{AgentSpec, Graph, Init, Preset, RegretFrom, Sample, Seed, TapeKind, World};

/// Legs for one visit, and those of them to a node where another walker is or is going.
#[derive(Default)]
struct Looks {
    all: usize,
    doubled: usize,
}

impl TeamObserver for Looks {
    fn planned(&mut self, now: &TeamSituation<'_>) {
        for &walker in now.idle {
            let post = &now.posts[walker];
            let node = post.destination();
            if post.ahead().is_empty() || post.stay() > 0 || now.estimates.count(node) == 0 {
                continue;
            }
            // Those who are planned after it may still come here to stay.
            let others = (0..now.walkers()).filter(|other| !now.idle.contains(other));
            let is_there = |other: usize| now.posts[other].destination() == node;
            self.all += 1;
            self.doubled += usize::from(others.into_iter().any(is_there));
        }
    }

    fn stepped(&mut self, _now: &TeamSituation<'_>, _seen: &[Sample]) {}
}

fn regret(
    world: &World,
    agent: Box<dyn TeamAgent + Send>,
    (walkers, seed): (usize, Seed),
    looks: &mut Looks,
) -> f64 {
    let steps = 6_000;
    let plan = TeamRunPlan {
        steps,
        checkpoints: vec![steps],
        regret_from: RegretFrom::Start,
        tape: TapeKind::OneByOne,
        optimum: f64::NAN,
        against: None,
    };
    let setup = equal(members(world, walkers, seed));
    assert_eq!(setup.draws, Draws::One);
    let mut run = TeamRun::new(world, agent, (setup, &plan), seed).unwrap();
    run.walk_watched(&[], looks).unwrap();
    run.into_record().checkpoints[0].regret
}

/// Less regret than g-star's, much less than that of walkers by themselves, and no look is made twice.
#[test]
fn teams_that_follow_changes_have_less_regret() {
    for (means, walkers, part) in
        [("redrawn:0.5,9.5,1500", 2, 0.5), ("moving-best:0.5,9.5,1200", 3, 0.9)]
    {
        let (mut drift, mut star, mut apart) = (0.0, 0.0, 0.0);
        let mut looks = Looks::default();
        for seed in 0..6 {
            let graph = Graph::grid(6, 6).unwrap();
            let world = changing(graph, means, (0.5, Seed(seed)));
            let who = (walkers, Seed(seed));
            let alone = |_| {
                let spec = AgentSpec::parse("g-drift", Preset::Paper).unwrap();
                spec.build(world.graph()).unwrap()
            };
            let alone = Independent::new((0..walkers).map(alone).collect(), Init::default());
            drift += regret(&world, team_agent("g-drift"), who, &mut looks);
            star += regret(&world, team_agent("g-star"), who, &mut Looks::default());
            apart += regret(&world, Box::new(alone), who, &mut Looks::default());
        }
        assert!(drift < part * star && drift < 0.2 * apart, "{means}: {drift}, {star}, {apart}");
        assert!(looks.all > 20 && looks.doubled == 0, "{} of {}", looks.doubled, looks.all);
    }
}

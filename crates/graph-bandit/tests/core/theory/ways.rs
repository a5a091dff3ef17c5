//! Theorem 2: how many ways there are, and what bad episodes cost.

use super::episodes::{Episode, bernoulli, each_case, episodes};
use super::frontier::gaussian;
use graph_bandit::theory::{GapBound, longest_path};
use graph_bandit::{Graph, Law, RunPlan, Seed, World};

/// The clean episodes of a run that travel, by the cases of the proof.
#[derive(Default)]
struct Ways {
    /// (a): to a worse node.
    away: f64,
    /// (b): to the best node after a clean episode to another.
    back: f64,
    /// (c): to the best node after a bad episode.
    after_bad: f64,
    /// (d): to the best node as the first episode.
    first: f64,
    /// All bad episodes.
    bad: f64,
    /// The most nodes between the ends of a way.
    longest: usize,
}

fn ways(world: &World, episodes: &[Episode]) -> Ways {
    let mut ways = Ways::default();
    let mut before: Option<&Episode> = None;
    for episode in episodes {
        let is_clean = episode.is_clean(world, 1.0);
        ways.bad += f64::from(u8::from(!is_clean));
        let hops = episode.leg.path.len();
        if is_clean && hops > 0 {
            ways.longest = ways.longest.max(hops - 1);
            let kind = if world.gap(episode.destination()) > 0.0 {
                &mut ways.away
            } else {
                match before {
                    None => &mut ways.first,
                    Some(before) if before.is_clean(world, 1.0) => &mut ways.back,
                    Some(_) => &mut ways.after_bad,
                }
            };
            *kind += 1.0;
        }
        before = Some(episode);
    }
    ways
}

#[test]
fn ways_are_as_few_as_theorem_2_counts() {
    let (mut closest, mut longest, mut cases) = ([0.0_f64; 2], 0.0_f64, 0);
    let mut check = |world: &World, plan: &RunPlan, seed: Seed| {
        if world.gaps().iter().filter(|&&gap| gap == 0.0).count() > 1 {
            return;
        }
        for agent in ["g-ucb", "direct-sp"] {
            let episodes = episodes(world, agent, plan, seed);
            let init_steps = episodes[0].start();
            let most = longest_path(world.graph());
            let bound =
                GapBound { gaps: world.gaps(), longest_path: most, steps: plan.steps, init_steps };
            let worse = world.gaps().iter().copied().filter(|&gap| gap > 0.0);
            let visits: f64 = worse.map(|gap| bound.episodes(gap)).sum();
            let ways = ways(world, &episodes);
            assert!(ways.away <= visits + 1e-9);
            assert!(ways.back <= visits + 1e-9);
            assert!(ways.first <= 1.0 && ways.after_bad <= ways.bad);
            assert!(ways.longest <= most.saturating_sub(1));
            if visits > 0.0 {
                cases += 1;
                closest[0] = closest[0].max(ways.away / visits);
                closest[1] = closest[1].max((ways.away + ways.back) / (2.0 * visits));
            }
            if most > 1 {
                longest = longest.max(ways.longest as f64 / (most - 1) as f64);
            }
        }
    };
    each_case(&mut check);
    // A gap that takes long to resolve, so that one visit more or less does not matter.
    let laws = [0.5, 0.52].map(|mean| Law::constant(mean).unwrap());
    let close = World::new(Graph::line(2).unwrap(), laws.into()).unwrap();
    check(&close, &RunPlan::new(1_000_000, 1), Seed(701));
    assert!(cases > 150, "{cases}");
    assert!(closest[0] > 0.75 && closest[1] > 0.7, "{closest:?}");
    assert_eq!(longest, 1.0, "some way has L - 1 nodes between its ends");
}

/// The mean total length of the episodes that begin with a mean beyond `factor` times its radius.
fn length_of_bad_episodes(world: &World, factor: f64, (steps, runs): (u64, u64)) -> f64 {
    let mut total = 0;
    for run in 0..runs {
        let plan = RunPlan::new(steps, 1);
        let episodes = episodes(world, "g-ucb", &plan, Seed(702).child(run));
        let bad = episodes.iter().filter(|episode| !episode.is_clean(world, factor));
        total += bad.map(|episode| episode.leg.visits()).sum::<u64>();
    }
    total as f64 / runs as f64
}

#[test]
fn bad_episodes_cost_at_most_eight_steps() {
    // The first episode on a single node begins with a radius of zero, so it is always bad: an
    // eighth of the bound. No nearer world is known: Hoeffding's inequality and the union over
    // counts are far from equality at every later t.
    let single = bernoulli(Graph::line(1).unwrap(), &[0.5]);
    assert_eq!(length_of_bad_episodes(&single, 1.0, (10_000, 20)), 1.0);
    let two = gaussian(Graph::line(2).unwrap(), &[0.5, 0.25], 0.5);
    let length = length_of_bad_episodes(&two, 1.0, (10_000, 4_000));
    assert!(length > 0.01 && length <= 8.0, "{length}");
    // The series must converge: with smaller radii it does not, and the bound breaks.
    let narrow = length_of_bad_episodes(&two, 0.3, (10_000, 400));
    assert!(narrow > 8.0, "{narrow}");
}

//! Theorem 9: Multi-G-UCB's episodes and regret against the bounds with their constants.
//!
//! The tests run Multi-G-UCB on 400 random teams (1 to 9 nodes, 1 to 6 walkers, shares of five
//! kinds, up to 4,000 steps) and on instances made to come close:
//!
//! | bound | closest | where |
//! |---|--:|---|
//! | episodes | 97%, 94% | random teams; four equal nodes |
//! | steps of initialization | 100% | the hub of a star |
//! | transitions | 33% | random teams |
//! | `2 sum f_k(c_k) b_k`, clean steps | 57% | random teams; only 2 of 5,045 clean episodes are above half |
//! | exploitation, sum of `2 s_e sum f_k(c_k) b_k` | 90%, 91% | six equal nodes, `f(c) = c` and `f = 1` |
//! | exploitation, mean regret | 9% to 10% | eight nodes, one slightly better, `T` from 10^4 to 10^7 |
//! | Theorem 9, mean regret | 9% | the same, `T = 10^6`; here the bound is 17% of the worst possible regret |
//! | Theorem 9, mean regret | 0.002% to 0.7% | 16 small teams with large gaps, `T = 10^6` |
//!
//! In the case of eight nodes, claim 12 as printed (with `sqrt(N K)` and `log T`, and the constant
//! of the corrected form) is too small by a factor of 2.3 at `T = 10^4` and 53 at `T = 10^7`. The
//! frequency of bad episodes at each `t` is within the bound on `P(B_t)`; with half the radius it
//! is not.
//!
//! # What is loose or missing
//!
//! - *Size.* On the sequel's own instances the theorem is not informative. With 300 nodes and 20
//!   walkers (`D = 4`, `T = 150,000`) the bound is 3.5 million, but regret is at most 2.2 million:
//!   the optimum times `T`. It is informative from about `T = 380,000` on; with 100 nodes and 5
//!   walkers (`D = 6`, `T = 10,000`), from about 120,000 on. (For the larger one we take the
//!   optimum from the means, 14.69304 per step, not the stated 14.68034.)
//! - *Preset `program`.* Theorem 9 does not cover it. This preset does not compute the radius of a
//!   node again until that node makes a draw, so `P(B_t)` bounds nothing there, and its paths may
//!   have more than `D` hops.
//! - *Own draws, roads, nodes that are not allowed.* With one draw per walker, properties 1 and 5
//!   change. We state nothing for these.
//! - *By gaps.* There is no counterpart of Theorem 2, and no lower bound for teams.
//! - *Expected cost of bad episodes.* Tests check their frequency, not the last term of the theorem
//!   by itself.

use super::episodes::bernoulli;
use crate::support::instances::{graph, sixteenths};
use graph_bandit::spec::TeamSpec;
use graph_bandit::team::planning::{Seats, best_allocation};
use graph_bandit::team::{Draws, Member, Post, Sharing, Team, TeamSetup};
use graph_bandit::theory::{
    TeamBound, bad_event_probability, confidence_radius, exploitation_step_bound,
};
use graph_bandit::{Estimates, Graph, Law, NodeId, Preset, Seed, Stream, Tape, TapeKind, World};
use std::sync::Arc;

/// A team in a world, for some steps.
struct Case {
    world: World,
    sharing: Arc<Sharing>,
    starts: Vec<NodeId>,
    steps: u64,
    tape: TapeKind,
}

/// An episode as planned, and what the steps of it until `T` cost.
struct Episode {
    /// `t_e`.
    start: u64,
    before: Estimates,
    /// The hops of each walker.
    hops: Vec<u64>,
    /// The steps of each walker.
    lengths: Vec<u64>,
    /// The chosen nodes and the number of walkers on each.
    counts: Vec<(NodeId, u32)>,
    exploited: u64,
    exploitation_regret: f64,
}

impl Episode {
    fn transition(&self) -> u64 {
        self.hops.iter().copied().max().unwrap()
    }

    /// `n_min`.
    fn fewest_draws(&self) -> u64 {
        self.counts.iter().map(|&(node, _)| self.before.count(node)).min().unwrap()
    }

    fn radii(&self) -> Vec<f64> {
        let counts = self.before.samples().iter().map(|sample| sample.count);
        counts.map(|n| confidence_radius(self.start, n)).collect()
    }

    /// Whether every mean is within `factor` times its radius.
    fn is_clean(&self, world: &World, factor: f64) -> bool {
        let off = |s: NodeId| (self.before.sample(s).mean() - world.mean(s)).abs();
        self.radii().iter().zip(world.graph().nodes()).all(|(b, s)| off(s) <= factor * b)
    }
}

/// A run, with its regret by phase.
#[derive(Default)]
struct Walked {
    /// `t_1`.
    init_steps: u64,
    init_regret: f64,
    transition_regret: f64,
    episodes: Vec<Episode>,
}

impl Walked {
    fn exploitation_regret(&self) -> f64 {
        self.episodes.iter().map(|episode| episode.exploitation_regret).sum()
    }

    fn regret(&self) -> f64 {
        self.init_regret + self.transition_regret + self.exploitation_regret()
    }
}

/// The nodes of a list and how often each is in it, ascending.
fn counted(places: impl Iterator<Item = NodeId>) -> Vec<(NodeId, u32)> {
    let mut places: Vec<NodeId> = places.collect();
    places.sort_unstable();
    let groups = places.chunk_by(|a, b| a == b);
    groups.map(|group| (group[0], group.len() as u32)).collect()
}

impl Case {
    fn bound(&self) -> TeamBound {
        TeamBound::of(self.world.graph(), &self.sharing, self.steps)
    }

    fn earned(&self, counts: &[(NodeId, u32)]) -> f64 {
        let of_node = |&(node, count): &(NodeId, u32)| {
            self.sharing.multiple(node, count as usize) * self.world.mean(node)
        };
        counts.iter().map(of_node).sum()
    }

    fn optimum(&self) -> f64 {
        best_allocation(&self.sharing, self.world.means(), Seats::Unlimited).unwrap().value
    }

    fn walk(&self, agent: &str, seed: Seed) -> Walked {
        let setup = TeamSetup {
            members: self.starts.iter().map(|&start| Member::at(start)).collect(),
            sharing: Arc::clone(&self.sharing),
            draws: Draws::One,
            seats: None,
        };
        let agent = TeamSpec::parse(agent, Preset::Paper).unwrap().build();
        let stream = seed.child(1).stream();
        let mut team = Team::new(self.world.shared_graph(), agent, setup, stream).unwrap();
        let mut payer = self.world.on_tape(&Tape::of_kind(seed, self.tape));
        let optimum = self.optimum();
        let mut walked = Walked::default();
        while team.step() < self.steps {
            if team.posts().iter().all(Post::is_idle) {
                let before = team.estimates().clone();
                team.plan().unwrap();
                if before.samples().iter().all(|sample| sample.count > 0) {
                    let posts = team.posts();
                    let hops = |post: &Post| post.ahead().len() as u64;
                    walked.episodes.push(Episode {
                        start: team.step(),
                        hops: posts.iter().map(hops).collect(),
                        lengths: posts.iter().map(|post| hops(post) + post.stay()).collect(),
                        counts: counted(posts.iter().map(Post::destination)),
                        before,
                        exploited: 0,
                        exploitation_regret: 0.0,
                    });
                }
            }
            let is_transition = team.posts().iter().any(Post::is_moving);
            let made = team.advance(self.steps - team.step(), &mut payer).unwrap();
            let counts = counted(team.posts().iter().map(Post::at));
            let regret = made as f64 * (optimum - self.earned(&counts));
            match walked.episodes.last_mut() {
                None => {
                    walked.init_steps += made;
                    walked.init_regret += regret;
                }
                Some(_) if is_transition => walked.transition_regret += regret,
                Some(episode) => {
                    assert_eq!(counts, episode.counts, "everybody is where it was sent");
                    episode.exploited += made;
                    episode.exploitation_regret += regret;
                }
            }
        }
        walked
    }
}

/// Shares of every kind: none falls, and many are not concave.
fn shares(stream: &mut Stream, walkers: usize, nodes: usize) -> Sharing {
    match stream.below(5) {
        0 => Sharing::equal(walkers),
        1 => Sharing::same(walkers, |c| c as f64).unwrap(),
        2 => Sharing::same(walkers, |c| c.min(2) as f64).unwrap(),
        3 => Sharing::same(walkers, |c| (c * c) as f64).unwrap(),
        _ => {
            let mut row = || {
                let mut share = 1.0;
                let mut next = || {
                    share += stream.below(9) as f64 / 4.0;
                    share
                };
                let more: Vec<f64> = (1..walkers).map(|_| next()).collect();
                [vec![1.0], more].concat()
            };
            let rows: Vec<_> = (0..nodes).map(|_| row()).collect();
            Sharing::by_node(walkers, nodes, &rows).unwrap()
        }
    }
}

/// Random teams on random graphs.
fn each_case(mut hear: impl FnMut(&Case, Seed)) {
    let mut stream = Seed(901).stream();
    for case in 0..400 {
        let nodes = 1 + stream.below(9);
        let graph = match case % 8 {
            0 => Graph::complete(nodes as usize).unwrap(),
            1 => Graph::line(nodes as usize).unwrap(),
            _ => graph(&mut stream, nodes, nodes),
        };
        let walkers = 1 + stream.below(6) as usize;
        let means = sixteenths(&mut stream, nodes);
        let world = if stream.below(4) == 0 {
            // Means in [0, 1] and noise of scale 1/2 are enough.
            let law = |&mean: &f64| Law::gaussian(mean, 0.5).unwrap();
            World::new(graph, means.iter().map(law).collect()).unwrap()
        } else {
            bernoulli(graph, &means)
        };
        let case = Case {
            world,
            sharing: Arc::new(shares(&mut stream, walkers, nodes as usize)),
            starts: (0..walkers).map(|_| stream.below(nodes) as NodeId).collect(),
            steps: [1, 37, 500, 4000][stream.below(4) as usize],
            tape: TapeKind::OneByOne,
        };
        hear(&case, Seed(902).child(stream.below(1 << 40)));
    }
}

const AGENT: &str = "multi-g-ucb";

#[test]
fn episodes_are_as_the_proof_needs_them() {
    let mut beyond = 0;
    each_case(|case, seed| {
        let walked = case.walk(AGENT, seed);
        let diameter = u64::from(case.world.graph().diameter());
        let nodes = case.world.graph().nodes();
        let most_draws = case.starts.len().min(case.world.graph().len()) as u64;
        for episode in &walked.episodes {
            assert!(nodes.clone().all(|s| episode.before.count(s) <= episode.start), "n_k <= t_e");
            assert!(episode.before.visits() <= most_draws * episode.start);
            assert!(episode.transition() <= diameter);
            let seen = episode.before.samples().iter().zip(episode.radii());
            let bounds: Vec<f64> = seen.map(|(sample, b)| sample.mean() + b).collect();
            let share = |s: NodeId, c: u32| case.sharing.multiple(s, c as usize);
            let chosen = episode.counts.iter().map(|&(s, c)| share(s, c) * bounds[s as usize]);
            let best = best_allocation(&case.sharing, &bounds, Seats::Unlimited).unwrap();
            assert!(chosen.sum::<f64>() >= best.value - 1e-9, "the best allocation by bounds");
            let length = episode.lengths[0];
            assert!(episode.lengths.iter().all(|&other| other == length), "all end together");
            let exploitation = length - episode.transition();
            assert!(exploitation <= episode.fewest_draws(), "s_e <= n_min");
        }
        for pair in walked.episodes.windows(2) {
            let (episode, next) = (&pair[0], &pair[1]);
            let fewest = episode.fewest_draws();
            let least = episode.counts.iter().filter(|(s, _)| episode.before.count(*s) == fewest);
            let after = least.map(|&(s, _)| next.before.count(s)).max().unwrap();
            assert!(after >= 2 * fewest, "the least sampled node doubles");
            beyond += usize::from(after > 2 * fewest);
        }
    });
    assert!(beyond > 0, "it may more than double, if several walkers pass it");
}

#[test]
fn episodes_are_few() {
    let mut closest: f64 = 0.0;
    each_case(|case, seed| {
        let begun = case.walk(AGENT, seed).episodes.len() as f64;
        assert!(begun <= case.bound().episodes(), "{begun} {:?}", case.bound());
        closest = closest.max(begun / case.bound().episodes());
    });
    assert!(closest > 0.9, "{closest}");
    // Four nodes of equal mean take turns.
    let law = Law::constant(0.5).unwrap();
    let world = World::new(Graph::complete(4).unwrap(), vec![law; 4]).unwrap();
    let case = Case {
        world,
        sharing: Arc::new(Sharing::same(2, |c| c as f64).unwrap()),
        starts: vec![0, 0],
        steps: 1 << 20,
        tape: TapeKind::Sums,
    };
    let share = case.walk(AGENT, Seed(903)).episodes.len() as f64 / case.bound().episodes();
    assert!(share > 0.9, "{share}");
    // K log2 T without the episode under way is too small.
    let law = Law::constant(0.5).unwrap();
    let node = World::new(Graph::line(1).unwrap(), vec![law]).unwrap();
    let sharing = Arc::new(Sharing::equal(1));
    let case = Case { world: node, sharing, starts: vec![0], steps: 3, ..case };
    let begun = case.walk(AGENT, Seed(903)).episodes.len() as f64;
    assert!(begun == 2.0 && begun > libm::log2(3.0) && begun <= case.bound().episodes());
}

#[test]
fn initialization_ends_in_time() {
    each_case(|case, seed| {
        let walked = case.walk(AGENT, seed);
        assert!(walked.init_steps <= case.bound().init_steps().min(case.steps));
        assert!(walked.init_regret <= case.bound().initialization() + 1e-9);
    });
    // All start on the hub of a star, whose last leaf alone pays.
    let case = Case {
        world: bernoulli(Graph::star(6).unwrap(), &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
        sharing: Arc::new(Sharing::same(3, |c| c as f64).unwrap()),
        starts: vec![0; 3],
        steps: 100,
        tape: TapeKind::OneByOne,
    };
    let walked = case.walk(AGENT, Seed(904));
    assert_eq!(walked.init_steps, case.bound().init_steps(), "the bound is attained");
    let share = walked.init_regret / case.bound().initialization();
    assert_eq!(share, 0.9, "all but the last step cost N");
}

#[test]
fn transitions_cost_at_most_the_diameter_per_episode() {
    let mut closest: f64 = 0.0;
    each_case(|case, seed| {
        let regret = case.walk(AGENT, seed).transition_regret;
        let bound = case.bound().transitions();
        assert!(regret <= bound + 1e-9);
        if bound > 0.0 {
            closest = closest.max(regret / bound);
        }
    });
    assert!(closest > 0.3, "{closest}");
}

#[test]
fn clean_steps_of_exploitation_cost_two_radii() {
    let (mut clean, mut beyond_one_radius, mut closest) = (0, 0, 0.0_f64);
    each_case(|case, seed| {
        for episode in case.walk(AGENT, seed).episodes {
            if !episode.is_clean(&case.world, 1.0) {
                continue;
            }
            clean += 1;
            let step = case.optimum() - case.earned(&episode.counts);
            let radii = exploitation_step_bound(&case.sharing, &episode.counts, &episode.radii());
            let coarse = case.bound().exploitation_step(episode.fewest_draws());
            assert!(step <= radii + 1e-9 && radii <= coarse + 1e-9, "(9) and (10)");
            beyond_one_radius += usize::from(step > radii / 2.0 + 1e-9);
            if radii > 0.0 {
                closest = closest.max(step / radii);
            }
        }
    });
    assert!(clean > 1000);
    assert!(beyond_one_radius > 0 && closest > 0.55, "{beyond_one_radius} {closest}");
}

/// `2 sum s_e f_k(c_k) b_k` over all episodes.
fn price_of_optimism(case: &Case, walked: &Walked) -> f64 {
    let of_episode = |episode: &Episode| {
        let step = exploitation_step_bound(&case.sharing, &episode.counts, &episode.radii());
        episode.exploited as f64 * step
    };
    walked.episodes.iter().map(of_episode).sum()
}

#[test]
fn exploitation_is_within_its_bound_on_every_trajectory() {
    let mut closest: f64 = 0.0;
    let (mut all_clean, mut runs) = (0, 0);
    each_case(|case, seed| {
        let (walked, bound) = (case.walk(AGENT, seed), case.bound());
        let price = price_of_optimism(case, &walked);
        assert!(price <= bound.exploitation() + 1e-9, "{price} {bound:?}");
        if bound.exploitation() > 0.0 {
            closest = closest.max(price / bound.exploitation());
        }
        runs += 1;
        if walked.episodes.iter().all(|episode| episode.is_clean(&case.world, 1.0)) {
            all_clean += 1;
            assert!(walked.exploitation_regret() <= price + 1e-9);
            assert!(walked.regret() <= bound.regret() - bound.bad_episodes() + 1e-9);
        }
    });
    assert!(all_clean > runs / 2);
    assert!(closest > 0.8, "{closest}");
    // Both forms of the minimum are needed, and both come close: all walkers on one node, and one
    // walker on each of several.
    for (sharing, starts) in
        [(Sharing::same(3, |c| c as f64).unwrap(), vec![0; 3]), (Sharing::equal(3), vec![0, 1, 2])]
    {
        let law = Law::constant(0.5).unwrap();
        let case = Case {
            world: World::new(Graph::complete(6).unwrap(), vec![law; 6]).unwrap(),
            sharing: Arc::new(sharing),
            starts,
            steps: 1 << 20,
            tape: TapeKind::Sums,
        };
        let price = price_of_optimism(&case, &case.walk(AGENT, Seed(905)));
        assert!(price <= case.bound().exploitation());
        assert!(price > 0.85 * case.bound().exploitation(), "{price} {:?}", case.bound());
    }
}

/// Two walkers who belong on the same node, which is hard to tell from all others but one.
fn hard_case(steps: u64) -> Case {
    const NODES: usize = 8;
    let time = steps as f64;
    let gap = (2.0 * libm::log(time) * NODES as f64 / time).sqrt();
    let mut means = [0.4; NODES];
    means[0] = 0.0;
    means[NODES - 1] += gap;
    Case {
        world: bernoulli(Graph::complete(NODES).unwrap(), &means),
        sharing: Arc::new(Sharing::same(2, |c| c as f64).unwrap()),
        starts: vec![0, 0],
        steps,
        tape: TapeKind::Sums,
    }
}

fn mean_of(runs: u64, case: &Case, agent: &str, part: impl Fn(&Walked) -> f64) -> f64 {
    let parts = (0..runs).map(|k| part(&case.walk(agent, Seed(906).child(k))));
    parts.sum::<f64>() / runs as f64
}

#[test]
fn equation_11_needs_the_root_of_k_t() {
    let mut before = 0.0;
    for steps in [10_000, 100_000, 1_000_000, 10_000_000] {
        let case = hard_case(steps);
        let regret = mean_of(20, &case, AGENT, Walked::exploitation_regret);
        let bound = case.bound().exploitation();
        // As printed: gamma N log T sqrt(N K). The constant is that of the corrected form.
        let printed = 2.0 * (2.0_f64.sqrt() + 1.0) * 2.0_f64.sqrt() * libm::log(steps as f64);
        let printed = printed * 2.0 * (2.0 * 8.0_f64).sqrt();
        assert!(regret <= bound && regret > 0.08 * bound, "{regret} {bound}");
        assert!(regret > 1.8 * before * printed, "it falls behind as T grows");
        before = regret / printed;
    }
    assert!(before > 20.0, "the printed form does not hold: {before}");
}

/// Worlds of small teams, all of which must learn.
fn cases(steps: u64) -> Vec<Case> {
    let mut cases = vec![hard_case(steps)];
    for graph in [
        Graph::line(4).unwrap(),
        Graph::star(5).unwrap(),
        Graph::circle(5).unwrap(),
        Graph::complete(3).unwrap(),
    ] {
        let nodes = graph.len();
        let means: Vec<f64> = (0..nodes).map(|s| 0.9375 - 0.1875 * s as f64).rev().collect();
        for sharing in [
            Sharing::equal(2),
            Sharing::same(2, |c| c as f64).unwrap(),
            Sharing::same(3, |c| (c as f64).sqrt()).unwrap(),
            Sharing::same(3, |c| (c * c) as f64).unwrap(),
        ] {
            cases.push(Case {
                world: bernoulli(graph.clone(), &means),
                starts: vec![0; sharing.walkers()],
                sharing: Arc::new(sharing),
                steps,
                tape: TapeKind::Sums,
            });
        }
    }
    cases
}

/// The most that the team can lose: everybody stays on the worst node.
fn worst(case: &Case) -> f64 {
    let nodes = case.world.graph().nodes();
    let alone = nodes.map(|s| case.earned(&[(s, case.starts.len() as u32)]));
    case.steps as f64 * (case.optimum() - alone.fold(f64::INFINITY, f64::min))
}

#[test]
fn theorem_9_holds_with_its_constants() {
    const STEPS: u64 = 1_000_000;
    let mut closest: f64 = 0.0;
    for case in &cases(STEPS) {
        let mean = mean_of(10, case, AGENT, Walked::regret);
        let bound = case.bound().regret();
        assert!(mean <= bound, "{mean} {:?}", case.bound());
        assert!(bound < worst(case) / 2.0, "the bound could be broken");
        closest = closest.max(mean / bound);
    }
    assert!(closest > 0.08, "{closest}");
}

#[test]
fn doubling_the_most_sampled_node_breaks_the_bound() {
    // One walker belongs on node 0 and stays there. So whatever the other tries, it tries for as long
    // as node 0 is known, and each of the 30 nodes that pay nothing doubles this time.
    let means: Vec<f64> = [vec![1.0, 0.5], vec![0.0; 30]].concat();
    let case = Case {
        world: bernoulli(Graph::complete(32).unwrap(), &means),
        sharing: Arc::new(Sharing::equal(2)),
        starts: vec![0, 1],
        steps: 1 << 22,
        tape: TapeKind::Sums,
    };
    let bound = case.bound().regret();
    let [least, median, most] = ["least", "median", "most"].map(|until| {
        mean_of(5, &case, &format!("multi-g-ucb:until={until}"), Walked::regret) / bound
    });
    let alone = |episode: &&Episode| matches!(episode.counts[..], [(0, 1), (2.., 1)]);
    let steps_alone = |walked: &Walked| {
        walked.episodes.iter().filter(alone).map(|episode| episode.exploited as f64).sum()
    };
    let steps = mean_of(5, &case, "multi-g-ucb:until=most", steps_alone);
    assert!(steps > 0.99 * case.steps as f64, "the other walker is on a node that pays nothing");
    assert!(least <= 1.0, "{least}");
    assert!(most > 2.0, "{most}");
    assert_eq!(median, most, "of two nodes, the one of median rank is the most sampled");
}

#[test]
fn if_every_walker_counts_in_full_regret_is_proportional_to_the_team() {
    let world = bernoulli(Graph::line(4).unwrap(), &[0.5, 0.25, 0.0, 0.75]);
    let of_team = |walkers: usize| {
        let case = Case {
            world: world.clone(),
            sharing: Arc::new(Sharing::same(walkers, |c| c as f64).unwrap()),
            starts: vec![0; walkers],
            steps: 20_000,
            tape: TapeKind::OneByOne,
        };
        case.walk(AGENT, Seed(907)).regret()
    };
    let alone = of_team(1);
    assert!(alone > 100.0);
    for walkers in [2, 4, 16] {
        assert_eq!(of_team(walkers), walkers as f64 * alone);
    }
}

/// How often an episode with a mean beyond `factor` times its radius began at `t`, over many runs:
/// the largest excess over the bound, in standard errors.
fn excess_of_bad_episodes(factor: f64) -> f64 {
    const RUNS: u64 = 20_000;
    const STEPS: u64 = 40;
    let case = Case {
        world: bernoulli(Graph::line(3).unwrap(), &[0.5, 0.25, 0.5]),
        sharing: Arc::new(Sharing::equal(2)),
        starts: vec![0, 2],
        steps: STEPS,
        tape: TapeKind::OneByOne,
    };
    let mut bad = vec![0_u64; STEPS as usize];
    for run in 0..RUNS {
        for episode in case.walk(AGENT, Seed(908).child(run)).episodes {
            bad[episode.start as usize] += u64::from(!episode.is_clean(&case.world, factor));
        }
    }
    let excess = |t: u64| {
        let bound = bad_event_probability(3, t).min(1.0);
        let error = (bound * (1.0 - bound) / RUNS as f64).sqrt().max(1e-9);
        (bad[t as usize] as f64 / RUNS as f64 - bound) / error
    };
    (2..STEPS).map(excess).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn bad_episodes_are_within_the_union_bound() {
    assert!(excess_of_bad_episodes(1.0) <= 4.5);
    // With half the radius they are not, and this test detects it.
    assert!(excess_of_bad_episodes(0.5) > 4.5);
}

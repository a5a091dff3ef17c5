//! g-star and g-horizon compared to their plain transcriptions, leg by leg; g-star's savings compared to G-UCB; and all
//! agents beyond the paper with divisors of zero.

use crate::support::g_horizon::PlainGHorizon;
use crate::support::g_star::PlainGStar;
use crate::support::trace::Trace;
use crate::support::worlds;
use graph_bandit::run::run_observed;
use graph_bandit::{Agent, AgentSpec, Graph, Init, Law, NodeId, Preset, RunPlan, Seed, World, run};

const GRAPHS: [&str; 16] = [
    "line:1",
    "line:2",
    "line:9",
    "circle:10",
    "star:12",
    "tree:15",
    "tree:13,3",
    "grid:5x5",
    "grid:3x6",
    "complete:8",
    "broom:12,5",
    "barbell:4,3",
    "arkansas",
    "erdos-renyi:12,0.3",
    "geometric:14,0.45",
    "small-world:14,4,0.3",
];

/// The nodes visited, leg by leg.
fn legs(world: &World, agent: &mut dyn Agent, plan: &RunPlan, seed: Seed) -> Vec<Vec<NodeId>> {
    let mut trace = Trace::default();
    run_observed(world, agent, plan, seed, &mut trace).unwrap();
    trace.visits_by_leg()
}

const DEFAULT: PlainGStar = PlainGStar::DEFAULT;
/// The variant for noisy nodes.
const DOUBTFUL: PlainGStar = PlainGStar { caution: 1.2, doubt: 3.0, ..DEFAULT };

/// The variants for quiet nodes.
const TRUSTING: [PlainGStar; 2] =
    [PlainGStar { trust: 0.9, ..DEFAULT }, PlainGStar { trust: 1.0, ..DOUBTFUL }];

/// The variants that look ahead.
const FORESEEING: [PlainGStar; 2] =
    [PlainGStar { foresight: 1.0, ..DEFAULT }, PlainGStar { foresight: 2.5, ..DEFAULT }];

/// Compares g-star's legs; returns their number.
fn compare(world: &World, plain: PlainGStar, plan: &RunPlan, seed: Seed, what: &str) -> usize {
    let (horizon, caution, doubt) = (plain.horizon.unwrap_or(0.0), plain.caution, plain.doubt);
    let (trust, foresight) = (plain.trust, plain.foresight);
    let text = format!(
        "g-star:horizon={horizon},caution={caution},doubt={doubt},trust={trust},foresight={foresight}"
    );
    compare_legs(world, &text, plain, plan, seed, what)
}

/// Compares all legs; returns their number.
fn compare_legs(
    world: &World,
    text: &str,
    mut plain: impl Agent,
    plan: &RunPlan,
    seed: Seed,
    what: &str,
) -> usize {
    let mut agent = AgentSpec::parse(text, Preset::Paper).unwrap().build(world.graph()).unwrap();
    let found = legs(world, &mut *agent, plan, seed);
    let plain = legs(world, &mut plain, plan, seed);
    for (number, (found, plain)) in found.iter().zip(&plain).enumerate() {
        assert_eq!(found, plain, "leg {number} {what} {seed:?}");
    }
    assert_eq!(found.len(), plain.len());
    found.len()
}

#[test]
fn g_star_follows_its_eight_steps() {
    let mut all = 0;
    for graph in GRAPHS {
        for (noise, means) in [
            ("uniform:0.5", "uniform:0.5,9.5"),
            ("uniform:0.5", "uniform:0,1"),
            ("bernoulli", "uniform:0,1"),
            ("bernoulli", "uniform:0.5,0.5"),
            ("constant", "uniform:0.5,0.5"),
        ] {
            for (seed, init) in [(1, Init::Lowest), (2, Init::DepthFirst), (3, Init::None)] {
                let seed = Seed(seed);
                let world = worlds::world(graph, noise, means, Preset::Paper, seed);
                let start = (seed.0 % world.graph().len() as u64) as NodeId;
                let plan = RunPlan { init, start, ..RunPlan::new(20_000, 1) };
                let what = format!("on {graph}, {noise} around {means}");
                for horizon in [None, Some(20_000.0), Some(500.0)] {
                    let plain = PlainGStar { horizon, ..DEFAULT };
                    all += compare(&world, plain, &plan, seed, &what);
                }
                for plain in [DOUBTFUL].into_iter().chain(TRUSTING).chain(FORESEEING) {
                    all += compare(&world, plain, &plan, seed, &what);
                }
            }
        }
    }
    assert!(all > 20_000, "{all}");
}

#[test]
fn g_horizon_follows_its_steps() {
    let mut all = 0;
    for graph in GRAPHS.into_iter().chain(["star:40", "grid:6x6"]) {
        for (noise, means, h) in [
            ("uniform:0.5", "uniform:0.5,9.5", 0.5),
            ("gaussian:1", "uniform:0,10", 1.0),
            ("bernoulli", "uniform:0,1", 0.5),
            ("bernoulli", "uniform:0.5,0.5", 0.5),
            ("constant", "uniform:0.5,0.5", 0.5),
        ] {
            for (seed, init) in [(1, Init::Lowest), (2, Init::DepthFirst), (3, Init::None)] {
                let seed = Seed(seed);
                let world = worlds::world(graph, noise, means, Preset::Paper, seed);
                let start = (seed.0 % world.graph().len() as u64) as NodeId;
                let plan = RunPlan { init, start, ..RunPlan::new(10_000, 1) };
                let what = format!("on {graph}, {noise} around {means}");
                for (horizon, caution, steady) in [
                    (None, 1.5, 0.0),
                    (Some(300.0), 1.5, 0.0),
                    (Some(10_000.0), 1.0, 0.0),
                    (Some(1e6), 3.0, 0.0),
                    (Some(10_000.0), 1.5, 1.0),
                    (Some(300.0), 2.0, 0.3),
                    (Some(10_000.0), 1.0, 0.6),
                ] {
                    let plain = PlainGHorizon { h, horizon, caution, steady };
                    let horizon = horizon.unwrap_or(0.0);
                    let text = format!(
                        "g-horizon:noise-scale={h},horizon={horizon},caution={caution},steady={steady}"
                    );
                    all += compare_legs(&world, &text, plain, &plan, seed, &what);
                }
            }
        }
    }
    assert!(all > 20_000, "{all}");
}

#[test]
fn g_star_follows_its_steps_on_the_paper_s_graphs_too() {
    for graph in ["line:100", "circle:100", "tree:100", "grid:10x10", "star:100", "complete:100"] {
        for seed in [Seed(4), Seed(5)] {
            let world = worlds::world(graph, "uniform:0.5", "uniform:0.5,9.5", Preset::Paper, seed);
            for plain in [DEFAULT, PlainGStar { foresight: 1.0, ..DEFAULT }] {
                compare(&world, plain, &RunPlan::new(20_000, 1), seed, graph);
            }
        }
    }
}

/// The total regret of an agent in `runs` runs of the paper's experiment on this graph.
fn regret_of_paper(name: &str, graph: &str, runs: u64) -> f64 {
    let spec = AgentSpec::named(name, Preset::Paper).unwrap();
    let regret = |run_number: u64| {
        let seed = Seed(77).child(run_number);
        let world = worlds::world(graph, "uniform:0.5", "uniform:0.5,9.5", Preset::Paper, seed);
        let mut agent = spec.build(world.graph()).unwrap();
        run(&world, &mut *agent, &RunPlan::new(20_000, 1), seed).unwrap().checkpoints[0].regret
    };
    (0..runs).map(regret).sum()
}

#[test]
fn g_star_has_less_than_a_seventh_of_g_ucb_s_regret() {
    for graph in ["line:100", "grid:10x10", "star:100", "complete:100"] {
        let (star, ucb) =
            (regret_of_paper("g-star", graph, 20), regret_of_paper("g-ucb", graph, 20));
        assert!(7.0 * star < ucb, "{graph}: {star} {ucb}");
    }
}

/// g-safe pays for its guarantee, but not much: `docs/explanations/frontier.md` has its ratios from
/// 1,000 runs, at most 0.20.
#[test]
fn g_safe_has_at_most_a_quarter_of_g_ucb_s_regret() {
    for graph in ["line:100", "grid:10x10", "tree:100", "star:100", "arkansas"] {
        let (safe, ucb) =
            (regret_of_paper("g-safe", graph, 40), regret_of_paper("g-ucb", graph, 40));
        println!("{graph}: {:.3} of G-UCB's regret", safe / ucb);
        assert!(safe <= 0.25 * ucb, "{graph}: {safe} {ucb}");
    }
}

/// On the short star of `docs/explanations/frontier.md`, where every trip crosses the hub.
#[test]
fn steadiness_makes_very_bad_runs_rarer() {
    /// About half of g-star's 99th percentile.
    const VERY_BAD: f64 = 115.0;
    let [star, hasty, steady] = [
        "g-star:noise-scale=0.8",
        "g-horizon:noise-scale=0.8,horizon=1022",
        "g-horizon:noise-scale=0.8,horizon=1022,steady=1",
    ]
    .map(|text| {
        let spec = AgentSpec::parse(text, Preset::Paper).unwrap();
        (0..10_000)
            .filter(|&run_number| {
                let seed = Seed(31).child(run_number);
                let world =
                    worlds::world("star:12", "gaussian:0.8", "uniform:0,20", Preset::Paper, seed);
                let mut agent = spec.build(world.graph()).unwrap();
                let plan = RunPlan::new(1_000, 1);
                run(&world, &mut *agent, &plan, seed).unwrap().checkpoints[0].regret > VERY_BAD
            })
            .count()
    });
    println!("{star} runs of g-star, {hasty} of g-horizon, {steady} with steadiness");
    assert!(2 * steady < star && 4 * steady < 3 * hasty, "{star} {hasty} {steady}");
}

/// The total regret of an agent in `runs` runs with means from U(0, 3), and uniform noise of these
/// half-widths on the best node and on the others.
fn total_regret(text: &str, graph: &str, best_width: f64, width: f64, runs: u64) -> f64 {
    let spec = AgentSpec::parse(text, Preset::Paper).unwrap();
    let regret = |run_number: u64| {
        let seed = Seed(91).child(run_number);
        let like = worlds::world(graph, "constant", "uniform:0,3", Preset::Paper, seed);
        let best = like.best_mean();
        let law = |s| {
            let mean = like.mean(s);
            let width = if mean == best { best_width } else { width };
            Law::uniform(mean - width, mean + width).unwrap()
        };
        let laws = like.graph().nodes().map(law).collect();
        let world = World::new(like.graph().clone(), laws).unwrap();
        let mut agent = spec.build(world.graph()).unwrap();
        run(&world, &mut *agent, &RunPlan::new(20_000, 1), seed).unwrap().checkpoints[0].regret
    };
    (0..runs).map(regret).sum()
}

/// The best node is much noisier than the others: a low first reward there must not convince the
/// agent that the node is bad just because the others are quiet.
#[test]
fn doubt_cuts_the_regret_where_the_best_node_is_noisy() {
    let total = |text: &str| total_regret(text, "grid:5x5", 0.5, 0.02, 200);
    let (usual, doubtful) = (total("g-star"), total("g-star:caution=1.2,doubt=3"));
    assert!(1.5 * doubtful < usual, "{doubtful} {usual}");
}

/// Every trip on a star leads over its hub. The agent that looks ahead makes fewer of them.
#[test]
fn foresight_cuts_the_regret_where_trips_are_costly() {
    let total = |text: &str| -> f64 {
        let spec = AgentSpec::parse(text, Preset::Paper).unwrap();
        let regret = |run_number: u64| {
            let seed = Seed(92).child(run_number);
            let world =
                worlds::world("star:100", "uniform:0.5", "uniform:0.5,9.5", Preset::Paper, seed);
            let mut agent = spec.build(world.graph()).unwrap();
            run(&world, &mut *agent, &RunPlan::new(20_000, 1), seed).unwrap().checkpoints[0].regret
        };
        (0..300).map(regret).sum()
    };
    let (usual, foreseeing) = (total("g-star"), total("g-star:foresight=1"));
    assert!(foreseeing < 0.95 * usual, "{foreseeing} {usual}");
}

/// The best node is much quieter than the others: what the agent knows about it is not luck. Where
/// all nodes are alike, or the best node is the noisy one, trust must change next to nothing.
#[test]
fn trust_halves_the_regret_where_the_best_node_is_quiet() {
    let both = |graph, best_width, width| {
        ["g-star", "g-star:trust=0.9"].map(|text| total_regret(text, graph, best_width, width, 60))
    };
    let [usual, trusting] = both("complete:50", 0.02, 0.5);
    assert!(2.0 * trusting < usual, "{trusting} {usual}");
    for (graph, best_width, width) in [("complete:50", 0.5, 0.5), ("grid:5x5", 0.5, 0.02)] {
        let [usual, trusting] = both(graph, best_width, width);
        assert!((trusting - usual).abs() < 0.05 * usual, "{graph}: {trusting} {usual}");
    }
}

/// Runs with variances, gaps or both that are zero or huge.
#[test]
fn zero_variances_and_gaps_cause_no_errors() {
    let options = "g-star,g-ts,g-moss,g-imed,g-klucb,g-ts:rewards=bernoulli,\
                   g-klucb:rewards=bernoulli,g-star:variance=declared,g-star:variance=pooled,\
                   g-imed:variance=declared,g-moss:variance=pooled,g-imed:travel=ignored,\
                   g-ts:horizon=100,g-klucb:growth=0,per-hop=0,g-moss:growth=1e100,\
                   g-star:caution=0,g-star:caution=1e100,noise-scale=1e100,g-safe,g-safe:budget=0,\
                   g-safe:growth=1e100,g-sweep,g-sweep:resolution=1e-90,g-sweep:horizon=1e100,\
                   g-horizon,g-horizon:horizon=1e100,g-horizon:caution=1e100,horizon=300,\
                   g-horizon:caution=0,variance=declared,g-horizon:steady=1,horizon=1e100";
    let specs = AgentSpec::parse_list(options, Preset::Paper).unwrap();
    let graphs = [Graph::line(1), Graph::line(2), Graph::grid(3, 3), Graph::complete(4)];
    for graph in graphs.map(Result::unwrap) {
        let laws = |of: &dyn Fn(f64) -> Law| graph.nodes().map(|s| of(f64::from(s))).collect();
        let worlds: [Vec<Law>; 8] = [
            laws(&|_| Law::constant(0.5).unwrap()),
            laws(&|s| Law::constant(s).unwrap()),
            laws(&|s| Law::constant(1e100 * (1.0 - s / 5.0)).unwrap()),
            laws(&|s| Law::uniform(-1e100, 1e99 * s).unwrap()),
            laws(&|s| Law::uniform(1e-300 * s, 1e-299).unwrap()),
            laws(&|_| Law::bernoulli(0.5).unwrap()),
            laws(&|s| Law::bernoulli((s / 9.0).round()).unwrap()),
            laws(&|s| Law::gaussian(-s, 0.0).unwrap()),
        ];
        for laws in worlds {
            let world = World::new(graph.clone(), laws).unwrap();
            for spec in &specs {
                for scale in ["", "noise-scale=0", "noise-scale=1e-160", "noise-scale=1e100"] {
                    let text = format!("{spec}:{scale}");
                    let spec = AgentSpec::parse(&text, Preset::Paper).unwrap();
                    for init in [Init::Lowest, Init::None] {
                        let mut agent = spec.build(world.graph()).unwrap();
                        let plan = RunPlan { init, ..RunPlan::new(300, 1) };
                        let record = run(&world, &mut *agent, &plan, Seed(3)).unwrap();
                        assert_eq!(record.visits.iter().sum::<u64>(), 300, "{text}");
                        assert!(record.checkpoints[0].reward.is_finite(), "{text}");
                    }
                }
            }
        }
    }
}

/// If rewards are constant and no noise is declared, one visit to each node is enough.
#[test]
fn without_noise_all_go_to_the_best_node_and_stay() {
    let graph = Graph::grid(4, 4).unwrap();
    let laws = graph.nodes().map(|s| Law::constant(f64::from(s * 7 % 16)).unwrap());
    let world = World::new(graph.clone(), laws.collect()).unwrap();
    for spec in AgentSpec::frontier() {
        let spec = format!("{}:noise-scale=0", spec.name());
        let spec = AgentSpec::parse(&spec, Preset::Paper).unwrap();
        let mut agent = spec.build(world.graph()).unwrap();
        let record = run(&world, &mut *agent, &RunPlan::new(5_000, 1), Seed(1)).unwrap();
        let best = graph.nodes().find(|s| s * 7 % 16 == 15).unwrap();
        assert!(record.visits[best as usize] >= 4_900, "{spec}: {:?}", record.visits);
    }
}

/// Uniform rewards from `low` to `high` above each node's `base`.
fn uniform_around(graph: &Graph, base: impl Fn(NodeId) -> f64, low: f64, high: f64) -> World {
    let law = |s: NodeId| Law::uniform(base(s) + low, base(s) + high).unwrap();
    World::new(graph.clone(), graph.nodes().map(law).collect()).unwrap()
}

/// Multiplying by a power of two is exact, so any decision that is not based on ratios shows.
#[test]
fn the_unit_of_rewards_does_not_matter() {
    let mut legs_in_all = 0;
    for agent in AgentSpec::frontier() {
        // g-sweep estimates no variance. Its stays are part of its bound, and those of g-horizon part
        // of its rule.
        let all = ["", "variance=declared", "variance=pooled,horizon=3000", "growth=0,per-hop=0"];
        let options = match agent.name() {
            "g-sweep" => &["", "horizon=3000"][..],
            "g-horizon" => &all[..3],
            _ => &all,
        };
        for options in options {
            for (graph, means) in [
                ("grid:5x5", "uniform:0,1"),
                ("line:9", "uniform:0.5,9.5"),
                ("barbell:4,3", "uniform:-1,1"),
                // Many equal paths, distinguished by almost nothing.
                ("circle:10", "uniform:0.5,0.5"),
                ("complete:8", "uniform:0,3"),
            ] {
                for noise in [0.5, 0.03] {
                    let seed = Seed(9);
                    let like = worlds::world(graph, "constant", means, Preset::Paper, seed);
                    let plan = RunPlan::new(3_000, 1);
                    let walk = |power: i32| {
                        let factor = libm::ldexp(1.0, power);
                        let text = format!("{agent}:noise-scale={},{options}", factor * noise);
                        let spec = AgentSpec::parse(&text, Preset::Paper).unwrap();
                        let width = factor * noise;
                        let base = |s| factor * like.mean(s);
                        let world = uniform_around(like.graph(), base, -width, width);
                        legs(&world, &mut *spec.build(world.graph()).unwrap(), &plan, seed)
                    };
                    let usual = walk(0);
                    legs_in_all += usual.len();
                    for power in [-200, -40, -1, 1, 40, 200] {
                        let same = walk(power) == usual;
                        assert!(same, "{agent} {options} on {graph}, noise {noise}: 2^{power}");
                    }
                }
            }
        }
    }
    assert!(legs_in_all > 20_000, "{legs_in_all}");
}

/// Offsets do not matter either, except for rounding: means of 10^9 with noise of 1/2 hide the
/// noise from sums of squares, and agents must not assume that there is none.
#[test]
fn large_means_do_not_make_agents_overconfident() {
    let total = |offset: f64, agent: &AgentSpec| -> f64 {
        let regret = |run_number: u64| {
            let seed = Seed(31).child(run_number);
            let near = worlds::world("grid:4x4", "constant", "uniform:0,1", Preset::Paper, seed);
            let world = uniform_around(near.graph(), |s| offset + near.mean(s), -0.5, 0.5);
            let mut agent = agent.build(world.graph()).unwrap();
            run(&world, &mut *agent, &RunPlan::new(20_000, 1), seed).unwrap().checkpoints[0].regret
        };
        (0..20).map(regret).sum()
    };
    for agent in AgentSpec::frontier() {
        let estimates = agent.name() != "g-sweep";
        let declared = if estimates { ":variance=declared" } else { "" };
        let declared = format!("{agent}{declared}");
        let declared = AgentSpec::parse(&declared, Preset::Paper).unwrap();
        let (near, far) = (total(0.0, &declared), total(1e9, &agent));
        // With the declared variance, which they use that far out, they do as well as near zero.
        assert!(far < 1.5 * near, "{agent}: {far}, near zero {near}");
    }
}

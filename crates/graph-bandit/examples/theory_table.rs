//! The guarantees of `docs/explanations/theory.md` in numbers, on the paper's graphs of 100 nodes.
//!
//! `cargo run -p graph-bandit --example theory_table`

use graph_bandit::agents::Episodic;
use graph_bandit::index::{Horizon, Ucb};
use graph_bandit::planner::{Travel, TravelAware};
use graph_bandit::schedule::Amortized;
use graph_bandit::theory::{
    FrontierBound, FrontierRule, GapBound, MinimaxBound, RewardRange, longest_path, regret_floor,
    ucrl2_gap_bound, ucrl2_minimax_bound,
};
use graph_bandit::{AgentSpec, Graph, GraphSpec, Law, Preset, RunPlan, Seed, World, run};
use std::error::Error;
use std::fmt::Write;

const GRAPHS: [&str; 6] =
    ["line:100", "circle:100", "grid:10x10", "tree:100", "star:100", "complete:100"];
const STEPS: u64 = 20_000;
/// UCRL2's confidence parameter in the paper's experiments.
const DELTA: f64 = 0.01;
/// The gap of all nodes but the last in the second table.
const GAP: f64 = 0.5;
/// The agent of Theorem 3 in the third table.
const RULE: FrontierRule = FrontierRule { scale: 0.5, confidence: 4.0, growth: 1.0, per_hop: 1.0 };
/// Runs per graph and agent in the third table.
const RUNS: u64 = 20;

/// A graph and the quantities that the bounds need.
struct Row {
    name: &'static str,
    world: World,
    diameter: u32,
    longest_path: usize,
    /// UCRL2's actions per state: the largest neighbourhood, the node itself included.
    actions: usize,
    init_steps: u64,
}

impl Row {
    fn new(name: &'static str) -> Result<Self, Box<dyn Error>> {
        let graph = name.parse::<GraphSpec>()?.build(Seed(0))?;
        let last = graph.len() - 1;
        let laws = (0..=last).map(|s| Law::constant(if s == last { 1.0 } else { 1.0 - GAP }));
        let world = World::new(graph, laws.collect::<Result<_, _>>()?)?;
        let graph: &Graph = world.graph();
        let mut agent = AgentSpec::parse("g-ucb", Preset::Paper)?.build(graph)?;
        let init_steps = run(&world, agent.as_mut(), &RunPlan::new(1, 1), Seed(0))?.init.steps;
        Ok(Self {
            name,
            diameter: graph.diameter(),
            longest_path: longest_path(graph),
            actions: graph.nodes().map(|s| graph.degree(s) + 1).max().unwrap_or(1),
            init_steps,
            world,
        })
    }

    fn minimax(&self, steps: u64) -> MinimaxBound {
        MinimaxBound {
            nodes: self.world.graph().len(),
            diameter: self.diameter,
            steps,
            init_steps: self.init_steps,
        }
    }

    /// Theorem 2 with at most `hops` hops on a path.
    fn gap(&self, hops: usize, steps: u64) -> f64 {
        let bound = GapBound {
            gaps: self.world.gaps(),
            longest_path: hops,
            steps,
            init_steps: self.init_steps,
        };
        bound.regret().unwrap_or(f64::INFINITY)
    }
}

/// Theorem 3 for gaps up to 1.
fn frontier(row: &Row) -> FrontierBound {
    FrontierBound {
        rule: RULE,
        range: RewardRange::Bounded,
        largest_gap: 1.0,
        nodes: row.world.graph().len(),
        diameter: row.diameter,
        longest_path: row.longest_path,
        steps: STEPS,
        init_steps: row.init_steps,
    }
}

/// The mean regret of Theorem 3's agent with this planner, for means between 0 and 1 and Bernoulli
/// rewards.
fn mean_regret(graph: &Graph, planner: &TravelAware) -> Result<f64, Box<dyn Error>> {
    let mut total = 0.0;
    for k in 0..RUNS {
        let mut stream = Seed(1).child(k).stream();
        let laws = graph.nodes().map(|_| Law::bernoulli(stream.unit()));
        let world = World::new(graph.clone(), laws.collect::<Result<_, _>>()?)?;
        let mut agent = Episodic {
            index: Ucb::new(RULE.scale * RULE.confidence.sqrt()),
            planner: planner.clone(),
            schedule: Amortized { growth: RULE.growth, per_hop: RULE.per_hop },
        };
        let record = run(&world, &mut agent, &RunPlan::new(STEPS, 1), Seed(2).child(k))?;
        total += record.checkpoints[0].regret;
    }
    Ok(total / RUNS as f64)
}

/// The least `T` at which a bound says more than "at most `gap` a step".
fn informative_from(gap: f64, bound: impl Fn(u64) -> f64) -> u64 {
    let says_more = |steps: u64| bound(steps) < gap * steps as f64;
    let (mut no, mut yes) = (0, 1);
    while !says_more(yes) {
        (no, yes) = (yes, 2 * yes);
    }
    while yes - no > 1 {
        let middle = no + (yes - no) / 2;
        if says_more(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}

/// All three tables.
pub(crate) fn tables() -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let rows: Vec<Row> = GRAPHS.into_iter().map(Row::new).collect::<Result<_, _>>()?;
    writeln!(text, "T = {STEPS}, any gaps up to 1 (up to 9 in the paper's experiments)\n")?;
    writeln!(
        text,
        "| graph | D | t_1 | optimism | switching | Theorem 1 | informative from T = | gaps up to 9 | UCRL2 |"
    )?;
    writeln!(text, "|---|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    for row in &rows {
        let bound = row.minimax(STEPS);
        let (optimism, switching) = (bound.price_of_optimism(), bound.cost_of_switching());
        let informative = informative_from(1.0, |steps| row.minimax(steps).regret());
        // Noise of range one: only travel and bad legs scale with the gaps.
        let scaled = bound.regret_up_to(9.0);
        let nodes = row.world.graph().len();
        let ucrl2 = ucrl2_minimax_bound(nodes, row.actions, row.diameter, STEPS, DELTA);
        writeln!(
            text,
            "| {} | {} | {} | {optimism:.0} | {switching:.0} | {:.0} | {informative} | {scaled:.0} | {ucrl2:.1e} |",
            row.name,
            row.diameter,
            row.init_steps,
            bound.regret(),
        )?;
    }
    writeln!(text, "\nT = {STEPS}, the last node best, all others {GAP} below it\n")?;
    writeln!(
        text,
        "| graph | D | L | floor | Theorem 2 | informative from T = | Direct-SP | informative from T = | UCRL2 |"
    )?;
    writeln!(text, "|---|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    for row in &rows {
        let nodes = row.world.graph().len();
        let (longest, fewest) = (row.longest_path, row.diameter as usize);
        writeln!(
            text,
            "| {} | {} | {longest} | {} | {:.0} | {} | {:.0} | {} | {:.1e} |",
            row.name,
            row.diameter,
            regret_floor(&row.world, 0, STEPS).expect("no road of these graphs takes time"),
            row.gap(longest, STEPS),
            informative_from(GAP, |steps| row.gap(longest, steps)),
            row.gap(fewest, STEPS),
            informative_from(GAP, |steps| row.gap(fewest, steps)),
            ucrl2_gap_bound(nodes, row.actions, row.diameter, STEPS, GAP),
        )?;
    }
    writeln!(
        text,
        "\nT = {STEPS}, gaps up to 1: what switching costs by Theorem 3, and measured regret\n"
    )?;
    writeln!(
        text,
        "| graph | D | L | Theorem 1 | by hops | by price | L, least gap | by hops, least gap | regret | regret, least gap |"
    )?;
    writeln!(text, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    for row in &rows {
        let bound = frontier(row);
        let least = bound.with_least_gap();
        let planner = TravelAware::new(Travel::Priced, Horizon::Unknown, RULE.scale);
        let graph = row.world.graph();
        writeln!(
            text,
            "| {} | {} | {} | {:.0} | {:.0} | {:.0} | {} | {:.0} | {:.0} | {:.0} |",
            row.name,
            row.diameter,
            row.longest_path,
            row.minimax(STEPS).cost_of_switching(),
            bound.switching_by_hops(),
            bound.switching_by_price(),
            least.longest_path,
            least.switching_by_hops(),
            mean_regret(graph, &planner)?,
            mean_regret(graph, &planner.clone().with_least_gap(RULE.scale))?,
        )?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", tables()?);
    Ok(())
}

//! The guarantees of `docs/explanations/theory.md` in numbers, on the paper's graphs.
//!
//! `cargo run -p graph-bandit --example theory_table`

use graph_bandit::agents::{Episodic, SafeRule};
use graph_bandit::index::{Horizon, Ucb};
use graph_bandit::planner::{Travel, TravelAware};
use graph_bandit::schedule::Amortized;
use graph_bandit::theory::{
    FrontierBound, FrontierRule, GapBound, MinimaxBound, RewardRange, SafeBound, longest_path,
    patrol_time, patrol_walk, regret_floor, ucrl2_gap_bound, ucrl2_minimax_bound,
};
use graph_bandit::{
    AgentSpec, Graph, GraphSpec, Law, MAX_VISITS, Preset, RunPlan, Seed, World, run,
};
use std::error::Error;
use std::fmt::Write;

const GRAPHS: [&str; 6] =
    ["line:100", "circle:100", "grid:10x10", "tree:100", "star:100", "complete:100"];
/// The robot's map, which has ten nodes. It is in the tables of Theorem 10 only.
const ROBOT: &str = "arkansas";
const STEPS: u64 = 20_000;
/// UCRL2's confidence parameter in the paper's experiments.
const DELTA: f64 = 0.01;
/// The gap of all nodes but the last in the second table.
const GAP: f64 = 0.5;
/// The agent of Theorem 3 in the third table.
const RULE: FrontierRule = FrontierRule { scale: 0.5, confidence: 4.0, growth: 1.0, per_hop: 1.0 };
/// Runs per graph and agent in the third table.
const RUNS: u64 = 20;
/// Whether an agent of Theorem 10 knows how long the run is.
#[derive(Clone, Copy)]
enum Knows {
    Nothing,
    Horizon,
}

/// A graph and the quantities that the bounds need.
struct Row {
    name: &'static str,
    world: World,
    diameter: u32,
    longest_path: usize,
    /// UCRL2's actions per state: the largest neighbourhood, the node itself included.
    actions: usize,
    init_steps: u64,
    /// `C`, the length of a closed walk through all nodes.
    round: f64,
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
            round: patrol_time(graph, &patrol_walk(graph)),
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

    /// Theorem 1 with the sharper constants that the page derives.
    fn sharper(&self, largest_gap: f64, steps: u64) -> f64 {
        let bound = self.minimax(steps);
        let (nodes, time) = (bound.nodes as f64, (steps + self.init_steps) as f64);
        let legs = nodes * libm::log2(2.0 * time / nodes);
        let travel = f64::from(self.diameter.saturating_sub(1)) * legs;
        bound.price_of_optimism() * f64::sqrt(2.0 / 3.0) + largest_gap * (travel + 4.0)
    }

    /// Theorem 10.
    fn safe(&self, rule: SafeRule, knows: Knows, worst_step: f64, steps: u64) -> SafeBound {
        let horizon = match knows {
            Knows::Nothing => Horizon::Unknown,
            Knows::Horizon => Horizon::Known((steps + self.init_steps) as f64),
        };
        SafeBound {
            rule: SafeRule { horizon, ..rule },
            nodes: self.world.graph().len(),
            worst_step,
            diameter: f64::from(self.diameter),
            round: self.round,
            steps,
            init_time: self.init_steps as f64,
        }
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

/// The last `T` at which something is so; 0 if it never is.
///
/// It looks at steps of 5%, and then between two of them, because bounds with epochs jump.
fn last(is_so: impl Fn(u64) -> bool) -> u64 {
    let mut no = MAX_VISITS;
    let mut yes = no;
    while yes > 0 && !is_so(yes) {
        (no, yes) = (yes, yes - yes.div_ceil(20));
    }
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        if is_so(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes
}

/// The least `T` from which on a bound says more than "at most `gap` a step".
fn informative_from(gap: f64, bound: impl Fn(u64) -> f64) -> u64 {
    last(|steps| bound(steps) >= gap * steps as f64) + 1
}

/// The tables of Theorems 1 to 3.
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

/// The constants of an agent of Theorem 10.
fn rule_of(agent: &str) -> Result<SafeRule, Box<dyn Error>> {
    let spec = AgentSpec::parse(agent, Preset::Paper)?;
    Ok(SafeRule::of_agent(&spec).ok_or("Theorem 10 is not about this agent")?)
}

/// The tables of Theorem 10, beside Theorems 1 and 2.
pub(crate) fn guarantees() -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let sweep = rule_of("g-sweep")?;
    let graphs = GRAPHS.into_iter().chain([ROBOT]);
    let rows: Vec<Row> = graphs.map(Row::new).collect::<Result<_, _>>()?;
    for gap in [1.0, 9.0] {
        writeln!(text, "T = {STEPS}, gaps up to {gap}\n")?;
        beside_theorem_1(&mut text, &rows, gap)?;
        writeln!(text)?;
    }
    writeln!(text, "T = {STEPS}, the last node best, all others {GAP} below it\n")?;
    writeln!(text, "| graph | Theorem 2 | Direct-SP | g-sweep | g-sweep, T known |")?;
    writeln!(text, "|---|--:|--:|--:|--:|")?;
    for row in &rows {
        let by_gaps = |knows| {
            let bound = row.safe(sweep, knows, GAP, STEPS);
            bound.regret_by_gaps(row.world.gaps()).unwrap_or(f64::INFINITY)
        };
        writeln!(
            text,
            "| {} | {:.0} | {:.0} | {:.0} | {:.0} |",
            row.name,
            row.gap(row.longest_path, STEPS),
            row.gap(row.diameter as usize, STEPS),
            by_gaps(Knows::Nothing),
            by_gaps(Knows::Horizon),
        )?;
    }
    Ok(text)
}

/// Theorem 10 beside Theorem 1, for gaps up to `gap`.
fn beside_theorem_1(text: &mut String, rows: &[Row], gap: f64) -> Result<(), Box<dyn Error>> {
    writeln!(
        text,
        "| graph | C | Theorem 1 | sharper | g-safe | T known | g-sweep | T known | Theorem 1 informative from T = | g-safe informative from | g-safe below Theorem 1 until |"
    )?;
    writeln!(text, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    let (follow, sweep) = (rule_of("g-safe")?, rule_of("g-sweep")?);
    for row in rows {
        let paper = |steps| row.minimax(steps).regret_up_to(gap);
        let safe = |rule, knows, steps| row.safe(rule, knows, gap, steps).regret();
        let g_safe = |steps| safe(follow, Knows::Nothing, steps);
        let below_until = match last(|steps| g_safe(steps) < paper(steps)) {
            0 => "never".to_owned(),
            steps => steps.to_string(),
        };
        writeln!(
            text,
            "| {} | {} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {} | {} | {below_until} |",
            row.name,
            row.round,
            paper(STEPS),
            row.sharper(gap, STEPS),
            g_safe(STEPS),
            safe(follow, Knows::Horizon, STEPS),
            safe(sweep, Knows::Nothing, STEPS),
            safe(sweep, Knows::Horizon, STEPS),
            informative_from(gap, paper),
            informative_from(gap, g_safe),
        )?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}\n{}", tables()?, guarantees()?);
    Ok(())
}

//! The summary of a study: what `gbandit run --json` prints.

use crate::found_best::BestSummary;
use crate::statistics::{Moments, median};
use crate::study::{AgentRecord, Study, StudyRecord};
use crate::window::Window;
use graph_bandit::run::{Against, RegretFrom};
use graph_bandit::team::Draws;
use graph_bandit::{Graph, Preset};
use serde::Serialize;

/// The work after which computing a diameter is given up as too expensive.
const DIAMETER_EFFORT: usize = 100_000_000;

/// A graph in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GraphSummary {
    /// `|S|`.
    pub nodes: usize,
    /// Edges, self-loops not counted.
    pub edges: usize,
    /// `D`, absent if it is too expensive to compute.
    pub diameter: Option<u32>,
    /// The roads, if some are one-way or take time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roads: Option<RoadSummary>,
}

/// Roads in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RoadSummary {
    /// Their number, counting each direction.
    pub count: usize,
    /// How many lack a road in the opposite direction.
    pub one_way: usize,
    /// The longest of the fastest times between two nodes; absent if it is too expensive to
    /// compute.
    pub time_diameter: Option<f64>,
}

impl RoadSummary {
    fn of(graph: &Graph, searches: usize) -> Option<Self> {
        graph.roads()?;
        let one_way = graph.all_roads().filter(|road| !graph.allows(road.to, road.from)).count();
        let time_diameter = (searches >= graph.len()).then(|| graph.time_diameter());
        Some(Self { count: graph.road_count(), one_way, time_diameter })
    }
}

impl GraphSummary {
    /// The numbers of `graph`; the diameter only if it takes about a second.
    pub fn of(graph: &Graph) -> Self {
        let searches = DIAMETER_EFFORT / graph.row_entries();
        let diameter = graph.diameter_bounds(searches).exact();
        let roads = RoadSummary::of(graph, searches);
        Self { nodes: graph.len(), edges: graph.edge_count(), diameter, roads }
    }
}

/// One agent's runs in numbers. Regret is cumulative, expected, since the window's start; values
/// that need two runs are absent with one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentSummary {
    /// The agent's label.
    pub agent: String,
    /// The steps at which regret was recorded.
    pub checkpoints: Vec<u64>,
    /// Mean regret over runs at each checkpoint.
    pub regret_mean: Vec<f64>,
    /// Sample standard deviation over runs.
    pub regret_sd: Vec<Option<f64>>,
    /// 95% interval of the mean by Student's t.
    pub regret_ci95: Vec<[Option<f64>; 2]>,
    /// Mean realized regret over runs at each checkpoint: rewards instead of means; for teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realized_regret_mean: Option<Vec<f64>>,
    /// Its sample standard deviation; for teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realized_regret_sd: Option<Vec<Option<f64>>>,
    /// Mean reward collected in the window.
    pub reward_mean: f64,
    /// Mean number of legs in the window.
    pub legs_mean: f64,
    /// Mean steps of initialization.
    pub init_steps_mean: f64,
    /// Mean time that initialization spent on roads, beyond its steps; absent if roads take no
    /// time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub init_travel_mean: Option<f64>,
    /// Mean expected regret of initialization, not included above.
    pub init_regret_mean: f64,
    /// Which nodes the runs found to be the best, and how sure that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<BestSummary>,
    /// Median wall-clock time of one run.
    pub seconds_per_run_median: f64,
}

impl AgentSummary {
    /// Summarizes the runs of one agent.
    pub fn of(study: &Study, record: &AgentRecord) -> Self {
        let (runs, checkpoints) = (&record.runs, &study.plan.checkpoints);
        let regrets: Vec<Moments> = (0..checkpoints.len())
            .map(|k| Moments::of(runs.iter().map(move |run| run.checkpoints[k].regret)))
            .collect();
        let realized = study.team.as_ref().map(|_| {
            let at = |k: usize| runs.iter().map(move |run| run.checkpoints[k].realized_regret);
            (0..checkpoints.len()).map(|k| Moments::of(at(k))).collect::<Vec<_>>()
        });
        let last = |run: &crate::study::RunOutcome| run.checkpoints[checkpoints.len() - 1];
        let interval = |moments: &Moments| match moments.ci95() {
            Some((low, high)) => [Some(low), Some(high)],
            None => [None, None],
        };
        Self {
            agent: record.label.clone(),
            checkpoints: checkpoints.clone(),
            regret_mean: regrets.iter().map(|moments| moments.mean).collect(),
            regret_sd: regrets.iter().map(|moments| moments.sd).collect(),
            regret_ci95: regrets.iter().map(interval).collect(),
            realized_regret_mean: realized.as_ref().map(|all| all.iter().map(|m| m.mean).collect()),
            realized_regret_sd: realized.as_ref().map(|all| all.iter().map(|m| m.sd).collect()),
            reward_mean: Moments::of(runs.iter().map(|run| last(run).reward)).mean,
            legs_mean: Moments::of(runs.iter().map(|run| last(run).legs as f64)).mean,
            init_steps_mean: Moments::of(runs.iter().map(|run| run.init.steps as f64)).mean,
            init_travel_mean: Some(Moments::of(runs.iter().map(|run| run.init.travel)).mean)
                .filter(|travel| *travel > 0.0),
            init_regret_mean: Moments::of(runs.iter().map(|run| run.init.regret)).mean,
            best: BestSummary::of(study, record),
            seconds_per_run_median: median(
                runs.iter().map(|run| run.elapsed.as_secs_f64()).collect(),
            ),
        }
    }
}

/// A study in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudySummary {
    /// The graph.
    pub graph: GraphSummary,
    /// `T`.
    pub steps: u64,
    /// Runs per agent.
    pub runs: u64,
    /// The seed.
    pub seed: u64,
    /// The preset of the agents' parameters.
    pub preset: Preset,
    /// Which steps count.
    pub window: Window,
    /// What regret is measured against; absent if means do not change and it is the best of them,
    /// as in the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
    /// The first step that counts; absent if it is the first after initialization, as in the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regret_from: Option<RegretFrom>,
    /// The team, if several walkers share the graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamSummary>,
    /// One entry per agent, in the order asked for.
    pub agents: Vec<AgentSummary>,
}

/// A team in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TeamSummary {
    /// The number of walkers.
    pub walkers: usize,
    /// What a node pays several of them.
    pub share: String,
    /// What walkers on one node draw.
    pub draws: Draws,
    /// The most walkers that are sent to one node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<usize>,
    /// What the best static allocation earns per step, averaged over runs; if means change, of those at the
    /// start.
    pub optimum_mean: f64,
}

impl TeamSummary {
    fn of(study: &Study) -> Option<Self> {
        let team = study.team.as_ref()?;
        // The means of all runs are the same if they are given.
        let runs = if study.means.is_fixed() { 1 } else { study.runs };
        let optima = (0..runs).filter_map(|run| study.optimum(run).ok());
        Some(Self {
            walkers: team.walkers,
            share: team.share.to_string(),
            draws: team.draws,
            seats: team.seats,
            optimum_mean: Moments::of(optima).mean,
        })
    }
}

impl StudySummary {
    /// Summarizes a study.
    pub fn of(study: &Study, record: &StudyRecord) -> Self {
        Self {
            graph: GraphSummary::of(&study.graph),
            steps: study.plan.steps,
            runs: study.runs,
            seed: study.seed.0,
            preset: study.preset,
            window: study.window,
            against: Some(study.plan.against)
                .filter(|against| study.means.changes() || *against != Against::Free),
            regret_from: Some(study.plan.regret_from).filter(|from| *from != RegretFrom::Cover),
            team: TeamSummary::of(study),
            agents: record.agents.iter().map(|a| AgentSummary::of(study, a)).collect(),
        }
    }
}

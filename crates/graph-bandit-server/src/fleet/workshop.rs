//! Runs long planning on threads of its own, beside those that answer requests.
//!
//! Planning is bound by the processor, and a thread that plans answers no request. Most planning takes
//! microseconds and is done on the spot; a change of threads would take as long. Work that may take more
//! than a millisecond or two goes to another thread, and only a limited amount runs at the same time, so
//! that the agents of small graphs are not slowed down.

use super::FleetError;
use super::asker::{Asker, Holding};
use super::turns::Benches;
use crate::agent::{Channel, Event, Served, Visits, WalkersInput, size_of};
use crate::metrics::write_gauges;
use graph_bandit::{Graph, Phase};
use graph_bandit_figures::layout_work;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// The most work that is done on the spot. A unit is a node or an edge looked at, about 30 nanoseconds.
const LIGHT: u64 = 50_000;
/// More work than this takes seconds or minutes, and must not delay shorter work.
const LONG: u64 = 20_000_000;
/// The cost of building a node or an edge.
const BUILDING: u64 = 8;
/// A record of the log plans once, and once more for each visit. A visit has at least this many bytes,
/// unless it is to the same node as the one before.
const BYTES_PER_VISIT: u64 = 32;

/// How long work takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    Light,
    Long,
    VeryLong,
}

impl Effort {
    fn of(work: u64) -> Self {
        if work <= LIGHT {
            Self::Light
        } else if work <= LONG {
            Self::Long
        } else {
            Self::VeryLong
        }
    }

    /// Looking at an agent, perhaps at all its nodes.
    pub(super) fn of_look(live: &Served) -> Self {
        Self::of(size_of(live.graph()))
    }

    /// Building a graph with this many nodes and edges, and an agent on it.
    pub(super) fn of_building(size: usize) -> Self {
        Self::of((size as u64).saturating_mul(BUILDING))
    }

    /// Creating an agent or a team, on a graph with this many nodes and edges.
    pub(super) fn of_creation(size: usize, walkers: Option<&WalkersInput>) -> Self {
        let walkers = match walkers {
            None => 0,
            Some(WalkersInput::Count(count)) => *count,
            Some(WalkersInput::Each(walkers)) => walkers.len(),
        };
        // A plan for each, and another one of the same size to find that all is well.
        let plans = (size as u64).saturating_mul(walkers as u64).saturating_mul(BUILDING);
        Self::of((size as u64).saturating_mul(BUILDING).saturating_add(plans))
    }

    /// Computing where nodes are drawn.
    pub(super) fn of_layout(graph: &Graph) -> Self {
        let has_coordinates = graph.coordinates().is_some();
        Self::of(if has_coordinates { size_of(graph) } else { layout_work(graph) })
    }

    /// Applying an event.
    pub(super) fn of_event(live: &Served, by: Channel, event: &Event) -> Self {
        let size = size_of(live.graph());
        let plan = live.work_of_plan();
        match event {
            Event::Told { visits } => {
                let told: u64 = visits.iter().map(|run| run.rewards.len() as u64).sum();
                let plans = told - on_the_leg(live, by, visits);
                Self::of(plans.saturating_mul(plan).saturating_add(told))
            }
            // Nothing is planned, unless initialization ends.
            Event::Observed { observations } => {
                let observed: u64 = observations.iter().map(|run| run.rewards.len() as u64).sum();
                let plan = if live.phase() == Phase::Cover { plan } else { 0 };
                Self::of(observed.saturating_add(plan))
            }
            // A graph is built again, too, and every walker of a team may need a plan.
            Event::EdgeBlocked { .. } | Event::EdgeOpened { .. } => {
                let walkers = live.team().map_or(1, |team| team.walkers().len() as u64);
                Self::of(size.saturating_mul(4).saturating_add(plan.saturating_mul(walkers)))
            }
            _ => Self::of(size.saturating_mul(4).saturating_add(plan)),
        }
    }

    /// Replaying these records.
    pub(super) fn of_replay(live: &Served, lines: &[String]) -> Self {
        let bytes: u64 = lines.iter().map(|line| line.len() as u64).sum();
        let visits = lines.len() as u64 + bytes / BYTES_PER_VISIT;
        Self::of(visits.saturating_mul(size_of(live.graph())))
    }
}

/// How many of these visits were ordered and are not the last of the leg: nothing is planned after
/// them.
fn on_the_leg(live: &Served, by: Channel, visits: &[Visits]) -> u64 {
    let order = match (live, by) {
        (Served::Alone(live), _) => Ok(live.order()),
        (Served::Team(team), Some(walker)) => team.order(walker),
        (Served::Team(_), None) => return 0,
    };
    let Ok(order) = order else { return 0 };
    let told = visits.iter().flat_map(|run| run.rewards.iter().map(|_| run.node));
    let as_ordered = told.zip(order.nodes()).take_while(|(told, ordered)| told == ordered);
    (as_ordered.count() as u64).min(order.visits().saturating_sub(1))
}

/// The threads for long work.
pub(super) struct Workshop {
    long: Arc<Benches>,
    very_long: Arc<Benches>,
}

impl Default for Workshop {
    /// If there are several processors, one is left to answer requests.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let benches = || Benches::new((processors - 1).max(1));
        Self { long: benches(), very_long: benches() }
    }
}

impl Workshop {
    /// Runs work when it is the asker's turn. If the work panics, everything it owns is lost.
    pub(super) async fn done<T: Send + 'static>(
        &self,
        effort: Effort,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, FleetError> {
        let benches = match effort {
            Effort::Light => return Ok(work()),
            Effort::Long => &self.long,
            Effort::VeryLong => &self.very_long,
        };
        let bench = benches.take(&Asker::of_this_task()).await;
        // Work that has begun goes on when its client leaves, with all that it holds.
        let held = (bench, Holding::of_this_task());
        let working = tokio::task::spawn_blocking(move || {
            let _held = held;
            work()
        });
        working.await.map_err(|error| {
            tracing::error!(%error, "planning panicked");
            FleetError::Defect
        })
    }
}

impl Workshop {
    /// The longest present wait.
    pub(super) fn longest_wait(&self) -> Duration {
        let waits = [&self.long, &self.very_long].map(|benches| benches.longest_wait());
        waits.into_iter().flatten().max().unwrap_or_default()
    }

    /// Writes how much work is under way and how much waits.
    pub(super) fn write(&self, text: &mut String) {
        let ((long, long_waiting), (very, very_waiting)) =
            (self.long.count(), self.very_long.count());
        let gauges = [
            ("gbandit_long_work", "Work under way that takes up to a second.", long),
            (
                "gbandit_long_work_waiting",
                "Work of up to a second that waits for its turn.",
                long_waiting,
            ),
            ("gbandit_very_long_work", "Work under way that takes seconds.", very),
            (
                "gbandit_very_long_work_waiting",
                "Work of seconds that waits for its turn.",
                very_waiting,
            ),
        ];
        write_gauges(text, &gauges);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{AgentRequest, Directions, GraphLimits, Planning, in_runs};

    fn live(graph: &str) -> Served {
        let request = serde_json::json!({"graph": graph, "agent": "g-star"});
        let request: AgentRequest = serde_json::from_value(request).unwrap();
        let (definition, graph) = request.define(GraphLimits::default()).unwrap();
        Served::on(definition, graph).unwrap()
    }

    fn told(nodes: impl IntoIterator<Item = u32>) -> Event {
        Event::Told { visits: in_runs(nodes.into_iter().map(|node| (node, 0.5))) }
    }

    #[test]
    fn ordinary_reports_are_light_and_many_visits_on_large_graphs_are_not() {
        let small = live("grid:10x10");
        assert_eq!(Effort::of_look(&small), Effort::Light);
        assert_eq!(Effort::of_event(&small, None, &told([0, 1, 2])), Effort::Light);
        assert_eq!(Effort::of_event(&small, None, &told(0..30)), Effort::Light);
        let blocked = Event::EdgeBlocked {
            edge: (0, 1),
            at: Some(0),
            directions: Directions::One,
            reopening_rate: None,
        };
        assert_eq!(Effort::of_event(&small, None, &blocked), Effort::Light);
        let lines = vec!["x".repeat(300)];
        assert_eq!(Effort::of_replay(&small, &lines), Effort::Light);
        assert_eq!(Effort::of_replay(&small, &vec!["x".repeat(300); 1_000]), Effort::Long);
        let large = live("grid:100x100");
        assert_eq!(Effort::of_look(&large), Effort::Light);
        assert_eq!(Effort::of_event(&large, None, &told([9_999])), Effort::Long);
        assert_eq!(Effort::of_event(&large, None, &told([9_999, 0, 9_999])), Effort::Long);
        let many = told((0..30_000).map(|visit| visit * 7 % 10_000));
        assert_eq!(Effort::of_event(&large, None, &many), Effort::VeryLong);
        let larger = live("grid:300x300");
        assert_eq!(Effort::of_look(&larger), Effort::Long);
        assert_eq!(Effort::of_event(&larger, None, &told([5])), Effort::Long);
    }

    #[test]
    fn only_small_graphs_are_laid_out_on_the_spot() {
        let effort = |graph: &str| Effort::of_layout(live(graph).graph());
        assert_eq!(effort("small-world:20,4,0.1"), Effort::Light);
        assert_eq!(effort("small-world:100,4,0.1"), Effort::Long);
        assert_eq!(effort("small-world:10000,4,0.1"), Effort::VeryLong);
        // It is a tree.
        assert_eq!(effort("line:10000"), Effort::Light);
        // It has coordinates.
        assert_eq!(effort("grid:100x100"), Effort::Light);
    }

    /// Nothing is planned while a leg goes on, whatever the size of the graph.
    #[test]
    fn ordered_visits_are_light() {
        let mut large = live("grid:300x300");
        for _ in 0..50 {
            let order = large.alone().unwrap().order();
            let leg: Vec<u32> = order.nodes().take(order.path.len() + 1_000).collect();
            let (last, before) = leg.split_last().unwrap();
            if !before.is_empty() {
                let before = told(before.iter().copied());
                assert_eq!(Effort::of_event(&large, None, &before), Effort::Light);
                large.apply_within(None, &before, &mut Planning::unlimited()).unwrap();
            }
            let last = told([*last]);
            assert_eq!(Effort::of_event(&large, None, &last), Effort::Long);
            large.apply_within(None, &last, &mut Planning::unlimited()).unwrap();
        }
    }

    #[tokio::test]
    async fn a_panic_is_a_defect_and_frees_its_bench() {
        let workshop = Workshop::default();
        for _ in 0..100 {
            let panics = workshop.done(Effort::VeryLong, || -> u32 { panic!("on purpose") });
            assert_eq!(panics.await, Err(FleetError::Defect));
        }
        for effort in [Effort::Light, Effort::Long, Effort::VeryLong] {
            assert_eq!(workshop.done(effort, || 3).await, Ok(3));
        }
    }
}

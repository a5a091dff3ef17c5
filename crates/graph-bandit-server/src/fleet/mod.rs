//! All agents of a store, loaded when needed, and changed by one request at a time.
//!
//! A report is applied in memory, appended to the log, and only then answered. If anything goes wrong
//! in between, memory is dropped and loaded from the log again: the store is the truth, and no error
//! needs to be undone. A request goes on even if its client gives up.

mod answer;
mod asker;
mod audit;
mod compaction;
mod error;
mod history;
mod list;
pub(crate) mod load;
mod map;
mod notice;
mod others;
mod report;
pub(crate) mod seal;
mod slots;
mod take_in;
mod teller;
mod turn;
mod turns;
mod wall_clock;
mod wanted;
mod workshop;

pub use answer::Estimates;
pub use asker::{Holding, for_client};
pub use audit::Depth;
use compaction::Compacting;
pub use compaction::{Compacted, KeepHistory};
pub use error::FleetError;
pub use history::Log;
pub use list::AgentSummary;
pub use map::{AgentMap, Learned};
pub use notice::{Glance, Look, Version, Watcher};
pub use report::{MOST_VISITS, Observation, Remarks, Report, Reported, Told, VisitTold};

use crate::agent::{
    AgentRequest, Definition, EventError, GraphLimits, PLANNING_PER_REPORT, ResumeError, Served,
    Snapshot, is_name,
};
use crate::metrics::{Commits, Metrics};
use crate::store::{Sizes, Store, StoreError, seal_of};
use asker::Asker;
use list::label_of;
use notice::Notices;
use seal::seal;
use slots::{Held, Memory, Slot};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wall_clock::WallClock;
use wanted::UnderWay;
use workshop::{Effort, Workshop};

/// The limits of a fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FleetLimits {
    /// The largest graphs.
    pub graph: GraphLimits,
    /// How many agents are kept in memory; the others are loaded when needed.
    pub in_memory: usize,
    /// How much memory they may take, in bytes, by estimate; those that requests use at the moment stay.
    pub memory: usize,
    /// How much of the history of each agent is kept.
    pub keep_history: KeepHistory,
    /// How long work may wait for its turn before the service reports that it is not ready.
    pub patience: Duration,
    /// How long planning for a report goes on after its client is gone; the client may come back.
    pub abandoned: Duration,
    /// How much planning one report may take; see [`PLANNING_PER_REPORT`].
    pub planning: u64,
}

impl Default for FleetLimits {
    fn default() -> Self {
        Self {
            graph: GraphLimits::default(),
            in_memory: 10_000,
            memory: 1 << 30,
            keep_history: KeepHistory::All,
            patience: Duration::from_secs(30),
            abandoned: Duration::from_secs(10),
            planning: PLANNING_PER_REPORT,
        }
    }
}

/// Whether an agent is new or existed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creation {
    /// It is new.
    New,
    /// The same agent existed before.
    Repeated,
}

/// All agents of a store.
pub struct Fleet {
    store: Arc<dyn Store>,
    limits: FleetLimits,
    metrics: Arc<Metrics>,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    memory: Memory,
    notices: Arc<Notices>,
    workshop: Workshop,
    under_way: Arc<UnderWay>,
    compacting: Compacting,
    clock: WallClock,
}

impl Fleet {
    /// A fleet of the agents in this store.
    pub fn new(store: Arc<dyn Store>, limits: FleetLimits, metrics: Arc<Metrics>) -> Arc<Self> {
        let (slots, notices, workshop) = (Mutex::default(), Arc::default(), Workshop::default());
        let under_way = Arc::new(UnderWay::new(limits.abandoned));
        let (compacting, clock) = (Compacting::default(), WallClock::at_start());
        Arc::new(Self {
            store,
            limits,
            metrics,
            slots,
            memory: Memory::default(),
            notices,
            workshop,
            under_way,
            compacting,
            clock,
        })
    }

    /// The largest graphs.
    pub fn graph_limits(&self) -> GraphLimits {
        self.limits.graph
    }

    /// Watches an agent, which need not exist.
    pub fn watch(&self, id: &str) -> Watcher {
        self.notices.watch(id)
    }

    /// Creates an agent. Repeating the request with the same name changes nothing.
    ///
    /// # Errors
    /// When the agent cannot be created, or another has its name.
    pub async fn create(
        self: &Arc<Self>,
        mut request: AgentRequest,
    ) -> Result<(String, Creation), FleetError> {
        let id = named(request.id.take())?;
        let limits = self.limits.graph;
        let effort = Effort::of_creation(request.graph.size(), request.walkers.as_ref());
        // If the client goes away before the agent is built, nothing is created.
        let live = self.workshop.done(effort, move || {
            let (definition, graph) = request.define(limits)?;
            Served::on(definition, graph).map_err(|error| match error {
                ResumeError::Plan(error) => EventError::failed(error).into(),
                other => FleetError::Import(other),
            })
        });
        let (live, fleet) = (live.await??, Arc::clone(self));
        finished(&id.clone(), async move { fleet.add(id, live).await }).await
    }

    /// Creates an agent that continues an exported one. Its log starts empty.
    ///
    /// # Errors
    /// When the snapshot does not belong to such an agent, or another has its name.
    pub async fn import(
        self: &Arc<Self>,
        id: Option<String>,
        definition: Definition,
        snapshot: Snapshot,
    ) -> Result<(String, Creation), FleetError> {
        let id = named(id)?;
        let limits = self.limits.graph;
        let effort = Effort::of_building(definition.graph.size());
        let live = self.workshop.done(effort, move || {
            let (definition, graph) = definition.imported(snapshot, limits)?;
            Served::on(definition, graph)
        });
        let live = live.await?.map_err(FleetError::Import)?;
        let fleet = Arc::clone(self);
        finished(&id.clone(), async move { fleet.add(id, live).await }).await
    }

    async fn add(&self, id: String, live: Served) -> Result<(String, Creation), FleetError> {
        let text = seal(&id, &written(live.definition())?);
        let label = seal(&id, &label_of(live.definition(), &live));
        let (_slot, mut held) = self.occupied(&id).await;
        let creation = match self.store.create(&id, &label, &text).await {
            Ok(()) => Creation::New,
            Err(StoreError::Exists { .. }) => Creation::Repeated,
            Err(error) => return Err(error.into()),
        };
        match self.store.find(&id).await? {
            Some(there) if there.definition == text => {
                if there.end == 0 {
                    // Whichever process created it, the definition gives this agent.
                    let seal = seal_of(&text).to_owned();
                    let (memory, key) = (self.memory.of(&live), there.key());
                    *held = Some(Held { memory, key, live, seal, kept: 0, compacted: 0 });
                    self.make_room();
                }
                Ok((id, creation))
            }
            // Another version may have created it, and planned another first order.
            Some(there) => {
                if load::definition(&there)?.is_same(live.definition()) {
                    Ok((id, creation))
                } else {
                    Err(FleetError::NameTaken { id })
                }
            }
            None => Err(FleetError::NoSuchAgent { id }),
        }
    }

    /// Removes an agent and its log.
    ///
    /// # Errors
    /// When there is no such agent.
    pub async fn delete(self: &Arc<Self>, id: &str) -> Result<(), FleetError> {
        let (fleet, id) = (Arc::clone(self), id.to_owned());
        finished(&id.clone(), async move {
            // Delete the present agent, not one that has its name when this request gets its turn.
            let missing = || FleetError::NoSuchAgent { id: id.clone() };
            let key = fleet.store.key(&id).await?.ok_or_else(missing)?;
            // Do not wait for requests at work on it; they cannot append once it is gone.
            let (slot, held, before) = fleet.replaced(&id);
            fleet.under_way.give_up(&id);
            let deleted = fleet.store.delete(&key).await;
            match (&deleted, before) {
                (Ok(()), _) => fleet.notices.deleted(&id),
                // The agent still exists, and so do the requests at work on it; others must wait for them.
                (Err(_), Some(before)) => drop(before.lock().await),
                (Err(_), None) => {}
            }
            fleet.forget(&id, &slot);
            drop(held);
            Ok(deleted?)
        })
        .await
    }

    /// Looks at an agent.
    ///
    /// # Errors
    /// When there is no such agent, or it cannot be loaded.
    pub async fn look<T: Send + 'static>(
        self: &Arc<Self>,
        id: &str,
        look: impl FnOnce(&mut Served) -> T + Send + 'static,
    ) -> Result<T, FleetError> {
        self.look_at_version(id, |live, _, _| look(live)).await
    }

    /// Like [`look`](Self::look), with two more arguments: the agent's version, which differs from that of a
    /// later agent of the same name, and its seal, which differs for every history of reports.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn look_at_version<T: Send + 'static>(
        self: &Arc<Self>,
        id: &str,
        look: impl FnOnce(&mut Served, Version, &str) -> T + Send + 'static,
    ) -> Result<T, FleetError> {
        let (fleet, id) = (Arc::clone(self), id.to_owned());
        finished(&id.clone(), async move {
            let (slot, mut place) = fleet.occupied(&id).await;
            let held = fleet.take_or_load(&mut place, &slot, &id).await?;
            let mut held = fleet.caught_up(held, &slot).await?;
            let looking = fleet.workshop.done(Effort::of_look(&held.live), move || {
                let version = held.version();
                let seen = look(&mut held.live, version, &held.seal);
                (held, seen)
            });
            let (held, seen) = looking.await?;
            *place = Some(held);
            Ok(seen)
        })
        .await
    }

    /// Checks that reports can be stored now.
    ///
    /// # Errors
    /// When the store fails, or work waits too long for its turn.
    pub async fn check(&self) -> Result<(), FleetError> {
        self.check_work()?;
        Ok(self.store.check().await?)
    }

    /// The sizes of the store's files, if it has any.
    pub fn sizes(&self) -> Option<Sizes> {
        self.store.sizes()
    }

    /// Checks that no work waits too long for its turn.
    ///
    /// # Errors
    /// When some work has waited longer than a request may take.
    pub fn check_work(&self) -> Result<(), FleetError> {
        let waited = self.workshop.longest_wait();
        if waited <= self.limits.patience {
            return Ok(());
        }
        Err(FleetError::Overloaded { seconds: waited.as_secs() })
    }

    /// Adds the planning under way and waiting to the metrics for Prometheus.
    pub fn write_work(&self, text: &mut String) {
        self.workshop.write(text);
    }

    /// The store's measurements of its commits, if it has any.
    pub fn commits(&self) -> Option<&Commits> {
        self.store.commits()
    }
}

fn written(value: &impl serde::Serialize) -> Result<String, FleetError> {
    serde_json::to_string(value).map_err(|error| {
        tracing::error!(%error, "a value cannot be written as JSON");
        FleetError::Defect
    })
}

fn named(id: Option<String>) -> Result<String, FleetError> {
    let Some(id) = id else { return crate::fingerprint::random_name() };
    if is_name(&id) { Ok(id) } else { Err(FleetError::BadName { id }) }
}

/// Runs work that must finish once it has begun, even if its client is gone.
fn finished<T, F>(agent: &str, work: F) -> impl Future<Output = Result<T, FleetError>> + use<T, F>
where
    T: Send + 'static,
    F: Future<Output = Result<T, FleetError>> + Send + 'static,
{
    let asker = Asker::of_this_task().about(agent);
    let task = tokio::spawn(asker.working(Holding::of_this_task(), work));
    async {
        task.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a request panicked");
            Err(FleetError::Defect)
        })
    }
}

//! All agents of a store, loaded when they are needed, and changed by one request at a time.
//!
//! A report is let happen in memory, appended to the log, and answered only then. Whatever goes
//! wrong in between, memory is thrown away and had again from the log: what is in the store is the
//! truth, and no error needs to be undone. A request that its client gives up goes on all the same.

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
mod seal;
mod slots;
mod take_in;
mod turns;
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
    AgentRequest, Definition, EventError, GraphLimits, Live, PLANNING_PER_REPORT, ResumeError,
    Snapshot, is_name,
};
use crate::metrics::{Commits, Metrics};
use crate::store::{Format, Sizes, Store, StoreError, seal_of};
use asker::Asker;
use notice::Notices;
use seal::seal;
use slots::{Held, Slot};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wanted::UnderWay;
use workshop::{Effort, Workshop};

/// How much the fleet takes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FleetLimits {
    /// How large graphs may be.
    pub graph: GraphLimits,
    /// How many agents are kept in memory; the others are loaded when they are asked.
    pub in_memory: usize,
    /// How much of the history of each agent is kept.
    pub keep_history: KeepHistory,
    /// How long work may wait for its turn before the service says that it is not ready.
    pub patience: Duration,
    /// How long a report is planned for when nobody waits for it any more; its client may come back.
    pub abandoned: Duration,
    /// How much planning one report may take; see [`PLANNING_PER_REPORT`].
    pub planning: u64,
}

impl Default for FleetLimits {
    fn default() -> Self {
        Self {
            graph: GraphLimits::default(),
            in_memory: 10_000,
            keep_history: KeepHistory::All,
            patience: Duration::from_secs(30),
            abandoned: Duration::from_secs(10),
            planning: PLANNING_PER_REPORT,
        }
    }
}

/// Whether an agent was created, or there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creation {
    /// It is new.
    New,
    /// The same one was there already.
    Repeated,
}

/// All agents of a store.
pub struct Fleet {
    store: Arc<dyn Store>,
    limits: FleetLimits,
    metrics: Arc<Metrics>,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    notices: Arc<Notices>,
    workshop: Workshop,
    under_way: Arc<UnderWay>,
    compacting: Compacting,
}

impl Fleet {
    /// The agents of this store.
    pub fn new(store: Arc<dyn Store>, limits: FleetLimits, metrics: Arc<Metrics>) -> Arc<Self> {
        let (slots, notices, workshop) = (Mutex::default(), Arc::default(), Workshop::default());
        let under_way = Arc::new(UnderWay::new(limits.abandoned));
        let compacting = Compacting::default();
        Arc::new(Self { store, limits, metrics, slots, notices, workshop, under_way, compacting })
    }

    /// How large graphs may be.
    pub fn graph_limits(&self) -> GraphLimits {
        self.limits.graph
    }

    /// Watches an agent, whether there is one or not.
    pub fn watch(&self, id: &str) -> Watcher {
        self.notices.watch(id)
    }

    /// Creates an agent. The same request under the same name again changes nothing.
    ///
    /// # Errors
    /// When there is no such agent, or another of its name.
    pub async fn create(
        self: &Arc<Self>,
        mut request: AgentRequest,
    ) -> Result<(String, Creation), FleetError> {
        let id = named(request.id.take())?;
        let limits = self.limits.graph;
        let says_init = request.init.is_some();
        let effort = Effort::of_building(request.graph.size());
        // Who goes away before it is built has created nothing.
        let live = self.workshop.done(effort, move || {
            let (definition, graph) = request.define(limits)?;
            Live::on(definition, graph).map_err(|error| match error {
                ResumeError::Plan(error) => EventError::failed(error).into(),
                other => FleetError::Import(other),
            })
        });
        let (live, fleet) = (live.await??, Arc::clone(self));
        // An agent that 0.1 created by the same request is still the same one.
        let formerly = (!says_init).then(|| live.definition().formerly());
        finished(&id.clone(), async move { fleet.add(id, live, formerly).await }).await
    }

    /// Creates an agent that goes on where an exported one stood. Its log begins anew.
    ///
    /// # Errors
    /// When the snapshot is none of such an agent, or there is another of its name.
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
            Live::on(definition, graph)
        });
        let live = live.await?.map_err(FleetError::Import)?;
        let fleet = Arc::clone(self);
        finished(&id.clone(), async move { fleet.add(id, live, None).await }).await
    }

    async fn add(
        &self,
        id: String,
        live: Live,
        formerly: Option<Definition>,
    ) -> Result<(String, Creation), FleetError> {
        let is_new = live.falls_apart() || live.rewards().observed() > 0 || live.has_roads();
        if is_new && self.store.format() == Format::First {
            return Err(FleetError::NotYet);
        }
        let definition = written_as(self.store.format(), live.definition());
        let text = seal(&id, &written(&definition)?);
        let label = seal(&id, &definition.agent.to_string());
        let (_slot, mut held) = self.occupied(&id).await;
        let creation = match self.store.create(&id, &label, &text).await {
            Ok(()) => Creation::New,
            Err(StoreError::Exists { .. }) => Creation::Repeated,
            Err(error) => return Err(error.into()),
        };
        match self.store.find(&id).await? {
            Some(there) if there.definition == text => {
                if there.end == 0 {
                    // Whoever created it: this is what the definition comes to.
                    let seal = seal_of(&text).to_owned();
                    *held = Some(Held { key: there.key(), live, seal, kept: 0, compacted: 0 });
                }
                Ok((id, creation))
            }
            // Perhaps kept by another version, which planned another first order for it.
            Some(there) => {
                let there = load::definition(&there)?;
                let is_same = |meant: &Definition| there.is_same(meant);
                if is_same(&definition) || formerly.as_ref().is_some_and(is_same) {
                    Ok((id, creation))
                } else {
                    Err(FleetError::NameTaken { id })
                }
            }
            None => Err(FleetError::NoSuchAgent { id }),
        }
    }

    /// Removes an agent and all that was told to it.
    ///
    /// # Errors
    /// When there is no such agent.
    pub async fn delete(self: &Arc<Self>, id: &str) -> Result<(), FleetError> {
        let (fleet, id) = (Arc::clone(self), id.to_owned());
        finished(&id.clone(), async move {
            // The one that is there now; not one that bears its name when it is this one's turn.
            let missing = || FleetError::NoSuchAgent { id: id.clone() };
            let key = fleet.store.key(&id).await?.ok_or_else(missing)?;
            // Whoever is at work on it is not waited for, and cannot add to its log once it is gone.
            let (slot, held, before) = fleet.replaced(&id);
            fleet.under_way.give_up(&id);
            let deleted = fleet.store.delete(&key).await;
            match (&deleted, before) {
                (Ok(()), _) => fleet.notices.deleted(&id),
                // It is still there: so are those at work, and nobody else until they are done.
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
        look: impl FnOnce(&mut Live) -> T + Send + 'static,
    ) -> Result<T, FleetError> {
        self.look_at_version(id, |live, _, _| look(live)).await
    }

    /// As [`look`](Self::look), for those who must know one agent from another of the same name, and
    /// by its seal one past from another.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn look_at_version<T: Send + 'static>(
        self: &Arc<Self>,
        id: &str,
        look: impl FnOnce(&mut Live, Version, &str) -> T + Send + 'static,
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

    /// Whether reports can be kept now.
    ///
    /// # Errors
    /// When the store fails, or there is more to plan than can be planned in time.
    pub async fn check(&self) -> Result<(), FleetError> {
        self.check_work()?;
        Ok(self.store.check().await?)
    }

    /// How large the files of the store are, if it has any.
    pub fn sizes(&self) -> Option<Sizes> {
        self.store.sizes()
    }

    /// Whether what has to be planned is planned in time.
    ///
    /// # Errors
    /// When something has waited for its turn for longer than a request may take.
    pub fn check_work(&self) -> Result<(), FleetError> {
        let waited = self.workshop.longest_wait();
        if waited <= self.limits.patience {
            return Ok(());
        }
        Err(FleetError::Overloaded { seconds: waited.as_secs() })
    }

    /// Adds what is planned and what waits to the text that Prometheus reads.
    pub fn write_work(&self, text: &mut String) {
        self.workshop.write(text);
    }

    /// What the store has measured of its commits, if it does so.
    pub fn commits(&self) -> Option<&Commits> {
        self.store.commits()
    }
}

/// A definition as it is kept.
fn written_as(format: Format, definition: &Definition) -> Definition {
    match format {
        Format::Current => definition.clone(),
        Format::First => definition.clone().in_first_format(),
    }
}

fn written(value: &impl serde::Serialize) -> Result<String, FleetError> {
    serde_json::to_string(value).map_err(|error| {
        tracing::error!(%error, "something cannot be written as JSON");
        FleetError::Defect
    })
}

fn named(id: Option<String>) -> Result<String, FleetError> {
    let Some(id) = id else { return crate::fingerprint::random_name() };
    if is_name(&id) { Ok(id) } else { Err(FleetError::BadName { id }) }
}

/// Does what must be finished once it has begun, whether its client waits for it or not.
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

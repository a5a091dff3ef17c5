//! All agents of a store, loaded when they are needed, and changed by one request at a time.
//!
//! A report is let happen in memory, appended to the log, and answered only then. Whatever goes
//! wrong in between, memory is thrown away and had again from the log: what is in the store is the
//! truth, and no error needs to be undone. A request that its client gives up goes on all the same.

mod list;
mod load;
mod notice;
mod others;
mod report;
mod seal;
mod workshop;

pub use list::Listed;
pub use notice::{Glance, Look, Version, Watcher};
pub use report::{MOST_VISITS, Report, Told, VisitTold};

use crate::agent::{
    Definition, DefinitionError, Event, EventError, GraphLimits, Live, NodeEstimate, Orders, Place,
    Receipt, Record, ResumeError, Snapshot, Why, Wish,
};
use crate::fingerprint::fingerprint;
use crate::metrics::{Commits, Metrics};
use crate::store::{AgentKey, Store, StoreError, StoredSnapshot};
use graph_bandit::{Graph, NodeId};
use notice::Notices;
use seal::seal;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;
use workshop::{Effort, Workshop};

/// How often a request starts again when others write to its agent, too.
const ATTEMPTS: u32 = 5;
/// After so many records a snapshot is taken; on graphs of more nodes, after as many as nodes, so
/// that snapshots never cost more than the log.
const SNAPSHOT_EVERY: u64 = 256;
/// The longest name of an agent.
const LONGEST_NAME: usize = 64;

/// Why a request to an agent failed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FleetError {
    /// A name that no agent may bear.
    #[error(
        "{id:?} is no name for an agent; write 1 to {LONGEST_NAME} letters, digits, `-` or `_`"
    )]
    BadName {
        /// The name.
        id: String,
    },
    /// No such agent can be.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// What was imported is no agent.
    #[error("the snapshot cannot be imported: {0}")]
    Import(ResumeError),
    /// What was reported cannot have happened.
    #[error(transparent)]
    Event(#[from] EventError),
    /// Another agent bears the name.
    #[error("there is another agent {id:?} already")]
    NameTaken {
        /// The name.
        id: String,
    },
    /// No agent bears the name.
    #[error("there is no agent {id:?}")]
    NoSuchAgent {
        /// The name.
        id: String,
    },
    /// Another report bore the number.
    #[error("report {sequence} was another one; ask, and report what came after it as {next}")]
    OtherReport {
        /// The number.
        sequence: u64,
        /// The number that is free.
        next: u64,
    },
    /// Reports are missing in between.
    #[error("report {sequence} is too early; the next one is {next}")]
    Gap {
        /// The number.
        sequence: u64,
        /// The number that is free.
        next: u64,
    },
    /// Others write to the agent all the time.
    #[error("others report to agent {id:?} at the same time; ask again")]
    Contended {
        /// The agent.
        id: String,
    },
    /// What is stored of an agent makes no sense.
    #[error("what is stored of agent {id:?} is damaged: {reason}")]
    Damaged {
        /// The agent.
        id: String,
        /// What is wrong.
        reason: String,
    },
    /// The store failed.
    #[error("{reason}")]
    Store {
        /// What it says.
        reason: String,
    },
    /// A defect of the service.
    #[error("the service has a defect; the request was not carried out")]
    Defect,
}

impl From<StoreError> for FleetError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Exists { id } => Self::NameTaken { id },
            StoreError::NoSuchAgent { id } => Self::NoSuchAgent { id },
            StoreError::Conflict { id, .. } => Self::Contended { id },
            StoreError::Damaged { id, reason } => Self::Damaged { id, reason },
            StoreError::Failed { .. } => Self::Store { reason: error.to_string() },
        }
    }
}

/// How much the fleet takes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FleetLimits {
    /// How large graphs may be.
    pub graph: GraphLimits,
    /// How many agents are kept in memory; the others are loaded when they are asked.
    pub in_memory: usize,
}

impl Default for FleetLimits {
    fn default() -> Self {
        Self { graph: GraphLimits::default(), in_memory: 10_000 }
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

/// An agent in memory, and how far its last snapshot reaches.
struct Held {
    key: AgentKey,
    live: Live,
    kept: u64,
}

type Slot = tokio::sync::Mutex<Option<Held>>;

/// All agents of a store.
pub struct Fleet {
    store: Arc<dyn Store>,
    limits: FleetLimits,
    metrics: Arc<Metrics>,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    notices: Arc<Notices>,
    workshop: Workshop,
}

impl Fleet {
    /// The agents of this store.
    pub fn new(store: Arc<dyn Store>, limits: FleetLimits, metrics: Arc<Metrics>) -> Arc<Self> {
        let (slots, notices, workshop) = (Mutex::default(), Arc::default(), Workshop::default());
        Arc::new(Self { store, limits, metrics, slots, notices, workshop })
    }

    /// How large graphs may be.
    pub fn graph_limits(&self) -> GraphLimits {
        self.limits.graph
    }

    /// Watches an agent, whether there is one or not.
    pub fn watch(&self, id: &str) -> Watcher {
        self.notices.watch(id)
    }

    /// Creates an agent. The same wish under the same name again changes nothing.
    ///
    /// # Errors
    /// When there is no such agent, or another of its name.
    pub async fn create(
        self: &Arc<Self>,
        mut wish: Wish,
    ) -> Result<(String, Creation), FleetError> {
        let fleet = Arc::clone(self);
        finished(tokio::spawn(async move {
            let id = named(wish.id.take())?;
            let limits = fleet.limits.graph;
            let live = fleet.workshop.done(Effort::Long, move || {
                let (definition, graph) = wish.define(limits)?;
                Live::on(definition, graph).map_err(FleetError::Import)
            });
            let live = live.await??;
            fleet.add(id, live).await
        }))
        .await
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
        let fleet = Arc::clone(self);
        finished(tokio::spawn(async move {
            let id = named(id)?;
            let origin = Some(Box::new(snapshot));
            let definition = Definition { origin, ..definition };
            let limits = fleet.limits.graph;
            let live = fleet.workshop.done(Effort::Long, move || Live::new(definition, limits));
            let live = live.await?.map_err(FleetError::Import)?;
            fleet.add(id, live).await
        }))
        .await
    }

    async fn add(&self, id: String, live: Live) -> Result<(String, Creation), FleetError> {
        let definition = seal(&id, &written(live.definition())?);
        let label = seal(&id, &live.definition().agent.to_string());
        let slot = self.slot(&id);
        let mut held = slot.lock().await;
        let creation = match self.store.create(&id, &label, &definition).await {
            Ok(()) => Creation::New,
            Err(StoreError::Exists { .. }) => Creation::Repeated,
            Err(error) => return Err(error.into()),
        };
        match self.store.find(&id).await? {
            Some(there) if there.definition == definition => {
                if there.end == 0 {
                    // Whoever created it: this is what the definition comes to.
                    *held = Some(Held { key: there.key(), live, kept: 0 });
                }
                Ok((id, creation))
            }
            Some(_) => Err(FleetError::NameTaken { id }),
            None => Err(FleetError::NoSuchAgent { id }),
        }
    }

    /// Removes an agent and all that was told to it.
    ///
    /// # Errors
    /// When there is no such agent.
    pub async fn delete(self: &Arc<Self>, id: &str) -> Result<(), FleetError> {
        let (fleet, id) = (Arc::clone(self), id.to_owned());
        finished(tokio::spawn(async move {
            // The one that is there now; not one that bears its name when it is this one's turn.
            let missing = || FleetError::NoSuchAgent { id: id.clone() };
            let key = fleet.store.key(&id).await?.ok_or_else(missing)?;
            let slot = fleet.slot(&id);
            let mut held = slot.lock().await;
            let deleted = fleet.store.delete(&key).await;
            *held = None;
            if deleted.is_ok() {
                fleet.notices.deleted(&id);
            }
            drop(held);
            fleet.forget(&id, &slot);
            Ok(deleted?)
        }))
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
        self.look_at_version(id, |live, _| look(live)).await
    }

    /// As [`look`](Self::look), for those who must know one agent from another of the same name.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn look_at_version<T: Send + 'static>(
        self: &Arc<Self>,
        id: &str,
        look: impl FnOnce(&mut Live, Version) -> T + Send + 'static,
    ) -> Result<T, FleetError> {
        let (fleet, id) = (Arc::clone(self), id.to_owned());
        finished(tokio::spawn(async move {
            let slot = fleet.slot(&id);
            let mut place = slot.lock().await;
            let held = fleet.take_or_load(&mut place, &slot, &id).await?;
            let mut held = fleet.caught_up(held, &slot).await?;
            let looking = fleet.workshop.done(Effort::of_look(&held.live), move || {
                let version = Version { number: held.key.number, sequence: held.live.sequence() };
                let seen = look(&mut held.live, version);
                (held, seen)
            });
            let (held, seen) = looking.await?;
            *place = Some(held);
            Ok(seen)
        }))
        .await
    }

    /// The next order and its reasons.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn ask(self: &Arc<Self>, id: &str) -> Result<Answer, FleetError> {
        self.metrics.asks.add(1);
        self.look(id, |live| {
            let orders = live.orders();
            let why = live.why(&orders);
            let places = orders.path.iter().map(|&node| Place::of(live.graph(), node)).collect();
            let at = Place::of(live.graph(), live.place());
            Answer { sequence: live.sequence(), at, path: places, orders, why }
        })
        .await
    }

    /// What is known of some nodes.
    ///
    /// # Errors
    /// As [`look`](Self::look).
    pub async fn estimates(
        self: &Arc<Self>,
        id: &str,
        nodes: Range<u32>,
    ) -> Result<Estimates, FleetError> {
        self.look(id, move |live| {
            let graph = Arc::clone(live.graph());
            let last = graph.len() as u32;
            let nodes = nodes.start.min(last)..nodes.end.min(last);
            let estimates = live.node_estimates(nodes.clone());
            Estimates { sequence: live.sequence(), graph, nodes, estimates }
        })
        .await
    }

    /// At most `limit` records from number `from` on, and how many there are.
    ///
    /// # Errors
    /// When there is no such agent, or its log is damaged.
    pub async fn history(
        &self,
        id: &str,
        from: u64,
        limit: usize,
    ) -> Result<(Vec<Record>, u64), FleetError> {
        let missing = || FleetError::NoSuchAgent { id: id.to_owned() };
        let stored = self.store.find(id).await?.ok_or_else(missing)?;
        let lines = self.store.read(&stored.key(), from, limit).await?;
        let records = lines.iter().zip(from..).map(|(line, at)| load::record(id, at, line));
        Ok((records.collect::<Result<_, _>>()?, stored.end))
    }

    /// Whether reports can be kept now.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn check(&self) -> Result<(), FleetError> {
        Ok(self.store.check().await?)
    }

    /// What the store has measured of its commits, if it does so.
    pub fn commits(&self) -> Option<&Commits> {
        self.store.commits()
    }

    /// How many agents are in memory.
    pub fn in_memory(&self) -> usize {
        self.open().len()
    }

    /// Takes in a report; durable when answered. A repeat is answered as it was the first time.
    ///
    /// # Errors
    /// When its number is not the next one, or it cannot have happened. Nothing changes then.
    pub async fn report(
        self: &Arc<Self>,
        id: &str,
        sequence: u64,
        report: Report,
    ) -> Result<Receipt, FleetError> {
        let (fleet, id) = (Arc::clone(self), id.to_owned());
        finished(tokio::spawn(async move {
            let fingerprint = fingerprint(&written(&report)?);
            for _ in 0..ATTEMPTS {
                match fleet.try_report(&id, sequence, &report, &fingerprint).await {
                    Err(FleetError::Contended { .. }) => fleet.metrics.contended.add(1),
                    result => return result,
                }
            }
            Err(FleetError::Contended { id })
        }))
        .await
    }

    async fn try_report(
        &self,
        id: &str,
        sequence: u64,
        report: &Report,
        fingerprint: &str,
    ) -> Result<Receipt, FleetError> {
        let slot = self.slot(id);
        let mut place = slot.lock().await;
        let mut held = self.take_or_load(&mut place, &slot, id).await?;
        if sequence != held.live.sequence() {
            held = self.caught_up(held, &slot).await?;
        }
        let next = held.live.sequence();
        if sequence != next {
            let key = held.key.clone();
            *place = Some(held);
            drop(place);
            return self.earlier(&key, (sequence, next), fingerprint).await;
        }
        let (mut held, happened) = self.happened(held, report).await?;
        let (event, receipt) = match happened {
            Ok(happened) => happened,
            Err(error) => {
                // It may be impossible only for an agent that has moved on meanwhile.
                let key = held.key.clone();
                let held = self.caught_up(held, &slot).await?;
                let moved_on = (&held.key, held.live.sequence()) != (&key, next);
                *place = Some(held);
                let contended = FleetError::Contended { id: id.to_owned() };
                return Err(if moved_on { contended } else { error.into() });
            }
        };
        let rewards = rewards_of(&event);
        let record = Record { fingerprint: fingerprint.to_owned(), event, receipt };
        // From here until the answer of the store, memory is ahead of it; so it is not put back
        // unless all is well.
        let line = seal(id, &written(&record)?);
        let appended = self.store.append(&held.key, sequence, line).await;
        appended.map_err(|error| match error {
            // Deleted by another process; there may be another one of its name.
            StoreError::NoSuchAgent { id } => FleetError::Contended { id },
            other => other.into(),
        })?;
        self.metrics.reports.add(1);
        self.metrics.rewards.add(rewards);
        self.keep_snapshot(&mut held);
        *place = Some(held);
        self.notices.changed(id);
        Ok(record.receipt)
    }

    /// What a report comes to. An agent to which nothing happened is as it was.
    async fn happened(
        &self,
        mut held: Held,
        report: &Report,
    ) -> Result<(Held, Result<(Event, Receipt), EventError>), FleetError> {
        let event = match report.to_event(&mut held.live) {
            Ok(event) => event,
            Err(error) => return Ok((held, Err(error))),
        };
        let effort = Effort::of_event(&mut held.live, &event);
        let applying = self.workshop.done(effort, move || {
            let applied = held.live.apply(&event).map(|receipt| (event, receipt));
            (held, applied)
        });
        applying.await
    }

    /// A number that was used before, or is too high.
    async fn earlier(
        &self,
        key: &AgentKey,
        (sequence, next): (u64, u64),
        fingerprint: &str,
    ) -> Result<Receipt, FleetError> {
        if sequence > next {
            return Err(FleetError::Gap { sequence, next });
        }
        let lines = self.store.read(key, sequence, 1).await?;
        let line = lines.first().ok_or(FleetError::Gap { sequence, next })?;
        let record = load::record(&key.id, sequence, line)?;
        if record.fingerprint == fingerprint {
            self.metrics.repeats.add(1);
            Ok(record.receipt)
        } else {
            Err(FleetError::OtherReport { sequence, next })
        }
    }

    /// Starts keeping a snapshot when it is time; nobody waits for it, the log has everything.
    fn keep_snapshot(&self, held: &mut Held) {
        let sequence = held.live.sequence();
        if sequence - held.kept < snapshot_every(&held.live) {
            return;
        }
        let Ok(text) = written(&held.live.snapshot()) else { return };
        let body = seal(&held.key.id, &text);
        held.kept = sequence;
        let keeping = self.store.put_snapshot(&held.key, StoredSnapshot { sequence, body });
        let (id, metrics) = (held.key.id.clone(), Arc::clone(&self.metrics));
        tokio::spawn(async move {
            match keeping.await {
                Ok(()) => metrics.snapshots.add(1),
                Err(error) => tracing::warn!(agent = id, %error, "a snapshot was not kept"),
            }
        });
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, id: &str) -> Arc<Slot> {
        let mut slots = self.open();
        if let Some(slot) = slots.get(id) {
            return Arc::clone(slot);
        }
        if slots.len() >= self.limits.in_memory {
            // Any tenth of those that nobody uses now; they come back from the store.
            let mut spare = self.limits.in_memory / 10 + 1;
            slots.retain(|_, slot| {
                let goes = spare > 0 && Arc::strong_count(slot) == 1;
                spare -= usize::from(goes);
                !goes
            });
        }
        Arc::clone(slots.entry(id.to_owned()).or_default())
    }

    /// Drops a slot that nobody else uses.
    fn forget(&self, id: &str, slot: &Arc<Slot>) {
        let mut slots = self.open();
        if Arc::strong_count(slot) == 2 && slots.get(id).is_some_and(|it| Arc::ptr_eq(it, slot)) {
            slots.remove(id);
        }
    }

    async fn take_or_load(
        &self,
        place: &mut Option<Held>,
        slot: &Arc<Slot>,
        id: &str,
    ) -> Result<Held, FleetError> {
        if let Some(held) = place.take() {
            return Ok(held);
        }
        let loaded = self.load(id).await;
        if loaded.is_err() {
            self.forget(id, slot);
        }
        loaded
    }
}

/// An order with its reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The number that the next report must bear.
    pub sequence: u64,
    /// Where the walker stands.
    pub at: Place,
    /// The nodes to enter in turn.
    pub path: Vec<Place>,
    /// The same by number, and the stay.
    pub orders: Orders,
    /// Why.
    pub why: Why,
}

/// What is known of some nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimates {
    /// After how many reports.
    pub sequence: u64,
    /// The graph of the nodes.
    pub graph: Arc<Graph>,
    /// Those asked for, as far as there are such.
    pub nodes: Range<NodeId>,
    /// What is known of them.
    pub estimates: Vec<NodeEstimate>,
}

fn snapshot_every(live: &Live) -> u64 {
    SNAPSHOT_EVERY.max(live.graph().len() as u64)
}

fn rewards_of(event: &Event) -> u64 {
    match event {
        Event::Told { visits } => visits.iter().map(|run| run.rewards.len() as u64).sum(),
        _ => 0,
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
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if (1..=LONGEST_NAME).contains(&id.len()) && id.bytes().all(fits) {
        Ok(id)
    } else {
        Err(FleetError::BadName { id })
    }
}

async fn finished<T>(
    task: tokio::task::JoinHandle<Result<T, FleetError>>,
) -> Result<T, FleetError> {
    task.await.unwrap_or_else(|error| {
        tracing::error!(%error, "a request panicked");
        Err(FleetError::Defect)
    })
}

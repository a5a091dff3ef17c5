//! A store in memory with one fault.

use graph_bandit_server::store::{
    AgentKey, End, MemoryStore, Pending, Portion, Store, StoreError, Stored, StoredSnapshot,
    StoredSummary, Tip, Writers,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The fault of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It says that it cannot be written.
    NeverReady,
    /// It cuts definitions short.
    CutsDefinitions,
    /// A second creation replaces the first.
    Replaces,
    /// It lists all agents, whatever the limit.
    ListsAll,
    /// It lists from the last to the first.
    ListsBackwards,
    /// It lists from the given name on, not after it.
    ListsTheGivenName,
    /// It reads an empty log of a missing agent, instead of an error.
    ReadsNobody,
    /// It claims to have deleted an agent, but has not.
    DeletesNothing,
    /// It deletes whichever agent has the name.
    DeletesByName,
    /// It claims to have renamed an agent, but has not.
    RenamesNothing,
    /// It appends to whichever agent has the name.
    AppendsByName,
    /// It appends wherever the log ends.
    AppendsAnywhere,
    /// It checks the number of records, but not the seal.
    IgnoresSeals,
    /// It checks the end of the log, yields to others, and then appends.
    LooksBeforeAppending,
    /// Its conflicts name the end that the writer expected.
    VagueConflicts,
    /// It gives an agent the label that came with a refused record.
    LabelsRefusals,
    /// It takes the label, and leaves the record out.
    LabelsOnly,
    /// It trims records.
    Trims,
    /// It reads one record more than requested.
    ReadsOneMore,
    /// It ignores the limit of bytes.
    ReadsAllBytes,
    /// It always keeps the last snapshot.
    LatestSnapshot,
    /// All agents share one snapshot.
    OneSnapshot,
    /// Of two snapshots with equal numbers of records it keeps the first.
    FirstSnapshot,
    /// Its tip is always at the beginning.
    StuckTip,
    /// The seal of its tip is always the definition's.
    StuckSeal,
    /// It stores a base without checking the log.
    AnyBase,
    /// It replaces a base that covers more records, under the number of that one.
    LatestBase,
    /// It accepts a base as the beginning of a log that already has records.
    BeginsAnywhere,
    /// It reads from the first kept record if an earlier one is requested.
    HidesRemoval,
    /// It accepts the release of records that no base covers.
    ReleasesWithoutBase,
    /// It deletes ten records; the next agent of the name has the eleventh.
    LeavesPieces,
    /// It forgets everything when it is closed.
    Forgets,
    /// It claims that others may write, but does not share their writes.
    SharesNothing,
}

#[derive(Clone)]
pub(super) struct Faulty {
    fault: Fault,
    inner: Arc<MemoryStore>,
    /// A record that a deletion left behind, by the name of its agent.
    left: Arc<Mutex<BTreeMap<String, String>>>,
    /// The labels that came with records, by the names of agents.
    labels: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Faulty {
    pub(super) fn of(fault: Fault) -> Self {
        Self { fault, inner: Arc::default(), left: Arc::default(), labels: Arc::default() }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// The agent that has the name now, instead of the requested one.
    async fn by_name(&self, agent: &AgentKey) -> AgentKey {
        self.inner.key(&agent.id).await.unwrap().unwrap_or_else(|| agent.clone())
    }

    async fn end(&self, agent: &AgentKey) -> Result<End, StoreError> {
        let tip = self.inner.tip(&agent.id).await?;
        Ok(tip.map_or_else(|| End::after(0, ""), |tip| tip.end))
    }

    async fn append_faultily(
        self,
        agent: AgentKey,
        at: End,
        record: String,
    ) -> Result<(), StoreError> {
        let agent = if self.has(Fault::AppendsByName) { self.by_name(&agent).await } else { agent };
        let end = self.end(&agent).await?;
        match self.fault {
            Fault::AppendsAnywhere => self.inner.append(&agent, &end, record).await,
            Fault::IgnoresSeals => {
                let at = End { seal: end.seal, ..at };
                self.inner.append(&agent, &at, record).await
            }
            Fault::LooksBeforeAppending if end == at => {
                tokio::task::yield_now().await;
                let end = self.end(&agent).await?;
                self.inner.append(&agent, &end, record).await
            }
            Fault::VagueConflicts => {
                self.inner.append(&agent, &at, record).await.map_err(|error| match error {
                    StoreError::Conflict { id, expected, .. } => {
                        StoreError::Conflict { id, expected, end: expected }
                    }
                    other => other,
                })
            }
            Fault::Trims => self.inner.append(&agent, &at, record.trim().to_owned()).await,
            _ => self.inner.append(&agent, &at, record).await,
        }
    }
}

impl Store for Faulty {
    fn writers(&self) -> Writers {
        if self.has(Fault::SharesNothing) { Writers::Others } else { Writers::Us }
    }

    fn create(&self, id: &str, label: &str, definition: &str) -> Pending<()> {
        let definition =
            if self.has(Fault::CutsDefinitions) { &definition[..5] } else { definition };
        let (this, id) = (self.clone(), id.to_owned());
        let (label, definition) = (label.to_owned(), definition.to_owned());
        Box::pin(async move {
            let inner = &this.inner;
            if let Some(before) = inner.key(&id).await?.filter(|_| this.has(Fault::Replaces)) {
                inner.delete(&before).await?;
            }
            inner.create(&id, &label, &definition).await?;
            let left = this.left.lock().unwrap().remove(&id);
            if let Some(left) = left {
                let key = inner.key(&id).await?.unwrap();
                inner.append(&key, &End::after(0, &definition), left).await?;
            }
            Ok(())
        })
    }

    fn find(&self, id: &str) -> Pending<Option<Stored>> {
        self.inner.find(id)
    }

    fn tip(&self, id: &str) -> Pending<Option<Tip>> {
        let (tip, fault) = (self.inner.tip(id), self.fault);
        let definition = self.inner.find(id);
        Box::pin(async move {
            let Some(mut tip) = tip.await? else { return Ok(None) };
            match fault {
                Fault::StuckTip => tip.end.sequence = 0,
                Fault::StuckSeal => {
                    let definition = definition.await?.unwrap().definition;
                    tip.end = End::after(tip.end.sequence, &definition);
                }
                _ => {}
            }
            Ok(Some(tip))
        })
    }

    fn key(&self, id: &str) -> Pending<Option<AgentKey>> {
        self.inner.key(id)
    }

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<StoredSummary>> {
        let (inner, labels) = (Arc::clone(&self.inner), Arc::clone(&self.labels));
        let (fault, after) = (self.fault, after.to_owned());
        Box::pin(async move {
            let mut all = inner.list("", usize::MAX).await?;
            for agent in &mut all {
                if let Some(label) = labels.lock().unwrap().get(&agent.id) {
                    agent.label.clone_from(label);
                }
            }
            match fault {
                Fault::ListsAll => return inner.list(&after, usize::MAX).await,
                Fault::ListsTheGivenName => all.retain(|agent| agent.id >= after),
                _ => all.retain(|agent| agent.id > after),
            }
            if fault == Fault::ListsBackwards {
                all.reverse();
            }
            all.truncate(limit);
            Ok(all)
        })
    }

    fn delete(&self, agent: &AgentKey) -> Pending<()> {
        let (this, agent) = (self.clone(), agent.clone());
        Box::pin(async move {
            if this.has(Fault::DeletesNothing) {
                return this.inner.read(&agent, 0, Portion::of(0)).await.map(drop);
            }
            let agent =
                if this.has(Fault::DeletesByName) { this.by_name(&agent).await } else { agent };
            if this.has(Fault::LeavesPieces) {
                let left = this.inner.read(&agent, 10, Portion::of(1)).await?;
                this.left
                    .lock()
                    .unwrap()
                    .extend(left.into_iter().map(|left| (agent.id.clone(), left)));
            }
            this.inner.delete(&agent).await
        })
    }

    fn rename(&self, agent: &AgentKey, id: &str) -> Pending<()> {
        let (this, agent, id) = (self.clone(), agent.clone(), id.to_owned());
        Box::pin(async move {
            if this.has(Fault::RenamesNothing) && this.inner.key(&id).await?.is_none() {
                return this.inner.read(&agent, 0, Portion::of(0)).await.map(drop);
            }
            this.inner.rename(&agent, &id).await
        })
    }

    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()> {
        Box::pin(self.clone().append_faultily(agent.clone(), at.clone(), record))
    }

    fn append_and_label(
        &self,
        agent: &AgentKey,
        at: &End,
        record: String,
        label: String,
    ) -> Pending<()> {
        let (this, agent, at) = (self.clone(), agent.clone(), at.clone());
        Box::pin(async move {
            match this.fault {
                Fault::LabelsRefusals => {
                    let appended = this.inner.append(&agent, &at, record).await;
                    this.labels.lock().unwrap().insert(agent.id, label);
                    appended
                }
                Fault::LabelsOnly => {
                    let is_there = this.end(&agent).await? == at;
                    if is_there {
                        this.labels.lock().unwrap().insert(agent.id, label);
                        return Ok(());
                    }
                    this.inner.append(&agent, &at, record).await
                }
                _ => {
                    this.clone().append_faultily(agent.clone(), at, record).await?;
                    this.labels.lock().unwrap().insert(agent.id, label);
                    Ok(())
                }
            }
        })
    }

    fn read(&self, agent: &AgentKey, from: u64, portion: Portion) -> Pending<Vec<String>> {
        let portion = match self.fault {
            Fault::ReadsOneMore => {
                Portion { records: portion.records.saturating_add(1), ..portion }
            }
            Fault::ReadsAllBytes => Portion::of(portion.records),
            _ => portion,
        };
        let (this, agent) = (self.clone(), agent.clone());
        Box::pin(async move {
            match this.inner.read(&agent, from, portion).await {
                Err(StoreError::NoSuchAgent { .. }) if this.has(Fault::ReadsNobody) => {
                    Ok(Vec::new())
                }
                Err(StoreError::Removed { first, .. }) if this.has(Fault::HidesRemoval) => {
                    this.inner.read(&agent, first, portion).await
                }
                answer => answer,
            }
        })
    }

    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()> {
        let (this, agent) = (self.clone(), agent.clone());
        Box::pin(async move {
            let before = this.inner.snapshot(&agent).await?.map(|before| before.sequence);
            match this.fault {
                // The inner store refuses a base that covers fewer records.
                Fault::LatestSnapshot => {
                    let body = format!("{}|{}", snapshot.sequence, snapshot.body);
                    let sequence = before.map_or(0, |before| before + 1);
                    this.inner.put_snapshot(&agent, StoredSnapshot { sequence, body }).await
                }
                Fault::FirstSnapshot if before == Some(snapshot.sequence) => Ok(()),
                Fault::OneSnapshot => {
                    for agent in this.inner.list("", usize::MAX).await? {
                        let key = this.inner.key(&agent.id).await?.unwrap();
                        this.inner.put_snapshot(&key, snapshot.clone()).await?;
                    }
                    Ok(())
                }
                _ => this.inner.put_snapshot(&agent, snapshot).await,
            }
        })
    }

    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        let snapshot = self.inner.snapshot(agent);
        if !self.has(Fault::LatestSnapshot) {
            return snapshot;
        }
        Box::pin(async {
            Ok(snapshot.await?.map(|StoredSnapshot { body, .. }| {
                let (sequence, body) = body.split_once('|').unwrap();
                StoredSnapshot { sequence: sequence.parse().unwrap(), body: body.to_owned() }
            }))
        })
    }

    fn put_base(&self, agent: &AgentKey, at: &End, body: String) -> Pending<()> {
        let (this, agent, mut at) = (self.clone(), agent.clone(), at.clone());
        Box::pin(async move {
            if this.has(Fault::AnyBase) {
                let last = at.sequence.saturating_sub(1);
                let last = this.inner.read(&agent, last, Portion::of(1)).await?;
                at = End::after(at.sequence, last.first().map_or("", String::as_str));
            }
            let before = this.inner.base(&agent).await?.filter(|base| base.sequence > at.sequence);
            if let Some(before) = before.filter(|_| this.has(Fault::LatestBase)) {
                let last = this.inner.read(&agent, before.sequence - 1, Portion::of(1)).await?;
                at = End::after(before.sequence, &last[0]);
            }
            this.inner.put_base(&agent, &at, body).await
        })
    }

    fn begin_with(&self, agent: &AgentKey, base: StoredSnapshot) -> Pending<()> {
        let begun = self.inner.begin_with(agent, base);
        let lies = self.has(Fault::BeginsAnywhere);
        Box::pin(async move {
            match begun.await {
                Err(StoreError::Conflict { .. }) if lies => Ok(()),
                answer => answer,
            }
        })
    }

    fn base(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        self.inner.base(agent)
    }

    fn release(&self, agent: &AgentKey, at: &End) -> Pending<()> {
        let released = self.inner.release(agent, at);
        let lies = self.has(Fault::ReleasesWithoutBase);
        Box::pin(async move {
            match released.await {
                Err(StoreError::Diverged { .. }) if lies => Ok(()),
                answer => answer,
            }
        })
    }

    fn check(&self) -> Pending<()> {
        if self.has(Fault::NeverReady) {
            let reason = "the disk is full".to_owned();
            return Box::pin(std::future::ready(Err(StoreError::Failed { reason })));
        }
        self.inner.check()
    }
}

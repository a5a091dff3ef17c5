//! A store in memory with one fault.

use graph_bandit_server::store::{
    AgentKey, End, MemoryStore, Pending, Portion, Store, StoreError, Stored, StoredSnapshot,
    StoredSummary, Tip, Writers,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// What is wrong with a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It says that it cannot be written.
    NeverReady,
    /// It cuts definitions short.
    CutsDefinitions,
    /// A second creation replaces the first.
    Replaces,
    /// It lists all agents, however few are asked for.
    ListsAll,
    /// It lists from the last to the first.
    ListsBackwards,
    /// It lists from the given name on, not after it.
    ListsTheGivenName,
    /// It reads nothing of an agent that is not there, instead of saying so.
    ReadsNobody,
    /// It says that it has deleted an agent, and has not.
    DeletesNothing,
    /// It deletes whoever bears the name.
    DeletesByName,
    /// It appends for whoever bears the name.
    AppendsByName,
    /// It appends wherever the log ends.
    AppendsAnywhere,
    /// It asks how many records there are, not which.
    IgnoresSeals,
    /// It looks where the log ends, lets others go first, and then appends.
    LooksBeforeAppending,
    /// Its conflicts say where the writer believed the log to end.
    VagueConflicts,
    /// It trims records.
    Trims,
    /// It gives one record more than is asked for.
    ReadsOneMore,
    /// It gives all records that are asked for, however large.
    ReadsAllBytes,
    /// It keeps the snapshot that was put last.
    LatestSnapshot,
    /// One snapshot of all agents.
    OneSnapshot,
    /// It keeps the first of two snapshots of as many records.
    FirstSnapshot,
    /// Its tip is always at the beginning.
    StuckTip,
    /// The seal of its tip is always that of the definition.
    StuckSeal,
    /// It keeps a base whatever records the log has.
    AnyBase,
    /// It keeps a base also where one stands for more, under the number of that one.
    LatestBase,
    /// It says that a log begins with a base that has records already.
    BeginsAnywhere,
    /// It reads from the first record that is there, where one before it is asked for.
    HidesRemoval,
    /// It says that it lets records go that no base stands for.
    ReleasesWithoutBase,
    /// It deletes ten records; the next agent of the name has the eleventh.
    LeavesPieces,
    /// It forgets everything when it is closed.
    Forgets,
    /// It says that others may write, and keeps apart what they write.
    SharesNothing,
}

#[derive(Clone)]
pub(super) struct Faulty {
    fault: Fault,
    inner: Arc<MemoryStore>,
    /// A record that a deletion left behind, by the name of its agent.
    left: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Faulty {
    pub(super) fn of(fault: Fault) -> Self {
        Self { fault, inner: Arc::default(), left: Arc::default() }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// The agent that bears the name now, in place of the one that is meant.
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
        let inner = Arc::clone(&self.inner);
        let (fault, after) = (self.fault, after.to_owned());
        Box::pin(async move {
            let mut all = inner.list("", usize::MAX).await?;
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

    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()> {
        Box::pin(self.clone().append_faultily(agent.clone(), at.clone(), record))
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
                // The number of records is in the way of one that stands for fewer.
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

//! Stores with a fault each: the suite must find it, and blame the promises it breaks and no others.

use graph_bandit_server::store::conformance::{Promise, check_all};
use graph_bandit_server::store::{
    AgentKey, End, Listed, MemoryStore, Pending, Portion, Store, StoreError, Stored,
    StoredSnapshot, Tip, Writers,
};
use std::sync::Arc;

/// What is wrong with a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
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
    /// It forgets everything when it is closed.
    Forgets,
    /// It says that others may write, and keeps apart what they write.
    SharesNothing,
}

#[derive(Clone)]
struct Faulty {
    fault: Fault,
    inner: Arc<MemoryStore>,
}

impl Faulty {
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
        if !self.has(Fault::Replaces) {
            return self.inner.create(id, label, definition);
        }
        let (inner, id) = (Arc::clone(&self.inner), id.to_owned());
        let (label, definition) = (label.to_owned(), definition.to_owned());
        Box::pin(async move {
            if let Some(before) = inner.key(&id).await? {
                inner.delete(&before).await?;
            }
            inner.create(&id, &label, &definition).await
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

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<Listed>> {
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
        let read = self.inner.read(agent, from, portion);
        if !self.has(Fault::ReadsNobody) {
            return read;
        }
        Box::pin(async { Ok(read.await.unwrap_or_default()) })
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

    fn check(&self) -> Pending<()> {
        if self.has(Fault::NeverReady) {
            let reason = "the disk is full".to_owned();
            return Box::pin(std::future::ready(Err(StoreError::Failed { reason })));
        }
        self.inner.check()
    }
}

/// Which promises a store with this fault is found to break, and what is said of the first.
async fn broken_by(fault: Fault) -> (Vec<Promise>, String) {
    let broken = check_all(|| {
        let store = Faulty { fault, inner: Arc::default() };
        move || {
            let mut store = store.clone();
            if matches!(fault, Fault::Forgets | Fault::SharesNothing) {
                store.inner = Arc::default();
            }
            Ok(Arc::new(store) as Arc<dyn Store>)
        }
    });
    let broken = broken.await.expect_err(&format!("{fault:?} is not found")).0;
    let said = broken[0].to_string();
    (broken.into_iter().map(|broken| broken.promise).collect(), said)
}

// On one thread, where writers take turns in the same order every time.
#[tokio::test]
async fn every_fault_is_found_and_blamed_on_the_promises_it_breaks() {
    use Promise::{
        Absence, Appending, Contention, Creation, Deletion, Durability, Listing, Numbers,
        Readiness, Reading, Separation, Sharing, Snapshots, Uniqueness,
    };
    let expected: [(Fault, &[Promise]); 24] = [
        (Fault::NeverReady, &[Readiness]),
        (Fault::CutsDefinitions, &[Creation, Deletion, Separation, Durability]),
        (Fault::Replaces, &[Uniqueness]),
        (Fault::ListsAll, &[Listing]),
        (Fault::ListsBackwards, &[Listing]),
        (Fault::ListsTheGivenName, &[Listing]),
        (Fault::ReadsNobody, &[Absence, Numbers]),
        (Fault::DeletesNothing, &[Deletion, Numbers, Durability]),
        (Fault::DeletesByName, &[Numbers]),
        (Fault::AppendsByName, &[Numbers]),
        (Fault::AppendsAnywhere, &[Appending, Contention]),
        (Fault::IgnoresSeals, &[Appending]),
        (Fault::LooksBeforeAppending, &[Contention]),
        (Fault::VagueConflicts, &[Appending, Contention]),
        (Fault::Trims, &[Reading, Durability]),
        (Fault::ReadsOneMore, &[Reading]),
        (Fault::ReadsAllBytes, &[Reading]),
        (Fault::LatestSnapshot, &[Snapshots]),
        (Fault::OneSnapshot, &[Separation]),
        (Fault::FirstSnapshot, &[Snapshots]),
        (Fault::StuckTip, &[Creation]),
        (Fault::StuckSeal, &[Creation]),
        (Fault::Forgets, &[Durability]),
        (Fault::SharesNothing, &[Durability, Sharing]),
    ];
    for (fault, promises) in expected {
        let (found, said) = broken_by(fault).await;
        assert_eq!(found, promises, "{fault:?}: {said}");
        assert!(said.contains(promises[0].sentence()), "{said}");
    }
    // No promise is there that nothing can break.
    for promise in Promise::ALL {
        assert!(expected.iter().any(|(_, promises)| promises.contains(promise)), "{promise}");
    }
}

#[tokio::test]
async fn a_broken_promise_is_said_with_the_question_and_both_answers() {
    let (_, said) = broken_by(Fault::VagueConflicts).await;
    let expected = "the store breaks a promise: Appending: A record is appended only where the log \
        ends; anywhere else `append` fails with `Conflict`, which says where the log ends, or \
        with `Diverged` where the last record has another seal, and changes nothing.\n  append at 0 to a log of 3 records: expected Err(Conflict { id: \"log\", \
        expected: 0, end: 3 }), got Err(Conflict { id: \"log\", expected: 0, end: 0 })";
    assert_eq!(said, expected);
}

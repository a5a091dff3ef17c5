//! A database in memory that several processes share, and that can be restored from a backup.

use graph_bandit_server::store::{
    AgentKey, End, MemoryStore, Pending, Portion, Store, Stored, StoredSnapshot, StoredSummary,
    Tip, Writers,
};
use std::sync::{Arc, Mutex};

#[derive(Default)]
pub(crate) struct Database {
    inner: Mutex<Arc<MemoryStore>>,
    /// The backup to restore when a base is next read.
    due: Mutex<Option<Arc<MemoryStore>>>,
    /// How many records each base covered that was put.
    bases: Mutex<Vec<u64>>,
}

impl Database {
    pub(crate) fn empty() -> Arc<Self> {
        Arc::default()
    }

    fn inner(&self) -> Arc<MemoryStore> {
        Arc::clone(&self.inner.lock().unwrap())
    }

    /// A copy of the present content.
    pub(crate) async fn backup(&self) -> Arc<MemoryStore> {
        let (from, to) = (self.inner(), MemoryStore::default());
        for agent in from.list("", usize::MAX).await.unwrap() {
            let stored = from.find(&agent.id).await.unwrap().unwrap();
            to.create(&agent.id, &agent.label, &stored.definition).await.unwrap();
            let key = to.key(&agent.id).await.unwrap().unwrap();
            for (at, record) in
                (0..).zip(from.read(&stored.key(), 0, Portion::of(usize::MAX)).await.unwrap())
            {
                let end = to.tip(&agent.id).await.unwrap().unwrap().end;
                assert_eq!(end.sequence, at);
                to.append(&key, &end, record).await.unwrap();
            }
            if let Some(snapshot) = from.snapshot(&stored.key()).await.unwrap() {
                to.put_snapshot(&key, snapshot).await.unwrap();
            }
        }
        Arc::new(to)
    }

    /// Restores the content of a copy.
    pub(crate) fn restore(&self, backup: &Arc<MemoryStore>) {
        *self.inner.lock().unwrap() = Arc::clone(backup);
    }

    /// How many records each base covered that was put so far.
    pub(crate) fn bases(&self) -> Vec<u64> {
        self.bases.lock().unwrap().clone()
    }

    /// Restores a copy in the middle of the next compaction.
    pub(crate) fn restore_while_compacting(&self, backup: &Arc<MemoryStore>) {
        *self.due.lock().unwrap() = Some(Arc::clone(backup));
    }
}

impl Store for Database {
    fn writers(&self) -> Writers {
        Writers::Others
    }

    fn create(&self, id: &str, label: &str, definition: &str) -> Pending<()> {
        self.inner().create(id, label, definition)
    }

    fn find(&self, id: &str) -> Pending<Option<Stored>> {
        self.inner().find(id)
    }

    fn tip(&self, id: &str) -> Pending<Option<Tip>> {
        self.inner().tip(id)
    }

    fn key(&self, id: &str) -> Pending<Option<AgentKey>> {
        self.inner().key(id)
    }

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<StoredSummary>> {
        self.inner().list(after, limit)
    }

    fn delete(&self, agent: &AgentKey) -> Pending<()> {
        self.inner().delete(agent)
    }

    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()> {
        self.inner().append(agent, at, record)
    }

    fn append_and_label(
        &self,
        agent: &AgentKey,
        at: &End,
        record: String,
        label: String,
    ) -> Pending<()> {
        self.inner().append_and_label(agent, at, record, label)
    }

    fn read(&self, agent: &AgentKey, from: u64, portion: Portion) -> Pending<Vec<String>> {
        self.inner().read(agent, from, portion)
    }

    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()> {
        self.inner().put_snapshot(agent, snapshot)
    }

    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        self.inner().snapshot(agent)
    }

    fn put_base(&self, agent: &AgentKey, at: &End, body: String) -> Pending<()> {
        self.bases.lock().unwrap().push(at.sequence);
        self.inner().put_base(agent, at, body)
    }

    fn base(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        if let Some(backup) = self.due.lock().unwrap().take() {
            self.restore(&backup);
        }
        self.inner().base(agent)
    }

    fn release(&self, agent: &AgentKey, at: &End) -> Pending<()> {
        self.inner().release(agent, at)
    }

    fn check(&self) -> Pending<()> {
        self.inner().check()
    }
}

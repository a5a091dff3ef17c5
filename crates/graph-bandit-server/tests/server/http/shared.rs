//! Two processes on one store, without a database: each expects that others write, too.

use super::Client;
use super::events::{Message, Reader, delete, running};
use graph_bandit_server::fleet::{Fleet, FleetLimits, Report, Reported, Told};
use graph_bandit_server::http::HttpLimits;
use graph_bandit_server::metrics::{Metrics, Seen};
use graph_bandit_server::store::{
    AgentKey, End, MemoryStore, Pending, Portion, Store, Stored, StoredSnapshot, StoredSummary,
    Tip, Writers,
};
use serde_json::json;
use std::sync::{Arc, Mutex};

type Interruption = Box<dyn FnOnce() -> Pending<()> + Send>;

/// A store that others write to, if requested right after an agent was found.
#[derive(Clone, Default)]
struct Shared {
    store: Arc<MemoryStore>,
    after_find: Arc<Mutex<Option<Interruption>>>,
}

impl Store for Shared {
    fn writers(&self) -> Writers {
        Writers::Others
    }

    fn create(&self, id: &str, label: &str, definition: &str) -> Pending<()> {
        self.store.create(id, label, definition)
    }

    fn find(&self, id: &str) -> Pending<Option<Stored>> {
        let (found, interruption) = (self.store.find(id), self.after_find.lock().unwrap().take());
        Box::pin(async {
            let found = found.await;
            if let Some(interruption) = interruption {
                interruption().await?;
            }
            found
        })
    }

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<StoredSummary>> {
        self.store.list(after, limit)
    }

    fn key(&self, id: &str) -> Pending<Option<AgentKey>> {
        self.store.key(id)
    }

    fn delete(&self, agent: &AgentKey) -> Pending<()> {
        self.store.delete(agent)
    }

    fn tip(&self, id: &str) -> Pending<Option<Tip>> {
        self.store.tip(id)
    }

    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()> {
        self.store.append(agent, at, record)
    }

    fn append_and_label(
        &self,
        agent: &AgentKey,
        at: &End,
        record: String,
        label: String,
    ) -> Pending<()> {
        self.store.append_and_label(agent, at, record, label)
    }

    fn read(&self, agent: &AgentKey, from: u64, portion: Portion) -> Pending<Vec<String>> {
        self.store.read(agent, from, portion)
    }

    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()> {
        self.store.put_snapshot(agent, snapshot)
    }

    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        self.store.snapshot(agent)
    }

    fn check(&self) -> Pending<()> {
        self.store.check()
    }
}

fn process(store: &Shared) -> (Arc<Fleet>, Arc<Metrics>) {
    let metrics = Arc::new(Metrics::default());
    let store = Arc::new(store.clone());
    (Fleet::new(store, FleetLimits::default(), Arc::clone(&metrics)), metrics)
}

async fn create(on: &Arc<Fleet>) {
    let request = json!({"id": "a", "graph": "grid:3x3", "agent": "g-ts"});
    on.create(serde_json::from_value(request).unwrap()).await.unwrap();
}

/// A process that reads the end of a log and then the snapshot may see a snapshot beyond that end.
#[tokio::test]
async fn a_snapshot_taken_while_an_agent_is_loaded_is_valid() {
    let store = Shared::default();
    let ((writer, _), (reader, metrics)) = (process(&store), process(&store));
    create(&writer).await;
    let (other, kept) = (Arc::clone(&writer), store.clone());
    let interruption: Interruption = Box::new(|| {
        Box::pin(async move {
            for sequence in 0..300 {
                let report =
                    Report::Told(Told::One { reward: 0.5, at: None, took: None, time: None });
                other.report("a", Reported::new(sequence, report)).await.unwrap();
            }
            let key = kept.store.find("a").await?.unwrap().key();
            while kept.store.snapshot(&key).await?.is_none() {
                tokio::task::yield_now().await;
            }
            Ok(())
        })
    });
    *store.after_find.lock().unwrap() = Some(interruption);
    assert_eq!(reader.ask("a").await.unwrap().sequence, 300);
    assert!(store.after_find.lock().unwrap().is_none());
    assert_eq!(reader.ask("a").await, writer.ask("a").await);
    let text = metrics.text(&Seen { agents_in_memory: 1, ..Seen::default() });
    assert!(text.contains("gbandit_damaged_snapshots_total 0\n"), "{text}");
}

/// An agent that another process deletes is gone for watchers here, whatever is created instead.
#[tokio::test(start_paused = true)]
async fn an_agent_that_another_process_replaces_is_gone() {
    let store = Shared::default();
    let service = || running(Arc::new(store.clone()), HttpLimits::default());
    let ((_here, here), (_there, there)) = (service(), service());
    let request = json!({"id": "a", "graph": "grid:4x4", "agent": "g-ucb"});
    let tell = async |on: &Client, sequence| {
        on.done("/v1/agents/a/tell", json!({"sequence": sequence, "reward": 1})).await
    };
    // With fewer reports than the first agent had, as many, and more.
    for reports in [1, 2, 5] {
        here.done("/v1/agents", request.clone()).await;
        tell(&here, 0).await;
        tell(&here, 1).await;
        let mut reader = Reader::of(&here, "a").await;
        assert_eq!(reader.state().await["sequence"], 2);
        assert_eq!(delete(&there, "a").await.status, 204);
        there.done("/v1/agents", request.clone()).await;
        for sequence in 0..reports {
            tell(&there, sequence).await;
        }
        // A new watcher sees the new agent, and does not share its look with the old watcher.
        let mut late = Reader::of(&here, "a").await;
        assert_eq!(late.state().await["sequence"], reports);
        tell(&here, reports).await;
        assert_eq!(late.state().await["sequence"], reports + 1);
        assert_eq!((reader.next().await, reader.next().await), (Some(Message::Gone), None));
        drop(late);
        assert_eq!(delete(&here, "a").await.status, 204);
    }
}

/// The number of walkers comes with the records of another process.
#[tokio::test]
async fn lists_of_both_processes_count_who_joined_at_one() {
    let store = Shared::default();
    let [one, other] = [(); 2].map(|()| Client::on(Arc::new(store.clone())));
    one.done("/v1/agents", json!({"id": "t", "graph": "line:4", "walkers": 1})).await;
    let listed = async |client: &Client| client.get("/v1/agents").await.body["agents"][0].clone();
    other.done("/v1/agents/t/joined", json!({"name": "anna"})).await;
    for client in [&one, &other] {
        assert_eq!(listed(client).await["walkers"], 2);
    }
    one.done("/v1/agents/t/left", json!({"walker": "anna"})).await;
    for client in [&one, &other] {
        assert_eq!(listed(client).await["walkers"], 1);
    }
}

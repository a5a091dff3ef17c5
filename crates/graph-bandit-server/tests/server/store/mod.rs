//! The stores of this crate keep the contract, and what else each of them does.

use graph_bandit_server::store::conformance::check_all;
use graph_bandit_server::store::{AgentKey, End, MemoryStore, Store, StoreError};
use std::sync::Arc;

mod bases;
mod broken;
#[cfg(target_os = "linux")]
mod postgres;
#[cfg(target_os = "linux")]
mod postgres_tls;
pub(crate) mod sqlite;

/// The agent that has the name now.
async fn key(store: &dyn Store, id: &str) -> AgentKey {
    store.find(id).await.unwrap().unwrap().key()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_keeps_the_contract() {
    let kept = check_all(|| {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        move || Ok(Arc::clone(&store))
    });
    kept.await.unwrap_or_else(|broken| panic!("{broken}"));
}

/// The label changes with its record, and the last one stays; whoever reads sees it, too.
async fn labels_change_with_records(store: &dyn Store, reader: &dyn Store) {
    for id in ["a", "b"] {
        store.create(id, "at first", "").await.unwrap();
    }
    let a = key(store, "a").await;
    let at = |record: u64| End::after(record, if record == 0 { "" } else { "record" });
    let record = || "record".to_owned();
    store.append_and_label(&a, &at(0), record(), "second".to_owned()).await.unwrap();
    store.append_and_label(&a, &at(1), record(), "third".to_owned()).await.unwrap();
    store.append(&a, &at(2), record()).await.unwrap();
    let refused = store.append_and_label(&a, &at(1), record(), "refused".to_owned()).await;
    assert!(matches!(refused, Err(StoreError::Conflict { end: 3, .. })), "{refused:?}");
    for store in [store, reader] {
        let listed = store.list("", 9).await.unwrap();
        let shown: Vec<_> = listed.iter().map(|it| (it.label.as_str(), it.end)).collect();
        assert_eq!(shown, [("third", 3), ("at first", 0)]);
    }
}

#[tokio::test]
async fn labels_change_in_memory() {
    let store = MemoryStore::default();
    labels_change_with_records(&store, &store).await;
}

/// Polls until a condition holds; background work is done soon.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !is_so() {
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "{what} did not come");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

//! The stores of this crate keep the contract, and what else each of them does.

use graph_bandit_server::store::conformance::check_all;
use graph_bandit_server::store::{AgentKey, MemoryStore, Store};
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

/// Polls until a condition holds; background work is done soon.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = std::time::Instant::now();
    while !is_so() {
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "{what} did not come");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

//! Who work is done for: the client that asked, and the agent that was asked. It goes along with a
//! request and with the tasks that the request starts, so that those who wait take turns.

use std::future::Future;
use std::sync::Arc;

tokio::task_local! {
    static ASKER: Asker;
}

/// Who work is done for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Asker {
    /// A token or an address; empty where nobody said.
    pub(super) client: Arc<str>,
    /// The name of an agent; empty for one that is being created.
    pub(super) agent: Arc<str>,
}

impl Asker {
    /// Whoever the running task works for.
    pub(super) fn of_this_task() -> Self {
        ASKER.try_with(Clone::clone).unwrap_or_default()
    }

    /// The same client, for this agent.
    pub(super) fn about(self, agent: &str) -> Self {
        Self { agent: agent.into(), ..self }
    }

    /// Works for this one.
    pub(super) fn working<F: Future>(self, work: F) -> impl Future<Output = F::Output> {
        ASKER.scope(self, work)
    }
}

/// Says which client all that is done in `work` is done for: clients take turns where they have to wait.
pub fn for_client<F: Future>(client: Arc<str>, work: F) -> impl Future<Output = F::Output> {
    Asker { client, agent: Arc::default() }.working(work)
}

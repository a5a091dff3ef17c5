//! Who work is done for: the client that asked, and the agent that was asked. It goes along with a
//! request and with the tasks that the request starts, so that those who wait take turns. So does what is
//! held for the request: memory that came with it may outlive the client.

use std::future::Future;
use std::sync::Arc;

tokio::task_local! {
    static ASKER: Asker;
    static HOLDING: Holding;
}

/// What is held as long as there is something in memory that came with a request, in whichever task.
#[derive(Clone, Default)]
pub struct Holding {
    _held: Option<Arc<dyn Send + Sync>>,
}

impl Holding {
    /// Holds this.
    pub fn of(held: impl Send + Sync + 'static) -> Self {
        Self { _held: Some(Arc::new(held)) }
    }

    /// What is held for the request that the running task works for.
    pub fn of_this_task() -> Self {
        HOLDING.try_with(Clone::clone).unwrap_or_default()
    }
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

    /// Works for this one, and holds that until it is done.
    pub(super) fn working<F: Future>(
        self,
        holding: Holding,
        work: F,
    ) -> impl Future<Output = F::Output> {
        HOLDING.scope(holding, ASKER.scope(self, work))
    }
}

/// Says which client all that is done in `work` is done for: clients take turns where they have to wait.
/// Tasks that it starts hold what is held for it, too.
pub fn for_client<F: Future>(
    client: Arc<str>,
    holding: Holding,
    work: F,
) -> impl Future<Output = F::Output> {
    Asker { client, agent: Arc::default() }.working(holding, work)
}

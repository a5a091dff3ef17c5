//! The client and the agent that work is done for. They go along with a request and with the tasks it
//! starts, so that waiting work takes turns. So do the guards held for the request: the memory that came
//! with it may outlive the client.

use std::future::Future;
use std::sync::Arc;

tokio::task_local! {
    static ASKER: Asker;
    static HOLDING: Holding;
}

/// Guards that are held while any task has something in memory that came with a request.
#[derive(Clone, Default)]
pub struct Holding {
    _held: Option<Arc<dyn Send + Sync>>,
}

impl Holding {
    /// Holds these guards.
    pub fn of(held: impl Send + Sync + 'static) -> Self {
        Self { _held: Some(Arc::new(held)) }
    }

    /// The guards of the request that the running task works for.
    pub fn of_this_task() -> Self {
        HOLDING.try_with(Clone::clone).unwrap_or_default()
    }
}

/// The client and the agent that work is done for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Asker {
    /// A token or an address; empty if unknown.
    pub(super) client: Arc<str>,
    /// The name of an agent; empty while it is being created.
    pub(super) agent: Arc<str>,
}

impl Asker {
    /// The asker of the running task.
    pub(super) fn of_this_task() -> Self {
        ASKER.try_with(Clone::clone).unwrap_or_default()
    }

    /// The same client, for this agent.
    pub(super) fn about(self, agent: &str) -> Self {
        Self { agent: agent.into(), ..self }
    }

    /// Runs `work` for this asker, and holds the guards until it is done.
    pub(super) fn working<F: Future>(
        self,
        holding: Holding,
        work: F,
    ) -> impl Future<Output = F::Output> {
        HOLDING.scope(holding, ASKER.scope(self, work))
    }
}

/// Runs `work` for a client: clients take turns when they have to wait. Tasks that the work starts hold
/// its guards, too.
pub fn for_client<F: Future>(
    client: Arc<str>,
    holding: Holding,
    work: F,
) -> impl Future<Output = F::Output> {
    Asker { client, agent: Arc::default() }.working(holding, work)
}

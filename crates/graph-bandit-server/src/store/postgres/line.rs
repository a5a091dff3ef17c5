//! A connection that reconnects, and the task that works on it.

use super::super::worker::answered;
use super::failure::failed;
use super::session::{Limits, Session, connect};
use super::{Address, Pending, StoreError};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;
/// Work that waits for a connection, or for the reason why there is none.
pub(super) type Job = Box<dyn FnOnce(Result<(Arc<Session>, Limits), StoreError>) -> Work + Send>;

/// A connection that is made when needed.
pub(super) struct Line {
    /// Absent if a new connection would see another moment.
    address: Option<Arc<Address>>,
    pub(super) limits: Limits,
    session: Option<Arc<Session>>,
}

impl Line {
    pub(super) fn new(address: Arc<Address>, limits: Limits) -> Self {
        Self { address: Some(address), limits, session: None }
    }

    /// A connection that sees the database at one moment, and does not reconnect.
    pub(super) fn of_a_moment(session: Session, limits: Limits) -> Self {
        Self { address: None, limits, session: Some(Arc::new(session)) }
    }

    /// Uses an existing connection.
    pub(super) fn take_up(&mut self, session: Session) {
        self.session = Some(Arc::new(session));
    }

    pub(super) async fn session(&mut self) -> Result<Arc<Session>, StoreError> {
        if let Some(session) = self.session.as_ref().filter(|session| session.is_alive()) {
            return Ok(Arc::clone(session));
        }
        self.session = None;
        let lost = || failed("PostgreSQL: the connection was lost; start again".to_owned());
        let address = self.address.as_ref().ok_or_else(lost)?;
        let session = Arc::new(connect(address, self.limits).await?);
        self.session = Some(Arc::clone(&session));
        Ok(session)
    }
}

/// Works until the queue is closed. All requests are under way at once, on one connection.
pub(super) async fn work(mut line: Line, mut jobs: mpsc::UnboundedReceiver<Job>) {
    let mut under_way = tokio::task::JoinSet::new();
    while let Some(job) = jobs.recv().await {
        match line.session().await {
            Ok(session) => drop(under_way.spawn(job(Ok((session, line.limits))))),
            Err(error) => {
                // Answer all waiting callers, so that nobody waits for one attempt after the other.
                under_way.spawn(job(Err(error.clone())));
                while let Ok(job) = jobs.try_recv() {
                    under_way.spawn(job(Err(error.clone())));
                }
            }
        }
        while under_way.try_join_next().is_some() {}
    }
    while under_way.join_next().await.is_some() {}
}

/// Queues work on a connection.
pub(super) fn ask<T, F>(
    line: &mpsc::UnboundedSender<Job>,
    work: impl FnOnce(Arc<Session>) -> F + Send + 'static,
) -> Pending<T>
where
    T: Send + 'static,
    F: Future<Output = Result<T, StoreError>> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    let job: Job = Box::new(|session| {
        Box::pin(async {
            let result = match session {
                Ok((session, limits)) => {
                    let cancelled = session.standby().cancelled();
                    let done = in_time(&session, limits, work(Arc::clone(&session))).await;
                    done.and_then(|done| {
                        session.standby().confirm_since(cancelled)?;
                        Ok(done)
                    })
                }
                Err(error) => Err(error),
            };
            // The caller may be gone; then the answer is dropped.
            let _ = reply.send(result);
        })
    });
    answered(line.send(job).is_ok(), answer)
}

/// Waits for the database no longer than the limit; after that, the connection is closed.
pub(super) async fn in_time<T>(
    session: &Session,
    limits: Limits,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    tokio::time::timeout(limits.answer, work).await.unwrap_or_else(|_| {
        session.give_up();
        let seconds = limits.answer.as_secs();
        Err(failed(format!("PostgreSQL: no answer within {seconds} seconds")))
    })
}

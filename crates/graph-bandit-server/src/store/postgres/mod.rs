//! Agents in a PostgreSQL database, which several server processes may share.
//!
//! The database decides: an append locks the end of its agent's log, checks that it is where the writer
//! expected, and moves it, all in one transaction. As in the SQLite store, one task writes, by group
//! commit, and reads have their own connection, so that they never wait for a sync. So do deletions and the
//! removal of records.
//!
//! A lost connection is made again when it is next needed. Until that succeeds, all waiting callers get an
//! error; nothing waits longer than the limits in `session.rs`, except an upgrade of the tables at the start.

mod address;
mod bases;
mod failure;
mod group;
mod inspect;
mod line;
mod reader;
mod schema;
mod session;
mod standby;
mod stats;
mod sweep;
// It starts servers of its own, as Debian installs them.
#[cfg(all(test, target_os = "linux"))]
mod tests;
mod tls;
mod writer;

pub(super) use inspect::inspect;

use super::group_commit::{self, Queue, queue};
use super::schema::Schema;
use super::worker::{Worker, stopped};
use super::{
    AgentKey, Death, Due, End, Pending, Portion, Store, StoreError, Stored, StoredSnapshot,
    StoredSummary, Tip, Writers, in_a_row, only_read,
};
use crate::metrics::Commits;
use address::Address;
use failure::failed;
use line::Line;
use session::{Limits, Session};
use standby::Standby;
pub(crate) use stats::stats;
use std::future::Future;
use std::sync::Arc;
use tokio::sync::{Notify, mpsc};
use writer::{Write, Writer};

/// Agents in a PostgreSQL database.
#[derive(Debug)]
pub struct PostgresStore {
    worker: Worker<Channels>,
    commits: Arc<Commits>,
    standby: Arc<Standby>,
}

/// The channels to the thread of the store.
#[derive(Debug)]
struct Channels {
    reading: mpsc::UnboundedSender<line::Job>,
    /// Absent if the store is read-only.
    changing: Option<Changing>,
}

#[derive(Debug)]
struct Changing {
    writing: Queue<Write>,
    deleting: mpsc::UnboundedSender<line::Job>,
    /// Notified when something was deleted or released.
    deleted: Arc<Notify>,
}

impl PostgresStore {
    /// Connects to the database of a URL, and creates the tables if they are absent. If the URL has no
    /// password, the environment variable `PGPASSWORD` is used, if set.
    ///
    /// # Errors
    /// When the URL is wrong, the database cannot be reached or written, it has tables of another version, or
    /// they must be upgraded while other processes are connected.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, &schema::SCHEMA)
    }

    fn open_with(url: &str, schema: &'static Schema) -> Result<Self, StoreError> {
        let address = Arc::new(Address::of(url)?);
        let (writing, writes) = queue();
        let (reading, reads) = mpsc::unbounded_channel();
        let (deleting, deletes) = mpsc::unbounded_channel();
        let deleted = Arc::new(Notify::new());
        let sweeping = sweep::work(deleting.downgrade(), Arc::clone(&deleted));
        let commits = Arc::<Commits>::default();
        let counted = Arc::clone(&commits);
        let standby = address.standby();
        let (ready, opened) = std::sync::mpsc::channel();
        let work = async move {
            let session = match session::open(&address, schema).await {
                Ok(session) => session,
                Err(error) => {
                    // The opener waits for this, unless it is gone.
                    let _ = ready.send(Err(address.about(error)));
                    return;
                }
            };
            let _ = ready.send(Ok(()));
            let line = |limits| Line::new(Arc::clone(&address), limits);
            let mut to_write = line(Limits::USUAL);
            to_write.take_up(session);
            let working = async {
                tokio::join!(
                    group_commit::work(Writer::on(to_write), writes, &counted),
                    line::work(line(Limits::USUAL), reads),
                    line::work(line(Limits::DELETING), deletes),
                )
            };
            // Nobody waits for the removal of records.
            tokio::select! {
                _ = working => {}
                () = sweeping => {}
            }
        };
        let changing = Changing { writing, deleting, deleted };
        let worker = start(Channels { reading, changing: Some(changing) }, work, &opened)?;
        Ok(Self { worker, commits, standby })
    }

    /// Connects to the database of a URL read-only, as of this moment; services may go on writing to it. All
    /// writes are refused, and nothing is created.
    ///
    /// # Errors
    /// As [`open`](Self::open), and when there are no tables.
    pub fn open_to_read(url: &str) -> Result<Self, StoreError> {
        let address = Address::of(url)?;
        let (reading, reads) = mpsc::unbounded_channel();
        let (ready, opened) = std::sync::mpsc::channel();
        let work = async move {
            match session::open_at_a_moment(&address).await {
                Ok(session) => {
                    let _ = ready.send(Ok(()));
                    line::work(Line::of_a_moment(session, Limits::LOOKING), reads).await;
                }
                Err(error) => drop(ready.send(Err(address.about(error)))),
            }
        };
        let worker = start(Channels { reading, changing: None }, work, &opened)?;
        Ok(Self { worker, commits: Arc::default(), standby: Arc::default() })
    }

    fn write(&self, write: Write) -> Pending<()> {
        self.change(|changing| changing.writing.write(write))
    }

    fn change(&self, ask: impl FnOnce(&Changing) -> Pending<()>) -> Pending<()> {
        self.worker.ask(|ways| match &ways.changing {
            Some(changing) => ask(changing),
            None => Box::pin(std::future::ready(Err(only_read()))),
        })
    }

    fn read<T, F>(&self, work: impl FnOnce(Arc<Session>) -> F + Send + 'static) -> Pending<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let read = self.worker.ask(|ways| line::ask(&ways.reading, work));
        if !self.standby.is_behind() {
            return read;
        }
        let confirmed = self.check();
        Box::pin(async {
            confirmed.await?;
            read.await
        })
    }
}

/// Starts the thread of a store and waits until it is open.
fn start(
    ways: Channels,
    work: impl Future<Output = ()> + Send + 'static,
    opened: &std::sync::mpsc::Receiver<Result<(), StoreError>>,
) -> Result<Worker<Channels>, StoreError> {
    let system = |error: std::io::Error| failed(error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(system)?;
    let worker = Worker::start("store", ways, move || {
        runtime.block_on(work);
        // Do not wait for a host name that is still being looked up.
        runtime.shutdown_background();
    })?;
    opened.recv().unwrap_or_else(|_| Err(stopped()))?;
    Ok(worker)
}

impl Store for PostgresStore {
    fn writers(&self) -> Writers {
        Writers::Others
    }

    fn create(&self, id: &str, label: &str, definition: &str) -> Pending<()> {
        let (id, label, definition) = (id.to_owned(), label.to_owned(), definition.to_owned());
        self.write(Write::Create { id, label, definition })
    }

    fn find(&self, id: &str) -> Pending<Option<Stored>> {
        let id = id.to_owned();
        self.read(|session| async move { reader::find(&session, &id).await })
    }

    fn tip(&self, id: &str) -> Pending<Option<Tip>> {
        let id = id.to_owned();
        self.read(|session| async move { reader::tip(&session, &id).await })
    }

    fn key(&self, id: &str) -> Pending<Option<AgentKey>> {
        let tip = self.tip(id);
        let id = id.to_owned();
        Box::pin(async { Ok(tip.await?.map(|tip| AgentKey { id, number: tip.number })) })
    }

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<StoredSummary>> {
        let after = after.to_owned();
        self.read(move |session| async move { reader::list(&session, &after, limit).await })
    }

    fn delete(&self, agent: &AgentKey) -> Pending<()> {
        let agent = agent.clone();
        self.change(|changing| {
            let deleted = Arc::clone(&changing.deleted);
            line::ask(&changing.deleting, |session| async move {
                writer::delete(&session, &agent).await?;
                deleted.notify_one();
                Ok(())
            })
        })
    }

    fn rename(&self, agent: &AgentKey, id: &str) -> Pending<()> {
        let (agent, id) = (agent.clone(), id.to_owned());
        self.change(|changing| {
            line::ask(&changing.deleting, |session| async move {
                writer::rename(&session, &agent, &id).await
            })
        })
    }

    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()> {
        self.write(Write::Append { agent: agent.clone(), at: at.clone(), record, label: None })
    }

    fn append_and_label(
        &self,
        agent: &AgentKey,
        at: &End,
        record: String,
        label: String,
    ) -> Pending<()> {
        let label = Some(label);
        self.write(Write::Append { agent: agent.clone(), at: at.clone(), record, label })
    }

    fn read(&self, agent: &AgentKey, from: u64, portion: Portion) -> Pending<Vec<String>> {
        let agent = agent.clone();
        self.read(
            move |session| async move { reader::records(&session, &agent, (from, portion)).await },
        )
    }

    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()> {
        self.write(Write::PutSnapshot { agent: agent.clone(), snapshot })
    }

    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        let agent = agent.clone();
        self.read(|session| async move { reader::snapshot(&session, &agent).await })
    }

    fn received(&self, agent: &AgentKey, sequence: u64) -> Pending<Option<u64>> {
        let agent = agent.clone();
        self.read(move |session| async move { reader::received(&session, &agent, sequence).await })
    }

    fn put_base(&self, agent: &AgentKey, at: &End, body: String) -> Pending<()> {
        let (agent, at) = (agent.clone(), at.clone());
        self.change(|changing| {
            line::ask(&changing.deleting, |session| async move {
                bases::put(&session, &agent, (&at, &body)).await
            })
        })
    }

    fn begin_with(&self, agent: &AgentKey, base: StoredSnapshot) -> Pending<()> {
        let agent = agent.clone();
        self.change(|changing| {
            line::ask(&changing.deleting, |session| async move {
                bases::begin_with(&session, &agent, &base).await
            })
        })
    }

    fn base(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        let agent = agent.clone();
        self.read(|session| async move { reader::base(&session, &agent).await })
    }

    fn release(&self, agent: &AgentKey, at: &End) -> Pending<()> {
        let (agent, at) = (agent.clone(), at.clone());
        self.change(|changing| {
            let deleted = Arc::clone(&changing.deleted);
            line::ask(&changing.deleting, |session| async move {
                if bases::release(&session, &agent, &at).await? == Due::Yes {
                    deleted.notify_one();
                }
                Ok(())
            })
        })
    }

    fn check(&self) -> Pending<()> {
        self.write(Write::Check)
    }

    fn died(&self) -> Death {
        self.worker.died()
    }

    fn commits(&self) -> Option<&Commits> {
        Some(&self.commits)
    }
}

/// PostgreSQL's numbers are signed.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

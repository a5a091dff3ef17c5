//! The contract of a [`Store`], as a test suite for any store.
//!
//! Each [`Promise`] is one sentence and one check. [`check_all`] runs all checks and reports which promises
//! are broken and how; [`check`] runs one. The stores of this crate pass the same suite. It is compiled
//! with the feature `conformance`, for tests:
//!
//! ```toml
//! [dev-dependencies]
//! graph-bandit-server = { version = "0.1", features = ["conformance"] }
//! ```
//!
//! You give the suite a function that makes a new place for a store and returns a function that opens
//! the store there. Most checks open it once; durability closes it and opens it again.
//!
//! ```
//! use graph_bandit_server::store::{MemoryStore, Store, conformance};
//! use std::sync::Arc;
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! conformance::check_all(|| {
//!     // A store on disk would take a new file here and open it below.
//!     let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
//!     move || Ok(Arc::clone(&store))
//! })
//! .await
//! .unwrap();
//! # });
//! ```
//!
//! The checks spawn tasks, so they need a Tokio runtime; several threads make writers contend for real.
//! No check has a timeout: a store that never answers blocks its check.

mod agents;
mod bases;
mod durability;
mod found;
mod logs;
mod snapshots;
mod writers;

use super::{Store, StoreError};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

macro_rules! promises {
    ($($promise:ident: $sentence:literal,)*) => {
        /// One promise of the contract.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Promise {
            $(#[doc = $sentence] $promise,)*
        }

        impl Promise {
            /// The whole contract.
            pub const ALL: &[Self] = &[$(Self::$promise,)*];

            /// The promise in one sentence.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Self::$promise => $sentence,)*
                }
            }
        }
    };
}

promises! {
    Readiness: "`check` succeeds while the store can be written.",
    Creation: "A created agent is found under its name with its definition, an empty log and no snapshot; `tip` and `key` agree with `find`, and `tip` has the seal of the last record.",
    Uniqueness: "Creating an agent under a name that is taken fails with `Exists` and changes nothing.",
    Listing: "`list` gives the agents whose names come after the given text, in the order of their names as texts, at most `limit` of them, each with its label and the length of its log.",
    Absence: "For an agent that does not exist, `find`, `tip` and `key` answer `None` and everything else fails with `NoSuchAgent`, also for a name that no agent can have.",
    Deletion: "A deleted agent is gone with its log and its snapshot, and a later agent of its name inherits neither.",
    Leftovers: "Once a deletion is answered, nothing of the agent can be read, however long its log is, in whatever pieces it is removed, and even if the store is closed before the last piece is gone.",
    Renaming: "`rename` gives an agent another name and changes nothing else of it; if the name is taken, it fails with `Exists` and changes nothing, and a store that keeps all names refuses it.",
    Numbers: "A number is never given twice, and the key of a deleted agent never reaches a later agent of its name.",
    Appending: "A record is appended only where the log ends; otherwise `append` changes nothing and fails with `Conflict`, which says where the log ends, or with `Diverged` if the last record has another seal.",
    Reading: "`read` gives the records as they were appended, from any number on, at most `limit` of them, and none beyond the end.",
    Separation: "A change of one agent changes nothing of another.",
    Snapshots: "A snapshot replaces the present one unless that covers more records.",
    Bases: "`put_base` stores a base for records that the log has, unless the present base covers more, and removes nothing; for other records it fails with `Conflict` or `Diverged` and changes nothing, and a store that keeps all of its history refuses it.",
    Beginnings: "`begin_with` lets an empty log begin with the last record that a base covers, and fails with `Conflict` if there is already a record or a base.",
    Release: "`release` removes records that a base covers, all but the last of them, at once or later; the other records are read as before, `read` from a removed record fails with `Removed`, which says where the log begins, and the end stays.",
    Contention: "Of several writers that append at the same number exactly one succeeds, and the log has the records of the winners.",
    Durability: "Everything that was answered is there after the store is closed and opened again, and the number of a deleted agent is still not given twice.",
    Sharing: "If others may write (`Writers::Others`), the store can be opened several times at once, and all promises hold between its users.",
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}: {}", self.sentence())
    }
}

/// A promise that a store does not keep.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the store breaks a promise: {promise}\n  {found}")]
#[non_exhaustive]
pub struct Broken {
    /// The promise.
    pub promise: Promise,
    /// The request, the expected answer and the actual one.
    pub found: String,
}

/// All promises that a store does not keep.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct AllBroken(pub Vec<Broken>);

/// The result of a check: nothing, or the violation.
type Verdict = Result<(), String>;

/// Opens the store of one place.
type Open<'a> = &'a dyn Fn() -> Result<Arc<dyn Store>, StoreError>;

/// Checks one promise of a store; `open` opens the store, which must be empty the first time.
///
/// # Errors
/// When the store breaks the promise, or cannot be opened.
pub async fn check<O>(promise: Promise, open: O) -> Result<(), Broken>
where
    O: Fn() -> Result<Arc<dyn Store>, StoreError>,
{
    judge(promise, &open).await.map_err(|found| Broken { promise, found })
}

/// Checks the whole contract of a store; `place` makes a new place for every promise and returns a function
/// that opens the store there, which must be empty the first time.
///
/// # Errors
/// When the store breaks any promise, or cannot be opened. The error names all of them.
pub async fn check_all<P, O>(mut place: P) -> Result<(), AllBroken>
where
    P: FnMut() -> O,
    O: Fn() -> Result<Arc<dyn Store>, StoreError>,
{
    let mut broken = Vec::new();
    for &promise in Promise::ALL {
        broken.extend(check(promise, place()).await.err());
    }
    if broken.is_empty() { Ok(()) } else { Err(AllBroken(broken)) }
}

async fn judge(promise: Promise, open: Open<'_>) -> Verdict {
    let store = found::opened(open)?;
    match promise {
        Promise::Readiness => found::same("check()", &store.check().await, &Ok(())),
        Promise::Creation => agents::creation(&*store).await,
        Promise::Uniqueness => agents::uniqueness(&*store).await,
        Promise::Listing => agents::listing(&*store).await,
        Promise::Absence => agents::absence(&*store).await,
        Promise::Deletion => agents::deletion(&*store).await,
        Promise::Leftovers => durability::leftovers_stay_unseen(store, open).await,
        Promise::Renaming => agents::renaming(&*store).await,
        Promise::Numbers => agents::numbers(&*store).await,
        Promise::Appending => logs::appending(&*store).await,
        Promise::Reading => logs::reading(&*store).await,
        Promise::Separation => logs::separation(&*store).await,
        Promise::Snapshots => snapshots::never_go_back(&*store).await,
        Promise::Bases => bases::stand_for_records(&*store).await,
        Promise::Beginnings => bases::begin_logs(&*store).await,
        Promise::Release => bases::release_records(&*store).await,
        Promise::Contention => writers::one_writer_wins_each_number(&[store]).await,
        Promise::Durability => durability::survives_closing(store, open).await,
        Promise::Sharing => writers::sharing(store, open).await,
    }
}

//! Durable storage of agents: a definition, a log of records that only grows, and the latest
//! snapshot, each an opaque text.
//!
//! A store knows nothing of bandits. Its contract is small: an append is answered only when it is
//! durable, is atomic, and happens only at the end of the log that its writer expected. So of two
//! writers to one agent, in whichever processes, only one can succeed; the other reads on and tries
//! again.
//!
//! The end of a log is a number and a seal ([`End`]). The number alone is not enough: a database that
//! was restored from a backup may reach the same number with other records.

mod beginning;
#[cfg(feature = "conformance")]
pub mod conformance;
mod contract;
mod end;
mod error;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod group_commit;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod in_a_row;
mod inspect;
mod memory;
mod portion;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod schema;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;
mod stored;
mod url;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod worker;

pub(crate) use beginning::{Beginning, Due};
pub use contract::{Death, Pending, Sizes, Store, Writers};
pub use end::{End, LONGEST_SEAL, seal_of};
pub use error::StoreError;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
use error::only_read;
pub(crate) use error::other_version;
#[cfg(feature = "conformance")]
use error::{keeps_all, keeps_names};
#[cfg(any(feature = "postgres", feature = "sqlite"))]
use in_a_row::in_a_row;
pub use inspect::{Inspection, Tables, inspect};
pub use memory::MemoryStore;
pub use portion::Portion;
#[cfg(feature = "postgres")]
pub use postgres::PostgresStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;
pub use stored::{AgentKey, Stored, StoredSnapshot, StoredSummary, Tip};
#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
pub(crate) use url::left_out;
pub(crate) use url::{StoreKind, kind_of, open_to_follow};
pub use url::{open, open_to_read};

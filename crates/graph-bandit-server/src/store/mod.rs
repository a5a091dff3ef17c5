//! Where agents live between two answers: a definition, a log of records that only grows, and the
//! latest snapshot, each an opaque text.
//!
//! A store knows nothing of bandits. What it promises is small: an append is answered only when it
//! is durable, happens as a whole or not at all, and only at the end of the log that its writer
//! believed to see. Two writers of one agent can so never both be right, whichever process they
//! are in; the loser reads on and tries again.
//!
//! The end of a log is a number and a seal ([`End`]). The number alone would not do: a database that
//! was restored from a backup may have come to the same number by another way.

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
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;
mod stored;
mod url;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod worker;

pub(crate) use beginning::{Beginning, Due};
pub use contract::{Death, Format, Pending, Sizes, Store, Writers};
pub use end::{End, LONGEST_SEAL, seal_of};
pub use error::StoreError;
#[cfg(feature = "conformance")]
use error::keeps_all;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
use error::only_read;
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
pub(crate) use url::{Place, place};
pub use url::{open, open_to_read};

//! Serves agents from a store that is not one of this crate: `cargo run --example own_store`.
//!
//! Whatever keeps the contract of [`graph_bandit_server::store::Store`] can be served. This one is in
//! `journal.rs`, and `tests/server/own_store.rs` holds it to the public conformance suite. A program like this
//! one needs neither SQLite nor PostgreSQL: give `graph-bandit-server` with `default-features = false`.

mod journal;

use graph_bandit_server::{ServeOptions, serve};
use journal::Journal;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "fleet.journal".to_owned());
    let store = Journal::open(file.as_ref())?;
    let options = ServeOptions::new("127.0.0.1:8080".parse()?);
    serve(Arc::new(store), options, |address| println!("listening on http://{address}"))?;
    Ok(())
}

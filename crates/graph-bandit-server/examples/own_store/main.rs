//! Serves agents from a store of your own: `cargo run --example own_store`.
//!
//! Every store that keeps the contract of [`graph_bandit_server::store::Store`] can be served. This one is in
//! `journal.rs`, and `tests/server/own_store.rs` runs the public conformance suite on it. Such a program needs
//! neither SQLite nor PostgreSQL: use `graph-bandit-server` with `default-features = false`.

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

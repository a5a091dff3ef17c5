//! Inspects a database that may hold a store.

use super::super::Inspection;
use super::address::Address;
use super::failure::{failed, said};
use super::session::{Limits, connected, in_time};
use super::{StoreError, schema};
use tokio_postgres::Client;

/// Inspects the database without changing it.
pub(crate) fn inspect(url: &str) -> Result<Inspection, StoreError> {
    let address = Address::of(url)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failed(error.to_string()))?;
    let found = runtime.block_on(in_time(Box::pin(async {
        let (client, _connection) = connected(&address, Limits::USUAL).await?;
        look(&client, address.place()).await
    })));
    runtime.shutdown_background();
    found.map_err(|error| address.about(error))
}

async fn look(client: &Client, place: String) -> Result<Inspection, StoreError> {
    let facts = "SELECT CASE WHEN to_regnamespace('gbandit') IS NULL
            THEN has_database_privilege(current_database(), 'CREATE')
            ELSE has_schema_privilege('gbandit', 'CREATE') END,
        (SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl)";
    let facts = client.query_one(facts, &[]).await.map_err(|error| said(&error))?;
    let Some(tables) = schema::tables(client).await? else {
        if facts.get(0) {
            return Ok(Inspection::Absent { place });
        }
        return Err(failed("there are no tables, and the user may not create any".to_owned()));
    };
    let written = "BEGIN; UPDATE gbandit.probe SET checked = now(); ROLLBACK";
    client.batch_execute(written).await.map_err(|error| said(&error))?;
    Ok(Inspection::There { place, tables, encrypted: facts.get(1) })
}

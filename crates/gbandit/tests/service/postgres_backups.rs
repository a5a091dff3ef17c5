//! A database that is dumped while robots report to two processes, and restored as in
//! docs/guides/service-in-production.md.

use crate::backups::{QUIET, chapter, exported_agents_continue, robots_continue, shell};
use crate::kills::work;
use crate::process::{Server, directory};
use crate::robot::Whereabouts;
use graph_bandit_testing::Postgres;

#[test]
fn a_dump_made_under_load_is_restored_as_the_guide_says() {
    let directory = directory("postgres-backups");
    let log = directory.join("log");
    let database = Postgres::start();
    let fleet = database.url();
    database.sql("CREATE DATABASE restored");
    let restored = format!("{}/restored", fleet.rsplit_once('/').unwrap().0);
    let variables = [("FLEET", fleet.as_str()), ("RESTORED", restored.as_str())];
    let servers = [(); 2].map(|()| Server::start(&fleet, &log, &QUIET));
    let whereabouts = Whereabouts::at_all(&servers.each_ref().map(|server| server.url.as_str()));
    let chapter = chapter();
    let diaries = work(&whereabouts, 100, |count| {
        if count == 200 {
            shell(&chapter[2], &directory, &variables);
        }
    });
    drop(servers);
    let said = shell(&chapter[3], &directory, &variables);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("4 agents with") && said.contains("in order: "), "{said}");
    let server = Server::start(&restored, &log, &QUIET);
    robots_continue(&Whereabouts::at(&server.url), &diaries);
}

#[test]
fn an_export_of_a_file_continues_in_a_database() {
    let database = Postgres::start();
    exported_agents_continue("export-postgres", &database.url());
}

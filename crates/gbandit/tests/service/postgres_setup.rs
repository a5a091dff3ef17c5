//! A database for the service, and processes that share it, as in
//! docs/guides/service-in-production.md.

use crate::backups::{bash, chapter_called, shell};
use crate::kills::work;
use crate::process::{Server, directory};
use crate::robot::Whereabouts;
use graph_bandit_testing::{PASSWORD, Postgres};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The password of the user `gbandit`.
const OWN_PASSWORD: &str = "r0bots";

#[test]
fn processes_share_a_database_as_the_guide_says() {
    let directory = directory("postgres-setup");
    let mut database = Postgres::start();
    let chapter = chapter_called("Several processes: PostgreSQL\n");
    create(&chapter[0], &database);
    let served = |line: &str, database: &Postgres| served(line, database, &directory);
    let servers: Vec<_> = chapter[1].lines().map(|line| served(line, &database)).collect();
    let urls: Vec<&str> = servers.iter().map(|server| server.url.as_str()).collect();
    assert_eq!(urls.len(), 2);
    work(&Whereabouts::at_all(&urls), 20, |_| {});
    drop(servers);

    let certificate = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
        -subj /CN=db -addext subjectAltName=DNS:localhost -keyout root.key -out root.crt";
    shell(certificate, &directory, &[]);
    database.encrypt(&directory.join("root.crt"), &directory.join("root.key"));
    let server = served(&chapter[2], &database);
    let encrypted = database.sql(
        "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
         WHERE usename = 'gbandit'",
    );
    assert_eq!(encrypted, "t");
    drop(server);
}

/// Runs a block as the administrator of the database. It asks for the password of a new user.
fn create(block: &str, database: &Postgres) {
    // Without a terminal, `createuser` reads the password from its input.
    let mut command = Command::new("setsid");
    command.args(["--wait", "bash", "-c", &format!("set -e\n{block}")]);
    command.envs([("PGHOST", "127.0.0.1"), ("PGUSER", "postgres"), ("PGPASSWORD", PASSWORD)]);
    command.env("PGPORT", database.port().to_string()).stdin(Stdio::piped());
    let mut running = command.spawn().unwrap();
    let mut input = running.stdin.take().unwrap();
    writeln!(input, "{OWN_PASSWORD}\n{OWN_PASSWORD}").unwrap();
    drop(input);
    assert!(running.wait().unwrap().success(), "{block}");
}

/// Starts the service as a line of the guide does, with this database, its certificate and a free port.
fn served(line: &str, database: &Postgres, directory: &Path) -> Server {
    // The last one leaves the password out.
    let line = line.trim().trim_start_matches("PGPASSWORD=... ");
    let line = line
        .replace("db.example.org", &format!("localhost:{}", database.port()))
        .replace("/etc/gbandit", &directory.display().to_string())
        .replace("--listen 127.0.0.1:8081", "")
        .replace("--listen 127.0.0.1:8082", "");
    let mut command = bash(&format!("exec {line} --listen 127.0.0.1:0"), directory);
    Server::listening(command.env("PGPASSWORD", OWN_PASSWORD).stderr(Stdio::null()))
}

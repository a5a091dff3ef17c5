//! The target of attacks: one process on a file, or two on a database, and their addresses.

use crate::diary::{Moment, Restoration};
use crate::http::Addresses;
use crate::process::{Server, directory, gbandit};
use crate::robot::ROBOTS;
use graph_bandit_testing::Postgres;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The longest standstill allowed once everything works again.
const STANDSTILL: Duration = Duration::from_secs(120);

/// The store of the agents.
pub(crate) enum Base {
    Sqlite(PathBuf),
    Postgres(Box<Postgres>),
}

pub(crate) struct Arena {
    pub(crate) base: Base,
    pub(crate) directory: PathBuf,
    pub(crate) addresses: Addresses,
    pub(crate) restorations: Vec<Restoration>,
    pub(crate) began: Instant,
    /// Receipts of each robot so far.
    pub(crate) counters: Arc<[AtomicU64; ROBOTS.len()]>,
    servers: Vec<Option<Server>>,
}

impl Arena {
    pub(crate) fn sqlite(name: &str) -> Self {
        let directory = directory(name);
        Self::on(Base::Sqlite(directory.join("fleet.db")), directory, 1)
    }

    /// Two processes on one database.
    pub(crate) fn postgres(name: &str) -> Self {
        Self::on(Base::Postgres(Box::new(Postgres::start())), directory(name), 2)
    }

    fn on(base: Base, directory: PathBuf, processes: usize) -> Self {
        let mut arena = Self {
            base,
            directory,
            addresses: Addresses::default(),
            restorations: Vec::new(),
            began: Instant::now(),
            counters: Arc::default(),
            servers: (0..processes).map(|_| None).collect(),
        };
        for process in 0..processes {
            arena.start(process);
        }
        arena
    }

    pub(crate) fn store(&self) -> String {
        match &self.base {
            Base::Sqlite(file) => format!("sqlite://{}", file.display()),
            Base::Postgres(database) => database.url(),
        }
    }

    pub(crate) fn processes(&self) -> usize {
        self.servers.len()
    }

    pub(crate) fn server(&self, process: usize) -> &Server {
        self.servers[process].as_ref().expect("it runs")
    }

    /// Starts a process that logs to a file.
    pub(crate) fn start(&mut self, process: usize) {
        let log = self.directory.join("log");
        let log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
        self.start_with(process, log.into(), "warn");
    }

    /// Starts a process with any log and log level.
    pub(crate) fn start_with(&mut self, process: usize, log: Stdio, level: &str) -> &mut Server {
        let server = Server::start_with(gbandit(), &self.store(), log, &["--log", level]);
        self.addresses.set(process, &server.url);
        self.servers[process].insert(server)
    }

    /// kill -9.
    pub(crate) fn kill(&mut self, process: usize) {
        self.servers[process].take().expect("it runs").kill();
    }

    /// SIGTERM; the process must end cleanly.
    pub(crate) fn terminate(&mut self, process: usize) {
        let ended = self.servers[process].take().expect("it runs").terminate();
        assert!(ended.success(), "{ended}");
    }

    /// Kills everything at once and starts it again: only what is on disk remains.
    pub(crate) fn fall(&mut self) {
        if let Base::Postgres(database) = &mut self.base {
            database.kill();
            database.go_on();
        }
        for process in 0..self.processes() {
            self.kill(process);
            self.start(process);
        }
    }

    pub(crate) fn now(&self) -> Moment {
        u64::try_from(self.began.elapsed().as_micros()).expect("a battle ends")
    }

    /// Lets robots continue until there are `more` receipts.
    pub(crate) fn wait_for_receipts(&self, more: u64) {
        let goal = self.receipts() + more;
        self.wait_until(|arena| arena.receipts() >= goal);
    }

    /// Receipts of all robots so far.
    pub(crate) fn receipts(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Lets robots continue until each has one more receipt.
    pub(crate) fn wait_for_everybody(&self) {
        let before = self.counts();
        self.wait_until(|arena| {
            arena.counts().iter().zip(&before).all(|(after, before)| after > before)
        });
    }

    fn counts(&self) -> [u64; ROBOTS.len()] {
        self.counters.each_ref().map(|count| count.load(Ordering::Relaxed))
    }

    fn wait_until(&self, is_so: impl Fn(&Self) -> bool) {
        let since = Instant::now();
        while !is_so(self) {
            if since.elapsed() > STANDSTILL {
                self.addresses.give_up();
                let log = std::fs::read_to_string(self.directory.join("log")).unwrap_or_default();
                let last: Vec<&str> = log.lines().rev().take(20).collect();
                panic!("the robots are stuck; the last lines of the log: {last:#?}");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// `gbandit store verify` finds nothing.
    pub(crate) fn verify(&self) {
        let output = gbandit().args(["store", "verify", &self.store()]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}{errors}");
    }
}

//! Memory and files over time: a row of a table now and then, and everything in a CSV file.

use crate::arena::{Arena, Base};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often they are read.
const EVERY: Duration = Duration::from_secs(10);
/// The memory limit of a process. Robots and attackers are few, so a process above it would grow
/// without end.
const MOST_MEMORY: u64 = 1 << 30;

pub(crate) struct Gauges {
    name: &'static str,
    csv: PathBuf,
    rows: Vec<Row>,
    /// The peak memory of any process.
    most: u64,
}

struct Row {
    at: Duration,
    memory: u64,
    store: u64,
    write_ahead: u64,
}

impl Gauges {
    pub(crate) fn new(arena: &Arena, name: &'static str) -> Self {
        Self { name, csv: arena.directory.join("gauges.csv"), rows: Vec::new(), most: 0 }
    }

    /// Reads the gauges; adds a row to the table only when it is due.
    ///
    /// # Panics
    /// When a process exceeds the memory limit.
    pub(crate) fn look(&mut self, arena: &Arena, at: Duration) {
        let of_all = |what: &str| {
            let each = (0..arena.processes()).map(|it| memory(&arena.server(it).pid(), what));
            each.max().unwrap_or(0)
        };
        self.most = self.most.max(of_all("VmHWM:"));
        assert!(self.most < MOST_MEMORY, "a process took {} bytes", self.most);
        if self.rows.last().is_some_and(|last| at < last.at + EVERY) {
            return;
        }
        let memory = of_all("VmRSS:");
        let (store, write_ahead) = match &arena.base {
            Base::Sqlite(file) => (size(file), size(&beside(file, "-wal"))),
            Base::Postgres(database) => {
                let size = database.sql("SELECT pg_database_size(current_database())");
                (size.parse().unwrap(), 0)
            }
        };
        self.rows.push(Row { at, memory, store, write_ahead });
    }

    /// Prints a table of at most ten rows, and writes all rows to the file.
    pub(crate) fn say(&self) {
        let mut csv = "seconds,memory,store,write_ahead\n".to_owned();
        for Row { at, memory, store, write_ahead } in &self.rows {
            // Writing to a string cannot fail.
            let _ = writeln!(csv, "{:.0},{memory},{store},{write_ahead}", at.as_secs_f64());
        }
        std::fs::write(&self.csv, csv).unwrap();
        println!("{}: {:.1} MB of memory at most", self.name, self.most as f64 / 1e6);
        println!("{}:  seconds  memory, MB  store, MB  write-ahead, MB", self.name);
        let step = self.rows.len().div_ceil(10).max(1);
        let last = self.rows.len().saturating_sub(1);
        for (number, row) in self.rows.iter().enumerate() {
            if number % step == 0 || number == last {
                let megabytes = |bytes: u64| bytes as f64 / 1e6;
                println!(
                    "{}:  {:7.0}  {:10.1}  {:9.1}  {:15.1}",
                    self.name,
                    row.at.as_secs_f64(),
                    megabytes(row.memory),
                    megabytes(row.store),
                    megabytes(row.write_ahead)
                );
            }
        }
    }
}

/// The current or peak memory of a process.
fn memory(process: &str, what: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix(what));
    let kilobytes = kilobytes.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(0_u64) * 1_024
}

fn size(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |metadata| metadata.len())
}

pub(crate) fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

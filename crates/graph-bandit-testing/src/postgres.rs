//! A PostgreSQL server that lives as long as a value: its own cluster in a temporary directory, on
//! its own port. It runs the programs of Debian's package, but not the package's own cluster.
//!
//! It is fully durable (fsync is on), so tests may kill it.

use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The user of Debian's package: PostgreSQL refuses to run as root.
const USER: &str = "postgres";
/// The password of the database user; all connections need it, even local ones.
pub const PASSWORD: &str = "pg-s3cret";
/// How often to retry, and how long to wait in between.
const ATTEMPTS: u32 = 1_200;
const PAUSE: Duration = Duration::from_millis(50);

/// A private database server, killed when the value is dropped.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    directory: PathBuf,
    port: u16,
    postmaster: Option<Child>,
}

impl Postgres {
    /// Creates a cluster and starts it.
    ///
    /// # Panics
    /// When PostgreSQL is not installed, or does not start.
    pub fn start() -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let name = format!("gbandit-postgres-{}-{number}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        let mut database = Self { programs: programs(), directory, port: 0, postmaster: None };
        database.initialise();
        database.go_on();
        database
    }

    /// The URL of its database, with the password.
    pub fn url(&self) -> String {
        format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{}/{USER}", self.port)
    }

    /// Its port, on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    fn initialise(&self) {
        let passwords = self.directory.join("password");
        std::fs::write(&passwords, PASSWORD).unwrap();
        if is_root() {
            done(Command::new("chown").arg(USER).args([&self.directory, &passwords]));
        }
        let data = self.data();
        let mut initdb = self.as_user("initdb", &[]);
        initdb.args(["--username", USER, "--auth", "scram-sha-256", "--pwfile"]).arg(passwords);
        // An empty cluster has nothing to lose.
        initdb.args(["--encoding", "UTF8", "--no-locale", "--no-sync", "--pgdata"]).arg(data);
        done(&mut initdb);
    }

    /// Starts it, or restarts it at the same place after [`kill`](Self::kill) or
    /// [`stop`](Self::stop); returns once it answers.
    ///
    /// # Panics
    /// When it does not start.
    pub fn go_on(&mut self) {
        for _ in 0..ATTEMPTS {
            if self.port == 0 {
                // Free now; if another process takes it before PostgreSQL does, try another.
                let free = TcpListener::bind("127.0.0.1:0").unwrap();
                self.port = free.local_addr().unwrap().port();
                drop(free);
                if self.launched() {
                    return;
                }
                self.port = 0;
            } else if self.launched() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
        panic!("PostgreSQL does not start: {}", self.log());
    }

    /// Whether it runs now; a killed server may hold its memory for a moment.
    fn launched(&mut self) -> bool {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.log_file());
        let sockets = format!("unix_socket_directories={}", self.directory.display());
        let port = self.port.to_string();
        // If the test is killed, its database is killed too.
        let mut postgres = self.as_user("postgres", &["--pdeathsig", "KILL"]);
        postgres.arg("-D").arg(self.data()).args(["-p", &port, "-h", "127.0.0.1"]);
        for setting in [&sockets, "fsync=on", "max_connections=40", "shared_buffers=32MB"] {
            postgres.args(["-c", setting]);
        }
        let postgres = postgres.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log.unwrap());
        let mut postmaster = postgres.spawn().unwrap();
        for _ in 0..ATTEMPTS {
            if postmaster.try_wait().unwrap().is_some() {
                return false;
            }
            if self.psql("SELECT 1").status.success() {
                self.postmaster = Some(postmaster);
                return true;
            }
            std::thread::sleep(PAUSE);
        }
        self.postmaster = Some(postmaster);
        panic!("PostgreSQL does not answer: {}", self.log());
    }

    /// Restarts it with encrypted connections, using this certificate and key.
    ///
    /// # Panics
    /// When the files cannot be read, or it does not start.
    pub fn encrypt(&mut self, certificate: &Path, key: &Path) {
        for (from, to) in [(certificate, "server.crt"), (key, "server.key")] {
            let to = self.data().join(to);
            let mut install = Command::new("install");
            install.args(["-m", "600"]);
            if is_root() {
                install.args(["-o", USER]);
            }
            done(install.arg(from).arg(to));
        }
        self.sql("ALTER SYSTEM SET ssl = on");
        self.stop();
        self.go_on();
    }

    /// Refuses unencrypted connections from now on.
    ///
    /// # Panics
    /// When the file of rules cannot be written.
    pub fn refuse_unencrypted(&self) {
        let rules = "hostssl all all all scram-sha-256\n";
        std::fs::write(self.data().join("pg_hba.conf"), rules).unwrap();
        self.sql("SELECT pg_reload_conf()");
    }

    /// The output of a statement, with columns separated by `|`.
    ///
    /// # Panics
    /// When it fails.
    pub fn sql(&self, statement: &str) -> String {
        let output = self.psql(statement);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Runs a dump written by `pg_dump`.
    ///
    /// # Panics
    /// When a statement in it fails.
    pub fn restore(&self, dump: &Path) {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["--no-psqlrc", "-q", "-v", "ON_ERROR_STOP=1", "-f"]).arg(dump).arg(self.url());
        done(&mut psql);
    }

    /// Writes everything that the service stores into a file, with `pg_dump`, while others write.
    ///
    /// # Panics
    /// When it fails.
    pub fn dump(&self, to: &Path) {
        let mut dump = Command::new(self.programs.join("pg_dump"));
        dump.args(["--schema=gbandit", "--clean", "--if-exists", "--file"]).arg(to).arg(self.url());
        done(&mut dump);
    }

    /// Restores the database from a dump, in one transaction, even while others use it.
    ///
    /// # Panics
    /// When it fails repeatedly.
    pub fn put_back(&self, dump: &Path) {
        let mut said = String::new();
        for _ in 0..20 {
            let mut psql = Command::new(self.programs.join("psql"));
            psql.args(["--no-psqlrc", "-q", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-f"]);
            let output = psql.arg(dump).arg(self.url()).stdin(Stdio::null()).output().unwrap();
            if output.status.success() {
                return;
            }
            // Other sessions may hold locks on the tables; then nothing has changed.
            said = String::from_utf8_lossy(&output.stderr).into_owned();
            std::thread::sleep(PAUSE);
        }
        panic!("{} was not restored: {said}", dump.display());
    }

    fn psql(&self, statement: &str) -> Output {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["--no-psqlrc", "-tA", "-v", "ON_ERROR_STOP=1", "-c", statement, &self.url()]);
        psql.stdin(Stdio::null()).output().unwrap()
    }

    /// kill -9 of the server and all its processes: no time to finish anything.
    ///
    /// # Panics
    /// When it does not run.
    pub fn kill(&mut self) {
        let mut postmaster = self.postmaster.take().expect("the database runs");
        // While it is stopped, it cannot start more children.
        signal("STOP", &[postmaster.id()]);
        let mut processes = children(postmaster.id());
        processes.push(postmaster.id());
        signal("KILL", &processes);
        postmaster.wait().unwrap();
    }

    /// A fast shutdown, as by an administrator: clients are disconnected, everything is written.
    ///
    /// # Panics
    /// When it does not run.
    pub fn stop(&mut self) {
        let mut postmaster = self.postmaster.take().expect("the database runs");
        signal("INT", &[postmaster.id()]);
        postmaster.wait().unwrap();
    }

    /// Suspends all its processes, like a machine that hangs.
    ///
    /// # Panics
    /// When it does not run.
    pub fn pause(&self) {
        let postmaster = self.postmaster.as_ref().expect("the database runs").id();
        signal("STOP", &[postmaster]);
        signal("STOP", &children(postmaster));
    }

    /// Resumes them.
    ///
    /// # Panics
    /// When it does not run.
    pub fn resume(&self) {
        let postmaster = self.postmaster.as_ref().expect("the database runs").id();
        signal("CONT", &children(postmaster));
        signal("CONT", &[postmaster]);
    }

    /// Sets the largest size of its files from now on, in bytes; it ignores the signal. A number stands for a
    /// full disk, `unlimited` for one that has room again.
    ///
    /// # Panics
    /// When it does not run.
    pub fn allow_files(&self, bytes: &str) {
        let postmaster = self.postmaster.as_ref().expect("the database runs").id();
        for process in [vec![postmaster], children(postmaster)].concat() {
            // Some may end by themselves.
            let limit = format!("--fsize={bytes}:");
            let mut prlimit = self.by_user(&[]);
            prlimit.args(["prlimit", "--pid", &process.to_string(), &limit]);
            let limited = prlimit.stderr(Stdio::null()).status().expect("prlimit runs");
            assert!(limited.success() || process != postmaster, "prlimit {limit} failed");
        }
    }

    fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    fn log_file(&self) -> PathBuf {
        self.directory.join("log")
    }

    /// Its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_file()).unwrap_or_default()
    }

    /// A PostgreSQL program, run as its own user if this process is root.
    fn as_user(&self, program: &str, settings: &[&str]) -> Command {
        let mut command = self.by_user(settings);
        command.arg(self.programs.join(program));
        command
    }

    /// A command of that user, which is still to be named.
    fn by_user(&self, settings: &[&str]) -> Command {
        let mut command = Command::new("setpriv");
        command.args(settings).current_dir(&self.directory);
        if is_root() {
            command.args(["--reuid", USER, "--regid", USER, "--clear-groups"]);
        }
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.postmaster.is_some() {
            self.kill();
        }
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Where Debian installs the programs of the latest version.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let version = |path: &Path| -> Option<u32> { path.file_name()?.to_str()?.parse().ok() };
    let found =
        versions.map(|entry| entry.path()).filter(|path| path.join("bin/postgres").exists());
    let latest = found.max_by_key(|path| version(path));
    let missing = "PostgreSQL is not installed: `apt-get install postgresql`; ./test does it";
    latest.expect(missing).join("bin")
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout == b"0\n"
}

fn done(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}

fn signal(name: &str, processes: &[u32]) {
    let mut script = format!("kill -{name}");
    for process in processes {
        write!(script, " {process}").unwrap();
    }
    // Some may have ended by themselves.
    let _ = Command::new("bash").args(["-c", &script]).stderr(Stdio::null()).status();
}

/// The child processes of a process.
fn children(parent: u32) -> Vec<u32> {
    let mut children = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let status = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name is in parentheses and may contain anything; after it come the state and the
        // parent.
        let parents = status.rsplit(')').next().and_then(|rest| rest.split(' ').nth(2));
        if parents.and_then(|text| text.parse().ok()) == Some(parent) {
            children.push(process);
        }
    }
    children
}

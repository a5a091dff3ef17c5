//! Encrypted connections to PostgreSQL: `sslmode` and `sslrootcert` work as in libpq.

use graph_bandit_server::store::PostgresStore;
use graph_bandit_testing::{PASSWORD, Postgres};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Certificates for this test, made by `openssl`.
struct Certificates(PathBuf);

impl Certificates {
    fn make() -> Self {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("certificates");
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        let script = "set -e
            key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30'
            name='subjectAltName=DNS:localhost'
            for root in root other; do
                openssl req -x509 $key -subj /CN=$root -keyout $root.key -out $root.crt
            done
            openssl req $key -subj /CN=server -keyout server.key -out server.csr
            echo \"$name\" > names
            openssl x509 -req -in server.csr -CA root.crt -CAkey root.key -days 30 -extfile names -out server.crt
            openssl req -x509 $key -subj /CN=self -addext \"$name\" -keyout self.key -out self.crt";
        let made = Command::new("bash").args(["-c", script]).current_dir(&directory).output();
        let made = made.expect("openssl must be installed");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        Self(directory)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

/// How a store connected to its database.
#[derive(Debug, PartialEq)]
enum Way {
    Plain,
    Encrypted,
    Refused(String),
}

struct Tried<'a> {
    database: &'a Postgres,
    host: &'a str,
    root: Option<&'a Path>,
}

impl Tried<'_> {
    fn by(&self, mode: &str) -> Way {
        let url = self.database.url().replace("127.0.0.1", self.host);
        let mut url = format!("{url}?sslmode={mode}");
        if let Some(root) = self.root {
            url = format!("{url}&sslrootcert={}", root.display());
        }
        open(self.database, &url)
    }
}

fn open(database: &Postgres, url: &str) -> Way {
    let store = match PostgresStore::open(url) {
        Ok(store) => store,
        Err(error) => {
            let said = error.to_string();
            assert!(!said.contains(PASSWORD), "{said}");
            return Way::Refused(said);
        }
    };
    let encrypted = database.sql(
        "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
         WHERE application_name LIKE 'gbandit%'",
    );
    drop(store);
    // The next attempt must not see this connection.
    let gone = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'gbandit%'";
    while database.sql(gone) != "0" {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    if encrypted == "t" { Way::Encrypted } else { Way::Plain }
}

fn assert_refused(way: &Way, because: &str) {
    assert!(matches!(way, Way::Refused(said) if said.contains(because)), "{because}: {way:?}");
}

#[test]
fn modes_work_as_in_libpq() {
    let certificates = Certificates::make();
    let (root, other) = (certificates.file("root.crt"), certificates.file("other.crt"));
    let mut database = Postgres::start();

    // A server that does not encrypt.
    let bare = Tried { database: &database, host: "localhost", root: None };
    for mode in ["disable", "allow", "prefer"] {
        assert_eq!(bare.by(mode), Way::Plain, "{mode}");
    }
    let rooted = Tried { root: Some(&root), ..bare };
    for way in [bare.by("require"), rooted.by("verify-ca"), rooted.by("verify-full")] {
        assert_refused(&way, "server does not support TLS");
    }
    assert_refused(&Tried { root: None, ..bare }.by("verify-full"), "sslrootcert=FILE");

    // A server that can encrypt.
    database.encrypt(&certificates.file("server.crt"), &certificates.file("server.key"));
    let bare = Tried { database: &database, host: "localhost", root: None };
    let rooted = Tried { root: Some(&root), ..bare };
    for (mode, way) in [
        ("disable", Way::Plain),
        ("allow", Way::Plain),
        ("prefer", Way::Encrypted),
        ("require", Way::Encrypted),
    ] {
        assert_eq!(bare.by(mode), way, "{mode}");
        assert_eq!(rooted.by(mode), way, "{mode} with a root");
    }
    assert_eq!(rooted.by("verify-ca"), Way::Encrypted);
    assert_eq!(rooted.by("verify-full"), Way::Encrypted);
    // The certificate does not name the address.
    let elsewhere = Tried { host: "127.0.0.1", ..rooted };
    assert_eq!(elsewhere.by("verify-ca"), Way::Encrypted);
    assert_eq!(elsewhere.by("require"), Way::Encrypted);
    assert_refused(&elsewhere.by("verify-full"), "certificate not valid for name");
    // A root of another authority.
    let astray = Tried { root: Some(&other), ..bare };
    for mode in ["require", "verify-ca", "verify-full"] {
        assert_refused(&astray.by(mode), "invalid peer certificate");
    }
    assert_eq!(astray.by("prefer"), Way::Plain);
    // The password is tied to the certificate.
    let bound = format!("{}?sslmode=require&channel_binding=require", database.url());
    assert_eq!(open(&database, &bound), Way::Encrypted);

    // A server that requires encryption.
    database.refuse_unencrypted();
    assert_refused(&bare.by("disable"), "no encryption");
    for mode in ["allow", "prefer", "require"] {
        assert_eq!(bare.by(mode), Way::Encrypted, "{mode}");
    }

    // A server with a self-signed certificate.
    let own = certificates.file("self.crt");
    database.encrypt(&own, &certificates.file("self.key"));
    let known = Tried { database: &database, host: "localhost", root: Some(&own) };
    assert_eq!(known.by("verify-full"), Way::Encrypted);
    assert_refused(&Tried { host: "127.0.0.1", ..known }.by("verify-full"), "not valid for name");
    assert_refused(
        &Tried { root: Some(&root), ..known }.by("verify-ca"),
        "invalid peer certificate",
    );
}

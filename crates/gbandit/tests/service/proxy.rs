//! The service behind nginx with `deploy/nginx.conf`: TLS, streams of events, pages.

use crate::process::{Server, directory, token};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The header of a client with an unknown token.
const UNKNOWN_TOKEN: &str = "Authorization: Bearer none";

/// Killed when dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The example with this test's paths and address, and the rest of a whole configuration.
fn configuration(directory: &Path, service: &str, port: u16) -> String {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nginx.conf");
    let mut example = std::fs::read_to_string(example).unwrap();
    let place = |name: &str| directory.join(name).display().to_string();
    for (from, to) in [
        ("127.0.0.1:8080;", format!("{service};")),
        ("listen 443 ssl;", format!("listen 127.0.0.1:{port} ssl;")),
        ("/etc/ssl/certs/robots.example.org.pem", place("certificate")),
        ("/etc/ssl/private/robots.example.org.key", place("key")),
    ] {
        assert!(example.contains(from), "{from}");
        example = example.replace(from, &to);
    }
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {};\n", place(name)))
        .concat();
    // One process, so that none is left when it is killed.
    format!(
        "daemon off;\nmaster_process off;\npid {};\nerror_log stderr;\nevents {{}}\n\
         http {{\naccess_log off;\n{temporary}{example}}}\n",
        place("pid")
    )
}

fn proxy(directory: &Path, service: &str) -> (Running, u16) {
    let script = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
        -subj /CN=robots -addext subjectAltName=DNS:robots.example.org -keyout key -out certificate";
    let made = Command::new("bash").args(["-c", script]).current_dir(directory).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let file = directory.join("nginx.conf");
    std::fs::write(&file, configuration(directory, service, port)).unwrap();
    let nginx = Command::new("nginx").arg("-p").arg(directory).arg("-c").arg(file).spawn();
    (Running(nginx.expect("nginx is a package of that name")), port)
}

#[test]
fn robots_and_pages_use_tls() {
    let directory = directory("proxy");
    let (line, token) = token("office", "admin");
    let tokens = directory.join("tokens");
    std::fs::write(&tokens, line).unwrap();
    let flags = ["--token-file", tokens.to_str().unwrap()];
    let server = Server::start("memory:", &directory.join("log"), &flags);
    let (_nginx, port) = proxy(&directory, server.url.strip_prefix("http://").unwrap());
    let curl = |path: &str, more: &[&str]| {
        let mut curl = Command::new("curl");
        curl.args(["-sS", "-N", "--max-time", "60", "--cacert"]).arg(directory.join("certificate"));
        curl.args(["--resolve", &format!("robots.example.org:{port}:127.0.0.1")]);
        if !more.contains(&UNKNOWN_TOKEN) {
            curl.args(["-H", &format!("Authorization: Bearer {token}")]);
        }
        curl.args(more);
        curl.arg(format!("https://robots.example.org:{port}{path}"));
        curl
    };
    let answer = |path: &str, more: &[&str]| {
        let output =
            curl(path, &[&["-w", "%{http_code}", "-o", "/dev/null"], more].concat()).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    while answer("/healthz", &[]) != "200" {
        std::thread::sleep(Duration::from_millis(20));
    }
    let new_agent = "{\"id\": \"a\", \"graph\": \"line:3\"}";
    assert_eq!(answer("/v1/agents", &["--json", new_agent]), "201");
    assert_eq!(answer("/v1/agents", &["-H", UNKNOWN_TOKEN]), "401");
    // The service's own page, and another site's.
    let own = format!("Origin: https://robots.example.org:{port}");
    assert_eq!(answer("/v1/agents", &["--json", new_agent, "-H", &own]), "200");
    let other = "Origin: https://evil.example";
    assert_eq!(answer("/v1/agents", &["--json", new_agent, "-H", other]), "403");

    // Events arrive one by one, when they happen.
    let watching = curl("/v1/agents/a/events", &[]).stdout(Stdio::piped()).spawn().unwrap();
    let mut watching = Running(watching);
    let mut lines = BufReader::new(watching.0.stdout.take().unwrap()).lines();
    let mut event = || lines.find_map(|line| line.unwrap().strip_prefix("id: ").map(str::to_owned));
    assert_eq!(event().unwrap(), "0");
    for sequence in 0..3 {
        let told = format!("{{\"sequence\": {sequence}, \"reward\": 1}}");
        assert_eq!(answer("/v1/agents/a/tell", &["--json", &told]), "200");
        while event().unwrap() != (sequence + 1).to_string() {}
    }
}

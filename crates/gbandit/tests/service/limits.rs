//! The limits of a service.

use crate::process::{Server, directory, gbandit, token};
use crate::robot::{Robot, Whereabouts, metric, request};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A raw connection.
fn connection(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.url.strip_prefix("http://").unwrap()).unwrap();
    // Only so that a failing test ends.
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Everything received until the other side hangs up.
fn until_closed(mut stream: &TcpStream) -> String {
    let mut text = Vec::new();
    stream.read_to_end(&mut text).expect("the other side hangs up");
    String::from_utf8(text).unwrap()
}

/// One answer, on a connection that stays open.
fn answer_on(mut stream: &TcpStream, head: &str) -> String {
    stream.write_all(head.as_bytes()).unwrap();
    let mut bytes = vec![0; 4_096];
    // A process that was paused finds its wait interrupted: it waits again.
    let length = loop {
        match stream.read(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => break read.unwrap(),
        }
    };
    String::from_utf8(bytes[..length].to_vec()).unwrap()
}

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[test]
fn silent_clients_are_disconnected() {
    let log = directory("silence").join("log");
    let server = Server::start("memory:", &log, &["--idle", "1", "--timeout", "1"]);
    // A head that never ends, line after line; and nothing at all.
    let slow = connection(&server);
    (&slow).write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n").unwrap();
    assert_eq!(until_closed(&slow), "");
    assert_eq!(until_closed(&connection(&server)), "");
    // The same after an answer.
    let used = connection(&server);
    assert!(answer_on(&used, HEALTH).starts_with("HTTP/1.1 200 OK"));
    assert_eq!(until_closed(&used), "");
    // A body that never comes takes as long as any request may.
    let slow = connection(&server);
    let head = "POST /v1/agents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Content-Length: 100\r\n\r\n{";
    let answer = answer_on(&slow, head);
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("took too long"), "{answer}");
    assert_eq!(request(&Whereabouts::at(&server.url), "/healthz", None).0, 200);
}

const LIST: &str = "GET /v1/agents HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// The complete answer on a separate connection, which is closed.
fn answer_to(server: &Server, head: &str) -> String {
    let stream = connection(server);
    (&stream).write_all(head.as_bytes()).unwrap();
    until_closed(&stream)
}

#[test]
fn too_many_connections_are_refused_and_health_is_answered_to_all() {
    let log = directory("connections").join("log");
    let flags = ["--max-connections", "2", "--max-connections-per-address", "2"];
    let server = Server::start("memory:", &log, &flags);
    let taken = [connection(&server), connection(&server)];
    for stream in &taken {
        assert!(answer_on(stream, LIST).starts_with("HTTP/1.1 200 OK"));
    }
    let said = answer_to(&server, LIST);
    assert!(said.starts_with("HTTP/1.1 503 Service Unavailable"), "{said}");
    assert!(said.contains("application/problem+json") && said.contains("retry-after: 1"), "{said}");
    assert!(said.contains("urn:graph-bandit:connections"), "{said}");
    for path in ["/healthz", "/readyz", "/metrics"] {
        let said = answer_to(&server, &LIST.replace("/v1/agents", path));
        assert!(said.starts_with("HTTP/1.1 200 OK"), "{path}: {said}");
    }
    // Existing connections continue, and a free place is taken.
    assert!(answer_on(&taken[0], LIST).starts_with("HTTP/1.1 200 OK"));
    let [left, _right] = taken;
    drop(left);
    let mut answers = (0..1_000).map(|_| answer_on(&connection(&server), LIST));
    assert!(answers.any(|answer| answer.starts_with("HTTP/1.1 200 OK")));
}

/// A client that takes all seats and all waiting room of its address takes none of another's.
#[cfg(target_os = "linux")]
#[test]
fn one_address_cannot_take_all_seats_and_an_admin_gets_in_all_the_same() {
    let directory = directory("addresses");
    let (log, file) = (directory.join("log"), directory.join("tokens"));
    let (admin, rover) = (token("office", "admin"), token("rover", "decide"));
    std::fs::write(&file, admin.0 + &rover.0).unwrap();
    let (admin, rover) = (admin.1, rover.1);
    let flags = ["--listen", "0.0.0.0:0", "--token-file", file.to_str().unwrap()];
    let seats = ["--max-connections", "5", "--max-connections-per-address", "4"];
    let server = Server::start("memory:", &log, &[&flags[..], &seats[..]].concat());
    let url = server.url.replace("0.0.0.0", "127.0.0.1");
    let by = |address: &str, token: &str, path: &str| {
        let mut curl = Command::new("curl");
        curl.args(["-sN", "--interface", address, "-H", &format!("Authorization: Bearer {token}")]);
        curl.arg(format!("{url}{path}"));
        curl
    };
    let status = |address: &str, token: &str, path: &str| {
        let output =
            by(address, token, path).args(["-o", "/dev/null", "-w", "%{http_code}"]).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let mut creation = by("127.0.0.1", &admin, "/v1/agents");
    let new_agent = "{\"id\": \"a\", \"graph\": \"line:3\"}";
    assert!(creation.args(["--json", new_agent]).output().unwrap().status.success());

    let head = LIST.replace("\r\n\r\n", &format!("\r\nAuthorization: Bearer {rover}\r\n\r\n"));
    let connect = || TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    let mut greedy = Vec::new();
    while greedy.len() < 4 {
        let stream = connect();
        // The previous connection may not have freed its seat yet.
        if answer_on(&stream, &head).starts_with("HTTP/1.1 200 OK") {
            greedy.push(stream);
        }
    }
    assert_eq!(status("127.0.0.1", &rover, "/v1/agents"), "503");
    assert_eq!(status("127.0.0.1", &rover, "/readyz"), "200");
    assert_eq!(status("127.0.0.1", &admin, "/v1/agents"), "200");
    assert_eq!(status("127.0.0.2", &rover, "/v1/agents"), "200");
    // Nor does the waiting room.
    let silent: Vec<TcpStream> = (0..60).map(|_| connect()).collect();
    let mut watching =
        by("127.0.0.2", &rover, "/v1/agents/a/events").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(watching.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "event: state\n");
    // Now all seats are taken.
    assert_eq!(status("127.0.0.3", &rover, "/v1/agents"), "503");
    assert_eq!(status("127.0.0.3", &rover, "/healthz"), "200");
    assert_eq!(status("127.0.0.3", &admin, "/v1/agents"), "200");
    watching.kill().unwrap();
    watching.wait().unwrap();
    drop((greedy, silent));
}

/// An ask needs no body, but may have one; it may also come late.
#[test]
fn an_unread_body_does_not_end_the_connection() {
    let log = directory("unread").join("log");
    let server = Server::start("memory:", &log, &[]);
    Robot::new("a", "g-star", &Whereabouts::at(&server.url));
    let stream = connection(&server);
    for _ in 0..20 {
        let head = "POST /v1/agents/a/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n";
        (&stream).write_all(head.as_bytes()).unwrap();
        std::thread::yield_now();
        assert!(answer_on(&stream, "null").starts_with("HTTP/1.1 200 OK"));
    }
}

/// Not even an idle connection delays the end.
#[test]
fn it_stops_with_connections_open() {
    let log = directory("open-ends").join("log");
    let server = Server::start("memory:", &log, &[]);
    let used = connection(&server);
    assert!(answer_on(&used, HEALTH).starts_with("HTTP/1.1 200 OK"));
    let fresh = connection(&server);
    assert!(server.terminate().success());
    assert_eq!((until_closed(&used), until_closed(&fresh)), (String::new(), String::new()));
    let log = std::fs::read_to_string(log).unwrap();
    assert!(!log.contains("did not end in time"), "{log}");
}

#[test]
fn flags_set_the_limits() {
    let log = directory("flags").join("log");
    let flags = "--max-body 200 --max-nodes 16 --max-edges 35 --agents-in-memory 2";
    let flags: Vec<&str> = flags.split(' ').collect();
    let server = Server::start("memory:", &log, &flags);
    let place = Whereabouts::at(&server.url);
    let created = |new_agent: Value| request(&place, "/v1/agents", Some(&new_agent));
    let said = |(status, problem): (u16, Value)| (status, problem["detail"].to_string());
    assert_eq!(said(created(json!({"id": "a".repeat(200)}))).0, 413);
    let (status, detail) = said(created(json!({"graph": "line:17"})));
    assert!(status == 422 && detail.contains("16"), "{detail}");
    let (status, detail) = said(created(json!({"graph": "complete:9"})));
    assert!(status == 422 && detail.contains("35"), "{detail}");
    for id in ["a", "b", "c", "d"] {
        Robot::new(id, "g-star", &place).work(3, &|| {});
    }
    assert!(metric(&place, "gbandit_agents_in_memory") <= 2.0);

    let server = Server::start("memory:", &log, &["--max-requests-per-second", "1"]);
    let place = Whereabouts::at(&server.url);
    let statuses: Vec<u16> = (0..50).map(|_| request(&place, "/healthz", None).0).collect();
    assert!(statuses[0] == 200 && statuses.contains(&429), "{statuses:?}");
}

/// An admitted graph stays, even if limits are lowered later.
#[test]
fn a_lower_limit_keeps_existing_agents() {
    let directory = directory("lower");
    let (log, file) = (directory.join("log"), directory.join("fleet.db"));
    let store = format!("sqlite://{}", file.display());
    let server = Server::start(&store, &log, &[]);
    let place = Whereabouts::at(&server.url);
    let order = Robot::new("a", "g-star", &place).ask();
    assert!(server.terminate().success());
    let server = Server::start(&store, &log, &["--max-nodes", "3"]);
    place.moved_to(&server.url);
    let (status, mut again) = request(&place, "/v1/agents/a/ask", Some(&json!({})));
    // The robot ignores the number.
    again.as_object_mut().unwrap().remove("number").unwrap();
    assert_eq!((status, again), (200, order));
}

#[test]
fn bad_limits_are_refused() {
    for flag in [
        "--max-body",
        "--max-nodes",
        "--max-edges",
        "--max-requests-per-second",
        "--max-connections",
        "--max-connections-per-address",
        "--max-streams",
        "--max-memory-for-bodies",
        "--max-memory-for-answers",
        "--timeout",
        "--idle",
        "--agents-in-memory",
        "--max-memory-for-agents",
    ] {
        for value in ["0", "-1", "1.5", "many", "", "99999999999999999999"] {
            let argument = format!("{flag}={value}");
            let output = gbandit().args(["serve", "--store", "memory:", &argument]).output();
            let output = output.unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{argument}: {said}");
            assert!(said.contains(flag) && said.contains("whole number from 1 to"), "{said}");
        }
    }
}

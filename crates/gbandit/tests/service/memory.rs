//! However many clients come at once, and however slowly they read, memory is bounded.

use crate::process::{Server, directory};
use crate::robot::{Whereabouts, metric, request, tell_one};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const MEGABYTE: u64 = 1 << 20;

/// The peak memory of the process, in bytes.
fn peak(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1_024
}

/// Asks, reads only the beginning of the answer.
fn hardly_reads(server: &Server, path: &str) -> (TcpStream, String) {
    let address = server.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    // Only so that a failing test ends.
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    (stream, String::from_utf8(head.to_vec()).unwrap())
}

#[test]
fn unread_answers_take_little() {
    let log = directory("unread-answers").join("log");
    let flags = ["--timeout", "2", "--max-memory-for-answers", "60000000"];
    let server = Server::start("memory:", &log, &flags);
    let place = Whereabouts::at(&server.url);
    let new_agent = json!({"id": "a", "graph": "grid:300x300", "agent": "g-ucb"});
    assert_eq!(request(&place, "/v1/agents", Some(&new_agent)).0, 201);
    let (_, map) = request(&place, "/v1/agents/a/map?positions=true", None);
    assert_eq!(map["positions"].as_array().unwrap().len(), 90_000);
    let before = peak(&server);
    // Each has about 8 MB.
    let maps = "/v1/agents/a/map?positions=true";
    let readers: Vec<_> = (0..100).map(|_| hardly_reads(&server, maps)).collect();
    assert!(readers.iter().all(|(_, head)| head == "HTTP/1.1 200"));
    let grown = (peak(&server) - before) / MEGABYTE;
    assert!(grown < 150, "{grown} MB more for maps");
    // Answers that must be made in one piece come one after the other, and too many are refused.
    let before = peak(&server);
    for path in ["/v1/agents/a/estimates?limit=100000", "/v1/agents/a/snapshot"] {
        let heads: Vec<_> = std::thread::scope(|scope| {
            let readers: Vec<_> =
                (0..30).map(|_| scope.spawn(|| hardly_reads(&server, path))).collect();
            readers.into_iter().map(|reader| reader.join().unwrap()).collect()
        });
        let count = |wanted: &str| heads.iter().filter(|(_, head)| head == wanted).count();
        assert!(count("HTTP/1.1 200") > 0, "{heads:?}");
        assert_eq!(count("HTTP/1.1 200") + count("HTTP/1.1 503"), 30, "{heads:?}");
        // Small ones need no reservation.
        assert_eq!(request(&place, "/v1/agents/a/estimates", None).0, 200);
        assert_eq!(request(&place, "/v1/agents/a/history", None).0, 200);
    }
    let grown = (peak(&server) - before) / MEGABYTE;
    assert!(grown < 250, "{grown} MB more for estimates and snapshots");
    drop(readers);
    // Memory is given back when no reader is left.
    let answered = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        request(&place, "/v1/agents/a/snapshot", None).0 == 200
    });
    assert!(answered, "room was not given back");
}

/// How much the system holds of unread answers, by connection, in bytes.
fn sent_ahead(server: &Server) -> Vec<u64> {
    let port: u16 = server.url.rsplit(':').next().unwrap().parse().unwrap();
    let from = format!(":{port:04X}");
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let connections = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    // The state 01 is an open connection.
    let ours = connections.filter(|fields| fields[1].ends_with(&from) && fields[3] == "01");
    ours.map(|fields| u64::from_str_radix(fields[4].split(':').next().unwrap(), 16).unwrap())
        .collect()
}

#[test]
fn unread_answers_take_little_of_the_system() {
    let log = directory("sent-ahead").join("log");
    let server = Server::start("memory:", &log, &["--idle", "1000"]);
    let place = Whereabouts::at(&server.url);
    let new_agent = json!({"id": "a", "graph": "grid:300x300", "agent": "g-ucb"});
    assert_eq!(request(&place, "/v1/agents", Some(&new_agent)).0, 201);
    assert_eq!(request(&place, "/readyz", None).0, 200);
    let maps = "/v1/agents/a/map?positions=true";
    let readers: Vec<_> = (0..10).map(|_| hardly_reads(&server, maps)).collect();
    // The service has sent as much as it can.
    let (mut full, begun) = (0, Instant::now());
    while full < 20 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", sent_ahead(&server));
        std::thread::sleep(Duration::from_millis(20));
        let ahead = sent_ahead(&server);
        assert!(ahead.iter().all(|&bytes| bytes <= 400_000), "{ahead:?}");
        full +=
            usize::from(ahead.iter().filter(|&&bytes| bytes > 100_000).count() == readers.len());
    }
}

/// A record of about a megabyte.
fn long_record(sequence: u64) -> Value {
    let rewards =
        (0..50_000_u64).map(|visit| ((visit * 7_919 + sequence) % 99_991) as f64 / 99_991.0);
    let visits: Vec<Value> = rewards.map(|reward| json!({"at": 0, "reward": reward})).collect();
    json!({"sequence": sequence, "visits": visits})
}

#[test]
fn long_records_are_read_a_few_at_a_time() {
    const RECORDS: u64 = 150;
    let directory = directory("long-records");
    let (log, file) = (directory.join("log"), directory.join("fleet.db"));
    let store = format!("sqlite://{}", file.display());
    let server = Server::start(&store, &log, &[]);
    let place = Whereabouts::at(&server.url);
    let new_agent = json!({"id": "a", "graph": "line:2", "agent": "local-ucb"});
    assert_eq!(request(&place, "/v1/agents", Some(&new_agent)).0, 201);
    for sequence in 0..RECORDS {
        let (status, receipt) = request(&place, "/v1/agents/a/tell", Some(&long_record(sequence)));
        assert_eq!(status, 200, "{receipt}");
    }
    let order = request(&place, "/v1/agents/a/ask", Some(&json!({})));
    assert!(server.terminate().success());
    // Replayed.
    let server = Server::start(&store, &log, &["--timeout", "300"]);
    let place = Whereabouts::at(&server.url);
    assert_eq!(request(&place, "/v1/agents/a/ask", Some(&json!({}))), order);
    let replayed = peak(&server) / MEGABYTE;
    assert!(replayed < 80, "{replayed} MB to replay {RECORDS} MB");
    // Read by clients that hardly read, and page by page.
    let path = "/v1/agents/a/history?limit=1000";
    let readers: Vec<_> = (0..20).map(|_| hardly_reads(&server, path)).collect();
    let mut from = Some(0);
    let mut seen = 0;
    while let Some(first) = from {
        assert_eq!(first, seen);
        let (status, page) =
            request(&place, &format!("/v1/agents/a/history?limit=1000&from={first}"), None);
        assert_eq!((status, &page["end"]), (200, &json!(RECORDS)));
        for record in page["records"].as_array().unwrap() {
            assert_eq!(record["receipt"]["sequence"], seen);
            assert_eq!(record["visits"][0]["rewards"].as_array().unwrap().len(), 50_000);
            seen += 1;
        }
        from = page["next"].as_u64();
    }
    assert_eq!(seen, RECORDS);
    let read = peak(&server) / MEGABYTE;
    assert!(read < 150, "{read} MB to read {RECORDS} MB");
    drop(readers);
}

/// The current memory of the process, in bytes.
fn resident(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1_024
}

#[test]
fn agents_on_large_graphs_leave_memory() {
    let directory = directory("large-agents");
    let (log, file) = (directory.join("log"), directory.join("fleet.db"));
    let store = format!("sqlite://{}", file.display());
    let flags = ["--log", "warn", "--max-memory-for-agents", "150000000"];
    let server = Server::start(&store, &log, &flags);
    let place = Whereabouts::at(&server.url);
    let work = |id: &str| {
        let observed: Vec<Value> =
            (0..90_000).map(|node| json!({"at": node, "reward": 0.5})).collect();
        let new_agent = json!({"id": id, "graph": "grid:300x300", "agent": "g-star"});
        assert_eq!(request(&place, "/v1/agents", Some(&new_agent)).0, 201);
        let observed = json!({"sequence": 0, "observations": observed});
        let path = format!("/v1/agents/{id}/observe");
        assert_eq!(request(&place, &path, Some(&observed)).0, 200);
        assert_eq!(tell_one(&place, id, 1).0, 200);
    };
    work("first");
    assert_eq!(request(&place, "/readyz", None).0, 200);
    let bytes = || metric(&place, "gbandit_agents_memory_bytes");
    let each = bytes();
    let before = resident(&server);
    for agent in 0..4 {
        work(&format!("counted-{agent}"));
    }
    assert_eq!((metric(&place, "gbandit_agents_in_memory"), bytes()), (5.0, 5.0 * each));
    // The estimate is what they take.
    let taken = resident(&server).saturating_sub(before) as f64 / 4.0;
    assert!((0.5..2.0).contains(&(taken / each)), "{taken} bytes, and {each} by estimate");
    for agent in 0..12 {
        work(&format!("more-{agent}"));
        assert!(bytes() <= 150e6, "{}", bytes());
    }
    assert!(metric(&place, "gbandit_agents_in_memory") <= 150e6 / each);
    // All of them go on.
    for agent in 0..12 {
        assert_eq!(tell_one(&place, &format!("more-{agent}"), 2).0, 200);
    }
}

#[test]
fn large_creations_take_turns() {
    let log = directory("large-creations").join("log");
    // Existing agents are not what is measured.
    let flags = ["--timeout", "300", "--agents-in-memory", "1"];
    let file = directory("large-creations-store").join("fleet.db");
    let server = Server::start(&format!("sqlite://{}", file.display()), &log, &flags);
    let names: Vec<String> = (0..50_000).map(|node| format!("{node:0>250}")).collect();
    let edges: Vec<[u32; 2]> = (1..50_000).map(|node| [node / 2, node]).collect();
    let new_agent =
        json!({"agent": "g-ucb", "graph": {"nodes": 50_000, "names": names, "edges": edges}});
    // 13 MB.
    let body = new_agent.to_string();
    drop(new_agent);
    let created: Vec<u16> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..50)
            .map(|_| {
                scope.spawn(|| {
                    let sent = ureq::post(format!("{}/v1/agents", server.url))
                        .header("Content-Type", "application/json")
                        .send(body.as_str());
                    sent.unwrap().status().as_u16()
                })
            })
            .collect();
        // Small creations do not wait for them.
        let place = Whereabouts::at(&server.url);
        assert_eq!(request(&place, "/v1/agents", Some(&json!({"graph": "line:2"}))).0, 201);
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    assert_eq!(created, [201; 50]);
    let peak = peak(&server) / MEGABYTE;
    assert!(peak < 900, "{peak} MB for 50 creations of 13 MB");
}

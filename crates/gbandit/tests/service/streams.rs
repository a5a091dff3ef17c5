//! Watchers of a real process: a stop does not wait for them, and one that does not read delays
//! nobody.

use crate::process::{Server, directory};
use crate::robot::{Whereabouts, request};
use serde_json::json;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

fn watch(server: &Server) -> BufReader<TcpStream> {
    let address = server.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET /v1/agents/a/events HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    BufReader::new(stream)
}

/// Reads until the event after this report.
fn read_until(stream: &mut BufReader<TcpStream>, sequence: u64) {
    let mut line = String::new();
    while line.trim() != format!("id: {sequence}") {
        line.clear();
        assert_ne!(stream.read_line(&mut line).unwrap(), 0, "the stream ended");
    }
}

#[test]
fn a_stop_ends_all_streams_and_waits_for_none() {
    let directory = directory("streams");
    let log = directory.join("log");
    let server = Server::start("memory:", &log, &[]);
    let whereabouts = Whereabouts::at(&server.url);
    request(&whereabouts, "/v1/agents", Some(&json!({"id": "a", "graph": "grid:10x10"})));
    let mut readers: Vec<_> = (0..20).map(|_| watch(&server)).collect();
    let idle: Vec<_> = (0..20).map(|_| watch(&server)).collect();
    for sequence in 0..30_u64 {
        let told = json!({"sequence": sequence, "reward": 0.5});
        request(&whereabouts, "/v1/agents/a/tell", Some(&told));
        if sequence % 10 == 9 {
            for reader in &mut readers {
                read_until(reader, sequence + 1);
            }
        }
    }
    assert!(server.terminate().success());
    for mut reader in readers.into_iter().chain(idle) {
        let mut rest = Vec::new();
        reader.read_to_end(&mut rest).unwrap();
        // The last chunk of a chunked answer: the stream was ended, not cut.
        assert!(rest.ends_with(b"0\r\n\r\n"));
    }
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("\"stopped\""), "{log}");
    assert!(!log.contains("did not end in time"), "{log}");
}

/// Asks for more than fits in the buffers, again and again, and reads nothing.
fn never_reads(server: &Server) -> TcpStream {
    let address = server.url.strip_prefix("http://").unwrap();
    let stream = TcpStream::connect(address).unwrap();
    stream.set_nonblocking(true).unwrap();
    let request = format!("GET /openapi.json HTTP/1.1\r\nHost: {address}\r\n\r\n").repeat(2_000);
    match (&stream).write_all(request.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::WouldBlock => panic!("{error}"),
        _ => stream,
    }
}

/// Waits until a new client is admitted.
fn wait_for_a_seat(whereabouts: &Whereabouts) {
    for _ in 0..600 {
        if request(whereabouts, "/healthz", None).0 == 200 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("no seat becomes free");
}

#[test]
fn a_client_that_does_not_read_delays_nobody() {
    let log = directory("unread").join("log");
    let flags = ["--idle", "1", "--max-connections", "5"];
    let server = Server::start("memory:", &log, &flags);
    let whereabouts = Whereabouts::at(&server.url);
    let sitting = [(); 5].map(|()| never_reads(&server));
    wait_for_a_seat(&whereabouts);
    assert!(server.terminate().success());
    // Nor the end, however patient the service is otherwise.
    let server = Server::start("memory:", &log, &["--idle", "1000"]);
    let still_sitting = [(); 5].map(|()| never_reads(&server));
    assert_eq!(request(&Whereabouts::at(&server.url), "/healthz", None).0, 200);
    assert!(server.terminate().success());
    drop((sitting, still_sitting));
    let log = std::fs::read_to_string(log).unwrap();
    assert!(!log.contains("did not end in time"), "{log}");
}

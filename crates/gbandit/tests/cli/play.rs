//! `gbandit play`: it prints the page's address, and serves the page to this machine.

use crate::program::{command, gbandit};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

#[test]
fn it_prints_the_address_and_serves_the_page() {
    let link = "http://127.0.0.1:1/#graph=star:5&agent=g-ucb";
    let mut command = command(&["play", "--no-open", "--port", "0", link]);
    let mut program = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.strip_prefix("playing at http://").unwrap().split(' ').next().unwrap();
    let (address, setup) = url.split_once("/#").unwrap();
    assert_eq!(setup, "graph=star:5&agent=g-ucb");
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("Who finds the best node first?"));
}

#[test]
fn impossible_requests_are_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = gbandit(&["play", "--no-open", "--port", &port]);
    assert_eq!(refused.code, 2, "{refused:?}");
    let said = format!("error: --port: cannot listen on port {port}: ");
    assert!(refused.stderr.starts_with(&said), "{refused:?}");
    assert!(refused.stderr.contains("or 0 for any free port"), "{refused:?}");
    let refused = gbandit(&["play", "grid:10x10"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("'grid:10x10'") && refused.stderr.contains("after a #"));
}

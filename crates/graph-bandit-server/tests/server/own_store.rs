//! The store of the example, from outside the crate: it keeps the contract, and a service runs on it.

#[path = "../../examples/own_store/journal.rs"]
mod journal;

use graph_bandit_server::store::conformance::check_all;
use graph_bandit_server::store::{Store, StoreError};
use graph_bandit_server::{ServeOptions, serve_until};
use journal::Journal;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use tokio::sync::oneshot;

/// A new file in the temporary directory of tests.
fn fresh_file(name: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.journal"));
    let _ = std::fs::remove_file(&file);
    file
}

fn open(file: &Path) -> Result<Arc<dyn Store>, StoreError> {
    let journal = Journal::open(file);
    Ok(Arc::new(journal.map_err(|error| StoreError::Failed { reason: error.to_string() })?))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keeps_the_contract() {
    let mut places = 0;
    let kept = check_all(|| {
        places += 1;
        let file = fresh_file(&format!("contract-{places}"));
        move || open(&file)
    });
    kept.await.unwrap_or_else(|broken| panic!("{broken}"));
}

/// Serves the file while `work` runs.
fn served<T>(file: &Path, work: impl FnOnce(SocketAddr) -> T) -> T {
    let store = open(file).unwrap();
    let (ready, address) = mpsc::channel();
    let (stop, stopped) = oneshot::channel::<()>();
    let service = std::thread::spawn(move || {
        let options = ServeOptions::new("127.0.0.1:0".parse().unwrap());
        serve_until(store, options, move |address| {
            ready.send(address).unwrap();
            Ok(async { stopped.await.unwrap() })
        })
    });
    let done = work(address.recv().unwrap());
    stop.send(()).unwrap();
    service.join().unwrap().unwrap();
    done
}

fn request(to: SocketAddr, line: &str, body: &str) -> (u16, Value) {
    let mut stream = TcpStream::connect(to).unwrap();
    let length = body.len();
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), serde_json::from_str(body).unwrap())
}

/// An incomplete last line is cut off, even within a character; a file that is not a journal is refused and
/// stays unchanged.
#[tokio::test]
async fn cuts_off_only_what_was_never_answered() {
    let file = fresh_file("torn");
    open(&file).unwrap().create("höhle", "", "{}").await.unwrap();
    let whole = std::fs::read(&file).unwrap();
    let second = whole.iter().position(|&byte| byte > 127).unwrap() + 1;
    std::fs::write(&file, [&whole, &whole[..second]].concat()).unwrap();
    assert!(open(&file).unwrap().find("höhle").await.unwrap().is_some());
    assert_eq!(std::fs::read(&file).unwrap(), whole);
    let other = "notes\nmore notes";
    std::fs::write(&file, other).unwrap();
    assert!(open(&file).is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), other);
}

#[test]
fn is_served_and_forgets_nothing() {
    let file = fresh_file("served");
    served(&file, |at| {
        let agent = json!({"id": "rover", "graph": "line:3", "agent": "g-ucb"}).to_string();
        assert_eq!(request(at, "POST /v1/agents", &agent).0, 201);
        for sequence in 0..4 {
            let (status, order) = request(at, "POST /v1/agents/rover/ask", "");
            assert_eq!((status, &order["sequence"]), (200, &json!(sequence)));
            let report = json!({"sequence": sequence, "reward": 0.5}).to_string();
            assert_eq!(request(at, "POST /v1/agents/rover/tell", &report).0, 200);
        }
    });
    let (status, agent) = served(&file, |at| request(at, "GET /v1/agents/rover", ""));
    assert_eq!(status, 200);
    assert_eq!((&agent["sequence"], &agent["reward"]), (&json!(4), &json!(2.0)));
}

//! A database file with wrong bytes: the service works without them if it can; otherwise it refuses
//! only the agent they belong to.

use crate::process::{Server, directory};
use crate::robot::{Robot, Whereabouts, metric, request, tell_one};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Enough for a snapshot and some records after it.
const REPORTS: u64 = 300;

struct Scene {
    log: PathBuf,
    file: PathBuf,
    store: String,
    /// The next order of each agent.
    orders: Vec<(u16, Value)>,
}

fn ask(place: &Whereabouts, id: &str) -> (u16, Value) {
    request(place, &format!("/v1/agents/{id}/ask"), Some(&json!({})))
}

/// Two agents of the same kind and length that were told different rewards.
fn scene(name: &str) -> Scene {
    let directory = directory(name);
    let (log, file) = (directory.join("log"), directory.join("fleet.db"));
    let store = format!("sqlite://{}", file.display());
    let server = Server::start(&store, &log, &["--log", "warn"]);
    let place = Whereabouts::at(&server.url);
    for id in ["a", "b"] {
        Robot::new(id, "g-ts", &place);
        assert!((0..REPORTS).all(|sequence| tell_one(&place, id, sequence).0 == 200));
    }
    let orders = ["a", "b"].map(|id| ask(&place, id)).to_vec();
    assert!(server.terminate().success());
    Scene { log, file, store, orders }
}

fn change(file: &Path, sql: &str, body: &str) {
    let changed = Connection::open(file).unwrap().execute(sql, params![body]).unwrap();
    assert_eq!(changed, 1, "{sql}");
}

fn read(file: &Path, sql: &str) -> String {
    Connection::open(file).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The text with one digit in its middle changed.
fn with_another_digit(text: &str) -> String {
    let place = text.len() / 2 + text[text.len() / 2..].find(|c| ('1'..'9').contains(&c)).unwrap();
    let mut bytes = text.as_bytes().to_vec();
    bytes[place] += 1;
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_damaged_snapshot_is_noticed_and_replaced_by_the_log() {
    let scene = scene("damaged-snapshot");
    let of = |id| {
        let sql = "SELECT body FROM snapshots JOIN agents ON agent = number WHERE id";
        read(&scene.file, &format!("{sql} = '{id}'"))
    };
    let (whole, others) = (of("a"), of("b"));
    let half = whole[..whole.len() / 2].to_owned();
    for (damage, body) in [
        ("none", whole.clone()),
        ("a digit", with_another_digit(&whole)),
        ("half of it", half),
        ("nothing left", String::new()),
        ("another agent's", others),
    ] {
        let sql = "UPDATE snapshots SET body = ?1
            WHERE agent = (SELECT number FROM agents WHERE id = 'a')";
        change(&scene.file, sql, &body);
        let server = Server::start(&scene.store, &scene.log, &["--log", "warn"]);
        let place = Whereabouts::at(&server.url);
        for (id, order) in ["a", "b"].into_iter().zip(&scene.orders) {
            assert_eq!(&ask(&place, id), order, "{id}, {damage}");
        }
        let counted = metric(&place, "gbandit_damaged_snapshots_total");
        assert_eq!(counted, f64::from(u8::from(damage != "none")), "{damage}");
        assert!(server.terminate().success());
    }
}

#[test]
fn a_damaged_record_stops_its_agent_and_no_other() {
    let scene = scene("damaged-record");
    // After the snapshot, so that it is needed.
    let record = "agent = (SELECT number FROM agents WHERE id = 'a') AND sequence = 290";
    let whole = read(&scene.file, &format!("SELECT body FROM records WHERE {record}"));
    let update = format!("UPDATE records SET body = ?1 WHERE {record}");
    for body in [with_another_digit(&whole), String::new(), "{}".to_owned()] {
        change(&scene.file, &update, &body);
        let server = Server::start(&scene.store, &scene.log, &["--log", "error"]);
        let place = Whereabouts::at(&server.url);
        for _ in 0..2 {
            let (status, problem) = ask(&place, "a");
            assert_eq!((status, &problem["title"]), (500, &json!("The agent is damaged")));
            assert!(problem["detail"].as_str().unwrap().contains("record 290"), "{problem}");
        }
        assert_eq!(tell_one(&place, "a", REPORTS).0, 500);
        assert_eq!(metric(&place, "gbandit_damaged_agents_total"), 3.0);
        assert_eq!(ask(&place, "b"), scene.orders[1]);
        assert_eq!(request(&place, "/readyz", None).0, 200);
        assert!(server.terminate().success());
    }
    change(&scene.file, &update, &whole);
    let server = Server::start(&scene.store, &scene.log, &["--log", "error"]);
    assert_eq!(ask(&Whereabouts::at(&server.url), "a"), scene.orders[0]);
}

#[test]
fn a_damaged_definition_stops_its_agent_and_no_other() {
    let scene = scene("damaged-definition");
    let start = || {
        let server = Server::start(&scene.store, &scene.log, &["--log", "error"]);
        let place = Whereabouts::at(&server.url);
        (server, place)
    };
    // An imported agent: its definition holds its earlier state.
    let (server, place) = start();
    let (status, export) = request(&place, "/v1/agents/a/snapshot", None);
    assert_eq!(status, 200, "{export}");
    let import = json!({"id": "c", "export": export});
    assert_eq!(request(&place, "/v1/import", Some(&import)).0, 201);
    let order_of_c = ask(&place, "c");
    assert!(server.terminate().success());
    for (id, order) in [("a", &scene.orders[0]), ("c", &order_of_c)] {
        let of = |id| format!("SELECT definition FROM agents WHERE id = '{id}'");
        let (whole, others) = (read(&scene.file, &of(id)), read(&scene.file, &of("b")));
        let digit = with_another_digit(&whole);
        let origin = whole.find("\"origin\"").unwrap_or(whole.len());
        assert_eq!(digit[..origin] == whole[..origin], id == "c");
        let update = format!("UPDATE agents SET definition = ?1 WHERE id = '{id}'");
        for body in [digit, String::new(), "{}".to_owned(), others] {
            change(&scene.file, &update, &body);
            let (server, place) = start();
            for _ in 0..2 {
                let (status, problem) = ask(&place, id);
                assert_eq!((status, &problem["title"]), (500, &json!("The agent is damaged")));
                assert!(problem["detail"].as_str().unwrap().contains("definition"), "{problem}");
            }
            assert_eq!(tell_one(&place, id, REPORTS).0, 500);
            assert_eq!(ask(&place, "b"), scene.orders[1]);
            assert!(server.terminate().success());
        }
        change(&scene.file, &update, &whole);
        // The list is stored separately, so damage to it costs nothing else.
        let label = read(&scene.file, &format!("SELECT label FROM agents WHERE id = '{id}'"));
        let update = format!("UPDATE agents SET label = ?1 WHERE id = '{id}'");
        change(&scene.file, &update, &label.replace("g-ts", "g-ucb"));
        let (server, place) = start();
        assert_eq!(&ask(&place, id), order);
        let (_, list) = request(&place, "/v1/agents", None);
        for agent in list["agents"].as_array().unwrap() {
            assert_eq!(agent["agent"] == "damaged", agent["id"] == id, "{list}");
        }
        change(&scene.file, &update, &label);
        assert!(server.terminate().success());
    }
}

/// The pages on which a table keeps an agent's rows, found by their content.
fn pages_with(file: &Path, text: &str) -> (usize, Vec<usize>) {
    let connection = Connection::open(file).unwrap();
    let size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0)).unwrap();
    let size = usize::try_from(size).unwrap();
    let bytes = std::fs::read(file).unwrap();
    let holds = |page: &[u8]| page.windows(text.len()).any(|part| part == text.as_bytes());
    let pages = bytes.chunks(size).enumerate().filter(|(_, page)| holds(page));
    (size, pages.map(|(number, _)| number).collect())
}

#[test]
fn a_broken_page_stops_its_agent_and_no_other() {
    let scene = scene("broken-page");
    let last = "SELECT body FROM records JOIN agents ON agent = number
        WHERE id = 'a' AND sequence = 299";
    let (size, pages) = pages_with(&scene.file, &read(&scene.file, last));
    assert_eq!(pages.len(), 1);
    let mut bytes = std::fs::read(&scene.file).unwrap();
    // No kind of page begins like this.
    bytes[pages[0] * size..][..64].fill(0xee);
    std::fs::write(&scene.file, bytes).unwrap();

    let server = Server::start(&scene.store, &scene.log, &["--log", "error"]);
    let place = Whereabouts::at(&server.url);
    for _ in 0..2 {
        let (status, problem) = ask(&place, "a");
        assert_eq!((status, &problem["title"]), (500, &json!("The agent is damaged")), "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains("malformed"), "{problem}");
        assert_eq!(tell_one(&place, "a", REPORTS).0, 500);
    }
    assert_eq!(ask(&place, "b"), scene.orders[1]);
    for sequence in REPORTS..REPORTS + 300 {
        assert_eq!(tell_one(&place, "b", sequence).0, 200);
    }
    assert_eq!(request(&place, "/readyz", None).0, 200);
}

#[test]
fn a_file_that_is_not_a_store_is_refused_at_the_start() {
    let scene = scene("broken-file");
    let mut bytes = std::fs::read(&scene.file).unwrap();
    bytes[..100].fill(0);
    std::fs::write(&scene.file, bytes).unwrap();
    let output = crate::process::gbandit()
        .args(["serve", "--listen", "127.0.0.1:0", "--store", &scene.store])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("fleet.db: file is not a database"), "{said}");
}

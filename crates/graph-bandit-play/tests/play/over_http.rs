//! The page's requests to a running server.

use graph_bandit_play::{PlayOptions, serve_until};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

async fn send(to: SocketAddr, line: &str, headers: &str, body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(to).await.unwrap();
    let head = format!(
        "{line} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_lowercase(), body: body.to_owned() }
}

async fn post(to: SocketAddr, path: &str, body: &Value) -> Answer {
    let headers = format!("Host: {to}\r\nContent-Type: application/json\r\n");
    send(to, &format!("POST {path}"), &headers, body.to_string().as_bytes()).await
}

async fn get(to: SocketAddr, path: &str) -> Answer {
    send(to, &format!("GET {path}"), &format!("Host: {to}\r\n"), b"").await
}

/// Runs a test against a server.
fn served<F: Future<Output = ()>>(test: impl FnOnce(SocketAddr) -> F) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (tell, told) = oneshot::channel();
        let announce = move |address| tell.send(address).unwrap();
        let tests = async { test(told.await.unwrap()).await };
        serve_until(PlayOptions { port: Some(0) }, announce, tests).await.unwrap();
    });
}

#[test]
fn a_race_from_its_set_up_to_its_end() {
    served(|to| async move {
        let page = get(to, "/").await;
        assert_eq!(page.status, 200);
        assert!(
            page.head.contains("content-security-policy: default-src 'none'; script-src 'self'")
        );
        for file in
            ["/play/main.js", "/play/play.css", "/dashboard/map.js", "/dashboard/palette.css"]
        {
            assert_eq!(get(to, file).await.status, 200, "{file}");
        }
        assert_eq!(get(to, "/play/none.js").await.status, 404);
        let choices = get(to, "/play/choices").await.json();
        assert_eq!(choices["limits"]["agents"], 6);
        assert!(choices["agents"].as_array().unwrap().len() > 10);

        let setup =
            json!({"graph": "grid:4x4", "agents": ["g-ucb", "local-ucb"], "steps": 100, "seed": 3});
        let opened = post(to, "/play/races", &setup).await;
        assert_eq!(opened.status, 200, "{}", opened.body);
        let opened = opened.json();
        assert_eq!(opened["graph"]["nodes"], 16);
        assert_eq!(opened["graph"]["positions"].as_array().unwrap().len(), 16);
        assert_eq!(opened["means"].as_array().unwrap().len(), 16);
        assert_eq!(opened["agents"][0], json!({"label": "g-ucb", "colour": "c0", "dash": "solid"}));
        assert_eq!(opened["progress"]["racers"][1]["known"].as_array().unwrap().len(), 16);
        let path = format!("/play/races/{}", opened["id"]);
        let on = post(to, &format!("{path}/advance"), &json!({"until": 40})).await.json();
        assert_eq!(on["t"], 40);
        assert!(on["racers"][0]["why"]["reason"].as_str().is_some());
        let shut = post(to, &format!("{path}/close"), &json!({"from": 1, "to": 0, "t": 40})).await;
        assert_eq!(shut.json()["closed"], json!([[0, 1]]), "{}", shut.body);
        let late = post(to, &format!("{path}/open"), &json!({"from": 0, "to": 1, "t": 39})).await;
        assert_eq!(late.status, 409);
        let open = post(to, &format!("{path}/open"), &json!({"from": 0, "to": 1, "t": 40})).await;
        assert_eq!(open.json()["closed"], json!([]));
        // Advancing beyond the end stops at the end.
        let mut end = json!({"t": 40});
        while end["t"] != 100 {
            end = post(to, &format!("{path}/advance"), &json!({"until": 5_000})).await.json();
        }
    });
}

#[test]
fn refusals_name_the_field() {
    served(|to| async move {
        let wrong =
            json!({"graph": "grid:4x4", "agents": ["g-ucb"], "steps": 100, "noise": "loud"});
        let refused = post(to, "/play/races", &wrong).await;
        assert_eq!((refused.status, &refused.json()["field"]), (422, &json!("noise")));
        assert!(refused.head.contains("application/problem+json"));
        let gone = post(to, "/play/races/12/advance", &json!({"until": 1})).await;
        assert_eq!(gone.status, 410);
        assert!(gone.json()["detail"].as_str().unwrap().contains("start it again"));
        let unknown = json!({"graph": "grid:4x4", "agents": ["g-ucb"], "steps": 100, "sede": 1});
        let unread = post(to, "/play/races", &unknown).await;
        assert_eq!(unread.status, 422);
        assert!(unread.json()["detail"].as_str().unwrap().contains("sede"), "{}", unread.body);
    });
}

#[test]
fn maps_are_read_as_the_service_reads_them() {
    served(|to| async move {
        let headers = format!("Host: {to}\r\nContent-Type: application/octet-stream\r\n");
        let line = "POST /play/maps?name=roads.csv&positions=true";
        let read = send(to, line, &headers, b"source,target\na,b\nb,c\nc,a\n").await;
        assert_eq!(read.status, 200, "{}", read.body);
        let read = read.json();
        assert_eq!(
            (&read["graph"]["nodes"], &read["graph"]["names"]),
            (&json!(3), &json!(["a", "b", "c"]))
        );
        // The answer can be used as the graph of a race.
        let setup = json!({"graph": read["graph"], "agents": ["g-ucb"], "steps": 50});
        assert_eq!(post(to, "/play/races", &setup).await.status, 200);
        let broken = send(to, line, &headers, b"source,target\na,b\nc,d\n").await;
        assert_eq!(broken.status, 422);
        assert!(broken.body.contains("largest_component=true"), "{}", broken.body);
    });
}

/// Each node and each edge of a town has about ten attributes, which are no nodes and no edges.
#[test]
fn a_town_with_many_attributes_is_read_up_to_the_limits() {
    let town = |nodes: usize| {
        let data = "\n    <data key=\"d\">Mill Lane</data>".repeat(11);
        let node = |k| format!("<node id=\"{k}\">{data}</node>\n");
        let edge = |k: usize| {
            let next = (k + 1) % nodes;
            format!("<edge source=\"{k}\" target=\"{next}\">{data}</edge>\n")
        };
        let all: String = (0..nodes).map(node).chain((0..nodes).map(edge)).collect();
        format!("<graphml><graph edgedefault=\"directed\">{all}</graph></graphml>")
    };
    served(|to| async move {
        let headers = format!("Host: {to}\r\nContent-Type: application/octet-stream\r\n");
        let line = "POST /play/maps?name=town.graphml&directed=true";
        let read = send(to, line, &headers, town(2_000).as_bytes()).await;
        assert_eq!(read.status, 200, "{}", read.body);
        assert_eq!(read.json()["graph"]["nodes"], 2_000);
        for nodes in [2_001, 12_000] {
            let refused = send(to, line, &headers, town(nodes).as_bytes()).await;
            assert_eq!(refused.status, 422);
            let said = format!(
                "the map has {nodes} nodes and {nodes} edges, and the limits are 2000 nodes and 10000 edges"
            );
            assert!(refused.body.contains(&said), "{}", refused.body);
        }
    });
}

/// Otherwise a page of another site could keep the program busy, or read its answers.
#[test]
fn other_sites_are_turned_away() {
    served(|to| async move {
        let own = format!("Host: {to}\r\n");
        assert_eq!(send(to, "GET /play/choices", &own, b"").await.status, 200);
        let own_page = format!("{own}Origin: http://{to}\r\nSec-Fetch-Site: same-origin\r\n");
        assert_eq!(send(to, "GET /play/choices", &own_page, b"").await.status, 200);
        // Any page may link to a race.
        let followed = format!("{own}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n");
        assert_eq!(send(to, "GET /", &followed, b"").await.status, 200);
        assert_eq!(send(to, "GET /", "Host: example.org\r\n", b"").await.status, 421);
        for (others, status) in [
            ("Host: example.org\r\n".to_owned(), 421),
            (format!("{own}Origin: http://example.org\r\n"), 403),
            (format!("{own}Sec-Fetch-Site: cross-site\r\n"), 403),
        ] {
            assert_eq!(
                send(to, "GET /play/choices", &others, b"").await.status,
                status,
                "{others}"
            );
        }
    });
}

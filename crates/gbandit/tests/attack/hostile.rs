//! Malicious input: each is refused as the client's fault, and changes nothing.

use crate::arena::Arena;
use crate::battle::Attack;
use crate::chance::Chance;
use crate::hostile_teams;
use crate::http::Http;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

pub(crate) struct Hostile;

impl Attack for Hostile {
    fn name(&self) -> &'static str {
        "rounds of hostile input"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        let http = Http::new(&arena.addresses);
        for (path, body) in bodies(chance) {
            let (status, answer) = http.answered(path, Some(&body));
            assert!((400..500).contains(&status), "{path} {status}: {answer}");
            assert!(answer["type"].is_string() && answer["detail"].is_string(), "{path}: {answer}");
        }
        hostile_teams::strike(&http, chance);
        let url = arena.addresses.get(chance.below(arena.processes() as u64) as usize);
        let address = url.strip_prefix("http://").unwrap();
        for text in raw(chance) {
            let answer = said(address, &text);
            let is_refused = answer.is_empty() || answer.starts_with(b"HTTP/1.1 4");
            assert!(is_refused, "{text:?}: {}", String::from_utf8_lossy(&answer));
        }
    }
}

fn bodies(chance: &mut Chance) -> Vec<(&'static str, serde_json::Value)> {
    let far = 1_000_000 + chance.below(1 << 40);
    vec![
        // Sequence numbers, nodes and agents that do not exist; values out of range.
        ("/v1/agents/star/tell", json!({"sequence": far, "reward": 1})),
        ("/v1/agents/star/tell", json!({"sequence": 0, "reward": 1, "id": "stranger"})),
        ("/v1/agents/star/tell", json!({"sequence": -1, "reward": 1})),
        ("/v1/agents/star/tell", json!({"sequence": u64::MAX, "reward": 1})),
        ("/v1/agents/star/tell", json!({"sequence": 0, "reward": 1e300})),
        ("/v1/agents/star/tell", json!({"sequence": 0, "reward": "much"})),
        ("/v1/agents/star/tell", json!({"sequence": 0, "visits": [{"at": far, "reward": 1}]})),
        ("/v1/agents/star/tell", json!({"sequence": 0, "reward": 1, "number": far})),
        ("/v1/agents/star/blocked", json!({"sequence": 0, "edge": [0, far]})),
        ("/v1/agents/nobody/tell", json!({"sequence": 0, "reward": 1})),
        ("/v1/agents", json!({"id": "../../etc", "graph": "grid:3x3"})),
        ("/v1/agents", json!({"id": "bomb", "graph": "grid:100000x100000"})),
        ("/v1/agents", json!({"id": "bomb", "graph": {"nodes": u64::MAX, "edges": []}})),
        ("/v1/agents", json!({"id": "bomb", "graph": {"nodes": 2, "edges": [[0, far]]}})),
        ("/v1/agents", json!({"id": "star", "graph": "grid:3x3", "seed": far})),
        ("/v1/import", json!({"id": "bomb", "export": {"definition": {}, "snapshot": []}})),
        ("/v1/maps", json!({"graph": "not a map"})),
    ]
}

fn raw(chance: &mut Chance) -> Vec<Vec<u8>> {
    let post_to = |path: &str, body: &[u8], length: usize| {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        [head.as_bytes(), body].concat()
    };
    let post = |body: &[u8], length: usize| post_to("/v1/agents/star/tell", body, length);
    let deep = "[".repeat(100_000);
    let deep_team = format!("{{\"graph\": \"line:3\", \"walkers\": {deep}");
    let noise: Vec<u8> = (0..2_000).map(|_| chance.next() as u8).collect();
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(1 << 20));
    let close = "Connection: close\r\n\r\n";
    vec![
        noise.clone(),
        post(&noise, noise.len()),
        post(deep.as_bytes(), deep.len()),
        post(b"{\"sequence\": 0, \"reward\": NaN}", 30),
        post_to("/v1/agents", deep_team.as_bytes(), deep_team.len()),
        post_to("/v1/agents/crew/joined", b"{\"name\": \"zoe\", \"speed\": NaN}", 29),
        post(b"{\"sequence\": 0, \"reward\": 1}", usize::MAX),
        long.into_bytes(),
        format!("GET /v1/agents/%00 HTTP/1.1\r\nHost: localhost\r\n{close}").into_bytes(),
        format!("BREW /v1/agents HTTP/1.1\r\nHost: localhost\r\n{close}").into_bytes(),
        format!("GET /v1/agents HTTP/1.1\r\nHost: evil.example.org\r\n{close}").into_bytes(),
        format!(
            "POST /v1/agents/star/tell HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\
             Transfer-Encoding: chunked\r\n{close}0\r\n\r\n"
        )
        .into_bytes(),
    ]
}

/// All answers until the service hangs up or is silent.
fn said(address: &str, text: &[u8]) -> Vec<u8> {
    let Ok(mut stream) = TcpStream::connect(address) else { return Vec::new() };
    stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    // The service may hang up before it has read everything.
    let _ = stream.write_all(text);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

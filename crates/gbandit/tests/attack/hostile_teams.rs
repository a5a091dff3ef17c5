//! Malicious input about teams: absurd walkers, shares and nodes, strangers who report, and a crowd that wants to join.

use crate::chance::Chance;
use crate::http::Http;
use crate::length::Length;
use serde_json::{Value, json};

const CREW: &str = "/v1/agents/crew";
const CROWD: &str = "/v1/agents/crowd";

/// A team that nobody reports to, so that nothing about it may change.
fn create_crew(http: &Http) {
    let crew =
        json!({"id": "crew", "graph": "circle:6", "walkers": [{"name": "anna"}, {"start": 3}]});
    let (status, answer) = http.answered("/v1/agents", Some(&crew));
    assert!(status == 200 || status == 201, "{answer}");
}

/// Sends what a team must refuse; it stays as it was.
pub(crate) fn strike(http: &Http, chance: &mut Chance) {
    create_crew(http);
    let before = http.answered(CREW, None);
    for (path, body) in teams(chance).into_iter().chain(reports(chance)) {
        let (status, answer) = http.answered(&path, Some(&body));
        assert!((400..500).contains(&status), "{path} {body}: {status} {answer}");
        assert!(answer["type"].is_string() && answer["detail"].is_string(), "{path}: {answer}");
    }
    assert_eq!(http.answered(CREW, None), before);
    assert_eq!(http.answered("/v1/agents/bomb", None).0, 404);
    crowd(http);
}

/// Teams that cannot be created.
fn teams(chance: &mut Chance) -> Vec<(String, Value)> {
    let far = 1_000_000 + chance.below(1 << 40);
    let team = |more: Value| {
        let mut body = json!({"id": "bomb", "graph": "grid:3x3", "walkers": 2});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        ("/v1/agents".to_owned(), body)
    };
    let one = |more: Value| team(json!({"walkers": [more]}));
    let rows = |number: f64| team(json!({"share": vec![vec![1.0, number]; 9]}));
    let nested = (0..100).fold(json!(1), |inside, _| json!([inside]));
    vec![
        team(json!({"walkers": far})),
        team(json!({"walkers": u64::MAX})),
        team(json!({"walkers": -1})),
        team(json!({"walkers": 1e300})),
        team(json!({"walkers": "NaN"})),
        team(json!({"walkers": true})),
        team(json!({"walkers": nested})),
        team(json!({"walkers": vec![json!({}); 10_000]})),
        team(json!({"walkers": [null, 3, "anna"]})),
        team(json!({"walkers": 10, "seats": 1})),
        team(json!({"seats": 0})),
        team(json!({"seats": -5})),
        team(json!({"seats": "Infinity"})),
        team(json!({"share": "log:NaN"})),
        team(json!({"share": "log:1e999"})),
        team(json!({"share": "capacity:0"})),
        team(json!({"share": "power:-3"})),
        team(json!({"share": "a".repeat(100_000)})),
        team(json!({"share": nested})),
        team(json!({"share": [["NaN", 1]]})),
        team(json!({"share": vec![vec![1.0; 10_000]; 3]})),
        rows(-1e308),
        rows(0.5),
        one(json!({"name": "../../etc"})),
        one(json!({"name": ""})),
        one(json!({"name": far.to_string()})),
        one(json!({"name": "a".repeat(100_000)})),
        one(json!({"name": "<script>"})),
        one(json!({"name": nested})),
        one(json!({"start": far})),
        one(json!({"start": "nowhere"})),
        one(json!({"speed": 0})),
        one(json!({"speed": -1e300})),
        one(json!({"speed": "NaN"})),
        one(json!({"nodes": []})),
        one(json!({"nodes": [0, 8]})),
        one(json!({"nodes": vec![far; 10_000]})),
        one(json!({"nodes": nested})),
        one(json!({"seat": 1})),
        team(json!({"walkers": [{"name": "anna"}, {"name": "anna"}]})),
        team(json!({"walkers": vec![json!({"nodes": [0]}); 65]})),
        team(json!({"agent": "multi-g-ucb"})),
        team(json!({"init": "lowest"})),
    ]
}

/// Reports that no walker of the crew can have made.
fn reports(chance: &mut Chance) -> Vec<(String, Value)> {
    let far = 1_000_000 + chance.below(1 << 40);
    let report = |kind: &str, body: Value| (format!("{CREW}/{kind}"), body);
    vec![
        report("ask", json!({})),
        report(&format!("ask?walker={far}"), json!({})),
        report("ask?walker=%00", json!({})),
        report("tell", json!({"sequence": 0, "reward": 1})),
        report("tell", json!({"walker": far, "sequence": 0, "reward": 1})),
        report("tell", json!({"walker": u64::MAX, "sequence": 0, "reward": 1})),
        report("tell", json!({"walker": -1, "sequence": 0, "reward": 1})),
        report("tell", json!({"walker": "a".repeat(100_000), "sequence": 0, "reward": 1})),
        report("tell", json!({"walker": "anna", "sequence": far, "reward": 1})),
        report("tell", json!({"walker": "anna", "sequence": 0, "reward": "NaN"})),
        report("tell", json!({"walker": "anna", "sequence": 0, "reward": 1, "number": far})),
        report("failed", json!({"walker": "bert", "sequence": 0})),
        report("moved", json!({"walker": "anna", "sequence": 0, "at": far})),
        report("observe", json!({"sequence": far, "observations": [{"at": 0, "reward": 1}]})),
        report("observe", json!({"sequence": 0, "observations": []})),
        report("blocked", json!({"sequence": 0, "edge": [0, 3]})),
        report("opened", json!({"walker": far, "sequence": 0, "edge": [0, 1]})),
        report("joined", json!({})),
        report("joined", json!({"name": "7"})),
        report("joined", json!({"name": "zoe", "speed": "NaN"})),
        report("joined", json!({"name": "zoe", "nodes": vec![far; 10_000]})),
        report("joined", json!({"name": "zoe", "number": far})),
        report("left", json!({"walker": far})),
        report("left", json!({"walker": "anna", "number": far})),
        report("left", json!({"walker": "anna", "reason": "a".repeat(100_000)})),
    ]
}

/// More want to join than there is room for: all who fit get in, nobody else does, and the team works.
fn crowd(http: &Http) {
    let (joining, most) = Length::wanted().choose((200, 20), (10_000, 1_000));
    let rows = vec![vec![1.0; most]; 6];
    let team = json!({"id": "crowd", "graph": "circle:6", "walkers": 0, "share": rows});
    let (status, answer) = http.answered("/v1/agents", Some(&team));
    assert!(status == 200 || status == 201, "{answer}");
    for number in 0..joining {
        let walker = json!({"name": format!("walker-{number}"), "start": number % 6});
        let (status, answer) = http.answered(&format!("{CROWD}/joined"), Some(&walker));
        // In later rounds, those who are in the team repeat their request.
        assert_eq!(status, if number < most { 200 } else { 422 }, "{number}: {answer}");
    }
    let (_, shown) = http.answered(&format!("{CROWD}/walkers"), None);
    assert_eq!(shown["walkers"].as_array().map(Vec::len), Some(most));
    let (status, order) =
        http.answered(&format!("{CROWD}/ask?walker=walker-{}", most - 1), Some(&json!({})));
    assert_eq!(status, 200, "{order}");
}

//! A robot that asks and tells whatever happens to the service, and records what it saw.

use crate::chance::Chance;
use crate::diary::{Answer, Diary, Moment, Order, Page, Recorded, Report, Told};
use crate::http::Http;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const NODES: u64 = 16;

/// Names, and the kinds of their agents.
pub(crate) const ROBOTS: [(&str, &str); 4] =
    [("star", "g-star"), ("sampler", "g-ts"), ("local", "local-ts"), ("learner", "ql-ucb-h")];

pub(crate) struct Robot {
    name: &'static str,
    http: Http,
    chance: Chance,
    began: Instant,
    reports: u64,
    number: Value,
    pub(crate) diary: Diary,
}

/// Creates the agent of a robot, unless it exists.
pub(crate) fn create(http: &Http, name: &str, agent: &str) {
    let new_agent =
        json!({"id": name, "graph": "grid:4x4", "agent": agent, "seed": 17, "start": 5});
    let (status, answer) = http.answered("/v1/agents", Some(&new_agent));
    assert!(matches!(status, 200 | 201), "{answer}");
}

/// An order without the fields that differ in a twin.
pub(crate) fn order_of(answer: &Value) -> Order {
    let mut rest = answer.clone();
    let members = rest.as_object_mut().expect("an order is an object");
    members.remove("number");
    let seal = members.remove("seal").and_then(|seal| seal.as_str().map(str::to_owned));
    let sequence = answer["sequence"].as_u64().expect("an order has a number");
    Order { sequence, seal: seal.expect("an order has a seal"), text: rest.to_string() }
}

/// The answer to a report.
pub(crate) fn answer_of((status, answer): (u16, Value)) -> Answer {
    if status == 200 {
        return Answer::Receipt(answer);
    }
    Answer::Refused { status, problem: answer.to_string() }
}

impl Robot {
    pub(crate) fn new(name: &'static str, http: Http, (seed, began): (u64, Instant)) -> Self {
        let diary = Diary { robot: name.to_owned(), ..Diary::default() };
        let chance = Chance::new(seed, name);
        Self { name, http, chance, began, reports: 0, number: Value::Null, diary }
    }

    fn now(&self) -> Moment {
        u64::try_from(self.began.elapsed().as_micros()).expect("a battle ends")
    }

    fn path(&self, what: &str) -> String {
        format!("/v1/agents/{}/{what}", self.name)
    }

    fn ask(&mut self) -> Value {
        let (status, answer) = self.http.answered(&self.path("ask"), Some(&json!({})));
        assert_eq!(status, 200, "{}: {answer}", self.name);
        let (answered, order) = (self.now(), order_of(&answer));
        self.diary.pages.push(Page::Ordered { answered, order });
        self.number = answer["number"].clone();
        answer
    }

    /// Tells until answered, and records it.
    fn tell(&mut self, report: Report, seal: &Value) -> bool {
        let mut body = report.body.clone();
        body["seal"] = seal.clone();
        body["number"] = self.number.clone();
        let sent = self.now();
        let answer = answer_of(self.http.answered(&self.path(report.to), Some(&body)));
        let is_receipt = matches!(answer, Answer::Receipt(_));
        let answered = self.now();
        self.diary.pages.push(Page::Told(Told { sent, answered, report, answer }));
        is_receipt
    }

    /// Asks, travels for a moment, and tells; sometimes twice, and sometimes another robot tells
    /// the same number. Returns whether there was a receipt.
    pub(crate) fn step(&mut self, pace: Duration) -> bool {
        let mut order = self.ask();
        if self.chance.one_in(8) {
            order = self.ask();
        }
        std::thread::sleep(pace);
        let report = self.report(&order);
        let seal = &order["seal"];
        if !self.tell(report.clone(), seal) {
            return false;
        }
        if self.chance.one_in(16) {
            self.tell(report.clone(), seal);
        }
        if self.chance.one_in(16) {
            let id = format!("{}-other", report.id);
            let mut body = report.body.clone();
            body["id"] = json!(id);
            self.tell(Report { id, body, ..report }, seal);
        }
        true
    }

    /// Something that may have happened on the way.
    fn report(&mut self, order: &Value) -> Report {
        let node = |place: &Value| place["node"].as_u64().expect("a place has a number");
        let sequence = order["sequence"].as_u64().expect("an order has a number");
        let at = node(&order["at"]);
        let path: Vec<u64> = order["path"].as_array().expect("a path").iter().map(node).collect();
        let end = path.last().copied().unwrap_or(at);
        let stay = order["stay"].as_u64().expect("a stay").min(6) as usize;
        let leg: Vec<u64> = path.into_iter().chain(std::iter::repeat_n(end, stay)).collect();
        self.reports += 1;
        let id = format!("{}-{}", self.name, self.reports);
        let mut paid = |nodes: &[u64]| -> Vec<f64> {
            nodes.iter().map(|node| (node % 5) as f64 + self.chance.share()).collect()
        };
        let (to, mut body, rewards) = match self.reports % 7 {
            3 => ("failed", json!({"at": (at + 1) % NODES, "reason": "wind"}), vec![]),
            // Astray by any route, then where the order led.
            5 => {
                let nodes = [(at + self.reports) % NODES, leg[0]];
                let rewards = paid(&nodes);
                let visits: Vec<Value> = nodes
                    .iter()
                    .zip(&rewards)
                    .map(|(at, reward)| json!({"at": at, "reward": reward}))
                    .collect();
                ("tell", json!({"visits": visits}), rewards)
            }
            6 => {
                let rewards = paid(&leg[..1]);
                ("tell", json!({"reward": rewards[0]}), rewards)
            }
            _ => {
                let rewards = paid(&leg);
                ("tell", json!({"rewards": rewards}), rewards)
            }
        };
        body["sequence"] = json!(sequence);
        body["id"] = json!(id);
        Report { to, sequence, id, body, rewards }
    }
}

/// The history of an agent according to the service.
pub(crate) fn history(http: &Http, name: &str) -> Vec<Recorded> {
    let mut history = Vec::new();
    let mut next = Some(0);
    while let Some(from) = next {
        let path = format!("/v1/agents/{name}/history?from={from}&limit=500");
        let (status, page) = http.answered(&path, None);
        assert_eq!(status, 200, "{page}");
        for record in page["records"].as_array().expect("records") {
            let runs = record["visits"].as_array().into_iter().flatten();
            let rewards = runs.flat_map(|run| run["rewards"].as_array().into_iter().flatten());
            history.push(Recorded {
                id: record["id"].as_str().unwrap_or_default().to_owned(),
                receipt: record["receipt"].clone(),
                rewards: rewards.filter_map(Value::as_f64).collect(),
            });
        }
        next = page["next"].as_u64();
    }
    history
}

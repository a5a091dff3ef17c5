//! A robot that does the same thing every time, however often the service dies, and keeps its own
//! account of acknowledged reports.

use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// The current addresses of the service's processes, and how often one has moved. Requests go to
/// each of them in turn.
#[derive(Default)]
pub(crate) struct Whereabouts {
    urls: Mutex<(Vec<String>, u64)>,
    moved: Condvar,
    turn: AtomicUsize,
}

impl Whereabouts {
    pub(crate) fn at(url: &str) -> Self {
        Self::at_all(&[url])
    }

    pub(crate) fn at_all(urls: &[&str]) -> Self {
        let urls = urls.iter().map(|&url| url.to_owned()).collect();
        Self { urls: Mutex::new((urls, 0)), ..Self::default() }
    }

    pub(crate) fn moved_to(&self, url: &str) {
        self.one_moved_to(0, url);
    }

    pub(crate) fn one_moved_to(&self, process: usize, url: &str) {
        let mut place = self.urls.lock().unwrap();
        url.clone_into(&mut place.0[process]);
        place.1 += 1;
        self.moved.notify_all();
    }

    fn get(&self) -> (String, u64) {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        let place = self.urls.lock().unwrap();
        (place.0[turn % place.0.len()].clone(), place.1)
    }

    /// Waits until one has moved, or long enough that the failure may have another reason.
    fn wait_for_move(&self, since: u64) {
        let place = self.urls.lock().unwrap();
        // If there are several, another one may well run.
        let long = Duration::from_millis(if place.0.len() > 1 { 20 } else { 200 });
        drop(self.moved.wait_timeout_while(place, long, |place| place.1 == since).unwrap());
    }
}

/// Repeats a request until a running service answers.
pub(crate) fn request(whereabouts: &Whereabouts, path: &str, body: Option<&Value>) -> (u16, Value) {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(20)))
        .build();
    let http: ureq::Agent = config.into();
    for _ in 0..500 {
        let (url, since) = whereabouts.get();
        let url = format!("{url}{path}");
        let sent = match body {
            Some(body) => {
                http.post(url).header("Content-Type", "application/json").send(body.to_string())
            }
            None => http.get(url).call(),
        };
        let answered = sent.and_then(|mut response| {
            let text = response.body_mut().read_to_string()?;
            Ok((response.status().as_u16(), text))
        });
        match answered {
            Ok((status, text)) => {
                return (status, serde_json::from_str(&text).unwrap_or(Value::Null));
            }
            Err(_) => whereabouts.wait_for_move(since),
        }
    }
    panic!("{path} was never answered");
}

/// Report `sequence` of an agent that is told one reward at a time: always the same for an agent,
/// different between agents.
pub(crate) fn tell_one(whereabouts: &Whereabouts, id: &str, sequence: u64) -> (u16, Value) {
    let salt: u64 = id.bytes().map(u64::from).sum();
    let reward = ((sequence * 7_919 + salt) % 1_000) as f64 / 100.0;
    let body = json!({"sequence": sequence, "reward": reward});
    request(whereabouts, &format!("/v1/agents/{id}/tell"), Some(&body))
}

/// One metric of the service.
#[cfg(unix)]
pub(crate) fn metric(whereabouts: &Whereabouts, name: &str) -> f64 {
    let (url, _) = whereabouts.get();
    let text = ureq::get(format!("{url}/metrics")).call().unwrap().body_mut().read_to_string();
    let text = text.unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("no {name} in\n{text}")).parse().unwrap()
}

/// Like [`request`], repeated until the store works.
pub(crate) fn answered(
    whereabouts: &Whereabouts,
    path: &str,
    body: Option<&Value>,
) -> (u16, Value) {
    for _ in 0..2_000 {
        let (status, answer) = request(whereabouts, path, body);
        if status != 503 {
            return (status, answer);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{path}: the store never worked");
}

/// What a robot has seen: every order and every receipt, in order, and every visit with a receipt.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Diary {
    pub(crate) orders: Vec<Value>,
    pub(crate) receipts: Vec<Value>,
    pub(crate) visits: Vec<(u64, f64)>,
}

pub(crate) struct Robot<'a> {
    pub(crate) id: &'a str,
    pub(crate) whereabouts: &'a Whereabouts,
    counts: Vec<u64>,
}

impl<'a> Robot<'a> {
    /// Creates its agent, unless it exists.
    pub(crate) fn new(id: &'a str, agent: &str, whereabouts: &'a Whereabouts) -> Self {
        let new_agent =
            json!({"id": id, "graph": "grid:4x4", "agent": agent, "seed": 17, "start": 5});
        let (status, body) = answered(whereabouts, "/v1/agents", Some(&new_agent));
        assert!(status == 201 || status == 200, "{body}");
        Self { id, whereabouts, counts: vec![0; 16] }
    }

    fn post(&self, what: &str, body: &Value) -> Value {
        let path = format!("/v1/agents/{}/{what}", self.id);
        let (status, answer) = answered(self.whereabouts, &path, Some(body));
        assert_eq!(status, 200, "{path} {body}: {answer}");
        answer
    }

    /// The order, without the agent's number, which differs in a twin.
    pub(crate) fn ask(&self) -> Value {
        let mut order = self.post("ask", &json!({}));
        order.as_object_mut().unwrap().remove("number").unwrap();
        order
    }

    /// What visit number `k` to a node pays: the same for every robot of every process.
    fn paid(&mut self, node: u64) -> f64 {
        let count = &mut self.counts[node as usize];
        *count += 1;
        let mixed = (node * 7_919 + *count * 104_729).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        (node % 5) as f64 + mixed as f64 / (1_u64 << 24) as f64
    }

    /// Makes this many reports of all kinds; `acknowledged` is called after each receipt.
    pub(crate) fn work(&mut self, reports: u64, acknowledged: &dyn Fn()) -> Diary {
        let mut diary = Diary::default();
        for report in 0..reports {
            let order = self.ask();
            assert_eq!(order["sequence"], report, "{}", self.id);
            let node = |place: &Value| place["node"].as_u64().unwrap();
            let at = node(&order["at"]);
            let path: Vec<u64> = order["path"].as_array().unwrap().iter().map(node).collect();
            let end = path.last().copied().unwrap_or(at);
            let stay = order["stay"].as_u64().unwrap().min(6) as usize;
            let leg: Vec<u64> = path.into_iter().chain(std::iter::repeat_n(end, stay)).collect();
            let (what, visited) = match report % 7 {
                3 => ("failed", vec![]),
                // Astray by any route, then where the order led.
                5 => ("tell", vec![(at + report) % 16, leg[0]]),
                6 => ("tell", vec![leg[0]]),
                _ => ("tell", leg),
            };
            let visits: Vec<(u64, f64)> =
                visited.into_iter().map(|node| (node, self.paid(node))).collect();
            let rewards: Vec<f64> = visits.iter().map(|&(_, reward)| reward).collect();
            let body = match report % 7 {
                3 => json!({"sequence": report, "at": (at + 1) % 16, "reason": "wind"}),
                5 => {
                    let visits =
                        visits.iter().map(|(at, reward)| json!({"at": at, "reward": reward}));
                    json!({"sequence": report, "visits": visits.collect::<Vec<_>>()})
                }
                6 => json!({"sequence": report, "reward": rewards[0]}),
                _ => json!({"sequence": report, "rewards": rewards}),
            };
            let receipt = self.post(what, &body);
            assert_eq!(receipt["next_sequence"], report + 1);
            diary.orders.push(order);
            diary.receipts.push(receipt);
            diary.visits.extend(visits);
            acknowledged();
        }
        diary
    }

    /// All visits the service knows, in order.
    pub(crate) fn visits_in_history(&self) -> Vec<(u64, f64)> {
        let mut visits = Vec::new();
        let mut next = Some(0);
        while let Some(from) = next {
            let path = format!("/v1/agents/{}/history?from={from}&limit=100", self.id);
            let (_, page) = answered(self.whereabouts, &path, None);
            for record in page["records"].as_array().unwrap() {
                for run in record["visits"].as_array().into_iter().flatten() {
                    let rewards = run["rewards"].as_array().unwrap().iter();
                    let node = run["node"].as_u64().unwrap();
                    visits.extend(rewards.map(|reward| (node, reward.as_f64().unwrap())));
                }
            }
            next = page["next"].as_u64();
        }
        visits
    }

    pub(crate) fn estimates(&self) -> Value {
        answered(self.whereabouts, &format!("/v1/agents/{}/estimates", self.id), None).1
    }
}

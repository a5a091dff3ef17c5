//! Event streams. The clock is the runtime's own and stands still while there is work, so that the timing
//! is the same every time.

use super::{Answer, Client, check, paid, play};
use axum::body::Body;
use axum::http::header;
use graph_bandit_server::fleet::{Fleet, FleetLimits};
use graph_bandit_server::http::{Authentication, HttpLimits, Service, openapi, router};
use graph_bandit_server::metrics::Metrics;
use graph_bandit_server::store::{MemoryStore, Store};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// Longer than anything waits for.
const LONG: Duration = Duration::from_secs(3_600);

/// A service and a client of it.
pub(crate) fn running(store: Arc<dyn Store>, limits: HttpLimits) -> (Arc<Service>, Client) {
    let metrics = Arc::new(Metrics::default());
    let fleet = Fleet::new(store, FleetLimits::default(), Arc::clone(&metrics));
    let service = Service::new(fleet, metrics, Authentication::Local, limits);
    let app = router(&service);
    (service, Client { app, token: None })
}

async fn started(limits: HttpLimits) -> (Arc<Service>, Client) {
    let (service, client) = running(Arc::new(MemoryStore::default()), limits);
    let request = json!({"id": "a", "graph": "grid:4x4", "agent": "g-ucb"});
    client.done("/v1/agents", request).await;
    (service, client)
}

/// An event stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Message {
    State(Value),
    Gone,
    Comment,
}

pub(crate) struct Reader {
    body: Body,
    text: String,
}

impl Reader {
    pub(crate) async fn of(client: &Client, id: &str) -> Self {
        let response = client.open(&format!("/v1/agents/{id}/events")).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
        Self { body: response.into_body(), text: String::new() }
    }

    /// The next message; none at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        let message = loop {
            if let Some((message, rest)) = self.text.split_once("\n\n") {
                let (message, rest) = (message.to_owned(), rest.to_owned());
                self.text = rest;
                break message;
            }
            let frame = timeout(LONG, self.body.frame()).await.expect("the stream is silent");
            let Some(frame) = frame else {
                assert_eq!(self.text, "", "half a message");
                return None;
            };
            let bytes = frame.unwrap().into_data().unwrap();
            self.text += std::str::from_utf8(&bytes).unwrap();
        };
        if message.starts_with(':') {
            return Some(Message::Comment);
        }
        let lines: Vec<(&str, &str)> =
            message.lines().map(|line| line.split_once(": ").unwrap()).collect();
        Some(match lines[..] {
            [("event", "gone"), ("data", "{}")] => Message::Gone,
            [("event", "state"), ("id", id), ("data", data)] => {
                let data: Value = serde_json::from_str(data).unwrap();
                let records = data["team"].get("records").unwrap_or(&data["sequence"]);
                assert_eq!(records.to_string(), id);
                Message::State(data)
            }
            _ => panic!("{message}"),
        })
    }

    pub(crate) async fn state(&mut self) -> Value {
        match self.next().await {
            Some(Message::State(state)) => state,
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) async fn delete(client: &Client, id: &str) -> Answer {
    let request = client.request("DELETE", &format!("/v1/agents/{id}"));
    client.send(request.body(Body::empty()).unwrap()).await
}

/// The expected state, made from the other answers.
async fn expected(client: &Client, id: &str) -> Value {
    let mut state = client.ask(id).await;
    let shown = client.get(&format!("/v1/agents/{id}")).await.body;
    for member in ["visits", "observed", "reward", "blocked"] {
        state[member] = shown[member].clone();
    }
    state
}

#[tokio::test(start_paused = true)]
async fn an_event_comes_at_once_and_after_every_change() {
    let (_service, client) = started(HttpLimits::default()).await;
    let document = openapi();
    let mut reader = Reader::of(&client, "a").await;
    let first = reader.state().await;
    assert_eq!((&first["sequence"], &first["reward"]), (&json!(0), &json!(0.0)));
    assert_eq!(first, expected(&client, "a").await);
    for _ in 0..20 {
        play(&client, "a", 1).await;
        let state = reader.state().await;
        assert_eq!(state, expected(&client, "a").await);
        check(&document, "Watched", &state);
    }
    client.done("/v1/agents/a/failed", json!({"sequence": 20, "at": 9})).await;
    assert_eq!(reader.state().await["at"]["node"], 9);
    client.done("/v1/agents/a/blocked", json!({"sequence": 21, "edge": [1, 0]})).await;
    assert_eq!(reader.state().await["blocked"], json!([[0, 1]]));
    // A repeat, a refusal and an ask change nothing.
    client.done("/v1/agents/a/blocked", json!({"sequence": 21, "edge": [1, 0]})).await;
    client.post("/v1/agents/a/tell", json!({"sequence": 7, "reward": 1})).await;
    client.ask("a").await;
    assert_eq!(reader.next().await, Some(Message::Comment));
}

#[tokio::test(start_paused = true)]
async fn many_changes_are_few_events() {
    let (_service, client) = started(HttpLimits::default()).await;
    let mut reader = Reader::of(&client, "a").await;
    let start = Instant::now();
    let telling = tokio::spawn(async move {
        for sequence in 0..300 {
            sleep(Duration::from_millis(7)).await;
            let at = sequence % 16;
            let told = json!({"sequence": sequence, "at": at, "reward": paid(at, sequence)});
            client.done("/v1/agents/a/tell", told).await;
        }
        client
    });
    let mut seen = vec![(start.elapsed(), reader.state().await["sequence"].as_u64().unwrap())];
    while seen.last().unwrap().1 < 300 {
        let sequence = reader.state().await["sequence"].as_u64().unwrap();
        seen.push((start.elapsed(), sequence));
    }
    for pair in seen.windows(2) {
        let [(before, earlier), (after, later)] = pair else { unreachable!() };
        assert!(earlier < later, "{seen:?}");
        assert!(*after >= *before + Duration::from_millis(100), "{seen:?}");
    }
    // 2.1 seconds: at most ten a second, and exactly ten if there is always something new.
    assert!((20..=23).contains(&seen.len()), "{seen:?}");
    drop(telling.await.unwrap());
}

/// One look serves all watchers: all get the same text, not only an equal one.
#[tokio::test(start_paused = true)]
async fn many_watchers_share_one_look() {
    let (_service, client) = started(HttpLimits::default()).await;
    let mut readers = Vec::new();
    for _ in 0..30 {
        let mut reader = Reader::of(&client, "a").await;
        reader.state().await;
        readers.push(reader);
    }
    for sequence in 1..=20 {
        play(&client, "a", 1).await;
        let reading = readers.into_iter().map(|mut reader| {
            tokio::spawn(async move {
                let bytes = reader.body.frame().await.unwrap().unwrap().into_data().unwrap();
                (reader, bytes)
            })
        });
        let mut places = std::collections::BTreeSet::new();
        readers = Vec::new();
        for read in reading.collect::<Vec<_>>() {
            let (mut reader, bytes) = read.await.unwrap();
            places.insert(bytes.as_ptr() as usize);
            reader.text += std::str::from_utf8(&bytes).unwrap();
            assert_eq!(reader.state().await["sequence"], sequence);
            readers.push(reader);
        }
        assert_eq!(places.len(), 1, "{sequence}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_sees_the_latest_and_nothing_is_kept_for_it() {
    let (_service, client) = started(HttpLimits::default()).await;
    let mut reader = Reader::of(&client, "a").await;
    assert_eq!(reader.state().await["sequence"], 0);
    for _ in 0..50 {
        play(&client, "a", 1).await;
        sleep(Duration::from_secs(1)).await;
    }
    assert_eq!(reader.state().await["sequence"], 50);
    assert_eq!(reader.next().await, Some(Message::Comment));
}

#[tokio::test(start_paused = true)]
async fn silence_is_broken_every_fifteen_seconds_whatever_requests_may_take() {
    let limits = HttpLimits { time: Duration::from_secs(1), ..HttpLimits::default() };
    let (_service, client) = started(limits).await;
    let mut reader = Reader::of(&client, "a").await;
    reader.state().await;
    let start = Instant::now();
    for count in 1..=8 {
        assert_eq!(reader.next().await, Some(Message::Comment));
        assert_eq!(start.elapsed().as_secs(), count * 15);
    }
    play(&client, "a", 1).await;
    assert_eq!(reader.state().await["sequence"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_deleted_agent_is_gone_even_if_another_has_its_name() {
    let (_service, client) = started(HttpLimits::default()).await;
    let request = json!({"id": "a", "graph": "grid:4x4", "agent": "g-ucb"});
    for again in [false, true] {
        let (mut one, mut other) = (Reader::of(&client, "a").await, Reader::of(&client, "a").await);
        one.state().await;
        assert_eq!(delete(&client, "a").await.status, 204);
        if again {
            client.done("/v1/agents", request.clone()).await;
        }
        assert_eq!(one.next().await, Some(Message::Gone));
        assert_eq!(one.next().await, None);
        // Events that were sent before still arrive.
        assert_eq!(other.state().await["sequence"], 0);
        assert_eq!(other.next().await, Some(Message::Gone));
        assert_eq!(other.next().await, None);
        client.post("/v1/agents", request.clone()).await;
    }
    // A failed deletion changes nothing.
    let mut reader = Reader::of(&client, "a").await;
    assert_eq!(delete(&client, "b").await.status, 404);
    reader.state().await;
    play(&client, "a", 1).await;
    assert_eq!(reader.state().await["sequence"], 1);
}

#[tokio::test(start_paused = true)]
async fn streams_end_at_once_when_the_service_stops() {
    let (service, client) = started(HttpLimits::default()).await;
    let mut readers = Vec::new();
    for _ in 0..3 {
        readers.push(Reader::of(&client, "a").await);
    }
    readers[0].state().await;
    let mut waiting = readers.remove(0);
    let waiting = tokio::spawn(async move { waiting.next().await });
    sleep(Duration::from_millis(500)).await;
    let start = Instant::now();
    service.stop();
    assert_eq!(waiting.await.unwrap(), None);
    for mut reader in readers {
        assert_eq!(reader.next().await, None);
    }
    assert_eq!(Reader::of(&client, "a").await.next().await, None);
    assert_eq!(start.elapsed(), Duration::ZERO);
    // Everything else goes on.
    play(&client, "a", 1).await;
}

#[tokio::test(start_paused = true)]
async fn the_number_of_streams_is_limited() {
    let (_service, client) = started(HttpLimits { streams: 2, ..HttpLimits::default() }).await;
    let streams = async || {
        let metrics = client.get("/metrics").await.body;
        let mut lines = metrics.as_str().unwrap().lines();
        let count = |line: &str| line.strip_prefix("gbandit_event_streams ")?.parse::<u64>().ok();
        lines.find_map(count).unwrap()
    };
    let path = "/v1/agents/a/events";
    let (one, mut other) = (Reader::of(&client, "a").await, Reader::of(&client, "a").await);
    assert_eq!(streams().await, 2);
    let refused = client.get(path).await;
    assert_eq!(refused.status, 503);
    assert_eq!(refused.headers[header::RETRY_AFTER], "10");
    assert!(
        refused.body["detail"].as_str().unwrap().contains("all 2 event streams"),
        "{}",
        refused.body
    );
    drop(one);
    assert_eq!(streams().await, 1);
    // A request for a missing agent takes no stream.
    assert_eq!(client.get("/v1/agents/nobody/events").await.status, 404);
    let third = Reader::of(&client, "a").await;
    assert_eq!(client.get(path).await.status, 503);
    drop(third);
    delete(&client, "a").await;
    other.state().await;
    assert_eq!((other.next().await, other.next().await), (Some(Message::Gone), None));
    drop(other);
    assert_eq!(streams().await, 0);
}

/// HEAD requests only the headers of a stream.
#[tokio::test(start_paused = true)]
async fn a_head_request_opens_no_stream() {
    let (_service, client) = started(HttpLimits { streams: 1, ..HttpLimits::default() }).await;
    for _ in 0..3 {
        let request = client.request("HEAD", "/v1/agents/a/events").body(Body::empty()).unwrap();
        let answer = client.send(request).await;
        assert_eq!((answer.status, answer.kind.as_str()), (200, "text/event-stream"));
    }
}

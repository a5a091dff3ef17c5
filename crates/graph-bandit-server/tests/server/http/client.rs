//! A client of the service, in process, and a walk for it to report.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use graph_bandit_server::fleet::{Fleet, FleetLimits, KeepHistory};
use graph_bandit_server::http::{Authentication, HttpLimits, Service, router};
use graph_bandit_server::metrics::Metrics;
use graph_bandit_server::store::{MemoryStore, Store};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::sync::Arc;
use tower::ServiceExt;

/// An answer: status, content type, and JSON or text.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) kind: String,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) body: Value,
}

pub(crate) struct Client {
    pub(crate) app: Router,
    pub(crate) token: Option<String>,
}

pub(crate) fn service(
    store: Arc<dyn Store>,
    authentication: Authentication,
    limits: HttpLimits,
) -> Router {
    let metrics = Arc::new(Metrics::default());
    let fleet = Fleet::new(store, FleetLimits::default(), Arc::clone(&metrics));
    router(&Service::new(fleet, metrics, authentication, limits))
}

impl Client {
    pub(crate) fn on(store: Arc<dyn Store>) -> Self {
        Self { app: service(store, Authentication::Local, HttpLimits::default()), token: None }
    }

    /// A client of a service that removes old records.
    pub(crate) fn keeping(store: Arc<dyn Store>, keep_history: KeepHistory) -> Self {
        let metrics = Arc::new(Metrics::default());
        let limits = FleetLimits { keep_history, ..FleetLimits::default() };
        let fleet = Fleet::new(store, limits, Arc::clone(&metrics));
        let service = Service::new(fleet, metrics, Authentication::Local, HttpLimits::default());
        Self { app: router(&service), token: None }
    }

    pub(crate) fn fresh() -> Self {
        Self::on(Arc::new(MemoryStore::default()))
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let kind = headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_owned());
        let kind = kind.unwrap_or_default();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        if status >= 400 {
            assert_eq!(kind, "application/problem+json", "{body}");
            assert_eq!(body["status"], status);
            for member in ["type", "title", "detail"] {
                assert!(!body[member].as_str().unwrap().is_empty(), "{body}");
            }
        }
        Answer { status, kind, headers, body }
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        let request = Request::builder().method(method).uri(path);
        match &self.token {
            Some(token) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    /// The answer before its body.
    pub(crate) async fn open(&self, path: &str) -> axum::response::Response {
        let request = self.request("GET", path).body(Body::empty()).unwrap();
        self.app.clone().oneshot(request).await.unwrap()
    }

    pub(crate) async fn raw(&self, path: &str, kind: &str, body: impl Into<Body>) -> Answer {
        let request = self.request("POST", path).header(header::CONTENT_TYPE, kind);
        self.send(request.body(body.into()).unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.raw(path, "application/json", body.to_string()).await
    }

    /// A request that must succeed.
    pub(crate) async fn done(&self, path: &str, body: Value) -> Value {
        let answer = self.post(path, body).await;
        assert!(answer.status < 300, "{path}: {} {}", answer.status, answer.body);
        answer.body
    }

    pub(crate) async fn ask(&self, id: &str) -> Value {
        self.done(&format!("/v1/agents/{id}/ask"), json!({})).await
    }
}

pub(crate) fn paid(node: u64, count: u64) -> f64 {
    (node % 5) as f64 + ((count * 7 + node) % 10) as f64 / 10.0
}

/// Plays whole legs, and returns all receipts.
pub(crate) async fn play(client: &Client, id: &str, legs: usize) -> Vec<Value> {
    let mut receipts = Vec::new();
    for _ in 0..legs {
        let order = client.ask(id).await;
        let path: Vec<u64> =
            order["path"].as_array().unwrap().iter().map(|p| p["node"].as_u64().unwrap()).collect();
        let visits = path.len() as u64 + order["stay"].as_u64().unwrap().min(8);
        let at = order["at"]["node"].as_u64().unwrap();
        let end = *path.last().unwrap_or(&at);
        let nodes = path.into_iter().chain(std::iter::repeat(end)).take(visits as usize);
        let rewards: Vec<f64> = nodes.zip(0..).map(|(node, k)| paid(node, k)).collect();
        let body = json!({"sequence": order["sequence"], "rewards": rewards});
        receipts.push(client.done(&format!("/v1/agents/{id}/tell"), body).await);
    }
    receipts
}

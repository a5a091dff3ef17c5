//! Authentication and rate limits.

use super::Client;
use super::client::service;
use axum::body::Body;
use axum::http::header;
use graph_bandit_server::http::{Authentication, HttpLimits, Rate, Scope, Tokens, new_token};
use graph_bandit_server::store::MemoryStore;
use serde_json::json;
use std::sync::Arc;

#[tokio::test]
async fn tokens_allow_what_their_scope_says() {
    let made = [Scope::Read, Scope::Decide, Scope::Admin]
        .map(|scope| new_token(&format!("t-{scope}"), scope).unwrap());
    let lines = made.each_ref().map(|(_, line)| line.as_str());
    let file = lines.join("\n");
    let authentication = Authentication::Tokens(Tokens::parse(&file).unwrap());
    let app = service(Arc::new(MemoryStore::default()), authentication, HttpLimits::default());
    let with = |token: Option<&str>| Client { app: app.clone(), token: token.map(str::to_owned) };
    let [reader, decider, admin] = made.each_ref().map(|(token, _)| with(Some(token)));
    let (nobody, guesser) = (with(None), with(Some("gbt_0000")));

    let request = json!({"id": "a", "graph": "line:3"});
    for client in [&nobody, &guesser] {
        let refused = client.post("/v1/agents", request.clone()).await;
        assert_eq!(refused.status, 401);
        assert_eq!(refused.headers[header::WWW_AUTHENTICATE], "Bearer");
        assert_eq!(client.get("/v1/agents").await.status, 401);
        assert_eq!(client.get("/metrics").await.status, 401);
        assert_eq!(client.get("/v1/registry").await.status, 401);
        assert_eq!(client.get("/healthz").await.status, 200);
        assert_eq!(client.get("/readyz").await.status, 200);
        assert_eq!(client.get("/").await.status, 200);
        assert_eq!(client.get("/dashboard/none.js").await.status, 404);
        for path in ["map", "rewards", "events", "estimates"] {
            assert_eq!(client.get(&format!("/v1/agents/a/{path}")).await.status, 401, "{path}");
        }
    }
    for client in [&reader, &decider] {
        assert_eq!(client.post("/v1/agents", request.clone()).await.status, 403);
        assert_eq!(client.raw("/v1/maps", "text/csv", "a,b").await.status, 403);
    }
    admin.done("/v1/agents", request).await;
    assert_eq!(reader.post("/v1/agents/a/ask", json!({})).await.status, 403);
    assert_eq!(reader.get("/v1/registry").await.status, 200);
    assert_eq!(reader.get("/v1/agents/a").await.status, 200);
    assert_eq!(reader.get("/v1/agents/a/map").await.status, 200);
    assert_eq!(reader.get("/v1/agents/a/rewards").await.status, 200);
    assert_eq!(reader.open("/v1/agents/a/events").await.status(), 200);
    assert_eq!(admin.raw("/v1/maps", "text/csv", "a,b").await.status, 200);
    decider.ask("a").await;
    decider.done("/v1/agents/a/tell", json!({"sequence": 0, "reward": 1})).await;
    // A token that may report may also simulate.
    let simulation = "/v1/agents/a/simulation";
    assert_eq!(nobody.post(simulation, json!({})).await.status, 401);
    assert_eq!(reader.post(simulation, json!({})).await.status, 403);
    assert_eq!(decider.done(simulation, json!({})).await["agents"], json!(["a"]));
    assert_eq!(reader.get("/v1/simulations").await.body["most"], 8);
    for (client, status) in [(&reader, 403), (&decider, 204), (&decider, 204)] {
        let stop = client.request("DELETE", simulation).body(Body::empty()).unwrap();
        assert_eq!(client.send(stop).await.status, status);
    }
    assert_eq!(reader.get("/v1/simulations").await.body["agents"], json!([]));
    let delete = decider.request("DELETE", "/v1/agents/a").body(Body::empty()).unwrap();
    assert_eq!(decider.send(delete).await.status, 403);
}

#[tokio::test]
async fn without_tokens_only_names_of_this_machine() {
    let client = Client::fresh();
    for (host, status) in [("localhost:8080", 200), ("127.0.0.1", 200), ("evil.example", 421)] {
        let request = client.request("GET", "/v1/agents").header(header::HOST, host);
        assert_eq!(client.send(request.body(Body::empty()).unwrap()).await.status, status);
    }
}

#[tokio::test]
async fn without_tokens_no_pages_of_other_sites() {
    let client = Client::fresh();
    for (site, status) in
        [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)]
    {
        let request = |method, path| {
            client.request(method, path).header("sec-fetch-site", site).body(Body::from("a,b"))
        };
        for (method, path) in
            [("GET", "/v1/agents"), ("POST", "/v1/maps"), ("GET", "/readyz"), ("GET", "/healthz")]
        {
            let answer = client.send(request(method, path).unwrap()).await;
            assert_eq!(answer.status, status, "{site} {path}");
        }
        // A link may lead to the page.
        assert_eq!(client.send(request("GET", "/").unwrap()).await.status, 200);
    }
}

/// A browser sends the origin of the page with these requests.
#[tokio::test]
async fn origins_of_other_sites_are_refused() {
    let (token, line) = new_token("office", Scope::Admin).unwrap();
    let authentication = Authentication::Tokens(Tokens::parse(&line).unwrap());
    let app = service(Arc::new(MemoryStore::default()), authentication, HttpLimits::default());
    let (local, guarded) = (Client::fresh(), Client { app, token: Some(token) });
    for (origin, status) in
        [("http://localhost:8080", 200), ("http://evil.example", 403), ("null", 403)]
    {
        let request = |client: &Client, method: &str, path: &str| {
            let request = client.request(method, path).header(header::HOST, "localhost:8080");
            request.header(header::ORIGIN, origin).body(Body::from("a,b")).unwrap()
        };
        for (method, path) in
            [("GET", "/v1/agents"), ("GET", "/readyz"), ("GET", "/"), ("POST", "/v1/maps")]
        {
            let answer = local.send(request(&local, method, path)).await;
            assert_eq!(answer.status, status, "{origin} {path}");
        }
        let answer = guarded.send(request(&guarded, "POST", "/v1/maps")).await;
        assert_eq!(answer.status, status, "{origin}");
        assert_eq!(guarded.send(request(&guarded, "GET", "/v1/agents")).await.status, 200);
    }
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn readiness_is_checked_at_most_once_a_second() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("readiness.db");
    let _ = std::fs::remove_file(&file);
    let store = graph_bandit_server::store::SqliteStore::open(&file).unwrap();
    let client = Client::on(Arc::new(store));
    let start = std::time::Instant::now();
    for _ in 0..10_000 {
        assert_eq!(client.get("/readyz").await.status, 200);
    }
    let seconds = start.elapsed().as_secs() + 1;
    let metrics = client.get("/metrics").await.body;
    let mut lines = metrics.as_str().unwrap().lines();
    let commits = lines.find_map(|line| line.strip_prefix("gbandit_store_commit_writes_count "));
    let commits: u64 = commits.unwrap().parse().unwrap();
    assert!((1..=seconds).contains(&commits), "{commits} in {seconds} seconds");
}

#[tokio::test]
async fn too_many_requests_are_told_to_wait() {
    let rate = Rate { per_second: 1e-9, burst: 3.0 };
    let limits = HttpLimits { rate, ..HttpLimits::default() };
    let app = service(Arc::new(MemoryStore::default()), Authentication::Local, limits);
    let client = Client { app, token: None };
    for _ in 0..3 {
        assert_eq!(client.get("/healthz").await.status, 200);
    }
    let refused = client.get("/healthz").await;
    assert_eq!(
        (refused.status, &refused.headers[header::RETRY_AFTER]),
        (429, &"1".parse().unwrap())
    );
}

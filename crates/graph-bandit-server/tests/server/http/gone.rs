//! Clients that are gone: planning for them stops, and their bodies count until they are dropped.

use super::events::delete;
use super::hogs::{ENDLESS, Scene, UNDER_WAY, hog, metric, telling, until};
use futures_util::FutureExt;
use serde_json::json;
use std::time::Duration;

const BODIES: &str = "gbandit_body_bytes";
const GIVEN_UP: &str = "gbandit_reports_given_up_total";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn planning_stops_when_the_client_is_gone() {
    let scene = Scene::new(ENDLESS);
    let client = scene.client();
    hog(&client, "hog", "ucrl2").await;
    let order = client.ask("hog").await;
    let told = telling(&client, "hog", 50_000);
    until(&client, UNDER_WAY, 1).await;
    told.abort();
    until(&client, UNDER_WAY, 0).await;
    until(&client, GIVEN_UP, 1).await;
    // Nothing was accepted.
    assert_eq!(client.ask("hog").await, order);
    assert_eq!(client.get("/v1/agents/hog/history").await.body["end"], 0);
    let told = client.done("/v1/agents/hog/tell", json!({"sequence": 0, "reward": 1})).await;
    assert_eq!(told["visits"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_takes_room_until_it_is_dropped() {
    let mut scene = Scene::new(ENDLESS);
    scene.limits.abandoned = Duration::from_secs(3_600);
    let client = scene.client();
    hog(&client, "hog", "ucrl2").await;
    let told = telling(&client, "hog", 50_000);
    until(&client, UNDER_WAY, 1).await;
    let sent = metric(&client, BODIES).await;
    assert!(sent > 1_000_000, "{sent}");
    told.abort();
    assert!(told.await.is_err_and(|error| error.is_cancelled()));
    // The visits are still in memory, and being planned for.
    assert_eq!(metric(&client, BODIES).await, sent);
    assert_eq!(delete(&client, "hog").await.status, 204);
    until(&client, BODIES, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_without_clients_do_not_pile_up_behind_an_agent_that_plans() {
    let client = Scene::new(ENDLESS).client();
    hog(&client, "hog", "ucrl2").await;
    let planned = telling(&client, "hog", 50_000);
    until(&client, UNDER_WAY, 1).await;
    for reward in 0..20 {
        // The request is sent even if its future is polled only once.
        let told = json!({"sequence": 0, "reward": reward});
        assert!(client.post("/v1/agents/hog/tell", told).now_or_never().is_none());
    }
    until(&client, GIVEN_UP, 20).await;
    assert_eq!(metric(&client, UNDER_WAY).await, 1);
    assert!(!planned.is_finished());
    assert_eq!(delete(&client, "hog").await.status, 204);
    assert_eq!(planned.await.unwrap().status, 503);
}

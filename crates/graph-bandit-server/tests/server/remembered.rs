//! What the service says about nodes follows what the agent still remembers.

use crate::http::Client;
use graph_bandit_server::store::{MemoryStore, Store};
use serde_json::{Value, json};
use std::sync::Arc;

/// The report at which the best node becomes the worst one.
const CHANGE: u64 = 150;
const NODES: usize = 4;

/// An agent, and the totals of all rewards that it was told.
struct Walk {
    store: Arc<dyn Store>,
    client: Client,
    told: u64,
    totals: [(u64, f64); NODES],
}

impl Walk {
    async fn of(agent: &str) -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let client = Client::on(Arc::clone(&store));
        let request = json!({"id": "a", "graph": "complete:4", "agent": agent, "seed": 3});
        client.done("/v1/agents", request).await;
        Self { store, client, told: 0, totals: [(0, 0.0); NODES] }
    }

    /// Reports as ordered until this many reports were made.
    async fn until(&mut self, reports: u64) {
        while self.told < reports {
            self.report().await;
        }
    }

    async fn report(&mut self) {
        let sequence = self.told;
        let order = self.client.ask("a").await;
        let node = order["path"].get(0).unwrap_or(&order["at"])["node"].as_u64().unwrap() as usize;
        let best = if sequence < CHANGE { 0.9 } else { 0.1 };
        let mean = [0.3, 0.4, best, 0.35][node];
        let reward = mean + (sequence % 3) as f64 / 20.0 - 0.05;
        let told = json!({"sequence": sequence, "reward": reward});
        self.client.done("/v1/agents/a/tell", told).await;
        self.told += 1;
        self.totals[node].0 += 1;
        self.totals[node].1 += reward;
    }

    /// The mean of all rewards of a node.
    fn mean(&self, node: usize) -> f64 {
        self.totals[node].1 / self.totals[node].0 as f64
    }

    /// The node whose rewards, all together, have the highest mean.
    fn best_of_all_time(&self) -> usize {
        (0..NODES).max_by(|&a, &b| self.mean(a).total_cmp(&self.mean(b))).unwrap()
    }

    /// Everything that the service says about nodes.
    async fn said(&self) -> [Value; 3] {
        said(&self.client, "a").await
    }

    /// The same of a service that starts now.
    async fn said_after_restart(&self) -> [Value; 3] {
        said(&Client::on(Arc::clone(&self.store)), "a").await
    }
}

async fn said(client: &Client, id: &str) -> [Value; 3] {
    let get = async |what: &str| client.get(&format!("/v1/agents/{id}/{what}")).await.body;
    let estimates = get("estimates").await["estimates"].clone();
    [get("best").await, estimates, client.ask(id).await["why"].clone()]
}

#[tokio::test]
async fn the_best_node_follows_a_change_though_all_rewards_together_do_not() {
    for agent in ["g-drift", "glr-klucb", "sw-klucb:window=80", "discounted-klucb:gamma=0.97"] {
        let mut walk = Walk::of(agent).await;
        walk.until(CHANGE).await;
        let [before, ..] = walk.said().await;
        assert_eq!(before["best"]["node"], 2, "{agent}: {before}");
        walk.until(CHANGE + 150).await;
        assert_eq!(walk.best_of_all_time(), 2, "{agent}: {:?}", walk.totals);
        let [best, estimates, why] = walk.said().await;
        assert_eq!(best["best"]["node"], 1, "{agent}: {best}");
        let changed = &estimates[2];
        // All visits are still counted, but the estimate does not rest on them.
        assert_eq!(changed["visits"], walk.totals[2].0, "{agent}");
        assert!(changed["remembered"].as_f64().unwrap() < 60.0, "{agent}: {changed}");
        let low = changed.get("estimate").is_none_or(|mean| mean.as_f64().unwrap() < 0.3);
        assert!(low && walk.mean(2) > 0.6, "{agent}: {changed}");
        // The three answers agree.
        let known = &estimates[1];
        for name in ["visits", "remembered", "estimate"] {
            assert_eq!(best["best"].get(name), known.get(name), "{agent}: {best} {known}");
        }
        let shown = &estimates[why["runner_up"]["node"].as_u64().unwrap() as usize];
        assert_eq!(why["runner_up"].get("estimate"), shown.get("estimate"), "{agent}: {why}");
        assert_eq!(why["runner_up"].get("remembered"), shown.get("remembered"), "{agent}: {why}");
    }
}

/// Whether it was replayed, resumed from a snapshot or imported, an agent gives the same answers.
#[tokio::test]
async fn answers_survive_restarts() {
    let agents = ["g-drift", "glr-klucb", "m-klucb:window=20", "sw-ts:window=80", "discounted-ucb"];
    for agent in agents {
        let mut walk = Walk::of(agent).await;
        for reports in [1, 5, 149, 156, 170, 231] {
            walk.until(reports).await;
            assert_eq!(walk.said_after_restart().await, walk.said().await, "{agent}: {reports}");
        }
        // Snapshots are made every few hundred records.
        walk.until(300).await;
        let key = walk.store.key("a").await.unwrap().unwrap();
        for _ in 0..6_000 {
            if walk.store.snapshot(&key).await.unwrap().is_some() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        assert!(walk.store.snapshot(&key).await.unwrap().is_some(), "no snapshot in a minute");
        assert_eq!(walk.said_after_restart().await, walk.said().await, "{agent}: a snapshot");
        let export = walk.client.get("/v1/agents/a/snapshot").await.body;
        walk.client.done("/v1/import", json!({"id": "copy", "export": export})).await;
        assert_eq!(said(&walk.client, "copy").await, walk.said().await, "{agent}: an import");
    }
}

#[tokio::test]
async fn a_node_of_which_all_is_forgotten_has_visits_and_no_estimate() {
    let mut walk = Walk::of("glr-klucb:restarts=global").await;
    walk.until(CHANGE).await;
    while walk.client.get("/v1/agents/a/rewards").await.body.get("changes").is_none() {
        assert!(walk.told < CHANGE + 150, "no change was found");
        walk.report().await;
    }
    let [best, estimates, why] = walk.said().await;
    assert_eq!((best.get("best"), best.get("runner_up"), best.get("chance")), (None, None, None));
    assert_eq!((&best["unvisited"], &best["forgotten"]), (&json!(0), &json!(4)), "{best}");
    assert_eq!(best["settled"], false);
    for (known, (visits, _)) in estimates.as_array().unwrap().iter().zip(walk.totals) {
        assert_eq!((&known["visits"], &known["remembered"]), (&json!(visits), &json!(0.0)));
        assert!(visits > 0);
        assert_eq!(
            (known.get("estimate"), known.get("radius"), known.get("bound")),
            Default::default()
        );
    }
    assert_eq!((&why["remembered"], why.get("estimate")), (&json!(0.0), None), "{why}");
    walk.report().await;
    let [best, ..] = walk.said().await;
    assert_eq!(
        (&best["best"]["remembered"], &best["forgotten"]),
        (&json!(1.0), &json!(3)),
        "{best}"
    );
}

/// Agents that do not forget say what they always said: the means of all rewards, and no new member.
#[tokio::test]
async fn agents_that_do_not_forget_answer_as_before() {
    for agent in ["g-star", "g-ucb", "klucb", "g-drift:restarts=never"] {
        let mut walk = Walk::of(agent).await;
        walk.until(CHANGE + 100).await;
        let said = walk.said().await;
        let text = serde_json::to_string(&said).unwrap();
        assert!(!text.contains("remembered") && !text.contains("forgotten"), "{agent}: {text}");
        let [best, estimates, _] = said;
        assert_eq!(best["best"]["node"], walk.best_of_all_time(), "{agent}: {best}");
        for node in 0..NODES {
            assert_eq!(estimates[node]["estimate"], walk.mean(node), "{agent}: {node}");
        }
    }
}

/// Before it has found a change, g-drift has forgotten nothing.
#[tokio::test]
async fn nothing_is_said_to_be_forgotten_before_a_change() {
    let mut walk = Walk::of("g-drift").await;
    walk.until(CHANGE).await;
    let text = serde_json::to_string(&walk.said().await).unwrap();
    assert!(!text.contains("remembered") && !text.contains("forgotten"), "{text}");
}

//! Several processes on one PostgreSQL: each answers as if it were the only one. The tests' PostgreSQL needs
//! Linux.
#![cfg(target_os = "linux")]

use graph_bandit_server::agent::Order;
use graph_bandit_server::fleet::{Fleet, FleetError, FleetLimits, Report, Reported, Told};
use graph_bandit_server::metrics::Metrics;
use graph_bandit_server::store::{MemoryStore, Store, open};
use graph_bandit_testing::Postgres;
use serde_json::json;
use std::sync::Arc;

fn fleet(store: Arc<dyn Store>) -> Arc<Fleet> {
    Fleet::new(store, FleetLimits::default(), Arc::new(Metrics::default()))
}

fn process(database: &Postgres) -> Arc<Fleet> {
    fleet(open(&database.url()).unwrap())
}

async fn create(on: &Arc<Fleet>, id: &str, graph: &str) {
    let request = json!({"id": id, "graph": graph, "agent": "g-ts", "seed": 3});
    on.create(serde_json::from_value(request).unwrap()).await.unwrap();
}

fn one(reward: f64) -> Report {
    Report::Told(Told::One { reward, at: None, took: None, time: None })
}

async fn ask(on: &Arc<Fleet>, id: &str) -> Order {
    on.ask(id).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_process_may_answer_any_request() {
    let database = Postgres::start();
    let [a, b, late] = [(); 3].map(|()| process(&database));
    let twin = fleet(Arc::new(MemoryStore::default()));
    for fleet in [&a, &b, &late, &twin] {
        create(fleet, "x", "grid:4x4").await;
    }
    let reward = |sequence: u64| (sequence * sequence % 7) as f64;
    for sequence in 0..600 {
        // Ask one process and report to the other, in all combinations.
        let asked = if sequence / 2 % 2 == 0 { &a } else { &b };
        let (told, other) = if sequence % 2 == 0 { (&a, &b) } else { (&b, &a) };
        let order = ask(asked, "x").await;
        assert_eq!(order.sequence, sequence);
        assert_eq!(order, ask(&twin, "x").await);
        let receipt =
            told.report("x", Reported::new(sequence, one(reward(sequence)))).await.unwrap();
        assert_eq!(
            receipt,
            twin.report("x", Reported::new(sequence, one(reward(sequence)))).await.unwrap()
        );
        if sequence % 10 == 0 {
            // The other process does not know of it yet. It answers a repeat, another report, or an
            // impossible one as the first would.
            let many = Report::Told(Told::Leg { rewards: vec![1.0; 99], took: None, time: None });
            let next = sequence + 1;
            let refused = Err(FleetError::OtherReport { sequence, next });
            assert_eq!(other.report("x", Reported::new(sequence, many)).await, refused);
            assert_eq!(other.report("x", Reported::new(sequence, one(0.5))).await, refused);
            assert_eq!(
                other.report("x", Reported::new(sequence, one(reward(sequence)))).await,
                Ok(receipt)
            );
        }
        if sequence == 250 {
            // Behind, but without a snapshot in between.
            assert_eq!(ask(&late, "x").await, ask(&twin, "x").await);
        }
    }
    // This process is far behind.
    assert_eq!(ask(&late, "x").await, ask(&twin, "x").await);
    let estimates = |fleet: &Arc<Fleet>| {
        let fleet = Arc::clone(fleet);
        async move { fleet.estimates("x", 0..16).await.unwrap() }
    };
    assert_eq!(estimates(&late).await, estimates(&twin).await);
    let fresh = process(&database);
    assert_eq!(ask(&fresh, "x").await, ask(&twin, "x").await);
}

/// A number that is too high for this process's memory is right for the process that wrote the rest.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_is_behind_reads_on_before_it_answers() {
    let database = Postgres::start();
    let [a, b] = [(); 2].map(|()| process(&database));
    create(&a, "x", "line:3").await;
    ask(&b, "x").await;
    for sequence in 0..10 {
        a.report("x", Reported::new(sequence, one(1.0))).await.unwrap();
    }
    assert_eq!(b.report("x", Reported::new(10, one(1.0))).await.unwrap().visits, 11);
    let gap = Err(FleetError::Gap { sequence: 12, next: 11 });
    assert_eq!(a.report("x", Reported::new(12, one(1.0))).await, gap);
    assert_eq!(a.report("x", Reported::new(11, one(1.0))).await.unwrap().visits, 12);
}

/// An agent that another process deleted is gone, and its successor is another agent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_replaced_by_another_process() {
    let database = Postgres::start();
    let [a, b] = [(); 2].map(|()| process(&database));
    let missing = FleetError::NoSuchAgent { id: "x".to_owned() };
    for (round, graph) in ["line:3", "grid:3x3", "grid:4x4"].into_iter().enumerate() {
        create(&a, "x", "line:9").await;
        for sequence in 0..4 {
            a.report("x", Reported::new(sequence, one(1.0))).await.unwrap();
        }
        b.delete("x").await.unwrap();
        if round == 0 {
            assert_eq!(a.ask("x").await.unwrap_err(), missing);
        } else if round == 1 {
            assert_eq!(a.report("x", Reported::new(4, one(1.0))).await, Err(missing.clone()));
            assert_eq!(a.in_memory(), 0);
        }
        create(&b, "x", graph).await;
        for sequence in 0..4 {
            b.report("x", Reported::new(sequence, one(2.0))).await.unwrap();
        }
        let twin = fleet(Arc::new(MemoryStore::default()));
        create(&twin, "x", graph).await;
        for sequence in 0..4 {
            twin.report("x", Reported::new(sequence, one(2.0))).await.unwrap();
        }
        // The number is right for both the remembered agent and the present one.
        let receipt = a.report("x", Reported::new(4, one(3.0))).await.unwrap();
        assert_eq!(receipt, twin.report("x", Reported::new(4, one(3.0))).await.unwrap());
        for fleet in [&a, &b, &process(&database)] {
            // The twin is the first agent of its name.
            let order = Order { number: 1, ..ask(fleet, "x").await };
            assert_eq!(order, ask(&twin, "x").await);
        }
        a.delete("x").await.unwrap();
        assert_eq!(b.ask("x").await.unwrap_err(), missing);
    }
}

/// Many robots report to one agent through two processes at once: every number is used once, and no request
/// meets a defect.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_processes_exactly_one_wins() {
    let database = Postgres::start();
    let processes = [(); 2].map(|()| process(&database));
    create(&processes[0], "x", "grid:3x3").await;
    let robots: Vec<_> = (0..6_u32)
        .map(|robot| {
            let fleet = Arc::clone(&processes[robot as usize % 2]);
            tokio::spawn(async move {
                let mut accepted = Vec::new();
                while accepted.len() < 20 {
                    let sequence = ask(&fleet, "x").await.sequence;
                    let reward = f64::from(robot) + accepted.len() as f64 / 100.0;
                    match fleet.report("x", Reported::new(sequence, one(reward))).await {
                        Ok(receipt) => accepted.push((receipt.sequence, reward)),
                        Err(FleetError::OtherReport { .. } | FleetError::Contended { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
                accepted
            })
        })
        .collect();
    let mut accepted = Vec::new();
    for robot in robots {
        accepted.extend(robot.await.unwrap());
    }
    accepted.sort_by_key(|&(sequence, _)| sequence);
    let numbers: Vec<u64> = accepted.iter().map(|&(sequence, _)| sequence).collect();
    assert_eq!(numbers, (0..120).collect::<Vec<_>>());
    let twin = fleet(Arc::new(MemoryStore::default()));
    create(&twin, "x", "grid:3x3").await;
    for (sequence, reward) in accepted {
        twin.report("x", Reported::new(sequence, one(reward))).await.unwrap();
    }
    for process in &processes {
        assert_eq!(ask(process, "x").await, ask(&twin, "x").await);
    }
}

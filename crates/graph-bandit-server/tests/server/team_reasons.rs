//! The reasons of a walker name the other walkers: who has taken the nodes with higher bounds.

use graph_bandit::{NodeId, Phase};
use graph_bandit_server::agent::{
    AgentRequest, Event, GraphLimits, LiveTeam, Order, Planning, Served, WalkerName, in_runs,
};
use serde_json::{Value, json};

const LIMITS: GraphLimits = GraphLimits { nodes: 1_000, edges: 10_000 };

fn team(request: Value) -> Served {
    let request: AgentRequest = serde_json::from_value(request).unwrap();
    let (definition, graph) = request.define(LIMITS).unwrap();
    Served::on(definition, graph).unwrap()
}

fn tell(served: &mut Served, walker: u64, reward: impl Fn(NodeId) -> f64) {
    let order = served.team().unwrap().order(walker).unwrap();
    let nodes: Vec<NodeId> = order.nodes().take(50).collect();
    let visits = in_runs(nodes.into_iter().map(|node| (node, reward(node))));
    served.apply_within(Some(walker), &Event::Told { visits }, &mut Planning::unlimited()).unwrap();
}

fn ask(team: &LiveTeam, walker: u64) -> Order {
    team.ask(&WalkerName::Number(walker), 0).unwrap()
}

/// Where the order of a walker ends.
fn end(order: &Order) -> NodeId {
    order.path.last().unwrap_or(&order.at).node
}

/// Two walkers in a triangle: one of them gets the best room, the other the second best.
fn triangle(more: &Value) -> Served {
    let mut request = json!({
        "graph": {"nodes": 3, "names": ["attic", "cellar", "hall"], "edges": [[0, 1], [1, 2], [2, 0]]},
        "walkers": [{"name": "anna"}, {"start": "hall"}],
        "agent": "g-star:noise-scale=0.1",
    });
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    let mut served = team(request);
    for _ in 0..20 {
        for walker in [0, 1] {
            tell(&mut served, walker, |node| [9.0, 5.0, 1.0][node as usize]);
        }
    }
    served
}

#[test]
fn a_better_node_that_is_taken_is_named_with_its_walkers() {
    let served = triangle(&json!({}));
    let team = served.team().unwrap();
    let orders = [ask(team, 0), ask(team, 1)];
    let best = orders.iter().position(|order| end(order) == 0).unwrap();
    let other = 1 - best;
    assert_eq!(end(&orders[other]), 1);
    // The walker on the best node has nothing to explain.
    assert_eq!(orders[best].why.taken, []);
    let by = ["\"anna\"", "walker 1"][best];
    let reason = format!(
        "the most promising plan is to stay; nodes with higher bounds are taken: \"attic\" by {by}"
    );
    let why = &orders[other].why;
    assert_eq!(why.reason, reason);
    let [taken] = &why.taken[..] else { panic!("{:?}", why.taken) };
    assert_eq!((taken.node.place.node, taken.walkers.clone()), (0, vec![best as u64]));
    assert_eq!(taken.node.estimate.estimate, Some(9.0));
    assert!(taken.node.estimate.bound > why.destination.bound);
    // A second walker would add nothing in the attic, so what it could do instead is the hall.
    let runner_up = why.runner_up.as_ref().unwrap();
    assert_eq!(runner_up.place.node, 2);
    let answered = serde_json::to_value(why).unwrap();
    assert_eq!(answered["taken"][0]["name"], "attic");
    assert_eq!(answered["taken"][0]["walkers"], json!([best]));
}

/// Where there is enough for two, nothing is taken, and the reason names nobody.
#[test]
fn a_node_with_enough_for_all_is_not_taken() {
    let served = triangle(&json!({"share": "capacity:2"}));
    let team = served.team().unwrap();
    for walker in [0, 1] {
        let order = ask(team, walker);
        assert_eq!((end(&order), order.why.taken), (0, vec![]));
        assert_eq!(order.why.reason, "the most promising plan is to stay");
    }
    // But one seat is one seat.
    let served = triangle(&json!({"share": "capacity:2", "seats": 1}));
    let team = served.team().unwrap();
    let taken: Vec<usize> = [0, 1].map(|walker| ask(team, walker).why.taken.len()).to_vec();
    assert!(taken == [0, 1] || taken == [1, 0], "{taken:?}");
}

/// In any state, a taken node is one with a higher bound where orders of others end, and all of them are named.
#[test]
fn taken_nodes_are_where_the_orders_of_others_end() {
    let mut served =
        team(json!({"graph": "grid:4x5", "walkers": 6, "share": "log:0.5", "seed": 4}));
    let (mut explained, mut silent) = (0, 0);
    for round in 0_u64..400 {
        let walker = round % 6;
        tell(&mut served, walker, |node| f64::from(node * 7 % 20) / 20.0);
        let team = served.team().unwrap();
        let orders: Vec<Order> = (0..6).map(|walker| ask(team, walker)).collect();
        let known = team.node_estimates(0..20);
        let bound = |node: NodeId| known[node as usize].bound.unwrap_or(f64::INFINITY);
        for (walker, order) in orders.iter().enumerate() {
            let others = |node: NodeId| -> Vec<u64> {
                let there = |&other: &usize| other != walker && end(&orders[other]) == node;
                (0..6).filter(there).map(|other| other as u64).collect()
            };
            // ln(1 + c / 2) / ln(3 / 2) walkers' worth for c walkers.
            let adds = |node: NodeId| {
                let there = others(node).len() as f64;
                ((1.5 + 0.5 * there).ln() - (1.0 + 0.5 * there).ln()) / 1.5_f64.ln()
            };
            let here = end(order);
            let expected: Vec<NodeId> = (0..20)
                .filter(|&node| order.phase == Phase::Learn && node != here)
                .filter(|&node| !others(node).is_empty() && bound(node) > bound(here))
                .filter(|&node| adds(node) * bound(node) <= adds(here) * bound(here))
                .collect();
            let mut taken: Vec<NodeId> =
                order.why.taken.iter().map(|taken| taken.node.place.node).collect();
            assert!(taken.is_sorted_by(|&a, &b| bound(a) >= bound(b)), "{taken:?}");
            taken.sort_unstable();
            assert_eq!(taken, expected, "round {round}, walker {walker}");
            for taken in &order.why.taken {
                assert_eq!(taken.walkers, others(taken.node.place.node));
            }
            assert_eq!(order.why.reason.contains("taken"), !expected.is_empty());
            *(if expected.is_empty() { &mut silent } else { &mut explained }) += 1;
        }
    }
    assert!(explained > 100 && silent > 100, "{explained} {silent}");
}

//! Wrong set-ups: the refusal names the field, the value and the remedy.

use crate::support::setup;
use graph_bandit_play::setup::{MOST_AGENTS, MOST_STEPS, SetupGraph};
use graph_bandit_play::{Change, MOST_RACES, Race, Races, Refusal, RoadChange, Setup};

fn refused(setup: &Setup) -> (&'static str, String) {
    match Race::new(setup).map(|_| ()).unwrap_err() {
        Refusal::Field { field, reason } => (field, reason),
        other => panic!("{other}"),
    }
}

#[test]
fn every_refusal_names_its_field() {
    let usual = || setup("grid:3x3", &["g-ucb"], 100);
    let check = |setup: Setup, field: &str, said: &str| {
        let (found, reason) = refused(&setup);
        assert_eq!(found, field, "{reason}");
        assert!(reason.contains(said), "{reason}");
    };
    let graph = |text: &str| Setup { graph: SetupGraph::Family(text.to_owned()), ..usual() };
    check(graph("gird:3x3"), "graph", "gird");
    check(graph("grid:100x100"), "graph", "10000 nodes are too many to watch; the limit is 2000");
    check(graph("complete:1000"), "graph", "499500 edges are too many to watch");
    let agents = |all: &[&str]| setup("grid:3x3", all, 100);
    check(agents(&[]), "agents", "at least one");
    check(agents(&["g-ucb", "g-usb"]), "agents", "g-usb");
    check(agents(&["g-ucb", "g-ucb"]), "agents", "named twice");
    let many = vec!["g-ucb"; MOST_AGENTS + 1];
    check(agents(&many), "agents", "7 agents are too many to watch; name at most 6");
    check(Setup { steps: 0, ..usual() }, "steps", "0 steps");
    let steps = MOST_STEPS + 1;
    check(Setup { steps, ..usual() }, "steps", "1000001 steps are too many to watch");
    check(Setup { start: 9, ..usual() }, "start", "9 is outside the graph");
    check(Setup { means: "file:/etc/passwd".into(), ..usual() }, "means", "file");
    check(Setup { means: "uniform:2,1".into(), ..usual() }, "means", "2");
    check(Setup { noise: "loud".into(), ..usual() }, "noise", "loud");
    check(Setup { noise: "bernoulli".into(), ..usual() }, "noise", "0");
    let change = |t, what| Change { t, what };
    let changes = vec![change(5, RoadChange::Close([0, 1])), change(4, RoadChange::Open([0, 1]))];
    check(Setup { changes, ..usual() }, "changes", "t = 4 comes after one at t = 5");
    let changes = vec![change(5, RoadChange::Open([0, 1]))];
    check(Setup { changes, ..usual() }, "changes", "no closed road between node 0 and node 1");
}

#[test]
fn the_least_recently_used_race_is_dropped() {
    let setup = setup("line:3", &["g-ucb"], 10);
    let races = Races::numbered_from(100);
    let add = || races.add(Race::new(&setup).unwrap());
    let first = add();
    let second = add();
    for _ in 2..MOST_RACES {
        add();
    }
    assert_eq!((first, second), (100, 101));
    races.find(first).unwrap();
    add();
    assert!(races.find(first).is_ok());
    let gone = races.find(second).map(|_| ()).unwrap_err();
    assert_eq!(gone, Refusal::Gone { id: second });
    assert!(gone.to_string().contains("start it again"));
}

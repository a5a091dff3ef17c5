//! Roads that the user closes and opens.

use crate::support::{film, listed, points, roads, setup, visits};
use graph_bandit::{AgentSpec, Footing, Graph, Preset};
use graph_bandit_play::{Change, Race, RoadChange, Setup};

fn at(t: u64, what: RoadChange) -> Change {
    Change { t, what }
}

fn closing(setup: Setup) -> Setup {
    let changes = vec![
        at(0, RoadChange::Close([1, 0])),
        at(120, RoadChange::Close([6, 7])),
        at(300, RoadChange::Open([0, 1])),
        at(301, RoadChange::Close([7, 11])),
    ];
    Setup { changes, ..setup }
}

#[test]
fn nobody_takes_a_closed_road_and_pieces_change_nothing() {
    let grid = Graph::grid(4, 4).unwrap();
    // Some agents need a complete graph.
    let takes_grids = |spec: &AgentSpec| spec.build(&grid).is_ok();
    let agents = AgentSpec::all(Preset::Paper).into_iter().filter(takes_grids);
    let agents: Vec<String> = agents.map(|spec| spec.label(Preset::Paper)).collect();
    for agent in &agents {
        let setup = closing(setup("grid:4x4", &[agent], 600));
        let whole = film(&setup, &[600]);
        assert_eq!(whole.last().unwrap().racers[0].out, None, "{agent}");
        let mut from = 0;
        for (to, end) in visits(&whole, 0) {
            let step = (from.min(to), from.max(to));
            let is_shut = match step {
                (0, 1) => end <= 300.0,
                (6, 7) => end > 120.0,
                (7, 11) => end > 301.0,
                _ => false,
            };
            assert!(!is_shut, "{agent} takes {step:?} until {end}");
            from = to;
        }
        let pieces = film(&setup, &[1, 1, 7, 90]);
        assert_eq!(visits(&pieces, 0), visits(&whole, 0), "{agent}");
        assert_eq!(points(&pieces, 0), points(&whole, 0), "{agent}");
    }
}

#[test]
fn a_change_by_hand_equals_the_same_change_in_the_set_up() {
    for agents in [["g-ucb", "g-ts"], ["local-ts", "g-star"]] {
        let plain = setup("grid:4x4", &agents, 500);
        let mut race = Race::new(&plain).unwrap();
        race.tell();
        race.advance(77, || true);
        race.close(5, 6).unwrap();
        race.advance(210, || true);
        race.open(6, 5).unwrap();
        race.advance(500, || true);
        let by_hand = [race.tell()];
        let changes = vec![at(77, RoadChange::Close([5, 6])), at(210, RoadChange::Open([5, 6]))];
        let known = film(&Setup { changes, ..plain }, &[13]);
        for racer in 0..2 {
            assert_eq!(visits(&by_hand, racer), visits(&known, racer));
            assert_eq!(points(&by_hand, racer), points(&known, racer));
        }
    }
}

/// Regret by definition: what the best node within reach would have paid, minus the means of the nodes visited.
#[test]
fn regret_is_measured_against_the_best_within_reach() {
    // A road closes between the walker at one end of a line and the best node at the other.
    let plain = setup("line:8", &["g-ucb"], 400);
    let world = Race::new(&plain).unwrap().world().clone();
    let best = world.best_node();
    assert!(best != 0, "use another seed");
    let cut = [best - 1, best];
    let setup = Setup { changes: vec![at(0, RoadChange::Close(cut))], ..plain };
    let film = film(&setup, &[400]);
    let within = (0..best).map(|node| world.mean(node)).fold(f64::NEG_INFINITY, f64::max);
    let mut regret = 0.0;
    for (node, _) in visits(&film, 0) {
        assert!(node < best);
        regret += within - world.mean(node);
    }
    let told = film.last().unwrap().racers[0].regret;
    assert!((told - regret).abs() < 1e-9 * regret, "{told}, {regret}");
    assert!(told >= 0.0 && within < world.best_mean());
    let why = &film.last().unwrap().racers[0].why;
    assert_eq!(why.set_aside_nodes, u64::from(8 - best));
}

/// A walker on a road that closes drives on, and learns of it at the end of the road.
#[test]
fn a_walker_on_a_closing_road_drives_on() {
    let setup = Setup { start: 0, ..listed(roads(), &["g-ucb"], 300) };
    let whole = visits(&film(&setup, &[300]), 0);
    // A drive with a whole moment inside it.
    let mut before = (0, 0.0);
    let drive = whole.iter().find_map(|&(node, end)| {
        let (from, since) = std::mem::replace(&mut before, (node, end));
        let t = f64::floor(since) + 1.0;
        (node != from && t < end && end - since > 1.0).then_some((from, node, t as u64, end))
    });
    let (from, to, t, end) = drive.unwrap();
    let mut race = Race::new(&setup).unwrap();
    race.advance(t, || true);
    race.close(from, to).unwrap();
    race.advance(300, || true);
    let after = visits(&[race.tell()], 0);
    assert!(after.contains(&(to, end)), "{from} to {to} until {end}");
    let mut place = 0;
    for (node, ended) in after {
        let takes = (place, node) == (from, to) || (place, node) == (to, from);
        assert!(!takes || ended <= end, "{from} to {to} at {ended}");
        place = node;
    }
}

#[test]
fn impossible_changes_are_refused_and_change_nothing() {
    let plain = setup("grid:3x3", &["g-ucb"], 100);
    let mut race = Race::new(&plain).unwrap();
    race.advance(10, || true);
    let refused = |race: &mut Race, t, what| race.change(at(t, what)).unwrap_err().to_string();
    let said = refused(&mut race, 10, RoadChange::Close([0, 8]));
    assert_eq!(said, "there is no road between node 0 and node 8");
    let said = refused(&mut race, 10, RoadChange::Open([0, 1]));
    assert_eq!(said, "there is no closed road between node 0 and node 1");
    let said = refused(&mut race, 10, RoadChange::Close([0, 9]));
    assert_eq!(said, "there is no node 9; the nodes are 0 to 8");
    let said = refused(&mut race, 10, RoadChange::Close([4, 4]));
    assert_eq!(said, "there is no road between node 4 and node 4");
    let said = refused(&mut race, 9, RoadChange::Close([0, 1]));
    assert!(said.contains("t = 10, not at 9"), "{said}");
    race.close(0, 1).unwrap();
    let said = refused(&mut race, 10, RoadChange::Close([1, 0]));
    assert_eq!(said, "the road is already closed between node 0 and node 1");
    assert_eq!(race.tell().closed, [(0, 1)]);
}

/// When a closed road cuts the graph in two, every walker goes on in its own part.
#[test]
fn every_walker_goes_on_when_the_graph_falls_apart() {
    let line = Graph::line(6).unwrap();
    // Some agents need every node.
    let goes_on = |spec: &AgentSpec| {
        spec.build(&line).is_ok_and(|agent| agent.footing() != Footing::SameNodes)
    };
    let able: Vec<AgentSpec> = AgentSpec::all(Preset::Paper).into_iter().filter(goes_on).collect();
    assert!(able.len() >= 16, "{able:?}");
    for spec in able {
        let setup = setup("line:6", &[&spec.label(Preset::Paper)], 200);
        let mut race = Race::new(&setup).unwrap();
        race.advance(50, || true);
        race.close(2, 3).unwrap();
        race.advance(200, || true);
        let told = race.tell();
        assert_eq!(told.racers[0].out, None, "{spec}");
        assert_eq!(told.racers[0].why.set_aside_nodes, 3, "{spec}");
        assert_eq!(visits(&[told], 0).len(), 200, "{spec}");
    }
}

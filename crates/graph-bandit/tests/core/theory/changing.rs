//! Theorems 6 and 7: the bounds hold in runs, are not far above them, and break without what they
//! rest on.
//!
//! Theorems 6 and 7 on lines, stars, circles and complete graphs of 3 and 4 nodes, `T = 1,000,000`.
//! Every change raises one alarm, after at most 54% of the time that the proof allows. Measured
//! regret is up to 49% of the bound by gaps of Theorem 6 and 22% of its first form; for Theorem 7,
//! 24% and 8%. Without patrols, G-UCB exceeds the bound of Theorem 6 if a far node becomes best: it
//! stays where it is. With short windows, detectors do raise false alarms. Between tours, G-UCB
//! visits the same nodes as without them.
//!
//! # What is loose or missing
//!
//! - *Conditions.* Theorem 6 needs `Y` and `delta`, and stretches that are not too short. Otherwise
//!   its agent may miss changes. Theorem 7 needs none of this.
//! - *Between the bounds.* For `delta = 1/4` and large `T`, Theorems 6 and 8 differ by a factor of
//!   order `sqrt(log T)` in the leading term, but the constants are far apart (60 and 1/38). We do
//!   not know whether the factor `1 / delta` is necessary. The other terms, `Y |S| D log T` above
//!   and `Y (|S| - 1) / 2` below, differ by a factor of order `D log T`.
//! - *The agent is simple, not good.* It restarts all nodes when one has changed. Its detectors
//!   ignore G-UCB's rewards, and G-UCB ignores those of the patrols. It patrols nodes that could
//!   not matter.
//! - *Size.* On a grid of 100 nodes with one change and `delta = 1`, the bound of Theorem 6 is
//!   below `T` only from about `T = 1,000,000` on.
//! - *Roads.* Proposition 5 covers roads. We state Theorems 6 to 8 only for steps of one unit.

use super::patrolled::{Restarting, Watch};
use graph_bandit::theory::{
    ChangingCase, PatrolBound, PatrolRule, PeriodicBound, longest_path, patrol_walk,
};
use graph_bandit::{
    Agent, AgentSpec, Graph, Law, NodeId, Preset, RunPlan, Seed, Timetable, World, run,
};

const STEPS: u64 = 1_000_000;

/// A world whose means change `rows.len() - 1` times, evenly spaced.
fn world(graph: &Graph, rows: &[Vec<f64>]) -> World {
    let stretch = STEPS as f64 / rows.len() as f64;
    let rows: Vec<(f64, Vec<f64>)> =
        (0..).zip(rows).map(|(k, row)| ((f64::from(k) * stretch).floor(), row.clone())).collect();
    let laws = vec![Law::bernoulli(0.5).unwrap(); graph.len()];
    let world = World::new(graph.clone(), laws).unwrap();
    world.with_timetable(Timetable::of_rows(&rows).unwrap()).unwrap()
}

fn gaps(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let of_row = |row: &Vec<f64>| {
        let best = row.iter().copied().fold(0.0, f64::max);
        row.iter().map(|mean| best - mean).collect()
    };
    rows.iter().map(of_row).collect()
}

/// The best place moves from one end of the graph to the other: by 0.8 at two nodes.
fn moves(graph: &Graph, changes: usize) -> Vec<Vec<f64>> {
    let last = graph.len() as NodeId - 1;
    let row = |k: usize| {
        let best = if k.is_multiple_of(2) { 0 } else { last };
        graph.nodes().map(|s| if s == best { 0.9 } else { 0.1 }).collect()
    };
    (0..=changes).map(row).collect()
}

/// A far node becomes better than the best; nothing is seen from where the walker stands.
fn rises(graph: &Graph) -> Vec<Vec<f64>> {
    let last = graph.len() - 1;
    let mut first = vec![0.0; graph.len()];
    first[0] = 0.5;
    let mut then = first.clone();
    then[last] = 1.0;
    vec![first, then]
}

fn graphs() -> [Graph; 4] {
    [
        Graph::line(3).unwrap(),
        Graph::star(4).unwrap(),
        Graph::circle(4).unwrap(),
        Graph::complete(3).unwrap(),
    ]
}

fn case(graph: &Graph, rows: &[Vec<f64>]) -> ChangingCase {
    ChangingCase {
        nodes: graph.len(),
        diameter: graph.diameter(),
        tour: patrol_walk(graph).len() as u64,
        changes: rows.len() as u64 - 1,
        steps: STEPS,
    }
}

fn regret(world: &World, agent: &mut dyn Agent, steps: u64, seed: Seed) -> f64 {
    run(world, agent, &RunPlan::new(steps, 1), seed).unwrap().checkpoints[0].regret
}

#[test]
fn theorem_6_holds_with_its_constants() {
    let mut closest = [0.0_f64; 3];
    for graph in graphs() {
        let scenes = [(moves(&graph, 1), 0.8), (moves(&graph, 3), 0.8), (rises(&graph), 0.5)];
        for (rows, size) in scenes {
            let (world, case) = (world(&graph, &rows), case(&graph, &rows));
            let rule = PatrolRule::tuned(&case, size);
            let bound = PatrolBound { case, rule };
            let stretch = STEPS / rows.len() as u64;
            assert!(bound.shortest_stretch() <= stretch as f64, "{bound:?}");
            let forms =
                [bound.regret(), bound.regret_by_gaps(&gaps(&rows), longest_path(&graph)).unwrap()];
            let mut mean = 0.0;
            for k in 0..2 {
                let mut agent = Restarting::new(&graph, Watch::Patrols(rule));
                mean += regret(&world, &mut agent, STEPS, Seed(601).child(k)) / 2.0;
                // Every change raises one alarm, within the delay that the proof allows.
                let latest = rule.window * (rule.rest + case.tour) + case.tour;
                assert_eq!(agent.restarts.len() as u64, case.changes);
                for (change, &alarm) in (1..).zip(&agent.restarts) {
                    let delay = alarm - change * stretch;
                    assert!(delay <= latest, "{delay} {latest}");
                    closest[2] = closest[2].max(delay as f64 / latest as f64);
                }
            }
            let worst = STEPS as f64 * size;
            for (form, regret) in forms.into_iter().enumerate() {
                assert!(regret < 0.55 * worst, "the bound could be broken: {regret} {worst}");
                assert!(mean <= regret, "{mean} {regret} {bound:?}");
                closest[form] = closest[form].max(mean / regret);
            }
        }
    }
    assert!(closest[0] > 0.2 && closest[1] > 0.45 && closest[2] > 0.5, "{closest:?}");
}

#[test]
fn patrols_do_not_change_what_g_ucb_does() {
    let mut moved = 0;
    for graph in graphs() {
        let mean = |s: NodeId| 0.75 - 0.125 * f64::from((s + 2) % graph.len() as NodeId);
        let laws = graph.nodes().map(|s| Law::constant(mean(s)).unwrap());
        let world = World::new(graph.clone(), laws.collect()).unwrap();
        let learned = |rest: u64| {
            let rule = PatrolRule { size: 1.0, window: 5, rest };
            let mut agent = Restarting::new(&graph, Watch::Patrols(rule));
            regret(&world, &mut agent, 5_000, Seed(605));
            assert!(agent.restarts.is_empty());
            agent.learned
        };
        let alone = learned(u64::MAX);
        assert_eq!(alone.len(), 5_000 - patrol_walk(&graph).len());
        for rest in [1, 7, 50] {
            let patrolled = learned(rest);
            assert!(patrolled.len() > 700 && alone.starts_with(&patrolled), "{rest}");
            moved += patrolled.windows(2).filter(|pair| pair[0] != pair[1]).count();
        }
    }
    assert!(moved > 100, "{moved}");
}

#[test]
fn without_patrols_the_bound_is_broken() {
    let graph = Graph::line(3).unwrap();
    let rows = rises(&graph);
    let (world, case) = (world(&graph, &rows), case(&graph, &rows));
    let bound = PatrolBound { case, rule: PatrolRule::tuned(&case, 0.5) };
    let mut plain = AgentSpec::named("g-ucb", Preset::Paper).unwrap().build(&graph).unwrap();
    let mean = regret(&world, plain.as_mut(), STEPS, Seed(602));
    let by_gaps = bound.regret_by_gaps(&gaps(&rows), longest_path(&graph)).unwrap();
    assert!(mean > by_gaps.max(bound.regret()), "{mean} {by_gaps} {}", bound.regret());
}

#[test]
fn false_alarms_are_as_rare_as_stated() {
    const SHORT: u64 = 20_000;
    let graph = Graph::line(3).unwrap();
    let laws = vec![Law::bernoulli(0.5).unwrap(); 3];
    let world = World::new(graph.clone(), laws).unwrap();
    let case = ChangingCase { nodes: 3, diameter: 2, tour: 4, changes: 1, steps: SHORT };
    let alarmed = |window: u64| {
        let rule = PatrolRule { size: 0.8, window, rest: 8 };
        let runs = (0..40).filter(|&k| {
            let mut agent = Restarting::new(&graph, Watch::Patrols(rule));
            regret(&world, &mut agent, SHORT, Seed(603).child(k));
            !agent.restarts.is_empty()
        });
        (runs.count() as f64 / 40.0, PatrolBound { case, rule }.error_probability())
    };
    let (share, stated) = alarmed(138);
    assert!((0.4..0.6).contains(&stated) && share <= stated, "{share} {stated}");
    // Detectors with short windows do raise false alarms.
    let (share, stated) = alarmed(12);
    assert!(share > 0.5 && share <= stated, "{share} {stated}");
}

#[test]
fn theorem_7_holds_with_its_constants() {
    let mut closest = [0.0_f64; 2];
    for graph in graphs() {
        for changes in [1, 7] {
            let rows = moves(&graph, changes);
            let (world, case) = (world(&graph, &rows), case(&graph, &rows));
            let (gaps, longest) = (gaps(&rows), longest_path(&graph));
            let by_gaps = |bound: &PeriodicBound| bound.regret_by_gaps(&gaps, longest).unwrap();
            let periods = (4..18).map(|k| PeriodicBound { case, period: case.tour << k });
            let sharp = periods.min_by(|a, b| by_gaps(a).total_cmp(&by_gaps(b))).unwrap();
            let tuned = PeriodicBound::tuned(case);
            for (form, (bound, most)) in
                [(tuned, tuned.regret()), (sharp, by_gaps(&sharp))].into_iter().enumerate()
            {
                let mut agent = Restarting::new(&graph, Watch::Periods(bound.period));
                let mean = regret(&world, &mut agent, STEPS, Seed(604));
                assert_eq!(agent.restarts.len() as u64, (STEPS - 1) / bound.period);
                assert!(most < 0.8 * STEPS as f64, "the bound could be broken: {most}");
                assert!(mean <= most, "{mean} {most} {bound:?}");
                closest[form] = closest[form].max(mean / most);
            }
        }
    }
    assert!(closest[0] > 0.07 && closest[1] > 0.2, "{closest:?}");
}

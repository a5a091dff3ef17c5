use super::*;
use crate::random::Seed;

/// By definition, one change after the other.
fn mean_by_definition(start: &[f64], changes: &[Change], node: NodeId, at: f64) -> f64 {
    let mut until = changes.iter().filter(|change| change.at <= at && change.node == node);
    until.next_back().map_or(start[node as usize], |change| change.mean)
}

#[test]
fn rows_hold_from_their_moment_on() {
    let rows =
        [(0.0, vec![0.3, 0.5, 0.9]), (10.0, vec![0.3, 0.2, 0.9]), (20.5, vec![0.7, 0.2, 0.1])];
    let table = Timetable::of_rows(&rows).unwrap();
    let means = |at: f64| [0, 1, 2].map(|node| table.mean(node, Time(at)));
    assert_eq!(means(f64::NEG_INFINITY), [0.3, 0.5, 0.9]);
    assert_eq!(means(9.99), [0.3, 0.5, 0.9]);
    assert_eq!(means(10.0), [0.3, 0.2, 0.9]);
    assert_eq!((means(20.0), means(20.5)), ([0.3, 0.2, 0.9], [0.7, 0.2, 0.1]));
    assert_eq!([9.0, 10.0, 21.0].map(|at| table.highest(Time(at))), [0.9, 0.9, 0.7]);
    assert_eq!(table.moments().unwrap(), [10.0, 20.5]);
    assert_eq!(table.track(1).next_change(Time(3.0)), 10.0);
    assert_eq!(table.track(1).next_change(Time(10.0)), f64::INFINITY);
    assert_eq!((table.track(1).ends(), table.nodes()), ((0.2, 0.5), 3));
}

#[test]
fn random_changes_match_the_definition() {
    let mut whim = Seed(3).stream();
    for _ in 0..50 {
        let nodes = 1 + whim.below(6);
        let start: Vec<f64> = (0..nodes).map(|_| whim.unit()).collect();
        let mut at = 0.0;
        let mut changes = Vec::new();
        for _ in 0..40 {
            // Several at once, and some to the same mean as before.
            at += exact_or_half(whim.below(3));
            at = f64::max(at, 0.5);
            let mean = (whim.unit() * 4.0).floor() / 4.0;
            changes.push(Change { at, node: whim.below(nodes) as NodeId, mean });
        }
        let table = Timetable::of_changes(&start, &changes).unwrap();
        for tick in 0..200 {
            let at = f64::from(tick) * 0.25;
            let means: Vec<f64> = (0..nodes as NodeId)
                .map(|node| mean_by_definition(&start, &changes, node, at))
                .collect();
            for (node, &mean) in (0..).zip(&means) {
                assert_eq!(table.mean(node, Time(at)), mean);
                let next = table.track(node).next_change(Time(at));
                assert!(next > at);
                let just_before = if next.is_finite() { 0.5 * (at + next) } else { 1e9 };
                assert_eq!(table.mean(node, Time(just_before)), mean);
            }
            let highest = means.into_iter().fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(table.highest(Time(at)), highest);
        }
    }
}

fn exact_or_half(whim: u64) -> f64 {
    [0.0, 0.5, 1.0][whim as usize]
}

#[test]
fn seasons_repeat_and_match_the_formula() {
    let seasons = [
        Season { mean: 5.0, amplitude: 2.0, phase: 0.0 },
        Season { mean: 4.0, amplitude: 3.0, phase: 6.0 },
    ];
    let table = Timetable::of_seasons(&seasons, 24).unwrap();
    for unit in 0..100_u32 {
        let at = Time(f64::from(unit) + 0.7);
        let by_formula = seasons.map(|season| {
            let angle = std::f64::consts::TAU * (f64::from(unit) + season.phase) / 24.0;
            season.mean + season.amplitude * libm::sin(angle)
        });
        for (node, mean) in (0..).zip(by_formula) {
            assert!((table.mean(node, at) - mean).abs() < 1e-12);
            assert_eq!(table.mean(node, at), table.mean(node, Time(at.0 + 24.0)));
            assert_eq!(table.mean(node, at), table.mean(node, Time(f64::from(unit))));
        }
        let highest = table.mean(0, at).max(table.mean(1, at));
        assert_eq!(table.highest(at), highest);
    }
    assert_eq!(table.track(0).next_change(Time(3.5)), 4.0);
    assert_eq!(table.mean(1, Time(-5.0)), table.mean(1, Time(0.0)));
    assert_eq!(table.moments(), None);
}

#[test]
fn bad_tables_are_refused_with_the_value() {
    let complaint = |rows: &[(f64, Vec<f64>)]| Timetable::of_rows(rows).unwrap_err().to_string();
    assert!(complaint(&[]).contains("no means"));
    assert!(complaint(&[(0.0, vec![])]).contains("no means"));
    assert!(complaint(&[(5.0, vec![1.0])]).contains("begins at 5.0"));
    assert!(complaint(&[(f64::NAN, vec![1.0])]).contains("NaN"));
    for late in [3.0, 2.0, f64::NAN, f64::INFINITY] {
        let rows = [(0.0, vec![1.0]), (3.0, vec![2.0]), (late, vec![3.0])];
        assert!(complaint(&rows).contains("ascending order"), "{late}");
    }
    assert!(complaint(&[(0.0, vec![1.0, 2.0]), (1.0, vec![1.0])]).contains("1 means for 2 nodes"));
    for bad in [f64::NAN, f64::INFINITY, 1e101] {
        assert!(complaint(&[(0.0, vec![bad])]).contains("finite number"));
        assert!(complaint(&[(0.0, vec![1.0]), (2.0, vec![bad])]).contains("from 2.0 on"));
    }
    let change = |at, node| Timetable::of_changes(&[1.0], &[Change { at, node, mean: 0.0 }]);
    assert!(change(1.0, 1).unwrap_err().to_string().contains("node 1 is outside"));
    assert!(change(0.0, 0).is_err() && change(1.0, 0).is_ok());
    let season = Season { mean: 1.0, amplitude: 1.0, phase: 0.0 };
    for period in [0, 1, 1_000_001] {
        let refused = Timetable::of_seasons(&[season], period).unwrap_err().to_string();
        assert!(refused.contains(&format!("the period is {period}")), "{refused}");
    }
    for bad in [Season { mean: f64::NAN, ..season }, Season { phase: f64::INFINITY, ..season }] {
        assert!(Timetable::of_seasons(&[bad], 5).is_err());
    }
}

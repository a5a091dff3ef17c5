use super::*;
use crate::estimates::Sample;

const NODES: usize = 11;

/// Records of nodes seen last at these times.
fn seen_at(times: [f64; NODES]) -> Vec<Record> {
    let of = |time| {
        let mut record = Record::default();
        record.push(Sample { count: 1, sum: 1.0, sum_of_squares: 1.0 }, time);
        record
    };
    times.map(of).to_vec()
}

fn found(at: f64, lost: f64) -> Found {
    Found { at, lost, size: 1.0, unexplained: 1.0 }
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-14, "{found} instead of {expected}");
}

/// Visits a node that was seen before the latest change, 10 units of time ago.
fn check(changes: &mut Changes, record: &Record, changed: f64) {
    let hazard = changes.hazard(record, 0.0);
    let (seen, now) = (record.seen, record.seen + 10.0);
    changes.check(&Checked { seen, now, hazard, changed, size: 1.0, matches_lost: changed > 0.5 });
}

#[test]
fn before_the_first_change_nothing_is_in_doubt() {
    let changes = Changes::new(NODES, 0.0);
    let records = seen_at([1.0; NODES]);
    assert!(!changes.are_possible());
    assert_eq!(changes.hazard(&records[3], 1e9).doubt(), 0.0);
    assert_eq!((changes.horizon(), changes.moved()), (f64::INFINITY, None));
    // A known rate alone: exp(-0.01 50) that it is as it was.
    let known = Changes::new(NODES, 0.01);
    assert!(known.are_possible());
    close(known.hazard(&records[3], 50.0).doubt(), 1.0 - libm::exp(-0.5));
    close(known.horizon(), 12.5);
}

#[test]
fn a_first_change_may_have_reached_every_second_node() {
    let mut changes = Changes::new(NODES, 0.0);
    let mut records = seen_at([1.0; NODES]);
    records[0].seen = 100.0;
    changes.exposure = 100.0;
    changes.count_found(1.0);
    changes.begin(&found(90.0, 7.0), &mut records);
    // Shared with probability 1/2; if not, one of the 11 nodes.
    let reached = 0.5 + 0.5 / 11.0;
    close(changes.hazard(&records[1], 0.0).doubt(), reached);
    assert_eq!(changes.hazard(&records[0], 0.0).doubt(), 0.0);
    // Alone as far as it did not reach others.
    close(changes.hazard(&records[0], 20.0).total(), 20.0 * (1.0 - reached) / 100.0);
    close(changes.horizon(), 12.5);
    // Ten nodes unseen of ten others: the lost mean is at each of them with the same probability.
    let (lost, probability) = changes.moved().unwrap();
    assert_eq!(lost, 7.0);
    close(probability, 0.5 * 0.5 / 10.0);
}

#[test]
fn checks_tell_shared_changes_from_sparse_ones() {
    let mut records = seen_at([1.0; NODES]);
    let mut begun = Changes::new(NODES, 0.0);
    begun.begin(&found(5.0, 7.0), &mut records);
    let (mut shared, mut sparse) = (begun.clone(), begun);
    for record in &records[..3] {
        check(&mut shared, record, 1.0);
        check(&mut sparse, record, 0.0);
    }
    // (0.5 0.5 + changed) / (0.5 + checked); the changes of the checked nodes are explained.
    let share = 3.25 / 3.5;
    close(shared.hazard(&records[9], 0.0).doubt(), share + (1.0 - share) / 11.0);
    let share = 0.25 / 3.5;
    close(sparse.hazard(&records[9], 0.0).doubt(), share + (1.0 - share) / 11.0);
    close(shared.exposure, 30.0);
    close(shared.found, 3.0);
    assert_eq!(sparse.found, 0.0);
    // Found again: nothing has moved elsewhere. Not found: eight nodes remain unseen.
    assert_eq!(shared.moved(), None);
    let still = 0.5 * 0.8 / (0.5 * 0.8 + 0.5);
    close(sparse.moved().unwrap().1, (1.0 - share) * still / 8.0);
}

#[test]
fn an_ended_story_leaves_its_doubt_and_its_lesson() {
    let mut records = seen_at([1.0; NODES]);
    let mut changes = Changes::new(NODES, 0.0);
    changes.begin(&found(5.0, 7.0), &mut records);
    for record in &records[..4] {
        check(&mut changes, record, 0.0);
    }
    let doubt = changes.hazard(&records[9], 0.0).doubt();
    records[0].seen = 11.0;
    changes.begin(&found(20.0, 6.0), &mut records);
    assert_eq!(records[0].earlier, 0.0);
    close(records[9].earlier, -libm::log(1.0 - doubt));
    let share = 0.25 / 4.5;
    close(changes.shares[0], share);
    close(changes.sparse[1], 4.0 * (1.0 - share));
    close(changes.alone, 1.0 - doubt);
    // The next change is expected to reach as few.
    let expected = 0.5 * (0.5 + share);
    let sparse = 1.0 / (11.0 + 4.0 * (1.0 - share));
    let hazard = changes.hazard(&records[0], 0.0);
    close(hazard.doubt(), expected + (1.0 - expected) * sparse);
}

#[test]
fn small_changes_are_no_story_and_explained_ones_neither() {
    assert!(found(1.0, 2.0).is_news());
    assert!(!Found { size: 0.05, ..found(1.0, 2.0) }.is_news());
    assert!(!Found { unexplained: 0.4, ..found(1.0, 2.0) }.is_news());
}

#[test]
fn recalls_what_it_stored() {
    let mut records = seen_at([1.0; NODES]);
    let mut changes = Changes::new(NODES, 0.0);
    changes.begin(&found(5.0, 7.0), &mut records);
    check(&mut changes, &records[2], 0.75);
    changes.begin(&found(25.0, 3.0), &mut records);
    check(&mut changes, &records[3], 1.0);
    for changes in [Changes::new(NODES, 0.0), changes] {
        let mut memory = Memory::default();
        changes.store(&mut memory);
        let mut stored = Reader::new(&memory).unwrap();
        assert_eq!(Changes::new(NODES, 0.0).recall(&mut stored), Ok(changes));
        assert_eq!(stored.finish(), Ok(()));
    }
}

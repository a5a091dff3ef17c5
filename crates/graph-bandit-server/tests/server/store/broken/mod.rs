//! Stores with one fault each: the suite must find it, and name exactly the promises it breaks.

mod faulty;

use faulty::{Fault, Faulty};
use graph_bandit_server::store::Store;
use graph_bandit_server::store::conformance::{Promise, check_all};
use std::sync::Arc;

/// The promises that a store with this fault breaks, and the message of the first.
async fn broken_by(fault: Fault) -> (Vec<Promise>, String) {
    let broken = check_all(|| {
        let store = Faulty::of(fault);
        move || {
            let mut store = store.clone();
            if matches!(fault, Fault::Forgets | Fault::SharesNothing) {
                store = Faulty::of(fault);
            }
            Ok(Arc::new(store) as Arc<dyn Store>)
        }
    });
    let broken = broken.await.expect_err(&format!("{fault:?} is not found")).0;
    let said = broken[0].to_string();
    (broken.into_iter().map(|broken| broken.promise).collect(), said)
}

// On one thread, so that writers take turns in the same order every time.
#[tokio::test]
async fn every_fault_is_found_and_names_the_promises_it_breaks() {
    use Promise::{
        Absence, Appending, Bases, Beginnings, Contention, Creation, Deletion, Durability,
        Leftovers, Listing, Numbers, Readiness, Reading, Release, Renaming, Separation, Sharing,
        Snapshots, Uniqueness,
    };
    let expected: [(Fault, &[Promise]); 33] = [
        (Fault::NeverReady, &[Readiness]),
        (Fault::CutsDefinitions, &[Creation, Deletion, Separation, Beginnings, Durability]),
        (Fault::Replaces, &[Uniqueness]),
        (Fault::ListsAll, &[Listing]),
        (Fault::ListsBackwards, &[Listing]),
        (Fault::ListsTheGivenName, &[Listing]),
        (Fault::ReadsNobody, &[Absence, Leftovers, Numbers]),
        (Fault::DeletesNothing, &[Deletion, Leftovers, Numbers, Durability]),
        (Fault::DeletesByName, &[Numbers]),
        (Fault::RenamesNothing, &[Renaming]),
        (Fault::AppendsByName, &[Numbers]),
        (Fault::AppendsAnywhere, &[Appending, Contention]),
        (Fault::IgnoresSeals, &[Appending]),
        (Fault::LooksBeforeAppending, &[Contention]),
        (Fault::VagueConflicts, &[Appending, Contention]),
        (Fault::LabelsRefusals, &[Appending]),
        (Fault::LabelsOnly, &[Appending]),
        (Fault::Trims, &[Reading, Durability]),
        (Fault::ReadsOneMore, &[Reading]),
        (Fault::ReadsAllBytes, &[Reading]),
        (Fault::LatestSnapshot, &[Snapshots]),
        (Fault::OneSnapshot, &[Separation]),
        (Fault::FirstSnapshot, &[Snapshots]),
        (Fault::StuckTip, &[Creation, Beginnings, Release]),
        (Fault::StuckSeal, &[Creation, Release]),
        (Fault::AnyBase, &[Bases]),
        (Fault::LatestBase, &[Bases]),
        (Fault::BeginsAnywhere, &[Beginnings]),
        (Fault::HidesRemoval, &[Beginnings, Release]),
        (Fault::ReleasesWithoutBase, &[Release]),
        (Fault::LeavesPieces, &[Leftovers]),
        (Fault::Forgets, &[Leftovers, Durability]),
        (Fault::SharesNothing, &[Leftovers, Durability, Sharing]),
    ];
    for (fault, promises) in expected {
        let (found, said) = broken_by(fault).await;
        assert_eq!(found, promises, "{fault:?}: {said}");
        assert!(said.contains(promises[0].sentence()), "{said}");
    }
    // Every promise is broken by some fault.
    for promise in Promise::ALL {
        assert!(expected.iter().any(|(_, promises)| promises.contains(promise)), "{promise}");
    }
}

#[tokio::test]
async fn a_broken_promise_is_reported_with_request_and_both_answers() {
    let (_, said) = broken_by(Fault::VagueConflicts).await;
    let expected = "the store breaks a promise: Appending: A record is appended only where the log \
        ends; otherwise `append` changes nothing and fails with `Conflict`, which says where the log ends, or \
        with `Diverged` if the last record has another seal.\n  append at 0 to a log of 3 records: expected Err(Conflict { id: \"log\", \
        expected: 0, end: 3 }), got Err(Conflict { id: \"log\", expected: 0, end: 0 })";
    assert_eq!(said, expected);
}

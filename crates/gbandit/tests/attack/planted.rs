//! The checker finds planted mistakes: evidence of a faulty service, made up by hand.

use crate::checker::{Violation, compare_history, compare_twin, standing};
use crate::diary::{Answer, Diary, Order, Page, Recorded, Report, Restoration, Told};
use serde_json::json;

fn order(sequence: u64, past: &str) -> Order {
    let seal = format!("{past}{sequence}");
    Order { sequence, text: format!("order {seal}"), seal }
}

fn receipt(sequence: u64) -> Answer {
    Answer::Receipt(json!({"sequence": sequence, "next_sequence": sequence + 1, "visits": 1}))
}

fn told(sequence: u64, id: &str, at: u64, answer: Answer) -> Page {
    let (id, rewards) = (id.to_owned(), vec![at as f64]);
    let body = json!({"sequence": sequence, "reward": rewards[0], "id": id});
    let report = Report { to: "tell", sequence, id, body, rewards };
    Page::Told(Told { sent: at, answered: at + 5, report, answer })
}

/// Three reports, at 10, 20 and 30.
fn honest() -> Diary {
    let mut pages = Vec::new();
    for sequence in 0..3 {
        let at = 10 + 10 * sequence;
        pages.push(Page::Ordered { answered: at - 1, order: order(sequence, "a") });
        pages.push(told(sequence, &format!("r{sequence}"), at, receipt(sequence)));
    }
    Diary { robot: "rover".to_owned(), pages }
}

fn history(diary: &Diary) -> Vec<Recorded> {
    let standing = standing(diary, &[]).unwrap();
    let recorded = standing.iter().map(|stands| Recorded {
        id: stands.told.report.id.clone(),
        receipt: stands.receipt().unwrap().clone(),
        rewards: stands.told.report.rewards.clone(),
    });
    recorded.collect()
}

fn rover() -> String {
    "rover".to_owned()
}

fn judged(diary: &Diary, history: &[Recorded]) -> Result<(), Violation> {
    compare_history("rover", &standing(diary, &[])?, history)
}

/// A backup of moment 17, restored between 40 and 45: reports 1 and 2 may be gone.
const RESTORED: Restoration = Restoration { backup_began: 17, began: 40, ended: 45 };

fn refusal(kind: &str) -> Answer {
    Answer::Refused { status: 409, problem: format!("urn:graph-bandit:{kind}: ask") }
}

#[test]
fn an_honest_history_passes() {
    let diary = honest();
    assert_eq!(judged(&diary, &history(&diary)), Ok(()));
    let twin = (0..3).map(|sequence| (order(sequence, "a").text, receipt(sequence)));
    assert_eq!(compare_twin("rover", &standing(&diary, &[]).unwrap(), twin), Ok(()));
}

#[test]
fn lost_repeated_swapped_and_unknown_reports_are_found() {
    let diary = honest();
    let there = history(&diary);
    let robot = rover();
    assert_eq!(
        judged(&diary, &there[..2]),
        Err(Violation::Lost { robot: robot.clone(), sequence: 2 })
    );
    let without_first = &there[1..];
    assert_eq!(
        judged(&diary, without_first),
        Err(Violation::Altered { robot: robot.clone(), sequence: 0 })
    );
    let mut doubled = there.clone();
    doubled.push(there[1].clone());
    let id = "r1".to_owned();
    assert_eq!(judged(&diary, &doubled), Err(Violation::Doubled { robot: robot.clone(), id }));
    let mut foreign = there.clone();
    foreign.push(Recorded { id: "x".to_owned(), ..there[2].clone() });
    assert_eq!(
        judged(&diary, &foreign),
        Err(Violation::Foreign { robot: robot.clone(), sequence: 3 })
    );
    let mut swapped = there.clone();
    swapped[1].rewards[0] += 0.5;
    assert_eq!(
        judged(&diary, &swapped),
        Err(Violation::Altered { robot: robot.clone(), sequence: 1 })
    );
    let mut another_receipt = there;
    another_receipt[2].receipt["visits"] = json!(2);
    assert_eq!(judged(&diary, &another_receipt), Err(Violation::Altered { robot, sequence: 2 }));
}

#[test]
fn two_reports_of_one_number_are_found_and_repeats_are_fine() {
    let mut diary = honest();
    diary.pages.push(told(2, "impostor", 50, refusal("sequence")));
    let repeated = diary.pages[5].clone();
    diary.pages.push(repeated);
    assert_eq!(standing(&diary, &[]).map(|standing| standing.len()), Ok(3));
    diary.pages.push(told(2, "impostor", 50, receipt(2)));
    let found = Err(Violation::SameNumber { robot: rover(), sequence: 2 });
    assert_eq!(standing(&diary, &[]).map(drop), found);
}

#[test]
fn orders_of_another_past_are_found() {
    let mut diary = honest();
    diary.pages.push(Page::Ordered { answered: 50, order: order(3, "a") });
    diary.pages.push(Page::Ordered { answered: 51, order: order(3, "b") });
    let found = Violation::WentBack { robot: rover(), sequence: 3 };
    assert_eq!(standing(&diary, &[]).map(drop), Err(found));
    diary.pages.pop();
    diary.pages.push(Page::Ordered {
        answered: 51,
        order: Order { text: "another".to_owned(), ..order(3, "a") },
    });
    let found = Violation::OrderChanged { robot: rover(), sequence: 3 };
    assert_eq!(standing(&diary, &[]).map(drop), Err(found));
    let diary = honest();
    let twin = ["a0", "b1", "a2"].map(|seal| (format!("order {seal}"), receipt(0)));
    let found = compare_twin("rover", &standing(&diary, &[]).unwrap()[1..], twin[1..].to_vec());
    assert_eq!(found, Err(Violation::OtherOrder { robot: rover(), sequence: 0 }));
    let twin = [("order a0".to_owned(), receipt(7))];
    let found = compare_twin("rover", &standing(&diary, &[]).unwrap(), twin);
    assert_eq!(found, Err(Violation::OtherReceipt { robot: rover(), sequence: 0 }));
}

#[test]
fn a_restored_backup_explains_only_later_losses() {
    let mut diary = honest();
    // The robot was ahead, learns so, asks and continues from report 1.
    diary.pages.push(Page::Ordered { answered: 38, order: order(3, "a") });
    diary.pages.push(told(3, "r3", 50, refusal("other-past")));
    diary.pages.push(Page::Ordered { answered: 60, order: order(1, "a") });
    diary.pages.push(told(1, "r4", 70, receipt(1)));
    let standing_now = standing(&diary, &[RESTORED]).unwrap();
    let ids: Vec<&str> = standing_now.iter().map(|stands| stands.told.report.id.as_str()).collect();
    assert_eq!(ids, ["r0", "r4"]);
    // Without a backup, nothing explains the refusal.
    let refused = standing(&diary, &[]).map(drop).unwrap_err();
    assert!(matches!(refused, Violation::Refused { sequence: 3, .. }), "{refused:?}");
    // Nor does a backup that already had report 1.
    let later = Restoration { backup_began: 27, ..RESTORED };
    let found = Err(Violation::WentBack { robot: rover(), sequence: 1 });
    assert_eq!(standing(&diary, &[later]).map(drop), found);
    // Nor does a backup restored before report 1 was told.
    let before = Restoration { began: 18, ended: 19, ..RESTORED };
    assert_eq!(standing(&diary, &[before]).map(drop), found);
    // Reports told since then are permanent.
    diary.pages.push(Page::Ordered { answered: 80, order: order(1, "a") });
    assert_eq!(standing(&diary, &[RESTORED]).map(drop), found);
}

#[test]
fn reports_accepted_ahead_of_the_log_are_found() {
    let mut diary = honest();
    diary.pages.push(told(5, "r5", 50, receipt(5)));
    let found = Err(Violation::Ahead { robot: rover(), sequence: 5 });
    assert_eq!(standing(&diary, &[RESTORED]).map(drop), found);
    let mut diary = honest();
    diary.pages.push(Page::Ordered { answered: 50, order: order(4, "a") });
    let found = Err(Violation::Foreign { robot: rover(), sequence: 3 });
    assert_eq!(standing(&diary, &[RESTORED]).map(drop), found);
    let mut diary = honest();
    let wrong = Answer::Refused { status: 500, problem: "urn:graph-bandit:damaged".to_owned() };
    diary.pages.push(told(3, "r3", 50, wrong));
    let found = standing(&diary, &[RESTORED]).map(drop).unwrap_err();
    assert!(matches!(found, Violation::Refused { .. }), "{found:?}");
}

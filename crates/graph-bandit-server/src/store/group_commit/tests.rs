//! Batches, answers and failures, with a scripted medium.

use super::super::worker::stopped;
use super::*;
use crate::metrics::{Metrics, Seen};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A write of the tests.
#[derive(Debug, Clone, Copy, PartialEq)]
enum TestWrite {
    Fine,
    /// Refused by itself.
    Refused,
    /// Spoils the batch it is in.
    Poison,
    /// So large that a batch takes no more writes.
    Huge,
    /// The medium fails.
    Failing,
    /// Blocked by another's lock, for as many attempts as the medium says.
    Locked,
}

use TestWrite::{Failing, Fine, Huge, Locked, Poison, Refused};

/// A medium that records its batches; it is unavailable while `away`.
#[derive(Default, Clone)]
struct ScriptedMedium {
    batches: Arc<Mutex<Vec<Vec<TestWrite>>>>,
    away: bool,
    /// How many attempts a locked write takes.
    locked_for: u32,
    /// How many pieces of background work there are.
    untidy: Arc<Mutex<u32>>,
}

fn failed(reason: &str) -> StoreError {
    StoreError::Failed { reason: reason.to_owned() }
}

fn refused() -> StoreError {
    StoreError::Exists { id: "x".to_owned() }
}

impl Medium for ScriptedMedium {
    type Write = TestWrite;

    fn size(write: &TestWrite) -> usize {
        if *write == Huge { 1 << 30 } else { 1 }
    }

    async fn ready(&mut self) -> Result<(), StoreError> {
        if self.away { Err(failed("away")) } else { Ok(()) }
    }

    async fn commit(&mut self, batch: &[TestWrite]) -> Result<Results, Failure> {
        self.batches.lock().unwrap().push(batch.to_vec());
        if batch.contains(&Failing) {
            return Err(Failure::OfAll(failed("failing")));
        }
        if batch.contains(&Poison) {
            return Err(Failure::OfOne(failed("poison")));
        }
        let locked = batch.contains(&Locked) && self.locked_for > 0;
        self.locked_for -= u32::from(locked);
        let fate = |write: &TestWrite| match write {
            Refused => Fate::Settled(Err(refused())),
            Locked if locked => Fate::Blocked(failed("locked")),
            _ => Fate::Settled(Ok(())),
        };
        Ok(batch.iter().map(fate).collect())
    }

    async fn tidy(&mut self) -> Tidy {
        let mut untidy = self.untidy.lock().unwrap();
        *untidy = untidy.saturating_sub(1);
        if *untidy == 0 { Tidy::Done } else { Tidy::More }
    }

    async fn pause(&mut self) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The answers to writes that all waited when the writer started.
async fn answers(
    medium: &ScriptedMedium,
    writes: &[TestWrite],
    commits: &Commits,
) -> Vec<Result<(), StoreError>> {
    let (queue, backlog) = queue();
    let pending: Vec<_> = writes.iter().map(|&write| queue.write(write)).collect();
    drop(queue);
    work(medium.clone(), backlog, commits).await;
    let mut answers = Vec::new();
    for answer in pending {
        answers.push(answer.await);
    }
    answers
}

/// How many commits are durable, and how many failed.
fn counts(commits: &Commits) -> (u64, u64) {
    let text = Metrics::default().text(&Seen { commits: Some(commits), ..Seen::default() });
    let count = |name: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(name));
        found.unwrap().trim().parse().unwrap()
    };
    (count("gbandit_store_commit_writes_count"), count("gbandit_store_failed_commits_total"))
}

async fn batches(writes: &[TestWrite]) -> Vec<usize> {
    let medium = ScriptedMedium::default();
    answers(&medium, writes, &Commits::default()).await;
    medium.batches.lock().unwrap().iter().map(Vec::len).collect()
}

#[tokio::test]
async fn waiting_writes_go_into_one_batch_up_to_its_limits() {
    assert_eq!(batches(&[Fine; 7]).await, [7]);
    assert_eq!(batches(&[Fine; 2_500]).await, [1_000, 1_000, 500]);
    assert_eq!(batches(&[Fine, Huge, Fine, Huge, Huge]).await, [2, 2, 1]);
}

#[tokio::test]
async fn each_write_gets_its_own_answer() {
    let commits = Commits::default();
    let found = answers(&ScriptedMedium::default(), &[Fine, Refused, Fine], &commits).await;
    assert_eq!(found, [Ok(()), Err(refused()), Ok(())]);
    assert_eq!(counts(&commits), (1, 0));
}

#[tokio::test]
async fn a_failure_reaches_exactly_its_batch() {
    let commits = Commits::default();
    let found = answers(&ScriptedMedium::default(), &[Fine, Failing, Huge, Fine], &commits).await;
    let failing = || Err(failed("failing"));
    assert_eq!(found, [failing(), failing(), failing(), Ok(())]);
    assert_eq!(counts(&commits), (1, 1));
}

#[tokio::test]
async fn a_write_that_spoils_its_batch_fails_alone() {
    let (medium, commits) = (ScriptedMedium::default(), Commits::default());
    let found = answers(&medium, &[Fine, Poison, Refused], &commits).await;
    assert_eq!(found, [Ok(()), Err(failed("poison")), Err(refused())]);
    assert_eq!(counts(&commits), (2, 1));
    let batches = medium.batches.lock().unwrap();
    assert_eq!(*batches, [vec![Fine, Poison, Refused], vec![Fine], vec![Poison], vec![Refused]]);
}

/// It is retried before later writes, which are not delayed by it.
#[tokio::test]
async fn blocked_writes_are_retried() {
    let (medium, commits) =
        (ScriptedMedium { locked_for: 3, ..ScriptedMedium::default() }, Commits::default());
    let found = answers(&medium, &[Fine, Locked, Refused], &commits).await;
    assert_eq!(found, [Ok(()), Ok(()), Err(refused())]);
    let batches = medium.batches.lock().unwrap();
    let alone = || vec![Locked];
    assert_eq!(*batches, [vec![Fine, Locked, Refused], alone(), alone(), alone()]);
    // The attempts that wrote nothing were not commits.
    assert_eq!(counts(&commits), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn a_write_that_stays_blocked_fails_alone() {
    let (medium, commits) =
        (ScriptedMedium { locked_for: u32::MAX, ..ScriptedMedium::default() }, Commits::default());
    let start = tokio::time::Instant::now();
    let found = answers(&medium, &[Fine, Locked], &commits).await;
    assert_eq!(found, [Ok(()), Err(failed("locked"))]);
    assert!(start.elapsed() >= aside::LONGEST);
}

/// Background work is done while nobody writes and after every batch, but not when the writer is to end.
#[tokio::test]
async fn background_work_is_done_between_batches() {
    let untidy = Arc::new(Mutex::new(100));
    let medium = ScriptedMedium { untidy: Arc::clone(&untidy), ..ScriptedMedium::default() };
    answers(&medium, &[Fine, Huge, Fine], &Commits::default()).await;
    assert_eq!(*untidy.lock().unwrap(), 98);
    let (queue, backlog) = queue();
    let commits = Commits::default();
    let working = work(medium, backlog, &commits);
    let writing = async {
        while *untidy.lock().unwrap() > 0 {
            queue.write(Fine).await.unwrap();
        }
        drop(queue);
    };
    tokio::join!(working, writing);
}

#[tokio::test]
async fn without_a_medium_all_callers_are_answered_at_once() {
    let (medium, commits) =
        (ScriptedMedium { away: true, ..ScriptedMedium::default() }, Commits::default());
    let found = answers(&medium, &[Fine; 2_500], &commits).await;
    assert!(found.iter().all(|answer| *answer == Err(failed("away"))));
    assert_eq!(counts(&commits), (0, 1));
    assert!(medium.batches.lock().unwrap().is_empty());
}

#[tokio::test]
async fn every_caller_learns_that_the_writer_is_gone() {
    let (queue, backlog) = queue();
    let before = queue.write(Fine);
    drop(backlog);
    assert_eq!(before.await, Err(stopped()));
    assert_eq!(queue.write(Fine).await, Err(stopped()));
}

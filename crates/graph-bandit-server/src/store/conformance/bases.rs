//! Bases, and the removal of the records that they cover.
//!
//! A store may keep all of its history: the default methods refuse, and there is no base.

use super::super::{AgentKey, End, Portion, Store, StoreError, StoredSnapshot, Tip, keeps_all};
use super::Verdict;
use super::found::{answered, appended, created, log_is, missing, nobody, same, snapshot, texts};

const RECORDS: [&str; 6] = ["0", "1", "2", "3", "4", "5"];

/// Whether a store removes records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum History {
    All,
    SinceBase,
}

/// An agent with a log of six records, and whether its store can have a base for it.
async fn with_records(store: &dyn Store) -> Result<(AgentKey, History), String> {
    let agent = created(store, "log").await?;
    for (at, record) in (0..).zip(RECORDS) {
        appended(store, &agent, at, record).await?;
    }
    let beyond = store.put_base(&agent, &End::after(7, "6"), "beyond".to_owned()).await;
    if beyond != Err(keeps_all()) {
        return Ok((agent, History::SinceBase));
    }
    let end = End::after(4, "3");
    let asked = "of a store that keeps all of its history";
    let release = store.release(&agent, &end).await;
    same(&format!("release(4 records) {asked}"), &release, &Err(keeps_all()))?;
    let begun = store.begin_with(&created(store, "empty").await?, snapshot(7, "begun")).await;
    same(&format!("begin_with(a base of 7 records) {asked}"), &begun, &Err(keeps_all()))?;
    base_is(store, &agent, None).await?;
    log_is(store, &agent, &RECORDS).await?;
    Ok((agent, History::All))
}

async fn base_is(store: &dyn Store, agent: &AgentKey, expected: Option<StoredSnapshot>) -> Verdict {
    same(&format!("base({:?})", agent.id), &store.base(agent).await, &Ok(expected))
}

/// The end of the log if its last record is the one before `sequence`.
fn after(sequence: u64) -> End {
    End::after(sequence, RECORDS[sequence as usize - 1])
}

fn conflict(expected: u64) -> StoreError {
    StoreError::Conflict { id: "log".to_owned(), expected, end: RECORDS.len() as u64 }
}

fn diverged() -> StoreError {
    StoreError::Diverged { id: "log".to_owned(), end: RECORDS.len() as u64 }
}

pub(super) async fn stand_for_records(store: &dyn Store) -> Verdict {
    let (agent, history) = with_records(store).await?;
    if history == History::All {
        return Ok(());
    }
    let of = |sequence| format!("base of {sequence}, ü \"quoted\"\n");
    base_is(store, &agent, None).await?;
    let puts = [
        // More records than there are, other records, and none.
        (End::after(7, "6"), Err(conflict(7)), None),
        (End::after(3, "another"), Err(diverged()), None),
        (End::after(0, "definition of log"), Err(diverged()), None),
        (after(3), Ok(()), Some(3)),
        (after(5), Ok(()), Some(5)),
        // The present base covers more.
        (after(4), Ok(()), Some(5)),
        (End::after(5, "another"), Err(diverged()), Some(5)),
        (after(6), Ok(()), Some(6)),
    ];
    for (at, answer, kept) in puts {
        let asked = format!("put_base(for {} records with the seal {:?})", at.sequence, at.seal);
        same(&asked, &store.put_base(&agent, &at, of(at.sequence)).await, &answer)?;
        let kept = kept.map(|sequence| snapshot(sequence, &of(sequence)));
        base_is(store, &agent, kept).await?;
    }
    log_is(store, &agent, &RECORDS).await?;
    base_is(store, &created(store, "another").await?, None).await?;
    refused_for_missing_agents(store).await
}

async fn refused_for_missing_agents(store: &dyn Store) -> Verdict {
    let (agent, end) = (nobody("d"), End::after(1, "0"));
    let refused = Err(missing("d"));
    let put = store.put_base(&agent, &end, "x".to_owned()).await;
    same("put_base of an agent that is not there", &put, &refused)?;
    let begun = store.begin_with(&agent, snapshot(1, "x")).await;
    same("begin_with of an agent that is not there", &begun, &refused)?;
    let released = store.release(&agent, &end).await;
    same("release of an agent that is not there", &released, &refused)?;
    let base = store.base(&agent).await;
    same("base of an agent that is not there", &base, &Err(missing("d")))
}

pub(super) async fn release_records(store: &dyn Store) -> Verdict {
    let (agent, history) = with_records(store).await?;
    if history == History::All {
        return Ok(());
    }
    let refused = async |at: End, error: StoreError| {
        let asked = format!("release(of {} records with the seal {:?})", at.sequence, at.seal);
        same(&asked, &store.release(&agent, &at).await, &Err(error))?;
        log_is(store, &agent, &RECORDS).await
    };
    refused(after(4), diverged()).await?;
    answered("put_base(for 4 records)", store.put_base(&agent, &after(4), "four".into()).await)?;
    refused(End::after(4, "another"), diverged()).await?;
    refused(after(5), diverged()).await?;
    refused(End::after(7, "6"), conflict(7)).await?;
    answered("release(of 3 of 4 records)", store.release(&agent, &after(3)).await)?;
    log_is(store, &agent, &RECORDS).await?;

    answered("release(of 4 records)", store.release(&agent, &after(4)).await)?;
    begins_at_most(store, &agent, 3).await?;
    base_is(store, &agent, Some(snapshot(4, "four"))).await?;
    let tip = Tip { number: agent.number, end: after(6) };
    same("tip(\"log\") after release", &store.tip("log").await, &Ok(Some(tip)))?;
    appended(store, &agent, 6, "6").await?;
    let rest = store.read(&agent, 3, Portion::of(9)).await;
    same("read(from 3) after release and append", &rest, &Ok(texts(&["3", "4", "5", "6"])))
}

/// Released records are removed at any time after the answer, in any pieces. Until then they can be read.
async fn begins_at_most(store: &dyn Store, agent: &AgentKey, last: u64) -> Verdict {
    for from in (0..=RECORDS.len() as u64).rev() {
        let asked = format!("read(from {from}) after release of the records before {last}");
        let whole = texts(&RECORDS[from as usize..]);
        match store.read(agent, from, Portion::of(9)).await {
            Err(StoreError::Removed { id, first })
                if id == agent.id && from < first && first <= last => {}
            answer => same(&asked, &answer, &Ok(whole))?,
        }
    }
    Ok(())
}

pub(super) async fn begin_logs(store: &dyn Store) -> Verdict {
    let (full, history) = with_records(store).await?;
    if history == History::All {
        return Ok(());
    }
    let base = || snapshot(7, "base of seven");
    let refused = store.begin_with(&full, base()).await;
    same("begin_with where there are records", &refused, &Err(conflict(0)))?;
    base_is(store, &full, None).await?;
    let agent = created(store, "empty").await?;
    answered("begin_with(a base of 7 records)", store.begin_with(&agent, base()).await)?;
    base_is(store, &agent, Some(base())).await?;
    let conflict = StoreError::Conflict { id: "empty".to_owned(), expected: 0, end: 6 };
    let again = store.begin_with(&agent, snapshot(8, "another")).await;
    same("begin_with where there is a base", &again, &Err(conflict))?;
    let tip = answered("tip(\"empty\")", store.tip("empty").await)?;
    let Some(Tip { end, .. }) = tip else { return Err("tip(\"empty\"): got None".to_owned()) };
    same("where the log ends", &end, &End::after(6, "definition of empty"))?;
    answered("append(at 6)", store.append(&agent, &end, "six".to_owned()).await)?;
    appended(store, &agent, 7, "seven").await?;
    let removed = StoreError::Removed { id: "empty".to_owned(), first: 6 };
    let before = store.read(&agent, 0, Portion::of(9)).await;
    same("read(from 0) of a log that begins with 6", &before, &Err(removed))?;
    let records = store.read(&agent, 6, Portion::of(9)).await;
    same("read(from 6) of a log that begins there", &records, &Ok(texts(&["six", "seven"])))
}

//! Creation, names, lists, absence, deletion and numbers of agents.

use super::super::{
    AgentKey, End, LONGEST_SEAL, Portion, Store, StoreError, Stored, StoredSummary, Tip,
    keeps_names,
};
use super::Verdict;
use super::found::{
    answered, appended, created, definition_of, kept, key, label_of, log_is, missing, nobody, same,
    snapshot, snapshot_is,
};

pub(super) async fn creation(store: &dyn Store) -> Verdict {
    let agent = created(store, "a").await?;
    let stored =
        Stored { id: "a".to_owned(), number: agent.number, definition: definition_of("a"), end: 0 };
    same("find(\"a\")", &store.find("a").await, &Ok(Some(stored)))?;
    tip_is(store, &agent, End::after(0, &definition_of("a"))).await?;
    log_is(store, &agent, &[]).await?;
    snapshot_is(store, &agent, None).await?;
    // The seal is the first line, cut to the length of a seal.
    for (at, (record, seal)) in [
        ("zero\nand more", "zero"),
        (&"ü".repeat(100), &*"ü".repeat(LONGEST_SEAL)),
        ("\n", ""),
        ("three", "three"),
    ]
    .into_iter()
    .enumerate()
    {
        appended(store, &agent, at as u64, record).await?;
        let end = End { sequence: at as u64 + 1, seal: seal.to_owned() };
        tip_is(store, &agent, end).await?;
    }
    let found = answered("find(\"a\")", store.find("a").await)?;
    same("the end that find(\"a\") gives", &found.map(|found| found.end), &Some(4))
}

async fn tip_is(store: &dyn Store, agent: &AgentKey, end: End) -> Verdict {
    let tip = Tip { number: agent.number, end };
    same(&format!("tip({:?})", agent.id), &store.tip(&agent.id).await, &Ok(Some(tip)))
}

pub(super) async fn uniqueness(store: &dyn Store) -> Verdict {
    let agent = created(store, "a").await?;
    appended(store, &agent, 0, "zero").await?;
    let before = store.find("a").await;
    let exists = StoreError::Exists { id: "a".to_owned() };
    let again = store.create("a", "another label", "another definition").await;
    same("create(\"a\") for the second time", &again, &Err(exists))?;
    same("find(\"a\") after that", &store.find("a").await, &before)?;
    log_is(store, &agent, &["zero"]).await?;
    let listed = StoredSummary { id: "a".to_owned(), label: label_of("a"), end: 1 };
    same("list() after that", &store.list("", 9).await, &Ok(vec![listed]))
}

pub(super) async fn listing(store: &dyn Store) -> Verdict {
    same("list(\"\", 9) of an empty store", &store.list("", 9).await, &Ok(vec![]))?;
    // Created out of order, with one name that a locale would sort elsewhere.
    for id in ["b", "a", "c", "B"] {
        created(store, id).await?;
    }
    appended(store, &key(store, "b").await?, 0, "zero").await?;
    let all = ["B", "a", "b", "c"];
    let cases: [(&str, usize, &[&str]); 8] = [
        ("", 9, &all),
        ("", 2, &all[..2]),
        ("", 0, &[]),
        ("B", 2, &all[1..3]),
        ("aa", 9, &all[2..]),
        ("b", 9, &all[3..]),
        ("b\0", 9, &all[3..]),
        ("c", 9, &[]),
    ];
    for (after, limit, expected) in cases {
        let listed = |id: &&str| StoredSummary {
            id: (*id).to_owned(),
            label: label_of(id),
            end: u64::from(*id == "b"),
        };
        let asked = format!("list({after:?}, {limit}) of the agents {all:?}");
        let expected = Ok(expected.iter().map(listed).collect());
        same(&asked, &store.list(after, limit).await, &expected)?;
    }
    Ok(())
}

pub(super) async fn absence(store: &dyn Store) -> Verdict {
    created(store, "b").await?;
    // No agent can have the second name, but a client can ask for it.
    for id in ["d", "b\0"] {
        same(&format!("find({id:?})"), &store.find(id).await, &Ok(None))?;
        same(&format!("tip({id:?})"), &store.tip(id).await, &Ok(None))?;
        same(&format!("key({id:?})"), &store.key(id).await, &Ok(None))?;
        unreachable_by(store, &nobody(id)).await?;
    }
    Ok(())
}

/// Every operation that needs an agent is refused for this one.
async fn unreachable_by(store: &dyn Store, agent: &AgentKey) -> Verdict {
    let AgentKey { id, number } = agent;
    let asked =
        |what: &str| format!("{what} of agent {id:?} with the number {number}, which is not there");
    let end = End::after(0, &definition_of(id));
    let appended = store.append(agent, &end, "x".to_owned()).await;
    same(&asked("append"), &appended, &Err(missing(id)))?;
    same(&asked("read"), &store.read(agent, 0, Portion::of(9)).await, &Err(missing(id)))?;
    let kept = store.put_snapshot(agent, snapshot(1, "x")).await;
    same(&asked("put_snapshot"), &kept, &Err(missing(id)))?;
    same(&asked("snapshot"), &store.snapshot(agent).await, &Err(missing(id)))?;
    same(&asked("delete"), &store.delete(agent).await, &Err(missing(id)))
}

/// Creates an agent with a log and a snapshot, and deletes it.
async fn deleted(store: &dyn Store, id: &str) -> Result<AgentKey, String> {
    let old = created(store, id).await?;
    appended(store, &old, 0, "old").await?;
    kept(store, &old, 1, "old").await?;
    answered(&format!("delete({id:?})"), store.delete(&old).await)?;
    Ok(old)
}

pub(super) async fn deletion(store: &dyn Store) -> Verdict {
    deleted(store, "a").await?;
    same("find(\"a\") after its deletion", &store.find("a").await, &Ok(None))?;
    same("key(\"a\") after its deletion", &store.key("a").await, &Ok(None))?;
    same("list() after its deletion", &store.list("", 9).await, &Ok(vec![]))?;
    let new = created(store, "a").await?;
    log_is(store, &new, &[]).await?;
    snapshot_is(store, &new, None).await?;
    tip_is(store, &new, End::after(0, &definition_of("a"))).await?;
    appended(store, &new, 0, "new").await?;
    log_is(store, &new, &["new"]).await
}

pub(super) async fn renaming(store: &dyn Store) -> Verdict {
    let (one, other) = (created(store, "~a").await?, created(store, "b").await?);
    appended(store, &one, 0, "zero").await?;
    kept(store, &one, 1, "one").await?;
    let renamed = store.rename(&one, "b").await;
    if renamed == Err(keeps_names()) {
        return Ok(());
    }
    let taken = Err(StoreError::Exists { id: "b".to_owned() });
    same("rename(\"~a\", \"b\"), which is taken", &renamed, &taken)?;
    same("key(\"b\") after that", &store.key("b").await, &Ok(Some(other)))?;
    same("rename(\"~a\", \"a\")", &store.rename(&one, "a").await, &Ok(()))?;
    same("key(\"~a\") after that", &store.key("~a").await, &Ok(None))?;
    let now = AgentKey { id: "a".to_owned(), ..one };
    same("key(\"a\") after that", &store.key("a").await, &Ok(Some(now.clone())))?;
    let listed = answered("list(\"\", 9)", store.list("", 9).await)?;
    let mut listed: Vec<&str> = listed.iter().map(|listed| listed.id.as_str()).collect();
    listed.sort_unstable();
    same("the names in list(\"\", 9)", &listed, &vec!["a", "b"])?;
    log_is(store, &now, &["zero"]).await?;
    snapshot_is(store, &now, Some(snapshot(1, "one"))).await?;
    let gone = nobody("c");
    same(
        "rename of an agent that is not there",
        &store.rename(&gone, "d").await,
        &Err(missing("c")),
    )
}

pub(super) async fn numbers(store: &dyn Store) -> Verdict {
    let mut before = vec![deleted(store, "a").await?, deleted(store, "b").await?];
    before.push(created(store, "c").await?);
    let old = before[0].clone();
    let new = created(store, "a").await?;
    if before.iter().any(|one| one.number == new.number) {
        return Err(format!("create(\"a\"): the number {} was given before", new.number));
    }
    // The key of the old agent can neither write to the new one nor read it.
    unreachable_by(store, &old).await?;
    same("key(\"a\") after that", &store.key("a").await, &Ok(Some(new.clone())))?;
    log_is(store, &new, &[]).await?;
    snapshot_is(store, &new, None).await
}

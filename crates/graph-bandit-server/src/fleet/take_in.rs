//! Accepts a report: applies it in memory, appends it to the log, and only then answers.

use super::list::label_after;
use super::load;
use super::seal::seal;
use super::slots::Held;
use super::teller::Teller;
use super::turn::{Place, Turn};
use super::wanted::PendingReport;
use super::workshop::Effort;
use super::{Fleet, FleetError, Remarks, Report, Reported, finished, written};
use crate::agent::{
    Channel, Event, EventError, Happened, Planning, Receipt, Record, Served, Snapshot,
};
use crate::store::{AgentKey, Portion, StoreError, StoredSnapshot, Writers, seal_of};
use std::sync::Arc;

/// How often a request starts again when others write to the same agent.
const ATTEMPTS: u32 = 20;
/// A snapshot is taken after this many records, or after as many records as nodes if the graph has more
/// nodes, so that snapshots never cost more than the log.
const SNAPSHOT_EVERY: u64 = 256;

impl Fleet {
    /// Accepts a report; it is durable when answered. A repeat gets the first answer again.
    ///
    /// # Errors
    /// When its number is not the next one, or the event cannot have happened. Nothing changes then.
    pub async fn report(
        self: &Arc<Self>,
        id: &str,
        reported: Reported,
    ) -> Result<Receipt, FleetError> {
        let (fleet, id) = (Arc::clone(self), id.to_owned());
        let key = reported.key()?;
        // Held until this request ends, however it ends.
        let waiting = self.under_way.wait_for(&id, reported.sequence, &key);
        let working = waiting.work();
        let taken_in = finished(&id.clone(), async move {
            for _ in 0..ATTEMPTS {
                match Box::pin(fleet.try_report(&id, &reported, working.wanted())).await {
                    Err(FleetError::Contended { .. }) => fleet.metrics.contended.add(1),
                    result => return result,
                }
            }
            Err(FleetError::Contended { id })
        });
        let receipt = taken_in.await;
        drop(waiting);
        receipt
    }

    async fn try_report(
        self: &Arc<Self>,
        id: &str,
        reported: &Reported,
        wanted: &Arc<PendingReport>,
    ) -> Result<Receipt, FleetError> {
        let fingerprint = &reported.fingerprint()?;
        // A report without a client must not queue up behind an agent that plans for long.
        let (slot, mut place) = tokio::select! {
            biased;
            occupied = self.occupied(id) => occupied,
            () = wanted.unwanted() => return Err(self.given_up(id)),
        };
        let mut held = self.take_or_load(&mut place, &slot, id).await?;
        // Robots of one team report to several processes all the time.
        let is_shared = held.live.team().is_some() && self.store.writers() == Writers::Others;
        if is_shared || !matches!(reported.turn(&held), Ok(Turn::Now(_))) {
            held = self.caught_up(held, &slot).await?;
        }
        let (key, end) = (held.key.clone(), held.end());
        let by = match reported.turn(&held) {
            Ok(Turn::Now(by)) => by,
            other => {
                *place = Some(held);
                drop(place);
                return match other? {
                    Turn::Done(receipt) => Ok(receipt),
                    Turn::Other(place) => self.earlier((&key, place), reported, fingerprint).await,
                    Turn::OtherAgent(number) => {
                        let AgentKey { id, number: there, .. } = key;
                        Err(FleetError::OtherAgent { id, number, there })
                    }
                    Turn::Now(_) => Err(FleetError::Defect),
                };
            }
        };
        if !wanted.is_wanted() {
            *place = Some(held);
            return Err(self.given_up(id));
        }
        let (mut held, happened) = self.happened((held, by), reported, wanted).await?;
        let (event, happened) = match happened {
            Ok(happened) => happened,
            // Half of it may have happened in memory, so memory is dropped.
            Err(error @ EventError::AgentFailed { .. }) => return Err(error.into()),
            Err(EventError::GivenUp) => return Err(self.given_up(id)),
            Err(error) => {
                // It may be impossible only because another process has moved the agent on.
                let held = self.caught_up(held, &slot).await?;
                let moved_on = (&held.key, held.end()) != (&key, end);
                *place = Some(held);
                let contended = FleetError::Contended { id: id.to_owned() };
                return Err(if moved_on { contended } else { error.into() });
            }
        };
        let rewards = rewards_of(&event);
        let label = label_after(&event, &held.live);
        let Remarks { id: name, robot, time } = reported.remarks.clone();
        let last_time = reported.report.last_time();
        // A record has either the remark or the time of the agent's clock; no report has both.
        let time = last_time.map(|time| time.to_string()).or(time);
        let (after, fingerprint) = (end.seal.clone(), fingerprint.to_owned());
        let record = Record::of(event, happened);
        let record = Record { after, fingerprint, id: name, robot, time, ..record };
        // From here until the store answers, memory is ahead of it; so it is kept only if all goes
        // well.
        let line = seal(id, &written(&record)?);
        let line_seal = seal_of(&line).to_owned();
        let appended = match label {
            Some(label) => self.store.append_and_label(&key, &end, line, seal(id, &label)).await,
            None => self.store.append(&key, &end, line).await,
        };
        appended.map_err(|error| match error {
            // Another process deleted it, and may have created another of its name.
            StoreError::NoSuchAgent { id } => FleetError::Contended { id },
            // The store has fewer records than were read from it.
            StoreError::Conflict { id, expected, end } if end < expected => {
                self.note_another_past(&id);
                FleetError::Contended { id }
            }
            // The store has lost records that memory had, and with them the order of this report.
            StoreError::Diverged { id, .. } => {
                self.note_another_past(&id);
                let sequence = reported.sequence;
                // Of a walker in a team, this may not be the next number. The repeat will find it.
                FleetError::OtherPast { sequence, next: sequence }
            }
            other => other.into(),
        })?;
        held.live.sealed(&line_seal);
        held.seal = line_seal;
        if let Some(time) = last_time {
            held.live.come_to(time);
        }
        self.metrics.reports.add(1);
        self.metrics.rewards.add(rewards);
        self.keep_snapshot(&mut held);
        self.compact_if_due(&mut held);
        *place = Some(held);
        self.notices.changed(id);
        Ok(record.receipt)
    }

    /// Applies a report in memory. If it is refused, the agent is unchanged.
    async fn happened(
        &self,
        (mut held, by): (Held, Channel),
        reported: &Reported,
        wanted: &Arc<PendingReport>,
    ) -> Result<(Held, Result<(Event, Happened), EventError>), FleetError> {
        let event = match reported.to_event(&Teller { live: &held.live, walker: by }) {
            Ok(event) => event,
            Err(error) => return Ok((held, Err(error))),
        };
        let effort = Effort::of_event(&held.live, by, &event);
        let wanted = Arc::clone(wanted);
        let planning = Planning::unlimited().only_while(Box::new(move || wanted.is_wanted()));
        let mut planning = planning.at_most(self.limits.planning);
        let applying = self.workshop.done(effort, move || {
            let applied = held.live.apply_within(by, &event, &mut planning);
            (held, applied.map(|happened| (event, happened)), planning.is_spent())
        });
        let (held, applied, is_spent) = applying.await?;
        if is_spent && applied.is_ok() {
            self.metrics.budgets_spent.add(1);
        }
        Ok((held, applied))
    }

    fn given_up(&self, id: &str) -> FleetError {
        self.metrics.given_up.add(1);
        FleetError::GivenUp { id: id.to_owned() }
    }

    /// Answers a report for another past, or whose number was used before or is too high.
    async fn earlier(
        &self,
        (key, place): (&AgentKey, Place),
        reported: &Reported,
        fingerprint: &str,
    ) -> Result<Receipt, FleetError> {
        let (sequence, next) = (reported.sequence, place.next);
        if sequence > next {
            return Err(FleetError::Gap { sequence, next });
        }
        if sequence == next {
            return Err(FleetError::OtherPast { sequence, next });
        }
        let record = match self.numbered(key, place, sequence).await {
            Err(FleetError::Removed { first, .. }) => {
                return Err(FleetError::NotKept { sequence, first, next });
            }
            record => record?,
        };
        let seal = match place.channel {
            None => Some(record.after.clone()),
            Some(channel) => self.seal_before(key, &record, channel).await?,
        };
        if let (Some(said), Some(there)) = (&reported.seal, &seal)
            && said != there
        {
            return Err(FleetError::OtherPast { sequence, next });
        }
        // The order was changed by the report of another walker, which used up the number.
        let is_own =
            |channel: Channel| record.numbered.first().map(|it| it.walker) == Some(channel);
        if place.channel.is_some_and(|channel| !is_own(channel)) {
            return Err(FleetError::OrderChanged { sequence, next });
        }
        if record.fingerprint == fingerprint {
            self.metrics.repeats.add(1);
            return Ok(record.receipt);
        }
        let is_of_edge =
            matches!(record.event, Event::EdgeBlocked { .. } | Event::EdgeOpened { .. });
        Err(if is_of_edge && matches!(reported.report, Report::Told(_)) {
            FleetError::OrderChanged { sequence, next }
        } else {
            FleetError::OtherReport { sequence, next }
        })
    }

    /// The record that used up this number.
    async fn numbered(
        &self,
        key: &AgentKey,
        place: Place,
        sequence: u64,
    ) -> Result<Record, FleetError> {
        let missing = || FleetError::Gap { sequence, next: place.next };
        let Some(channel) = place.channel else {
            return self.record_at(key, sequence).await?.ok_or_else(missing);
        };
        let mut at = place.last.ok_or_else(missing)?;
        loop {
            let record = self.record_at(key, at).await?.ok_or_else(missing)?;
            let damaged = || load::damaged(&key.id, format!("record {at} has other numbers"));
            let numbered = record.numbered.iter().find(|numbered| numbered.walker == channel);
            let numbered = numbered.ok_or_else(damaged)?;
            if numbered.sequence == sequence {
                return Ok(record);
            }
            // It leads backwards, so that even a damaged log has an end.
            at = numbered.towards(sequence).filter(|before| *before < at).ok_or_else(damaged)?;
        }
    }

    /// The seal of the record that gave the order which this record answers.
    async fn seal_before(
        &self,
        key: &AgentKey,
        record: &Record,
        channel: Channel,
    ) -> Result<Option<String>, FleetError> {
        let numbered = record.numbered.iter().find(|numbered| numbered.walker == channel);
        let Some(before) = numbered.and_then(|numbered| numbered.before) else {
            // The order that the walker got when it joined; the log may be shorter than that record.
            return Ok(None);
        };
        match self.store.read(key, before, Portion::of(1)).await {
            Err(StoreError::Removed { .. }) => Ok(None),
            lines => Ok(lines?.first().map(|line| seal_of(line).to_owned())),
        }
    }

    async fn record_at(&self, key: &AgentKey, at: u64) -> Result<Option<Record>, FleetError> {
        let lines = self.store.read(key, at, Portion::of(1)).await?;
        lines.first().map(|line| load::record(&key.id, at, line)).transpose()
    }

    /// Starts storing a snapshot in the background if it is due; the log has everything.
    fn keep_snapshot(&self, held: &mut Held) {
        let sequence = held.live.sequence();
        if sequence - held.kept < snapshot_every(&held.live) {
            return;
        }
        let snapshot = Snapshot { seal: Some(held.seal.clone()), ..held.live.snapshot() };
        let Ok(text) = written(&snapshot) else { return };
        let body = seal(&held.key.id, &text);
        held.kept = sequence;
        let keeping = self.store.put_snapshot(&held.key, StoredSnapshot { sequence, body });
        let (id, metrics) = (held.key.id.clone(), Arc::clone(&self.metrics));
        tokio::spawn(async move {
            match keeping.await {
                Ok(()) => metrics.snapshots.add(1),
                Err(error) => tracing::warn!(agent = id, %error, "a snapshot was not kept"),
            }
        });
    }
}

pub(super) fn snapshot_every(live: &Served) -> u64 {
    SNAPSHOT_EVERY.max(live.graph().len() as u64)
}

fn rewards_of(event: &Event) -> u64 {
    match event {
        Event::Told { visits } | Event::Observed { observations: visits } => {
            visits.iter().map(|run| run.rewards.len() as u64).sum()
        }
        _ => 0,
    }
}

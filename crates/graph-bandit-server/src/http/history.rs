//! The history of an agent, page by page. A page is limited by records and bytes, and written record by
//! record.

use super::body::{Id, LARGEST_PAGE, Numbered, Page};
use super::large::{AnswerRoom, room_for};
use super::pieces::{InPieces, PIECE, Pieces};
use super::room::Client;
use super::{Problem, Shared};
use crate::agent::{Event, Planned, Receipt, Record};
use crate::fleet::{Fleet, FleetError, Log};
use crate::store::Portion;
use axum::BoxError;
use axum::extract::State;
use graph_bandit::team::WalkerId;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// The bytes of a page, which may exceed this by one record.
const PAGE: usize = 8 << 20;
/// The memory of a page while it is sent: a piece, or one long record in several forms.
const HELD: usize = 4 << 20;

/// A report and its answer.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Record")]
pub(super) struct HistoryRecord {
    #[serde(flatten)]
    event: Event,
    /// In a team, the walker that reported; absent if somebody else did.
    #[serde(skip_serializing_if = "Option::is_none")]
    reporter: Option<WalkerId>,
    /// The robot's id for the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// The name of the robot that reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    robot: Option<String>,
    /// When it happened, by the robot's clock, in the format of RFC 3339. If the agent's clock is `stamps`, a record
    /// of kind `told` has the `time` at which its last visit ended, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    /// The answer.
    receipt: Receipt,
    /// The plans that the agent made for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    plans: Vec<Planned>,
}

impl From<Record> for HistoryRecord {
    fn from(record: Record) -> Self {
        Self {
            reporter: record.numbered.first().and_then(|numbered| numbered.walker),
            event: record.event,
            id: record.id,
            robot: record.robot,
            time: record.time,
            receipt: record.receipt,
            plans: record.plans,
        }
    }
}

/// A page of the history.
#[derive(Serialize, JsonSchema)]
pub(super) struct History {
    /// The total number of records.
    end: u64,
    /// The number of the first record that is still kept. Present only if the requested record is gone; the page then
    /// starts here.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u64>,
    /// The records of the page. If they are long, there are fewer than `limit`.
    records: Vec<HistoryRecord>,
    /// The first record of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
}

pub(super) async fn history(
    State(service): Shared,
    Id(id): Id,
    Page(page): Page<Numbered<LARGEST_PAGE>>,
    client: Client,
) -> Result<InPieces<History>, Problem> {
    let (from, limit) = (u64::from(page.from), page.limit()?);
    let log = service.fleet.log(&id).await?;
    let left = log.end.saturating_sub(from).min(limit.into()) as usize;
    let room = room_for(HELD, &service, &client).await?;
    let fleet = Arc::clone(&service.fleet);
    let mut writing =
        Writing { fleet, log, next: from, left, bytes: 0, ready: None, is_done: false, room };
    // Read the first portion before answering, so that its errors have a status.
    writing.ready = Some(writing.head().await?);
    if writing.is_done {
        writing.room = AnswerRoom::default();
    }
    Ok(InPieces::of(writing))
}

/// A page while it is written.
struct Writing {
    fleet: Arc<Fleet>,
    log: Log,
    next: u64,
    left: usize,
    bytes: usize,
    ready: Option<Vec<u8>>,
    is_done: bool,
    /// The room, given back with the page.
    room: AnswerRoom,
}

impl Writing {
    async fn head(&mut self) -> Result<Vec<u8>, FleetError> {
        let (end, asked) = (self.log.end, self.next);
        let records = loop {
            match self.records().await {
                // More records may be removed while it is read, but never all.
                Err(FleetError::Removed { first, .. }) if first > self.next => {
                    self.next = first;
                    let left = usize::try_from(end.saturating_sub(first)).unwrap_or(usize::MAX);
                    self.left = self.left.min(left);
                }
                records => break records?,
            }
        };
        let first = (self.next != asked).then(|| format!("\"first\":{},", self.next));
        let first = first.unwrap_or_default();
        let mut text = format!("{{\"end\":{end},{first}\"records\":[").into_bytes();
        self.write(records, &mut text)?;
        Ok(text)
    }

    /// The next records, if any are left.
    async fn records(&self) -> Result<Vec<Record>, FleetError> {
        if self.left == 0 {
            return Ok(Vec::new());
        }
        let portion = Portion { records: self.left, bytes: PIECE };
        self.fleet.records(&self.log, self.next, portion).await
    }

    /// Writes some records, and the end of the page when it is reached.
    fn write(&mut self, records: Vec<Record>, text: &mut Vec<u8>) -> Result<(), FleetError> {
        let is_last = records.is_empty();
        for record in records {
            if self.bytes > 0 {
                text.push(b',');
            }
            let before = text.len();
            let happened = HistoryRecord::from(record);
            serde_json::to_writer(&mut *text, &happened).map_err(|error| {
                tracing::error!(%error, "a record cannot be written as JSON");
                FleetError::Defect
            })?;
            self.bytes += text.len() - before;
            self.next += 1;
            self.left -= 1;
        }
        if is_last || self.left == 0 || self.bytes >= PAGE {
            self.end(text, if is_last && self.left > 0 { None } else { Some(self.next) });
        }
        Ok(())
    }

    fn end(&mut self, text: &mut Vec<u8>, next: Option<u64>) {
        text.push(b']');
        if let Some(next) = next.filter(|&next| next < self.log.end) {
            text.extend_from_slice(format!(",\"next\":{next}").as_bytes());
        }
        text.push(b'}');
        self.is_done = true;
    }
}

impl Pieces for Writing {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, BoxError> {
        if let Some(head) = self.ready.take() {
            return Ok(Some(head));
        }
        if self.is_done {
            return Ok(None);
        }
        let mut text = Vec::new();
        let records = self.records().await;
        if let Err(error) = records.and_then(|records| self.write(records, &mut text)) {
            tracing::warn!(agent = self.log.id(), %error, "a page of history ends early");
            // The request for the next page gets the error.
            text.clear();
            let next = self.next;
            self.end(&mut text, Some(next));
        }
        Ok(Some(text))
    }
}

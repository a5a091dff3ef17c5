//! What robots and attackers record: the evidence for the checker. Plain data, so that the checker
//! can be tested with made-up evidence.

use serde_json::Value;

/// Microseconds since the battle began.
pub(crate) type Moment = u64;

/// Everything one robot saw, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Diary {
    pub(crate) robot: String,
    pub(crate) pages: Vec<Page>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Page {
    /// It asked, and got this order.
    Ordered { answered: Moment, order: Order },
    /// It told, until the answer was final.
    Told(Told),
}

/// An order as received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) sequence: u64,
    pub(crate) seal: String,
    /// All of it without the agent's number and the seal, which differ in a twin.
    pub(crate) text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    /// When it was first sent.
    pub(crate) sent: Moment,
    pub(crate) answered: Moment,
    pub(crate) report: Report,
    pub(crate) answer: Answer,
}

/// A report, and its address.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Report {
    /// The last part of the path.
    pub(crate) to: &'static str,
    pub(crate) sequence: u64,
    /// The robot's id for it, unique in a battle.
    pub(crate) id: String,
    /// Its content, without the seal and the agent's number.
    pub(crate) body: Value,
    /// The rewards in it, in order.
    pub(crate) rewards: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Receipt(Value),
    Refused { status: u16, problem: String },
}

/// A store that was restored to an earlier state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Restoration {
    /// Everything acknowledged before this is in the backup.
    pub(crate) backup_began: Moment,
    pub(crate) began: Moment,
    /// Everything sent after this went into the restored store.
    pub(crate) ended: Moment,
}

/// One record of the history at the end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Recorded {
    pub(crate) id: String,
    pub(crate) receipt: Value,
    pub(crate) rewards: Vec<f64>,
}

//! What robots and attackers write down: the evidence that the checker judges. Plain data, so that
//! the checker can be tested with evidence that was made up.

use serde_json::Value;

/// Microseconds since the battle began.
pub(crate) type Moment = u64;

/// All that one robot saw, in turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Diary {
    pub(crate) robot: String,
    pub(crate) pages: Vec<Page>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Page {
    /// It asked, and this is what it is to do.
    Ordered { answered: Moment, order: Order },
    /// It told, until there was an answer that is final.
    Told(Told),
}

/// An order as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) sequence: u64,
    pub(crate) seal: String,
    /// All of it but the number of the agent and the seal, which a twin has otherwise.
    pub(crate) text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    /// When it was sent first.
    pub(crate) sent: Moment,
    pub(crate) answered: Moment,
    pub(crate) report: Report,
    pub(crate) answer: Answer,
}

/// A report, and where it goes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Report {
    /// The last part of the path.
    pub(crate) to: &'static str,
    pub(crate) sequence: u64,
    /// What the robot calls it: no two reports of a battle share one.
    pub(crate) id: String,
    /// What it says, without the seal and the agent's number.
    pub(crate) body: Value,
    /// The rewards in it, in order.
    pub(crate) rewards: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    Receipt(Value),
    Refused { status: u16, problem: String },
}

/// A store that was put back to where it had been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Restoration {
    /// All that was acknowledged before this is in the backup.
    pub(crate) backup_began: Moment,
    pub(crate) began: Moment,
    /// All that was sent after this went into the restored store.
    pub(crate) ended: Moment,
}

/// One record of a history, as the service tells it at the end.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Recorded {
    pub(crate) id: String,
    pub(crate) receipt: Value,
    pub(crate) rewards: Vec<f64>,
}

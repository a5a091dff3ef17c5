//! The model: what must be true of diaries, histories and the twin's orders. `docs/explanations/attack.md`
//! describes it in words; it knows nothing of processes or HTTP.

use crate::diary::{Answer, Diary, Moment, Order, Page, Recorded, Restoration, Told};
use std::collections::{HashMap, HashSet};

/// A broken promise of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Violation {
    /// An acknowledged report is not in the history.
    Lost { robot: String, sequence: u64 },
    /// A report is in the history twice.
    Doubled { robot: String, id: String },
    /// The history has another report, receipt or reward under the number.
    Altered { robot: String, sequence: u64 },
    /// The history has a report without a receipt.
    Foreign { robot: String, sequence: u64 },
    /// Two reports were acknowledged under one number.
    SameNumber { robot: String, sequence: u64 },
    /// The log lost records without a restored backup.
    WentBack { robot: String, sequence: u64 },
    /// A report ahead of the log was accepted.
    Ahead { robot: String, sequence: u64 },
    /// A report was wrongly refused.
    Refused { robot: String, sequence: u64, problem: String },
    /// Two orders for the same past differ.
    OrderChanged { robot: String, sequence: u64 },
    /// A twin that was never disturbed gave another order.
    OtherOrder { robot: String, sequence: u64 },
    /// A twin that was never disturbed gave another answer.
    OtherReceipt { robot: String, sequence: u64 },
}

/// A report that counts: the order it answers, and the page with its receipt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing<'a> {
    pub(crate) order: &'a Order,
    pub(crate) told: &'a Told,
    /// When it was told again: it must be in the history since then.
    latest: (Moment, Moment),
}

impl Standing<'_> {
    pub(crate) fn receipt(&self) -> Option<&serde_json::Value> {
        match &self.told.answer {
            Answer::Receipt(receipt) => Some(receipt),
            Answer::Refused { .. } => None,
        }
    }
}

/// The reports a robot has receipts for, minus what restored backups took.
pub(crate) fn standing<'a>(
    diary: &'a Diary,
    restorations: &[Restoration],
) -> Result<Vec<Standing<'a>>, Violation> {
    let mut reader = Reader {
        robot: &diary.robot,
        restorations,
        standing: Vec::new(),
        order: None,
        orders: HashMap::new(),
    };
    for page in &diary.pages {
        match page {
            Page::Ordered { answered, order } => reader.ordered(*answered, order)?,
            Page::Told(told) => reader.told(told)?,
        }
    }
    Ok(reader.standing)
}

struct Reader<'a, 'b> {
    robot: &'a str,
    restorations: &'b [Restoration],
    standing: Vec<Standing<'a>>,
    /// The last order.
    order: Option<&'a Order>,
    /// The orders by the seal of their past.
    orders: HashMap<&'a str, &'a Order>,
}

impl<'a> Reader<'a, '_> {
    fn ordered(&mut self, answered: Moment, order: &'a Order) -> Result<(), Violation> {
        let (robot, sequence) = (self.robot.to_owned(), order.sequence);
        if sequence > self.end() {
            return Err(Violation::Foreign { robot, sequence: self.end() });
        }
        self.go_back_to(sequence, answered)?;
        if *self.orders.entry(&order.seal).or_insert(order) != order {
            return Err(Violation::OrderChanged { robot, sequence });
        }
        let before = self.order.replace(order);
        // As many records, but different ones: the seal shows it.
        if before.is_some_and(|before| before.sequence == sequence && before.seal != order.seal)
            && !self.may_be_restored(answered)
        {
            return Err(Violation::WentBack { robot, sequence });
        }
        Ok(())
    }

    fn told(&mut self, told: &'a Told) -> Result<(), Violation> {
        let (robot, sequence) = (self.robot.to_owned(), told.report.sequence);
        let Answer::Receipt(receipt) = &told.answer else { return self.refused(told) };
        let is_of_it = receipt["sequence"] == sequence && receipt["next_sequence"] == sequence + 1;
        if !is_of_it {
            return Err(Violation::Altered { robot, sequence });
        }
        if sequence > self.end() {
            return Err(Violation::Ahead { robot, sequence });
        }
        let latest = (told.sent, told.answered);
        if let Some(there) = self.standing.get_mut(sequence as usize) {
            if there.told.report == told.report {
                // A repeat with the same answer, or a report taken again after it was lost.
                if there.told.answer != told.answer {
                    return Err(Violation::Altered { robot, sequence });
                }
                there.latest = latest;
                return Ok(());
            }
            if self.go_back_to(sequence, told.answered).is_err() {
                return Err(Violation::SameNumber { robot, sequence });
            }
        }
        let asked = || Violation::Ahead { robot: self.robot.to_owned(), sequence };
        let order = self.order.ok_or_else(asked)?;
        self.standing.push(Standing { order, told, latest });
        Ok(())
    }

    /// A report may be refused because its number is taken, because it is ahead of a log that lost
    /// records, or because it belongs to another past.
    fn refused(&self, told: &Told) -> Result<(), Violation> {
        let sequence = told.report.sequence;
        let is_taken = self
            .standing
            .get(sequence as usize)
            .is_some_and(|there| there.told.report.id != told.report.id);
        let Answer::Refused { status: 409, problem } = &told.answer else {
            return self.wrongly_refused(told);
        };
        let says_so = |kinds: &[&str]| kinds.iter().any(|kind| problem.contains(kind));
        let sequence_or_past = ["urn:graph-bandit:sequence", "urn:graph-bandit:other-past"];
        if says_so(&sequence_or_past) && (is_taken || self.may_be_restored(told.answered)) {
            return Ok(());
        }
        self.wrongly_refused(told)
    }

    fn wrongly_refused(&self, told: &Told) -> Result<(), Violation> {
        let (robot, sequence) = (self.robot.to_owned(), told.report.sequence);
        Err(Violation::Refused { robot, sequence, problem: format!("{:?}", told.answer) })
    }

    fn end(&self) -> u64 {
        self.standing.len() as u64
    }

    fn may_be_restored(&self, by: Moment) -> bool {
        self.restorations.iter().any(|restoration| restoration.began <= by)
    }

    /// Forgets later reports, if a single backup explains all of them.
    fn go_back_to(&mut self, sequence: u64, by: Moment) -> Result<(), Violation> {
        let lost = &self.standing[sequence as usize..];
        let explains = |restoration: &Restoration| {
            restoration.began <= by
                && lost.iter().all(|lost| {
                    let (sent, answered) = lost.latest;
                    answered > restoration.backup_began && sent < restoration.ended
                })
        };
        if lost.is_empty() || self.restorations.iter().any(explains) {
            self.standing.truncate(sequence as usize);
            return Ok(());
        }
        Err(Violation::WentBack { robot: self.robot.to_owned(), sequence })
    }
}

/// Compares the history with the reports that count.
pub(crate) fn compare_history(
    robot: &str,
    standing: &[Standing<'_>],
    history: &[Recorded],
) -> Result<(), Violation> {
    let name = || robot.to_owned();
    let mut ids = HashSet::new();
    if let Some(twice) = history.iter().find(|record| !ids.insert(&record.id)) {
        return Err(Violation::Doubled { robot: name(), id: twice.id.clone() });
    }
    for (sequence, (there, stands)) in (0..).zip(history.iter().zip(standing)) {
        let report = &stands.told.report;
        let is_same = there.id == report.id
            && Some(&there.receipt) == stands.receipt()
            && there.rewards == report.rewards;
        if !is_same {
            return Err(Violation::Altered { robot: name(), sequence });
        }
    }
    let (kept, wanted) = (history.len() as u64, standing.len() as u64);
    if kept < wanted {
        return Err(Violation::Lost { robot: name(), sequence: kept });
    }
    if kept > wanted {
        return Err(Violation::Foreign { robot: name(), sequence: wanted });
    }
    Ok(())
}

/// Compares a twin's orders and answers, report by report, with the reports that count.
pub(crate) fn compare_twin(
    robot: &str,
    standing: &[Standing<'_>],
    twin: impl IntoIterator<Item = (String, Answer)>,
) -> Result<(), Violation> {
    for ((sequence, stands), (order, answer)) in (0..).zip(standing).zip(twin) {
        let robot = robot.to_owned();
        if stands.order.text != order {
            return Err(Violation::OtherOrder { robot, sequence });
        }
        if stands.told.answer != answer {
            return Err(Violation::OtherReceipt { robot, sequence });
        }
    }
    Ok(())
}

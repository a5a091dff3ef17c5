//! What a node pays several walkers: `log:0.05`, `{"share":"log","bend":0.05}`.
//!
//! A share `f(c)` says how many draws `c` walkers on one node are worth together.

use super::entry::entry_fields;
use super::{
    Count, End, Entry, Number, Parameter, Range, Spec, SpecError, Table, TextForm, Values,
};
use crate::exact::exact;
use crate::graph::NodeId;
use crate::team::Sharing;

/// `f(c)` for a number of walkers `c` from 1 on.
pub type ShareOfCount = Box<dyn Fn(usize) -> f64>;

/// `f(c)` for a node and a number of walkers `c` from 1 on.
pub type ShareOfNode = Box<dyn Fn(NodeId, usize) -> f64>;

/// Everything known about a share.
#[derive(Debug, Clone, Copy)]
pub struct ShareEntry {
    /// Its name.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// What it does, in a few plain sentences.
    pub about: &'static str,
    /// A valid text.
    pub example: &'static str,
    /// Its parameters, in the order of texts.
    pub parameters: &'static [&'static dyn Parameter],
    /// Gives `f`; `f(1)` is 1, and `f` never falls.
    pub share: fn(Values<'_>) -> ShareOfCount,
    /// Gives `f` by node, if nodes differ; then `share` is that of node 0.
    pub by_node: Option<fn(Values<'_>) -> ShareOfNode>,
}

impl Entry for ShareEntry {
    const KIND: &'static str = "share";
    const TAG: &'static str = "share";
    const TEXT: TextForm = TextForm::InOrder;

    fn table() -> &'static Table<Self> {
        static TABLE: Table<ShareEntry> = Table::new(&[&EQUAL, &CAPACITY, &POWER, &LOG]);
        &TABLE
    }

    entry_fields!();

    fn example(&self) -> &'static str {
        self.example
    }

    fn check(&self, _spec: &Spec<Self>) -> Result<(), SpecError> {
        Ok(())
    }
}

/// The share of all nodes.
///
/// ```
/// use graph_bandit::spec::ShareSpec;
/// let share: ShareSpec = "capacity:2".parse()?;
/// assert_eq!(share.sharing(3)?.row(0), [0.0, 1.0, 2.0, 2.0]);
/// # Ok::<(), graph_bandit::SpecError>(())
/// ```
pub type ShareSpec = Spec<ShareEntry>;

impl ShareSpec {
    /// The shares of a team with this many walkers, if all nodes share alike.
    ///
    /// # Errors
    /// When nodes differ, or an entry of your own gives invalid shares.
    pub fn sharing(&self, walkers: usize) -> Result<Sharing, SpecError> {
        if self.entry.by_node.is_some() {
            return Err(self.refuse("its shares differ by node; say how many nodes there are"));
        }
        let share = (self.entry.share)(self.values());
        Sharing::same(walkers, share).map_err(|error| self.refuse(&error.to_string()))
    }

    /// The shares of a team with this many walkers on this many nodes.
    ///
    /// # Errors
    /// When an entry of your own gives invalid shares.
    pub fn sharing_of(&self, walkers: usize, nodes: usize) -> Result<Sharing, SpecError> {
        let Some(by_node) = self.entry.by_node else { return self.sharing(walkers) };
        let share = by_node(self.values());
        let row = |node| (1..=walkers).map(|count| share(node, count)).collect();
        let rows: Vec<Vec<f64>> = (0..nodes as NodeId).map(row).collect();
        let sharing = Sharing::by_node(walkers, nodes, &rows);
        sharing.map_err(|error| self.refuse(&error.to_string()))
    }

    fn refuse(&self, reason: &str) -> SpecError {
        SpecError::Refused { text: self.to_string(), reason: reason.to_owned() }
    }
}

const ROOM: Count = Count {
    name: "room",
    help: "How many walkers on one node add to the reward",
    when: "Raise it if several walkers on one node do not get in each other's way.",
    default: None,
    least: 1,
    most: 1_000_000,
};
const EXPONENT: Number = Number {
    name: "exponent",
    help: "The exponent of the number of walkers",
    when: "With 0, this is the share `equal`. With 1, every walker adds the whole reward of the \
        node. Above 1, walkers help each other, and the best allocation may put all of them on one \
        node.",
    default: None,
    range: Range::closed(0.0, 4.0),
};
const BEND: Number = Number {
    name: "bend",
    help: "How fast the gain from each further walker falls",
    when: "Near 0, every walker adds almost the whole reward of the node. The higher the bend, the \
        less further walkers add.",
    default: None,
    range: Range { from: End::Beyond(0.0), to: End::At(1e12) },
};

static EQUAL: ShareEntry = ShareEntry {
    name: "equal",
    summary: "a node pays its reward once, however many walkers are on it",
    about: "A second walker on a node adds nothing: together, c walkers earn the node's reward \
        once (f(c) = 1). The best allocation puts every walker on a separate node, as long as \
        there are enough nodes with positive means.",
    example: "equal",
    parameters: &[],
    share: |_values| Box::new(|_count| 1.0),
    by_node: None,
};

static CAPACITY: ShareEntry = ShareEntry {
    name: "capacity",
    summary: "each of the first ROOM walkers on a node adds its reward, further ones add nothing",
    about: "Together, c walkers on a node earn f(c) = min(c, ROOM) times its reward. Use it for \
        charging stations, counters and parking spaces.",
    example: "capacity:2",
    parameters: &[&ROOM],
    share: |values| {
        let room = values.get(&ROOM);
        Box::new(move |count| exact(count.min(room) as u64))
    },
    by_node: None,
};

static POWER: ShareEntry = ShareEntry {
    name: "power",
    summary: "c walkers on a node earn c to the power EXPONENT times its reward",
    about: "Together, c walkers on a node earn f(c) = c^EXPONENT times its reward. If EXPONENT is \
        below 1, every further walker adds less; above 1, it adds more.",
    example: "power:0.5",
    parameters: &[&EXPONENT],
    share: |values| {
        let exponent = values.get(&EXPONENT);
        Box::new(move |count| libm::pow(exact(count as u64), exponent))
    },
    by_node: None,
};

static LOG: ShareEntry = ShareEntry {
    name: "log",
    summary: "every further walker on a node adds less, logarithmically",
    about: "Together, c walkers on a node earn f(c) = ln(1 + BEND c) / ln(1 + BEND) times its \
        reward. This is the form in the paper on teams (Paschalidis, Zhang and Li, 2024).",
    example: "log:0.05",
    parameters: &[&BEND],
    share: |values| {
        let bend = values.get(&BEND);
        Box::new(move |count| libm::log1p(bend * exact(count as u64)) / libm::log1p(bend))
    },
    by_node: None,
};

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Vec<f64> {
        text.parse::<ShareSpec>().unwrap().sharing(4).unwrap().row(0).to_vec()
    }

    #[test]
    fn shares_by_hand() {
        assert_eq!(row("equal"), [0.0, 1.0, 1.0, 1.0, 1.0]);
        assert_eq!(row("capacity:3"), [0.0, 1.0, 2.0, 3.0, 3.0]);
        assert_eq!(row("power:2"), [0.0, 1.0, 4.0, 9.0, 16.0]);
        assert_eq!(row("power:0"), row("equal"));
        let log = row("log:0.05");
        assert_eq!((log[0], log[1]), (0.0, 1.0));
        assert!((log[2] - libm::log(1.1) / libm::log(1.05)).abs() < 1e-12);
    }

    #[test]
    fn every_entry_reads_its_example_and_writes_it_back() {
        for entry in ShareSpec::entries() {
            let spec: ShareSpec = entry.example.parse().unwrap();
            assert_eq!(spec.to_string(), entry.example);
            assert!(spec.sharing(9).is_ok());
        }
        let error = |text: &str| text.parse::<ShareSpec>().unwrap_err().to_string();
        // The words of the help, in small letters.
        for (bad, word) in [("capacity:0", "room"), ("power:-1", "exponent"), ("log:0", "bend")] {
            assert!(error(bad).contains(word), "{bad}: {}", error(bad));
        }
        for bad in ["power:-1", "power:nan", "log:0", "log:-3", "capacity:0", "none"] {
            assert!(bad.parse::<ShareSpec>().is_err(), "{bad}");
        }
    }
}

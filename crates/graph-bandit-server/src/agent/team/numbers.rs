//! The report numbers of every walker, and where the log has their records.
//!
//! The log has one order for all walkers, and a repeat names only its walker and the walker's number.
//! So every record says where the record of the number before it is, and of one much earlier: if the
//! number is `n`, that of `n` without its lowest bit. With these two, the record of any number is
//! found by looking at few records: if the newest number has `b` bits, at most `b (b + 1) / 2`, and
//! far fewer for recent numbers. What is kept grows only with `b`.

use graph_bandit::team::WalkerId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whose numbers: those of a walker, or those of the team for reports without one.
pub type Channel = Option<WalkerId>;

/// The number that a record used up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbered {
    /// Whose number; absent if it is the team's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walker: Channel,
    /// The number.
    pub sequence: u64,
    /// The place in the log of the number before; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// The place in the log of the number without its lowest bit, if that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<u64>,
}

impl Numbered {
    /// The place in the log of the next record to look at for number `wanted`, which is lower.
    pub fn towards(&self, wanted: u64) -> Option<u64> {
        let far = self.sequence & self.sequence.saturating_sub(1);
        if far >= wanted { self.earlier.or(self.before) } else { self.before }
    }
}

/// The numbers of one walker.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    /// The number of its next report.
    next: u64,
    /// The places in the log of the latest numbers that are multiples of 1, 2, 4, 8 and so on.
    places: Vec<u64>,
    /// The seal of the record that gave the present order; empty before the first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    seal: String,
}

impl Count {
    fn numbered(&self, walker: Channel) -> Numbered {
        let sequence = self.next;
        let before = self.places.first().copied();
        let far = self.places.get(sequence.trailing_zeros() as usize + 1).or(self.places.last());
        let earlier = far.copied().filter(|_| sequence > 0).filter(|far| Some(*far) != before);
        Numbered { walker, sequence, before, earlier }
    }

    /// Uses up the next number, whose record is at this place of the log.
    fn use_up(&mut self, place: u64) {
        let zeros = self.next.trailing_zeros() as usize;
        if self.next == 0 {
            self.places = vec![place];
        } else {
            // Number 0 is a multiple of all powers.
            let first = self.places.last().copied().unwrap_or(place);
            self.places.resize(self.places.len().max(zeros + 2), first);
            self.places[..=zeros].fill(place);
        }
        self.next += 1;
    }
}

/// The numbers of all walkers, also of those that have left, and of the team.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    team: Count,
    walkers: BTreeMap<WalkerId, Count>,
}

impl Numbers {
    fn of(&self, channel: Channel) -> Option<&Count> {
        channel.map_or(Some(&self.team), |walker| self.walkers.get(&walker))
    }

    fn of_mut(&mut self, channel: Channel) -> &mut Count {
        match channel {
            None => &mut self.team,
            Some(walker) => self.walkers.entry(walker).or_default(),
        }
    }

    /// The number of the next report.
    pub fn next(&self, channel: Channel) -> u64 {
        self.of(channel).map_or(0, |count| count.next)
    }

    /// The seal of the record that gave the present order; empty before the first.
    pub fn seal(&self, channel: Channel) -> &str {
        self.of(channel).map_or("", |count| &count.seal)
    }

    /// The place in the log of the last number used.
    pub fn last(&self, channel: Channel) -> Option<u64> {
        self.of(channel)?.places.first().copied()
    }

    /// Uses up the next number of each of these, for the record at this place of the log.
    pub(super) fn use_up(&mut self, channels: &[Channel], place: u64) -> Vec<Numbered> {
        let used = channels.iter().map(|&channel| {
            let count = self.of_mut(channel);
            let numbered = count.numbered(channel);
            count.use_up(place);
            numbered
        });
        used.collect()
    }

    /// Notes the seal of the record that used up these numbers.
    pub(super) fn seal_with(&mut self, channels: &[Channel], seal: &str) {
        for &channel in channels {
            seal.clone_into(&mut self.of_mut(channel).seal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::Seed;

    #[test]
    fn every_number_is_found_by_looking_at_few_records() {
        let mut numbers = Numbers::default();
        let mut stream = Seed(3).stream();
        let mut log: Vec<Vec<Numbered>> = Vec::new();
        for place in 0..6_000 {
            let mut channels = vec![Some(stream.below(3))];
            if stream.below(10) == 0 {
                channels = vec![None];
            } else if stream.below(20) == 0 {
                channels.push(Some(7));
            }
            log.push(numbers.use_up(&channels, place));
            if stream.below(100) == 0 {
                numbers = serde_json::from_str(&serde_json::to_string(&numbers).unwrap()).unwrap();
            }
        }
        for channel in [None, Some(0), Some(1), Some(2), Some(7)] {
            let next = numbers.next(channel);
            assert!(next > 100, "{channel:?} {next}");
            let of = |place: u64| {
                log[place as usize].iter().find(|it| it.walker == channel).unwrap().clone()
            };
            let places = (0..6_000).filter(|&place| {
                log[place as usize].iter().any(|numbered| numbered.walker == channel)
            });
            for (wanted, there) in places.enumerate() {
                let (mut place, mut looks) = (numbers.last(channel).unwrap(), 1);
                while of(place).sequence != wanted as u64 {
                    place = of(place).towards(wanted as u64).unwrap();
                    looks += 1;
                }
                assert_eq!(place, there);
                // At each power of two below, at most as many looks as it has zeros.
                let bits = next.ilog2() + 1;
                assert!(looks <= bits * (bits + 1) / 2, "{looks} looks for {wanted} of {next}");
            }
        }
        assert_eq!(numbers.last(Some(9)), None);
    }
}

//! The races that are under way: so many, the one that was looked at longest ago goes first.

use crate::race::Race;
use crate::refusal::Refusal;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many races are kept.
pub const MOST_RACES: usize = 16;

/// All races under way.
pub struct Races(Mutex<Kept>);

struct Kept {
    next: u64,
    /// The one looked at last stands last.
    races: VecDeque<(u64, Arc<Mutex<Race>>)>,
}

impl Races {
    /// None yet; the first has this number. Programs that follow each other had better not begin with the same.
    pub fn numbered_from(first: u64) -> Self {
        Self(Mutex::new(Kept { next: first, races: VecDeque::new() }))
    }

    /// Keeps a race, and answers its number.
    pub fn add(&self, race: Race) -> u64 {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let id = kept.next;
        kept.next += 1;
        if kept.races.len() >= MOST_RACES {
            kept.races.pop_front();
        }
        kept.races.push_back((id, Arc::new(Mutex::new(race))));
        id
    }

    /// The race of that number.
    ///
    /// # Errors
    /// When it is not kept any more.
    pub fn find(&self, id: u64) -> Result<Arc<Mutex<Race>>, Refusal> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.races.iter().position(|(other, _)| *other == id);
        let found = place.and_then(|place| kept.races.remove(place));
        let (id, race) = found.ok_or(Refusal::Gone { id })?;
        kept.races.push_back((id, Arc::clone(&race)));
        Ok(race)
    }
}

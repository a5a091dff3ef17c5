//! The races under way. When there are too many, the least recently used one is dropped.

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
    /// The most recently used race is last.
    races: VecDeque<(u64, Arc<Mutex<Race>>)>,
}

impl Races {
    /// Starts empty; the first race gets this number. Give each program another number, so that ids do not repeat.
    pub fn numbered_from(first: u64) -> Self {
        Self(Mutex::new(Kept { next: first, races: VecDeque::new() }))
    }

    /// Keeps a race and returns its number.
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

    /// Finds the race with this number.
    ///
    /// # Errors
    /// When the race is no longer kept.
    pub fn find(&self, id: u64) -> Result<Arc<Mutex<Race>>, Refusal> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.races.iter().position(|(other, _)| *other == id);
        let found = place.and_then(|place| kept.races.remove(place));
        let (id, race) = found.ok_or(Refusal::Gone { id })?;
        kept.races.push_back((id, Arc::clone(&race)));
        Ok(race)
    }
}

//! Mean rewards over time: what every node pays on average at every moment.
//!
//! A mean is constant between its changes ([`Timetable::of_rows`], [`Timetable::of_changes`]), or
//! follows a season ([`Timetable::of_seasons`]). Moments count from the end of initialization, in
//! units of one visit; before it, the first means hold.

mod error;
mod highest;
mod season;
mod steps;

pub use error::TimetableError;
pub use season::Season;

use crate::clock::Time;
use crate::exact::exact;
use crate::graph::NodeId;
use error::check_mean;
use highest::Highest;
use season::{Seasonal, Wave};
use std::sync::Arc;
use steps::Steps;

/// A mean that changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// When.
    pub at: f64,
    /// On which node.
    pub node: NodeId,
    /// The mean from then on.
    pub mean: f64,
}

/// The mean reward of every node at every moment.
///
/// ```
/// use graph_bandit::{Time, Timetable};
/// let table = Timetable::of_rows(&[(0.0, vec![0.3, 0.9]), (1000.0, vec![0.3, 0.1])])?;
/// assert_eq!(table.mean(1, Time(999.0)), 0.9);
/// assert_eq!(table.mean(1, Time(1000.0)), 0.1);
/// assert_eq!(table.highest(Time(1000.0)), 0.3);
/// # Ok::<(), graph_bandit::TimetableError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Timetable {
    tracks: Vec<Arc<Track>>,
    highest: Highest,
}

/// The mean reward of one node over time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Track {
    /// Constant between changes.
    Steps(Steps),
    /// Repeats itself.
    Seasonal(Seasonal),
}

impl Track {
    /// The mean at a moment.
    #[inline]
    pub(crate) fn mean(&self, at: Time) -> f64 {
        match self {
            Self::Steps(steps) => steps.mean(at),
            Self::Seasonal(seasonal) => seasonal.mean(at),
        }
    }

    /// When the mean may change next, after this moment.
    pub(crate) fn next_change(&self, at: Time) -> f64 {
        match self {
            Self::Steps(steps) => steps.next_change(at),
            Self::Seasonal(_) => season::next_unit(at),
        }
    }

    /// The lowest and the highest mean at any moment.
    pub(crate) fn ends(&self) -> (f64, f64) {
        match self {
            Self::Steps(steps) => steps.ends(),
            Self::Seasonal(seasonal) => seasonal.ends(),
        }
    }
}

impl Timetable {
    /// Means that hold from the moment of their row until the next one.
    ///
    /// # Errors
    /// When there are no rows, the first does not begin at 0, moments do not increase, rows differ
    /// in length, or a number is not finite.
    pub fn of_rows(rows: &[(f64, Vec<f64>)]) -> Result<Self, TimetableError> {
        let Some((first, start)) = rows.first() else { return Err(TimetableError::NoRows) };
        if *first != 0.0 {
            return Err(TimetableError::LateStart { from: *first });
        }
        let nodes = start.len();
        let mut changes = Vec::new();
        let mut before = *first;
        for (k, (from, means)) in rows.iter().enumerate() {
            if k > 0 && !(*from > before && from.is_finite()) {
                return Err(TimetableError::OutOfOrder { from: *from, before });
            }
            if means.len() != nodes {
                return Err(TimetableError::WrongLength { from: *from, means: means.len(), nodes });
            }
            before = *from;
            let row = (0..).zip(means).map(|(node, &mean)| Change { at: *from, node, mean });
            changes.extend(row.skip(if k == 0 { nodes } else { 0 }));
        }
        Self::of_changes(start, &changes)
    }

    /// Means at the start, and the changes that follow, ordered by time.
    ///
    /// # Errors
    /// When there are no nodes, a change is out of order or names a node that does not exist, or a
    /// number is not finite.
    pub fn of_changes(start: &[f64], changes: &[Change]) -> Result<Self, TimetableError> {
        if start.is_empty() {
            return Err(TimetableError::NoRows);
        }
        for (node, &mean) in (0..).zip(start) {
            check_mean(node, 0.0, mean)?;
        }
        let last = start.len() as NodeId - 1;
        let mut before = 0.0;
        for &Change { at, node, mean } in changes {
            if !(at >= before && at > 0.0 && at.is_finite()) {
                return Err(TimetableError::OutOfOrder { from: at, before });
            }
            if node > last {
                return Err(TimetableError::UnknownNode { node, last });
            }
            check_mean(node, at, mean)?;
            before = at;
        }
        let mut steps: Vec<Steps> = start.iter().map(|&mean| Steps::from(mean)).collect();
        for change in changes {
            steps[change.node as usize].change(change.at, change.mean);
        }
        let highest = Highest::of_changes(start, changes);
        let tracks = steps.into_iter().map(|steps| Arc::new(Track::Steps(steps)));
        Ok(Self { tracks: tracks.collect(), highest })
    }

    /// Means that repeat themselves every `period` units of time, one season per node.
    ///
    /// # Errors
    /// When there are no nodes, the period is not from 2 to a million, or a number is not finite.
    pub fn of_seasons(seasons: &[Season], period: u64) -> Result<Self, TimetableError> {
        if seasons.is_empty() {
            return Err(TimetableError::NoRows);
        }
        let wave = Arc::new(Wave::new(period)?);
        let seasonal = |(node, season)| Seasonal::new(node, season, &wave);
        let all: Vec<Seasonal> =
            (0..).zip(seasons).map(seasonal).collect::<Result<_, TimetableError>>()?;
        let highest = Highest::of_cycle(&all, period);
        let tracks = all.into_iter().map(|seasonal| Arc::new(Track::Seasonal(seasonal)));
        Ok(Self { tracks: tracks.collect(), highest })
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.tracks.len()
    }

    /// The mean of a node at a moment.
    ///
    /// # Panics
    /// When there is no such node.
    #[inline]
    pub fn mean(&self, node: NodeId, at: Time) -> f64 {
        self.tracks[node as usize].mean(at)
    }

    /// The highest mean of all nodes at a moment.
    pub fn highest(&self, at: Time) -> f64 {
        self.highest.at(at)
    }

    /// The highest mean at the moment when it is lowest.
    pub(crate) fn lowest_highest(&self) -> f64 {
        self.highest.lowest()
    }

    /// The moments at which some mean changes, ascending; `None` if means follow seasons, which
    /// change all the time.
    pub fn moments(&self) -> Option<Vec<f64>> {
        let mut moments = Vec::new();
        for track in &self.tracks {
            match &**track {
                Track::Steps(steps) => moments.extend(steps.moments()),
                Track::Seasonal(_) => return None,
            }
        }
        moments.sort_by(f64::total_cmp);
        moments.dedup();
        Some(moments)
    }

    /// The lowest mean of any node at any moment.
    pub fn lowest(&self) -> f64 {
        self.tracks.iter().map(|track| track.ends().0).fold(f64::INFINITY, f64::min)
    }

    /// The first moment at which some mean is negative, the first such node, and its mean; `None` if no mean ever is.
    pub fn first_negative(&self) -> Option<(Time, NodeId, f64)> {
        let may_be: Vec<NodeId> = (0..)
            .zip(&self.tracks)
            .filter(|(_, it)| it.ends().0 < 0.0)
            .map(|(node, _)| node)
            .collect();
        let at = |at: f64| {
            let mean = |&node: &NodeId| (node, self.track(node).mean(Time(at)));
            let (node, mean) = may_be.iter().map(mean).find(|(_, mean)| *mean < 0.0)?;
            Some((Time(at), node, mean))
        };
        match self.moments() {
            Some(moments) => std::iter::once(0.0).chain(moments).find_map(at),
            // Means that follow seasons are steady within each unit of time.
            None => (0..self.period().unwrap_or(0)).find_map(|unit| at(exact(unit))),
        }
    }

    /// The period in which all means repeat themselves, in units of time, if they follow seasons.
    pub fn period(&self) -> Option<u64> {
        self.highest.period()
    }

    pub(crate) fn track(&self, node: NodeId) -> &Arc<Track> {
        &self.tracks[node as usize]
    }
}

#[cfg(test)]
mod tests;

//! The one place that turns a file's directions and times into roads.
//!
//! A road takes `1 + time`, in units of one visit. A file has times, lengths or speeds; [`Travel`]
//! says which of them counts and what a unit is. If an edge lacks the value, a rule from the
//! documentation applies and is counted ([`Guess`]), or an error names the edge.

mod choice;
mod directions;
mod guess;
mod left_out;
mod maxspeed;
mod opposite_lines;
mod rates;
mod report;
mod rule;
mod times;
mod trap;

pub use directions::Direction;
pub(crate) use rates::RoadKind;
pub use rates::{Rates, RoadRates};
pub(crate) use report::Findings;
pub use report::{ClosingRoads, Field, Guess, LeftOutOfTravel, TimesUsed, TravelReport};
pub use rule::Rule;
pub(crate) use times::{UNIT_FIELD, put_time};

use crate::error::{Problem, Reason};

/// Which directions of a file become part of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Directions {
    /// None: every edge leads both ways, and of several between two nodes one is kept.
    #[default]
    LeftOut,
    /// The map's edges keep their directions, and all edges are kept; the graph leads both ways.
    /// For conversions.
    Kept,
    /// Those declared in the file.
    Declared,
    /// Like [`Directions::Declared`], but each line of an edge list leads one way.
    OneWay,
}

/// Which of a file's directions and times become part of the graph.
///
/// By default none do: every edge leads both ways and takes one step. If times are requested, the
/// directions declared in the file count, too.
///
/// ```
/// use graph_bandit_maps::{Directions, ReadOptions, Travel, read_bytes};
/// let roads = b"source,target,time\na,b,30\nb,a,90\n";
/// let travel = Travel {
///     directions: Directions::OneWay,
///     times: Some("time".to_owned()),
///     visit_time: Some(60.0),
///     ..Travel::default()
/// };
/// let reading = read_bytes(roads, &ReadOptions { travel, ..ReadOptions::default() })?;
/// let graph = reading.map.graph();
/// assert_eq!((graph.travel(0, 1), graph.travel(1, 0)), (Some(0.5), Some(1.5)));
/// assert_eq!(reading.travel.times.unwrap().slowest, 1.5);
/// # Ok::<(), graph_bandit_maps::Problem>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Travel {
    /// Which directions count.
    pub directions: Directions,
    /// The edge attribute with the time of a road: a time, or a length or a speed under one of the
    /// names in the documentation.
    pub times: Option<String>,
    /// Metres per second: converts lengths to times, and stands in for speeds missing in the file.
    pub speed: Option<f64>,
    /// How many seconds a visit takes; without it, the numbers in the file are units.
    pub visit_time: Option<f64>,
}

impl Travel {
    /// Whether roads take time.
    pub fn takes_times(&self) -> bool {
        self.times.is_some() || self.speed.is_some() || self.visit_time.is_some()
    }

    /// Whether the graph has directions or times.
    pub fn is_asked(&self) -> bool {
        let directed = matches!(self.directions, Directions::Declared | Directions::OneWay);
        directed || self.takes_times()
    }

    /// Whether the edges of the map keep their directions.
    pub(crate) fn keeps_directions(&self) -> bool {
        self.directions == Directions::Kept || self.is_asked()
    }

    pub(crate) fn check(&self) -> Result<(), Problem> {
        for (what, number, helps) in [
            ("speed", self.speed, Helps::Speed),
            ("time of a visit", self.visit_time, Helps::VisitTime),
        ] {
            if let Some(number) = number.filter(|number| !(number.is_finite() && *number > 0.0)) {
                let text =
                    format!("a {what} of {number} is impossible; give a finite number above 0");
                return Err(Reason::Travel { text, helps: Some(helps) }.into());
            }
        }
        Ok(())
    }
}

/// The field of [`Travel`] that would help against an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Helps {
    /// [`Travel::times`].
    Times,
    /// [`Travel::speed`].
    Speed,
    /// [`Travel::visit_time`].
    VisitTime,
    /// [`Directions::OneWay`].
    OneWay,
    /// Rates for all roads instead of [`Rates::Used`].
    Closures,
}

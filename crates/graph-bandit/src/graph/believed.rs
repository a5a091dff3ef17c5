//! A graph whose roads take believed times instead of the map's.
//!
//! A road may have taken longer than the map says, and a road seen closed takes its expected wait.
//! Only times change, and they change in place: nodes, rows and entries stay those of the map.

use super::roads::{Mapped, Reversed, Roads};
use super::{Graph, NodeId};
use std::borrow::Cow;
use std::sync::Arc;

impl Graph {
    /// The same graph with times that can change: with [`Roads`] even if it has none.
    pub(crate) fn believed(&self) -> Self {
        let mut graph = self.clone();
        let mut roads = match graph.roads.take() {
            Some(roads) => Arc::unwrap_or_clone(roads),
            None => Roads {
                times: vec![0.0; self.rows.len()],
                into: Reversed::of(self.len(), &self.all_roads().collect::<Vec<_>>()),
                takes_time: false,
                mapped: None,
            },
        };
        if roads.mapped.is_none() {
            roads.mapped = Some(Mapped { times: roads.times.clone(), changes: 0 });
        }
        graph.roads = Some(Arc::new(roads));
        graph
    }

    /// The same graph without names and coordinates.
    pub(crate) fn unlabelled(&self) -> Self {
        Self {
            row_starts: self.row_starts.clone(),
            rows: self.rows.clone(),
            self_place: self.self_place,
            names: None,
            coordinates: None,
            cut_off: self.cut_off,
            roads: self.roads.clone(),
        }
    }

    /// Whether its times are beliefs, not the map's.
    pub(crate) fn is_believed(&self) -> bool {
        self.roads().is_some_and(|roads| roads.mapped.is_some())
    }

    /// How often its believed times have changed.
    pub(crate) fn changes(&self) -> u64 {
        let mapped = self.roads().and_then(|roads| roads.mapped.as_ref());
        mapped.map_or(0, |mapped| mapped.changes)
    }

    /// Sets the believed time of a road. Does nothing if the graph has no such road or its times
    /// cannot change.
    pub(crate) fn believe(&mut self, (from, to): (NodeId, NodeId), time: f64) {
        let Some(entry) = self.entry(from, to) else { return };
        let Some(roads) = &mut self.roads else { return };
        if roads.mapped.is_none() || roads.times[entry] == time {
            return;
        }
        let roads = Arc::make_mut(roads);
        roads.times[entry] = time;
        roads.takes_time |= time > 0.0;
        let row = roads.into.row_starts[to as usize] as usize
            ..roads.into.row_starts[to as usize + 1] as usize;
        if let Ok(place) = roads.into.sources[row.clone()].binary_search(&from) {
            roads.into.times[row.start + place] = time;
        }
        if let Some(mapped) = &mut roads.mapped {
            mapped.changes += 1;
        }
    }

    /// The graph with the times of the map.
    pub(crate) fn as_mapped(&self) -> Cow<'_, Self> {
        let mapped = self.roads().and_then(|roads| roads.mapped.as_ref());
        let Some(mapped) = mapped else { return Cow::Borrowed(self) };
        let mut graph = self.clone();
        for from in self.nodes() {
            for (entry, &to) in self.row(from).zip(self.neighborhood(from)) {
                graph.believe((from, to), mapped.times[entry]);
            }
        }
        Cow::Owned(graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Road, SelfPlace};

    #[test]
    fn beliefs_change_times_in_both_directions_of_a_search_and_nothing_else() {
        for place in [SelfPlace::Ascending, SelfPlace::First, SelfPlace::Last] {
            let line = Graph::line(4).unwrap().with_self_place(place);
            let mut believed = line.believed();
            assert!(line.roads().is_none() && believed.is_believed());
            assert_eq!(believed.neighborhood(1), line.neighborhood(1));
            believed.believe((1, 2), 3.5);
            believed.believe((1, 3), 9.0);
            assert_eq!((believed.travel(1, 2), believed.travel(2, 1)), (Some(3.5), Some(0.0)));
            assert_eq!(believed.times_from(0), [0.0, 1.0, 5.5, 6.5]);
            assert_eq!(believed.times_to(3), [6.5, 5.5, 1.0, 0.0]);
            assert_eq!(believed.changes(), 1);
            assert_eq!(believed.as_mapped().times_from(0), [0.0, 1.0, 2.0, 3.0]);
        }
        let roads = [(0, 1, 1.0), (1, 2, 0.5), (2, 0, 2.0)];
        let roads = roads.map(|(from, to, time)| Road { from, to, time });
        let mut ring = Graph::from_roads(3, roads).unwrap();
        ring.believe((0, 1), 7.0);
        assert_eq!(ring.travel(0, 1), Some(1.0), "a map does not change");
        let mut believed = ring.believed();
        believed.believe((0, 1), 7.0);
        assert_eq!((believed.times_from(0)[2], believed.as_mapped().times_from(0)[2]), (9.5, 3.5));
    }
}

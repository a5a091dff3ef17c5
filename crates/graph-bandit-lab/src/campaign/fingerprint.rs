//! Fingerprints of everything that determines results, so that a changed file is noticed.

use super::Cell;
use crate::changes::ChangesTable;
use crate::means::MeansTable;
use crate::study_file::WalkersText;
use crate::team::{ShareSource, Starts, TeamStudy};
use graph_bandit::{Closures, Graph};

/// The fingerprint of a graph, and of the rates at which its roads close if its file has them.
pub(super) fn of_graph(graph: &Graph, closures: Option<&Closures>) -> String {
    let edges = graph.edges().flat_map(|(a, b)| [a, b]);
    let numbers = std::iter::once(graph.len() as u32).chain(edges).flat_map(u32::to_le_bytes);
    let roads = graph.roads().map(|_| graph.all_roads()).into_iter().flatten().flat_map(|road| {
        let ends = [road.from, road.to].into_iter().flat_map(u32::to_le_bytes);
        ends.chain(road.time.to_le_bytes())
    });
    let rates = match closures {
        Some(Closures::Some(rates)) => Some(rates),
        Some(Closures::All(_)) | None => None,
    };
    let rates = rates.into_iter().flatten().flat_map(|(&(from, to), rates)| {
        let ends = [from, to].into_iter().flat_map(u32::to_le_bytes);
        ends.chain([rates.closing(), rates.reopening()].into_iter().flat_map(f64::to_le_bytes))
    });
    fingerprint(numbers.chain(roads).chain(rates))
}

/// The fingerprint of a table of means.
pub(super) fn of_means(table: &MeansTable) -> String {
    let rows = table.rows().iter().flat_map(|row| {
        (row.len() as u64).to_le_bytes().into_iter().chain(row.iter().flat_map(|x| x.to_le_bytes()))
    });
    fingerprint(rows)
}

/// The fingerprint of a table of means that change.
pub(super) fn of_changes(table: &ChangesTable) -> String {
    let rows = table.rows().iter().flat_map(|(from, row)| {
        let numbers = std::iter::once(from).chain(row).flat_map(|x| x.to_le_bytes());
        (row.len() as u64).to_le_bytes().into_iter().chain(numbers)
    });
    fingerprint(rows)
}

/// The fingerprints of the files that a team is read from, by their texts.
pub(super) fn of_team(cell: &Cell, team: &TeamStudy) -> Vec<(String, String)> {
    let mut all = Vec::new();
    if let ShareSource::Table(table) = &team.share {
        let rows = table.rows().iter().flat_map(|row| {
            let numbers = row.iter().flat_map(|x| x.to_le_bytes());
            (row.len() as u64).to_le_bytes().into_iter().chain(numbers)
        });
        let text = cell.team.as_ref().and_then(|keys| keys.share.clone()).unwrap_or_default();
        all.push((text, fingerprint(rows)));
    }
    let walkers = cell.team.as_ref().map(|keys| &keys.walkers);
    if let Some(WalkersText::File(file)) = walkers.filter(|walkers| walkers.number().is_none()) {
        let starts = match &team.starts {
            Starts::Random => &[][..],
            Starts::Nodes(nodes) => &nodes[..],
        };
        let speeds = team.speeds.iter().flat_map(|speed| speed.to_le_bytes());
        let allowed = team.allowed.iter().flat_map(|nodes| {
            let count = nodes.as_ref().map_or(u64::MAX, |nodes| nodes.len() as u64);
            let nodes = nodes.iter().flatten().flat_map(|node| node.to_le_bytes());
            count.to_le_bytes().into_iter().chain(nodes)
        });
        let starts = starts.iter().flat_map(|node| node.to_le_bytes());
        all.push((file.clone(), fingerprint(starts.chain(speeds).chain(allowed))));
    }
    all
}

/// FNV-1a with 64 bits: enough to notice a difference, no protection against forgery.
pub(crate) fn fingerprint(bytes: impl Iterator<Item = u8>) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::{ClosureRates, Road};

    #[test]
    fn directions_and_times_change_the_fingerprint() {
        let road = |from, to, time| Road { from, to, time };
        let of =
            |roads: &[Road]| of_graph(&Graph::from_roads(3, roads.iter().copied()).unwrap(), None);
        let round = [road(0, 1, 0.0), road(1, 2, 0.0), road(2, 0, 0.0)];
        let slower = [road(0, 1, 0.5), road(1, 2, 0.0), road(2, 0, 0.0)];
        let other_way = [road(1, 0, 0.0), road(2, 1, 0.0), road(0, 2, 0.0)];
        let both: Vec<Road> = [round, other_way].concat();
        let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
        let paper = of_graph(&triangle, None);
        assert_eq!(of(&both), paper);
        // Rates for all roads are in the plan; those of a map are in its file.
        let rates = ClosureRates::new(0.1, 0.5).unwrap();
        assert_eq!(of_graph(&triangle, Some(&Closures::All(rates))), paper);
        let closing = |rates| of_graph(&triangle, Some(&Closures::Some([((0, 1), rates)].into())));
        let sooner = ClosureRates::new(0.1, 0.6).unwrap();
        let (closing, sooner) = (closing(rates), closing(sooner));
        let mut all = vec![paper, of(&round), of(&slower), of(&other_way), closing, sooner];
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 6);
    }

    #[test]
    fn fingerprints_match_the_published_function() {
        // Test vectors of FNV-1a, 64 bits.
        assert_eq!(fingerprint(b"".iter().copied()), "cbf29ce484222325");
        assert_eq!(fingerprint(b"foobar".iter().copied()), "85944171f73967e8");
    }
}

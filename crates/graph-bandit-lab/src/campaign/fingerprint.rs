//! Fingerprints of what decides results, so that a changed file is noticed.

use crate::means::MeansTable;
use graph_bandit::Graph;

/// The fingerprint of a graph.
pub(super) fn of_graph(graph: &Graph) -> String {
    let edges = graph.edges().flat_map(|(a, b)| [a, b]);
    let numbers = std::iter::once(graph.len() as u32).chain(edges);
    fingerprint(numbers.flat_map(u32::to_le_bytes))
}

/// The fingerprint of a table of means.
pub(super) fn of_means(table: &MeansTable) -> String {
    let rows = table.rows().iter().flat_map(|row| {
        (row.len() as u64).to_le_bytes().into_iter().chain(row.iter().flat_map(|x| x.to_le_bytes()))
    });
    fingerprint(rows)
}

/// FNV-1a of 64 bits: enough to notice a difference, not meant against forgery.
pub(crate) fn fingerprint(bytes: impl Iterator<Item = u8>) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", bytes.fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_match_the_published_function() {
        // Test vectors of FNV-1a, 64 bits.
        assert_eq!(fingerprint(b"".iter().copied()), "cbf29ce484222325");
        assert_eq!(fingerprint(b"foobar".iter().copied()), "85944171f73967e8");
    }
}

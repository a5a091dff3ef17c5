//! Who goes where: the cheapest perfect matching of rows to columns, by shortest augmenting paths.
//!
//! Rows are matched one after another, each along the cheapest chain of changes to the rows matched
//! before (Jonker and Volgenant, 1987). With row prices `u` and column prices `v`, every entry costs
//! at least `u_i + v_j`, and every entry of the matching costs just that, up to rounding. Column
//! prices are at most 0, and 0 for columns without a row. So no matching is cheaper than the sum of
//! all prices, and the one found costs just that.

use crate::graph::NodeId;
use thiserror::Error;

/// A column without a row, or the reverse.
const NOBODY: u32 = u32::MAX;

/// Why there is no matching.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum MatchingError {
    /// Some rows have fewer allowed columns than there are such rows.
    #[error(
        "row {row} cannot be matched together with the rows before it: too few columns are allowed; \
         allow more of them"
    )]
    Impossible {
        /// The first row that does not fit.
        row: usize,
    },
    /// An entry is not a number or infinitely good.
    #[error(
        "the entry of row {row} and column {column} is {entry}; give a finite number, or the \
         infinity that forbids it"
    )]
    Entry {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The entry.
        entry: f64,
    },
    /// The entries do not fill a table.
    #[error("{entries} entries do not fill rows of {columns} columns; give whole rows")]
    Shape {
        /// The number of entries.
        entries: usize,
        /// The number of columns.
        columns: usize,
    },
}

/// Cheapest perfect matchings, with reused memory.
#[derive(Debug, Clone, Default)]
pub struct Matching {
    columns: Vec<u32>,
    row_prices: Vec<f64>,
    column_prices: Vec<f64>,
    total: f64,
    /// The row of each column.
    rows: Vec<u32>,
    /// The cheapest chain known to each column, and the row before it there.
    chains: Vec<(f64, u32)>,
    /// All columns: first those whose chain is final, in that order, then the others.
    order: Vec<u32>,
}

impl Matching {
    /// Gives each row a column of its own, at the least total cost, and returns the columns. The
    /// entries are listed row after row; an infinite cost forbids an entry. Costs may be negative.
    ///
    /// Which of several cheapest matchings it finds depends on the costs alone: rows are matched in
    /// order, and of equally cheap chains it takes one that ends, else the lowest column.
    ///
    /// # Errors
    /// When no perfect matching avoids infinite costs, as with more rows than columns, or an entry
    /// is NaN or negative infinity, or the last row is incomplete.
    ///
    /// # Complexity
    /// O(n^2 m) for n rows and m columns.
    pub fn find(&mut self, columns: usize, costs: &[f64]) -> Result<&[u32], MatchingError> {
        if costs.is_empty() {
            self.start(0, columns);
            return Ok(&self.columns);
        }
        if columns == 0 || !costs.len().is_multiple_of(columns) {
            return Err(MatchingError::Shape { entries: costs.len(), columns });
        }
        if let Some(place) = costs.iter().position(|&cost| cost.is_nan() || cost == -f64::INFINITY)
        {
            let (row, column) = (place / columns, place % columns);
            return Err(MatchingError::Entry { row, column, entry: costs[place] });
        }
        let rows = costs.len() / columns;
        self.start(rows, columns);
        for row in 0..rows {
            self.add(row, columns, costs)?;
        }
        for (row, &column) in self.columns.iter().enumerate() {
            let cost = costs[row * columns + column as usize];
            self.row_prices[row] = cost - self.column_prices[column as usize];
            self.total += cost;
        }
        Ok(&self.columns)
    }

    fn start(&mut self, rows: usize, columns: usize) {
        self.total = 0.0;
        refill(&mut self.columns, rows, NOBODY);
        refill(&mut self.row_prices, rows, 0.0);
        refill(&mut self.rows, columns, NOBODY);
        refill(&mut self.column_prices, columns, 0.0);
        refill(&mut self.chains, columns, (f64::INFINITY, NOBODY));
        self.order.clear();
        self.order.extend(0..columns as u32);
    }

    /// Matches one more row, along the cheapest chain that ends at a column without a row.
    fn add(&mut self, row: usize, columns: usize, costs: &[f64]) -> Result<(), MatchingError> {
        self.chains.fill((f64::INFINITY, NOBODY));
        let (mut from, mut before, mut done) = (row, 0.0, 0);
        let last = loop {
            let entries = &costs[from * columns..][..columns];
            // Entering `from` costs nothing by its own column: the chain so far is `before` long.
            let offset = match self.columns[from] {
                NOBODY => before,
                own => before - (entries[own as usize] - self.column_prices[own as usize]),
            };
            let mut next = (f64::INFINITY, false, NOBODY, 0);
            for (place, &column) in self.order.iter().enumerate().skip(done) {
                let j = column as usize;
                let chain = &mut self.chains[j];
                let offer = entries[j] - self.column_prices[j] + offset;
                if offer < chain.0 {
                    *chain = (offer, from as u32);
                }
                let is_taken = self.rows[j] != NOBODY;
                let tie = (is_taken, column) < (next.1, next.2);
                if chain.0 < next.0 || (chain.0 == next.0 && tie && chain.1 != NOBODY) {
                    next = (chain.0, is_taken, column, place);
                }
            }
            let (length, is_taken, column, place) = next;
            if length == f64::INFINITY {
                return Err(MatchingError::Impossible { row });
            }
            before = length;
            if !is_taken {
                break column;
            }
            self.order.swap(done, place);
            done += 1;
            from = self.rows[column as usize] as usize;
        };
        for &column in &self.order[..done] {
            let j = column as usize;
            self.column_prices[j] += self.chains[j].0 - before;
        }
        let mut column = last;
        loop {
            let from = self.chains[column as usize].1;
            self.rows[column as usize] = from;
            std::mem::swap(&mut self.columns[from as usize], &mut column);
            if from as usize == row {
                return Ok(());
            }
        }
    }

    /// The column of each row, as last found.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The total cost of the matching last found.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// What each row adds to the total: the `u` of the proof.
    pub fn row_prices(&self) -> &[f64] {
        &self.row_prices
    }

    /// What a further row could save at each column, at most 0: the `v` of the proof.
    pub fn column_prices(&self) -> &[f64] {
        &self.column_prices
    }
}

fn refill<T: Copy>(list: &mut Vec<T>, length: usize, value: T) {
    list.clear();
    list.resize(length, value);
}

/// Walkers on nodes with one seat each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seated {
    /// The node of each walker.
    pub places: Vec<NodeId>,
    /// The sum of the values of these nodes for these walkers.
    pub value: f64,
}

/// The best seats for walkers that differ, one seat per node, with reused memory.
///
/// A walker needs no more than its `M` best nodes, because the others take at most `M - 1` of
/// them; so few of many nodes become columns of the [`Matching`].
#[derive(Debug, Clone, Default)]
pub struct Seating {
    matching: Matching,
    /// One walker's allowed nodes, the best first.
    ranked: Vec<NodeId>,
    /// The nodes that become columns, ascending.
    nodes: Vec<NodeId>,
    costs: Vec<f64>,
}

impl Seating {
    /// Gives each walker a node of its own so that the sum of values is highest. The values are
    /// listed walker after walker, one per node; negative infinity forbids a node to a walker.
    ///
    /// # Errors
    /// When no seating avoids forbidden nodes, as with more walkers than nodes, or a value is NaN
    /// or infinity, or the last walker's values are incomplete. Rows are walkers, columns nodes.
    ///
    /// # Complexity
    /// O(M n + M^2 k) for M walkers and n nodes, of which k <= min(n, M^2) are among some walker's
    /// M best.
    pub fn best(&mut self, nodes: usize, values: &[f64]) -> Result<Seated, MatchingError> {
        if values.is_empty() {
            return Ok(Seated::default());
        }
        if nodes == 0 || !values.len().is_multiple_of(nodes) {
            return Err(MatchingError::Shape { entries: values.len(), columns: nodes });
        }
        let walkers = values.len() / nodes;
        self.nodes.clear();
        for (row, own) in values.chunks(nodes).enumerate() {
            let is_bad = |value: &f64| value.is_nan() || *value == f64::INFINITY;
            if let Some(column) = own.iter().position(is_bad) {
                return Err(MatchingError::Entry { row, column, entry: own[column] });
            }
            let is_allowed = |&node: &NodeId| own[node as usize] > f64::NEG_INFINITY;
            self.ranked.clear();
            self.ranked.extend((0..nodes as NodeId).filter(is_allowed));
            if self.ranked.len() > walkers {
                let value = |node: NodeId| own[node as usize] + 0.0;
                let by_value =
                    |a: &NodeId, b: &NodeId| value(*b).total_cmp(&value(*a)).then(a.cmp(b));
                self.ranked.select_nth_unstable_by(walkers, by_value);
                self.ranked.truncate(walkers);
            }
            self.nodes.extend_from_slice(&self.ranked);
        }
        self.nodes.sort_unstable();
        self.nodes.dedup();
        if self.nodes.is_empty() {
            return Err(MatchingError::Impossible { row: 0 });
        }
        self.costs.clear();
        for own in values.chunks(nodes) {
            self.costs.extend(self.nodes.iter().map(|&node| -own[node as usize]));
        }
        let columns = self.matching.find(self.nodes.len(), &self.costs)?;
        let places = columns.iter().map(|&column| self.nodes[column as usize]).collect();
        // 0 less the total, not its opposite: nobody wants to read -0.
        Ok(Seated { places, value: 0.0 - self.matching.total() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, Stream};

    /// The least total cost, by trying all columns for each row.
    fn by_brute_force(columns: usize, costs: &[f64], used: u32) -> f64 {
        let Some((row, rest)) = costs.split_at_checked(columns).filter(|split| !split.0.is_empty())
        else {
            return 0.0;
        };
        let free = (0..columns).filter(|&column| used & (1_u32 << column) == 0);
        let with = |column| row[column] + by_brute_force(columns, rest, used | (1_u32 << column));
        free.map(with).fold(f64::INFINITY, f64::min)
    }

    /// A table with `levels` different costs, some of them infinite in one case of three.
    fn table(stream: &mut Stream, case: usize, entries: usize) -> Vec<f64> {
        let levels = [3, 10, 1 << 40][case % 3];
        let entry = |_| {
            if case.is_multiple_of(4) && stream.below(2) == 0 {
                return f64::INFINITY;
            }
            stream.below(levels) as f64 / levels as f64
                - if case.is_multiple_of(5) { 0.5 } else { 0.0 }
        };
        (0..entries).map(entry).collect()
    }

    #[test]
    fn the_total_is_the_least_of_all_permutations() {
        let mut stream = Seed(21).stream();
        let mut matching = Matching::default();
        let mut impossible = 0;
        for case in 0..1200 {
            let columns = 1 + stream.below(if case % 50 == 0 { 7 } else { 6 }) as usize;
            let rows = 1 + stream.below(columns as u64) as usize;
            let costs = table(&mut stream, case, rows * columns);
            let least = by_brute_force(columns, &costs, 0);
            match matching.find(columns, &costs) {
                Ok(found) => {
                    let mut seen = found.to_vec();
                    seen.sort_unstable();
                    seen.dedup();
                    assert_eq!(seen.len(), rows);
                    let total: f64 = found
                        .iter()
                        .enumerate()
                        .map(|(i, &j)| costs[i * columns + j as usize])
                        .sum();
                    assert_eq!(total, matching.total());
                    assert!((total - least).abs() < 1e-12, "{case}: {total} {least}");
                }
                Err(error) => {
                    assert!(matches!(error, MatchingError::Impossible { .. }));
                    assert_eq!(least, f64::INFINITY, "{case}");
                    impossible += 1;
                }
            }
        }
        assert!(impossible > 50);
    }

    #[test]
    fn prices_prove_that_large_matchings_are_cheapest() {
        let mut stream = Seed(22).stream();
        let mut matching = Matching::default();
        for (case, (rows, columns)) in
            [(100, 100), (100, 100), (60, 100), (100, 100), (1, 100)].into_iter().enumerate()
        {
            let costs = table(&mut stream, case, rows * columns);
            matching.find(columns, &costs).unwrap();
            let (u, v) = (matching.row_prices(), matching.column_prices());
            for (i, row) in costs.chunks(columns).enumerate() {
                for (j, cost) in row.iter().enumerate() {
                    let spare = cost - u[i] - v[j];
                    assert!(spare > -1e-12);
                    if matching.columns()[i] == j as u32 {
                        assert!(spare < 1e-12);
                    }
                }
            }
            let taken = |j: usize| matching.columns().contains(&(j as u32));
            assert!((0..columns).all(|j| v[j] <= 0.0 && (taken(j) || v[j] == 0.0)));
            let prices = u.iter().sum::<f64>() + v.iter().sum::<f64>();
            assert!((prices - matching.total()).abs() < 1e-10);
        }
    }

    #[test]
    fn ties_and_mistakes() {
        let mut matching = Matching::default();
        assert_eq!(matching.find(4, &[1.0; 12]), Ok(&[0, 1, 2][..]));
        assert_eq!(matching.find(3, &[]), Ok(&[][..]));
        let mut of =
            |columns, costs: &[f64]| matching.find(columns, costs).unwrap_err().to_string();
        assert_eq!(of(3, &[1.0; 4]), "4 entries do not fill rows of 3 columns; give whole rows");
        assert!(of(0, &[1.0]).starts_with("1 entries do not fill rows of 0 columns"));
        assert!(
            of(1, &[1.0; 2])
                .starts_with("row 1 cannot be matched together with the rows before it")
        );
        assert!(
            of(2, &[1.0, f64::NAN]).starts_with("the entry of row 0 and column 1 is NaN; give")
        );
        assert!(of(1, &[-f64::INFINITY]).starts_with("the entry of row 0 and column 0 is -inf"));
    }

    #[test]
    fn seats_are_the_best_of_all() {
        let mut stream = Seed(23).stream();
        let mut seating = Seating::default();
        let mut impossible = 0;
        for case in 0..600 {
            let nodes = 1 + stream.below(7) as usize;
            let walkers = 1 + stream.below(nodes.min(4) as u64) as usize;
            let costs = table(&mut stream, case, walkers * nodes);
            let values: Vec<f64> = costs.iter().map(|cost| -cost).collect();
            let least = by_brute_force(nodes, &costs, 0);
            if let Ok(seated) = seating.best(nodes, &values) {
                let of = |(walker, &node): (usize, &NodeId)| values[walker * nodes + node as usize];
                let sum: f64 = seated.places.iter().enumerate().map(of).sum();
                assert_eq!((seated.places.len(), sum), (walkers, seated.value));
                assert!((sum + least).abs() < 1e-12);
            } else {
                assert_eq!(least, f64::INFINITY);
                impossible += 1;
            }
        }
        assert!(impossible > 20);
        assert!(seating.best(1, &[1.0, 2.0]).is_err());
        assert!(seating.best(2, &[1.0, f64::INFINITY]).is_err());
        assert!(seating.best(2, &[1.0; 3]).is_err());
        assert!(seating.best(2, &[-f64::INFINITY; 2]).is_err());
        assert_eq!(seating.best(3, &[0.0; 6]).unwrap().places, [0, 1]);
    }
}

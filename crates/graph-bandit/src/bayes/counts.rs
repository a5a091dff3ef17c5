//! Numbers the counts of ones and zeros of all nodes.
//!
//! With `n` nodes, counts are `m = 2 n` parts that add up to the visits made: the ones of node 0, its
//! zeros, the ones of node 1 and so on. Let `s_j` be the sum of the first `j` parts. The number of
//! counts is `sum over 0 < j < m of C(s_j + j - 1, j)`: this numbers all counts of equal sum without
//! gaps (the combinatorial number system). One more in part `i` raises all `s_j` with `j >= i`, so
//! its number is a sum of entries of the same table. Counts that differ only in how the visits to
//! node 0 split into ones and zeros have consecutive numbers: a *row*.

/// The table behind the numbers.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    /// `m`.
    parts: usize,
    /// `ways[j][s] = C(s + j - 1, j)`, for `j` below `m`.
    ways: Vec<Vec<u64>>,
}

/// Counts with consecutive numbers: node 0 has been visited `len - 1` times, and paid 0 to `len - 1`
/// ones.
#[derive(Debug)]
pub(super) struct Row {
    /// The number of the first of them.
    pub(super) first: usize,
    /// How many there are.
    pub(super) len: usize,
    /// `s_j` for `j` from 2 to `m`; the first two are unused.
    sums: Vec<usize>,
    /// The number of the first counts after one more in each part.
    after: Vec<usize>,
}

impl Row {
    /// The ones of a node other than 0.
    pub(super) fn ones(&self, node: usize) -> usize {
        // The caller leaves out node 0, whose ones run through the row.
        self.zeros_end(node) - self.sums[2 * node] - self.zeros(node)
    }

    /// The visits to a node.
    pub(super) fn visits(&self, node: usize) -> usize {
        let before = if node == 0 { 0 } else { self.sums[2 * node] };
        self.zeros_end(node) - before
    }

    /// Where the row continues if `node` pays one.
    pub(super) fn after_one(&self, node: usize) -> usize {
        self.after[2 * node]
    }

    /// Where the row continues if `node` pays nothing.
    pub(super) fn after_zero(&self, node: usize) -> usize {
        self.after[2 * node + 1]
    }

    fn zeros(&self, node: usize) -> usize {
        self.zeros_end(node) - self.sums[2 * node + 1]
    }

    fn zeros_end(&self, node: usize) -> usize {
        self.sums[2 * node + 2]
    }
}

impl Counts {
    /// Counts of `nodes` nodes after fewer than `most` visits. `None` if there are too many to
    /// number.
    pub(super) fn new(nodes: usize, most: usize) -> Option<Self> {
        let parts = 2 * nodes;
        let mut ways = vec![vec![1_u64; most + 1]];
        for j in 1..parts {
            // C(s + j - 1, j) = C(s + j - 2, j) + C(s + j - 2, j - 1).
            let mut last = 0_u64;
            let mut row = vec![0];
            for &fewer_parts in &ways[j - 1][1..] {
                last = last.checked_add(fewer_parts)?;
                row.push(last);
            }
            ways.push(row);
        }
        Some(Self { parts, ways })
    }

    /// How many counts add up to `sum`: `C(sum + m - 1, m - 1)`.
    pub(super) fn of_sum(&self, sum: usize) -> usize {
        self.ways[self.parts - 1][sum + 1] as usize
    }

    /// The number of counts, given as ones and zeros of each node.
    pub(super) fn number(&self, parts: impl IntoIterator<Item = usize>) -> usize {
        let mut sum = 0;
        let numbered = parts.into_iter().zip(&self.ways[1..]).map(|(part, ways)| {
            sum += part;
            ways[sum] as usize
        });
        numbered.sum()
    }

    /// Calls `with` on every row of counts that add up to `sum`, in the order of their numbers.
    pub(super) fn for_each_row(&self, sum: usize, mut with: impl FnMut(&Row)) {
        let m = self.parts;
        let mut row = Row { first: 0, len: 0, sums: vec![0; m + 1], after: vec![0; m] };
        row.sums[m] = sum;
        // All s_2 <= .. <= s_m = sum; the lowest changes fastest.
        loop {
            self.place(&mut row);
            with(&row);
            let Some(j) = (2..m).find(|&j| row.sums[j] < row.sums[j + 1]) else { return };
            row.sums[j] += 1;
            row.sums[2..j].fill(0);
        }
    }

    /// Numbers a row, and the rows that follow from it.
    fn place(&self, row: &mut Row) {
        row.len = row.sums[2] + 1;
        let raised = |j: usize, sums: &[usize]| self.ways[j][sums[j] + 1] as usize;
        let mut above: usize = (2..self.parts).map(|j| raised(j, &row.sums)).sum();
        let mut below = 0;
        row.after[0] = above + 1;
        row.after[1] = above;
        for j in 2..self.parts {
            above -= raised(j, &row.sums);
            below += self.ways[j][row.sums[j]] as usize;
            row.after[j] = below + above;
        }
        row.first = below;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every counts of a sum, by brute force.
    fn all(parts: usize, sum: usize) -> Vec<Vec<usize>> {
        if parts == 1 {
            return vec![vec![sum]];
        }
        let with = |first: usize| {
            let rest = all(parts - 1, sum - first);
            rest.into_iter().map(move |rest| [vec![first], rest].concat())
        };
        (0..=sum).flat_map(with).collect()
    }

    #[test]
    fn numbers_have_no_gaps_and_rows_lead_to_the_right_ones() {
        for nodes in 1..=3 {
            let counts = Counts::new(nodes, 7).unwrap();
            for sum in 0..6 {
                let every = all(2 * nodes, sum);
                let mut by_number = vec![Vec::new(); every.len()];
                assert_eq!(counts.of_sum(sum), every.len());
                for parts in every {
                    let number = counts.number(parts.iter().copied());
                    assert!(by_number[number].is_empty());
                    by_number[number] = parts;
                }
                let mut next = 0;
                counts.for_each_row(sum, |row| {
                    assert_eq!(row.first, next);
                    next += row.len;
                    for ones in 0..row.len {
                        let parts = &by_number[row.first + ones];
                        assert_eq!((parts[0], row.visits(0)), (ones, row.len - 1));
                        for node in 0..nodes {
                            let [one, zero] = [parts[2 * node], parts[2 * node + 1]];
                            assert_eq!(row.visits(node), one + zero);
                            assert!(node == 0 || row.ones(node) == one);
                            for (part, follows) in
                                [(0, row.after_one(node)), (1, row.after_zero(node))]
                            {
                                let mut more = parts.clone();
                                more[2 * node + part] += 1;
                                assert_eq!(counts.number(more), follows + ones);
                            }
                        }
                    }
                });
                assert_eq!(next, counts.of_sum(sum));
            }
        }
    }

    #[test]
    fn too_many_to_number_is_noticed() {
        assert!(Counts::new(64, 100).is_none());
        assert!(Counts::new(3, 100).is_some());
    }
}

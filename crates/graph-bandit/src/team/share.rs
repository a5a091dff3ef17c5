//! What a node pays a team: `f(c)` times one draw if `c` walkers are on it.

use crate::graph::NodeId;
use thiserror::Error;

/// How far `f(1)` of a table may be from 1, and how much `f` may fall by rounding.
const ROUNDING: f64 = 1e-9;

/// The shares of every node: `f(c)` for 0 to `walkers` walkers, as multiples of one draw.
///
/// `f(0)` is 0, `f(1)` is 1, and `f` never falls.
#[derive(Debug, Clone, PartialEq)]
pub struct Sharing {
    walkers: usize,
    rows: Rows,
}

#[derive(Debug, Clone, PartialEq)]
enum Rows {
    /// All nodes share alike.
    Same(Vec<f64>),
    /// One row per node, one after another.
    ByNode(Vec<f64>),
}

/// Why shares are invalid.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ShareError {
    /// The team is too large.
    #[error("{walkers} walkers are too many; the limit is {}", Sharing::MOST_WALKERS)]
    TooMany {
        /// The number of walkers.
        walkers: usize,
    },
    /// There is not one row per node.
    #[error("{given} rows of shares for {nodes} nodes; give one row per node")]
    Rows {
        /// The number of rows.
        given: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// A row is too short for the team.
    #[error(
        "the shares of node {node} end at f({given}), but there are {walkers} walkers; give \
         f(1) to f({walkers})"
    )]
    Short {
        /// The node.
        node: NodeId,
        /// The number of shares given.
        given: usize,
        /// The number of walkers.
        walkers: usize,
    },
    /// A share is negative, infinite or not a number.
    #[error("node {node} has f({count}) = {share}; give a number of at least 0")]
    NotAShare {
        /// The node.
        node: NodeId,
        /// The number of walkers.
        count: usize,
        /// The share.
        share: f64,
    },
    /// One walker alone does not get the whole draw.
    #[error(
        "node {node} has f(1) = {share}; it must be 1, because one walker gets the whole draw: \
         scale the means instead"
    )]
    First {
        /// The node.
        node: NodeId,
        /// The share.
        share: f64,
    },
    /// A share falls as walkers are added.
    #[error(
        "node {node} has f({count}) = {share}, less than f({}) = {before}; shares must not fall \
         as walkers are added",
        count - 1
    )]
    Falls {
        /// The node.
        node: NodeId,
        /// The number of walkers.
        count: usize,
        /// The share.
        share: f64,
        /// The share of one walker less.
        before: f64,
    },
}

impl Sharing {
    /// The most walkers of a team.
    pub const MOST_WALKERS: usize = 100_000;

    /// All nodes share by `share`, which is called for 1 to `walkers` walkers.
    ///
    /// # Errors
    /// When the shares are invalid; the error names node 0.
    pub fn same(walkers: usize, share: impl Fn(usize) -> f64) -> Result<Self, ShareError> {
        if walkers > Self::MOST_WALKERS {
            return Err(ShareError::TooMany { walkers });
        }
        let row: Vec<f64> = (1..=walkers).map(share).collect();
        let mut rows = Vec::with_capacity(walkers + 1);
        append(&mut rows, (0, &row), walkers)?;
        Ok(Self { walkers, rows: Rows::Same(rows) })
    }

    /// Each node has a row: `f(1)`, `f(2)` and so on, at least up to the number of walkers. Shares
    /// of more walkers are checked, too, but not kept.
    ///
    /// # Errors
    /// When there is not one valid row for each of the `nodes`.
    pub fn by_node(walkers: usize, nodes: usize, rows: &[Vec<f64>]) -> Result<Self, ShareError> {
        if walkers > Self::MOST_WALKERS {
            return Err(ShareError::TooMany { walkers });
        }
        if rows.len() != nodes {
            return Err(ShareError::Rows { given: rows.len(), nodes });
        }
        let mut all = Vec::with_capacity(nodes * (walkers + 1));
        for (node, row) in rows.iter().enumerate() {
            append(&mut all, (node as NodeId, row), walkers)?;
        }
        Ok(Self { walkers, rows: Rows::ByNode(all) })
    }

    /// One draw per node, however many walkers are on it.
    pub fn equal(walkers: usize) -> Self {
        let row = (0..=walkers).map(|count| if count == 0 { 0.0 } else { 1.0 });
        Self { walkers, rows: Rows::Same(row.collect()) }
    }

    /// The number of walkers that the shares are for.
    pub fn walkers(&self) -> usize {
        self.walkers
    }

    /// The number of nodes that the shares are for; `None` if all nodes share alike.
    pub fn nodes(&self) -> Option<usize> {
        match &self.rows {
            Rows::Same(_) => None,
            Rows::ByNode(rows) => Some(rows.len() / (self.walkers + 1)),
        }
    }

    /// `f(0)` to `f(walkers)` of a node.
    #[inline]
    pub fn row(&self, node: NodeId) -> &[f64] {
        match &self.rows {
            Rows::Same(row) => row,
            Rows::ByNode(rows) => {
                let width = self.walkers + 1;
                &rows[node as usize * width..][..width]
            }
        }
    }

    /// `f(count)` of a node.
    ///
    /// # Panics
    /// When there are fewer walkers.
    #[inline]
    pub fn multiple(&self, node: NodeId, count: usize) -> f64 {
        self.row(node)[count]
    }

    /// `f(count + 1) - f(count)`: what one more walker adds, as a multiple of one draw.
    #[inline]
    pub fn marginal(&self, node: NodeId, count: usize) -> f64 {
        let row = self.row(node);
        row[count + 1] - row[count]
    }

    /// Whether no walker adds more than the one before it, on every node. Then taking the largest
    /// marginal gain again and again gives the best allocation.
    pub fn is_concave(&self) -> bool {
        let falls = |row: &[f64]| row.windows(3).all(|f| f[2] - f[1] <= f[1] - f[0] + ROUNDING);
        match &self.rows {
            Rows::Same(row) => falls(row),
            Rows::ByNode(rows) => rows.chunks(self.walkers + 1).all(falls),
        }
    }

    /// The largest `f(c) / c` of any node: the `gamma` of bounds on regret, at least 1.
    pub fn steepest(&self) -> f64 {
        let of_row = |row: &[f64]| {
            let counts = row.iter().enumerate().skip(1);
            counts.map(|(count, f)| f / count as f64).fold(1.0, f64::max)
        };
        match &self.rows {
            Rows::Same(row) => of_row(row),
            Rows::ByNode(rows) => rows.chunks(self.walkers + 1).map(of_row).fold(1.0, f64::max),
        }
    }
}

/// Checks a whole row and appends the shares of up to `walkers` walkers.
fn append(
    all: &mut Vec<f64>,
    (node, row): (NodeId, &[f64]),
    walkers: usize,
) -> Result<(), ShareError> {
    if row.len() < walkers {
        return Err(ShareError::Short { node, given: row.len(), walkers });
    }
    let mut before = 0.0;
    all.push(before);
    for (i, &share) in row.iter().enumerate() {
        let count = i + 1;
        if !(share >= 0.0 && share.is_finite()) {
            return Err(ShareError::NotAShare { node, count, share });
        }
        if count == 1 && (share - 1.0).abs() > ROUNDING {
            return Err(ShareError::First { node, share });
        }
        if share < before - ROUNDING {
            return Err(ShareError::Falls { node, count, share, before });
        }
        // Exactly 1, so that a team of one is a walker alone; and never less than before.
        before = if count == 1 { 1.0 } else { share.max(before) };
        if count <= walkers {
            all.push(before);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_by_hand() {
        let capacity = Sharing::same(4, |count| count.min(2) as f64).unwrap();
        assert_eq!(capacity.row(7), [0.0, 1.0, 2.0, 2.0, 2.0]);
        assert_eq!([0, 1, 2].map(|count| capacity.marginal(0, count)), [1.0, 1.0, 0.0]);
        assert!(capacity.is_concave());
        assert_eq!(capacity.steepest(), 1.0);
        let square = Sharing::same(3, |count| (count * count) as f64).unwrap();
        assert!(!square.is_concave());
        assert_eq!(square.steepest(), 3.0);
        let rows = [vec![1.0, 1.5], vec![1.0, 4.0, 5.0]];
        let table = Sharing::by_node(2, 2, &rows).unwrap();
        assert_eq!((table.multiple(0, 2), table.multiple(1, 2)), (1.5, 4.0));
        assert!(!table.is_concave());
        assert_eq!(table.steepest(), 2.0);
        assert_eq!(Sharing::equal(2), Sharing::same(2, |_| 1.0).unwrap());
    }

    #[test]
    fn impossible_shares_are_refused_by_name() {
        let of = |row: &[f64]| Sharing::by_node(2, 1, &[row.to_vec()]).unwrap_err().to_string();
        assert_eq!(
            of(&[1.0]),
            "the shares of node 0 end at f(1), but there are 2 walkers; give f(1) to f(2)"
        );
        assert_eq!(of(&[1.0, -0.5]), "node 0 has f(2) = -0.5; give a number of at least 0");
        assert!(of(&[1.0, f64::NAN]).starts_with("node 0 has f(2) = NaN"));
        assert!(of(&[0.5, 1.0]).starts_with("node 0 has f(1) = 0.5; it must be 1"));
        assert_eq!(
            of(&[1.0, 0.9]),
            "node 0 has f(2) = 0.9, less than f(1) = 1; shares must not fall as walkers are added"
        );
        // Shares of more walkers than there are.
        assert_eq!(of(&[1.0, 1.5, -3.0]), "node 0 has f(3) = -3; give a number of at least 0");
        assert!(of(&[1.0, 1.5, f64::NAN]).starts_with("node 0 has f(3) = NaN"));
        assert!(of(&[1.0, 1.5, f64::INFINITY]).starts_with("node 0 has f(3) = inf"));
        assert!(of(&[1.0, 1.5, 1.2]).starts_with("node 0 has f(3) = 1.2, less than f(2) = 1.5"));
        let rows = Sharing::by_node(1, 3, &[vec![1.0]]).unwrap_err().to_string();
        assert_eq!(rows, "1 rows of shares for 3 nodes; give one row per node");
    }
}

//! Labels at the ends of curves, moved apart no more than needed.

/// The places nearest to the wanted ones that keep their order, are `gap` apart and, if there is
/// room, stay between `ends`: least squares, by pooling neighbours that would touch.
///
/// # Complexity
/// O(n log n).
///
/// ```
/// use graph_bandit_figures::spread;
/// assert_eq!(spread(&[50.0, 0.0, 50.0], 10.0, [0.0, 100.0]), [45.0, 0.0, 55.0]);
/// ```
pub fn spread(wanted: &[f64], gap: f64, ends: [f64; 2]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let ascending: Vec<f64> = order.iter().map(|&i| wanted[i]).collect();
    let mut places = vec![0.0; wanted.len()];
    for (&i, place) in order.iter().zip(spread_ascending(&ascending, gap, ends)) {
        places[i] = place;
    }
    places
}

fn spread_ascending(wanted: &[f64], gap: f64, [low, high]: [f64; 2]) -> Vec<f64> {
    // Pools of (sum of shifted wanted places, members); a pool is at the mean of its wanted places.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (i, want) in wanted.iter().enumerate() {
        let mut pool = (want - gap * i as f64, 1);
        while let Some(&(sum, count)) = pools.last() {
            if sum / count as f64 <= pool.0 / pool.1 as f64 {
                break;
            }
            pool = (pool.0 + sum, pool.1 + count);
            pools.pop();
        }
        pools.push(pool);
    }
    let most = (high - gap * wanted.len().saturating_sub(1) as f64).max(low);
    // Not `clamp`, which panics if an end is NaN.
    let inside = |&(sum, count): &(f64, usize)| (sum / count as f64).min(most).max(low);
    let shifted = pools.iter().flat_map(|pool| vec![inside(pool); pool.1]);
    shifted.enumerate().map(|(i, height)| height + gap * i as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_move_apart_no_more_than_needed() {
        assert_eq!(spread(&[10.0, 50.0], 10.0, [0.0, 100.0]), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 10.0, [0.0, 100.0]), [45.0, 55.0]);
        assert_eq!(spread(&[50.0, 52.0, 54.0], 10.0, [0.0, 100.0]), [42.0, 52.0, 62.0]);
        assert_eq!(spread(&[99.0, 100.0], 10.0, [0.0, 100.0]), [90.0, 100.0]);
        assert_eq!(spread(&[0.0, 1.0], 10.0, [0.0, 100.0]), [0.0, 10.0]);
        assert_eq!(spread(&[52.0, 54.0, 50.0], 10.0, [0.0, 100.0]), [52.0, 62.0, 42.0]);
        assert_eq!(spread(&[1.0, 0.0], 10.0, [f64::NEG_INFINITY, f64::INFINITY]), [5.5, -4.5]);
        assert!(spread(&[], 10.0, [0.0, 100.0]).is_empty());
        assert_eq!(spread(&[f64::NAN, 0.0], 10.0, [f64::NAN, 1.0]).len(), 2);
    }
}

//! Names at the ends of curves, moved apart no more than needed.

/// The heights nearest to the wanted ones (ascending) that keep `gap` between each other and, if
/// there is room, stay inside: least squares, by pooling neighbours that would touch.
pub(super) fn spread(wanted: &[f64], gap: f64, [top, bottom]: [f64; 2]) -> Vec<f64> {
    // Pools of (sum of shifted wishes, members); a pool's wishes are met on average.
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
    let most = (bottom - gap * wanted.len().saturating_sub(1) as f64).max(top);
    let shifted =
        pools.iter().flat_map(|&(sum, count)| vec![(sum / count as f64).clamp(top, most); count]);
    shifted.enumerate().map(|(i, height)| height + gap * i as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_move_apart_no_more_than_needed() {
        assert_eq!(spread(&[10.0, 50.0], 10.0, [0.0, 100.0]), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 10.0, [0.0, 100.0]), [45.0, 55.0]);
        assert_eq!(spread(&[50.0, 52.0, 54.0], 10.0, [0.0, 100.0]), [42.0, 52.0, 62.0]);
        assert_eq!(spread(&[99.0, 100.0], 10.0, [0.0, 100.0]), [90.0, 100.0]);
        assert_eq!(spread(&[0.0, 1.0], 10.0, [0.0, 100.0]), [0.0, 10.0]);
        assert!(spread(&[], 10.0, [0.0, 100.0]).is_empty());
    }
}

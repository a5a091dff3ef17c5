//! Where nodes are drawn: at their coordinates, or where a layout puts them.

use super::layout::layout_of;
use graph_bandit::Graph;

/// The places of a graph's nodes, y downward: its coordinates if it has any, otherwise a layout.
///
/// # Complexity
/// O(|S| + |E|) for coordinates, complete graphs and trees. Otherwise 128 breadth-first searches,
/// plus about 200 million steps or five sweeps over pairs of nodes and pivots, whichever is more;
/// O(128 |S|) memory.
pub fn places_of(graph: &Graph) -> Vec<[f64; 2]> {
    graph.coordinates().map_or_else(|| layout_of(graph), <[_]>::to_vec)
}

/// The places of a graph's nodes on a map: y upward, centred on the origin, in a square of side 1
/// that they fill in at least one direction, to seven decimals.
///
/// They are the coordinates if there are any, otherwise the layout of [`places_of`]. Coordinates
/// that look like degrees are drawn with their true width on the ground.
///
/// # Complexity
/// As [`places_of`].
///
/// ```
/// use graph_bandit::Graph;
/// use graph_bandit_figures::positions_of;
/// let line = Graph::from_edges(3, [(0, 1), (1, 2)])?;
/// assert_eq!(positions_of(&line), [[-0.5, 0.0], [0.0, 0.0], [0.5, 0.0]]);
/// # Ok::<(), graph_bandit::GraphError>(())
/// ```
pub fn positions_of(graph: &Graph) -> Vec<[f64; 2]> {
    match graph.coordinates() {
        Some(coordinates) => {
            let ends = [0, 1].map(|axis| Ends::of(coordinates, axis));
            let width =
                if look_like_degrees(ends) { longitude_width(ends[1].middle()) } else { 1.0 };
            in_unit_square(coordinates.iter().map(|&[x, y]| [width * x, y]).collect())
        }
        None => in_unit_square(layout_of(graph).into_iter().map(|[x, y]| [x, -y]).collect()),
    }
}

/// The width of a degree of longitude at a latitude, in degrees of latitude.
pub(super) fn longitude_width(latitude: f64) -> f64 {
    libm::cos(latitude.to_radians())
}

/// Beyond this, differences overflow.
const HUGE: f64 = 1e150;
/// Positions are rounded to this many parts of the square: finer than a hand's breadth in a town.
const GRAIN: f64 = 1e7;

/// The least and the greatest of some numbers.
#[derive(Debug, Clone, Copy)]
struct Ends {
    low: f64,
    high: f64,
}

impl Ends {
    fn of(places: &[[f64; 2]], axis: usize) -> Self {
        let none = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        places
            .iter()
            .map(|place| place[axis].clamp(-HUGE, HUGE))
            .fold(none, |ends, value| Self { low: ends.low.min(value), high: ends.high.max(value) })
    }

    fn span(self) -> f64 {
        self.high - self.low
    }

    fn middle(self) -> f64 {
        0.5 * (self.low + self.high)
    }

    fn farthest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}

/// Whether coordinates of unknown kind are degrees: a small patch, far from the origin for its
/// size, within the range of degrees. Anything else is a plane.
fn look_like_degrees([x, y]: [Ends; 2]) -> bool {
    let size = x.span().max(y.span());
    let is_possible = x.farthest() <= 180.0 && y.farthest() <= 85.0;
    let is_patch = size > 0.0 && size < 3.0;
    let is_afar = x.middle().abs() > 3.0 * size && y.middle().abs() > 3.0 * size;
    is_possible && is_patch && is_afar
}

fn in_unit_square(mut places: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let ends = [0, 1].map(|axis| Ends::of(&places, axis));
    let size = ends[0].span().max(ends[1].span());
    // Nodes on one spot, or too close to divide by their distance, stay on one spot.
    let scale = if size > 1.0 / HUGE { 1.0 / size } else { 0.0 };
    for place in &mut places {
        for (value, ends) in place.iter_mut().zip(ends) {
            let inside = (value.clamp(-HUGE, HUGE) - ends.middle()) * scale;
            // Avoids negative zero.
            *value = (inside * GRAIN).round() / GRAIN + 0.0;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn road(coordinates: Vec<[f64; 2]>) -> Graph {
        let nodes = coordinates.len() as u32;
        let edges = (1..nodes).map(|node| (node - 1, node));
        let graph = Graph::from_edges(coordinates.len(), edges).unwrap();
        graph.with_coordinates(coordinates).unwrap()
    }

    #[test]
    fn coordinates_are_moved_and_scaled_alike() {
        let plane = road(vec![[100.0, 10.0], [300.0, 110.0], [200.0, 60.0]]);
        assert_eq!(positions_of(&plane), [[-0.5, -0.25], [0.5, 0.25], [0.0, 0.0]]);
        assert_eq!(positions_of(&road(vec![[3.0, 4.0], [3.0, 4.0]])), [[0.0, 0.0]; 2]);
        assert_eq!(positions_of(&road(vec![[0.0, 0.0], [5e-324, 0.0]])), [[0.0, 0.0]; 2]);
        let huge = positions_of(&road(vec![[-1e308, 0.0], [1e308, 1e308]]));
        assert_eq!(huge, [[-0.5, -0.25], [0.5, 0.25]]);
    }

    /// cos 52.505 degrees is 0.6087.
    #[test]
    fn a_town_in_degrees_has_its_true_width() {
        let berlin = positions_of(&road(vec![[13.4, 52.5], [13.41, 52.51]]));
        assert!((berlin[1][0] - 0.5 * 0.6087).abs() < 1e-4 && berlin[1][1] == 0.5, "{berlin:?}");
        for plane in
            [[[0.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [9.0, 9.0]], [[190.0, 50.0], [191.0, 51.0]]]
        {
            assert_eq!(positions_of(&road(plane.to_vec()))[1], [0.5, 0.5], "{plane:?}");
        }
    }

    #[test]
    fn trees_hang_down_when_y_points_up() {
        let tree = Graph::tree(7, 2).unwrap();
        let (down, up) = (places_of(&tree), positions_of(&tree));
        assert!(down[0][1] < down[3][1] && up[0][1] > up[3][1]);
        assert_eq!(positions_of(&Graph::from_edges(1, []).unwrap()), [[0.0, 0.0]]);
    }
}

//! The length of a line.

use crate::map::System;

/// The mean radius of the earth in metres, as in `OSMnx`.
const EARTH_RADIUS: f64 = 6_371_009.0;

/// The length of a line through these places: in metres on the sphere, in their unit in the plane.
pub(crate) fn length(places: &[[f64; 2]], system: System) -> f64 {
    let step = |pair: &[[f64; 2]]| match system {
        System::Geographic => great_circle(pair[0], pair[1]),
        System::Plane => libm::hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]),
    };
    places.windows(2).map(step).sum()
}

/// The haversine formula, which is also exact for small distances.
fn great_circle(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [lon_a, lat_a] = a.map(f64::to_radians);
    let [lon_b, lat_b] = b.map(f64::to_radians);
    let (north, east) = (libm::sin(0.5 * (lat_b - lat_a)), libm::sin(0.5 * (lon_b - lon_a)));
    let square = north * north + libm::cos(lat_a) * libm::cos(lat_b) * east * east;
    2.0 * EARTH_RADIUS * libm::asin(square.sqrt().min(1.0))
}

/// Whether this can be a longitude and a latitude.
pub(crate) fn is_on_earth([lon, lat]: [f64; 2]) -> bool {
    lon.abs() <= 180.0 && lat.abs() <= 90.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_degree_of_the_equator_and_a_quarter_of_a_meridian() {
        let degree = length(&[[10.0, 0.0], [11.0, 0.0]], System::Geographic);
        assert!((degree - EARTH_RADIUS.to_radians()).abs() < 1e-6, "{degree}");
        let quarter = length(&[[7.0, 0.0], [7.0, 45.0], [-120.0, 90.0]], System::Geographic);
        assert!((quarter - 90.0 * EARTH_RADIUS.to_radians()).abs() < 1e-6, "{quarter}");
    }

    /// Paris to New York, by the spherical law of cosines.
    #[test]
    fn far_places_by_another_formula() {
        let (paris, new_york) = ([2.3522_f64, 48.8566_f64], [-74.006_f64, 40.7128_f64]);
        let [lat_a, lat_b] = [paris[1].to_radians(), new_york[1].to_radians()];
        let east = (paris[0] - new_york[0]).to_radians();
        let cosine = lat_a.sin() * lat_b.sin() + lat_a.cos() * lat_b.cos() * east.cos();
        let expected = EARTH_RADIUS * cosine.acos();
        let found = length(&[paris, new_york], System::Geographic);
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }

    #[test]
    fn the_plane_is_flat() {
        assert_eq!(length(&[[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]], System::Plane), 6.0);
    }
}

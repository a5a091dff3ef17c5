//! How far apart colours are, for four kinds of colour vision.

use super::lab::{apply, lab, linear};

/// A kind of colour vision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vision {
    Full,
    Protanopia,
    Deuteranopia,
    Tritanopia,
}

impl Vision {
    pub(super) const ALL: [Self; 4] =
        [Self::Full, Self::Protanopia, Self::Deuteranopia, Self::Tritanopia];

    /// After Machado, Oliveira and Fernandes (2009), at full severity, on linear light.
    fn matrix(self) -> [[f64; 3]; 3] {
        match self {
            Self::Full => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Self::Protanopia => [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            Self::Deuteranopia => [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
            Self::Tritanopia => [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        }
    }

    /// The difference it sees between two colours: CIEDE2000.
    pub(super) fn difference(self, a: u32, b: u32) -> f64 {
        let [a, b] = [a, b].map(|rgb| lab(apply(self.matrix(), linear(rgb))));
        ciede2000(a, b)
    }
}

/// The contrast ratio of two colours, as in the web content accessibility guidelines.
#[cfg(test)]
pub(super) fn contrast(a: u32, b: u32) -> f64 {
    let luminance = |rgb| apply([[0.2126, 0.7152, 0.0722]; 3], linear(rgb))[0] + 0.05;
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// After Sharma, Wu and Dalal (2005), with their names.
fn ciede2000([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let seventh = |c: f64| {
        let c7 = libm::pow(c, 7.0);
        (c7 / (c7 + libm::pow(25.0, 7.0))).sqrt()
    };
    let stretch = 1.5 - 0.5 * seventh(0.5 * (libm::hypot(a1, b1) + libm::hypot(a2, b2)));
    let polar = |a: f64, b: f64| {
        let hue = libm::atan2(b, stretch * a).to_degrees().rem_euclid(360.0);
        (libm::hypot(stretch * a, b), hue)
    };
    let ((c1, h1), (c2, h2)) = (polar(a1, b1), polar(a2, b2));
    let grey = c1 * c2 == 0.0;
    let turn = if grey { 0.0 } else { (h2 - h1 + 180.0).rem_euclid(360.0) - 180.0 };
    let hue = if grey { h1 + h2 } else { (h1 + 0.5 * turn).rem_euclid(360.0) };
    let (l, c) = (0.5 * (l1 + l2), 0.5 * (c1 + c2));
    let cos = |degrees: f64| libm::cos(degrees.to_radians());
    let t = 1.0 - 0.17 * cos(hue - 30.0) + 0.24 * cos(2.0 * hue) + 0.32 * cos(3.0 * hue + 6.0)
        - 0.20 * cos(4.0 * hue - 63.0);
    let lightness = (l2 - l1)
        / (1.0 + 0.015 * (l - 50.0) * (l - 50.0) / (20.0 + (l - 50.0) * (l - 50.0)).sqrt());
    let chroma = (c2 - c1) / (1.0 + 0.045 * c);
    let around =
        2.0 * (c1 * c2).sqrt() * libm::sin((0.5 * turn).to_radians()) / (1.0 + 0.015 * c * t);
    let bend = (hue - 275.0) / 25.0;
    let rotation = -2.0 * seventh(c) * libm::sin((60.0 * libm::exp(-bend * bend)).to_radians());
    let squares = lightness * lightness + chroma * chroma + around * around;
    (squares + rotation * chroma * around).sqrt()
}

/// Pairs 1, 4, 7, 10, 17 and 24 of the paper's table.
#[test]
fn the_difference_matches_the_table() {
    let table = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0010], 7.1792),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [50.0, 3.2592, 0.3350], 1.0000),
    ];
    for (a, b, wanted) in table {
        let found = ciede2000(a, b);
        assert!((found - wanted).abs() < 1e-3, "{a:?} {b:?}: {found}");
    }
}

//! Colours in perceptual coordinates.

/// The linear light of a colour in red, green and blue.
pub(super) fn linear(rgb: u32) -> [f64; 3] {
    [16, 8, 0].map(|shift| {
        let c = f64::from(rgb >> shift & 0xff) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
    })
}

pub(super) fn apply(matrix: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
}

/// CIE 1976 L*a*b* under D65.
pub(super) fn lab(light: [f64; 3]) -> [f64; 3] {
    let to_xyz = [
        [0.412_456, 0.357_576, 0.180_438],
        [0.212_673, 0.715_152, 0.072_175],
        [0.019_334, 0.119_192, 0.950_304],
    ];
    let [x, y, z] = apply(to_xyz, light.map(|c| c.clamp(0.0, 1.0)));
    let [x, y, z] = [x / 0.950_47, y, z / 1.088_83]
        .map(|t| if t > 0.008_856 { libm::cbrt(t) } else { 7.787 * t + 16.0 / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

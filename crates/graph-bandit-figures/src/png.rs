//! PNG images with an embedded font: the same bytes whichever fonts a machine has.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

/// `DejaVu` Sans, reduced to Latin, Greek, digits and signs; see `assets/LICENSE-DEJAVU`.
const REGULAR: &[u8] = include_bytes!("../assets/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("../assets/DejaVuSans-Bold.ttf");
const FAMILY: &str = "DejaVu Sans";
/// The most pixels on a side.
const MOST: u32 = 20_000;

/// Why a drawing cannot be rendered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PngError {
    /// The text is not an SVG drawing.
    #[error("this is not an SVG drawing: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The size is impossible.
    #[error("{width} x {height} pixels cannot be drawn; a side must have 1 to {MOST}")]
    Size {
        /// The requested width.
        width: u32,
        /// The height that follows from it.
        height: u32,
    },
    /// The pixels could not be encoded.
    #[error("the pixels could not be encoded: {reason}")]
    Packing {
        /// The cause.
        reason: String,
    },
}

/// The drawing as a PNG file of this width in pixels, in the light colours of
/// [`Theme::Light`](super::Theme::Light).
///
/// # Errors
/// When the text is not an SVG drawing or the size is impossible.
pub fn render_png(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    let tree = parse(svg)?;
    let scale = width as f32 / tree.size().width();
    let height = libm::ceilf(tree.size().height() * scale - 0.01) as u32;
    let pixels = if width <= MOST && height <= MOST { Pixmap::new(width, height) } else { None };
    let mut pixels = pixels.ok_or(PngError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Packing { reason: error.to_string() })
}

/// Reads a drawing with the embedded font.
pub(super) fn parse(svg: &str) -> Result<Tree, PngError> {
    let mut options = Options { font_family: FAMILY.to_owned(), ..Options::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(BOLD.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    Ok(Tree::from_str(svg, &options)?)
}

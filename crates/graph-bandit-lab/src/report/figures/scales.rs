//! The scales of a figure's axes: `scale = "log"` in a study.

use crate::figure_request::{FigureOption, FigureRequest, OptionKind};
use graph_bandit_figures::Axis;

const LINEAR: &str = "linear";
const LOG: &str = "log";
const LOG_LOG: &str = "log-log";

/// The option of figures that are linear by default.
pub(super) const SCALE: FigureOption = FigureOption {
    name: "scale",
    help: "The scale of the vertical axis, with `log-log` of both; what is not positive is left out of a logarithmic one. \
           `log` tells agents apart that lie near the zero line.",
    kind: OptionKind::Choice(&[LINEAR, LOG, LOG_LOG]),
};

/// The option of figures of ratios, which are logarithmic by default: half as much is as far from one as
/// twice as much.
pub(super) const SCALE_OF_RATIOS: FigureOption = FigureOption {
    name: "scale",
    help: "The scale of the vertical axis.",
    kind: OptionKind::Choice(&[LOG, LINEAR]),
};

/// The horizontal and the vertical axis of a figure with [`SCALE`].
pub(super) fn axes(request: &FigureRequest, [x, y]: [&str; 2]) -> [Axis; 2] {
    match request.choice(&SCALE) {
        LOG => [Axis::linear(x), Axis::log(y)],
        LOG_LOG => [Axis::log(x), Axis::log(y)],
        _ => [Axis::linear(x), Axis::linear(y)],
    }
}

/// The vertical axis of a figure with [`SCALE_OF_RATIOS`].
pub(super) fn axis_of_ratios(request: &FigureRequest, label: String) -> Axis {
    match request.choice(&SCALE_OF_RATIOS) {
        LINEAR => Axis::linear(label),
        _ => Axis::log(label),
    }
}

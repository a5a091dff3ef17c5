//! The scales of a figure's axes: `scale = "log"` in a study.

use crate::figure_request::{FigureOption, FigureRequest, OptionKind};
use graph_bandit_figures::Axis;

const LINEAR: &str = "linear";
const LOG: &str = "log";
const LOG_LOG: &str = "log-log";

/// The option of figures that are linear by default.
pub(super) const SCALE: FigureOption = FigureOption {
    name: "scale",
    help: "The scale of the vertical axis; `log-log` sets both axes. A logarithmic axis leaves out values that are not positive. \
           `log` separates agents that lie near the zero line.",
    kind: OptionKind::Choice(&[LINEAR, LOG, LOG_LOG]),
};

/// The option of figures of ratios, which are logarithmic by default: half as much is as far from
/// one as twice as much.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study_file::StudyFile;
    use graph_bandit_figures::ScaleKind;
    use std::path::Path;

    /// A study of one case with one figure of these lines.
    fn study(figure: &str) -> Result<StudyFile, String> {
        let head = "name = \"mine\"\ntitle = \"Mine\"\nbaseline = \"g-star\"\n\
                    cases = [{ graph = \"line:3\", x = 1.0 }]\n[[figures]]\n";
        StudyFile::parse(&format!("{head}{figure}\n"), Path::new("mine.toml"))
            .map_err(|error| error.to_string())
    }

    fn scales(figure: &str) -> [ScaleKind; 2] {
        axes(&study(figure).unwrap().figures[0], ["t", "regret"]).map(|axis| axis.scale)
    }

    #[test]
    fn figures_have_the_requested_scale() {
        use ScaleKind::{Linear, Log};
        for kind in ["curves", "together", "traces", "final\"\naxis = \"n"] {
            let with = |scale: &str| scales(&format!("kind = \"{kind}\"\n{scale}"));
            assert_eq!(with(""), [Linear, Linear], "{kind}");
            assert_eq!(with("scale = \"linear\""), [Linear, Linear], "{kind}");
            assert_eq!(with("scale = \"log\""), [Linear, Log], "{kind}");
            assert_eq!(with("scale = \"log-log\""), [Log, Log], "{kind}");
        }
        for kind in ["ratios", "profile"] {
            let with = |scale: &str| {
                let study = study(&format!("kind = \"{kind}\"\n{scale}")).unwrap();
                axis_of_ratios(&study.figures[0], String::new()).scale
            };
            assert_eq!(with(""), Log, "{kind}");
            assert_eq!(with("scale = \"linear\""), Linear, "{kind}");
        }
    }

    #[test]
    fn unknown_scales_are_refused_with_a_list_of_known_scales() {
        let refused = |figure: &str| study(figure).unwrap_err();
        let error = refused("kind = \"curves\"\nscale = \"cubic\"");
        assert!(error.starts_with("mine.toml:5:"), "{error}");
        let says = "scale: unknown value `cubic`, expected one of `linear`, `log`, `log-log`";
        assert!(error.contains(says), "{error}");
        let error = refused("kind = \"ratios\"\nscale = \"log-log\"");
        assert!(error.contains("expected one of `log`, `linear`"), "{error}");
        let error = refused("kind = \"curves\"\nscale = 2");
        assert!(error.contains("scale: invalid type: integer `2`, expected a string"), "{error}");
        let error = refused("kind = \"networks\"\nscale = \"log\"");
        assert!(error.contains("unknown field `scale`"), "{error}");
    }

    /// Studies without a scale keep their bytes and their fingerprint.
    #[test]
    fn a_scale_is_written_only_if_given() {
        let written = |figure: &str| toml::to_string(&study(figure).unwrap()).unwrap();
        assert!(!written("kind = \"curves\"").contains("scale"));
        let log = written("kind = \"curves\"\nscale = \"log\"");
        assert!(log.contains("scale = \"log\""), "{log}");
        let again = StudyFile::parse(&log, Path::new("again.toml")).unwrap();
        assert_eq!(again.figures, study("kind = \"curves\"\nscale = \"log\"").unwrap().figures);
    }
}

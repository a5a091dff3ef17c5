//! Whether a page's studies were run in full, and the notice if not.

use super::{Ledger, Report};

/// Whether a page's studies were run in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Extent {
    /// They were.
    Full,
    /// With fewer runs than their files ask for.
    Quick(Fewer),
}

/// How many fewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fewer {
    /// The same numbers in every study.
    Alike { runs: u64, instead_of: u64 },
    /// Different numbers in different studies.
    Differently,
}

impl Extent {
    pub(super) fn of(report: &Report, ledger: Option<&Ledger>) -> Self {
        let mut pairs = Vec::new();
        for study in report.studies.iter().filter(|study| !study.rows.is_empty()) {
            if let Some(full) = ledger.and_then(|ledger| (ledger.full_runs)(&study.name)) {
                pairs.push((study.runs, full));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        match pairs.as_slice() {
            [(runs, full)] if runs < full => {
                Self::Quick(Fewer::Alike { runs: *runs, instead_of: *full })
            }
            pairs if pairs.iter().any(|(runs, full)| runs < full) => {
                Self::Quick(Fewer::Differently)
            }
            _ => Self::Full,
        }
    }

    /// What to write after a verdict.
    pub(super) fn mark(&self) -> &'static str {
        match self {
            Self::Full => "",
            Self::Quick(_) => " (quick)",
        }
    }

    /// The notice at the top of the page, as HTML.
    pub(super) fn notice(&self) -> String {
        let runs = match self {
            Self::Full => return String::new(),
            Self::Quick(Fewer::Alike { runs, instead_of }) => {
                let runs = if *runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
                format!("{runs} of each agent on each case instead of {instead_of}")
            }
            Self::Quick(Fewer::Differently) => "fewer runs than the experiments have".to_owned(),
        };
        format!(
            "<p class=\"quick\"><b>A quick look</b>: {runs}. Numbers and verdicts may change with more; without \
             <code>--quick</code> and <code>--runs</code> all are made.</p>\n"
        )
    }
}

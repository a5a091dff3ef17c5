//! The opening of a page: its title, the results in a few sentences, and the figures to look at
//! first.

use super::{Report, ReportRow, StudyReport};

/// The opening of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// The title of the page.
    pub title: String,
    /// The results, as plain text.
    pub results: Vec<Sentence>,
    /// The ids of the figures to show first.
    pub figures: Vec<String>,
}

/// A sentence, and the claims it summarizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// The ids of claims to link to.
    pub claims: Vec<String>,
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self { text, claims: Vec::new() }
    }
}

impl Opening {
    /// The opening of a page of any studies: which agent has the least regret in each.
    pub(super) fn of(report: &Report) -> Self {
        // The page of a single study has the study's title.
        let named = |study: &StudyReport| match report.studies.len() {
            1 => least_regret(study),
            _ => Some(format!("{}: {}", study.title, least_regret(study)?)),
        };
        Self {
            title: title(report),
            results: report.studies.iter().filter_map(named).map(Sentence::from).collect(),
            figures: Vec::new(),
        }
    }
}

fn title(report: &Report) -> String {
    let titles: Vec<&str> = report.studies.iter().map(|study| study.title.as_str()).collect();
    match titles.as_slice() {
        [first, _, _, ..] => format!("{first} and {} more studies", titles.len() - 1),
        few => few.join(", "),
    }
}

/// On how many cases each agent has the least mean regret at the last step; `None` if no two agents
/// share a case.
fn least_regret(study: &StudyReport) -> Option<String> {
    let mut cases: Vec<&str> = Vec::new();
    for row in study.shown_rows() {
        if !cases.contains(&row.case.as_str()) {
            cases.push(&row.case);
        }
    }
    let mut wins: Vec<(&str, usize)> = Vec::new();
    let mut met = 0;
    for case in cases {
        let rows: Vec<&ReportRow> = study.shown_rows().filter(|row| row.case == case).collect();
        if rows.len() < 2 {
            continue;
        }
        let means = rows.iter().filter_map(|row| Some((row.agent.as_str(), row.final_mean()?)));
        let Some((best, _)) = means.min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        met += 1;
        match wins.iter_mut().find(|(agent, _)| *agent == best) {
            Some((_, count)) => *count += 1,
            None => wins.push((best, 1)),
        }
    }
    wins.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let ((first, count), others) = wins.split_first()?;
    if met == 1 {
        return Some(format!("{first} has the least mean regret."));
    }
    let others: Vec<String> =
        others.iter().map(|(agent, count)| format!(", {agent} on {count}")).collect();
    let others = others.concat();
    Some(format!("{first} has the least mean regret on {count} of {met} cases{others}."))
}

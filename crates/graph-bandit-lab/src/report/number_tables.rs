//! The page's table of a study: regret at the last step, in the preset and window of the figures.

use super::{ReportRow, StudyReport};
use graph_bandit_figures::escape;
use graph_bandit_figures::scale::short;
use std::fmt::Write;

/// All agents case by case, folded; empty if nothing was run.
pub(super) fn numbers(study: &StudyReport) -> String {
    let body = by_case(study.shown_rows(), |row| &row.case, 5, row);
    if body.is_empty() {
        return String::new();
    }
    format!(
        "<details><summary>Numbers</summary><div class=\"scroll\"><table class=\"numbers\"><thead><tr>\
         <th>agent</th><th class=\"number\">regret</th><th class=\"number\">95% interval</th>\
         <th class=\"number\">SD</th><th class=\"number\">legs</th></tr></thead>{body}</table></div></details>\n"
    )
}

/// Rows under the title of their case, which spans `columns` columns.
pub(super) fn by_case<'a, R: 'a>(
    rows: impl Iterator<Item = &'a R>,
    case: fn(&R) -> &str,
    columns: usize,
    html: fn(&R) -> String,
) -> String {
    let mut body = String::new();
    let mut last = None;
    for row in rows {
        if last != Some(case(row)) {
            if last.is_some() {
                body.push_str("</tbody>");
            }
            last = Some(case(row));
            // Writing to a string cannot fail.
            let _ = writeln!(
                body,
                "<tbody><tr><th class=\"case\" colspan=\"{columns}\" scope=\"rowgroup\">{}</th></tr>",
                escape(case(row))
            );
        }
        body.push_str(&html(row));
    }
    if last.is_some() {
        body.push_str("</tbody>");
    }
    body
}

fn row(row: &ReportRow) -> String {
    let stats = &row.stats;
    let last =
        |values: &[Option<f64>]| values.last().copied().flatten().map_or("–".to_owned(), short);
    let interval = match stats.ci95.last() {
        Some(Some((low, high))) => format!("{} .. {}", short(*low), short(*high)),
        _ => "–".to_owned(),
    };
    format!(
        "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{interval}</td>\
         <td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        escape(&row.agent),
        row.final_mean().map_or("–".to_owned(), short),
        last(&stats.sd),
        short(stats.legs_mean),
    )
}

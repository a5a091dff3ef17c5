//! The page: one file that opens offline.

use super::comparison_tables::comparison_tables;
use super::ledger::{ClaimReport, Ledger};
use super::ledger_page::{claim, ledger_section};
use super::style::STYLE;
use super::{Report, ReportRow, StudyReport};
use graph_bandit_figures::palette::style_sheet;
use graph_bandit_figures::scale::short;
use graph_bandit_figures::{Figure, HOVER_SCRIPT, draw_html, escape};

/// The whole page. What depends on measured times stands between two comments, so that the rest can
/// be compared byte by byte.
pub(super) fn page(
    (report, ledger): (&Report, Option<&Ledger>),
    figures: &[Figure],
    timed: &[Figure],
    timed_claim: Option<&ClaimReport>,
) -> String {
    let ledger = ledger.filter(|_| !report.claims.is_empty());
    let title = ledger.map_or_else(|| title_of_studies(report), |ledger| ledger.title.to_owned());
    let studies: String =
        report.studies.iter().map(|study| section(study, figures, timed, timed_claim)).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <style>{STYLE}{figure_style}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{intro}{nav}</header>\n\
         <main>\n{ledger}{studies}</main>\n<footer>graph-bandit {version}. Data beside this page: \
         <code>summary.json</code>, <code>curves.parquet</code>, <code>runs.parquet</code>, \
         <code>timings.json</code>, <code>figures/</code>.</footer>\n\
         <script>{HOVER_SCRIPT}</script>\n</body>\n</html>\n",
        title = escape(&title),
        figure_style = style_sheet(),
        intro = intro(report),
        nav = nav(report, ledger),
        ledger = ledger.map(|l| ledger_section(l, &report.claims, timed)).unwrap_or_default(),
        version = escape(&report.version),
    )
}

fn title_of_studies(report: &Report) -> String {
    let titles: Vec<&str> = report.studies.iter().map(|study| study.title.as_str()).collect();
    match titles.as_slice() {
        [first, _, _, ..] => format!("{first} and {} more studies", titles.len() - 1),
        few => few.join(", "),
    }
}

fn intro(report: &Report) -> String {
    let Some(study) = report.studies.first() else { return String::new() };
    let window = study.window.entry().steps;
    format!(
        "<p>Figures show preset <b>{}</b>, regret over {window}; bands are 95% confidence intervals \
         of the mean, bars one standard deviation over runs. Every number is expected regret unless \
         said. Point at a curve to read its values.</p>\n",
        study.preset
    )
}

fn nav(report: &Report, ledger: Option<&Ledger>) -> String {
    if report.studies.len() < 2 {
        return String::new();
    }
    let ledger = ledger.map_or("", |_| "<a href=\"#claims\">Claims</a> ");
    let links = report
        .studies
        .iter()
        .map(|study| format!("<a href=\"#{}\">{}</a> ", escape(&study.name), escape(&study.title)));
    format!("<nav>{ledger}{}</nav>\n", links.collect::<String>())
}

fn section(
    study: &StudyReport,
    figures: &[Figure],
    timed: &[Figure],
    timed_claim: Option<&ClaimReport>,
) -> String {
    let own: String =
        figures.iter().filter(|f| study.figures.contains(&f.id)).map(draw_html).collect();
    let times: Vec<&Figure> = timed.iter().filter(|f| f.id == study.name).collect();
    let times = if times.is_empty() {
        String::new()
    } else {
        let figures: String = times.into_iter().map(draw_html).collect();
        let claim = timed_claim.map(claim).unwrap_or_default();
        format!("<!-- measured -->\n{figures}{claim}<!-- /measured -->\n")
    };
    // A study that only draws graphs makes no runs.
    let settings = if study.rows.is_empty() {
        String::new()
    } else {
        format!(
            "{} steps, {} runs, seed {}, means {}, noise {} unless a case has its own.",
            short(study.steps as f64),
            study.runs,
            study.seed,
            escape(&study.means),
            escape(&study.noise)
        )
    };
    let place =
        if study.place.is_empty() { String::new() } else { format!("{}. ", escape(&study.place)) };
    format!(
        "<section id=\"{}\"><h2>{}</h2>\n<p class=\"soft\">{place}{settings}</p>\n\
         {}{own}{times}{}{}</section>\n",
        escape(&study.name),
        escape(&study.title),
        paragraph(&study.about),
        study.comparison.as_ref().map(comparison_tables).unwrap_or_default(),
        table(study)
    )
}

fn paragraph(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p>{}</p>\n", escape(text)) }
}

/// Regret at the last step, in the preset and window that the figures show.
fn table(study: &StudyReport) -> String {
    let rows: Vec<&ReportRow> = study
        .rows
        .iter()
        .filter(|row| row.preset == study.preset && row.window == study.window)
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let body: String = rows.into_iter().map(table_row).collect();
    format!(
        "<details><summary>Numbers</summary><div class=\"scroll\"><table><thead><tr><th>case</th>\
         <th>agent</th><th class=\"number\">regret</th><th class=\"number\">95% interval</th>\
         <th class=\"number\">SD</th><th class=\"number\">legs</th></tr></thead><tbody>{body}\
         </tbody></table></div></details>\n"
    )
}

fn table_row(row: &ReportRow) -> String {
    let stats = &row.stats;
    let last =
        |values: &[Option<f64>]| values.last().copied().flatten().map_or("–".to_owned(), short);
    let interval = match stats.ci95.last() {
        Some(Some((low, high))) => format!("{} .. {}", short(*low), short(*high)),
        _ => "–".to_owned(),
    };
    format!(
        "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{interval}</td>\
         <td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        escape(&row.case),
        escape(&row.agent),
        stats.mean.last().map_or("–".to_owned(), |&mean| short(mean)),
        last(&stats.sd),
        short(stats.legs_mean),
    )
}

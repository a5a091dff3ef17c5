//! The page: one file that opens offline.

use super::comparison_tables::comparison_tables;
use super::style::STYLE;
use super::{Report, ReportRow, StudyReport};
use crate::campaign::{preset_name, window_name};
use crate::claims::{ClaimReport, Judgement, Verdict};
use graph_bandit::Window;
use graph_bandit_figures::palette::style_sheet;
use graph_bandit_figures::scale::short;
use graph_bandit_figures::{Figure, HOVER_SCRIPT, draw_html, escape};

/// The whole page. What depends on measured times stands between two comments, so that the rest can
/// be compared byte by byte.
pub(super) fn page(
    report: &Report,
    figures: &[Figure],
    timed: &[Figure],
    timed_claim: Option<&ClaimReport>,
) -> String {
    let title = if report.claims.is_empty() {
        let titles: Vec<&str> = report.studies.iter().map(|study| study.title.as_str()).collect();
        match titles.as_slice() {
            [first, _, _, ..] => format!("{first} and {} more studies", titles.len() - 1),
            few => few.join(", "),
        }
    } else {
        "Multi-armed bandit learning on a graph, reproduced".to_owned()
    };
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
        nav = nav(report),
        ledger = ledger(&report.claims, timed),
        version = escape(&report.version),
    )
}

fn intro(report: &Report) -> String {
    let Some(study) = report.studies.first() else { return String::new() };
    let window = match study.window {
        Window::First => "the first T steps after initialization",
        Window::Last => {
            "the last T steps of whole legs (as in the paper's published figures; \
             the costliest steps of learning are left out)"
        }
    };
    format!(
        "<p>Figures show preset <b>{}</b>, regret over {window}; bands are 95% confidence intervals \
         of the mean, bars one standard deviation over runs. Every number is expected regret unless \
         said. Point at a curve to read its values.</p>\n",
        preset_name(study.preset)
    )
}

fn nav(report: &Report) -> String {
    if report.studies.len() < 2 {
        return String::new();
    }
    let ledger = if report.claims.is_empty() { "" } else { "<a href=\"#claims\">Claims</a> " };
    let links = report
        .studies
        .iter()
        .map(|study| format!("<a href=\"#{}\">{}</a> ", escape(&study.name), escape(&study.title)));
    format!("<nav>{ledger}{}</nav>\n", links.collect::<String>())
}

/// The ledger of claims.
fn ledger(claims: &[ClaimReport], timed: &[Figure]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let rows: String = claims.iter().map(claim).collect();
    let times = if timed.is_empty() {
        ""
    } else {
        " What is said of run times is judged beside their figure."
    };
    format!(
        "<section id=\"claims\"><h2>The ledger of claims</h2>\n<p>What the paper's text says of its \
         experiments, and what these runs say of it: with the paper's own details and with those of \
         the authors' program, over the first T steps (honest) and over the last T (what that \
         program reports). Every interval is one of 95% by itself, not corrected for how many there \
         are: of twenty comparisons between equals, one is expected to look like a difference.\
         {times}</p>\n<p class=\"soft\">● holds, ◐ holds in part or is left open by its intervals, ○ does not hold</p>\n{}{rows}\
         </section>\n",
        verdict_table(claims)
    )
}

/// All verdicts at a glance: a row per claim, a column per preset and window.
fn verdict_table(claims: &[ClaimReport]) -> String {
    let head = claims.first().map_or(String::new(), |claim| {
        claim.judgements.iter().map(|j| th(&cell_name(j))).collect()
    });
    let rows: String = claims.iter().map(verdict_row).collect();
    format!(
        "<div class=\"scroll\"><table class=\"verdicts\"><thead><tr><th>claim</th><th>where</th>{head}\
         </tr></thead><tbody>{rows}</tbody></table></div>\n"
    )
}

fn verdict_row(claim: &ClaimReport) -> String {
    let cells: String = claim.judgements.iter().map(verdict_mark).collect();
    format!(
        "<tr><td><a href=\"#claim-{}\">{}</a></td><td class=\"soft\">{}</td>{cells}</tr>\n",
        escape(&claim.id),
        escape(&claim.id.replace('-', " ")),
        escape(&claim.place),
    )
}

fn th(text: &str) -> String {
    format!("<th class=\"mark\">{}</th>", escape(text))
}

/// A verdict as a mark that also those who cannot see colours can read.
fn verdict_mark(judgement: &Judgement) -> String {
    let mark = match judgement.verdict {
        Verdict::Holds => "●",
        Verdict::HoldsInPart => "◐",
        Verdict::DoesNotHold => "○",
    };
    let (class, words) = (verdict_class(judgement.verdict), judgement.verdict);
    format!(
        "<td class=\"mark {class}\" title=\"{words}\"><b aria-label=\"{words}\" role=\"img\">{mark}</b></td>"
    )
}

fn claim(claim: &ClaimReport) -> String {
    let cells: String = claim.judgements.iter().map(verdict_cell).collect();
    let measured: String = claim.judgements.iter().map(measured_figures).collect();
    let explanation = if claim.explanation.is_empty() {
        String::new()
    } else {
        format!("<p>{}</p>", escape(&claim.explanation))
    };
    format!(
        "<div class=\"claim\" id=\"claim-{}\"><blockquote>“{}”</blockquote>\n\
         <div class=\"where\">{}</div><div class=\"cells\">{cells}</div>\n\
         <details><summary>How it was judged</summary><p>{}</p>\
         <ul class=\"figures-of-claim\">{measured}</ul>{explanation}</details></div>\n",
        escape(&claim.id),
        escape(&claim.sentence),
        escape(&claim.place),
        escape(&claim.test),
    )
}

fn verdict_cell(judgement: &Judgement) -> String {
    format!(
        "<span class=\"cell {}\">{}: <b>{}</b></span>",
        verdict_class(judgement.verdict),
        cell_name(judgement),
        judgement.verdict
    )
}

fn measured_figures(judgement: &Judgement) -> String {
    format!("<li><b>{}</b>: {}</li>", cell_name(judgement), escape(&judgement.figures))
}

/// Preset and window; only the preset where the window does not matter.
fn cell_name(judgement: &Judgement) -> String {
    let preset = preset_name(judgement.preset);
    judgement.window.map_or(preset.to_owned(), |w| format!("{preset} · {}", window_name(w)))
}

fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsInPart => "holds-in-part",
        Verdict::DoesNotHold => "does-not-hold",
    }
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

//! The ledger's part of the page.

use super::ledger::{ClaimReport, Judgement, Ledger, Verdict};
use graph_bandit_figures::{Figure, escape};

/// All claims: their verdicts at a glance, then one by one.
pub(super) fn ledger_section(ledger: &Ledger, claims: &[ClaimReport], timed: &[Figure]) -> String {
    let rows: String = claims.iter().map(claim).collect();
    let about = ledger.about;
    let times = if timed.is_empty() { "" } else { ledger.about_times };
    format!(
        "<section id=\"claims\"><h2>The ledger of claims</h2>\n<p>{about}{times}</p>\n<p class=\"soft\">● holds, ◐ holds in part or is left open by its intervals, ○ does not hold</p>\n{}{rows}\
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

pub(super) fn claim(claim: &ClaimReport) -> String {
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
    let preset = judgement.preset;
    judgement.window.map_or(preset.to_string(), |window| format!("{preset} · {window}"))
}

fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsInPart => "holds-in-part",
        Verdict::DoesNotHold => "does-not-hold",
    }
}

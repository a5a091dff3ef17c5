//! The ledger's part of the page: one row per claim, in the paper's words.

use super::extent::Extent;
use super::ledger::{ClaimReport, Judgement, Ledger, Verdict};
use super::page::Page;
use graph_bandit_figures::escape;

const VERDICTS: [Verdict; 3] = [Verdict::Holds, Verdict::HoldsInPart, Verdict::DoesNotHold];

/// How many claims hold, then all of them one by one.
pub(super) fn ledger_section(page: &Page<'_>, ledger: &Ledger) -> String {
    let claims = &page.report.claims;
    let rows: String =
        claims.iter().enumerate().map(|(i, claim)| claim_row(page, i + 1, claim)).collect();
    let about = (ledger.about)(page.report);
    let times = if page.timed.is_empty() { "" } else { ledger.about_times };
    format!(
        "<section id=\"claims\"><h2>The ledger of claims</h2>\n<p>{about}{times}</p>\n{}<ol class=\"claims\">\n{rows}</ol>\n</section>\n",
        counts(claims, &page.extent)
    )
}

/// How many claims hold, hold in part and do not, by preset and window.
fn counts(claims: &[ClaimReport], extent: &Extent) -> String {
    let mut cells: Vec<String> = Vec::new();
    for judgement in claims.iter().flat_map(|claim| &claim.judgements) {
        if !cells.contains(&cell_name(judgement)) {
            cells.push(cell_name(judgement));
        }
    }
    let head = |verdict: Verdict| {
        let (class, mark) = (class_of(verdict), extent.mark());
        format!("<th class=\"number {class}\"><b>{}</b> {verdict}{mark}</th>", sign(verdict))
    };
    let count = |cell: &str, verdict: Verdict| {
        let judgements = claims.iter().flat_map(|claim| &claim.judgements);
        let counted = judgements.filter(|j| cell_name(j) == cell && j.verdict == verdict).count();
        format!("<td class=\"number\">{counted}</td>")
    };
    let row = |cell: &String| {
        let counts: String = VERDICTS.iter().map(|&verdict| count(cell, verdict)).collect();
        format!("<tr><th scope=\"row\">{cell}</th>{counts}</tr>\n")
    };
    format!(
        "<table class=\"counts\"><thead><tr><th>details · steps</th>{}</tr></thead><tbody>{}</tbody></table>\n\
         <p class=\"soft\">A claim that its intervals leave open counts as holding in part.</p>\n",
        VERDICTS.map(head).concat(),
        cells.iter().map(row).collect::<String>()
    )
}

/// A claim: the paper's words, their place and the figures that show them, the verdicts, and how
/// they were reached.
pub(super) fn claim_row(page: &Page<'_>, number: usize, claim: &ClaimReport) -> String {
    let cells: String =
        claim.judgements.iter().map(|judged| verdict(judged, &page.extent)).collect();
    let measured: String = claim.judgements.iter().map(measured_figures).collect();
    let explanation = if claim.explanation.is_empty() {
        String::new()
    } else {
        format!("<p>{}</p>", escape(&claim.explanation))
    };
    let figures = page.gallery.of_claim(claim);
    let figures = if figures.is_empty() { figures } else { format!(" · {figures}") };
    let id = escape(&claim.id);
    format!(
        "<li class=\"claim\" id=\"claim-{id}\"><div><blockquote>{}</blockquote>\n\
         <div class=\"where\">Claim {number} · {}{figures} · <a class=\"id\" href=\"#claim-{id}\">{id}</a></div>\
         <details><summary>How it was judged</summary><p>{}</p>\
         <ul class=\"figures-of-claim\">{measured}</ul>{explanation}</details></div>\n\
         <div class=\"cells\">{cells}</div></li>\n",
        escape(&claim.quotation()),
        escape(&claim.place),
        escape(&claim.test),
    )
}

/// A verdict in words, with a sign that can be read without colours.
fn verdict(judgement: &Judgement, extent: &Extent) -> String {
    format!(
        "<span class=\"cell {}\">{} <b><span aria-hidden=\"true\">{}</span> {}{}</b></span>",
        class_of(judgement.verdict),
        cell_name(judgement),
        sign(judgement.verdict),
        judgement.verdict,
        extent.mark()
    )
}

fn measured_figures(judgement: &Judgement) -> String {
    format!("<li><b>{}</b>: {}</li>", cell_name(judgement), escape(&judgement.figures))
}

/// Preset and window; only the preset if the window does not matter.
fn cell_name(judgement: &Judgement) -> String {
    let preset = judgement.preset;
    judgement.window.map_or(preset.to_string(), |window| format!("{preset} · {window}"))
}

fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "●",
        Verdict::HoldsInPart => "◐",
        Verdict::DoesNotHold => "○",
    }
}

fn class_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsInPart => "holds-in-part",
        Verdict::DoesNotHold => "does-not-hold",
    }
}

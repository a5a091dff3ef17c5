//! The figures of a page: numbered in order, and linked to the claims they show.

use super::{ClaimReport, Opening, Report};
use graph_bandit_figures::{Body, Figure, draw_html, escape, figure_anchor};

/// Every figure of a page, in order.
pub(super) struct Gallery<'a> {
    shown: Vec<Shown<'a>>,
}

struct Shown<'a> {
    figure: &'a Figure,
    study: &'a str,
    /// Numbers, ids and sentences of the claims it shows.
    claims: Vec<(usize, &'a ClaimReport)>,
}

/// Where a figure stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Beside others, first on the page.
    Headline,
    /// In the section of its study.
    Section,
}

impl<'a> Gallery<'a> {
    /// Figures of the opening first, then study by study; measured times come last in each.
    pub(super) fn new(
        (report, opening): (&'a Report, &Opening),
        (figures, timed): (&'a [Figure], &'a [Figure]),
        timed_claim: Option<&'a ClaimReport>,
    ) -> Self {
        let of_study = |name: &'a str, ids: &'a [String]| {
            let own = figures.iter().filter(|figure| ids.contains(&figure.id));
            let timed = timed.iter().filter(move |figure| figure.id == name);
            own.chain(timed).map(move |figure| (figure, name))
        };
        let by_study =
            || report.studies.iter().flat_map(|study| of_study(&study.name, &study.figures));
        let is_first = |figure: &Figure| opening.figures.contains(&figure.id);
        let find = |id: &String| by_study().find(|(figure, _)| figure.id == *id);
        let first = opening.figures.iter().filter_map(find);
        let rest = by_study().filter(|(figure, _)| !is_first(figure));
        let claims = || report.claims.iter().chain(timed_claim).enumerate();
        let with_claims = |(figure, study): (&'a Figure, &'a str)| {
            // A drawing of a graph shows no result.
            let is_evidence = figure.panels.iter().any(|p| !matches!(p.body, Body::Network(_)));
            let is_shown =
                |claim: &ClaimReport| is_evidence && claim.studies.iter().any(|s| s == study);
            let claims = claims().filter(|(_, claim)| is_shown(claim)).map(|(i, c)| (i + 1, c));
            Shown { figure, study, claims: claims.collect() }
        };
        Self { shown: first.chain(rest).map(with_claims).collect() }
    }

    /// A figure with its number, and links to its claims.
    pub(super) fn draw(&self, id: &str, place: Place) -> String {
        let Some(i) = self.shown.iter().position(|shown| shown.figure.id == id) else {
            return String::new();
        };
        let Shown { figure, claims, .. } = &self.shown[i];
        let mut numbered = (*figure).clone();
        numbered.caption = match figure.caption.as_str() {
            "" => format!("Figure {}.", i + 1),
            caption => format!("Figure {}. {caption}", i + 1),
        };
        if place == Place::Headline {
            // Two figures stand side by side, so letters are sized for half the page.
            numbered.columns = numbered.columns.max(2);
        }
        let links: Vec<String> =
            claims.iter().map(|(number, claim)| link(*number, claim)).collect();
        let shows = match links.as_slice() {
            [] => String::new(),
            [one] => format!("<p class=\"shows\">This figure shows claim {one}.</p>\n"),
            many => {
                format!("<p class=\"shows\">This figure shows claims {}.</p>\n", many.join(", "))
            }
        };
        format!("<div class=\"shown\">{}{shows}</div>\n", draw_html(&numbered))
    }

    /// Links to the figures that show a claim, each by its number.
    pub(super) fn of_claim(&self, claim: &ClaimReport) -> String {
        let is_shown = |shown: &Shown<'_>| shown.claims.iter().any(|(_, c)| c.id == claim.id);
        self.links(is_shown, "Shown in ")
    }

    /// Links to figures of a study that are elsewhere on the page.
    pub(super) fn elsewhere(&self, study: &str, opening: &Opening) -> String {
        let is_elsewhere =
            |shown: &Shown<'_>| shown.study == study && opening.figures.contains(&shown.figure.id);
        self.links(is_elsewhere, "At the top of the page: ")
    }

    fn links(&self, is_wanted: impl Fn(&Shown<'_>) -> bool, before: &str) -> String {
        let wanted = self.shown.iter().enumerate().filter(|(_, shown)| is_wanted(shown));
        let links: Vec<String> = wanted
            .map(|(i, shown)| {
                let anchor = figure_anchor(shown.figure);
                format!("<a href=\"#{anchor}\">Figure {}</a>", i + 1)
            })
            .collect();
        if links.is_empty() { String::new() } else { format!("{before}{}", links.join(", ")) }
    }
}

/// A claim by its number; its text is a tooltip.
fn link(number: usize, claim: &ClaimReport) -> String {
    format!(
        "<a href=\"#claim-{}\" title=\"{}\">{number}</a>",
        escape(&claim.id),
        escape(&claim.quotation())
    )
}

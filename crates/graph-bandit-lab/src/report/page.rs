//! The page: one file that opens offline. The results come first, then the figures to look at
//! first, the ledger, and the rest study by study.

use super::comparison_tables::comparison_tables;
use super::extent::Extent;
use super::gallery::{Gallery, Place};
use super::ledger_page::{claim_row, ledger_section};
use super::number_tables::numbers;
use super::opening::{Opening, Sentence};
use super::style::STYLE;
use super::{ClaimReport, Ledger, Report, StudyReport};
use graph_bandit::run::RegretFrom;
use graph_bandit_figures::palette::style_sheet;
use graph_bandit_figures::scale::short;
use graph_bandit_figures::{Figure, HOVER_SCRIPT, escape};

/// The parts of a page.
pub(super) struct Page<'a> {
    pub(super) report: &'a Report,
    pub(super) ledger: Option<&'a Ledger>,
    pub(super) gallery: Gallery<'a>,
    pub(super) extent: Extent,
    opening: Opening,
    pub(super) timed: &'a [Figure],
    timed_claim: Option<&'a ClaimReport>,
}

impl<'a> Page<'a> {
    pub(super) fn new(
        (report, ledger): (&'a Report, Option<&'a Ledger>),
        (figures, timed): (&'a [Figure], &'a [Figure]),
        timed_claim: Option<&'a ClaimReport>,
    ) -> Self {
        let opening = ledger.and_then(|ledger| (ledger.open)(report));
        let opening = opening.unwrap_or_else(|| Opening::of(report));
        Self {
            report,
            ledger: ledger.filter(|_| !report.claims.is_empty()),
            gallery: Gallery::new((report, &opening), (figures, timed), timed_claim),
            extent: Extent::of(report, ledger),
            opening,
            timed,
            timed_claim,
        }
    }

    /// The whole page. Parts that depend on measured times are between two comments, so that the
    /// rest can be compared byte by byte.
    pub(super) fn html(&self) -> String {
        let title = format!("{}{}", self.opening.title, self.extent.mark());
        let studies: String = self.report.studies.iter().map(|study| self.section(study)).collect();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
             <style>{STYLE}{figure_style}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{notice}{results}</header>\n\
             <main>\n{headline}{reading}{nav}{ledger}{studies}</main>\n<footer>graph-bandit {version}. Data beside this page: \
             <code>summary.json</code>, <code>curves.parquet</code>, <code>runs.parquet</code>, \
             <code>timings.json</code>, <code>figures/</code>.</footer>\n\
             <script>{HOVER_SCRIPT}</script>\n</body>\n</html>\n",
            title = escape(&title),
            figure_style = style_sheet(),
            notice = self.extent.notice(),
            results = self.results(),
            headline = self.headline(),
            reading = self.reading(),
            nav = self.nav(),
            ledger = self.ledger.map(|ledger| ledger_section(self, ledger)).unwrap_or_default(),
            version = escape(&self.report.version),
        )
    }

    /// The results, in a paragraph.
    fn results(&self) -> String {
        if self.opening.results.is_empty() {
            return String::new();
        }
        let sentences: Vec<String> =
            self.opening.results.iter().map(|sentence| self.sentence(sentence)).collect();
        format!("<p class=\"results\" id=\"results\">{}</p>\n", sentences.join(" "))
    }

    fn sentence(&self, Sentence { text, claims }: &Sentence) -> String {
        let number = |id: &String| self.report.claims.iter().position(|claim| claim.id == *id);
        let link = |id: &String| {
            let number = number(id)? + 1;
            Some(format!("<a href=\"#claim-{}\">claim {number}</a>", escape(id)))
        };
        let links: Vec<String> = claims.iter().filter_map(link).collect();
        if links.is_empty() {
            return escape(text);
        }
        let text = text.strip_suffix('.').unwrap_or(text);
        format!("{} ({}).", escape(text), links.join(", "))
    }

    fn headline(&self) -> String {
        let figures = &self.opening.figures;
        let figures: String =
            figures.iter().map(|id| self.gallery.draw(id, Place::Headline)).collect();
        if figures.is_empty() {
            return String::new();
        }
        format!("<section class=\"headline\" id=\"headline\">\n{figures}</section>\n")
    }

    /// How to read the figures.
    fn reading(&self) -> String {
        let Some(study) = self.report.studies.first() else { return String::new() };
        let window = match study.regret_from {
            Some(RegretFrom::Start) => "the first T steps, initialization included",
            Some(RegretFrom::Cover) | None => study.window.entry().steps,
        };
        format!(
            "<p class=\"soft\">Figures show preset {}, regret over {window}. Bands are 95% confidence \
             intervals of the mean, bars one standard deviation over runs. Regret is expected regret unless stated \
             otherwise. Point at a curve to read its values.</p>\n",
            self.presets()
        )
    }

    /// The preset of the figures; if studies differ, which has which.
    fn presets(&self) -> String {
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for study in self.report.studies.iter().filter(|study| !study.figures.is_empty()) {
            let (preset, title) = (format!("<b>{}</b>", study.preset), escape(&study.title));
            match groups.iter_mut().find(|(known, _)| *known == preset) {
                Some((_, titles)) => titles.push(title),
                None => groups.push((preset, vec![title])),
            }
        }
        match groups.as_slice() {
            [] => {
                let first = self.report.studies.first();
                first.map_or_else(String::new, |study| format!("<b>{}</b>", study.preset))
            }
            [(preset, _)] => preset.clone(),
            several => {
                let named = |(preset, titles): &(String, Vec<String>)| {
                    format!("{preset} ({})", titles.join("; "))
                };
                several.iter().map(named).collect::<Vec<_>>().join(" or ")
            }
        }
    }

    fn nav(&self) -> String {
        if self.report.studies.len() < 2 {
            return String::new();
        }
        let ledger = self.ledger.map_or("", |_| "<a href=\"#claims\">The ledger of claims</a> ");
        let links = self.report.studies.iter().map(|study| {
            format!("<a href=\"#{}\">{}</a> ", escape(&study.name), escape(&study.title))
        });
        format!("<nav>{ledger}{}</nav>\n", links.collect::<String>())
    }

    fn section(&self, study: &StudyReport) -> String {
        let is_here = |id: &&String| !self.opening.figures.contains(id);
        let own: String = study
            .figures
            .iter()
            .filter(is_here)
            .map(|id| self.gallery.draw(id, Place::Section))
            .collect();
        let elsewhere = self.gallery.elsewhere(&study.name, &self.opening);
        let elsewhere =
            if elsewhere.is_empty() { elsewhere } else { format!("<p>{elsewhere}.</p>\n") };
        // The page of a single study already has its title.
        let headline = if study.title == self.opening.title {
            String::new()
        } else {
            format!("<h2>{}</h2>\n", escape(&study.title))
        };
        let place = if study.place.is_empty() {
            String::new()
        } else {
            format!("{}. ", escape(&study.place))
        };
        format!(
            "<section id=\"{}\">{headline}<p class=\"soft\">{place}{}</p>\n{}{elsewhere}{own}{}{}{}</section>\n",
            escape(&study.name),
            settings(study),
            paragraph(&study.about),
            self.measured(study),
            study.comparison.as_ref().map(comparison_tables).unwrap_or_default(),
            numbers(study)
        )
    }

    /// The figure of measured times and the claims about them.
    fn measured(&self, study: &StudyReport) -> String {
        if !self.timed.iter().any(|figure| figure.id == study.name) {
            return String::new();
        }
        let figure = self.gallery.draw(&study.name, Place::Section);
        let number = self.report.claims.len() + 1;
        let claim = self.timed_claim.map(|claim| {
            format!("<ol class=\"claims\">\n{}</ol>\n", claim_row(self, number, claim))
        });
        format!("<!-- measured -->\n{figure}{}<!-- /measured -->\n", claim.unwrap_or_default())
    }
}

/// A study that only draws graphs has no runs.
fn settings(study: &StudyReport) -> String {
    if study.rows.is_empty() {
        return String::new();
    }
    let team = study.team.as_ref().map(|team| format!("{}; ", escape(team))).unwrap_or_default();
    let runs = if study.runs == 1 { "1 run".to_owned() } else { format!("{} runs", study.runs) };
    format!(
        "{team}{} steps, {runs}, seed {}, means {}, noise {}; cases may have their own.",
        short(study.steps as f64),
        study.seed,
        escape(&study.means),
        escape(&study.noise)
    )
}

fn paragraph(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p>{}</p>\n", escape(text)) }
}

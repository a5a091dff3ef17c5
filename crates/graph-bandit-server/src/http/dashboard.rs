//! The dashboard page and its files, all compiled into the program.
//!
//! They hold no data, so everybody may have them; the page requests its data like any client.

use super::body::text_in_path;
use super::describe::{Answers, Operation, Reads, Refusal};
use super::page_file::{HTML, PageFile as File, SCRIPT, STYLE};
use super::{Problem, Service, kind};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use graph_bandit_figures::palette::style_sheet;
use schemars::JsonSchema;
use std::sync::{Arc, LazyLock};

macro_rules! file {
    ($name:literal, $kind:expr) => {
        File { name: $name, kind: $kind, text: include_str!(concat!("../../dashboard/", $name)) }
    };
}

macro_rules! script {
    ($name:literal) => {
        file!($name, SCRIPT)
    };
}

const PAGE: File = file!("index.html", HTML);

/// The files served under `/dashboard/`.
const FILES: &[File] = &[
    file!("style.css", STYLE),
    script!("agent-about.js"),
    script!("agent-view.js"),
    script!("agents.js"),
    script!("api.js"),
    script!("best.js"),
    script!("camera.js"),
    script!("changes.js"),
    script!("chart.js"),
    script!("connection.js"),
    script!("create.js"),
    script!("crew.js"),
    script!("dom.js"),
    script!("format.js"),
    script!("graph.js"),
    script!("labels.js"),
    script!("legend.js"),
    script!("main.js"),
    script!("map-base.js"),
    script!("map-covers.js"),
    script!("map-input.js"),
    script!("map-overlay.js"),
    script!("map-roads.js"),
    script!("map-walkers.js"),
    script!("map.js"),
    script!("nearest-road.js"),
    script!("nearest.js"),
    script!("node-card.js"),
    script!("paced.js"),
    script!("palette.js"),
    script!("preview.js"),
    script!("road-card.js"),
    script!("road-times.js"),
    script!("roads.js"),
    script!("simulation.js"),
    script!("stream.js"),
    script!("table.js"),
    script!("team-view.js"),
    script!("team.js"),
    script!("theme.js"),
    script!("token.js"),
    script!("walk.js"),
    script!("walker-dialogs.js"),
    script!("walker-table.js"),
    script!("walker-why.js"),
    script!("why.js"),
];

/// The colours of all figures, so that no file repeats them.
static PALETTE: LazyLock<String> = LazyLock::new(style_sheet);

impl Answers for File {
    fn describe(operation: &mut Operation<'_>) {
        let mut types: Vec<&str> = FILES.iter().map(|file| essence(file.kind)).collect();
        types.sort_unstable();
        types.dedup();
        operation.answers_text("The file.", &types);
        operation.with_header(200, "Content-Security-Policy");
    }
}

/// The page itself.
pub(super) struct Index;

impl IntoResponse for Index {
    fn into_response(self) -> Response {
        PAGE.into_response()
    }
}

impl Answers for Index {
    fn describe(operation: &mut Operation<'_>) {
        operation.answers_text("The page.", &[essence(PAGE.kind)]);
        operation.with_header(200, "Content-Security-Policy");
    }
}

/// A media type without its parameters.
fn essence(kind: &str) -> &str {
    kind.split(';').next().unwrap_or(kind)
}

/// The name of a file in a path.
pub(super) struct FileName(String);

impl FromRequestParts<Arc<Service>> for FileName {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, Problem> {
        text_in_path(parts, service).await.map(Self)
    }
}

impl Reads for FileName {
    fn describe(operation: &mut Operation<'_>) {
        #[derive(JsonSchema)]
        #[schemars(inline)]
        struct NotEmpty(
            #[schemars(length(min = 1))]
            #[allow(dead_code)]
            String,
        );
        operation.path_holds::<NotEmpty>("file", "The name of the file.");
        operation.refuses(Refusal::BadRequest);
    }
}

pub(super) async fn page() -> Index {
    Index
}

pub(super) async fn file(FileName(name): FileName) -> Result<File, Problem> {
    dashboard_file(&name)
        .ok_or_else(|| Problem::new(kind::NO_SUCH_PATH, "the page has no such file".to_owned()))
}

/// A file of the dashboard other than its page. Other pages draw maps and charts with the same modules.
pub fn dashboard_file(name: &str) -> Option<File> {
    let palette = || File { name: "palette.css", kind: STYLE, text: PALETTE.as_str() };
    let found = FILES.iter().find(|file| file.name == name).copied();
    found.or_else(|| (name == "palette.css").then(palette))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/dashboard");
        let found = std::fs::read_dir(folder).unwrap();
        let found: BTreeSet<String> =
            found.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        let served = FILES.iter().chain([&PAGE]).map(|file| file.name.to_owned());
        assert_eq!(served.collect::<BTreeSet<_>>(), found);
    }

    #[test]
    fn the_ramp_has_as_many_levels_as_that_of_the_figures() {
        let palette = FILES.iter().find(|file| file.name == "palette.js").unwrap();
        let levels = format!("export const LEVELS = {};", graph_bandit_figures::palette::LEVELS);
        assert!(palette.text.contains(&levels), "{levels}");
    }

    #[test]
    fn no_text_becomes_markup() {
        for file in FILES.iter().chain([&PAGE]) {
            assert_eq!(file.way_to_markup(), None, "{}", file.name);
        }
    }
}

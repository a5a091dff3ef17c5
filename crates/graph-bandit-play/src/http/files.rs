//! The files of the page: its own, and the dashboard's modules that draw maps, names and reasons.

use super::problem::no_such_file;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use graph_bandit_server::http::{HTML, PageFile, SCRIPT, STYLE, dashboard_file};

macro_rules! file {
    ($name:literal, $kind:expr) => {
        PageFile { name: $name, kind: $kind, text: include_str!(concat!("../../page/", $name)) }
    };
}

const PAGE: PageFile = file!("index.html", HTML);

/// The files served under `/play/`.
const FILES: &[PageFile] = &[
    file!("play.css", STYLE),
    file!("agents-field.js", SCRIPT),
    file!("api.js", SCRIPT),
    file!("clock.js", SCRIPT),
    file!("draw.js", SCRIPT),
    file!("film.js", SCRIPT),
    file!("line-style.js", SCRIPT),
    file!("link.js", SCRIPT),
    file!("main.js", SCRIPT),
    file!("map-file.js", SCRIPT),
    file!("regret-chart.js", SCRIPT),
    file!("roads-panel.js", SCRIPT),
    file!("setup-dialog.js", SCRIPT),
    file!("share.js", SCRIPT),
    file!("stage.js", SCRIPT),
    file!("standings.js", SCRIPT),
];

pub(super) async fn page() -> PageFile {
    PAGE
}

pub(super) async fn own(Path(name): Path<String>) -> Response {
    let found = FILES.iter().find(|file| file.name == name);
    found.map_or_else(no_such_file, |file| file.into_response())
}

pub(super) async fn shared(Path(name): Path<String>) -> Response {
    dashboard_file(&name).map_or_else(no_such_file, IntoResponse::into_response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_folder_is_served() {
        let found = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/page")).unwrap();
        let found: BTreeSet<String> =
            found.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        let served = FILES.iter().chain([&PAGE]).map(|file| file.name.to_owned());
        assert_eq!(served.collect::<BTreeSet<_>>(), found);
    }

    #[test]
    fn no_text_becomes_markup() {
        for file in FILES.iter().chain([&PAGE]) {
            assert_eq!(file.way_to_markup(), None, "{}", file.name);
        }
    }

    /// Every module that a file imports is served, and so is every file that the page links.
    #[test]
    fn every_link_and_import_is_served() {
        for file in FILES.iter().chain([&PAGE]) {
            for quoted in file.text.split(['\'', '"']) {
                if let Some(name) = quoted.strip_prefix("../dashboard/") {
                    assert!(dashboard_file(name).is_some(), "{}: {quoted}", file.name);
                }
                if let Some(name) = quoted.strip_prefix("dashboard/") {
                    assert!(dashboard_file(name).is_some(), "{}: {quoted}", file.name);
                }
                let own = quoted.strip_prefix("play/").or_else(|| quoted.strip_prefix("./"));
                // The routes of requests begin like that, too.
                if let Some(name) = own.filter(|name| name.contains('.') && !name.contains('$')) {
                    assert!(FILES.iter().any(|file| file.name == name), "{}: {quoted}", file.name);
                }
            }
        }
    }
}

//! The page for people, and the files it is made of: all in the program, none from elsewhere.
//!
//! They hold no data, so everybody may have them; what they show they ask for like any client.

use super::body::Id;
use super::{Problem, Service};
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::IntoResponse;
use std::sync::Arc;

macro_rules! file {
    ($name:literal, $kind:literal) => {
        File { name: $name, kind: $kind, text: include_str!(concat!("../../dashboard/", $name)) }
    };
}

macro_rules! script {
    ($name:literal) => {
        file!($name, "text/javascript; charset=utf-8")
    };
}

const PAGE: File = file!("index.html", "text/html; charset=utf-8");

/// What is served under `/dashboard/`.
const FILES: &[File] = &[
    file!("palette.css", "text/css; charset=utf-8"),
    file!("style.css", "text/css; charset=utf-8"),
    script!("agent-view.js"),
    script!("agents.js"),
    script!("api.js"),
    script!("camera.js"),
    script!("chart.js"),
    script!("connection.js"),
    script!("create.js"),
    script!("dom.js"),
    script!("format.js"),
    script!("graph.js"),
    script!("labels.js"),
    script!("layout-worker.js"),
    script!("layout.js"),
    script!("legend.js"),
    script!("main.js"),
    script!("map-base.js"),
    script!("map-covers.js"),
    script!("map-input.js"),
    script!("map-overlay.js"),
    script!("map.js"),
    script!("nearest.js"),
    script!("node-card.js"),
    script!("paced.js"),
    script!("palette.js"),
    script!("placing.js"),
    script!("preview.js"),
    script!("stream.js"),
    script!("table.js"),
    script!("theme.js"),
    script!("token.js"),
    script!("walk.js"),
    script!("why.js"),
];

/// Scripts, styles and requests of this service only; no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

#[derive(Clone, Copy)]
struct File {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

impl IntoResponse for File {
    fn into_response(self) -> axum::response::Response {
        let headers: [(HeaderName, &'static str); 4] = [
            (header::CONTENT_TYPE, self.kind),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::CACHE_CONTROL, "no-cache"),
            (header::REFERRER_POLICY, "no-referrer"),
        ];
        (headers, self.text).into_response()
    }
}

pub(super) async fn page() -> impl IntoResponse {
    PAGE
}

pub(super) async fn file(
    State(_): State<Arc<Service>>,
    Id(name): Id,
) -> Result<impl IntoResponse, Problem> {
    FILES.iter().find(|file| file.name == name).copied().ok_or_else(|| {
        let kind = ("nowhere", "There is nothing here");
        Problem::new(StatusCode::NOT_FOUND, kind, "the page has no such file".to_owned())
    })
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

    /// Names of nodes come from strangers: as long as no text becomes markup, none of them can be a
    /// script. Inline styles and scripts would be refused by the policy.
    #[test]
    fn no_text_becomes_markup() {
        let ways = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "DOMParser",
            "createContextualFragment",
            "setHTML",
            "srcdoc",
            "eval(",
            "new Function",
            "style=",
            "http://",
            "https://",
        ];
        for File { name, text, .. } in FILES.iter().chain([&PAGE]) {
            for way in ways {
                // The name of the language of drawings looks like an address, and is none.
                let text = text.replace("http://www.w3.org/2000/svg", "");
                assert!(!text.contains(way), "{name} has {way}");
            }
        }
    }
}

//! A file of a page that is part of the program, and how it is sent: no page of ours asks for anything elsewhere.

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};

/// The type of style sheets.
pub const STYLE: &str = "text/css; charset=utf-8";
/// The type of scripts.
pub const SCRIPT: &str = "text/javascript; charset=utf-8";
/// The type of pages.
pub const HTML: &str = "text/html; charset=utf-8";

/// Scripts, styles and requests of this service only; no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// What could make text into markup, or ask for something elsewhere.
const WAYS_TO_MARKUP: [&str; 13] = [
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

/// A file of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageFile {
    /// What it is called.
    pub name: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// What is in it.
    pub text: &'static str,
}

impl PageFile {
    /// What in it could make text into markup, if anything could.
    ///
    /// Names of nodes come from strangers: as long as no text becomes markup, none of them can be a script. Inline
    /// styles and scripts would be refused by the policy.
    pub fn way_to_markup(&self) -> Option<&'static str> {
        // The name of the language of drawings looks like an address, but nothing is fetched from there.
        let text = self.text.replace("http://www.w3.org/2000/svg", "");
        WAYS_TO_MARKUP.into_iter().find(|way| text.contains(way))
    }
}

impl IntoResponse for PageFile {
    fn into_response(self) -> Response {
        let headers: [(HeaderName, &'static str); 4] = [
            (header::CONTENT_TYPE, self.kind),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::CACHE_CONTROL, "no-cache"),
            (header::REFERRER_POLICY, "no-referrer"),
        ];
        (headers, self.text).into_response()
    }
}

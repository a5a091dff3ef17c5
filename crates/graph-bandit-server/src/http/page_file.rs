//! Files of pages compiled into the program, and how they are sent. Our pages request nothing from other sites.

use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};

/// The type of style sheets.
pub const STYLE: &str = "text/css; charset=utf-8";
/// The type of scripts.
pub const SCRIPT: &str = "text/javascript; charset=utf-8";
/// The type of pages.
pub const HTML: &str = "text/html; charset=utf-8";

/// Scripts, styles and requests from this service only; no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      connect-src 'self'; img-src 'self' data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// Code that could turn text into markup, or request something from another site.
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
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// Its content.
    pub text: &'static str,
}

impl PageFile {
    /// The first code in it that could turn text into markup, if any.
    ///
    /// Node names are untrusted: as long as no text becomes markup, a name cannot be a script. The policy refuses
    /// inline styles and scripts.
    pub fn way_to_markup(&self) -> Option<&'static str> {
        // The SVG namespace looks like an address, but nothing is fetched from it.
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

//! One route: its path, access, handler and description.

use super::describe::{Described, Link, Operation, Refusal};
use super::{Scope, Service};
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{self, MethodRouter};
use std::fmt;
use std::sync::Arc;

/// The access that a route requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing.
    Open,
    /// A token of this scope or a higher one, if the service has tokens.
    Scoped(Scope),
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("open"),
            Self::Scoped(scope) => scope.fmt(f),
        }
    }
}

pub(super) struct Route {
    pub(super) method: Method,
    pub(super) path: &'static str,
    pub(super) access: Access,
    /// The name of the operation for clients.
    pub(super) name: &'static str,
    /// What it does, in a sentence.
    pub(super) summary: &'static str,
    /// Refusals beyond those that access and arguments imply.
    pub(super) refusals: &'static [Refusal],
    /// What to do with its answers.
    pub(super) links: &'static [&'static Link],
    pub(super) handler: MethodRouter<Arc<Service>>,
    /// The description made from the types of the handler.
    pub(super) describe: fn(&mut Operation<'_>),
}

/// Reads something.
pub(super) fn get<H, T, A>(path: &'static str, access: Access, handler: H) -> Route
where
    H: Handler<T, Arc<Service>> + Described<A>,
    T: 'static,
{
    route((Method::GET, path, access), routing::get(handler), H::describe)
}

/// Changes something, or needs more than a path can say.
pub(super) fn post<H, T, A>(path: &'static str, access: Access, handler: H) -> Route
where
    H: Handler<T, Arc<Service>> + Described<A>,
    T: 'static,
{
    route((Method::POST, path, access), routing::post(handler), H::describe)
}

/// Removes something.
pub(super) fn delete<H, T, A>(path: &'static str, access: Access, handler: H) -> Route
where
    H: Handler<T, Arc<Service>> + Described<A>,
    T: 'static,
{
    route((Method::DELETE, path, access), routing::delete(handler), H::describe)
}

fn route(
    (method, path, access): (Method, &'static str, Access),
    handler: MethodRouter<Arc<Service>>,
    describe: fn(&mut Operation<'_>),
) -> Route {
    let (name, summary, refusals, links) = ("", "", &[], &[]);
    Route { method, path, access, name, summary, refusals, links, handler, describe }
}

impl Route {
    /// Sets its name and summary.
    pub(super) fn called(self, name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, ..self }
    }

    /// Adds refusals.
    pub(super) fn refused(self, refusals: &'static [Refusal]) -> Self {
        Self { refusals, ..self }
    }

    /// Adds links.
    pub(super) fn followed_by(self, links: &'static [&'static Link]) -> Self {
        Self { links, ..self }
    }
}

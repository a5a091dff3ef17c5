//! The paper's experiments, claims and figures against the library.

mod last_window;
mod reference;
mod reproduction;
mod teams;

//! `gbandit play`: agents race with the same luck, and a page shows the race as it happens.
//!
//! It embodies one decision: **the program runs the race, and the page shows it**. A [`Race`] is a pure
//! function of its [`Setup`], including the roads that the user closes. So the page can lose a race and get it back,
//! share it as a link, and show the same numbers as `gbandit run`. The alternative, agents compiled for the
//! browser, was rejected: two executors would have to stay in step.
//!
//! Modules, each knowing only the ones before it: [`setup`] (what a race is made of), [`Race`] (a loop over
//! trajectories), [`Races`] (the races under way), [`serve`](serve()) (the page and its requests).

mod account;
mod answer;
mod change;
mod http;
mod race;
mod racer;
mod races;
mod refusal;
mod serve;
pub mod setup;

pub use answer::{Agent, GraphShown, Opening, Progress, RacerNow};
pub use change::{Change, RoadChange};
pub use race::Race;
pub use races::{MOST_RACES, Races};
pub use refusal::Refusal;
pub use serve::{DEFAULT_PORT, PlayError, PlayOptions, serve, serve_until};
pub use setup::Setup;

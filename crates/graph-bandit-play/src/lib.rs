//! `gbandit play`: agents race on the same luck, and a page shows it as it happens.
//!
//! It embodies one decision: **the program runs the race, and the page shows it**. A [`Race`] is a pure
//! function of its [`Setup`], roads that close by hand included, so the page can lose it and have it again, share it as
//! a link, and show the same numbers as `gbandit run`. The alternative, agents compiled for the browser, was
//! rejected: there would be two executors to keep the same.
//!
//! Rooms, each knowing only those before it: [`setup`] (what is wanted), [`Race`] (a loop over trajectories),
//! [`Races`] (those that are under way), [`serve`](serve()) (the page and its requests).

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
pub use serve::{PlayError, PlayOptions, USUAL_PORT, serve, serve_until};
pub use setup::Setup;

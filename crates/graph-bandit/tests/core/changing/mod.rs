//! Rewards that change: the agents of the literature against published and independent figures.

mod piecewise;
mod published;

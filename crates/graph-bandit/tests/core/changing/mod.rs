//! Rewards that change: the agents of the literature against published and independent figures.

mod conformance;
mod cuts;
mod detectors;
mod drift;
mod found;
mod literal;
mod piecewise;
mod published;
mod remembered;

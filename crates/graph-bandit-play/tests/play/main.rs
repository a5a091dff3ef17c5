//! Races: the same as the library's runs, the same however they are asked for, and refusals that name the field.

mod closing;
mod fields;
mod over_http;
mod same_as_run;
mod support;

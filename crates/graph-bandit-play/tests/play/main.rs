//! Races equal the library's runs in whichever pieces they are advanced, and refusals name the field.

mod closing;
mod fields;
mod over_http;
mod same_as_run;
mod support;

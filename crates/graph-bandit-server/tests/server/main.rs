//! The service as its users see it: agents and their logs, stores, and HTTP.

mod database;
mod decisions;
mod engine;
mod found;
mod http;
mod own_store;
mod pasts;
mod remarks;
mod remembered;
mod roads;
mod several;
mod stamps;
mod store;
mod team_reasons;
mod teams;
mod upkeep;

//! The service as those who use it see it: agents and their logs, stores, and everything over HTTP.

mod engine;
mod http;
mod own_store;
mod several;
mod store;

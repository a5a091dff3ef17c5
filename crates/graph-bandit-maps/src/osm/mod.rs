//! Extracts of `OpenStreetMap`, `.osm.pbf`: ways become edges between junctions and ends.
//!
//! Only read: an extract holds far more than a map. Written by hand over a few dozen lines of Protocol
//! Buffers: the crate for it brings a dozen others with a code generator, and adds up what a damaged
//! file says without looking whether it overflows.

mod blocks;
mod elements;
mod read;
mod ways;
mod wire;

pub(crate) use read::read;
pub use ways::Ways;

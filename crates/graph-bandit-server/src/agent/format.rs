//! The format of stored and exported agents.

use crate::store::other_version;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The format of definitions, records, snapshots and exports: the number 1. No other is read. It is written before all
/// that another format may have instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format(u32);

impl Format {
    /// The format of this version.
    pub const CURRENT: Self = Self(1);
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Self(u32::deserialize(deserializer)?);
        if found == Self::CURRENT {
            return Ok(found);
        }
        Err(D::Error::custom(other_version("format", found.0.into(), Self::CURRENT.0.into())))
    }
}

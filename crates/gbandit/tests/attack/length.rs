//! The length of the attack: short among all other tests, or as the environment says.

use std::time::Duration;

/// How much the service is attacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// Among all other tests.
    Short,
    /// `GBANDIT_ATTACK=long`.
    Long,
}

impl Length {
    /// # Panics
    /// When the environment variable is neither `short` nor `long`.
    pub(crate) fn wanted() -> Self {
        match std::env::var("GBANDIT_ATTACK").as_deref() {
            Err(_) | Ok("short") => Self::Short,
            Ok("long") => Self::Long,
            Ok(other) => panic!("GBANDIT_ATTACK is {other:?}; write short or long"),
        }
    }

    /// Chooses a value by length.
    pub(crate) fn choose<T>(self, short: T, long: T) -> T {
        match self {
            Self::Short => short,
            Self::Long => long,
        }
    }
}

/// The seed of everything: `GBANDIT_ATTACK_SEED`, default: 15.
pub(crate) fn seed() -> u64 {
    number("GBANDIT_ATTACK_SEED").unwrap_or(15)
}

/// How long the mixed load of a long attack lasts: `GBANDIT_ATTACK_MINUTES`, default: 60.
pub(crate) fn mixed_load() -> Duration {
    Duration::from_secs(60 * number("GBANDIT_ATTACK_MINUTES").unwrap_or(60))
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text:?}; write a whole number")))
}

//! The values that several commands take: numbers in a range, parts, words.

use clap::ValueEnum;
use clap::builder::{StringValueParser, TypedValueParser};
use graph_bandit::{Init, Preset, Return, TapeKind, Window};
#[cfg(feature = "serve")]
use graph_bandit_server::http::Scope;
use std::ops::RangeInclusive;

/// Reads a whole number in `range`; unlike clap's own, says so whatever else was written.
pub(crate) fn whole(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = u64> {
    StringValueParser::new().try_map(move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (lowest, highest) = (range.start(), range.end());
            format!("write a whole number from {lowest} to {highest}")
        })
    })
}

pub(super) fn jobs() -> impl TypedValueParser<Value = u16> {
    whole(1..=u16::MAX.into()).map(|jobs| jobs as u16)
}

/// Clap's view of an enum of the library, with a help line per value.
macro_rules! value_enum {
    ($name:ident => $target:ident { $($(#[doc = $doc:literal])* $variant:ident,)* }) => {
        #[derive(Debug, Clone, Copy, ValueEnum)]
        pub(crate) enum $name {
            $($(#[doc = $doc])* $variant,)*
        }

        impl From<$name> for $target {
            fn from(value: $name) -> Self {
                match value {
                    $($name::$variant => Self::$variant,)*
                }
            }
        }
    };
}

value_enum!(PresetArg => Preset {
    /// The paper's text.
    Paper,
    /// The authors' program.
    Program,
});

value_enum!(WindowArg => Window {
    /// The first T steps after initialization.
    First,
    /// The last T steps of whole legs; flatters agents that make long ones.
    Last,
});

value_enum!(InitArg => Init {
    /// To the unvisited node of lowest number.
    Lowest,
    /// To the nearest unvisited node.
    Nearest,
    /// Depth first: fewer than twice as many steps as nodes.
    DepthFirst,
    /// Not at all: unvisited nodes are infinitely promising.
    None,
});

value_enum!(ReturnArg => Return {
    /// It is put there.
    Jump,
    /// It walks there.
    Walk,
});

#[cfg(feature = "serve")]
value_enum!(ScopeArg => Scope {
    /// To look.
    Read,
    /// To ask and to report.
    Decide,
    /// To create, import and delete.
    Admin,
});

value_enum!(TapeArg => TapeKind {
    /// One by one.
    OneByOne,
    /// By the sums of whole legs, where rewards are Bernoulli or Gaussian: the same law, other luck.
    Sums,
});

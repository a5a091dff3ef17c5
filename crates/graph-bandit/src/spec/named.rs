//! Enums whose values have names: each value, its name and its help are defined in one place.
//!
//! Texts, JSON, schemas, the command line and messages read names and help from here. A separate
//! enum for each reader was rejected: every value was spelled three times.

use super::error::suggesting;
use std::error::Error;
use std::fmt;

/// An enum whose values have names; [`named!`](crate::named) makes one.
pub trait Named: Copy + 'static {
    /// All values, in order.
    const ALL: &'static [Self];

    /// The name of the value in texts and files.
    fn name(self) -> &'static str;

    /// The value in one sentence.
    fn help(self) -> &'static str;

    /// The value of this name.
    ///
    /// # Errors
    /// When there is no such value; the error lists all names.
    fn of_name(name: &str) -> Result<Self, UnknownName> {
        let known = Self::ALL.iter().copied();
        known.clone().find(|value| value.name() == name).ok_or_else(|| UnknownName {
            name: name.to_owned(),
            known: known.map(Self::name).collect(),
        })
    }
}

/// A name that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    /// The name given.
    pub name: String,
    /// The existing names.
    pub known: Vec<&'static str>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = match self.known.as_slice() {
            [] => "there are none".to_owned(),
            [only] => format!("there is {only}"),
            [most @ .., last] => format!("there are {} and {last}", most.join(", ")),
        };
        let all = suggesting(&self.name, self.known.iter().copied(), &all);
        write!(f, "there is no {:?}; {all}", self.name)
    }
}

impl Error for UnknownName {}

/// Declares an enum whose values have names, and makes it [`Named`](crate::spec::Named).
///
/// The first line of a value's documentation is its help. Serde uses the same names: derive
/// `Serialize` and `Deserialize`.
///
/// ```
/// use graph_bandit::spec::Named;
/// graph_bandit::named! {
///     /// Where to look.
///     #[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
///     pub enum Look {
///         /// Where the light is.
///         Light = "light",
///         /// Where the key fell.
///         ///
///         /// Bring a lamp.
///         Key = "where-it-fell",
///     }
/// }
/// assert_eq!(Look::of_name("where-it-fell")?, Look::Key);
/// assert_eq!(Look::Key.help(), "Where the key fell.");
/// assert_eq!(Look::of_name("moon").unwrap_err().known, ["light", "where-it-fell"]);
/// # Ok::<(), graph_bandit::spec::UnknownName>(())
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$of_enum:meta])*
        $visible:vis enum $name:ident {
            $(
                #[doc = $help:literal]
                $(#[$of_value:meta])*
                $value:ident = $text:literal,
            )+
        }
    ) => {
        $(#[$of_enum])*
        $visible enum $name {
            $(
                #[doc = $help]
                $(#[$of_value])*
                #[serde(rename = $text)]
                $value,
            )+
        }

        impl $crate::spec::Named for $name {
            const ALL: &'static [Self] = &[$(Self::$value),+];

            fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)+
                }
            }

            fn help(self) -> &'static str {
                match self {
                    $(Self::$value => $help.trim_ascii(),)+
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad($crate::spec::Named::name(*self))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::comparator::Against;
    use crate::team::Draws;
    use crate::{Init, Preset, RegretFrom, Return, TapeKind};
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    fn names<T: Named + Serialize + DeserializeOwned + PartialEq + fmt::Debug>() -> String {
        for &value in T::ALL {
            let json = serde_json::to_value(value).unwrap();
            assert_eq!(json, value.name());
            assert_eq!(serde_json::from_value::<T>(json).unwrap(), value);
            assert_eq!(T::of_name(value.name()), Ok(value));
            assert!(value.help().ends_with('.'), "{value:?}");
        }
        T::of_name("").unwrap_err().to_string()
    }

    #[test]
    fn json_texts_and_messages_know_the_same_names() {
        let init = r#"there is no ""; there are lowest, nearest, depth-first, tour and none"#;
        assert_eq!(names::<Init>(), init);
        assert_eq!(names::<Return>(), r#"there is no ""; there are jump and walk"#);
        assert_eq!(names::<TapeKind>(), r#"there is no ""; there are one-by-one and sums"#);
        assert_eq!(names::<Preset>(), r#"there is no ""; there are paper and program"#);
        assert_eq!(names::<Draws>(), r#"there is no ""; there are one and own"#);
        assert_eq!(names::<RegretFrom>(), r#"there is no ""; there are cover and start"#);
        assert_eq!(names::<Against>(), r#"there is no ""; there are free, planning and causal"#);
        let slip = Init::of_name("neerest").unwrap_err().to_string();
        assert!(slip.starts_with(r#"there is no "neerest"; did you mean nearest? There are lo"#));
    }
}

//! Value parsers that several commands share: numbers in a range, parts, words.

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use graph_bandit::spec::Named;
use graph_bandit_lab::Window;
use std::ops::RangeInclusive;
#[cfg(feature = "report")]
use {clap::builder::PathBufValueParser, std::path::PathBuf};

/// Reads an integer in `range`. Unlike clap's own parser, it names the range for any wrong text.
pub(crate) fn integer(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = u64> {
    StringValueParser::new().try_map(move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (lowest, highest) = (range.start(), range.end());
            format!("write a whole number from {lowest} to {highest}")
        })
    })
}

/// Reads a finite number above 0.
pub(crate) fn positive() -> impl TypedValueParser<Value = f64> {
    StringValueParser::new().try_map(|text| {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
        number.ok_or("write a finite number above 0")
    })
}

/// Reads the name of a Parquet file to write.
#[cfg(feature = "report")]
pub(super) fn parquet_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let is_parquet = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("parquet"));
        is_parquet.then_some(path).ok_or("visits are written as Parquet; end the name in .parquet")
    })
}

pub(super) fn jobs() -> impl TypedValueParser<Value = u16> {
    integer(1..=u16::MAX.into()).map(|jobs| jobs as u16)
}

/// Reads the name of a value of a library enum; the help lists them all.
pub(super) fn named<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let value = |value: &T| possible(value.name(), value.help());
    PossibleValuesParser::new(T::ALL.iter().map(value)).try_map(|name| T::of_name(&name))
}

/// Reads the name of a window, including those that other crates add.
pub(super) fn window() -> impl TypedValueParser<Value = Window> {
    let value = |window: Window| possible(window.name(), window.entry().help);
    let values = Window::all().into_iter().map(value);
    PossibleValuesParser::new(values).try_map(|name| Window::of_name(&name))
}

fn possible(name: &'static str, help: &'static str) -> PossibleValue {
    PossibleValue::new(name).help(help.trim_end_matches('.'))
}

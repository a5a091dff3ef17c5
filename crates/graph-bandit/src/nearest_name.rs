//! Suggests the name that was probably meant.

/// With more names, the rest is not searched: a mistake costs at most a few milliseconds.
const MOST_NAMES: usize = 10_000;
/// Longer names are not considered typing errors.
const LONGEST: usize = 64;

/// The name that `given` was probably meant for: at most a few letters apart, ignoring capitals and
/// blanks; of equals the first.
///
/// ```
/// use graph_bandit::nearest_name;
/// assert_eq!(nearest_name("rof", ["hall", "roof"]), Some("roof"));
/// assert_eq!(nearest_name("Hall ", ["hall", "roof"]), Some("hall"));
/// assert_eq!(nearest_name("cellar", ["hall", "roof"]), None);
/// ```
pub fn nearest_name<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.trim().to_lowercase();
    if given.chars().count() > LONGEST {
        return None;
    }
    let given = plain(given);
    let length = given.chars().count();
    let mut nearest: Option<(usize, &str)> = None;
    for name in names.into_iter().take(MOST_NAMES) {
        let known = plain(name);
        let most = 1 + known.chars().count() / 4;
        // Names of other lengths are farther apart and need no check.
        if known.chars().count().abs_diff(length) > most {
            continue;
        }
        let distance = strsim::osa_distance(&given, &known);
        if distance <= most && nearest.is_none_or(|(least, _)| distance < least) {
            nearest = Some((distance, name));
        }
    }
    // One single letter for another is not a typing error.
    nearest.filter(|&(distance, _)| distance < length.max(1)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_and_nothing_else() {
        let names = ["hall", "yard", "roof", "gate", "Market Square"];
        let near = |given: &str| nearest_name(given, names);
        assert_eq!(near("rof"), Some("roof"));
        assert_eq!(near("crow"), None);
        assert_eq!(near("ydar"), Some("yard"));
        assert_eq!(near("market sqare"), Some("Market Square"));
        assert_eq!(near("GATE"), Some("gate"));
        assert_eq!((near(""), near("x"), near("x".repeat(1_000_000).as_str())), (None, None, None));
        // A nearer name wins over an earlier one.
        assert_eq!(nearest_name("node 12", ["node 1", "node 13", "node 12b"]), Some("node 1"));
        assert_eq!(nearest_name("b", ["a"]), None);
    }
}

//! `LINESTRING (1 2, 3 4)`: a line as text, as `OSMnx` stores the shapes of streets in `GraphML`.

/// The places of a line; `None` for any other text.
pub(crate) fn places_of(text: &str) -> Option<Vec<[f64; 2]>> {
    let text = text.trim();
    let head = text.get(.."LINESTRING".len())?;
    if !head.eq_ignore_ascii_case("LINESTRING") {
        return None;
    }
    let inner = text["LINESTRING".len()..].trim().strip_prefix('(')?.strip_suffix(')')?;
    inner.split(',').map(place_of).collect()
}

fn place_of(text: &str) -> Option<[f64; 2]> {
    let mut numbers = text.split_ascii_whitespace();
    let place = [numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?];
    let is_plain = numbers.next().is_none() && place.iter().all(|number: &f64| number.is_finite());
    is_plain.then_some(place)
}

/// A line as text; every number reads back to the same bits.
pub(crate) fn text_of(places: &[[f64; 2]]) -> String {
    let places = places.iter().map(|[x, y]| format!("{x} {y}"));
    format!("LINESTRING ({})", places.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_and_write() {
        let places = vec![[-122.25, 37.8], [1e-7, 0.1], [-0.0, 3e300]];
        assert_eq!(places_of(&text_of(&places)), Some(places));
        assert_eq!(places_of("linestring(1 2,3 4)"), Some(vec![[1.0, 2.0], [3.0, 4.0]]));
        for text in
            ["", "POINT (1 2)", "LINESTRING (1 2 3, 4 5 6)", "LINESTRING (1 2", "LINESTRINé"]
        {
            assert_eq!(places_of(text), None, "{text}");
        }
    }
}

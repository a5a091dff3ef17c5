//! Speeds as `OpenStreetMap` writes them, and usual speeds where it has none.

use serde_json::Value;

/// Metres per second.
const KMH: f64 = 1.0 / 3.6;
const MPH: f64 = 1.609_344 / 3.6;
const KNOT: f64 = 1.852 / 3.6;

/// On foot: 5 km/h.
pub(crate) const WALKING: f64 = 5.0 * KMH;

/// A speed in metres per second, and whether the text gives it or only names a national rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Speed {
    Said(f64),
    OfZone(f64),
}

/// The speed of a value of `maxspeed`: the lowest of several. `None` if it has no number, as
/// `signals`; an error if it is not a speed at all.
pub(crate) fn maxspeed(value: &Value) -> Result<Option<Speed>, ()> {
    let mut slowest: Option<Speed> = None;
    for part in parts(value).ok_or(())? {
        let Some(speed) = single(&part)? else { continue };
        let number = |speed: Speed| match speed {
            Speed::Said(number) | Speed::OfZone(number) => number,
        };
        if slowest.is_none_or(|least| number(speed) < number(least)) {
            slowest = Some(speed);
        }
    }
    Ok(slowest)
}

/// `50;30`, `50|30`, a list, or a list as `OSMnx` writes it: `['50', '30']`.
fn parts(value: &Value) -> Option<Vec<String>> {
    let text = match value {
        Value::Number(number) => return Some(vec![number.to_string()]),
        Value::Array(values) => {
            let parts = values.iter().map(parts).collect::<Option<Vec<_>>>()?;
            return Some(parts.concat());
        }
        Value::String(text) => text.trim(),
        Value::Null => "",
        Value::Bool(_) | Value::Object(_) => return None,
    };
    let list = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let separators: &[char] = if list.is_some() { &[';', '|', ','] } else { &[';', '|'] };
    let parts = list.unwrap_or(text).split(separators);
    let plain = |part: &str| part.trim().trim_matches(['\'', '"']).trim().to_owned();
    Some(parts.map(plain).filter(|part| !part.is_empty()).collect())
}

fn single(text: &str) -> Result<Option<Speed>, ()> {
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "walk" => return Ok(Some(Speed::OfZone(WALKING))),
        "none" => return Ok(Some(Speed::OfZone(130.0 * KMH))),
        "signals" | "variable" | "implicit" | "unposted" | "default" | "unknown" => {
            return Ok(None);
        }
        _ => {}
    }
    let digits = lower.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(lower.len());
    let (number, unit) = lower.split_at(digits);
    if number.is_empty() {
        return zone(&lower).map(|kmh| Some(Speed::OfZone(kmh * KMH))).ok_or(());
    }
    let number: f64 = number.parse().map_err(|_| ())?;
    let unit = match unit.trim() {
        "" | "km/h" | "kmh" | "kph" | "kmph" => KMH,
        "mph" => MPH,
        "knots" | "knot" | "kn" => KNOT,
        "m/s" => 1.0,
        _ => return Err(()),
    };
    let speed = number * unit;
    if speed.is_finite() && speed > 0.0 { Ok(Some(Speed::Said(speed))) } else { Err(()) }
}

/// The usual speed of a rule such as `RO:urban` or `DE:zone30`, in km/h.
fn zone(text: &str) -> Option<f64> {
    let (country, kind) = text.split_once(':')?;
    if !(country.len() >= 2
        && country.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-'))
    {
        return None;
    }
    let kmh = match kind {
        "urban" => 50.0,
        "rural" if ["de", "at"].contains(&country) => 100.0,
        "rural" => 90.0,
        "trunk" | "expressway" => 100.0,
        "motorway" => 120.0,
        "living_street" | "walk" => 5.0,
        "bicycle_road" | "school" | "zone" => 30.0,
        "nsl_single" | "nsl_restricted" => 60.0 * 1.609_344,
        "nsl_dual" => 70.0 * 1.609_344,
        _ => {
            let number = kind.strip_prefix("zone")?.trim_start_matches(':');
            return number.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
        }
    };
    Some(kmh)
}

/// The usual driving speed on a kind of road, in metres per second; of several kinds the slowest.
pub(crate) fn usual(highway: &Value) -> Option<f64> {
    let kmh = |kind: &String| {
        Some(match kind.as_str() {
            "motorway" => 90.0,
            "trunk" => 85.0,
            "primary" => 65.0,
            "secondary" => 55.0,
            "motorway_link" => 45.0,
            "tertiary" | "trunk_link" => 40.0,
            "primary_link" => 30.0,
            "unclassified" | "residential" | "road" | "secondary_link" => 25.0,
            "tertiary_link" => 20.0,
            "service" | "busway" => 15.0,
            "living_street" | "track" => 10.0,
            "footway" | "path" | "pedestrian" | "steps" | "corridor" | "bridleway" | "cycleway"
            | "elevator" | "platform" => 5.0,
            _ => return None,
        })
    };
    let slowest = parts(highway)?.iter().filter_map(kmh).fold(f64::INFINITY, f64::min);
    slowest.is_finite().then_some(slowest * KMH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn speeds_with_units_lists_and_zones() {
        let said = |kmh: f64| Ok(Some(Speed::Said(kmh / 3.6)));
        let zone = |kmh: f64| Ok(Some(Speed::OfZone(kmh / 3.6)));
        for (value, expected) in [
            (json!("50"), said(50.0)),
            (json!(72), said(72.0)),
            (json!("50 km/h"), said(50.0)),
            (json!("30 mph"), said(30.0 * 1.609_344)),
            (json!("25mph"), said(25.0 * 1.609_344)),
            (json!("10 knots"), said(18.52)),
            (json!("50;30"), said(30.0)),
            (json!("100|80|80"), said(80.0)),
            (json!("['50', '30']"), said(30.0)),
            (json!(["60", "20 mph"]), said(20.0 * 1.609_344)),
            (json!("walk"), zone(5.0)),
            (json!("none"), zone(130.0)),
            (json!("RO:urban"), zone(50.0)),
            (json!("DE:rural"), zone(100.0)),
            (json!("FR:rural"), zone(90.0)),
            (json!("DE:zone:30"), zone(30.0)),
            (json!("AT:zone20"), zone(20.0)),
            (json!("signals"), Ok(None)),
            (json!(""), Ok(None)),
            (json!(null), Ok(None)),
            (json!("fast"), Err(())),
            (json!("-30"), Err(())),
            (json!("0"), Err(())),
            (json!("30 furlongs"), Err(())),
            (json!("1.2.3"), Err(())),
            (json!(true), Err(())),
            (json!("RO:zonenan"), Err(())),
        ] {
            let found = maxspeed(&value);
            let near = |a: Speed, b: Speed| match (a, b) {
                (Speed::Said(a), Speed::Said(b)) | (Speed::OfZone(a), Speed::OfZone(b)) => {
                    (a - b).abs() < 1e-9
                }
                _ => false,
            };
            let agree = match (found, expected) {
                (Ok(Some(a)), Ok(Some(b))) => near(a, b),
                (a, b) => a == b,
            };
            assert!(agree, "{value}: {found:?} {expected:?}");
        }
    }

    #[test]
    fn kinds_of_road() {
        let kmh = |value: Value| usual(&value).map(|speed| (speed * 3.6).round());
        assert_eq!(kmh(json!("residential")), Some(25.0));
        assert_eq!(kmh(json!("['tertiary', 'residential']")), Some(25.0));
        assert_eq!((kmh(json!("ferry")), kmh(json!(3))), (None, None));
    }
}

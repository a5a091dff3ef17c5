//! Which ways can be walked or driven on, and in which direction.

use crate::travel::Direction;

/// Which ways of an extract become edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ways {
    /// Ways for pedestrians.
    #[default]
    Walkable,
    /// Ways for cars.
    Drivable,
}

/// Values of `highway` that are not ways, or not for pedestrians.
const NOT_WALKABLE: [&str; 16] = [
    "abandoned",
    "bus_guideway",
    "construction",
    "cycleway",
    "motorway",
    "motorway_link",
    "no",
    "planned",
    "platform",
    "proposed",
    "raceway",
    "razed",
    "rest_area",
    "services",
    "emergency_bay",
    "escape",
];

/// Values of `highway` for cars.
const DRIVABLE: [&str; 15] = [
    "motorway",
    "motorway_link",
    "trunk",
    "trunk_link",
    "primary",
    "primary_link",
    "secondary",
    "secondary_link",
    "tertiary",
    "tertiary_link",
    "unclassified",
    "residential",
    "living_street",
    "service",
    "road",
];

/// Values of `service` that lead only to a house or a parking place.
const PRIVATE_SERVICE: [&str; 6] =
    ["alley", "driveway", "emergency_access", "parking", "parking_aisle", "private"];

impl Ways {
    /// Their name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Walkable => "walkable",
            Self::Drivable => "drivable",
        }
    }

    /// Whether a way with these tags is one of them.
    pub(super) fn take<'a>(self, tag: impl Fn(&str) -> Option<&'a str>) -> bool {
        let Some(highway) = tag("highway") else { return false };
        if tag("area") == Some("yes") {
            return false;
        }
        let is = |key: &str, values: &[&str]| tag(key).is_some_and(|value| values.contains(&value));
        let closed = ["no", "private"];
        match self {
            Self::Walkable => {
                let invited = is("foot", &["yes", "designated", "permissive"]);
                let is_way = !NOT_WALKABLE.contains(&highway) || (highway == "cycleway" && invited);
                let is_open = invited || !(is("access", &closed) || is("service", &["private"]));
                is_way && is_open && !is("foot", &closed)
            }
            Self::Drivable => {
                DRIVABLE.contains(&highway)
                    && !is("service", &PRIVATE_SERVICE)
                    && !["access", "motor_vehicle", "motorcar", "vehicle"]
                        .iter()
                        .any(|key| is(key, &closed))
            }
        }
    }

    /// The directions in which a way with these tags may be taken. `oneway` is for vehicles; for
    /// pedestrians only `oneway:foot` and moving stairs count.
    pub(super) fn direction<'a>(self, tag: impl Fn(&str) -> Option<&'a str>) -> Direction {
        let said = |value: &str| match value {
            "yes" | "true" | "1" | "forward" => Direction::Forward,
            "-1" | "reverse" | "backward" => Direction::Backward,
            // The direction may depend on the hour: reversible, alternating.
            _ => Direction::Both,
        };
        match self {
            Self::Walkable => match (tag("oneway:foot"), tag("conveying")) {
                (Some(oneway), _) => said(oneway),
                (None, Some(moving @ ("forward" | "backward"))) => said(moving),
                _ => Direction::Both,
            },
            Self::Drivable => {
                let own = ["oneway:motorcar", "oneway:motor_vehicle", "oneway"];
                let is_round = matches!(tag("junction"), Some("roundabout" | "circular"));
                match own.into_iter().find_map(&tag) {
                    Some(oneway) => said(oneway),
                    None if is_round || tag("highway") == Some("motorway") => Direction::Forward,
                    None => Direction::Both,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(ways: Ways, tags: &[(&str, &'static str)]) -> bool {
        ways.take(|key| tags.iter().find(|(own, _)| *own == key).map(|(_, value)| *value))
    }

    #[test]
    fn directions_for_cars_and_on_foot() {
        let direction = |ways: Ways, tags: &[(&str, &'static str)]| {
            ways.direction(|key| tags.iter().find(|(own, _)| *own == key).map(|(_, value)| *value))
        };
        let (both, there, back) = (Direction::Both, Direction::Forward, Direction::Backward);
        for (tags, walk, drive) in [
            (&[("highway", "residential")][..], both, both),
            (&[("highway", "residential"), ("oneway", "yes")], both, there),
            (&[("highway", "residential"), ("oneway", "1")], both, there),
            (&[("highway", "residential"), ("oneway", "-1")], both, back),
            (&[("highway", "residential"), ("oneway", "reverse")], both, back),
            (&[("highway", "residential"), ("oneway", "reversible")], both, both),
            (
                &[("highway", "residential"), ("oneway", "yes"), ("oneway:foot", "yes")],
                there,
                there,
            ),
            (&[("highway", "residential"), ("oneway", "yes"), ("oneway:foot", "no")], both, there),
            (
                &[("highway", "residential"), ("oneway", "no"), ("oneway:motorcar", "yes")],
                both,
                there,
            ),
            (&[("highway", "steps"), ("conveying", "backward")], back, both),
            (&[("highway", "steps"), ("conveying", "yes")], both, both),
            (&[("highway", "tertiary"), ("junction", "roundabout")], both, there),
            (&[("highway", "tertiary"), ("junction", "circular")], both, there),
            (&[("highway", "tertiary"), ("junction", "roundabout"), ("oneway", "no")], both, both),
            (&[("highway", "motorway")], both, there),
            (&[("highway", "motorway_link")], both, both),
        ] {
            assert_eq!(direction(Ways::Walkable, tags), walk, "walk {tags:?}");
            assert_eq!(direction(Ways::Drivable, tags), drive, "drive {tags:?}");
        }
    }

    #[test]
    fn roads_paths_and_private_ground() {
        for (tags, walk, drive) in [
            (&[("highway", "residential")][..], true, true),
            (&[("highway", "footway")], true, false),
            (&[("highway", "motorway")], false, true),
            (&[("highway", "cycleway")], false, false),
            (&[("highway", "cycleway"), ("foot", "designated")], true, false),
            (&[("highway", "service"), ("access", "private")], false, false),
            (&[("highway", "service"), ("service", "driveway")], true, false),
            (&[("highway", "track"), ("access", "no"), ("foot", "yes")], true, false),
            (&[("highway", "pedestrian"), ("area", "yes")], false, false),
            (&[("highway", "tertiary"), ("foot", "no")], false, true),
            (&[("highway", "construction")], false, false),
            (&[("waterway", "river")], false, false),
        ] {
            assert_eq!(takes(Ways::Walkable, tags), walk, "walk {tags:?}");
            assert_eq!(takes(Ways::Drivable, tags), drive, "drive {tags:?}");
        }
    }
}

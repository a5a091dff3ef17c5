//! Which ways can be walked or driven on.

/// Which ways of an extract become edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ways {
    /// Where one may walk.
    #[default]
    Walkable,
    /// Where one may drive a car.
    Drivable,
}

/// Values of `highway` that are no way at all, or not for those on foot.
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

/// Values of `service` that lead nowhere but to a door or a parking place.
const PRIVATE_SERVICE: [&str; 6] =
    ["alley", "driveway", "emergency_access", "parking", "parking_aisle", "private"];

impl Ways {
    /// What they are called in messages.
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

    /// Whether a way of these tags may be taken one way only.
    pub(super) fn is_oneway<'a>(self, tag: impl Fn(&str) -> Option<&'a str>) -> bool {
        match (self, tag("oneway")) {
            (Self::Walkable, _) => false,
            (Self::Drivable, Some(oneway)) => {
                ["yes", "true", "1", "-1", "reverse"].contains(&oneway)
            }
            (Self::Drivable, None) => {
                tag("junction") == Some("roundabout") || tag("highway") == Some("motorway")
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

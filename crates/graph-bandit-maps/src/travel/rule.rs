//! Rules for edges that lack the requested field.

use serde::Serialize;

/// How the time of a road was guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Rule {
    /// Its length at its `maxspeed`.
    Maxspeed,
    /// Its length at the speed of a national rule, as `RO:urban`.
    Zone,
    /// Its length at the usual speed for its kind of road, its `highway`.
    KindOfRoad,
    /// Its length at [`Travel::speed`](crate::Travel).
    Speed,
    /// Its length on foot, at 5 km/h.
    OnFoot,
    /// Its length at its `abs_speed_limit`.
    SpeedLimit,
    /// Its length at full speed: it has no `speed_limit`.
    FullSpeed,
}

impl Rule {
    /// Its description, after "from".
    pub fn text(self) -> &'static str {
        match self {
            Self::Maxspeed => "length and maxspeed",
            Self::Zone => "length and the speed of a maxspeed such as RO:urban",
            Self::KindOfRoad => "length and the usual speed on the kind of road",
            Self::Speed => "length and the speed given",
            Self::OnFoot => "length at 5 km/h, on foot",
            Self::SpeedLimit => "length and abs_speed_limit",
            Self::FullSpeed => "length at full speed, without a speed_limit",
        }
    }
}

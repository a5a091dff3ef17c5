//! g-safe: g-star under a certificate. Its legs are walked as long as the regret so far is
//! certainly small; otherwise the nodes that may be best are swept.

use super::certified::{Certified, SafeRule};
use super::g_star::{self, CAUTION, DOUBT, FORESIGHT, SLOW_GROWTH, STAY_PER_HOP, TRUST};
use super::parameters::{HORIZON, NOISE_SCALE, VARIANCE};
use crate::index::Horizon;
use crate::spec::{AgentEntry, AgentSpec, Dash, Look, Number, Origin, Range, Standing, Values};

const BUDGET: Number = Number {
    name: "budget",
    help: "beta: the agent follows g-star while the certified regret is at most beta R sqrt(S t) \
        at time t, for S nodes and a confidence radius of R / sqrt(n) after n visits",
    when: "Lower it for a smaller bound; raise it to trust g-star for longer. With 0 the agent \
        is nearly g-sweep.",
    default: Some(12.0),
    range: Range::SIZE,
};
pub(super) const RESOLUTION: Number = Number {
    name: "resolution",
    help: "omega: the agent sweeps only if it does not know the best mean to within omega R sqrt(S \
        / t) at time t, for S nodes and a confidence radius of R / sqrt(n) after n visits",
    when: "Raise it to sweep less, lower it to sweep more. For a given budget, the bound is \
        smallest at 3.7 or at 0.47 times the budget, whichever is larger.",
    default: Some(5.6),
    range: Range::POSITIVE_SIZE,
};
pub(super) const CERTAIN_HORIZON: Number = Number {
    help: "Length of the run, including initialization: the number of visits, plus the time on \
        roads if roads take time; 0 if unknown. After the horizon, the agent continues as if it were \
        unknown",
    when: "Set it if you know how long the run will be: the bound becomes smaller.",
    ..HORIZON
};

pub(super) static G_SAFE: AgentEntry = AgentEntry {
    name: "g-safe",
    summary: "g-safe: g-star with a proven bound on regret, whatever the means",
    about: "It asks g-star where to go. Before it goes, it computes the certified regret: the most \
        that the visits so far and those of the leg can cost, by confidence intervals that all \
        hold at once with high probability. As long as the certified regret is within the budget, \
        it does what g-star says. Otherwise it sweeps: it makes one round through the graph, and \
        visits the nodes that may still be the best until it knows the best mean twice as well. \
        But if it already knows the best mean well enough, it skips the sweep, and stays where it \
        cannot lose much. So its expected regret has a proven bound, with or without a known \
        horizon, and nearly all of its legs are g-star's.",
    origin: Origin::Frontier,
    standing: Standing::Recommended,
    look: Some(Look { slot: 7, dash: Dash::Dotted }),
    parameters: &[
        &NOISE_SCALE,
        &BUDGET,
        &RESOLUTION,
        &CERTAIN_HORIZON,
        &VARIANCE,
        &CAUTION,
        &SLOW_GROWTH,
        &STAY_PER_HOP,
        &DOUBT,
        &TRUST,
        &FORESIGHT,
    ],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, graph| {
        let rule = following(values);
        Ok(Box::new(Certified::new(graph.len(), rule, Some(g_star::agent(values)))))
    },
};

impl SafeRule {
    /// The constants of `g-safe` or `g-sweep` with these parameters; `None` for other agents.
    pub fn of_agent(spec: &AgentSpec) -> Option<Self> {
        match spec.name() {
            "g-safe" => Some(following(spec.values())),
            "g-sweep" => Some(sweeping(spec.values())),
            _ => None,
        }
    }
}

/// The rule of an agent that follows a heuristic.
fn following(values: Values<'_>) -> SafeRule {
    SafeRule { budget: values.get(&BUDGET), ..sweeping(values) }
}

/// The rule of an agent that only sweeps.
pub(super) fn sweeping(values: Values<'_>) -> SafeRule {
    SafeRule {
        scale: values.get(&NOISE_SCALE),
        budget: 0.0,
        resolution: values.get(&RESOLUTION),
        horizon: Horizon::of_parameter(values.get(&CERTAIN_HORIZON)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Preset;

    #[test]
    fn the_rule_of_an_agent_has_its_parameters() {
        let rule = |text| SafeRule::of_agent(&AgentSpec::parse(text, Preset::Paper).unwrap());
        let safe =
            SafeRule { scale: 0.5, budget: 12.0, resolution: 5.6, horizon: Horizon::Unknown };
        assert_eq!(rule("g-safe"), Some(safe));
        assert_eq!(rule("g-sweep"), Some(SafeRule { budget: 0.0, resolution: 3.7, ..safe }));
        let other = "g-safe:noise-scale=2,budget=3,resolution=4,horizon=100";
        let known = Horizon::Known(100.0);
        let by_hand = SafeRule { scale: 2.0, budget: 3.0, resolution: 4.0, horizon: known };
        assert_eq!(rule(other), Some(by_hand));
        assert_eq!(rule("g-star"), None);
    }
}

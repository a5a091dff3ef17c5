//! g-drift: g-star for rewards that change. It notices changes where it stands, forgets the nodes
//! that changed, doubts the others the more the longer it has not seen them, and goes to look where
//! that is worth the trip.

mod changes;
mod drifting;
mod outlook;
mod pool;
mod record;

use super::g_star::{self, CAUTION, SLOW_GROWTH, STAY_PER_HOP};
use super::parameters::{HORIZON, NOISE_SCALE, VARIANCE};
use crate::index::{Horizon, Noise};
use crate::schedule::Amortized;
use crate::spec::{AgentEntry, Choice, Dash, Look, Number, Origin, Range};
use drifting::{Drifting, Parts};
use outlook::Outlook;

/// Whether the agent forgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Restarts {
    /// The node that changed.
    Local,
    /// Nothing is forgotten.
    Never,
}

const RESTARTS: Choice<Restarts> = Choice {
    name: "restarts",
    help: "What the agent forgets when it finds a change",
    when: "local forgets the node that changed, which is nearly always right; with never, the agent is g-star.",
    first: ("local", Restarts::Local),
    others: &[("never", Restarts::Never)],
};
const FALSE_ALARMS: Number = Number {
    name: "delta",
    help: "Probability that it ever finds a change if there is none and rate is 0",
    when: "Raise it to notice small changes sooner, at the price of more false alarms.",
    default: Some(0.05),
    range: Range::POSITIVE_PROBABILITY,
};
const RATE: Number = Number {
    name: "rate",
    help: "Known rate of changes, per node and unit of time; the agent adds the rate of the changes it finds",
    when: "Raise it above 0 if nodes may become better without any change where the agent stands: \
        it then goes to look even before it has found a change, which costs regret if nothing \
        changes.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};

pub(super) static G_DRIFT: AgentEntry = AgentEntry {
    name: "g-drift",
    summary: "g-drift: g-star for rewards that change: restarts changed nodes, looks where it pays",
    about: "It is g-star until it finds a change: a node whose rewards have different means \
        before and after some visit. Then it forgets what it knew about that node. Nodes that it \
        has not seen for a long time, or not since that change, may have changed, too: it learns \
        from its visits how often nodes change and how many change together. It goes to look where the gain that may \
        be found on the way is worth the trip, and otherwise stays at the node that it believes to \
        be the best. It draws no random numbers, and you need not tell it how \
        many changes there are.",
    origin: Origin::Changing,
    look: Some(Look { slot: 8, dash: Dash::Solid }),
    parameters: &[
        &NOISE_SCALE,
        &VARIANCE,
        &CAUTION,
        &HORIZON,
        &SLOW_GROWTH,
        &STAY_PER_HOP,
        &RESTARTS,
        &FALSE_ALARMS,
        &RATE,
    ],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, graph| {
        let unchanged = g_star::agent(values);
        if values.get(&RESTARTS) == Restarts::Never {
            return Ok(Box::new(unchanged));
        }
        let noise_scale = values.get(&NOISE_SCALE);
        let noise = Noise::new(noise_scale, values.get(&VARIANCE));
        let horizon = Horizon::of_parameter(values.get(&HORIZON));
        let parts = Parts {
            unchanged,
            outlook: Outlook::new(noise, values.get(&CAUTION), horizon),
            stays: Amortized {
                growth: values.get(&SLOW_GROWTH),
                per_hop: values.get(&STAY_PER_HOP),
            },
            noise_scale,
            false_alarms: values.get(&FALSE_ALARMS),
            rate: values.get(&RATE),
        };
        Ok(Box::new(Drifting::new(parts, graph.len())))
    },
};

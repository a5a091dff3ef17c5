//! g-drift: g-star for rewards that change. It notices changes where it stands, forgets the nodes
//! that changed, doubts the others the more the longer it has not seen them, and goes to look where
//! that is worth the trip.

mod beliefs;
mod changes;
mod drifting;
mod knowledge;
mod outlook;
mod pool;
mod record;

use super::g_star::{self, CAUTION, SLOW_GROWTH, STAY_PER_HOP};
use super::parameters::{HORIZON, NOISE_SCALE, VARIANCE};
use crate::index::{Horizon, Noise};
use crate::schedule::Amortized;
use crate::spec::{
    AgentEntry, Choice, Dash, Look, Number, Origin, Parameter, Range, Standing, Values,
};
pub(crate) use beliefs::{Beliefs, Level};
use drifting::{Drifting, Parts};
pub(crate) use knowledge::{Expected, Knowledge, Seen};
use outlook::Outlook;

/// Whether the agent forgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restarts {
    /// The node that changed.
    Local,
    /// Nothing is forgotten.
    Never,
}

pub(crate) const RESTARTS: Choice<Restarts> = Choice {
    name: "restarts",
    help: "What the agent forgets when it finds a change",
    when: "`local` forgets the node that changed, and is nearly always right. With `never`, the \
            agent is g-star.",
    first: ("local", Restarts::Local),
    others: &[("never", Restarts::Never)],
};
const FALSE_ALARMS: Number = Number {
    name: "delta",
    help: "Probability of ever raising a false alarm, if nothing changes and `rate` is 0",
    when: "Raise it to notice small changes sooner, at the price of more false alarms.",
    default: Some(0.05),
    range: Range::POSITIVE_PROBABILITY,
};
const RATE: Number = Number {
    name: "rate",
    help: "Known rate of changes, per node and unit of time; the agent adds the rate of the \
            changes that it finds",
    when: "Raise it above 0 if other nodes may become better while nothing changes at the agent's \
        own node. The agent then looks at other nodes even before it has found a change, where a \
        look is worth its trip. What it finds is good only until the next change, so a high rate \
        makes it look less. If nothing changes, looking costs regret.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};

/// The parameters of an agent alone and of one that leads a team.
pub(crate) const PARAMETERS: &[&dyn Parameter] = &[
    &NOISE_SCALE,
    &VARIANCE,
    &CAUTION,
    &HORIZON,
    &SLOW_GROWTH,
    &STAY_PER_HOP,
    &RESTARTS,
    &FALSE_ALARMS,
    &RATE,
];

/// What these values say about rewards and their changes.
pub(crate) fn expected(values: Values<'_>) -> Expected {
    Expected {
        noise_scale: values.get(&NOISE_SCALE),
        false_alarms: values.get(&FALSE_ALARMS),
        rate: values.get(&RATE),
    }
}

pub(super) static G_DRIFT: AgentEntry = AgentEntry {
    name: "g-drift",
    summary: "g-drift: g-star for rewards that change: restarts changed nodes, looks where it pays",
    about: "It decides as g-star does until it finds a change: at some node, the rewards before \
        and after some visit have different means. Then it forgets what it knew about that node. \
        It also doubts what it knows about nodes that it has not visited since that change, or for \
        a long time. From its visits it learns how often nodes change, and how many change \
        together. It makes a trip to look at nodes if the gain that it may find there and on the \
        way is worth the trip. Otherwise it stays at the node that it believes to be the best. It \
        draws no random numbers, and you need not tell it how many changes there will be.",
    origin: Origin::Changing,
    standing: Standing::Recommended,
    look: Some(Look { slot: 8, dash: Dash::Solid }),
    parameters: PARAMETERS,
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, graph| {
        let unchanged = g_star::agent(values);
        if values.get(&RESTARTS) == Restarts::Never {
            return Ok(Box::new(unchanged));
        }
        let noise = Noise::new(values.get(&NOISE_SCALE), values.get(&VARIANCE));
        let horizon = Horizon::of_parameter(values.get(&HORIZON));
        let parts = Parts {
            unchanged,
            outlook: Outlook::new(Beliefs::new(noise, values.get(&CAUTION), horizon)),
            stays: Amortized {
                growth: values.get(&SLOW_GROWTH),
                per_hop: values.get(&STAY_PER_HOP),
            },
            expected: expected(values),
        };
        Ok(Box::new(Drifting::new(parts, graph.len())))
    },
};

//! g-star: where the expected improvement on the best node known is the largest multiple of what it costs
//! to go and see; if nothing is worth its price, to that node.

use super::Episodic;
use super::parameters::{GROWTH, HORIZON, NOISE_SCALE, PER_HOP, VARIANCE};
use crate::index::{ExpectedImprovement, Horizon, Noise};
use crate::planner::Bargain;
use crate::schedule::Amortized;
use crate::spec::{AgentEntry, Dash, Look, Number, Origin, Range};

const CAUTION: Number = Number {
    name: "caution",
    help: "So many times larger than it seems the variance is taken to be",
    default: Some(1.5),
    range: Range::SIZE,
};
const SLOW_GROWTH: Number = Number { default: Some(0.5), ..GROWTH };

pub(super) static G_STAR: AgentEntry = AgentEntry {
    name: "g-star",
    summary: "g-star: to the expected improvement that is the largest multiple of its price, else to the best mean",
    origin: Origin::Frontier,
    look: Some(Look { slot: 13, dash: Dash::Dotted }),
    parameters: &[&NOISE_SCALE, &VARIANCE, &CAUTION, &HORIZON, &SLOW_GROWTH, &PER_HOP],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, _graph| {
        let noise_scale = values.get(&NOISE_SCALE);
        let noise = Noise::new(noise_scale, values.get(&VARIANCE));
        let horizon = Horizon::of_parameter(values.get(&HORIZON));
        let schedule =
            Amortized { growth: values.get(&SLOW_GROWTH), per_hop: values.get(&PER_HOP) };
        Ok(Box::new(Episodic {
            index: ExpectedImprovement::new(noise, values.get(&CAUTION)),
            planner: Bargain::new(schedule, horizon, noise_scale),
            schedule,
        }))
    },
};

//! m-klucb: KL-UCB restarted when the two halves of a node's last rewards differ (after Cao, Wen,
//! Kveton and Xie, 2019).

use super::Exploration;
use super::changing::Changing;
use super::parameters::{
    CHANGES, CHANGING_HORIZON, FALSE_ALARMS, FORCED, GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, RESTARTS,
    UNIT_REWARDS,
};
use crate::detector::Halves;
use crate::exact::exact;
use crate::forgetting::{Restarts, Scope};
use crate::index::KlBound;
use crate::spec::{AgentEntry, Choice, Count, Dash, Look, Number, Origin, Standing};
use crate::tuning::Formula;

const COMPARED: Count = Count {
    name: "window",
    help: "How many of a node's most recent rewards the agent compares: the older half with the \
        newer half",
    when: "Lower it if means change often. Raise it to notice smaller changes. An odd number is \
        rounded up.",
    default: Some(150),
    least: 2,
    most: 1_000_000,
};
const RESTARTS_ALL: Choice<Scope> =
    Choice { first: ("global", Scope::Global), others: &[("local", Scope::Local)], ..RESTARTS };
const HALVES_DELTA: Number = Number {
    help: "Probability of a false alarm in one test; if 0, it follows from `horizon`",
    ..FALSE_ALARMS
};
const SHARE: Number = Number {
    help: "Share of visits spent on rounds of all nodes; if 0, it follows from `changes` and \
            `horizon`",
    ..FORCED
};

pub(super) static M_KLUCB: AgentEntry = AgentEntry {
    name: "m-klucb",
    summary: "M-klUCB: KL-UCB that restarts when the two halves of a node's last rewards differ",
    about: "KL-UCB for means that change now and then. At every node, it compares the older half \
        of the most recent rewards with the newer half. If their sums differ by more than chance \
        explains, the agent concludes that the mean has changed. It then forgets all nodes, or \
        only this one. At fixed intervals it makes a round of all nodes, so that it also notices \
        changes elsewhere.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 3, dash: Dash::Solid }),
    parameters: &[
        &CHANGES,
        &CHANGING_HORIZON,
        &RESTARTS_ALL,
        &COMPARED,
        &HALVES_DELTA,
        &SHARE,
        &UNIT_REWARDS,
        &GAUSSIAN_NOISE,
        &NO_GROWTH,
        &PER_HOP,
    ],
    program: "",
    noise_scale: Changing::declared_noise,
    build: |values, graph| {
        let changing = Changing::of(values, graph);
        let window = values.get(&COMPARED).next_multiple_of(2);
        let likelihood = changing.tuned(&HALVES_DELTA, Formula::HalvesDelta);
        let halves = Halves { window, unit: changing.unit(), likelihood };
        let formula = Formula::HalvesExploration { window: exact(window as u64) };
        let share = changing.tuned(&SHARE, formula);
        Ok(changing.agent(
            Restarts::new(changing.nodes, halves, values.get(&RESTARTS_ALL)),
            KlBound::new(changing.divergence),
            Exploration::InRounds(share),
        ))
    },
};

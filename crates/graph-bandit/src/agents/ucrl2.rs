//! UCRL2 in the graph setting (Appendix E, Algorithms 3 and 4).

use super::Episodic;
use super::parameters::{COUNTING, DELTA, POLICY_VALUES, SWEEP_CAP, UNION_FACTOR};
use crate::index::Ucrl2Bound;
use crate::planner::ValueIteration;
use crate::schedule::DoubleAnywhere;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

pub(super) static UCRL2: AgentEntry = AgentEntry {
    name: "ucrl2",
    summary: "UCRL2 on a known graph: wider bounds, value iteration, legs that end when any \
            node's visits double",
    about: "The reinforcement learner UCRL2 on a known graph (Appendix E of the paper). It gives \
        every node an upper confidence bound, wider than G-UCB's. It computes the best policy for \
        these bounds by value iteration, and follows that policy until the visits to some node \
        have doubled.",
    origin: Origin::Paper,
    standing: Standing::Other,
    look: Some(Look { slot: 2, dash: Dash::Solid }),
    parameters: &[&DELTA, &UNION_FACTOR, &SWEEP_CAP, &POLICY_VALUES, &COUNTING],
    program: "union-factor=two,sweep-cap=square-root,policy-values=previous,counting=departures",
    noise_scale: |_values| None,
    build: |values, _graph| {
        Ok(Box::new(Episodic {
            index: Ucrl2Bound::new(values.get(&DELTA), values.get(&UNION_FACTOR)),
            planner: ValueIteration::new(values.get(&SWEEP_CAP), values.get(&POLICY_VALUES)),
            schedule: DoubleAnywhere::new(values.get(&COUNTING)),
        }))
    },
};

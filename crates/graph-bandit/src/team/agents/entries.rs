//! The agents that lead teams, by name.

use super::{
    Departure, DriftParameters, Hops, Marks, MultiGUcb, MultiParameters, Prices, Refresh,
    StarParameters, TeamDrift, TeamStar, Until,
};
use crate::agents::g_drift::{self, PARAMETERS, RESTARTS, Restarts};
use crate::agents::parameters::{BONUS, HORIZON, NOISE_SCALE, VARIANCE};
use crate::agents::{CAUTION, DOUBT, SLOW_GROWTH, STAY_PER_HOP};
use crate::index::{Horizon, Noise};
use crate::schedule::Amortized;
use crate::spec::{Choice, Dash, Look, Number, TeamEntry, Values};

/// All agents for teams of this crate, in listing order.
pub(crate) const BUILT_IN: &[&TeamEntry] = &[&G_STAR, &MULTI_G_UCB, &COMB_UCB, &G_DRIFT];

const UNTIL: Choice<Until> = Choice {
    name: "until",
    help: "Which node of the allocation must double its draws before an episode ends",
    when: "`least` is the node that had the fewest draws when the episode began. This is \
        Multi-G-UCB; the paper compares it with `median` and `most`.",
    first: ("least", Until::Least),
    others: &[("median", Until::Median), ("most", Until::Most)],
};
const COVER: Choice<Marks> = Choice {
    name: "marks",
    help: "Whether walkers in the initial search skip nodes that others have visited",
    when: "With `own`, as in the paper, they do not skip them. With `shared`, as in the authors' \
        program, they do, which is faster.",
    first: ("own", Marks::Own),
    others: &[("shared", Marks::Shared)],
};
const REFRESH: Choice<Refresh> = Choice {
    name: "refresh",
    help: "When a node's confidence bound is computed again",
    when: "With `episodes`, as in the paper, all bounds are computed at the start of every \
        episode. With `draws`, as in the authors' program, a node's bound is computed only after a \
        draw there, so the bounds of other nodes do not grow.",
    first: ("episodes", Refresh::Episodes),
    others: &[("draws", Refresh::Draws)],
};
const PRICES: Choice<Prices> = Choice {
    name: "prices",
    help: "Which nodes the highest bound is taken from; a step costs that bound minus the bound of \
        the node that it enters",
    when: "The paper says `all`. The authors' program uses `chosen`: only the nodes of the \
            allocation.",
    first: ("all", Prices::All),
    others: &[("chosen", Prices::Chosen)],
};
const HOPS: Choice<Hops> = Choice {
    name: "hops",
    help: "How many hops a path may have",
    when: "The paper says `diameter`: at most as many as the diameter of the graph, which its \
        proof needs. The authors' program uses `any`.",
    first: ("diameter", Hops::Diameter),
    others: &[("any", Hops::Any)],
};
const DEPARTURE: Choice<Departure> = Choice {
    name: "departure",
    help: "When walkers set out for their new places",
    when: "The paper says `at-once`. The authors' program uses `after-a-draw`: after one more draw \
        where they are.",
    first: ("at-once", Departure::AtOnce),
    others: &[("after-a-draw", Departure::AfterADraw)],
};
/// `sqrt(3 / 4)`, which turns `sqrt(2 ln t / n)` into `CombUCB1`'s `sqrt(1.5 ln t / n)`.
const COMB_BONUS: Number = Number { default: Some(0.866_025_403_784_438_6), ..BONUS };

static G_STAR: TeamEntry = TeamEntry {
    name: "g-star",
    summary: "g-star for teams: each walker explores where it is worth the trip, or else takes \
            its best place",
    about: "Each walker plans when its own leg ends, and takes the legs of the others as given. To \
        a walker, a node is worth what the walker would add to what the others earn there. The \
        best allocation of walkers to nodes, as far as the team knows, gives each walker a place: \
        its seat. The walker compares every node with its seat. It goes to the node whose expected \
        improvement is the largest multiple of the cost of the trip. If no trip is worth its cost, \
        it goes to its seat. A team of one decides as g-star does alone.",
    look: Some(Look { slot: 13, dash: Dash::Dotted }),
    parameters: &[&NOISE_SCALE, &VARIANCE, &CAUTION, &HORIZON, &SLOW_GROWTH, &STAY_PER_HOP, &DOUBT],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values| Box::new(TeamStar::new(star_parameters(values))),
};

fn star_parameters(values: Values<'_>) -> StarParameters {
    let noise_scale = values.get(&NOISE_SCALE);
    StarParameters {
        noise: Noise::new(noise_scale, values.get(&VARIANCE)).with_doubt(values.get(&DOUBT)),
        noise_scale,
        caution: values.get(&CAUTION),
        horizon: Horizon::of_parameter(values.get(&HORIZON)),
        stays: Amortized { growth: values.get(&SLOW_GROWTH), per_hop: values.get(&STAY_PER_HOP) },
    }
}

static G_DRIFT: TeamEntry = TeamEntry {
    name: "g-drift",
    summary: "g-drift for teams: g-star for rewards that change; all walkers share what they find",
    about: "The team decides as g-star does until somebody finds a change: at some node, the draws \
        (rewards) before and after some moment have different means. Then the team forgets what it \
        knew about that node, and doubts what it knows about nodes that nobody has visited since, \
        or for a long time. Every walker plans again after its next draw. A walker chooses between \
        two kinds of trips: to a node where it would stay, or to a node that it would only check. \
        It rates each trip by what it may gain at the end and on the way. It need not check nodes \
        where another walker is, or to which another walker is going. If no trip is worth its \
        cost, the walker goes to its seat in the allocation that the team now believes to be the \
        best. In simulations, a team of one decides as g-drift does alone.",
    look: Some(Look { slot: 8, dash: Dash::Solid }),
    parameters: PARAMETERS,
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values| {
        let star = star_parameters(values);
        if values.get(&RESTARTS) == Restarts::Never {
            return Box::new(TeamStar::new(star));
        }
        Box::new(TeamDrift::new(DriftParameters { star, expected: g_drift::expected(values) }))
    },
};

static MULTI_G_UCB: TeamEntry = TeamEntry {
    name: "multi-g-ucb",
    summary: "Multi-G-UCB: the best allocation under confidence bounds, until a node's draws \
            double",
    about: "The algorithm of Paschalidis, Zhang and Li (2024). It rates every node by its upper \
        confidence bound, and finds the best allocation of walkers under these bounds. It matches \
        walkers to places so that the trips cost as little as possible. All walkers stay until the \
        node of the allocation that had the fewest draws (rewards) has twice as many (see \
        `until`). This ends an episode, and the agent plans again for all walkers.",
    look: Some(Look { slot: 12, dash: Dash::Dashed }),
    parameters: &[&BONUS, &UNTIL, &COVER, &REFRESH, &PRICES, &HOPS, &DEPARTURE],
    program: "marks=shared,refresh=draws,prices=chosen,hops=any,departure=after-a-draw",
    noise_scale: |_values| None,
    build: |values| {
        Box::new(MultiGUcb::new(MultiParameters {
            bonus: values.get(&BONUS),
            until: values.get(&UNTIL),
            marks: values.get(&COVER),
            refresh: values.get(&REFRESH),
            prices: values.get(&PRICES),
            hops: values.get(&HOPS),
            departure: values.get(&DEPARTURE),
        }))
    },
};

static COMB_UCB: TeamEntry = TeamEntry {
    name: "comb-ucb",
    summary: "CombUCB1: the best allocation under confidence bounds, found again once all have \
            arrived",
    about: "The combinatorial bandit of Kveton and others (2015), on a graph. It finds the best \
        allocation under upper confidence bounds of radius sqrt(1.5 ln t / n). When all walkers \
        have arrived and drawn one reward, it finds the best allocation again. When it chooses an \
        allocation, it ignores the cost of travel. On a complete graph with share `equal`, it is \
        multiple-play UCB.",
    look: Some(Look { slot: 14, dash: Dash::Dashed }),
    parameters: &[&COMB_BONUS],
    program: "",
    noise_scale: |_values| None,
    build: |values| {
        Box::new(MultiGUcb::new(MultiParameters {
            bonus: values.get(&COMB_BONUS),
            until: Until::OneVisit,
            marks: Marks::Shared,
            refresh: Refresh::Episodes,
            prices: Prices::All,
            hops: Hops::Any,
            departure: Departure::AtOnce,
        }))
    },
};

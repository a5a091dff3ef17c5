//! Mean rewards that change over time: `redrawn:0.5,9.5,4000`, `seasons:2,8,1.5,1000` and others.
//!
//! Everything is a pure function of the run's seed. A longer run has the same changes as a shorter
//! one and more after them.

use super::means::{HIGH, LOW, MeansEntry, Span};
use super::{Choice, Count, Number, Range, SpecError, Values};
use crate::clock::Time;
use crate::graph::NodeId;
use crate::normal;
use crate::random::{Seed, label, open_unit};
use crate::timetable::{Change, Season, Timetable};

/// The most changes of one run, about a gigabyte.
const MOST_CHANGES: f64 = 3e7;

/// When changes happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moments {
    /// With random gaps: an exponential law.
    Poisson,
    /// With equal gaps.
    Regular,
}

const EVERY: Number = Number {
    name: "every",
    help: "The average time between two changes, in steps",
    when: "The shorter it is, the less an agent can know, and the more often it pays to look \
            again.",
    default: None,
    range: Range::closed(1.0, 1e15),
};
const MOVES_EVERY: Number =
    Number { help: "The time between two moves of a mean, in steps", ..EVERY };
const MOMENTS: Choice<Moments> = Choice {
    name: "moments",
    help: "When changes happen",
    when: "`poisson`: at random moments. `regular`: at equal intervals, the same in every run.",
    first: ("poisson", Moments::Poisson),
    others: &[("regular", Moments::Regular)],
};
const STEP: Number = Number {
    name: "step",
    help: "The standard deviation of one move of a mean",
    when: "Over n moves, a mean changes by about STEP times the square root of n.",
    default: None,
    range: Range::SIZE,
};
const LOWEST_AVERAGE: Number = Number { help: "The lowest average", ..LOW };
const HIGHEST_AVERAGE: Number = Number { help: "The highest average", ..HIGH };
const AMPLITUDE: Number = Number {
    name: "amplitude",
    help: "How far a mean rises above its average, and falls below it",
    when: "The larger it is, the more an agent gains by following the season.",
    default: None,
    range: Range::SIZE,
};
const PERIOD: Count = Count {
    name: "period",
    help: "The length of one season, in steps",
    when: "The longer it is, the more an agent can gain by following the season.",
    default: None,
    least: 2,
    most: 1_000_000,
};

/// The moments of change before the end of the span; each changes this many nodes.
fn moments(values: Values<'_>, span: &Span, of_each: usize) -> Result<Vec<f64>, SpecError> {
    moments_of(values.get(&MOMENTS), values.get(&EVERY), span, of_each)
}

fn moments_of(
    kind: Moments,
    every: f64,
    span: &Span,
    of_each: usize,
) -> Result<Vec<f64>, SpecError> {
    let changes = span.steps as f64 / every * of_each as f64;
    if changes > MOST_CHANGES {
        return Err(SpecError::Refused {
            text: format!("every {every}"),
            reason: format!(
                "about {changes:.0} changes in {} steps on {} nodes do not fit into memory; raise \
                 the time between changes",
                span.steps, span.nodes
            ),
        });
    }
    let mut whim = span.run.child(label::CHANGES).stream();
    let mut at = 0.0;
    let mut all = Vec::new();
    loop {
        at += match kind {
            Moments::Regular => every,
            Moments::Poisson => -every * libm::log(open_unit(whim.bits())),
        };
        // A moment between two steps is felt at the next one; a gap may be too short to see.
        let moment = at.ceil().max(1.0);
        if moment >= span.steps as f64 {
            return Ok(all);
        }
        if all.last() != Some(&moment) {
            all.push(moment);
        }
    }
}

/// The randomness of the means after change number `k`.
fn of_change(run: Seed, k: u64) -> Seed {
    run.child(label::CHANGES).child(k)
}

fn between(values: Values<'_>, unit: f64) -> f64 {
    let (low, high) = (values.get(&LOW), values.get(&HIGH));
    (low + (high - low) * unit).min(high)
}

/// The means at the start, as `uniform` draws them.
fn start(values: Values<'_>, span: &Span) -> Vec<f64> {
    let seed = span.run.child(label::MEANS);
    (0..span.nodes as u64).map(|s| between(values, seed.unit(s))).collect()
}

fn ends(values: Values<'_>) -> (f64, f64) {
    (values.get(&LOW), values.get(&HIGH))
}

#[expect(clippy::unnecessary_wraps, reason = "entries with other means may fail")]
fn first_means(values: Values<'_>, nodes: usize, run: Seed) -> Result<Vec<f64>, SpecError> {
    Ok(start(values, &Span { nodes, run, steps: 0 }))
}

pub(super) static REDRAWN: MeansEntry = MeansEntry {
    name: "redrawn",
    summary: "means from LOW to HIGH, all drawn again every EVERY steps on average",
    about: "Every run draws mean rewards as `uniform` does. At random moments, it draws all of \
        them again, so everything learned before is worthless. With `regular` as the last \
        parameter, these moments are equally far apart.",
    example: "redrawn:0.5,9.5,4000",
    parameters: &[&LOW, &HIGH, &EVERY, &MOMENTS],
    ends,
    draw: first_means,
    over_time: Some(|values, span| {
        let mut changes = Vec::new();
        for (k, at) in (1..).zip(moments(values, span, span.nodes)?) {
            let seed = of_change(span.run, k);
            changes.extend((0..span.nodes as NodeId).map(|node| {
                let mean = between(values, seed.unit(u64::from(node)));
                Change { at, node, mean }
            }));
        }
        Ok(Timetable::of_changes(&start(values, span), &changes)?)
    }),
};

pub(super) static ONE_AT_A_TIME: MeansEntry = MeansEntry {
    name: "one-at-a-time",
    summary: "means from LOW to HIGH; one random node is drawn again every EVERY steps on average",
    about: "Every run draws mean rewards as `uniform` does. At random moments, one random node \
        gets another mean; all others keep theirs. An agent that forgets everything at every \
        change loses what is still true of the other nodes. With `regular` as the last parameter, \
        these moments are equally far apart.",
    example: "one-at-a-time:0.5,9.5,100",
    parameters: &[&LOW, &HIGH, &EVERY, &MOMENTS],
    ends,
    draw: first_means,
    over_time: Some(|values, span| {
        let change = |(k, at): (u64, f64)| {
            let seed = of_change(span.run, k);
            let node = (seed.unit(0) * span.nodes as f64) as NodeId;
            Change { at, node, mean: between(values, seed.unit(1)) }
        };
        let changes: Vec<Change> = (1..).zip(moments(values, span, 1)?).map(change).collect();
        Ok(Timetable::of_changes(&start(values, span), &changes)?)
    }),
};

pub(super) static MOVING_BEST: MeansEntry = MeansEntry {
    name: "moving-best",
    summary: "means from LOW to HIGH; one node pays HIGH: another one every EVERY steps on \
            average",
    about: "Every run draws mean rewards as `uniform` does, and raises one node to HIGH. At random \
        moments, that node falls back to its own mean, and a random node is raised (now and then, \
        the same one). An agent that stays sees its node fall, but does not see which node is best \
        now. With `regular` as the last parameter, these moments are equally far apart.",
    example: "moving-best:0.5,9.5,2000",
    parameters: &[&LOW, &HIGH, &EVERY, &MOMENTS],
    ends,
    draw: |values, nodes, run| {
        let span = Span { nodes, run, steps: 0 };
        let mut means = start(values, &span);
        let first = place(&span, 0);
        means[first as usize] = values.get(&HIGH);
        Ok(means)
    },
    over_time: Some(|values, span| {
        let own = start(values, span);
        let high = values.get(&HIGH);
        let mut best = place(span, 0);
        let mut raised = own.clone();
        raised[best as usize] = high;
        let mut changes = Vec::new();
        for (k, at) in (1..).zip(moments(values, span, 2)?) {
            let next = place(span, k);
            if next != best {
                changes.push(Change { at, node: best, mean: own[best as usize] });
                changes.push(Change { at, node: next, mean: high });
                best = next;
            }
        }
        Ok(Timetable::of_changes(&raised, &changes)?)
    }),
};

/// Where the best place is after change number `k`.
fn place(span: &Span, k: u64) -> NodeId {
    (of_change(span.run, k).unit(0) * span.nodes as f64) as NodeId
}

pub(super) static DRIFT: MeansEntry = MeansEntry {
    name: "drift",
    summary: "every mean makes a random walk between LOW and HIGH: a move of size STEP once in \
            EVERY steps",
    about: "Every run draws mean rewards as `uniform` does. From then on, each mean moves up or \
        down by a Gaussian amount at intervals of EVERY steps, and turns back at the ends of the \
        range. There is no single moment of change to detect.",
    example: "drift:0.5,9.5,0.2,100",
    parameters: &[&LOW, &HIGH, &STEP, &MOVES_EVERY],
    ends,
    draw: first_means,
    over_time: Some(|values, span| {
        let (low, high) = ends(values);
        let times = moments_of(Moments::Regular, values.get(&EVERY), span, span.nodes)?;
        let start = start(values, span);
        let mut means = start.clone();
        let mut changes = Vec::with_capacity(times.len().saturating_mul(span.nodes));
        for (k, at) in (1..).zip(times) {
            let seed = of_change(span.run, k);
            for (node, mean) in (0..).zip(&mut means) {
                let luck = normal::quantile(open_unit(seed.bits(u64::from(node))));
                *mean = reflected(*mean + values.get(&STEP) * luck, low, high);
                changes.push(Change { at, node, mean: *mean });
            }
        }
        Ok(Timetable::of_changes(&start, &changes)?)
    }),
};

/// A number folded back into a range, as a walk that turns around at its ends.
fn reflected(number: f64, low: f64, high: f64) -> f64 {
    let width = high - low;
    if width <= 0.0 {
        return low;
    }
    let along = (number - low).rem_euclid(2.0 * width);
    (low + if along > width { 2.0 * width - along } else { along }).clamp(low, high)
}

pub(super) static SEASONS: MeansEntry = MeansEntry {
    name: "seasons",
    summary: "means that rise and fall around averages from LOW to HIGH, with this AMPLITUDE and \
            PERIOD",
    about: "Every run draws average rewards as `uniform` does. Each mean rises and falls around \
        its average like a sine wave, and each node has its own phase: rush hour comes to every \
        place, but not at the same time.",
    example: "seasons:2,8,1.5,1000",
    parameters: &[&LOWEST_AVERAGE, &HIGHEST_AVERAGE, &AMPLITUDE, &PERIOD],
    ends: |values| {
        let amplitude = values.get(&AMPLITUDE);
        (values.get(&LOW) - amplitude, values.get(&HIGH) + amplitude)
    },
    draw: |values, nodes, run| {
        let table = seasons(values, &Span { nodes, run, steps: 0 })?;
        let at_start = |node| table.mean(node, Time::START);
        Ok((0..nodes as NodeId).map(at_start).collect())
    },
    over_time: Some(seasons),
};

fn seasons(values: Values<'_>, span: &Span) -> Result<Timetable, SpecError> {
    let (amplitude, period) = (values.get(&AMPLITUDE), values.get(&PERIOD) as u64);
    let phases = span.run.child(label::CHANGES);
    let season = |(s, mean): (u64, f64)| Season {
        mean,
        amplitude,
        phase: (phases.unit(s) * period as f64).floor(),
    };
    let all: Vec<Season> = (0..).zip(start(values, span)).map(season).collect();
    Ok(Timetable::of_seasons(&all, period)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::MeansSpec;

    fn table(text: &str, steps: u64) -> Timetable {
        let spec: MeansSpec = text.parse().unwrap();
        let span = Span { nodes: 20, run: Seed(5), steps };
        let table = spec.over_time(&span).unwrap().unwrap();
        let first = spec.draw(20, Seed(5)).unwrap();
        for (node, mean) in (0..).zip(first) {
            assert_eq!(table.mean(node, Time::START), mean, "{text}");
        }
        let (low, high) = spec.ends();
        for step in 0..steps.min(2_000) {
            for node in 0..20 {
                let mean = table.mean(node, Time(step as f64));
                assert!((low..=high).contains(&mean), "{text}: {mean}");
            }
        }
        table
    }

    #[test]
    fn a_longer_run_only_adds_changes() {
        for entry in MeansSpec::entries().into_iter().filter(|entry| entry.over_time.is_some()) {
            let (short, long) = (table(entry.example, 5_000), table(entry.example, 20_000));
            for step in 0..5_000_u32 {
                let at = Time(f64::from(step));
                for node in [0, 7, 19] {
                    assert_eq!(short.mean(node, at), long.mean(node, at), "{}", entry.name);
                }
            }
            let changes = |table: &Timetable| table.moments().map_or(0, |moments| moments.len());
            assert!(changes(&long) > changes(&short) || entry.name == "seasons");
        }
    }

    #[test]
    fn moments_come_as_often_as_asked() {
        // 1,000 expected moments; six deviations of a Poisson count.
        let random = table("redrawn:0,1,100", 100_000).moments().unwrap().len();
        assert!(random.abs_diff(1_000) < 190, "{random}");
        let regular = table("redrawn:0,1,100,regular", 1_000).moments().unwrap();
        let by_hand: Vec<f64> = (1..10).map(|k| 100.0 * f64::from(k)).collect();
        assert_eq!(regular, by_hand);
    }

    #[test]
    fn changes_touch_what_they_say() {
        let at = |table: &Timetable, t: f64| -> Vec<f64> {
            (0..20).map(|node| table.mean(node, Time(t))).collect()
        };
        let changed = |text: &str| {
            let table = table(text, 2_000);
            let moments = table.moments().unwrap();
            let count = |&moment: &f64| {
                let (before, after) = (at(&table, moment - 0.5), at(&table, moment));
                before.iter().zip(&after).filter(|(a, b)| a != b).count()
            };
            moments.iter().map(count).collect::<Vec<usize>>()
        };
        assert!(changed("redrawn:0,1,100,regular").iter().all(|&nodes| nodes == 20));
        assert!(changed("one-at-a-time:0,1,100,regular").iter().all(|&nodes| nodes == 1));
        assert!(changed("moving-best:0,1,100,regular").iter().all(|&nodes| nodes == 2));
        assert!(changed("drift:0,1,0.1,100").iter().all(|&nodes| nodes == 20));
        let moving = table("moving-best:0,1,100,regular", 2_000);
        assert!((0..2_000_u32).all(|t| moving.highest(Time(f64::from(t))) == 1.0));
    }

    #[test]
    fn steps_of_a_drift_have_the_deviation_asked_for() {
        let table = table("drift:-1000,1000,2,10", 20_000);
        let (mut sum, mut squares, mut n) = (0.0, 0.0, 0.0);
        for k in 1..1_999_u32 {
            for node in 0..20 {
                let at = |k: u32| table.mean(node, Time(10.0 * f64::from(k)));
                let step = at(k + 1) - at(k);
                sum += step;
                squares += step * step;
                n += 1.0;
            }
        }
        let (mean, variance): (f64, f64) = (sum / n, squares / n);
        assert!(mean.abs() < 0.07 && (variance - 4.0).abs() < 0.2, "{mean} {variance}");
    }

    #[test]
    fn a_walk_turns_back_at_its_ends() {
        assert_eq!(
            [0.5, 1.25, 2.5, -0.25, 3.0].map(|x| reflected(x, 0.0, 1.0)),
            [0.5, 0.75, 0.5, 0.25, 1.0]
        );
        assert_eq!(reflected(7.0, 2.0, 2.0), 2.0);
    }

    #[test]
    fn too_many_changes_and_bad_periods_are_refused() {
        let span = Span { nodes: 1_000, run: Seed(1), steps: 1_000_000 };
        for text in ["redrawn:0,1,1", "drift:0,1,0.1,1"] {
            let refused = text.parse::<MeansSpec>().unwrap().over_time(&span).unwrap_err();
            assert!(refused.to_string().contains("do not fit into memory"), "{refused}");
        }
        let refused = "seasons:0,1,0.5,0".parse::<MeansSpec>().unwrap_err().to_string();
        assert!(refused.contains("period is 0"), "{refused}");
        let refused = "redrawn:0,1,0".parse::<MeansSpec>().unwrap_err().to_string();
        assert!(refused.contains("every is 0"), "{refused}");
    }
}

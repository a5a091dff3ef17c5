//! Specs come from command lines, files and requests: reading them never panics, valid specs are
//! written back unchanged, and built ones run.

use crate::support::agents::anywhere;
use crate::support::same_draws::same_draws;
use graph_bandit::spec::Kind;
use graph_bandit::{
    AgentSpec, GraphSpec, MeansSpec, Preset, RewardSpec, RunPlan, Seed, World, run,
};
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Valid texts of every kind of spec.
fn valid_texts() -> Vec<String> {
    let graphs = GraphSpec::entries().into_iter().map(|family| family.example);
    let noises = RewardSpec::entries().into_iter().map(|kind| kind.example);
    let means = MeansSpec::entries().into_iter().map(|kind| kind.example);
    let examples = graphs.chain(noises).chain(means).map(str::to_owned);
    let agents = [Preset::Paper, Preset::Program].map(AgentSpec::paper).concat();
    let agents = agents.into_iter().chain(AgentSpec::frontier()).flat_map(|spec| {
        let set = spec.parameters().into_iter();
        let set: Vec<String> = set.map(|(key, value)| format!("{key}={value}")).collect();
        let all = format!("{}:{}", spec.name(), set.join(","));
        [spec.to_string(), all.replace('"', "")]
    });
    examples.chain(agents).collect()
}

/// A valid text after a few small mutations.
fn mutated() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        ",",
        ":",
        "=",
        "x",
        "-",
        "+",
        ".",
        "0",
        "1",
        "9",
        "e",
        "e308",
        "e-400",
        "nan",
        "inf",
        "-0",
        " ",
        "\t",
        "\u{0}",
        "é",
        "∞",
        "agent=",
        "bonus=",
        "g-ucb",
        "99999999999999999999",
        "0.1",
        "null",
        "\"",
        "{",
        "",
    ]);
    let accident = (0_u8..5, any::<prop::sample::Index>(), pieces);
    let texts = prop::sample::select(valid_texts());
    (texts.clone(), texts, prop::collection::vec(accident, 0..4)).prop_map(
        |(text, other, accidents)| {
            let mut chars: Vec<char> = text.chars().collect();
            for (kind, place, piece) in accidents {
                let at = place.index(chars.len() + 1);
                match kind {
                    0 if at < chars.len() => drop(chars.remove(at)),
                    1 => chars.truncate(at),
                    2 => chars.extend(other.chars().skip(at)),
                    3 => chars = [&chars[at..], &chars[..at]].concat(),
                    _ => drop(chars.splice(at..at, piece.chars())),
                }
            }
            chars.into_iter().collect()
        },
    )
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => any::<String>(),
        1 => "[a-z:=,.0-9 -]{0,40}",
        6 => mutated(),
    ]
}

/// Reads `text` as every kind of spec; a valid spec must be written back unchanged.
fn read_as_everything(text: &str) -> Result<(), TestCaseError> {
    for preset in [Preset::Paper, Preset::Program] {
        match AgentSpec::parse(text, preset) {
            Ok(spec) => {
                let written = spec.to_string();
                let read = AgentSpec::parse(&written, Preset::Paper);
                prop_assert_eq!(read, Ok(spec), "{} {}", text, written);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        if let Ok(specs) = AgentSpec::parse_list(text, preset) {
            let written: Vec<String> = specs.iter().map(ToString::to_string).collect();
            let read = AgentSpec::parse_list(&written.join(","), Preset::Paper);
            prop_assert_eq!(read, Ok(specs), "{}", text);
        }
    }
    match text.parse::<GraphSpec>() {
        Ok(spec) => {
            prop_assert_eq!(spec.to_string().parse(), Ok(spec), "{}", text);
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    match text.parse::<RewardSpec>() {
        Ok(spec) => prop_assert_eq!(spec.to_string().parse(), Ok(spec), "{}", text),
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    match text.parse::<MeansSpec>() {
        Ok(spec) => prop_assert_eq!(spec.to_string().parse(), Ok(spec), "{}", text),
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

/// Any JSON, with keys and words that specs know, so that some of it is valid.
fn json() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "agent",
        "family",
        "noise",
        "means",
        "nodes",
        "rows",
        "columns",
        "bonus",
        "delta",
        "c",
        "doubling",
        "exact",
        "values",
        "half-width",
        "deviation",
        "low",
        "high",
        "grid",
        "line",
        "small-world",
        "uniform",
        "fixed",
        "empirical",
        "g-ucb",
        "ucrl2",
        "local-ts",
        "ql-eps",
        "sweep-cap",
        "none",
        "neighbors",
        "rewiring",
        "handle",
        "broom",
        "",
    ]);
    let word = words.prop_map(str::to_owned);
    let text = prop_oneof![4 => word.clone(), 1 => any::<String>()];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0_u64..20).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        let list = prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from);
        let map = prop::collection::vec((text.clone(), inner), 0..6)
            .prop_map(|pairs| Value::Object(pairs.into_iter().collect()));
        prop_oneof![list, map]
    })
}

/// A valid spec as JSON with some fields replaced, added or removed.
fn mutated_json() -> impl Strategy<Value = Value> {
    let valid = valid_texts().into_iter().filter_map(|text| {
        let agent = AgentSpec::parse(&text, Preset::Paper).ok();
        let agent = agent.and_then(|spec| serde_json::to_value(spec).ok());
        let graph = text.parse::<GraphSpec>().ok();
        let graph = graph.and_then(|spec| serde_json::to_value(spec).ok());
        let noise = text.parse::<RewardSpec>().ok();
        agent.or(graph).or_else(|| noise.and_then(|spec| serde_json::to_value(spec).ok()))
    });
    let valid: Vec<Value> = valid.collect();
    let place = any::<prop::sample::Index>();
    (prop::sample::select(valid), place, 0_u8..3, json()).prop_map(
        |(mut spec, place, kind, value)| {
            let keys: Vec<String> = spec.as_object().unwrap().keys().cloned().collect();
            let key = keys[place.index(keys.len())].clone();
            let fields: &mut Map<String, Value> = spec.as_object_mut().unwrap();
            match kind {
                0 => drop(fields.insert(key, value)),
                1 => drop(fields.remove(&key)),
                _ => drop(fields.insert(format!("{key}-"), value)),
            }
            spec
        },
    )
}

fn read_json_as_everything(value: &Value) -> Result<(), TestCaseError> {
    let again = |json: serde_json::Result<Value>| json.unwrap_or(Value::Null);
    if let Ok(spec) = serde_json::from_value::<AgentSpec>(value.clone()) {
        let written = again(serde_json::to_value(&spec));
        prop_assert_eq!(serde_json::from_value::<AgentSpec>(written).ok(), Some(spec.clone()));
        drop(spec.build(&graph_bandit::Graph::line(3).unwrap()));
    }
    if let Ok(spec) = serde_json::from_value::<GraphSpec>(value.clone()) {
        let written = again(serde_json::to_value(&spec));
        prop_assert_eq!(serde_json::from_value::<GraphSpec>(written).ok(), Some(spec));
    }
    if let Ok(spec) = serde_json::from_value::<RewardSpec>(value.clone()) {
        let written = again(serde_json::to_value(&spec));
        prop_assert_eq!(serde_json::from_value::<RewardSpec>(written).ok(), Some(spec.clone()));
        drop(spec.law(0.5));
    }
    if let Ok(spec) = serde_json::from_value::<MeansSpec>(value.clone()) {
        drop(spec.draw(3, Seed(1)));
    }
    Ok(())
}

/// A tiny graph of any family, as text; some cannot be built.
fn tiny_graph() -> impl Strategy<Value = String> {
    let n = 0_usize..8;
    let p = prop_oneof![0.0..1.0, Just(0.0), Just(1.0), Just(-0.5), Just(f64::NAN)];
    let sizes = (n.clone(), 0_usize..6, p);
    (prop::sample::select(GraphSpec::entries()), sizes).prop_map(|(family, (a, b, p))| {
        let numbers = [a.to_string(), b.to_string()];
        let mut numbers = numbers.iter();
        let values = family.parameters.iter().map(|parameter| {
            let is_count = matches!(parameter.kind(), Kind::Count(..));
            numbers.next().filter(|_| is_count).map_or_else(|| format!("{p:?}"), Clone::clone)
        });
        let values: Vec<String> = values.collect();
        let colon = if values.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", family.name, values.join(&family.separator.to_string()))
    })
}

fn noise() -> impl Strategy<Value = String> {
    let size = prop_oneof![0.0..2.0, Just(0.0), Just(1e-90), Just(-1.0)];
    (prop::sample::select(RewardSpec::entries()), size.clone(), size).prop_map(|(noise, a, b)| {
        match noise.parameters.len() {
            0 => noise.name.to_owned(),
            1 => format!("{}:{a:?}", noise.name),
            _ => format!("{}:{a:?},{b:?}", noise.name),
        }
    })
}

/// Means from zero to one suit every noise; equal ones cause ties, huge ones test the arithmetic.
fn means() -> impl Strategy<Value = String> {
    let suitable = prop_oneof![0.0..1.0, Just(0.0), Just(0.5), Just(1.0)];
    let any = prop_oneof![-100.0..100.0, Just(-1e100), Just(1e100), Just(1e-300)];
    let both = |end: BoxedStrategy<f64>| (end.clone(), end);
    let ends = prop_oneof![3 => both(suitable.boxed()), 1 => both(any.boxed())];
    ends.prop_map(|(low, high)| format!("uniform:{low:?},{high:?}"))
}

proptest! {
    #![proptest_config(same_draws(20_000))]

    #[test]
    fn texts_never_panic_and_are_written_back(text in any_text()) {
        read_as_everything(&text)?;
    }

    #[test]
    fn json_never_panics(value in prop_oneof![json(), mutated_json()]) {
        read_json_as_everything(&value)?;
    }
}

proptest! {
    #![proptest_config(same_draws(4_000))]

    #[test]
    fn built_worlds_run_with_every_agent(
        graph in tiny_graph(),
        noise in noise(),
        means in means(),
        seed in any::<u64>().prop_map(Seed),
    ) {
        let graph = graph.parse::<GraphSpec>().and_then(|graph| graph.build(seed));
        let Ok(graph) = graph else { return Ok(()) };
        let means = means.parse::<MeansSpec>().and_then(|means| means.draw(graph.len(), seed));
        let Ok(means) = means else { return Ok(()) };
        let laws = noise.parse::<RewardSpec>().and_then(|noise| noise.laws(&means));
        let Ok(laws) = laws else { return Ok(()) };
        let world = World::new(graph, laws).unwrap();
        for spec in [Preset::Paper, Preset::Program].map(anywhere).concat() {
            let mut agent = spec.build(world.graph()).unwrap();
            let record = run(&world, &mut *agent, &RunPlan::new(50, 3), seed);
            let record = record.map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(record.visits.iter().sum::<u64>(), 50, "{}", spec);
            prop_assert!(record.checkpoints[2].reward.is_finite(), "{}", spec);
        }
    }
}

/// The generators above are useful only if much of their output is valid.
#[test]
fn the_generators_make_specs_that_parse_and_specs_that_do_not() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::new(same_draws(1));
    let mut draw = |wanted: &dyn Fn(&str) -> bool| {
        let parsed = (0..2_000).filter(|_| {
            let text = mutated().new_tree(&mut runner).unwrap().current();
            wanted(&text)
        });
        parsed.count()
    };
    let agents = draw(&|text| AgentSpec::parse(text, Preset::Paper).is_ok());
    let graphs = draw(&|text| text.parse::<GraphSpec>().is_ok());
    let noises = draw(&|text| text.parse::<RewardSpec>().is_ok());
    for parsed in [agents, graphs, noises] {
        assert!((40..1_500).contains(&parsed), "{agents} {graphs} {noises}");
    }
    let mut built = 0;
    for _ in 0..400 {
        let text = tiny_graph().new_tree(&mut runner).unwrap().current();
        let graph = text.parse::<GraphSpec>().and_then(|spec| spec.build(Seed(1)));
        built += usize::from(graph.is_ok());
    }
    assert!((150..400).contains(&built), "{built}");
}

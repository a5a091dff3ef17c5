//! Every agent's spec survives a round trip, and no agent is built from parameters out of range.

use graph_bandit::spec::Value;
use graph_bandit::{AgentSpec, Graph, Preset, Seed, SpecError};
use std::collections::HashSet;

const PRESETS: [Preset; 2] = [Preset::Paper, Preset::Program];

#[test]
fn specs_survive_text_and_json() {
    for spec in PRESETS.map(AgentSpec::all).concat() {
        let text = spec.to_string();
        assert_eq!(AgentSpec::parse(&text, Preset::Paper), Ok(spec.clone()));
        assert_eq!(AgentSpec::parse_list(&text, Preset::Paper), Ok(vec![spec.clone()]));
        let json = serde_json::to_string(&spec).unwrap();
        let read: AgentSpec = serde_json::from_str(&json).unwrap();
        assert_eq!(read, spec, "{json}");
    }
    for preset in PRESETS {
        let specs = AgentSpec::all(preset);
        let names: Vec<&str> = specs.iter().map(AgentSpec::name).collect();
        assert_eq!(names, AgentSpec::names());
        assert_eq!(AgentSpec::parse_list(&names.join(","), preset), Ok(specs.clone()));
        let texts: Vec<String> = specs.iter().map(ToString::to_string).collect();
        assert_eq!(AgentSpec::parse_list(&texts.join(","), Preset::Paper), Ok(specs.clone()));
        let summaries: HashSet<&str> = specs.iter().map(AgentSpec::summary).collect();
        assert_eq!(summaries.len(), specs.len());
    }
    assert_eq!(AgentSpec::named("no-such-agent", Preset::Paper), None);
}

/// Every parameter of every agent, set by name.
#[test]
fn negative_parameters_are_refused_by_name() {
    let graph = Graph::line(3).unwrap();
    let mut refused = 0;
    for spec in PRESETS.map(AgentSpec::all).concat() {
        assert!(spec.build(&graph).is_ok() || spec.name() == "exp3s", "{spec}");
        for (key, value) in spec.parameters() {
            // The range of rewards may be negative.
            if !matches!(value, Value::Number(_)) || ["low", "high"].contains(&key) {
                continue;
            }
            let mut json = serde_json::to_value(&spec).unwrap();
            json[&key] = (-0.25).into();
            let read = serde_json::from_value::<AgentSpec>(json).unwrap_err().to_string();
            let text = format!("{}:{key}=-0.25", spec.name());
            let parsed = AgentSpec::parse(&text, Preset::Paper).unwrap_err();
            assert_eq!(read, parsed.to_string());
            let SpecError::WrongValue { spec: name, parameter, value, .. } = parsed else {
                panic!("{text}: {parsed}")
            };
            assert_eq!((&*name, parameter, &*value), (spec.name(), key, "-0.25"));
            refused += 1;
        }
    }
    assert!(refused >= 28, "{refused}");
}

#[test]
fn every_range_ends_where_it_is_documented_to_end() {
    let delta = |x: &str| ["ucrl2", "g-ucb-ucrl2-bound"].map(|name| format!("{name}:delta={x}"));
    let bonus = |x: &str| {
        ["g-ucb", "direct-sp", "g-ucb-ucrl2-doubling", "local-ucb"]
            .map(|name| format!("{name}:bonus={x}"))
    };
    let learner = |[alpha, gamma, epsilon, warmup]: [&str; 4]| {
        format!("ql-eps:alpha={alpha},gamma={gamma},epsilon={epsilon},warmup={warmup}")
    };
    let hoeffding = |[c, gamma, epsilon, warmup]: [&str; 4]| {
        format!("ql-ucb-h:c={c},gamma={gamma},epsilon={epsilon},warmup={warmup}")
    };
    let inside = ["1", "1e-12"].into_iter().flat_map(delta);
    let inside = inside.chain(["0", "1e9"].into_iter().flat_map(bonus));
    let inside = inside.chain([
        learner(["1", "0.999", "0", "0"]),
        learner(["1e-9", "1e-9", "1e9", "1e9"]),
        hoeffding(["0", "0.5", "0", "0"]),
        hoeffding(["1e9", "0.5", "2", "3"]),
    ]);
    let graph = Graph::circle(4).unwrap();
    for text in inside {
        let spec = AgentSpec::parse(&text, Preset::Paper).unwrap();
        assert!(spec.build(&graph).is_ok(), "{text}");
    }
    let outside = ["0", "1.000001", "nan", "inf"].into_iter().flat_map(delta);
    let outside = outside.chain(["-1e-12", "nan", "inf"].into_iter().flat_map(bonus));
    let outside = outside.chain([
        learner(["0", "0.9", "1", "1"]),
        learner(["1.1", "0.9", "1", "1"]),
        learner(["nan", "0.9", "1", "1"]),
        learner(["0.5", "0", "1", "1"]),
        learner(["0.5", "1", "1", "1"]),
        learner(["0.5", "nan", "1", "1"]),
        learner(["0.5", "0.9", "-0.1", "1"]),
        learner(["0.5", "0.9", "inf", "1"]),
        learner(["0.5", "0.9", "1", "-0.1"]),
        learner(["0.5", "0.9", "1", "nan"]),
        hoeffding(["-0.1", "0.9", "1", "1"]),
        hoeffding(["inf", "0.9", "1", "1"]),
        hoeffding(["1", "1", "1", "1"]),
        hoeffding(["1", "0.9", "nan", "1"]),
        hoeffding(["1", "0.9", "1", "inf"]),
    ]);
    for text in outside {
        assert!(AgentSpec::parse(&text, Preset::Paper).is_err(), "{text}");
    }
}

#[test]
fn unknown_fields_and_agents_are_refused() {
    for name in AgentSpec::names() {
        let bare = format!("{{\"agent\":\"{name}\"}}");
        let spec: AgentSpec = serde_json::from_str(&bare).unwrap();
        assert_eq!(Some(spec), AgentSpec::named(name, Preset::Paper));
        let odd = format!("{{\"agent\":\"{name}\",\"no-such-parameter\":1}}");
        assert!(serde_json::from_str::<AgentSpec>(&odd).is_err(), "{odd}");
    }
    assert!(serde_json::from_str::<AgentSpec>("{\"agent\":\"ucb\"}").is_err());
}

/// Extreme but legal parameters still make agents that walk.
#[test]
fn extreme_parameters_make_agents_that_walk() {
    use graph_bandit::{Law, RunPlan, World, run};
    let graph = Graph::grid(3, 3).unwrap();
    let laws = (0..9).map(|s| Law::uniform(0.0, 1.0 + f64::from(s)).unwrap());
    let world = World::new(graph, laws.collect()).unwrap();
    let texts = "g-ucb:bonus=0,g-ucb:bonus=1e300,direct-sp:bonus=0,local-ucb:bonus=1e300,\
                 ucrl2:delta=1e-300,ucrl2:delta=1,g-ucb-ucrl2-bound:delta=5e-324,\
                 g-ucb-ucrl2-doubling:bonus=0,ql-eps:epsilon=0,ql-eps:epsilon=1e300,warmup=0,\
                 ql-eps:alpha=1,gamma=1e-300,ql-ucb-h:c=1e150,ql-ucb-h:gamma=1e-90";
    for spec in AgentSpec::parse_list(texts, Preset::Paper).unwrap() {
        let mut agent = spec.build(world.graph()).unwrap();
        let record = run(&world, &mut *agent, &RunPlan::new(500, 1), Seed(1)).unwrap();
        assert_eq!(record.visits.iter().sum::<u64>(), 500, "{spec}");
    }
}

//! Every agent's spec survives writing down, and no agent is built from parameters out of range.

use graph_bandit::agents::{
    DirectSp, GUcb, GUcbUcrl2Bound, GUcbUcrl2Doubling, LocalUcb, QlEps, QlUcbH, Ucrl2,
};
use graph_bandit::{AgentSpec, AgentSpecError, Graph, Preset, Seed};
use serde_json::Value;
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
        assert_eq!(names, AgentSpec::NAMES);
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
        assert!(spec.build(&graph).is_ok(), "{spec}");
        for (key, value) in spec.parameters() {
            if !value.is_number() {
                continue;
            }
            let mut json = serde_json::to_value(&spec).unwrap();
            json[&key] = Value::from(-0.25);
            let bad: AgentSpec = serde_json::from_value(json).unwrap();
            let error = bad.build(&graph).err().unwrap();
            assert_eq!((error.parameter, error.value), (&*key, -0.25), "{spec}");
            let text = format!("{}:{key}=-0.25", spec.name());
            let parsed = AgentSpec::parse(&text, Preset::Paper).unwrap_err();
            let agent = spec.name();
            assert_eq!(parsed, AgentSpecError::OutOfRange { agent, error });
            refused += 1;
        }
    }
    assert!(refused >= 28, "{refused}");
}

#[test]
fn every_end_of_every_range_is_where_it_is_said_to_be() {
    let delta = |delta| {
        [
            AgentSpec::Ucrl2(Ucrl2 { delta, ..Ucrl2::default() }),
            AgentSpec::GUcbUcrl2Bound(GUcbUcrl2Bound { delta, ..GUcbUcrl2Bound::default() }),
        ]
    };
    let bonus = |bonus| {
        [
            AgentSpec::GUcb(GUcb { bonus, ..GUcb::default() }),
            AgentSpec::DirectSp(DirectSp { bonus, ..DirectSp::default() }),
            AgentSpec::GUcbUcrl2Doubling(GUcbUcrl2Doubling {
                bonus,
                ..GUcbUcrl2Doubling::default()
            }),
            AgentSpec::LocalUcb(LocalUcb { bonus }),
        ]
    };
    let learner =
        |alpha, gamma, epsilon, warmup| AgentSpec::QlEps(QlEps { alpha, gamma, epsilon, warmup });
    let hoeffding =
        |c, gamma, epsilon, warmup| AgentSpec::QlUcbH(QlUcbH { c, gamma, epsilon, warmup });
    let graph = Graph::circle(4).unwrap();
    let inside: Vec<AgentSpec> = [1.0, 1e-12].into_iter().flat_map(delta).collect();
    let inside = inside.into_iter().chain([0.0, 1e9].into_iter().flat_map(bonus));
    let inside = inside.chain([
        learner(1.0, 0.999, 0.0, 0.0),
        learner(1e-9, 1e-9, 1e9, 1e9),
        hoeffding(0.0, 0.5, 0.0, 0.0),
        hoeffding(1e9, 0.5, 2.0, 3.0),
    ]);
    for spec in inside {
        assert!(spec.build(&graph).is_ok(), "{spec}");
    }
    let (nan, infinite) = (f64::NAN, f64::INFINITY);
    let outside = [0.0, 1.000_001, nan, infinite].into_iter().flat_map(delta);
    let outside = outside.chain([-1e-12, nan, infinite].into_iter().flat_map(bonus));
    let outside = outside.chain([
        learner(0.0, 0.9, 1.0, 1.0),
        learner(1.1, 0.9, 1.0, 1.0),
        learner(nan, 0.9, 1.0, 1.0),
        learner(0.5, 0.0, 1.0, 1.0),
        learner(0.5, 1.0, 1.0, 1.0),
        learner(0.5, nan, 1.0, 1.0),
        learner(0.5, 0.9, -0.1, 1.0),
        learner(0.5, 0.9, infinite, 1.0),
        learner(0.5, 0.9, 1.0, -0.1),
        learner(0.5, 0.9, 1.0, nan),
        hoeffding(-0.1, 0.9, 1.0, 1.0),
        hoeffding(infinite, 0.9, 1.0, 1.0),
        hoeffding(1.0, 1.0, 1.0, 1.0),
        hoeffding(1.0, 0.9, nan, 1.0),
        hoeffding(1.0, 0.9, 1.0, infinite),
    ]);
    for spec in outside {
        assert!(spec.build(&graph).is_err(), "{spec:?}");
    }
}

#[test]
fn unknown_fields_and_agents_are_refused() {
    for name in AgentSpec::NAMES {
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

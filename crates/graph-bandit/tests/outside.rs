//! An agent, a graph family and a law of another crate. Each is one entry, written with the public
//! API, and works wherever the built-in entries do. `CONTRIBUTING.md` shows these entries.

use graph_bandit::agents::Episodic;
use graph_bandit::agents::parameters::BONUS;
use graph_bandit::graph::Size;
use graph_bandit::index::Ucb;
use graph_bandit::planner::BestNeighbor;
use graph_bandit::schedule::EveryVisit;
use graph_bandit::spec::{
    AgentEntry, Count, Dash, FamilyEntry, Look, NoiseEntry, Number, Range, Standing, registry,
};
use graph_bandit::{
    AgentSpec, FamilyError, Graph, GraphSpec, Law, Origin, Preset, RewardSpec, RunPlan, Seed,
    SelfPlace, World, run,
};

// [agent]
static TIMID: AgentEntry = AgentEntry {
    name: "timid",
    summary: "Timid: local UCB with half the bonus",
    about: "Each step to the neighbour of highest upper confidence bound, with a small bonus.",
    origin: Origin::Frontier,
    standing: Standing::Other,
    look: Some(Look { slot: 3, dash: Dash::Dashed }),
    parameters: &[&HALF_BONUS],
    program: "bonus=0.25",
    noise_scale: |_values| None,
    build: |values, _graph| {
        Ok(Box::new(Episodic {
            index: Ucb::new(values.get(&HALF_BONUS)),
            planner: BestNeighbor::default(),
            schedule: EveryVisit,
        }))
    },
};
const HALF_BONUS: Number = Number { default: Some(0.5), ..BONUS };
// [agent]

// [family]
static WHEEL: FamilyEntry = FamilyEntry {
    name: "wheel",
    summary: "a circle of RIM nodes around node 0",
    about: "Node 0 is the hub, joined to every node of a circle: no way is longer than two steps.",
    example: "wheel:8",
    separator: ',',
    parameters: &[&RIM],
    size: |values| Size { nodes: values.get(&RIM) + 1, edges: 2 * values.get(&RIM) },
    check: |_values| Ok(()),
    build: |values, _seed| wheel(values.get(&RIM)),
    program_self_place: SelfPlace::Ascending,
};
const RIM: Count = Count {
    name: "rim",
    help: "The nodes around the hub",
    when: "More of them take longer to explore.",
    default: None,
    least: 3,
    most: 1_000_000,
};

fn wheel(rim: usize) -> Result<Graph, FamilyError> {
    let last = rim as u32;
    let edges = (1..=last).flat_map(|v| [(0, v), (v, v % last + 1)]);
    Ok(Graph::from_edges(rim + 1, edges)?)
}
// [family]

// [law]
static COIN: NoiseEntry = NoiseEntry {
    name: "coin",
    summary: "SIZE above or below the mean, as a coin falls",
    about: "Every reward is the mean plus or minus SIZE, each with probability 1/2.",
    example: "coin:0.5",
    parameters: &[&SIZE],
    means: Range::ANY,
    law: |values| {
        let size = values.get(&SIZE);
        Box::new(move |mean| Law::empirical(vec![mean - size, mean + size]))
    },
};
const SIZE: Number = Number {
    name: "size",
    help: "How far rewards are from the mean",
    when: "Raise it for more noise.",
    default: None,
    range: Range::SIZE,
};
// [law]

#[test]
fn entries_of_another_crate_work_like_those_of_this_one() {
    AgentSpec::register(&TIMID).unwrap();
    GraphSpec::register(&WHEEL).unwrap();
    RewardSpec::register(&COIN).unwrap();

    let agent = AgentSpec::parse("timid:bonus=0.75", Preset::Paper).unwrap();
    assert_eq!(serde_json::to_string(&agent).unwrap(), r#"{"agent":"timid","bonus":0.75}"#);
    let program = AgentSpec::named("timid", Preset::Program).unwrap();
    assert_eq!(program.to_string(), "timid:bonus=0.25");
    assert!(AgentSpec::frontier().iter().any(|spec| spec.name() == "timid"));
    let refused = AgentSpec::parse("timid:bonus=-1", Preset::Paper).unwrap_err().to_string();
    assert_eq!(refused, "timid: bonus is -1; it must be a number 0 or more");

    let graph: GraphSpec = serde_json::from_str(r#"{"family":"wheel","rim":8}"#).unwrap();
    assert_eq!(graph, "wheel:8".parse().unwrap());
    assert_eq!(graph.size(), Size { nodes: 9, edges: 16 });
    let wheel = graph.build(Seed(0)).unwrap();
    assert_eq!((wheel.len(), wheel.edge_count(), wheel.diameter()), (9, 16, 2));
    assert!("wheel:2".parse::<GraphSpec>().is_err());

    let noise: RewardSpec = "coin:0.5".parse().unwrap();
    assert_eq!(noise.law(2.0).unwrap().range(), (1.5, 2.5));
    let laws = noise.laws(&[1.0; 9]).unwrap();
    let world = World::new(wheel, laws).unwrap();
    let mut built = agent.build(world.graph()).unwrap();
    let record = run(&world, &mut *built, &RunPlan::new(200, 1), Seed(1)).unwrap();
    assert_eq!(record.visits.iter().sum::<u64>(), 200);

    let told = serde_json::json!(registry());
    let last = |kind: &str| told[kind].as_array().unwrap().last().unwrap()["usage"].clone();
    assert_eq!(
        [last("agents"), last("families"), last("noises")],
        ["timid[:bonus=BONUS]", "wheel:RIM", "coin:SIZE"]
    );
}

#[test]
fn bad_entries_are_refused_with_the_reason() {
    static TAKEN: AgentEntry = AgentEntry { name: "g-ucb", ..TIMID_COPY };
    static SPELLED: AgentEntry = AgentEntry { name: "My Agent", ..TIMID_COPY };
    static WRONG: AgentEntry = AgentEntry { name: "wrong", program: "bonsu=1", ..TIMID_COPY };
    const TIMID_COPY: AgentEntry = AgentEntry {
        name: "copy",
        summary: "a copy",
        about: "",
        origin: Origin::Frontier,
        standing: Standing::Other,
        look: None,
        parameters: &[&BONUS],
        program: "",
        noise_scale: |_values| None,
        build: |values, graph| (TIMID.build)(values, graph),
    };
    let refused = |entry| AgentSpec::register(entry).unwrap_err().to_string();
    assert_eq!(
        refused(&TAKEN),
        "agent \"g-ucb\" cannot be added: the name is taken; choose another"
    );
    assert!(refused(&SPELLED).contains("lower-case"));
    assert!(refused(&WRONG).contains("wrong has no parameter \"bonsu=1\""));
    assert!(!AgentSpec::names().contains(&"wrong"));
}

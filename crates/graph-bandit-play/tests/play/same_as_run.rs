//! A race without closed roads equals the library's run of the same settings, to the bit.

use crate::support::{film, listed, points, roads, setup, visits};
use graph_bandit::run::run_observed;
use graph_bandit::{AgentSpec, Event, Graph, Observer, Preset, RunRecord, Seed, Situation};
use graph_bandit_lab::{Jobs, Study};
use graph_bandit_play::{Race, Setup};
use serde_json::json;

/// Records every visit.
#[derive(Default)]
struct Diary {
    counts: bool,
    begin: f64,
    visits: Vec<(u32, f64)>,
}

impl Observer for Diary {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Covered => (self.counts, self.begin) = (true, now.clock.now().0),
            Event::Visited(visit) if self.counts => {
                self.visits.push((visit.node, now.clock.now().0 - self.begin));
            }
            _ => {}
        }
    }

    fn patience(&self) -> u64 {
        1
    }
}

fn by_the_library(study: &Study, racer: usize) -> (RunRecord, Vec<(u32, f64)>) {
    let (world, mut agent) = study.prepare(&study.agents[racer], 0).unwrap();
    let mut diary = Diary::default();
    let seed = study.run_seed(0);
    let record = run_observed(&world, agent.as_mut(), &study.plan, seed, &mut diary).unwrap();
    (record, diary.visits)
}

fn compare(setup: &Setup, pieces: &[u64]) {
    let study = setup.study().unwrap();
    let film = film(setup, pieces);
    for racer in 0..setup.agents.len() {
        let agent = &setup.agents[racer];
        let (record, diary) = by_the_library(&study, racer);
        let made = visits(&film, racer);
        assert_eq!(made.len(), diary.len(), "{agent}");
        for (told, seen) in made.iter().zip(&diary) {
            // Moments are sums of times, rounded in another order.
            assert!(
                told.0 == seen.0 && (told.1 - seen.1).abs() < 1e-6,
                "{agent}: {told:?}, {seen:?}"
            );
        }
        let regrets: Vec<f64> = record.checkpoints.iter().map(|point| point.regret).collect();
        assert_eq!(points(&film, racer), regrets, "{agent}");
        let last = film.last().unwrap();
        assert_eq!((last.t, last.racers[racer].regret), (setup.steps, *regrets.last().unwrap()));
        let legs = record.checkpoints.last().unwrap().legs;
        assert_eq!(last.racers[racer].legs, legs, "{agent}");
        let told = last.racers[racer].reward;
        let reward = record.checkpoints.last().unwrap().reward;
        assert!((told - reward).abs() < 1e-9 * reward.abs(), "{agent}: {told}, {reward}");
        assert_eq!(Race::new(setup).unwrap().init_steps(), record.init.steps);
    }
}

#[test]
fn every_agent_on_a_grid() {
    let grid = Graph::grid(5, 6).unwrap();
    // Some agents need a complete graph.
    let takes_grids = |spec: &AgentSpec| spec.build(&grid).is_ok();
    for spec in AgentSpec::all(Preset::Paper).into_iter().filter(takes_grids) {
        let agent = spec.label(Preset::Paper);
        compare(&setup("grid:5x6", &[&agent], 1_500), &[1, 17, 400]);
    }
}

#[test]
fn every_agent_that_takes_roads_on_one_way_roads_that_take_time() {
    let mut raced = 0;
    for spec in AgentSpec::all(Preset::Paper) {
        let setup = listed(roads(), &[&spec.label(Preset::Paper)], 900);
        // Some agents count steps and refuse roads that take time.
        if Race::new(&setup).is_ok() {
            compare(&setup, &[3, 50, 1]);
            raced += 1;
        }
    }
    assert!(raced >= 8, "{raced}");
}

/// Rounded times lose neither visits nor points.
#[test]
fn roads_of_any_length() {
    let mut stream = Seed(3).stream();
    for case in 0..40 {
        let roads = (0..7_u32).flat_map(|s| [(s, (s + 1) % 7), (s, (s + 3) % 7)]);
        let roads: Vec<_> = roads.map(|(a, b)| json!([a, b, 3.0 * stream.unit()])).collect();
        let setup = listed(json!({ "nodes": 7, "roads": roads }), &["g-star", "g-ts"], 400 + case);
        compare(&setup, &[7, 100]);
    }
}

/// One run of the study with these settings has the race's regret, as the page says of `gbandit run`.
#[test]
fn the_study_of_the_command_line_has_the_same_regret() {
    let setup = Setup { start: 3, ..setup("small-world:40,4,0.2", &["g-ucb", "g-ts"], 2_000) };
    let record = setup.study().unwrap().execute(Jobs::from_flag(Some(1)), &|| ()).unwrap();
    let film = film(&setup, &[333]);
    for (racer, agent) in record.agents.iter().enumerate() {
        let told: Vec<f64> = agent.runs[0].checkpoints.iter().map(|point| point.regret).collect();
        assert_eq!(points(&film, racer), told);
    }
}

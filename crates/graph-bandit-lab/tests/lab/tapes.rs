//! Both kinds of tape have the same law: studies on them agree within sampling error, and each gives
//! the same bits on any number of threads.

use graph_bandit::{Checkpoint, Graph, Preset, RunPlan, Seed, TapeKind};
use graph_bandit_lab::{Entrant, Jobs, MeansSource, Moments, RoadChanges, Study, Window};
use std::sync::Arc;

fn study(noise: &str, tape: TapeKind) -> Study {
    // One world for all runs, so that only luck differs.
    let values: Vec<String> = (0..16).map(|s| (f64::from(s * 7 % 16) / 16.0).to_string()).collect();
    Study {
        graph: Arc::new(Graph::grid(4, 4).unwrap()),
        agents: Entrant::parse_list("g-ucb,ucrl2,local-ts", Preset::Paper).unwrap(),
        preset: Preset::Paper,
        means: MeansSource::Drawn(format!("fixed:{}", values.join(",")).parse().unwrap()),
        noise: noise.parse().unwrap(),
        plan: RunPlan { tape, ..RunPlan::new(2000, 3) },
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team: None,
        runs: 300,
        seed: Seed(11),
    }
}

#[test]
fn regret_agrees_within_sampling_error() {
    for noise in ["bernoulli", "gaussian:0.5"] {
        let [single, sums] = [TapeKind::OneByOne, TapeKind::Sums]
            .map(|tape| study(noise, tape).execute(Jobs::All, &|| {}).unwrap());
        for (single, sums) in single.agents.iter().zip(&sums.agents) {
            for k in 0..3 {
                let looks: [fn(&Checkpoint) -> f64; 2] = [|c| c.regret, |c| c.realized_regret];
                for look in looks {
                    let [one, other] = [single, sums].map(|record| {
                        Moments::of(record.runs.iter().map(|run| look(&run.checkpoints[k])))
                    });
                    let errors = [&one, &other].map(|moments| moments.standard_error().unwrap());
                    let z = (one.mean - other.mean)
                        / (errors[0] * errors[0] + errors[1] * errors[1]).sqrt();
                    assert!(z.abs() < 4.5, "{} with {noise}: {one:?}, {other:?}", single.label);
                }
            }
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for noise in ["bernoulli", "gaussian:0.5"] {
        let regrets = |jobs| {
            let study = Study { runs: 9, ..study(noise, TapeKind::Sums) };
            let record = study.execute(Jobs::Exactly(jobs), &|| {}).unwrap();
            let runs = record.agents.into_iter().flat_map(|agent| agent.runs);
            runs.map(|run| run.checkpoints).collect::<Vec<_>>()
        };
        assert_eq!(regrets(1), regrets(3), "{noise}");
    }
}

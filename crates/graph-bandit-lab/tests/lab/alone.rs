//! A team of one has the bits of the agent alone.

use graph_bandit::{AgentSpec, Graph, NodeId, Preset, RegretFrom, RunPlan, Seed};
use graph_bandit_lab::{Entrant, Jobs, MeansSource, RoadChanges, Starts, Study, TeamStudy, Window};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The same study of a walker alone, and of a team of one.
fn studies(graph: &Graph, (text, start): (&str, NodeId), regret_from: RegretFrom) -> [Study; 2] {
    let study = |agent, (start, team)| Study {
        graph: Arc::new(graph.clone()),
        agents: vec![agent],
        preset: Preset::Paper,
        means: MeansSource::parse("uniform:0,1", Path::new("")).unwrap(),
        noise: "bernoulli".parse().unwrap(),
        plan: RunPlan { start, regret_from, ..RunPlan::new(600, 7) },
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team,
        runs: 3,
        seed: Seed(8),
    };
    let team = TeamStudy { starts: Starts::Nodes(vec![start]), ..TeamStudy::of(1) };
    [
        study(Entrant::parse(text, Preset::Paper).unwrap(), (start, None)),
        study(Entrant::parse_for_team(text, Preset::Paper, 1).unwrap(), (0, Some(team))),
    ]
}

#[test]
fn every_agent_leads_a_team_of_one_as_it_walks_alone() {
    let agents = AgentSpec::names().into_iter().chain(["oracle"]);
    let mut compared = 0;
    for agent in agents {
        let graphs = match agent {
            // Its visits go from every node to every other.
            "exp3s" => [Graph::complete(12).unwrap(), Graph::complete(7).unwrap()],
            _ => [Graph::grid(3, 4).unwrap(), Graph::star(9).unwrap()],
        };
        for graph in graphs {
            for regret_from in [RegretFrom::Start, RegretFrom::Cover] {
                let [alone, team] = studies(&graph, (agent, 5), regret_from);
                let made = [&alone, &team].map(|study| {
                    let mut record = study.execute(Jobs::Exactly(1), &|| {}).unwrap();
                    record.agents.remove(0)
                });
                assert_eq!(made[0].label, made[1].label);
                for (run, (alone_run, team_run)) in
                    made[0].runs.iter().zip(&made[1].runs).enumerate()
                {
                    let case = format!("{agent}, {} nodes, run {run}", graph.len());
                    for (a, b) in alone_run.checkpoints.iter().zip(&team_run.checkpoints) {
                        assert_eq!(a.regret.to_bits(), b.regret.to_bits(), "{case}");
                    }
                    assert_eq!(alone_run.checkpoints, team_run.checkpoints, "{case}");
                    assert_eq!(alone_run.init, team_run.init, "{case}");
                    assert_eq!(alone_run.overshoot, team_run.overshoot, "{case}");
                    let [alone_visits, team_visits] = [&alone, &team].map(|study| {
                        study.record(&study.agents[0], run as u64, &AtomicBool::new(false)).unwrap()
                    });
                    assert_eq!(alone_visits, team_visits, "{case}");
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, (AgentSpec::names().len() + 1) * 2 * 2 * 3);
}

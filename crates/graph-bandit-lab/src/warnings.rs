//! What a user should know before the runs begin: nothing is wrong, but something is probably not
//! as meant.

use crate::agent_label::with_parameter;
use crate::declared_noise::Understated;
use crate::entrant::Entrant;
use crate::road_changes::RoadChanges;
use crate::study::Study;
use graph_bandit::agents::parameters::HORIZON;
use graph_bandit::{AgentSpec, RegretFrom, RunPlan, run};

/// Warnings about these studies, each once: agents that assume less noise than there is, tapes that
/// change nothing, and horizons that are missing or too short.
pub fn warnings(studies: &[Study]) -> Vec<String> {
    let mut lines: Vec<String> = Understated::of(studies).lines().collect();
    for study in studies {
        for line in study.useless_sums().into_iter().chain(wrong_horizons(study)) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// What `N` is, if runs differ in length.
const UNKNOWN_LENGTH: &str = ", where N is at least the number of all visits, initialization included, \
    plus the time on roads in the longest run";

/// What is wrong with the horizons that agents are told: one is shorter than the run, or g-horizon
/// has none, and then does worse than g-star; or g-horizon is to lead a team, which it does not.
fn wrong_horizons(study: &Study) -> Vec<String> {
    let mut lines = Vec::new();
    let mut known_length = None;
    for agent in &study.agents {
        let (name, values) = match agent {
            Entrant::Named(spec) => (spec.name(), spec.values()),
            Entrant::Team(spec) => (spec.name(), spec.values()),
            Entrant::Own { .. } | Entrant::Oracle => continue,
        };
        let Some(horizon) = values.find(&HORIZON) else { continue };
        let label = agent.label(study.preset);
        let needs_it = name == "g-horizon";
        if needs_it && study.team.as_ref().is_some_and(|team| team.walkers > 1) {
            lines.push(format!(
                "{label} does not lead a team: every walker learns by itself; for a team, use g-star"
            ));
            continue;
        }
        // Other agents may leave out initialization: too short a horizon does little harm to them.
        let steps = study.plan.steps as f64;
        if !needs_it && (horizon == 0.0 || horizon >= steps) {
            continue;
        }
        let length = *known_length.get_or_insert_with(|| length(study));
        if horizon > 0.0 && horizon >= length.unwrap_or(steps) {
            continue;
        }
        let fault = match horizon {
            0.0 => format!("{label} is for runs of known length, but has no horizon"),
            _ => format!("the horizon of {label} is shorter than the run"),
        };
        let written = length.map_or_else(|| "N".to_owned(), |length| length.to_string());
        let remedy = with_parameter(&label, "horizon", &written);
        let explained = if length.is_some() { "" } else { UNKNOWN_LENGTH };
        lines.push(format!("{fault}; write {remedy}{explained}"));
    }
    lines
}

/// How long each run is, initialization included, in visits or, where roads take time, in time.
/// `None` if the study cannot run, or if runs differ: roads close, or drives take random times.
fn length(study: &Study) -> Option<f64> {
    study.check().ok()?;
    let counted = study.plan.steps as f64 + study.plan.skip as f64;
    if study.plan.regret_from == RegretFrom::Start {
        return Some(counted);
    }
    if study.roads != RoadChanges::default() {
        return None;
    }
    let world = study.world(0).ok()?;
    let plan = RunPlan { steps: 1, skip: 0, checkpoints: vec![1], ..study.plan.clone() };
    let mut agent = "random".parse::<AgentSpec>().ok()?.build(world.graph()).ok()?;
    let init = run(&world, &mut *agent, &plan, study.run_seed(0)).ok()?.init;
    Some((counted + init.steps as f64 + init.travel).ceil())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::tests::study;
    use graph_bandit::Travel;

    #[test]
    fn an_agent_for_a_known_horizon_must_be_told_it() {
        let of = |agents: &[&str]| {
            let named = |text: &&str| Entrant::Named(text.parse().unwrap());
            warnings(&[Study { agents: agents.iter().map(named).collect(), ..study() }])
        };
        // In the order of their numbers, three of the 16 nodes are four hops away from the one before. So
        // initialization takes 25 visits, and 500 steps follow.
        let remedy = "g-horizon:horizon=525";
        assert_eq!(of(&["g-star", "g-ucb", remedy, "g-star:horizon=500"]), [""; 0]);
        let told = of(&["g-horizon", "g-star"]);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].ends_with(&format!("has no horizon; write {remedy}")), "{told:?}");
        // Without initialization, it is too short for g-horizon.
        let told = of(&["g-horizon:caution=3,horizon=500", "g-star:horizon=5"]);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].ends_with("the run; write g-horizon:caution=3.0,horizon=525"), "{told:?}");
        assert!(told[1].ends_with("the run; write g-star:horizon=525"), "{told:?}");
    }

    #[test]
    fn steps_that_do_not_count_are_part_of_the_run() {
        let mut study = study();
        study.agents = vec![Entrant::Named("g-horizon".parse().unwrap())];
        study.plan.skip = 40;
        assert!(warnings(&[study])[0].ends_with("horizon=565"));
    }

    #[test]
    fn regret_from_the_start_counts_initialization_among_the_steps() {
        let mut study = study();
        study.agents = vec![Entrant::Named("g-horizon".parse().unwrap())];
        study.plan.regret_from = RegretFrom::Start;
        assert!(warnings(&[study])[0].ends_with("horizon=500"));
    }

    #[test]
    fn where_drives_take_random_times_the_user_must_find_the_length() {
        let roads = RoadChanges { travel: Some(Travel::noisy(0.2).unwrap()), ..Default::default() };
        let agents = vec![Entrant::Named("g-horizon".parse().unwrap())];
        let told = warnings(&[Study { agents, roads, ..study() }]);
        assert!(told[0].contains("horizon=N, where N is at least the number of all"), "{told:?}");
        assert!(!told[0].contains("  "), "{told:?}");
    }

    #[test]
    fn studies_with_the_same_fault_are_told_once() {
        let agents = vec![Entrant::Named("g-horizon".parse().unwrap())];
        let untold = Study { agents, ..study() };
        let told = warnings(&[untold.clone(), untold, study()]);
        assert_eq!(told.len(), 1, "{told:?}");
    }
}

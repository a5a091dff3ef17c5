//! What a user should know before the runs begin: nothing is wrong, but something is probably not
//! as meant.

use crate::declared_noise::Understated;
use crate::entrant::Entrant;
use crate::study::Study;
use graph_bandit::agents::parameters::HORIZON;

/// Warnings about these studies, each once: agents that assume less noise than there is, tapes that
/// change nothing, and an agent for runs of known length that is not told the length.
pub fn warnings(studies: &[Study]) -> Vec<String> {
    let mut lines: Vec<String> = Understated::of(studies).lines().collect();
    for study in studies {
        for line in study.useless_sums().into_iter().chain(missing_horizon(study)) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// The remedy, if g-horizon is not told how long the run is: it then does worse than g-star.
fn missing_horizon(study: &Study) -> Option<String> {
    let is_untold = |agent: &Entrant| match agent {
        Entrant::Named(spec) => {
            spec.name() == "g-horizon" && spec.values().find(&HORIZON) == Some(0.0)
        }
        Entrant::Team(_) | Entrant::Own { .. } | Entrant::Oracle => false,
    };
    study.agents.iter().any(is_untold).then(|| {
        "g-horizon is for runs of known length, but has no horizon; write g-horizon:horizon=N, where N is \
         the number of steps plus the visits of initialization"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::tests::study;

    #[test]
    fn an_agent_for_a_known_horizon_must_be_told_it() {
        let of = |agents: &[&str]| {
            let named = |text: &&str| Entrant::Named(text.parse().unwrap());
            warnings(&[Study { agents: agents.iter().map(named).collect(), ..study() }])
        };
        assert_eq!(of(&["g-star", "g-ucb", "g-horizon:horizon=500"]), [""; 0]);
        let told = of(&["g-horizon", "g-horizon:caution=3", "g-star"]);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("write g-horizon:horizon=N"), "{told:?}");
    }

    #[test]
    fn studies_with_the_same_fault_are_told_once() {
        let agents = vec![Entrant::Named("g-star".parse().unwrap())];
        let loud = Study { noise: "gaussian:3".parse().unwrap(), agents, ..study() };
        let told = warnings(&[loud.clone(), loud, study()]);
        assert_eq!(told.len(), 1, "{told:?}");
    }
}

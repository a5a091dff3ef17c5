//! Names for several agents at once, where `--agents` is read.

/// A group and who is in it.
const GROUPS: [(&str, &str); 2] = [
    (
        "paper",
        "g-ucb,direct-sp,ucrl2,g-ucb-ucrl2-bound,g-ucb-ucrl2-doubling,local-ucb,local-ts,ql-eps,ql-ucb-h",
    ),
    ("frontier", "g-star,g-moss,g-imed,g-klucb,g-ts"),
];

/// A list of agents with every group's members in its place.
pub(crate) fn spelled_out(agents: &str) -> String {
    let member =
        |name| GROUPS.iter().find(|(group, _)| *group == name).map_or(name, |group| group.1);
    agents.split(',').map(member).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::{AgentSpec, Preset};

    #[test]
    fn every_agent_is_in_one_group() {
        let mut all: Vec<String> =
            AgentSpec::all(Preset::Paper).iter().map(|agent| agent.name().to_owned()).collect();
        let grouped = spelled_out("paper,frontier");
        let mut grouped: Vec<&str> = grouped.split(',').collect();
        all.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn what_is_no_group_stays() {
        assert_eq!(spelled_out("ql-eps:alpha=0.3,gamma=0.8,x"), "ql-eps:alpha=0.3,gamma=0.8,x");
        assert_eq!(spelled_out("local-ts,frontier"), "local-ts,g-star,g-moss,g-imed,g-klucb,g-ts");
    }
}

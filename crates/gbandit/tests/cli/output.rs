//! Output for people: the table, `list`, `--help`.

use crate::program::{Answer, command, gbandit, refuses, words};
use graph_bandit::AgentSpec;
use graph_bandit::spec::{Standing, registry};
use std::collections::BTreeSet;

fn table(flags: &str) -> String {
    let answer = gbandit(&[vec!["run"], words(flags)].concat());
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{flags}");
    answer.stdout
}

/// Like [`table`], with any agents: g-horizon warns if it is not told the length of the run.
fn table_of_any(flags: &str) {
    let answer = gbandit(&[vec!["run"], words(flags)].concat());
    let warns = flags.contains("frontier") || flags.contains("g-horizon");
    let warning = "warning: g-horizon is for runs of known length, but has no horizon; write \
                   g-horizon:horizon=5\n";
    let expected = if warns { warning } else { "" };
    assert_eq!((answer.code, answer.stderr.as_str()), (0, expected), "{flags}");
}

#[test]
fn the_table_has_a_row_for_every_agent() {
    let agents = "g-ucb,direct-sp,ucrl2,g-ucb-ucrl2-bound,g-ucb-ucrl2-doubling,local-ucb,local-ts,\
                  ql-eps,ql-ucb-h,g-ucb:bonus=0.5";
    let text = table(&format!("--graph grid:3x3 --steps 200 --runs 3 --agents {agents}"));
    for agent in agents.split(',') {
        let is_row =
            |line: &&str| !line.starts_with(' ') && line.split_whitespace().next() == Some(agent);
        assert_eq!(text.lines().filter(is_row).count(), 1, "{agent} in {text}");
    }
    for part in ["grid:3x3: 9 nodes, 12 edges, diameter 4", "200 steps, 3 runs, seed 0", "95% CI"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(text.contains("vs g-ucb"), "{text}");
    assert!(!table("--graph line:2 --steps 20 --runs 2").contains("vs "));
}

#[test]
fn the_table_has_the_numbers_of_the_object() {
    let text = table(
        "--graph line:3 --agents local-ucb:bonus=0 --noise constant --means fixed:1,0,3 \
         --steps 1000 --runs 2",
    );
    let row = text.lines().find(|line| line.starts_with("local-ucb"));
    let cells = words(row.unwrap());
    assert_eq!(
        cells[..8],
        ["local-ucb:bonus=0.0", "2,000", "2,000", "..", "2,000", "0.00", "1,000", "1,000"]
    );
    assert!(text.contains("initialization, not counted above: 3.00 steps, regret 5.00"), "{text}");
}

#[test]
fn one_run_one_node_and_extreme_numbers_make_a_table_too() {
    for flags in [
        "--graph line:1 --steps 1 --runs 1",
        "--graph line:2 --steps 3 --runs 1 --checkpoints 1",
        "--graph line:3 --steps 50 --runs 2 --means=uniform:-1e100,1e100",
        "--graph line:3 --steps 50 --runs 2 --means uniform:0,1e-12 --noise constant",
        "--graph line:3 --steps 50 --runs 2 --means uniform:0,5e-324 --noise constant",
    ] {
        let text = table(flags);
        assert!(text.lines().all(|line| line.chars().count() < 200), "{flags}: {text}");
    }
}

/// The best node so far: counted over runs with different means, named if all have the same.
#[test]
fn the_best_node_so_far_is_shown() {
    let told = |flags: &str| {
        let text = table(flags);
        let block = text.split_once("best node so far; settled: ").unwrap().1;
        let lines: Vec<&str> = block.lines().skip(1).take_while(|line| !line.is_empty()).collect();
        lines.iter().map(|line| words(line).join(" ")).collect::<Vec<_>>()
    };
    let fixed = "--graph line:3 --means fixed:1,0,3 --noise constant --steps 100 --runs";
    assert_eq!(
        told(&format!("{fixed} 1")),
        ["g-star node 2, estimate 3.00 (3.00 .. 3.00), settled"]
    );
    assert_eq!(
        told(&format!("{fixed} 2 --agents oracle,g-star")),
        [
            "g-star the true one in 2 of 2 runs, settled in 2",
            "in the first run node 2, estimate 3.00 (3.00 .. 3.00), settled",
        ]
    );
    let drawn = "--graph grid:4x4 --steps 400 --runs 20 --noise gaussian:2 --agents random,g-ucb";
    let drawn = told(drawn);
    assert!(drawn.len() == 2 && drawn[0].starts_with("random the true one in "), "{drawn:?}");
    let named = crate::program::file("best-node.csv", "harbour,market\nmarket,castle\n");
    let unsure = told(&format!(
        "--graph {named} --means fixed:1,1,1.1 --noise gaussian:1 --steps 30 --runs 1 --agents g-ucb"
    ));
    assert!(unsure[0].contains("node \"") && unsure[0].contains("not settled"), "{unsure:?}");
}

#[test]
fn the_last_window_is_flagged() {
    let flags = "--graph line:3 --steps 50 --runs 2 --window";
    assert!(table(&format!("{flags} last")).contains("window last"));
    assert!(!table(&format!("{flags} first")).contains("window last"));
}

#[test]
fn no_escape_codes_without_a_terminal() {
    let run = words("run --graph line:3 --steps 50 --runs 2 --agents g-ucb,ucrl2");
    let wrong = words("run --graph gird:3");
    let unknown = words("run --grpah line:3");
    for args in [&run, &wrong, &unknown, &words("list"), &words("--help")] {
        for no_color in [None, Some("1")] {
            let mut command = command(args);
            match no_color {
                Some(value) => command.env("NO_COLOR", value),
                None => command.env_remove("NO_COLOR"),
            };
            let output = command.output().unwrap();
            let written = [output.stdout, output.stderr].concat();
            assert!(!written.is_empty() && !written.contains(&0x1b), "{args:?}");
        }
    }
}

/// The few agents to choose from, or all of them; everything else in both.
#[test]
fn list_has_a_line_for_everything() {
    let [few, all] = [&["list"][..], &["list", "--all"]].map(gbandit);
    let names = |answer: &Answer| -> BTreeSet<String> {
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
        assert!(answer.stdout.lines().all(|line| line.chars().count() <= 100), "{}", answer.stdout);
        let entries = answer.stdout.lines().filter(|line| !line.starts_with("   "));
        let entries = entries.filter_map(|line| line.strip_prefix("  "));
        entries.map(|line| words(line)[0].to_owned()).collect()
    };
    let (in_few, in_all) = (names(&few), names(&all));
    let registry = registry();
    for agent in &registry.agents {
        let name = agent.about.name;
        assert!(in_all.contains(name), "{name} in {}", all.stdout);
        let is_recommended = agent.standing == Standing::Recommended;
        assert_eq!(in_few.contains(name), is_recommended, "{name} in {}", few.stdout);
    }
    let more = in_all.difference(&in_few).count();
    let last = few.stdout.lines().last().unwrap();
    assert_eq!(last, format!("There are {more} more agents: `gbandit list --all` shows them."));
    assert!(in_all.is_superset(&in_few) && in_all.contains("oracle"));
    let teams = registry.teams.iter().map(|team| team.name);
    for name in teams.chain([
        "line:NODES",
        "circle:NODES",
        "star:NODES",
        "tree:NODES[,BRANCHING]",
        "grid:ROWSxCOLUMNS",
        "complete:NODES",
        "broom:NODES,HANDLE",
        "arkansas",
        "barbell:BELL,PATH",
        "erdos-renyi:NODES,PROBABILITY",
        "geometric:NODES,RADIUS",
        "small-world:NODES,NEIGHBORS,REWIRING",
        "uniform:LOW,HIGH",
        "file:FILE",
        "changes:FILE",
        "uniform:HALF_WIDTH",
        "bernoulli",
        "beta:CONCENTRATION",
        "gaussian:DEVIATION",
        "truncated-gaussian:DEVIATION,HALF_WIDTH",
        "constant",
        "empirical:VALUE,VALUE,...",
    ]) {
        assert!(in_few.contains(name), "{name} in {}", few.stdout);
    }
    refuses(&["list", "--all", "g-star"], 2, &["--all", "NAME"]);
}

/// Every name of the registry has a page that fits 100 columns and whose example runs.
#[test]
fn every_name_is_explained() {
    let registry = registry();
    let agents = registry.agents.iter().map(|agent| &agent.about);
    let noises = registry.noises.iter().map(|noise| &noise.about);
    let teams = registry.teams.iter().chain(&registry.shares);
    let others = registry.families.iter().chain(&registry.means).chain(noises).chain(teams);
    for entry in agents.chain(others) {
        let page = gbandit(&["list", entry.name]);
        assert_eq!((page.code, page.stderr.as_str()), (0, ""));
        assert!(page.stdout.lines().all(|line| line.chars().count() <= 100), "{}", page.stdout);
        let flowing = words(&page.stdout).join(" ");
        assert!(flowing.contains(entry.about), "{flowing}");
        for parameter in &entry.parameters {
            let (name, help) = (parameter.name, parameter.help);
            for part in [&format!(" {name}: {help} "), &parameter.need, parameter.when] {
                assert!(flowing.contains(part), "{part} in {flowing}");
            }
        }
        its_examples_run(&page.stdout);
    }
    // Names that the paper's sequel adds.
    its_examples_run(&gbandit(&["list", "er100-5"]).stdout);
    let both = gbandit(&["list", "uniform:0.5"]).stdout;
    assert_eq!(both.matches("\nExample\n").count(), 2, "{both}");
    let star = gbandit(&["list", "g-star"]).stdout;
    assert!(star.contains("  noise-scale: ") && star.contains("default: 0.5; a number from 0"));
}

fn its_examples_run(page: &str) {
    let examples = page.lines().filter_map(|line| line.strip_prefix("  gbandit run "));
    assert!(examples.clone().count() > 0, "{page}");
    for example in examples {
        // Agents that lead teams cover the graph in their own way.
        let init = if example.contains("--walkers") { "" } else { "--init none" };
        table(&format!("{example} --steps 5 --runs 1 {init}"));
    }
}

/// Means from files, groups and the oracle are not in the registry.
#[test]
fn what_is_not_in_the_registry_is_explained_too() {
    let page = |name: &str| {
        let page = gbandit(&["list", name]);
        assert_eq!((page.code, page.stderr.as_str()), (0, ""), "{name}");
        assert!(page.stdout.lines().all(|line| line.chars().count() <= 100), "{}", page.stdout);
        page.stdout
    };
    let changes = page("changes");
    assert_eq!(page("changes:town.csv"), changes);
    assert!(changes.starts_with("changes: a kind of means (--means)\n"), "{changes}");
    assert!(changes.contains("Written changes:FILE") && changes.contains("\n  from,0,1,2\n"));
    assert!(words(&changes).join(" ").contains("from the first step after initialization"));
    assert!(page("file").contains("Written file:FILE"));
    for group in ["paper", "frontier", "baseline", "changing"] {
        let text = page(group);
        assert!(text.starts_with(&format!("{group}: a group of agents (--agents)\n")), "{text}");
        let example = text.lines().find_map(|line| line.strip_prefix("  gbandit run ")).unwrap();
        table_of_any(&format!("{example} --steps 5 --runs 1 --init none"));
    }
    assert!(page("changing").contains("\n  g-drift "));
    assert!(words(&page("oracle")).join(" ").contains("Where means change, it goes to the node"));
}

/// The examples in `list` really run.
#[test]
fn examples_in_list_can_be_run() {
    let list = gbandit(&["list"]).stdout;
    let section = |title: &str| -> Vec<Vec<String>> {
        let lines = list.lines().skip_while(|line| !line.starts_with(title)).skip(2);
        let lines = lines.take_while(|line| !line.is_empty());
        // Descriptions continue in lines that are indented further.
        let lines = lines.fold(Vec::new(), |mut entries: Vec<String>, line| {
            match entries.last_mut() {
                Some(entry) if line.starts_with("   ") => entry.push_str(line),
                _ => entries.push(line.to_owned()),
            }
            entries
        });
        lines.iter().map(|line| words(line).into_iter().map(str::to_owned).collect()).collect()
    };
    let rest = "--steps 5 --runs 1 --init none --agents";
    for line in section("Graphs") {
        table(&format!("--graph {} {rest} local-ucb", line.last().unwrap()));
    }
    for line in section("Reward laws") {
        let noise = line.last().unwrap();
        table(&format!("--graph line:3 --means uniform:0.1,0.9 --noise {noise} {rest} g-ucb"));
    }
    for agent in graph_bandit::spec::registry().agents {
        let settings =
            agent.about.parameters.iter().map(|parameter| {
                format!("{}={}", parameter.name, parameter.default.as_ref().unwrap())
            });
        let agent = format!("{}:{}", agent.about.name, settings.collect::<Vec<_>>().join(","));
        table_of_any(&format!("--graph complete:3 {rest} {}", agent.trim_end_matches(':')));
    }
}

#[test]
fn help_names_every_flag_and_goes_to_standard_output() {
    for args in [&["run", "--help"][..], &["run", "-h"], &["help", "run"]] {
        let answer = gbandit(args);
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{args:?}");
        for flag in [
            "--graph",
            "--agents",
            "--means",
            "--noise",
            "--steps",
            "--runs",
            "--seed",
            "--preset",
            "--window",
            "--start",
            "--init",
            "--return",
            "--tape",
            "--checkpoints",
            "--jobs",
            "--json",
        ] {
            assert!(answer.stdout.contains(flag), "{flag}: {}", answer.stdout);
        }
        for default in [
            "g-star",
            "uniform:0.5,9.5",
            "uniform:0.5",
            "20000",
            "100",
            "0",
            "paper",
            "first",
            "lowest",
            "jump",
            "one-by-one",
            "20",
        ] {
            // However the lines are wrapped.
            let text = words(&answer.stdout).join(" ");
            assert!(text.contains(&format!("[default: {default}]")), "{default}: {text}");
        }
    }
    for args in [&["--help"][..], &["help"], &["--version"], &["list", "--help"]] {
        let answer = gbandit(args);
        assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{args:?}");
        assert!(!answer.stdout.is_empty());
    }
    // Hidden from the first page, in a group of its own on the second.
    assert!(!gbandit(&["-h"]).stdout.contains("drone"));
    assert!(gbandit(&["--help"]).stdout.contains("For operators and tests:\n  drone "));
    assert!(gbandit(&["drone", "--help"]).stdout.contains("a load test for operators"));
    let help = words(&gbandit(&["run", "--help"]).stdout).join(" ");
    let few: Vec<_> = AgentSpec::recommended().iter().map(|entry| entry.name).collect();
    assert!(help.contains(&format!("such as {}; `gbandit list --all`", few.join(", "))), "{help}");
}

//! Measurements as tables.

use crate::number::{rounded, with_commas};
use crate::table::table;
use graph_bandit::Preset;
use graph_bandit_bench::Report;
use graph_bandit_bench::planning::Planning;
use graph_bandit_bench::runs::{Row, Runs};
use graph_bandit_bench::scale::{Curve, Scale};
use graph_bandit_bench::studies::Studies;
use graph_bandit_bench::teams::{PlanRow, RunRow, Teams};

/// Above this share of waiting, the output warns that the machine was busy.
const BUSY: f64 = 0.1;

/// All sections that were measured.
pub(super) fn tables(report: &Report) -> String {
    let sections = [
        report.runs.as_ref().map(runs),
        report.planning.as_ref().map(planning),
        report.scale.as_ref().map(scale),
        report.studies.as_ref().map(studies),
        report.teams.as_ref().map(teams),
    ];
    let note = report.waited.filter(|&waited| waited > BUSY).map(busy);
    sections.into_iter().flatten().chain(note).collect::<Vec<_>>().join("\n")
}

fn runs(runs: &Runs) -> String {
    let row = |row: &Row| {
        vec![
            match row.preset {
                Preset::Paper => row.agent.clone(),
                Preset::Program => format!("{} (program)", row.agent),
            },
            row.graph.clone(),
            rounded(1e6 * row.seconds_per_run),
            rounded(1e9 * row.seconds_per_step),
            rounded(row.legs),
            rounded(1e6 * row.plain.seconds),
            times(row.plain.ratio),
        ]
    };
    let heading = ["agent", "graph", "us/run", "ns/step", "legs", "plain us/run", "ratio"];
    let rows: Vec<_> = runs.rows.iter().map(row).collect();
    format!(
        "Runs of {} steps, one thread; ratio: times faster than the plain implementation\n\n{}",
        with_commas(runs.steps),
        table(&heading, &rows)
    )
}

fn planning(planning: &Planning) -> String {
    let row = |row: &graph_bandit_bench::planning::Row| {
        vec![
            row.graph.clone(),
            with_commas(row.edges as u64),
            duration(row.policy),
            duration(row.petgraph.seconds),
            times(row.petgraph.ratio),
            duration(row.path),
            duration(row.petgraph_path.seconds),
            times(row.petgraph_path.ratio),
            times(row.path_ratio_to_petgraph_all),
        ]
    };
    let heading =
        ["graph", "edges", "policy", "petgraph", "ratio", "path", "petgraph", "ratio", "to policy"];
    let rows: Vec<_> = planning.rows.iter().map(row).collect();
    format!(
        "Planning: the shortest-path policy of all nodes and the path from one node, against \
         petgraph's dijkstra;\nto policy: how many times faster one path is than petgraph's distances for all nodes\n\n{}",
        table(&heading, &rows)
    )
}

fn scale(scale: &Scale) -> String {
    let curve = |curve: &Curve| {
        let points = curve.points.iter().map(|point| {
            vec![
                with_commas(point.nodes as u64),
                duration(point.build),
                duration(point.init),
                with_commas(point.init_steps),
                duration(point.preparation),
                with_commas(point.legs),
                duration(point.leg),
                memory(point.peak_bytes),
                memory(point.added_bytes),
            ]
        });
        let power = |p: Option<f64>| p.map_or("-".to_owned(), |p| format!("|S|^{p:.2}"));
        let fitted = vec![
            "fitted".to_owned(),
            String::new(),
            power(curve.init_exponent),
            String::new(),
            String::new(),
            String::new(),
            power(curve.leg_exponent),
            String::new(),
            power(curve.memory_exponent),
        ];
        let heading = [
            "nodes",
            "build",
            "initialization",
            "its steps",
            "first 50",
            "legs",
            "per leg",
            "peak memory",
            "added",
        ];
        let rows: Vec<_> = points.chain([fitted]).collect();
        format!(
            "Scale: {} on square grids, initialized depth first; first 50: the legs that build the\n\
             tables; legs: those after them\n\n{}",
            curve.agent,
            table(&heading, &rows)
        )
    };
    scale.curves.iter().map(curve).collect::<Vec<_>>().join("\n")
}

fn studies(studies: &Studies) -> String {
    let threads = studies.threads.iter().map(|row| {
        vec![
            row.threads.to_string(),
            duration(row.seconds),
            times(row.speed_up),
            row.cores_had.map_or("-".to_owned(), rounded),
        ]
    });
    let runs = studies.memory.iter().map(|row| vec![row.runs.to_string(), memory(row.peak_bytes)]);
    format!(
        "Studies: {} runs of g-ucb on a grid of 100 nodes\n\n{}\n{}",
        with_commas(studies.runs),
        table(&["threads", "time", "speed-up", "cores had"], &threads.collect::<Vec<_>>()),
        table(&["runs", "peak memory"], &runs.collect::<Vec<_>>())
    )
}

fn teams(teams: &Teams) -> String {
    let run = |row: &RunRow| {
        vec![
            row.instance.clone(),
            row.agent.clone(),
            row.tape.to_string(),
            with_commas(row.steps),
            duration(row.seconds_per_run),
            rounded(row.legs),
            rounded(row.regret),
        ]
    };
    let plan = |row: &PlanRow| {
        let agent = match row.preset {
            Preset::Paper => row.agent.clone(),
            Preset::Program => format!("{} (program)", row.agent),
        };
        let legs = row.legs.to_string();
        vec![agent, row.graph.clone(), row.walkers.to_string(), legs, duration(row.seconds)]
    };
    let runs: Vec<_> = teams.runs.iter().map(run).collect();
    let plans: Vec<_> = teams.plans.iter().map(plan).collect();
    format!(
        "Teams: runs of the program of the paper on teams, and plans of many walkers;\nlegs: of a \
         walker in a run, and of all walkers in a plan\n\n{}\n{}",
        table(&["instance", "agent", "rewards", "steps", "time", "legs", "regret"], &runs),
        table(&["agent", "graph", "walkers", "legs", "time"], &plans)
    )
}

fn busy(waited: f64) -> String {
    format!(
        "Other work kept the cores busy: the measuring thread waited {:.0}% of the time. Waiting is \
         subtracted, but\nshared caches still make the measured times longer.\n",
        100.0 * waited
    )
}

fn times(ratio: f64) -> String {
    format!("{}x", rounded(ratio))
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 0.9995 => format!("{} s", rounded(s)),
        s if s >= 0.999_5e-3 => format!("{} ms", rounded(1e3 * s)),
        s => format!("{} us", rounded(1e6 * s)),
    }
}

fn memory(bytes: Option<u64>) -> String {
    bytes.map_or("-".to_owned(), |bytes| format!("{} MiB", rounded(bytes as f64 / 1_048_576.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_follow_the_size() {
        assert_eq!(duration(0.002_5), "2.50 ms");
        assert_eq!(duration(0.000_999_7), "1.00 ms");
        assert_eq!(duration(12e-6), "12.0 us");
        assert_eq!(duration(3.0), "3.00 s");
        assert_eq!(memory(Some(3 << 20)), "3.00 MiB");
        assert_eq!(memory(None), "-");
        assert_eq!(times(5.25), "5.25x");
    }
}

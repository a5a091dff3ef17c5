//! `gbandit conformance`: the table of docs/explanations/conformance.md.

use crate::args::ConformanceArgs;
use crate::number::rounded;
use crate::progress;
use graph_bandit_lab::{Jobs, LabError};
use graph_bandit_paper::conformance::{Comparison, compare, reference_pairs};
use std::io::{Write, stdout};

pub(crate) fn conformance(args: &ConformanceArgs) -> anyhow::Result<()> {
    let pairs = reference_pairs();
    let bar = progress::bar(pairs.len() as u64, "pairs");
    let report = |pair| {
        let report = compare(pair, args.runs, Jobs::from_flag(args.jobs));
        bar.inc(1);
        report
    };
    let reports: Result<Vec<_>, LabError> = pairs.iter().map(report).collect();
    bar.finish_and_clear();
    let reports = reports?;
    let mut out = stdout().lock();
    writeln!(
        out,
        "| graph | agent | first T: ours | reference | worst z | paired z | \
                   last T: ours | reference | worst z | paired z |"
    )?;
    writeln!(out, "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    for report in &reports {
        let [first, last] = report.windows.each_ref().map(cells);
        writeln!(out, "| {} | {} | {first} | {last} |", report.graph, report.agent)?;
    }
    writeln!(out, "\nWorst z of each graph:\n")?;
    let mut graphs: Vec<&str> = reports.iter().map(|report| report.graph.as_str()).collect();
    graphs.dedup();
    for graph in graphs {
        let of_graph = reports.iter().filter(|report| report.graph == graph);
        let worst = of_graph
            .flat_map(|report| report.windows.iter().map(move |w| (w.worst(), &report.agent)))
            .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        if let Some((z, agent)) = worst {
            writeln!(out, "- {graph}: {z:+.2} ({agent})")?;
        }
    }
    Ok(())
}

fn cells(window: &Comparison) -> String {
    let paired = window.paired_z.map_or("-".to_owned(), |z| format!("{z:+.2}"));
    format!(
        "{} | {} | {:+.2} | {paired}",
        rounded(window.ours),
        rounded(window.reference),
        window.worst()
    )
}

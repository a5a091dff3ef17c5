//! Problems as plain arrays of numbers, for peers in other languages.

use super::Problem;
use anyhow::{Context, Result};
use graph_bandit::plan::CheapestPaths;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes a problem and its solutions to `directory`. `NAME.json` describes it. `NAME.edges` holds
/// each edge once as two unsigned 32-bit numbers or, if roads take time, each road as from and to;
/// `NAME.times` then holds the time of each. `NAME.costs` and `NAME.distances` hold one 64-bit
/// float per task and node, task by task; all little-endian.
pub(super) fn export(problem: &Problem, directory: &Path) -> Result<()> {
    let stem = problem.name.replace([':', ','], "-");
    let write = |ending: &str, content: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>| {
        let path = directory.join(format!("{stem}.{ending}"));
        let mut file = BufWriter::new(
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?,
        );
        content(&mut file)?;
        file.flush().with_context(|| format!("cannot write {}", path.display()))
    };
    write("edges", &mut |file| {
        for (a, b) in problem.graph.closable() {
            file.write_all(&a.to_le_bytes())?;
            file.write_all(&b.to_le_bytes())?;
        }
        Ok(())
    })?;
    if problem.graph.roads().is_some() {
        write("times", &mut |file| {
            problem.graph.all_roads().try_for_each(|road| file.write_all(&road.time.to_le_bytes()))
        })?;
    }
    write("costs", &mut |file| {
        let mut costs = problem.tasks.iter().flat_map(|task| &task.costs);
        costs.try_for_each(|cost| file.write_all(&cost.to_le_bytes()))
    })?;
    let mut paths = CheapestPaths::default();
    write("distances", &mut |file| {
        (0..problem.tasks.len()).try_for_each(|task| {
            problem.policy(&mut paths, task);
            let mut nodes = problem.graph.nodes();
            nodes.try_for_each(|s| file.write_all(&paths.cost(s).to_le_bytes()))
        })
    })?;
    let targets: Vec<_> = problem.tasks.iter().map(|task| task.target).collect();
    let about = json!({
        "graph": problem.name,
        "nodes": problem.graph.len(),
        "edges": problem.graph.edge_count(),
        "targets": targets,
        "times": problem.graph.roads().map(|_| problem.tasks.iter().map(|task| task.time).collect::<Vec<_>>()),
    });
    write("json", &mut |file| writeln!(file, "{about}"))
}

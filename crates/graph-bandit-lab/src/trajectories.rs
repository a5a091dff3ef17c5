//! Writes every visit of every run of a study to one Parquet file; memory does not grow with runs.

mod rows;

use crate::disk::sync_folder;
use crate::error::LabError;
use crate::jobs::{Jobs, Task, Watch, all_or_first_error, in_pool};
use crate::study::Study;
use graph_bandit::NodeId;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use rayon::prelude::*;
use rows::Rows;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

/// The most visits of one run, which is held in memory.
const MOST_PER_RUN: u64 = 20_000_000;
/// The most visits of a file, about 40 gigabytes.
const MOST_IN_FILE: u64 = 2_000_000_000;

const ALONE: &str = "message trajectories {
    required int64 run; required binary agent (UTF8); required double t;
    required binary node (UTF8); required double reward; required int64 leg;
    required binary phase (UTF8);
}";
const TEAM: &str = "message trajectories {
    required int64 run; required binary agent (UTF8); required int64 walker; required double t;
    required binary node (UTF8); required double reward; required double draw; required int64 leg;
    required binary phase (UTF8);
}";

impl Study {
    /// Refuses trajectories too large for disk or memory, and runs that are not made visit by visit.
    ///
    /// # Errors
    /// With the number of visits that is too large.
    pub fn check_trajectories(&self) -> Result<(), LabError> {
        self.check_tape()?;
        let steps = self.visits_per_run();
        let all = steps.saturating_mul(self.runs).saturating_mul(self.agents.len() as u64);
        let reason = if steps > MOST_PER_RUN {
            format!("{steps} visits per run are too many to write; the limit is {MOST_PER_RUN}")
        } else if all > MOST_IN_FILE {
            format!(
                "{all} visits are too many to write; the limit is {MOST_IN_FILE}. Ask for fewer \
                 runs, agents or steps"
            )
        } else {
            return Ok(());
        };
        Err(LabError::setting("trajectories", reason))
    }

    /// How many visits of one run count: of all walkers together.
    fn visits_per_run(&self) -> u64 {
        let walkers = self.several().map_or(1, |team| team.walkers as u64);
        self.plan.steps.saturating_mul(walkers)
    }

    /// Makes all runs and writes every visit to a Parquet file: run, agent, t, node, reward, leg,
    /// phase. `t` counts from the end of initialization, so the visits that count have `t > 0`;
    /// legs count from 1, and initialization is leg 0. Each run is one row group, written when the
    /// run ends. The file appears when it is complete.
    ///
    /// Teams have two more columns, walker and draw. The reward is the walker's part of what the team
    /// got, and the draw what its node paid. `t` counts from the first step that counts, every leg
    /// counts, and the phase is that of the whole team: `cover` until every node has a draw.
    ///
    /// # Errors
    /// As [`execute`](Self::execute), or when the file is too large or cannot be written.
    pub fn write_trajectories(
        &self,
        path: &Path,
        jobs: Jobs,
        watch: Watch<'_>,
    ) -> Result<(), LabError> {
        self.check()?;
        self.check_trajectories()?;
        let mut aside = path.as_os_str().to_owned();
        aside.push(".part");
        let failed =
            |cause: io::Error| LabError::Store { reason: format!("{}: {cause}", path.display()) };
        let file = File::create(&aside).map_err(failed)?;
        let in_place = || {
            file.sync_all()?;
            fs::rename(&aside, path)?;
            sync_folder(path.parent().unwrap_or(path))
        };
        let written = self
            .write_rows(BufWriter::new(&file), jobs, watch)
            .and_then(|()| in_place().map_err(failed));
        if written.is_err() {
            // An unfinished file must not stay; the first error is the one to report.
            let _ = fs::remove_file(&aside);
        }
        written
    }

    fn write_rows(
        &self,
        to: impl Write + Send,
        jobs: Jobs,
        watch: Watch<'_>,
    ) -> Result<(), LabError> {
        let failed = |error: ParquetError| LabError::Store { reason: format!("a table: {error}") };
        let mut file = Trajectories::new(self, to).map_err(failed)?;
        let tasks: Vec<Task> = (0..self.agents.len())
            .flat_map(|agent| (0..self.runs).map(move |run| Task { agent, run }))
            .collect();
        let in_memory = usize::try_from(MOST_PER_RUN / self.visits_per_run().max(1)).unwrap_or(1);
        let at_once = jobs.threads().min(tasks.len()).min(in_memory).max(1);
        let record = |task: &Task| -> Result<Rows, LabError> {
            let agent = &self.agents[task.agent];
            Ok(match self.several() {
                Some(_) => self.record_team(agent, task.run, watch.stop)?.into(),
                None => self.record(agent, task.run, watch.stop)?.into(),
            })
        };
        in_pool(at_once, || {
            for some in tasks.chunks(at_once) {
                let made = all_or_first_error(some.par_iter().map(record).collect())?;
                for (task, rows) in some.iter().zip(&made) {
                    file.push(task, rows).map_err(failed)?;
                    (watch.tick)();
                }
            }
            Ok::<(), LabError>(())
        })??;
        file.writer.close().map(|_| ()).map_err(failed)
    }
}

struct Trajectories<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    agents: Vec<ByteArray>,
    nodes: Vec<ByteArray>,
}

impl<W: Write + Send> Trajectories<W> {
    fn new(study: &Study, to: W) -> Result<Self, ParquetError> {
        let schema = if study.several().is_some() { TEAM } else { ALONE };
        let schema = Arc::new(parse_message_type(schema)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("graph-bandit ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let text = |text: String| ByteArray::from(text.as_str());
        let graph = &study.graph;
        Ok(Self {
            writer: SerializedFileWriter::new(to, schema, Arc::new(properties))?,
            agents: study.agents.iter().map(|agent| text(agent.label(study.preset))).collect(),
            nodes: graph.nodes().map(|node| text(graph.label(node))).collect(),
        })
    }

    /// Writes one run as a row group.
    fn push(&mut self, task: &Task, rows: &Rows) -> Result<(), ParquetError> {
        let visits = rows.nodes.len();
        let phases = ["learn", "cover"].map(ByteArray::from);
        let phase = |covering: &bool| phases[usize::from(*covering)].clone();
        let phases: Vec<ByteArray> = rows.covering.iter().map(phase).collect();
        let name = |node: &NodeId| self.nodes[*node as usize].clone();
        let nodes: Vec<ByteArray> = rows.nodes.iter().map(name).collect();
        let mut group = self.writer.next_row_group()?;
        write::<Int64Type, W>(&mut group, &vec![task.run.cast_signed(); visits])?;
        write::<ByteArrayType, W>(&mut group, &vec![self.agents[task.agent].clone(); visits])?;
        if let Some(walkers) = &rows.walkers {
            write::<Int64Type, W>(&mut group, walkers)?;
        }
        write::<DoubleType, W>(&mut group, &rows.times)?;
        write::<ByteArrayType, W>(&mut group, &nodes)?;
        write::<DoubleType, W>(&mut group, &rows.rewards)?;
        if let Some(draws) = &rows.draws {
            write::<DoubleType, W>(&mut group, draws)?;
        }
        write::<Int64Type, W>(&mut group, &rows.legs)?;
        write::<ByteArrayType, W>(&mut group, &phases)?;
        group.close().map(|_| ())
    }
}

/// Writes the next column of a row group.
fn write<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

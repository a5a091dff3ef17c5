//! Tidy tables: one row per run, and one per run and checkpoint, as Parquet.

use super::results::for_each_row;
use super::{Campaign, Entry, Store};
use crate::error::LabError;
use crate::window::Window;
use graph_bandit::spec::Named;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::sync::Arc;

/// Rows kept in memory before they are written.
const ROWS_PER_GROUP: usize = 65_536;

const CURVES: &str = "message curves {
    required binary study (UTF8); required binary case (UTF8); required binary graph (UTF8);
    required binary agent (UTF8); required binary preset (UTF8); required binary window (UTF8);
    required int64 run; required int64 t;
    required double regret; required double realized_regret; required double reward;
    required double legs;
}";

const RUNS: &str = "message runs {
    required binary study (UTF8); required binary case (UTF8); required binary graph (UTF8);
    required binary agent (UTF8); required binary preset (UTF8); required binary window (UTF8);
    required int64 run; required int64 steps;
    required double regret; required double realized_regret; required double reward;
    required double legs; required double init_steps; required double init_regret;
    required double overshoot;
}";

/// Columns of text, of integers, then of floating-point numbers, filled row by row.
struct Table<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    texts: Vec<Vec<ByteArray>>,
    integers: Vec<Vec<i64>>,
    numbers: Vec<Vec<f64>>,
}

impl<W: Write + Send> Table<W> {
    fn new(schema: &str, to: W) -> Result<Self, ParquetError> {
        let schema = Arc::new(parse_message_type(schema)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("graph-bandit ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let numbers = schema.get_fields().len() - 8;
        let writer = SerializedFileWriter::new(to, schema, Arc::new(properties))?;
        let (texts, integers) = (vec![Vec::new(); 6], vec![Vec::new(); 2]);
        Ok(Self { writer, texts, integers, numbers: vec![Vec::new(); numbers] })
    }

    fn push(
        &mut self,
        texts: &[ByteArray; 6],
        integers: [u64; 2],
        numbers: &[f64],
    ) -> Result<(), ParquetError> {
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.push(text.clone());
        }
        for (column, number) in self.integers.iter_mut().zip(integers) {
            column.push(number.cast_signed());
        }
        for (column, &number) in self.numbers.iter_mut().zip(numbers) {
            column.push(number);
        }
        if self.integers[0].len() == ROWS_PER_GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.texts {
            let Some(mut writer) = group.next_column()? else { break };
            writer.typed::<ByteArrayType>().write_batch(column, None, None)?;
            writer.close()?;
            column.clear();
        }
        for column in &mut self.integers {
            let Some(mut writer) = group.next_column()? else { break };
            writer.typed::<Int64Type>().write_batch(column, None, None)?;
            writer.close()?;
            column.clear();
        }
        for column in &mut self.numbers {
            let Some(mut writer) = group.next_column()? else { break };
            writer.typed::<DoubleType>().write_batch(column, None, None)?;
            writer.close()?;
            column.clear();
        }
        group.close().map(|_| ())
    }

    fn finish(mut self) -> Result<(), ParquetError> {
        if !self.integers[0].is_empty() {
            self.flush()?;
        }
        self.writer.close().map(|_| ())
    }
}

/// Writes `curves.parquet` and `runs.parquet`; memory does not grow with runs.
///
/// # Errors
/// When a block cannot be read or a table cannot be written.
pub(crate) fn write_tables(
    campaign: &Campaign,
    store: &Store,
    curves: impl Write + Send,
    runs: impl Write + Send,
) -> Result<(), LabError> {
    let failed = |error: ParquetError| LabError::Store { reason: format!("a table: {error}") };
    let mut curves = Table::new(CURVES, curves).map_err(failed)?;
    let mut runs = Table::new(RUNS, runs).map_err(failed)?;
    for Entry { study, case, preset, cell } in campaign.entries() {
        let t = campaign.cells[cell].checkpoints();
        let label = |window: &Window| {
            let agent = campaign.cells[cell].agent.as_str();
            let (preset, window) = (preset.name(), window.name());
            [&study.name, case.title(), &case.graph, agent, preset, window].map(ByteArray::from)
        };
        let labels: Vec<[ByteArray; 6]> = campaign.windows.iter().map(label).collect();
        for_each_row(campaign, store, cell, |run, row| {
            for (window, texts) in labels.iter().enumerate() {
                for (i, &t) in t.iter().enumerate() {
                    let point = row.point(window, i);
                    curves.push(texts, [run, t], &point).map_err(failed)?;
                    if i + 1 == row.checkpoints() {
                        let rest = [row.init_steps(), row.init_regret(), row.overshoot()];
                        let all: Vec<f64> = point.into_iter().chain(rest).collect();
                        runs.push(texts, [run, t], &all).map_err(failed)?;
                    }
                }
            }
            Ok(())
        })?;
    }
    curves.finish().and_then(|()| runs.finish()).map_err(failed)
}

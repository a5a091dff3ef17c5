//! Tidy tables: one row per run, and one per run and checkpoint, as Parquet.

use super::results::for_each_row;
use super::{Campaign, Entry, Store};
use crate::error::LabError;
use crate::window::Window;
use bytes::Bytes;
use graph_bandit::spec::Named;
use parquet::basic::{Compression, Type};
use parquet::column::writer::{
    ColumnCloseResult, ColumnWriter, get_column_writer, get_typed_column_writer,
};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnDescPtr;
use rayon::prelude::*;
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

/// The values of one column.
enum Column {
    Texts(Vec<ByteArray>),
    Integers(Vec<i64>),
    Numbers(Vec<f64>),
}

impl Column {
    fn encode(
        &self,
        descriptor: ColumnDescPtr,
        properties: WriterPropertiesPtr,
    ) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        let mut encoded = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut encoded));
        let writer = get_column_writer(descriptor, properties, pages);
        let closed = match self {
            Self::Texts(values) => written::<ByteArrayType>(writer, values),
            Self::Integers(values) => written::<Int64Type>(writer, values),
            Self::Numbers(values) => written::<DoubleType>(writer, values),
        }?;
        Ok((Bytes::from(encoded.into_inner()?), closed))
    }

    fn clear(&mut self) {
        match self {
            Self::Texts(values) => values.clear(),
            Self::Integers(values) => values.clear(),
            Self::Numbers(values) => values.clear(),
        }
    }
}

fn written<T: DataType>(
    writer: ColumnWriter<'_>,
    values: &[T::T],
) -> Result<ColumnCloseResult, ParquetError> {
    let mut writer = get_typed_column_writer::<T>(writer);
    writer.write_batch(values, None, None)?;
    writer.close()
}

/// Columns of text, of integers, then of floating-point numbers, filled row by row. The columns of a
/// group are encoded on all threads of the current pool.
struct Table<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: usize,
}

impl<W: Write + Send> Table<W> {
    fn new(schema: &str, to: W) -> Result<Self, ParquetError> {
        let schema = Arc::new(parse_message_type(schema)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("graph-bandit ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let fields = schema.get_fields().iter();
        let columns = fields.map(|field| match field.get_physical_type() {
            Type::BYTE_ARRAY => Column::Texts(Vec::new()),
            Type::INT64 => Column::Integers(Vec::new()),
            _ => Column::Numbers(Vec::new()),
        });
        let columns = columns.collect();
        let writer = SerializedFileWriter::new(to, schema, Arc::new(properties))?;
        Ok(Self { writer, columns, rows: 0 })
    }

    fn push(
        &mut self,
        texts: &[ByteArray; 6],
        integers: [u64; 2],
        numbers: &[f64],
    ) -> Result<(), ParquetError> {
        let (mut texts, mut integers, mut numbers) =
            (texts.iter(), integers.iter(), numbers.iter());
        for column in &mut self.columns {
            match column {
                Column::Texts(values) => values.extend(texts.next().cloned()),
                Column::Integers(values) => values.extend(integers.next().map(|n| n.cast_signed())),
                Column::Numbers(values) => values.extend(numbers.next()),
            }
        }
        self.rows += 1;
        if self.rows == ROWS_PER_GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let properties = self.writer.properties();
        let schema = self.writer.schema_descr();
        let encode =
            |(i, column): (usize, &Column)| column.encode(schema.column(i), Arc::clone(properties));
        let encoded: Vec<_> = self.columns.par_iter().enumerate().map(encode).collect();
        let mut group = self.writer.next_row_group()?;
        for encoded in encoded {
            let (bytes, closed) = encoded?;
            group.append_column(&bytes, closed)?;
        }
        group.close()?;
        self.columns.iter_mut().for_each(Column::clear);
        self.rows = 0;
        Ok(())
    }

    fn finish(mut self) -> Result<(), ParquetError> {
        if self.rows > 0 {
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

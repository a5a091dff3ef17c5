//! Studies in TOML from Python: the same campaigns in the same directories as `gbandit study`.

use crate::errors::of_lab;
use crate::registry::{named, window};
use crate::study::watched;
use graph_bandit_lab::campaign::{
    Campaign as LabCampaign, End, MOST_RUNS, Presets, Progress, Shard, Store, execute,
};
use graph_bandit_lab::output::{Joined, Mode, Start, finish, redraw, start};
use graph_bandit_lab::study_file::{Overrides, StudyFile};
use graph_bandit_lab::{Jobs, LabError, Study as LabStudy};
use graph_bandit_paper::LEDGER;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The arguments of `graph_bandit.run_study`.
#[derive(FromPyObject)]
struct Request {
    file: PathBuf,
    out: Option<PathBuf>,
    runs: Option<u64>,
    seed: Option<u64>,
    preset: Option<String>,
    window: Option<String>,
    force: bool,
}

/// A study file and its result directory, ready to run.
#[pyclass(frozen, module = "graph_bandit._core")]
pub(crate) struct Campaign {
    plan: LabCampaign,
    /// `None` if the directory already holds the complete result.
    store: Option<Store>,
    /// What was damaged in the directory.
    repairs: Vec<String>,
    out: PathBuf,
}

/// The number of runs done and their total, read while other threads count.
#[derive(Default)]
struct Counter {
    done: AtomicU64,
    of: AtomicU64,
}

impl Progress for Counter {
    fn begin(&self, done: u64, of: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
    }

    fn tick(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

#[pymethods]
impl Campaign {
    /// Reads the study and opens its directory; continues what an interrupted call left there.
    #[new]
    fn new(py: Python<'_>, request: Request) -> PyResult<Self> {
        if let Some(runs) = request.runs.filter(|runs| !(1..=MOST_RUNS).contains(runs)) {
            return Err(PyValueError::new_err(format!(
                "runs is {runs}; give a number from 1 to {MOST_RUNS}"
            )));
        }
        let overrides = Overrides {
            runs: request.runs,
            seed: request.seed,
            preset: request.preset.as_deref().map(|text| named("preset", text)).transpose()?,
            window: request.window.as_deref().map(window).transpose()?,
        };
        let mode = if request.force { Mode::Force } else { Mode::Resume };
        let file = request.file;
        let opened = py.detach(|| {
            let mut study = StudyFile::read(&file)?;
            let out = request.out.unwrap_or_else(|| format!("report-{}", study.name).into());
            overrides.apply(&mut study);
            let base = file.parent().map(Path::to_owned).unwrap_or_default();
            let mut campaign = LabCampaign::new(vec![study], Presets::Own, base)?;
            let (store, repairs) = match start(&out, &mut campaign, mode)? {
                Start::Run(store, repairs) => (Some(store), repairs),
                Start::Redraw(repair) => {
                    redraw(&out, Some(&LEDGER), Jobs::All)?;
                    (None, vec![repair])
                }
                Start::AlreadyComplete => (None, Vec::new()),
            };
            Ok(Self { plan: campaign, store, repairs, out })
        });
        opened.map_err(|error: LabError| of_lab(&error.in_file(&file)))
    }

    /// The result directory.
    #[getter]
    fn out(&self) -> PathBuf {
        self.out.clone()
    }

    /// How many runs there are, including those of all parts.
    #[getter]
    fn runs(&self) -> u64 {
        self.plan.runs()
    }

    /// What was damaged and is made again, and what is probably not as meant: agents that expect less noise than there is, tapes that change
    /// nothing, horizons that are missing or too short.
    fn warnings(&self, py: Python<'_>) -> Vec<String> {
        let LabCampaign { cells, base, graphs, .. } = &self.plan;
        py.detach(|| {
            // Errors of preparation are reported when the case is run.
            let studies: Vec<LabStudy> =
                cells.iter().filter_map(|cell| cell.prepare(base, graphs).ok()).collect();
            [self.repairs.clone(), graph_bandit_lab::warnings(&studies)].concat()
        })
    }

    /// Makes all runs that are missing, or those of a part. Without a part it then writes the complete
    /// result. `progress` is called from time to time with the runs done and the number of all runs.
    #[pyo3(signature = (jobs=None, shard=None, progress=None))]
    fn carry_out(
        &self,
        py: Python<'_>,
        jobs: Option<u16>,
        shard: Option<(usize, usize)>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        if jobs == Some(0) {
            return Err(PyValueError::new_err("n_jobs is 0; give at least 1"));
        }
        let shard = match shard {
            None => Shard::ALL,
            Some((part, of)) if (1..=of).contains(&part) => Shard { part, of },
            Some((part, of)) => {
                return Err(PyValueError::new_err(format!(
                    "shard is ({part}, {of}); give part K of N, as in (2, 8)"
                )));
            }
        };
        let Some(store) = &self.store else { return Ok(()) };
        let counter = Counter::default();
        let report = |py: Python<'_>| -> PyResult<()> {
            let Some(progress) = &progress else { return Ok(()) };
            let (done, of) = (&counter.done, &counter.of);
            progress.call1(py, (done.load(Ordering::Relaxed), of.load(Ordering::Relaxed)))?;
            Ok(())
        };
        let work = |stop: &AtomicBool| {
            let campaign = &self.plan;
            let jobs = Jobs::from_flag(jobs);
            let end = execute(campaign, store, shard, jobs, &counter, stop)?;
            if end == End::Interrupted || shard != Shard::ALL {
                return Ok(end);
            }
            finish(&self.out, campaign, store.clone(), Some(&LEDGER), jobs, stop)
        };
        match watched(py, report, work)?.map_err(|error| of_lab(&error))? {
            End::Complete => Ok(()),
            End::Interrupted => Err(of_lab(&LabError::Interrupted)),
        }
    }
}

/// Joins the parts of a study into one result.
#[pyfunction]
pub(crate) fn merge(
    py: Python<'_>,
    parts: Vec<PathBuf>,
    out: PathBuf,
    force: bool,
) -> PyResult<()> {
    let mode = if force { Mode::Force } else { Mode::Resume };
    let work = |stop: &AtomicBool| {
        graph_bandit_lab::output::merge(&parts, (&out, mode), Some(&LEDGER), Jobs::All, stop)
    };
    match watched(py, |_| Ok(()), work)?.map_err(|error| of_lab(&error))? {
        Joined::Now | Joined::Before => Ok(()),
        Joined::Interrupted => Err(of_lab(&LabError::Interrupted)),
    }
}

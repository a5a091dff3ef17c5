//! The lab: studies of many runs, their statistics, and the files they come from.
//!
//! It embodies one decision: **a study is data, and its result is a function of that data alone**.
//! Runs are spread over threads, but every run has its own seed and results are gathered in order,
//! so one thread or eight give the same bits. The rejected alternative was a random generator
//! passed from run to run: results would depend on scheduling.

mod agent_label;
#[cfg(feature = "report")]
pub mod campaign;
mod changes;
mod closure_source;
mod declared_noise;
#[cfg(feature = "report")]
mod disk;
pub mod entrant;
pub mod error;
#[cfg(feature = "report")]
pub mod figure_request;
pub mod found_best;
pub mod graph_source;
pub mod imported;
mod jobs;
pub mod means;
mod node_name;
pub mod noise;
#[cfg(feature = "report")]
pub mod output;
mod recorded_run;
#[cfg(feature = "report")]
pub mod report;
mod road_changes;
mod road_file;
mod route_study;
pub mod statistics;
pub mod study;
#[cfg(feature = "report")]
pub mod study_file;
pub mod summary;
mod team;
mod text_file;
#[cfg(feature = "report")]
pub mod timing;
#[cfg(feature = "report")]
mod trajectories;
mod warnings;
pub mod window;

pub use changes::ChangesTable;
pub use closure_source::{ClosureSource, ClosureTextError};
pub use entrant::Entrant;
pub use error::{FileError, LabError};
pub use found_best::{BestSummary, FirstBest, FoundBest, NodeSummary};
pub use graph_source::{GraphSource, Loaded, MapFile};
pub use jobs::{Jobs, Task, Watch};
pub use means::{MeansSource, MeansTable};
pub use node_name::NodeName;
pub use noise::NoiseSource;
pub use recorded_run::RecordedRun;
pub use road_changes::RoadChanges;
pub use road_file::RoadFile;
pub use route_study::{RouteOutcome, RoutePolicy, RouteStudy, RouteTimes};
pub use statistics::{Moments, paired_difference};
pub use study::{AgentRecord, RunOutcome, Study, StudyRecord};
pub use summary::{AgentSummary, GraphSummary, RoadSummary, StudySummary, TeamSummary};
pub use team::{RecordedTeam, ShareSource, ShareTable, Starts, TeamStudy};
pub use warnings::warnings;
pub use window::{Window, WindowEntry};

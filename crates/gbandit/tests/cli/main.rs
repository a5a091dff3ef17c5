//! The contract of `gbandit run` and `gbandit list`, checked from outside: arguments in; standard
//! output, standard error and exit code out.

mod bad_roads;
mod bayes;
mod by_hand;
mod campaign;
mod change;
mod changing_means;
mod changing_roads;
mod contributing;
mod damaged_results;
mod defaults;
mod families;
mod file_errors;
mod frontier;
mod fuzz;
mod graph;
mod json;
mod manual;
mod output;
mod play;
#[cfg(target_os = "linux")]
mod power_cuts;
mod program;
mod roads;
mod route;
mod run_time;
mod same_bits;
mod settings;
#[cfg(target_os = "linux")]
mod terminal;
mod trajectories;
mod usage_errors;
mod warnings;
mod windows;

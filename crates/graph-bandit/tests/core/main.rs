//! All integration tests of the library in one program, so that shared code is compiled once.
//!
//! Only `outside.rs` is a separate program: the entries it registers would be visible to all tests.

mod awaited_roads;
mod baselines;
mod bayes;
mod changing;
mod changing_means;
mod changing_roads;
mod cheapest_paths;
mod closed_edges;
mod comparators;
mod conformance;
mod conformance_ask_tell;
mod conformance_resume;
mod conformance_specs;
mod conformance_suite;
mod cover;
mod failing_agents;
mod frontier;
mod golden;
mod hop_paths;
mod hunt;
mod hunt_by_road;
mod learned_times;
mod literal_paper;
mod literal_program;
mod nearest_rivals;
mod node_scores;
mod overheard;
mod phased_ucb;
mod planners;
mod rand_core;
mod road_cover;
mod roads;
mod set_aside;
mod specs_fuzz;
mod support;
mod tape_of_sums;
mod teams;
mod theory;
mod trajectory;

//! The paper's propositions, lemmas, corollaries and theorems as properties of random worlds.
//!
//! Numbers are the paper's: Lemma 1 of Section III, Lemmas 2 to 4 of Appendix A, Lemma 5 of
//! Appendix C, all others of Appendix D; Theorems 3, 6 to 10, L1 and L2 and Propositions 4 and 5
//! are not in the paper. Means are k/16, so that every sum is exact and ties are frequent. Where the paper's
//! statement or proof has a mistake, `docs/explanations/theory.md` explains it, and the corrected
//! statement is tested here.

mod changing;
mod changing_floor;
mod crossings;
mod episodes;
mod frontier;
mod frontier_regret;
mod g_star;
mod least_gap;
mod lower_bounds;
mod near_bounds;
mod patrol;
mod patrolled;
mod planning;
mod regret;
mod roads;
mod safe;
mod tables;
mod teams;
mod travel_floor;
mod ways;

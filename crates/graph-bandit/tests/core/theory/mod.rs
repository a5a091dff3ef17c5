//! The paper's propositions, lemmas, corollaries and theorems as properties of random worlds.
//!
//! Numbers are the paper's: Lemma 1 of Section III, Lemmas 2 to 4 of Appendix A, Lemma 5 of
//! Appendix C, all others of Appendix D. Means are k/16, so that every sum is exact and ties are
//! frequent. Where the paper's statement or proof has a mistake, `docs/explanations/theory.md` explains it, and
//! the corrected statement is tested here.

mod episodes;
mod frontier;
mod frontier_regret;
mod planning;
mod regret;
mod roads;

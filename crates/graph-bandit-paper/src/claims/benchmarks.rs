//! G-UCB against the benchmarks: abstract, introduction, Section V-A, Appendix F-A.

mod explain;
mod judge;

use super::Claim;
use super::check::{Check, tally};
use explain::{
    explain_all, explain_bandit, explain_field, explain_grid, explain_local, explain_q_learners,
    explain_second, explain_similar,
};
use judge::{
    all_less, clear, gap_on, grow, judge_bandit, judge_samples, judge_second, judge_similar,
};

const STUDY: &str = "all-agents";
const GRAPHS: [&str; 5] = ["Line", "Circle", "Grid", "Tree", "Star"];
const LOCAL: [&str; 2] = ["local-ucb", "local-ts"];
const Q_LEARNERS: [&str; 2] = ["ql-eps", "ql-ucb-h"];
const FIELD: [&str; 4] = ["local-ucb", "local-ts", "ql-eps", "ql-ucb-h"];
const BENCHMARKS: [&str; 5] = ["ucrl2", "local-ucb", "local-ts", "ql-eps", "ql-ucb-h"];

/// Above this share, the second half of the steps adds almost as much regret as the first: nearly
/// linear growth. Below it, clearly less: sub-linear growth. A square root has 0.41.
const NEARLY_LINEAR: f64 = 0.8;

pub(super) const FRONT: &[Claim] = &[
    Claim {
        id: "outperforms",
        place: "Abstract (and Section VI)",
        sentence: "Numerical experiments confirm that our algorithm outperforms several benchmarks.",
        test: "On line, circle, grid, tree and star, the paired difference of regret at T, G-UCB minus \
               the benchmark, has its 95% interval below zero for each of the five benchmarks.",
        studies: &[STUDY],
        judge: |view| all_less(view, &GRAPHS, &BENCHMARKS),
        explain: explain_all,
    },
    Claim {
        id: "state-of-the-art",
        place: "Section I",
        sentence: "[...] our proposed algorithm achieves lower learning regret than several \
                   benchmarks, including state-of-the-art algorithms like UCRL2 [...] and UCB-H [...]",
        test: "On the grid, to which the sentence refers, the paired differences G-UCB minus UCRL2 and \
               G-UCB minus QL-UCB-H have their 95% intervals below zero.",
        studies: &["grid-benchmarks"],
        judge: |view| {
            let mut checks = Vec::new();
            for agent in ["ucrl2", "ql-ucb-h"] {
                checks.push(Check::less(agent, &gap_on(view, "grid-benchmarks", "Grid", agent)?));
            }
            Some(tally(&checks))
        },
        explain: explain_grid,
    },
];

pub(super) const GRID: &[Claim] = &[
    Claim {
        id: "others-similar",
        place: "Section V-A",
        sentence: "[...] the results for other graph types are similar [...]",
        test: "On line, circle, tree and star, as on the grid, G-UCB has less regret than each \
               benchmark, and UCRL2 less than each of the other four (paired 95% intervals).",
        studies: &[STUDY],
        judge: judge_similar,
        explain: explain_similar,
    },
    Claim {
        id: "grid-clear-advantage",
        place: "Section V-A",
        sentence: "[...] demonstrates a clear advantage of G-UCB over the benchmarks.",
        test: "On the grid, each benchmark's regret at T exceeds G-UCB's by more than one SD of G-UCB \
               over runs, the bar that the figure draws, with the whole paired 95% interval.",
        studies: &["grid-benchmarks"],
        judge: |view| clear(view, "grid-benchmarks", &["Grid"]),
        explain: explain_grid,
    },
    Claim {
        id: "grid-ucrl2-second",
        place: "Section V-A",
        sentence: "UCRL2 performs much better than other benchmarks but is still not as good as G-UCB.",
        test: "On the grid, UCRL2 has at most half the regret of each of the other four benchmarks, \
               with paired 95% intervals below zero, and more than G-UCB.",
        studies: &["grid-benchmarks"],
        judge: judge_second,
        explain: explain_second,
    },
];

pub(super) const EVERY_GRAPH: &[Claim] = &[
    Claim {
        id: "clear-advantage",
        place: "Appendix F-A",
        sentence: "Overall, G-UCB shows a clear advantage over the benchmarks.",
        test: "On line, circle, grid, tree and star, each benchmark exceeds G-UCB's regret at T by more \
               than one SD of G-UCB over runs, the whole paired 95% interval; UCRL2 on line and circle, which \
               the paper itself calls close, by an interval above zero.",
        studies: &[STUDY],
        judge: |view| clear(view, STUDY, &GRAPHS),
        explain: explain_all,
    },
    Claim {
        id: "local-linear",
        place: "Appendix F-A",
        sentence: "[...] local UCB and TS often get trapped in the ‘local maxima of rewards’ due to a lack of \
                   foresight, making their regrets grow almost linearly.",
        test: "On each of the five graphs, the second half of the steps adds at least 80% of the regret \
               that the first half did (ratio of means, 95% interval above 0.8).",
        studies: &[STUDY],
        judge: |view| grow(view, &LOCAL, Check::above),
        explain: explain_local,
    },
    Claim {
        id: "ql-sublinear",
        place: "Appendix F-A",
        sentence: "The two Q-learning benchmarks achieve sub-linear regrets [...]",
        test: "On each of the five graphs, the second half of the steps adds less than 80% of the regret \
               that the first half did (ratio of means, 95% interval below 0.8).",
        studies: &[STUDY],
        judge: |view| grow(view, &Q_LEARNERS, Check::below),
        explain: explain_q_learners,
    },
    Claim {
        id: "ql-more-samples",
        place: "Appendix F-A",
        sentence: "[...] these model-free algorithms need more samples than G-UCB to learn the optimal \
                   policy because they do not use the graph structure.",
        test: "On each of the five graphs, after T / 2 steps G-UCB pays less for the rest than either \
               Q-learner: the paired difference of the second half's regret has its 95% interval below zero.",
        studies: &[STUDY],
        judge: judge_samples,
        explain: explain_q_learners,
    },
    Claim {
        id: "outperforms-these",
        place: "Appendix F-A",
        sentence: "G-UCB thus outperforms these benchmarks by mitigating the ‘local maxima’ with foresight while \
                   staying sample efficient using problem knowledge.",
        test: "On each of the five graphs, the paired difference of regret at T, G-UCB minus each of Local UCB, Local TS and \
               the two Q-learners, has its 95% interval below zero.",
        studies: &[STUDY],
        judge: |view| all_less(view, &GRAPHS, &FIELD),
        explain: explain_field,
    },
    Claim {
        id: "bandit-slightly-worse",
        place: "Appendix F-A",
        sentence: "The result shows that empirically G-UCB performs slightly worse than the classical bandit \
                   algorithms [...]",
        test: "On the fully connected graph, G-UCB has more regret than UCB and than Thompson sampling (paired \
               95% intervals above zero), and at most 1.5 times as much. Beyond 1.5 times, the claim holds in part.",
        studies: &[STUDY],
        judge: judge_bandit,
        explain: explain_bandit,
    },
    Claim {
        id: "bandit-doubling-explores",
        place: "Appendix F-A",
        sentence: "This phenomenon arises since the doubling operation in G-UCB makes the algorithm explore more than \
                   the classical UCB, which results in worse empirical performances.",
        test: "On the fully connected graph G-UCB and UCB have the same index and the same choice of nodes; only the \
               doubling differs. The paired difference of regret, G-UCB minus UCB, has its 95% interval above zero.",
        studies: &[STUDY],
        judge: |view| {
            let gap = gap_on(view, STUDY, "Fully connected", "local-ucb")?;
            Some(tally(&[Check::more("G-UCB v UCB", &gap)]))
        },
        explain: explain_bandit,
    },
];

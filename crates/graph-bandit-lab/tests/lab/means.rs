//! Tables of means whose first line may be the names of the nodes.

use crate::scratch;
use graph_bandit::Seed;
use graph_bandit_lab::MeansSource;

/// The means of the first two runs, from a file, on nodes named 1, 2 and 3.
fn first_two(text: &str) -> [Vec<f64>; 2] {
    let directory = scratch("means-of-numbered-nodes");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("means.csv"), text).unwrap();
    let names = ["1", "2", "3"].map(str::to_owned);
    let read = MeansSource::parse("file:means.csv", &directory).unwrap();
    let read = read.in_order_of(Some(&names), 3).unwrap();
    [0, 1].map(|run| read.of_run(run, 3, Seed(0)).unwrap())
}

#[test]
fn numeric_names_are_a_header_unless_other_rows_match_them_too() {
    assert_eq!(first_two("3,1,2\n0.5,0.6,0.7\n"), [[0.6, 0.7, 0.5]; 2]);
    assert_eq!(first_two("3,1,2\n1,2,3\n"), [[3.0, 1.0, 2.0], [1.0, 2.0, 3.0]]);
}

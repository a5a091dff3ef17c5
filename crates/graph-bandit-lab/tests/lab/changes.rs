//! Tables of means that change.

use crate::scratch;
use graph_bandit::spec::Span;
use graph_bandit::{Seed, Time};
use graph_bandit_lab::MeansSource;
use graph_bandit_lab::study_file::StudyFile;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// The means of a table at a moment, read for three nodes with or without names.
fn read(text: &str, names: Option<&[String]>) -> Result<MeansSource, String> {
    // Tests run side by side, so each table is a file of its own.
    static TABLES: AtomicU64 = AtomicU64::new(0);
    let table = TABLES.fetch_add(1, Ordering::Relaxed);
    let directory = scratch(&format!("tables-of-changes-{table}"));
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("changes.csv"), text).unwrap();
    let read = || {
        let means = MeansSource::parse("changes:changes.csv", &directory)?.in_order_of(names, 3)?;
        means.check(3, &"bernoulli".parse().unwrap())?;
        Ok(means)
    };
    read().map_err(|error: graph_bandit_lab::LabError| error.to_string())
}

fn at(means: &MeansSource, moment: f64) -> [f64; 3] {
    let span = Span { nodes: 3, run: Seed(0), steps: 5_000 };
    let table = means.over_time(&span).unwrap().unwrap();
    [0, 1, 2].map(|node| table.mean(node, Time(moment)))
}

#[test]
fn a_table_is_read_in_the_order_of_the_nodes() {
    let means = read("from,2,0,1\n0,.9,.3,.5\n\n1000, .9, .3, .2\n", None).unwrap();
    let in_place = MeansSource::parse("rows:0,.3,.5,.9; 1000,.3,.2,.9", "".as_ref()).unwrap();
    for means in [means, in_place] {
        assert_eq!((at(&means, 999.0), at(&means, 1000.0)), ([0.3, 0.5, 0.9], [0.3, 0.2, 0.9]));
        assert_eq!(means.of_run(4, 3, Seed(0)).unwrap(), [0.3, 0.5, 0.9]);
        assert!(means.changes() && means.is_fixed());
    }
    let names = ["a", "b", "c"].map(str::to_owned);
    let named = read("from,c,0,b\n0,.9,.3,.5\n", Some(&names)).unwrap();
    assert_eq!(at(&named, 0.0), [0.3, 0.5, 0.9]);
}

#[test]
fn bad_tables_name_line_value_and_remedy() {
    for (text, line, words) in [
        ("0,.3,.5,.9\n", "1", "begin with the header"),
        ("from\n0\n", "1", "begin with the header"),
        ("from,0,1,2\n", "", "no rows"),
        ("from,0,1,2\n0,.3,.5\n", "2", "3 fields, the header has 4"),
        ("from,0,1,2\n0\n", "2", "1 field, the header has 4"),
        ("from;0;1;2\n0;.3;.5;.9\n", "1", "must be separated by commas"),
        ("from,0,1,2\n0;.3;.5;.9\n", "2", "must be separated by commas"),
        ("# a town\nfrom,0,1,2\n", "1", "comments are not allowed"),
        ("from,0,1,2\n\n# noon, rain\n", "3", "comments are not allowed"),
        ("from,0,1,2\n0,.3,,.9\n", "2", "column \"1\" is empty"),
        ("from,0,1,2\n0,.3,nan,.9\n", "2", "\"nan\" in column \"1\""),
        ("from,0,1,2\n0,.3,x,.9\n", "2", "\"x\" in column \"1\""),
        ("from,0,1,2\n5,.3,.5,.9\n", "2", "begins at 5"),
        ("from,0,1,2\n0,.3,.5,.9\n0,.3,.5,.9\n", "3", "a moment may appear only once"),
        ("from,0,1,2\n0,.3,.5,.9\n9,.3,.5,.9\n7,.3,.5,.9\n", "4", "ascending order"),
        ("from,0,1,2\n0,.3,.5,.9\n9,.3,1.5,.9\n", "3", "mean 1.5, but bernoulli"),
        ("from,0,1,7\n0,.3,.5,.9\n", "1", "\"7\" is not a node"),
        ("from,0,1,1\n0,.3,.5,.9\n", "1", "two columns"),
        ("from,0,1,01\n0,.3,.5,.9\n", "1", "columns \"1\" and \"01\" both mean node \"1\";"),
        ("from,0,1\n0,.3,.5\n", "1", "node \"2\" has no column"),
    ] {
        let complaint = read(text, None).unwrap_err();
        assert!(complaint.contains(words), "{text:?}: {complaint}");
        let place = format!("changes.csv:{line}");
        assert!(line.is_empty() || complaint.contains(&place), "{complaint}");
    }
    let names = ["north", "b", "c"].map(str::to_owned);
    let complaint = read("from,nort,b,c\n0,.9,.3,.5\n", Some(&names)).unwrap_err();
    assert!(complaint.contains("did you mean \"north\"?"), "{complaint}");
    let complaint = read("from,north,b,0\n0,.9,.3,.5\n", Some(&names)).unwrap_err();
    let both = "columns \"north\" and \"0\" both mean node \"north\", one by its name";
    assert!(complaint.contains(both), "{complaint}");
    let in_place = |text| MeansSource::parse(text, "".as_ref());
    let complaint = in_place("changes:").unwrap_err().to_string();
    assert!(complaint.contains("write changes:FILE"), "{complaint}");
    let complaint = in_place("rows:0,1,2;5,x").unwrap_err().to_string();
    assert!(complaint.contains("row 2: \"x\" is not a finite number"), "{complaint}");
    let short = in_place("rows:0,1,2;5,1").unwrap();
    let complaint = short.of_run(0, 2, Seed(0)).unwrap_err().to_string();
    assert!(complaint.contains("row 2: this row has 1 mean,"), "{complaint}");
}

/// Whatever ends the lines, and however many of them are blank.
#[test]
fn errors_name_the_line_as_an_editor_counts() {
    for (text, line) in [
        ("from,0,1,2\n0,.3,.5,.9\n9,.3,x,.9\n", 3),
        ("from,0,1,2\r\n0,.3,.5,.9\r\n9,.3,x,.9\r\n", 3),
        ("from,0,1,2\n\n0,.3,.5,.9\n\n\n9,.3,x,.9\n", 6),
        ("\r\nfrom,0,1,2\r\n\r\n0,.3,.5,.9\r\n  \r\n9,.3,x,.9", 6),
        ("\u{feff}from,0,1,2\n \n0,.3,x,.9\n", 3),
        // These are found when the whole file was read.
        ("from,0,1,2\r\n\r\n0,.3,.5,.9\r\n9,.3,1.5,.9\r\n", 4),
        ("\n\nfrom,0,1,7\n0,.3,.5,.9\n", 3),
    ] {
        let complaint = read(text, None).unwrap_err();
        assert!(complaint.contains(&format!("changes.csv:{line}: ")), "{text:?}: {complaint}");
    }
}

#[test]
fn rows_in_a_study_are_counted_from_one() {
    let study = |means: &str| {
        let text =
            format!("name = 'a'\ntitle = 'A'\n[[cases]]\ngraph = 'line:2'\nmeans = {means}\n");
        StudyFile::parse(&text, "a.toml".as_ref())
    };
    for (means, words) in [
        ("[]", "`means` has no rows"),
        ("[[0, 1, 2], [5]]", "row 2 of `means` is too short"),
        ("[[0, 1, 2], [5, 1, nan]]", "row 2 of `means` contains NaN"),
    ] {
        let complaint = study(means).unwrap_err().to_string();
        assert!(complaint.contains(words) && !complaint.contains("rows:"), "{complaint}");
    }
    for (means, words) in [
        ("[[0, 1, 2], [5, 1]]", "row 2: this row has 1 mean, but the graph has 2 nodes"),
        ("[[0, 1, 2], [5, 1, 2], [5, 2, 1]]", "row 3: a second row begins at 5; a moment may"),
        ("[[0, 1, 2], [9, 1, 2], [5, 1, 2], [5, 2, 1]]", "row 3: a change at 5"),
        ("[[3, 1, 2]]", "row 1: the first row begins at 3"),
    ] {
        let text = study(means).unwrap().cases[0].means.clone().unwrap();
        let means = MeansSource::parse(&text, "".as_ref()).unwrap();
        let complaint = means.check(2, &"uniform:0.5".parse().unwrap()).unwrap_err().to_string();
        assert!(complaint.contains(words) && !complaint.contains("rows:"), "{complaint}");
    }
}

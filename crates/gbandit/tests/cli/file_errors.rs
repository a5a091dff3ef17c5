//! Exit code 3: errors in files, with file and line.

use crate::program::{file, refuses};

fn refuses_edges(name: &str, content: impl AsRef<[u8]>, line: Option<u32>, parts: &[&str]) {
    let path = file(&format!("bad-edges-{name}.csv"), content);
    let place = line.map_or(format!("{path}: "), |line| format!("{path}:{line}: "));
    for end in [&["--json"][..], &[]] {
        let args = [&["run", "--graph", &path][..], end].concat();
        refuses(&args, 3, &[&place]);
        refuses(&args, 3, parts);
    }
}

fn refuses_means(name: &str, content: impl AsRef<[u8]>, line: Option<u32>, parts: &[&str]) {
    let path = file(&format!("bad-means-{name}.csv"), content);
    let place = line.map_or(format!("{path}: "), |line| format!("{path}:{line}: "));
    let means = format!("file:{path}");
    let args = ["run", "--graph", "line:2", "--means", &means];
    refuses(&args, 3, &[&place]);
    refuses(&args, 3, parts);
}

/// Every column is checked, also those beyond the number of walkers.
#[test]
fn shares() {
    for (name, row, part) in [
        ("negative", "1,-0.5,2", "node 1 has f(2) = -0.5; give a number of at least 0"),
        ("falling", "1,0.9,1", "node 1 has f(2) = 0.9, less than f(1) = 1"),
        ("short", "1", "the shares of node 1 end at f(1), but there are 2 walkers"),
        ("beyond-not-a-number", "1,1.5,nan", "node 1 has f(3) = NaN; give a number of at least 0"),
        ("beyond-infinite", "1,1.5,inf", "node 1 has f(3) = inf; give a number of at least 0"),
        ("beyond-negative", "1,1.5,-3", "node 1 has f(3) = -3; give a number of at least 0"),
        ("beyond-falling", "1,1.5,1.2", "node 1 has f(3) = 1.2, less than f(2) = 1.5; shares must"),
    ] {
        let path = file(&format!("bad-shares-{name}.csv"), format!("1,1.5,1.7\n{row}\n"));
        let share = format!("file:{path}");
        for agent in ["g-star", "multi-g-ucb", "g-ucb"] {
            let args = ["run", "--graph", "line:2", "--walkers", "2", "--agents", agent];
            let args = [&args[..], &["--share", &share, "--steps", "10", "--runs", "1"]].concat();
            refuses(&args, 3, &[&path, part]);
        }
    }
}

#[test]
fn files_that_cannot_be_read() {
    let missing = format!("{}/no-such-file.csv", env!("CARGO_TARGET_TMPDIR"));
    let folder = env!("CARGO_TARGET_TMPDIR");
    // A mistyped family is read as a path, so the message lists the families.
    for path in [missing.as_str(), "gird", ""] {
        refuses(&["run", "--graph", path], 3, &[path, "grid:ROWSxCOLUMNS", "small-world"]);
    }
    refuses(&["run", "--graph", folder], 3, &[folder]);
    for path in [missing.as_str(), folder, ""] {
        let means = format!("file:{path}");
        refuses(&["run", "--graph", "line:2", "--means", &means], 3, &[path]);
    }
}

#[test]
fn edge_lists() {
    refuses_edges("empty", "", None, &["no edges", "source,target"]);
    refuses_edges("blank", "\n\r\n  \n", None, &["no edges"]);
    refuses_edges("header-only", "source,target\n", None, &["no edges"]);
    refuses_edges("comments-only", "# one\n# two\n", None, &["no edges"]);
    refuses_edges("bytes", b"\x00\xff\xfe\n", Some(1), &["UTF-8"]);
    refuses_edges("bytes-later", b"a,b\nb,\xff\n", Some(2), &["UTF-8"]);
    refuses_edges("utf-16", b"\xff\xfea\0,\0b\0\n\0", Some(1), &["UTF-8"]);
    refuses_edges("three", "a,b\nb,c,5\n", Some(2), &["3 fields", "source and target"]);
    refuses_edges("columns", "source,target,weight\na,b\n", Some(2), &["2 fields", "has 3"]);
    refuses_edges("one", "a\n", Some(1), &["1 field"]);
    refuses_edges("ragged", "a,b\n# fine\n\nb\n", Some(4), &["1 field"]);
    refuses_edges("ragged-crlf", "a,b\r\nb,c\r\n\r\nc\r\n", Some(4), &["1 field"]);
    refuses_edges("no-source", "a,b\n,c\n", Some(2), &["empty"]);
    refuses_edges("no-target", "a,b\nb,\n", Some(2), &["empty"]);
    refuses_edges("late-header", "a,b\nsource,target\n", Some(2), &["source", "cut off"]);
}

#[test]
fn a_disconnected_edge_list_names_two_nodes_and_the_line() {
    refuses_edges("parts", "x,y\ny,x\nu,v\n", Some(3), &["\"u\"", "\"x\"", "connected"]);
    refuses_edges("numbers", "0,1\n2,3\n", Some(2), &["\"2\"", "\"0\"", "connected"]);
    refuses_edges("loop", "0,1\r\n# alone\r\n2,2\r\n", Some(3), &["\"2\"", "\"0\""]);
}

#[test]
fn means() {
    refuses_means("empty", "", None, &["empty"]);
    refuses_means("blank", "\n \r\n", None, &["empty"]);
    refuses_means("bytes", b"1,2\n1,\xff\n", Some(2), &["UTF-8"]);
    refuses_means("header", "a,b\n1,2\n", Some(1), &["this is a header", "leave it out"]);
    refuses_means("nan", "1,2\n1,NaN\n", Some(2), &["\"NaN\"", "finite"]);
    refuses_means("inf", "1,2\n\n-inf,1\n", Some(3), &["\"-inf\"", "finite"]);
    refuses_means("overflow", "1,1e999\n", Some(1), &["\"1e999\"", "finite"]);
    refuses_means("ragged", "1,2\r\n1,2,3\r\n", Some(2), &["3 numbers", "has 2"]);
    refuses_means("many", "1,2,3\n", Some(1), &["3 numbers", "2 nodes"]);
    refuses_means("few", "\n1\n", Some(2), &["1 number", "2 nodes"]);
    refuses_means("gap", "1,,2\n", Some(1), &["\"\"", "finite"]);
    refuses_means("trailing", "1,2,\n", Some(1), &["\"\"", "finite"]);
    refuses_means("semicolons", "1;2\n", Some(1), &["\"1;2\"", "comma"]);
    refuses_means("comment", "# means\n1,2\n", Some(1), &["this is a header", "leave it out"]);
    refuses_means("huge", "1,2\n1,1e101\n", Some(2), &["1e101", "1e100"]);
}

/// A row that the noise refuses is the file's mistake, even if no run would use it.
#[test]
fn means_that_the_noise_refuses() {
    let path = file("bad-means-noise.csv", "0.5,1\n\n0.5,1.5\n");
    let means = format!("file:{path}");
    let place = format!("{path}:3: ");
    let args =
        ["run", "--graph", "line:2", "--noise", "bernoulli", "--runs", "1", "--means", &means];
    refuses(&args, 3, &[&place, "node 1", "1.5", "from 0 to 1"]);
}

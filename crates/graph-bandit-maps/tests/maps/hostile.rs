//! Malicious files: refused at once, with a reason.

use crate::pbf::{Packing, blob};
use graph_bandit_maps::{Format, Limits, Problem, ReadOptions, read_bytes, read_file};
use std::fmt::Write;

fn problem(bytes: impl AsRef<[u8]>, format: Format) -> Problem {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    read_bytes(bytes.as_ref(), &options).unwrap_err()
}

#[test]
fn a_billion_laughs() {
    let mut text =
        String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n<!ENTITY lol \"lol\">\n");
    for i in 1..10 {
        let before = if i == 1 { "&lol;".to_owned() } else { format!("&lol{};", i - 1) };
        let _ = writeln!(text, "<!ENTITY lol{i} \"{}\">", before.repeat(10));
    }
    text += "]>\n<graphml><graph><node id=\"&lol9;\"/></graph></graphml>";
    let problem = problem(text, Format::GRAPHML);
    assert_eq!(problem.line, Some(2));
    assert!(
        problem.to_string().contains("remove the line that begins with <!DOCTYPE"),
        "{problem:?}"
    );
}

#[test]
fn entities_from_elsewhere() {
    let text = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\
                <graphml><graph><node id=\"&x;\"/></graph></graphml>";
    assert!(problem(text, Format::GRAPHML).to_string().contains("DOCTYPE"));
    let text = "<graphml>\n<graph><node id=\"&x;\"/></graph></graphml>";
    let problem = problem(text, Format::GRAPHML);
    assert_eq!(problem.line, Some(2));
    assert!(problem.to_string().contains("only the predefined entities of XML"), "{problem:?}");
}

#[test]
fn towers() {
    for (format, text) in [
        (Format::GRAPHML, "<a>".repeat(1_000_000)),
        (Format::GEOJSON, format!("{{\"a\":{}", "[".repeat(1_000_000))),
        (Format::GEOJSON, "{\"a\":".repeat(1_000_000)),
        (Format::EDGE_LIST, format!("a b {{'a': {}}}", "[".repeat(1_000_000))),
    ] {
        let problem = problem(text, format);
        assert_eq!(problem.line, Some(1), "{format}: {problem:?}");
    }
}

/// Attributes that parsers compare with each other, namespaces that children inherit by copying.
#[test]
fn crowds() {
    let mut attributes = String::from("<graphml");
    for i in 0..200_000 {
        let _ = write!(attributes, " a{i}=\"\"");
    }
    assert!(problem(attributes + "/>", Format::GRAPHML).to_string().contains("200 attributes"));
    let namespaces = "<a xmlns:b=\"c\"/>".repeat(100_000);
    let text = format!("<graphml>{namespaces}</graphml>");
    assert!(problem(text, Format::GRAPHML).to_string().contains("100 namespaces"));
}

/// A few bytes that expand to many: a default on every node, properties on every part of a line, a
/// compressed block of zeros.
#[test]
fn bombs() {
    let long = "x".repeat(1 << 20);
    let mut nodes = String::new();
    for i in 0..3000 {
        let _ = write!(nodes, "<node id=\"{i}\"/>");
    }
    let text = format!(
        "<graphml><key id=\"d\" for=\"node\"><default>{long}</default></key><graph>{nodes}</graph></graphml>"
    );
    assert!(problem(text, Format::GRAPHML).to_string().contains("bytes"));
    let parts: Vec<String> = (0..3000).map(|i| format!("[[{i},0],[{i},1]]")).collect();
    let text = format!(
        "{{\"type\":\"Feature\",\"geometry\":{{\"type\":\"MultiLineString\",\"coordinates\":[{}]}},\
         \"properties\":{{\"a\":\"{long}\"}}}}",
        parts.join(",")
    );
    assert!(problem(text, Format::GEOJSON).to_string().contains("bytes"));
    let zeros = blob("OSMData", &vec![0; 40 << 20], Packing::Zlib);
    assert!(problem(zeros, Format::OSM).to_string().contains("block 1 is damaged"));
    let many = blob("OSMHeader", &vec![0x28; 32 << 20][..1 << 20], Packing::Zlib).repeat(100);
    let limits = Limits { held_bytes: 1 << 23, ..Limits::default() };
    let options = ReadOptions { format: Some(Format::OSM), limits, ..ReadOptions::default() };
    assert!(read_bytes(&many, &options).unwrap_err().to_string().contains("unpacks to too much"));
}

#[test]
fn files_too_large() {
    let limits = Limits { file_bytes: 10, ..Limits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let reason = read_bytes(b"a,b\nb,c\nc,d\n", &options).unwrap_err().reason.to_string();
    assert!(reason.contains("more than 10 bytes"), "{reason}");
    let path = crate::samples::path("networkx.graphml");
    let error = read_file(&path, &options).unwrap_err().to_string();
    assert!(error.contains("networkx.graphml: the file has more than 10 bytes"), "{error}");
    #[cfg(unix)]
    {
        let endless = read_file(std::path::Path::new("/dev/zero"), &options).unwrap_err();
        assert!(endless.to_string().contains("more than 10 bytes"), "{endless}");
    }
}

/// Input whose work would grow with the square of the file if done naively.
#[test]
fn heaps() {
    let mut points = String::new();
    let mut lines = String::new();
    for i in 0..50_000 {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(
            points,
            "{comma}{{\"type\":\"Feature\",\"properties\":null,\"geometry\":{{\"type\":\"Point\",\"coordinates\":[0,{}]}}}}",
            f64::from(i) * 1e-13
        );
        let _ = write!(lines, ",{{\"type\":\"LineString\",\"coordinates\":[[0,0],[1,{i}]]}}");
    }
    let text = format!("{{\"features\":[{points}{lines}]}}");
    assert!(problem(text, Format::GEOJSON).to_string().contains("parts"));
    let mut members = String::from("{\"features\":[]");
    for i in 0..100_000 {
        let _ = write!(members, ",\n\"{}\":0", 7 * i % 100_000);
    }
    assert!(problem(members + "}", Format::GEOJSON).to_string().contains("no nodes"));
}

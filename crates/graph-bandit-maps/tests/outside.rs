//! A map format from another crate: one entry, using only public items. `CONTRIBUTING.md` shows it.

use graph_bandit_maps::{
    Beginning, Draft, DraftEdge, Format, FormatEntry, Losses, Map, Problem, ReadOptions,
    read_bytes, text_of, write_bytes,
};
use std::path::Path;

// [format]
/// `harbour - market - castle`: one walk per line.
static WALKS: FormatEntry = FormatEntry {
    name: "walks",
    extensions: &["walks"],
    begins: |bytes| {
        if bytes.starts_with(b"walks\n") { Beginning::Like } else { Beginning::Unlike }
    },
    read,
    write: Ok(write),
};

fn read(bytes: &[u8], options: &ReadOptions) -> Result<Draft, Problem> {
    let mut draft = Draft::new(options.limits);
    for line in text_of(bytes, "walks")?.lines().skip(1) {
        let mut before = None;
        for name in line.split(" - ") {
            let node = draft.node(name.trim())?;
            if let Some(source) = before.replace(node) {
                draft.connect(DraftEdge { source, target: node, ..DraftEdge::default() })?;
            }
        }
    }
    Ok(draft)
}

fn write(map: &Map, losses: &mut Losses) -> String {
    let lengths = map.edges().iter().filter(|edge| edge.length.is_some()).count();
    losses.add(lengths, "lengths", "walks have none");
    let name = |node| map.graph().label(node);
    let lines = map.edges().iter().map(|e| format!("{} - {}\n", name(e.source), name(e.target)));
    format!("walks\n{}", lines.collect::<String>())
}
// [format]

#[test]
fn a_format_of_another_crate_is_recognized_read_and_written() {
    let walks = Format::register(&WALKS).unwrap();
    let text = b"walks\nharbour - market - castle\ncastle - harbour\n";
    let reading = read_bytes(text, &ReadOptions::default()).unwrap();
    assert_eq!((reading.map.graph().len(), reading.map.edges().len()), (3, 3));
    assert_eq!(Format::of_name(Path::new("town.walks")), Some(walks));
    assert_eq!("walks".parse(), Ok(walks));
    let written = write_bytes(&reading.map, walks).unwrap();
    assert!(written.left_out.is_empty());
    let again = read_bytes(&written.bytes, &ReadOptions::default()).unwrap();
    assert_eq!(again.map, reading.map);
    let taken = Format::register(&WALKS).unwrap_err();
    assert!(taken.to_string().contains("walks has its name"), "{taken}");
}

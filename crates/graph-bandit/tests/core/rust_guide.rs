//! The Rust of docs/guides/rust.md is shortened, never made up: each line occurs in an example.

const PAGE: &str = include_str!("../../../../docs/guides/rust.md");
const EXAMPLES: [&str; 3] = [
    include_str!("../../examples/regret_curve.rs"),
    include_str!("../../examples/ask_tell.rs"),
    include_str!("../../examples/custom_agent.rs"),
];

#[test]
fn every_line_of_rust_compiles_in_an_example() {
    let blocks: Vec<&str> =
        PAGE.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), EXAMPLES.len());
    for (block, example) in blocks.iter().zip(EXAMPLES) {
        let mut lines = example.lines().map(str::trim);
        for line in block.lines().map(str::trim) {
            assert!(
                lines.any(|other| other == line),
                "not in the example, or not in order: {line}"
            );
        }
    }
}

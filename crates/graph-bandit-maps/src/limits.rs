//! Limits of a file: its size, its depth, and its memory.

/// Limits on what is read, so that no file can exhaust memory or the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub file_bytes: u64,
    /// How deep elements, values or subgraphs may be nested.
    pub depth: usize,
    /// The most nodes and edges together that a file may describe.
    pub elements: usize,
    /// The most bytes that names, attributes and bends may take together: a few words can expand to
    /// many if a file has defaults or is compressed.
    pub held_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 256 << 20, depth: 64, elements: 1 << 23, held_bytes: 1 << 30 }
    }
}

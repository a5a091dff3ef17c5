//! Finds the line of a byte.

/// Counts lines up to requested places, mostly ascending.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0, line: 1 }
    }

    /// The line of the byte at `place`, counted from 1.
    pub(crate) fn line(&mut self, place: usize) -> u64 {
        let place = place.min(self.bytes.len());
        if place < self.at {
            (self.at, self.line) = (0, 1);
        }
        self.line += line_ends(&self.bytes[self.at..place]);
        self.at = place;
        self.line
    }
}

/// How many lines end in these bytes.
pub(crate) fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&byte| u64::from(byte == b'\n')).sum()
}

//! Histograms.

use super::line;

/// Counts by class, cumulative as in Prometheus: every class includes the ones below it.
#[derive(Debug, Clone)]
pub(super) struct Histogram<const N: usize> {
    ends: &'static [f64; N],
    by_class: [u64; N],
    count: u64,
    sum: f64,
}

impl<const N: usize> Histogram<N> {
    /// An empty histogram; `ends` are the upper ends of the classes.
    pub(super) fn new(ends: &'static [f64; N]) -> Self {
        Self { ends, by_class: [0; N], count: 0, sum: 0.0 }
    }

    pub(super) fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        for (count, end) in self.by_class.iter_mut().zip(self.ends) {
            *count += u64::from(value <= *end);
        }
    }

    /// Its lines; `labels` are the text between braces, or empty.
    pub(super) fn write(&self, text: &mut String, name: &str, labels: &str) {
        let comma = if labels.is_empty() { "" } else { "," };
        let Self { ends, by_class, count, sum } = self;
        for (count, end) in by_class.iter().zip(*ends) {
            line(text, format_args!("{name}_bucket{{{labels}{comma}le=\"{end}\"}} {count}"));
        }
        line(text, format_args!("{name}_bucket{{{labels}{comma}le=\"+Inf\"}} {count}"));
        let braced = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        line(text, format_args!("{name}_sum{braced} {sum}"));
        line(text, format_args!("{name}_count{braced} {count}"));
    }
}

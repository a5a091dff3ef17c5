//! What happened to the directions and times of a map, in words.

use crate::number::{rounded, with_commas};
use crate::progress::tell;
use graph_bandit_maps::{ClosingRoads, TimesUsed, TravelReport};

/// Table rows on roads: what was used, guessed and left out.
pub(super) fn rows(report: &TravelReport) -> Vec<[String; 2]> {
    let mut rows = Vec::new();
    let mut row = |name: &str, text: String| rows.push([name.to_owned(), text]);
    if report.directed {
        let roads = with_commas(report.roads as u64);
        row("roads", format!("{roads}, {} of them one way", with_commas(report.one_way as u64)));
    }
    if let Some(times) = &report.times {
        row("times", used(times));
        let [fastest, median, slowest] = [times.fastest, times.median, times.slowest].map(rounded);
        row("", format!("beyond a visit: {fastest} to {slowest} visits, median {median}"));
    }
    for guess in &report.guessed {
        let count = with_commas(guess.count as u64);
        row("guessed", format!("times of {count} edges, from {}", guess.rule.text()));
    }
    if let Some(closing) = &report.closing {
        row("closures", closures(closing));
    }
    if let Some(text) = left_out(report) {
        row("left out", text);
    }
    rows
}

fn used(times: &TimesUsed) -> String {
    let field = format!("{}, in {}", times.field, times.unit);
    let speed = times.speed.map(|speed| format!("lengths at {} metres per second", rounded(speed)));
    let visit = match times.visit_time {
        Some(seconds) => Some(format!("a visit takes {} seconds", rounded(seconds))),
        None if times.unit != "units" => Some("a visit takes one second (--visit-time)".to_owned()),
        None => None,
    };
    [Some(field), speed, visit].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// How many roads close, and how often.
fn closures(closing: &ClosingRoads) -> String {
    let count = with_commas(closing.roads as u64);
    let range = |[low, high]: [f64; 2]| {
        if low == high { low.to_string() } else { format!("{low} to {high}") }
    };
    let (close, reopen) = (range(closing.closing_rates), range(closing.reopening_rates));
    let good = match closing.for_good {
        0 => String::new(),
        roads => format!("; {} close for good", with_commas(roads as u64)),
    };
    format!("of {count} roads, at rates {close}; they reopen at {reopen} per unit of time{good}")
}

/// What the file has and the graph leaves out, and the flags that use it.
fn left_out(report: &TravelReport) -> Option<String> {
    let left_out = &report.left_out;
    if left_out.is_empty() {
        return None;
    }
    let mut flags = Vec::new();
    if left_out.one_way > 0 {
        flags.push("--directed");
    }
    if !left_out.fields.is_empty() {
        flags.push("--times FIELD");
    }
    if left_out.lengths > 0 {
        flags.push("--speed");
    }
    if left_out.rates > 0 {
        flags.push("--closures map");
    }
    Some(format!("{} ({})", left_out.text(), flags.join(", ")))
}

/// Notes on standard error what was guessed and what was left out.
pub(crate) fn tell_travel(graph: &str, report: &TravelReport) {
    for guess in &report.guessed {
        let (count, from) = (with_commas(guess.count as u64), guess.rule.text());
        tell(&format!("note: {graph}: times of {count} edges guessed from {from}"));
    }
    if report.times.as_ref().is_some_and(|t| t.visit_time.is_none() && t.unit != "units") {
        tell(&format!(
            "note: {graph}: a second of travel counts as one visit (--visit-time SECONDS)"
        ));
    }
    let rates = report.left_out.rates;
    if report.times.is_some() && rates > 0 {
        let count = with_commas(rates as u64);
        tell(&format!("note: {graph}: left out: closing_rate of {count} edges (--closures map)"));
    }
    if let Some(text) = left_out(report).filter(|_| report.times.is_none()) {
        let model = if report.directed {
            "roads take one step"
        } else {
            "roads lead both ways and take one step"
        };
        tell(&format!("note: {graph}: {model}; left out: {text}"));
    }
}

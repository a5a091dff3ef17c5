//! The page's tables of a comparison: every agent over all cases, then every case.

use super::comparison::{AgentComparison, Comparison, ComparisonRow, Spread};
use graph_bandit_figures::escape;
use graph_bandit_figures::scale::short;

/// Both tables; that of single cases folded.
pub(super) fn comparison_tables(comparison: &Comparison) -> String {
    let baseline = escape(&comparison.baseline);
    let agents: String = comparison.agents.iter().map(agent).collect();
    let rows: String = comparison.rows.iter().map(row).collect();
    format!(
        "<p>Mean regret at the last step as a multiple of that of {baseline}, and of the best agent's \
         on each case; then the regret that 99 of 100 runs do not exceed, as a multiple of the mean of \
         {baseline}.</p>\n<div class=\"scroll\"><table><thead><tr><th>agent</th>{cases}\
         {median}{geometric}{worst}<th>on</th>{best}{worst_best}<th>on</th>{p99}<th>on</th></tr></thead>\
         <tbody>{agents}</tbody></table></div>\n\
         <details><summary>Every case</summary><div class=\"scroll\"><table><thead><tr><th>case</th>\
         <th>agent</th>{runs}{regret}{interval}{tail}{ratio}{to_best}</tr></thead><tbody>{rows}</tbody>\
         </table></div></details>\n",
        cases = number("cases"),
        median = number(&format!("median vs {baseline}")),
        geometric = number(&format!("geometric mean vs {baseline}")),
        worst = number(&format!("worst vs {baseline}")),
        best = number("geometric mean vs best"),
        worst_best = number("worst vs best"),
        p99 = number(&format!("worst p99 vs {baseline}")),
        runs = number("runs"),
        regret = number("regret"),
        interval = number("95% interval"),
        tail = number("p99"),
        ratio = number(&format!("vs {baseline}")),
        to_best = number("vs best"),
    )
}

fn number(title: &str) -> String {
    format!("<th class=\"number\">{title}</th>")
}

fn cell(text: &str) -> String {
    format!("<td class=\"number\">{text}</td>")
}

fn text(words: &str) -> String {
    format!("<td class=\"soft\">{}</td>", escape(words))
}

fn agent(agent: &AgentComparison) -> String {
    let pick = |spread: &Option<Spread>, number: fn(&Spread) -> f64| {
        cell(&spread.as_ref().map_or("–".to_owned(), |spread| short(number(spread))))
    };
    let worst_case = |spread: &Option<Spread>| {
        text(spread.as_ref().map_or("", |spread| spread.worst_case.as_str()))
    };
    let AgentComparison { of_baseline, of_best, p99_of_baseline, .. } = agent;
    let cells = [
        format!("<td>{}</td>", escape(&agent.agent)),
        cell(&agent.cases.to_string()),
        pick(of_baseline, |spread| spread.median),
        pick(of_baseline, |spread| spread.geometric_mean),
        pick(of_baseline, |spread| spread.worst),
        worst_case(of_baseline),
        pick(of_best, |spread| spread.geometric_mean),
        pick(of_best, |spread| spread.worst),
        worst_case(of_best),
        pick(p99_of_baseline, |spread| spread.worst),
        worst_case(p99_of_baseline),
    ];
    format!("<tr>{}</tr>\n", cells.concat())
}

fn row(row: &ComparisonRow) -> String {
    let ratio = |ratio: Option<f64>| cell(&ratio.map_or("–".to_owned(), short));
    let interval = match row.ci95 {
        Some((low, high)) => format!("{} .. {}", short(low), short(high)),
        None => "–".to_owned(),
    };
    let cells = [
        format!("<td>{}</td><td>{}</td>", escape(&row.case), escape(&row.agent)),
        cell(&row.runs.to_string()),
        cell(&short(row.mean)),
        cell(&interval),
        cell(&short(row.p99)),
        ratio(row.of_baseline),
        ratio(row.of_best),
    ];
    format!("<tr>{}</tr>\n", cells.concat())
}

//! The page's tables of a comparison: every agent over all cases, then every case.

use super::comparison::{AgentComparison, Comparison, ComparisonRow, Spread};
use super::number_tables::by_case;
use graph_bandit_figures::escape;
use graph_bandit_figures::scale::short;

/// Both tables; the one of single cases is folded.
pub(super) fn comparison_tables(comparison: &Comparison) -> String {
    let baseline = escape(&comparison.baseline);
    let agents: String = comparison.agents.iter().map(agent).collect();
    let rows = by_case(comparison.rows.iter(), |row| &row.case, 7, row);
    let over = format!("over {baseline}");
    format!(
        "<p>Mean regret at the last step as a multiple of {baseline}'s, and of the best agent's \
         on each case; then the regret that 99 of 100 runs do not exceed, as a multiple of the mean of \
         {baseline}.</p>\n<div class=\"scroll\"><table class=\"compared\"><thead><tr><th rowspan=\"2\">agent</th>\
         <th rowspan=\"2\" class=\"number\">cases</th><th colspan=\"3\" class=\"group\">{over}</th>\
         <th colspan=\"2\" class=\"group\">over the best</th><th class=\"group\">99th percentile {over}</th></tr>\
         <tr>{middle}{mean}{worst}{mean}{worst}{worst}</tr></thead><tbody>{agents}</tbody></table></div>\n\
         <details><summary>Every case</summary><div class=\"scroll\"><table class=\"cases\"><thead><tr>\
         <th>agent</th>{runs}{regret}{interval}{tail}{ratio}{to_best}</tr></thead>{rows}</table></div></details>\n",
        middle = number("median"),
        mean = number("geometric mean"),
        worst = "<th>worst</th>",
        runs = number("runs"),
        regret = number("regret"),
        interval = number("95% interval"),
        tail = number("p99"),
        ratio = number(&over),
        to_best = number("over the best"),
    )
}

fn number(title: &str) -> String {
    format!("<th class=\"number\">{title}</th>")
}

fn cell(text: &str) -> String {
    format!("<td class=\"number\">{text}</td>")
}

fn agent(agent: &AgentComparison) -> String {
    let pick = |spread: &Option<Spread>, number: fn(&Spread) -> f64| {
        cell(&spread.as_ref().map_or("–".to_owned(), |spread| short(number(spread))))
    };
    let worst = |spread: &Option<Spread>| match spread {
        Some(Spread { worst, worst_case, .. }) => {
            let case = escape(worst_case);
            format!("<td class=\"worst\"><span>{} <small>{case}</small></span></td>", short(*worst))
        }
        None => "<td>–</td>".to_owned(),
    };
    let AgentComparison { of_baseline, of_best, p99_of_baseline, .. } = agent;
    let cells = [
        format!("<td>{}</td>", escape(&agent.agent)),
        cell(&agent.cases.to_string()),
        pick(of_baseline, |spread| spread.median),
        pick(of_baseline, |spread| spread.geometric_mean),
        worst(of_baseline),
        pick(of_best, |spread| spread.geometric_mean),
        worst(of_best),
        worst(p99_of_baseline),
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
        format!("<td>{}</td>", escape(&row.agent)),
        cell(&row.runs.to_string()),
        cell(&short(row.mean)),
        cell(&interval),
        cell(&short(row.p99)),
        ratio(row.of_baseline),
        ratio(row.of_best),
    ];
    format!("<tr>{}</tr>\n", cells.concat())
}

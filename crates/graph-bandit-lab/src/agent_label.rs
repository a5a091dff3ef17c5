//! The label of an agent: its name, and the parameters that differ from the preset's, as in
//! `g-star:doubt=3,noise-scale=0.2`.

/// The number that a label gives a parameter.
#[cfg(feature = "report")]
pub(crate) fn number(label: &str, parameter: &str) -> Option<f64> {
    let (_, parameters) = label.split_once(':')?;
    let mut parameters = parameters.split(',').filter_map(|one| one.split_once('='));
    parameters.find(|(name, _)| *name == parameter)?.1.parse().ok()
}

/// The label with another value of a parameter.
pub(crate) fn with_parameter(label: &str, parameter: &str, value: &str) -> String {
    let (agent, parameters) = label.split_once(':').unwrap_or((label, ""));
    let others = parameters.split(',').filter(|other| !other.is_empty());
    let others = others.filter(|other| other.split('=').next() != Some(parameter));
    let others: String = others.flat_map(|other| [other, ","]).collect();
    format!("{agent}:{others}{parameter}={value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "report")]
    fn numbers_of_parameters() {
        assert_eq!(number("g-horizon:caution=2,horizon=30.5", "horizon"), Some(30.5));
        assert_eq!(number("g-star:doubt=3", "horizon"), None);
        assert_eq!(number("g-star", "horizon"), None);
    }

    #[test]
    fn a_new_value_keeps_the_other_parameters() {
        let with = |label| with_parameter(label, "noise-scale", "2");
        assert_eq!(with("g-star"), "g-star:noise-scale=2");
        assert_eq!(with("g-star:noise-scale=0.2"), "g-star:noise-scale=2");
        assert_eq!(
            with("g-star:doubt=3,noise-scale=0.2,trust=0.9"),
            "g-star:doubt=3,trust=0.9,noise-scale=2"
        );
    }
}

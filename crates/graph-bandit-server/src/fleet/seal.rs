//! Seals: a fingerprint before each stored text, so that damage is noticed.
//!
//! A database notices when its own structure is broken, but not when a digit changes. The fingerprint
//! includes the agent's name, so that the data of one agent is not taken for another's.

use crate::fingerprint::fingerprint;

/// The length of a seal. It protects against damage, not against malice.
const LENGTH: usize = 16;

/// The text as it is stored.
pub(super) fn seal(agent: &str, text: &str) -> String {
    format!("{}\n{text}", mark(agent, text))
}

/// The text as it was before it was sealed.
pub(crate) fn unseal<'a>(agent: &str, sealed: &'a str) -> Result<&'a str, &'static str> {
    let (seal, text) = sealed.split_once('\n').ok_or("it has no seal")?;
    if seal == mark(agent, text) { Ok(text) } else { Err("its seal does not match") }
}

fn mark(agent: &str, text: &str) -> String {
    let mut mark = fingerprint(&format!("{agent}\n{text}"));
    mark.truncate(LENGTH);
    mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_and_foreign_texts_are_noticed() {
        let sealed = seal("rover", "{\"reward\": 1.5}");
        assert_eq!(unseal("rover", &sealed), Ok("{\"reward\": 1.5}"));
        assert!(unseal("drone", &sealed).is_err());
        assert!(unseal("rover", &sealed.replace("1.5", "1.4")).is_err());
        for end in 0..sealed.len() {
            assert!(unseal("rover", &sealed[..end]).is_err(), "{end}");
        }
    }
}

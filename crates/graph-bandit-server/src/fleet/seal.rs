//! Seals: a text of an agent with a fingerprint before it, so that damage is noticed.
//!
//! A database notices when its own structure is broken, but not a digit that became another one. The
//! name goes into the fingerprint as well: what is one agent's is of no use to another.

use crate::fingerprint::fingerprint;

/// How long a seal is. It is against damage, not against malice.
const LENGTH: usize = 16;

/// The text as it is stored.
pub(super) fn seal(agent: &str, text: &str) -> String {
    format!("{}\n{text}", mark(agent, text))
}

/// The text as it was before it was sealed.
pub(super) fn unseal<'a>(agent: &str, sealed: &'a str) -> Result<&'a str, &'static str> {
    let (seal, text) = sealed.split_once('\n').ok_or("there is no seal on it")?;
    if seal == mark(agent, text) { Ok(text) } else { Err("it is not what was sealed") }
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
    fn damage_and_strangers_are_noticed() {
        let sealed = seal("rover", "{\"reward\": 1.5}");
        assert_eq!(unseal("rover", &sealed), Ok("{\"reward\": 1.5}"));
        assert!(unseal("drone", &sealed).is_err());
        assert!(unseal("rover", &sealed.replace("1.5", "1.4")).is_err());
        for end in 0..sealed.len() {
            assert!(unseal("rover", &sealed[..end]).is_err(), "{end}");
        }
    }
}

//! Checks XML before parsing, for input that would take a parser excessive memory or time.

use crate::error::Problem;
use crate::limits::Limits;
use crate::lines::Lines;

/// No dialect has more attributes in one tag; parsers compare each with all others.
const ATTRIBUTES: usize = 200;
/// No dialect has more namespaces; elements inherit them by copying.
const NAMESPACES: usize = 100;

/// Refuses XML that is nested too deep, has too many attributes or namespaces, or has a document
/// type.
pub(super) fn check(text: &str, limits: Limits) -> Result<(), Problem> {
    let bytes = text.as_bytes();
    let (mut depth, mut namespaces, mut at) = (0_usize, 0, 0);
    let mut lines = Lines::of(text);
    while let Some(next) = find(bytes, at, b"<") {
        let tag = &bytes[next..];
        let problem =
            |lines: &mut Lines<'_>, reason: String| Err(Problem::at(lines.line(next), reason));
        if tag.starts_with(b"<!--") {
            at = find(bytes, next + 4, b"-->").unwrap_or(bytes.len());
        } else if tag.starts_with(b"<![CDATA[") {
            at = find(bytes, next + 9, b"]]>").unwrap_or(bytes.len());
        } else if tag.starts_with(b"<!") {
            let reason = "document types and their entities are not supported; \
                          remove the line that begins with <!DOCTYPE";
            return problem(&mut lines, reason.to_owned());
        } else if tag.starts_with(b"<?") {
            at = find(bytes, next + 2, b"?>").unwrap_or(bytes.len());
        } else if tag.starts_with(b"</") {
            depth = depth.saturating_sub(1);
            at = next + 2;
        } else {
            let seen = Tag::at(bytes, next + 1);
            if seen.attributes > ATTRIBUTES {
                let reason = format!("this element has more than {ATTRIBUTES} attributes");
                return problem(&mut lines, reason);
            }
            namespaces += seen.namespaces;
            if namespaces > NAMESPACES {
                let reason = format!("there are more than {NAMESPACES} namespaces");
                return problem(&mut lines, reason);
            }
            depth += usize::from(!seen.is_empty);
            if depth > limits.depth {
                let reason = format!(
                    "elements are nested more than {} deep; GraphML has graph, node and data",
                    limits.depth
                );
                return problem(&mut lines, reason);
            }
            at = seen.end;
        }
    }
    Ok(())
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(wanted.len()).position(|window| window == wanted).map(|place| from + place)
}

struct Tag {
    attributes: usize,
    namespaces: usize,
    is_empty: bool,
    end: usize,
}

impl Tag {
    fn at(bytes: &[u8], start: usize) -> Self {
        let mut tag = Self { attributes: 0, namespaces: 0, is_empty: false, end: bytes.len() };
        let mut quote = None;
        for (place, &byte) in bytes.iter().enumerate().skip(start) {
            match (quote, byte) {
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => tag.attributes += 1,
                (None, b'x') if bytes[place..].starts_with(b"xmlns") => tag.namespaces += 1,
                (None, b'>') => {
                    tag.is_empty = bytes[place - 1] == b'/';
                    tag.end = place + 1;
                    break;
                }
                (Some(open), _) if open == byte => quote = None,
                _ => {}
            }
        }
        tag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(text: &str) -> String {
        check(text, Limits::default()).unwrap_err().reason.to_string()
    }

    #[test]
    fn excessive_xml_is_refused() {
        assert!(reason(&"<a>".repeat(65)).contains("64 deep"));
        let attributes: Vec<String> = (0..201).map(|i| format!("a{i}=''")).collect();
        let attributes = attributes.join(" ");
        assert!(reason(&format!("<a {attributes}/>")).contains("200 attributes"));
        assert!(reason(&"<a xmlns:b='c'/>".repeat(101)).contains("100 namespaces"));
        assert!(reason("<?xml?>\n<!DOCTYPE a []><a/>").contains("<!DOCTYPE"));
    }

    #[test]
    fn xml_that_only_looks_excessive_is_accepted() {
        let quoted = "<a b='>'>".repeat(60) + &"</a>".repeat(60);
        for text in ["<a/>".repeat(100), "<!-- <a><a> -->".repeat(70), quoted] {
            check(&text, Limits::default()).unwrap();
        }
        check("<![CDATA[<!DOCTYPE]]>", Limits::default()).unwrap();
        for broken in ["<", "<a", "<a b='", "<!--", "<![CDATA[", "<?", "</", ">"] {
            check(broken, Limits::default()).unwrap();
        }
    }
}

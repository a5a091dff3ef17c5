//! Texts in a drawing: escaped, and measured with the embedded font.

/// Text for the inside of an element or of a quoted attribute.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            // XML cannot represent these.
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A figure's id in a form that XML, CSS and URLs accept.
pub(super) fn identifier(id: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    format!("gb-{}", id.chars().map(keep).collect::<String>())
}

/// The advances of the embedded font from space to tilde, in thousandths of the size.
const ADVANCES: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// An upper bound of a text's width.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let advance = |c: char| {
        let place = (c as usize).checked_sub(32);
        match c {
            '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' => 0.45,
            _ => place.and_then(|i| ADVANCES.get(i)).map_or(0.84, |a| f64::from(*a) / 1000.0),
        }
    };
    size * text.chars().map(advance).sum::<f64>()
}

/// The text, cut to a width.
pub(super) fn shortened(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if text_width(&kept, size) + size > width {
            kept.pop();
            break;
        }
    }
    kept.push('…');
    kept
}

/// The text broken between words into lines of at most a width; longer words are cut.
pub(super) fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line)
                if text_width(line, size) + text_width(" ", size) + text_width(word, size)
                    <= width =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shortened(word, size, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("<b a='1'>\"&\u{1}"), "&lt;b a=&#39;1&#39;&gt;&quot;&amp;\u{fffd}");
        assert_eq!(identifier("a b\"<7"), "gb-a-b--7");
    }

    #[test]
    fn texts_fit_their_widths() {
        assert_eq!(wrapped("fully connected", 10.0, 60.0), ["fully", "connected"]);
        assert_eq!(wrapped("", 10.0, 60.0), [""; 0]);
        let short = shortened("a very long name indeed", 10.0, 60.0);
        assert!(short.ends_with('…') && text_width(&short, 10.0) <= 60.0, "{short}");
    }
}

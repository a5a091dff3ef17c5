//! Checks how deep JSON is nested, before parsing.

use crate::error::Problem;
use crate::limits::Limits;

/// Refuses values that are nested too deep.
pub(super) fn check(text: &str, limits: Limits) -> Result<(), Problem> {
    let (mut depth, mut line) = (0_usize, 1);
    let (mut in_text, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        line += u64::from(byte == b'\n');
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limits.depth {
            let reason = format!("values are nested more than {} deep", limits.depth);
            return Err(Problem::at(line, reason + "; GeoJSON needs eight"));
        }
    }
    Ok(())
}

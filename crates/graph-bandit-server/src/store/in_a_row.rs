//! Checks that records from a table have no gap.

use super::StoreError;

/// The records read, which must be consecutive from `from` on.
pub(super) fn in_a_row(
    id: &str,
    from: u64,
    found: Vec<(u64, String)>,
) -> Result<Vec<String>, StoreError> {
    match found.first() {
        Some(&(first, _)) if first != from => {
            return Err(StoreError::Removed { id: id.to_owned(), first });
        }
        _ => {}
    }
    let mut records = Vec::with_capacity(found.len());
    // The records first: after the last possible number there is no other.
    for ((sequence, body), expected) in found.into_iter().zip(from..) {
        if sequence != expected {
            let reason = format!("record {expected} is missing");
            return Err(StoreError::Damaged { id: id.to_owned(), reason });
        }
        records.push(body);
    }
    Ok(records)
}

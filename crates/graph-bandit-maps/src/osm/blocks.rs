//! The blocks of a file: each with its length, compressed or not.

use super::wire::{Broken, Message};
use crate::error::Problem;
use crate::limits::Limits;
use flate2::read::ZlibDecoder;
use std::borrow::Cow;
use std::io::Read;

/// The format's own limits.
const LARGEST_HEADER: usize = 64 << 10;
const LARGEST_BLOCK: u64 = 32 << 20;

/// The features this reader supports.
const FEATURES: [&[u8]; 2] = [b"OsmSchema-V0.6", b"DenseNodes"];

/// Calls `visit` with every block of data.
pub(super) fn for_each_block(
    bytes: &[u8],
    limits: Limits,
    mut visit: impl FnMut(&[u8]) -> Result<(), Broken>,
) -> Result<(), Problem> {
    let mut rest = bytes;
    let mut unpacked = 0_usize;
    let mut number = 0;
    while !rest.is_empty() {
        number += 1;
        let broken = |_: Broken| {
            Problem::in_file(format!("block {number} is damaged; download the extract again"))
        };
        let (kind, blob) = next_blob(&mut rest).map_err(broken)?;
        if kind != b"OSMData" && kind != b"OSMHeader" {
            continue;
        }
        let block = unpack(blob, number)?;
        unpacked = unpacked.saturating_add(block.len());
        if unpacked > limits.held_bytes.saturating_mul(4) {
            let reason = "the extract unpacks to too much; cut it to a smaller area";
            return Err(Problem::in_file(reason));
        }
        if kind == b"OSMHeader" {
            check_features(&block, broken)?;
        } else {
            visit(&block).map_err(broken)?;
        }
    }
    Ok(())
}

fn next_blob<'a>(rest: &mut &'a [u8]) -> Result<(&'a [u8], &'a [u8]), Broken> {
    let (length, after) = rest.split_first_chunk::<4>().ok_or(Broken)?;
    let length = u32::from_be_bytes(*length) as usize;
    if length > LARGEST_HEADER {
        return Err(Broken);
    }
    let (header, after) = after.split_at_checked(length).ok_or(Broken)?;
    let (mut kind, mut size) = (&b""[..], None);
    for field in Message(header) {
        match field? {
            (1, field) => kind = field.bytes()?,
            (3, field) => size = Some(field.number()?),
            _ => {}
        }
    }
    let size = size.filter(|&size| size <= LARGEST_BLOCK).ok_or(Broken)?;
    let (blob, after) = after.split_at_checked(size as usize).ok_or(Broken)?;
    *rest = after;
    Ok((kind, blob))
}

fn unpack(blob: &[u8], number: usize) -> Result<Cow<'_, [u8]>, Problem> {
    let damaged =
        || Problem::in_file(format!("block {number} is damaged; download the extract again"));
    for field in Message(blob) {
        let (field, value) = field.map_err(|_| damaged())?;
        match field {
            1 => return value.bytes().map(Cow::Borrowed).map_err(|_| damaged()),
            3 => {
                let packed = value.bytes().map_err(|_| damaged())?;
                let mut bytes = Vec::new();
                let mut unpacking = ZlibDecoder::new(packed).take(LARGEST_BLOCK + 1);
                unpacking.read_to_end(&mut bytes).map_err(|_| damaged())?;
                let fits = bytes.len() as u64 <= LARGEST_BLOCK;
                return fits.then_some(Cow::Owned(bytes)).ok_or_else(damaged);
            }
            4..=7 => {
                let reason = format!(
                    "block {number} is compressed with something other than zlib; convert it, as with \
                     `osmium cat map.osm.pbf -o new.osm.pbf -f pbf,pbf_compression=zlib`"
                );
                return Err(Problem::in_file(reason));
            }
            _ => {}
        }
    }
    Err(damaged())
}

fn check_features(block: &[u8], broken: impl Fn(Broken) -> Problem) -> Result<(), Problem> {
    for field in Message(block) {
        let (field, value) = field.map_err(&broken)?;
        if field != 4 {
            continue;
        }
        let feature = value.bytes().map_err(&broken)?;
        if !FEATURES.contains(&feature) {
            let feature = String::from_utf8_lossy(feature);
            let reason = format!("the extract needs {feature:?}, which is not supported");
            return Err(Problem::in_file(reason + "; give an extract without history"));
        }
    }
    Ok(())
}

//! A writer of `.osm.pbf`, for tests: plain nodes or dense, raw or zlib.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

pub(crate) type Tags<'a> = &'a [(&'a str, &'a str)];

#[derive(Clone, Copy)]
pub(crate) enum Nodes {
    Plain,
    Dense,
}

#[derive(Clone, Copy)]
pub(crate) enum Packing {
    Raw,
    Zlib,
}

pub(crate) struct Extract<'a> {
    pub(crate) nodes: Vec<(i64, [f64; 2], Tags<'a>)>,
    pub(crate) ways: Vec<(i64, Vec<i64>, Tags<'a>)>,
}

fn varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

fn number(bytes: &mut Vec<u8>, field: u64, value: u64) {
    varint(bytes, field << 3);
    varint(bytes, value);
}

pub(crate) fn message(bytes: &mut Vec<u8>, field: u64, content: &[u8]) {
    varint(bytes, field << 3 | 2);
    varint(bytes, content.len() as u64);
    bytes.extend(content);
}

fn packed(numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in numbers {
        varint(&mut bytes, number);
    }
    bytes
}

fn deltas(numbers: impl IntoIterator<Item = i64>) -> Vec<u8> {
    let mut last = 0_i64;
    packed(numbers.into_iter().map(|number| {
        let step = zigzag(number.wrapping_sub(last));
        last = number;
        step
    }))
}

#[derive(Default)]
struct Strings(Vec<String>);

impl Strings {
    fn number(&mut self, text: &str) -> u64 {
        let place = self.0.iter().position(|known| known == text).unwrap_or_else(|| {
            self.0.push(text.to_owned());
            self.0.len() - 1
        });
        place as u64
    }

    fn tags(&mut self, bytes: &mut Vec<u8>, tags: Tags<'_>) {
        let keys: Vec<u64> = tags.iter().map(|(key, _)| self.number(key)).collect();
        let values: Vec<u64> = tags.iter().map(|(_, value)| self.number(value)).collect();
        message(bytes, 2, &packed(keys));
        message(bytes, 3, &packed(values));
    }
}

pub(crate) fn blob(kind: &str, content: &[u8], packing: Packing) -> Vec<u8> {
    let mut blob = Vec::new();
    match packing {
        Packing::Raw => message(&mut blob, 1, content),
        Packing::Zlib => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(content).unwrap();
            number(&mut blob, 2, content.len() as u64);
            message(&mut blob, 3, &encoder.finish().unwrap());
        }
    }
    let mut header = Vec::new();
    message(&mut header, 1, kind.as_bytes());
    number(&mut header, 3, blob.len() as u64);
    let mut bytes = (header.len() as u32).to_be_bytes().to_vec();
    bytes.extend(header);
    bytes.extend(blob);
    bytes
}

pub(crate) fn header(features: &[&str], packing: Packing) -> Vec<u8> {
    let mut block = Vec::new();
    for feature in features {
        message(&mut block, 4, feature.as_bytes());
    }
    blob("OSMHeader", &block, packing)
}

impl Extract<'_> {
    pub(crate) fn bytes(&self, nodes: Nodes, packing: Packing) -> Vec<u8> {
        // String 0 is empty, as the format requires.
        let mut strings = Strings(vec![String::new()]);
        let mut group = Vec::new();
        let units = |degrees: f64| (degrees * 1e7).round() as i64;
        match nodes {
            Nodes::Plain => {
                for (id, [lon, lat], tags) in &self.nodes {
                    let mut node = Vec::new();
                    number(&mut node, 1, zigzag(*id));
                    strings.tags(&mut node, tags);
                    number(&mut node, 8, zigzag(units(*lat)));
                    number(&mut node, 9, zigzag(units(*lon)));
                    message(&mut group, 1, &node);
                }
            }
            Nodes::Dense => {
                let mut dense = Vec::new();
                message(&mut dense, 1, &deltas(self.nodes.iter().map(|node| node.0)));
                message(&mut dense, 8, &deltas(self.nodes.iter().map(|node| units(node.1[1]))));
                message(&mut dense, 9, &deltas(self.nodes.iter().map(|node| units(node.1[0]))));
                let mut tags = Vec::new();
                for (_, _, own) in &self.nodes {
                    for (key, value) in *own {
                        tags.extend([strings.number(key), strings.number(value)]);
                    }
                    tags.push(0);
                }
                message(&mut dense, 10, &packed(tags));
                message(&mut group, 2, &dense);
            }
        }
        let mut ways = Vec::new();
        for (id, refs, tags) in &self.ways {
            let mut way = Vec::new();
            number(&mut way, 1, id.cast_unsigned());
            strings.tags(&mut way, tags);
            message(&mut way, 8, &deltas(refs.iter().copied()));
            message(&mut ways, 3, &way);
        }
        let mut table = Vec::new();
        for string in &strings.0 {
            message(&mut table, 1, string.as_bytes());
        }
        let mut block = Vec::new();
        message(&mut block, 1, &table);
        message(&mut block, 2, &group);
        message(&mut block, 2, &ways);
        let mut bytes = header(&["OsmSchema-V0.6", "DenseNodes"], packing);
        bytes.extend(blob("OSMData", &block, packing));
        bytes
    }
}

//! The wire format of Protocol Buffers: numbered fields that are numbers or bytes.

/// A field that is cut off or invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken;

/// The content of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Field<'a> {
    /// The bytes of a field that must be bytes.
    pub(super) fn bytes(self) -> Result<&'a [u8], Broken> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Number(_) => Err(Broken),
        }
    }

    /// The number of a field that must be one.
    pub(super) fn number(self) -> Result<u64, Broken> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Bytes(_) => Err(Broken),
        }
    }
}

/// The fields of a message, one after another.
#[derive(Debug, Clone)]
pub(super) struct Message<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Message<'a> {
    type Item = Result<(u64, Field<'a>), Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            // Nothing after it can be read.
            self.0 = &[];
        }
        Some(field)
    }
}

impl<'a> Message<'a> {
    fn field(&mut self) -> Result<(u64, Field<'a>), Broken> {
        let tag = varint(&mut self.0)?;
        let field = match tag & 7 {
            0 => Field::Number(varint(&mut self.0)?),
            1 => Field::Bytes(self.take(8)?),
            2 => {
                let length = varint(&mut self.0)?;
                Field::Bytes(self.take(length)?)
            }
            5 => Field::Bytes(self.take(4)?),
            _ => return Err(Broken),
        };
        Ok((tag >> 3, field))
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], Broken> {
        let length = usize::try_from(length).map_err(|_| Broken)?;
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Broken)?;
        self.0 = rest;
        Ok(taken)
    }
}

/// Numbers packed one after another.
#[derive(Debug, Clone)]
pub(super) struct Packed<'a>(pub(super) &'a [u8]);

impl Iterator for Packed<'_> {
    type Item = Result<u64, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let number = varint(&mut self.0);
        if number.is_err() {
            self.0 = &[];
        }
        Some(number)
    }
}

/// Signed numbers packed as successive differences.
pub(super) fn sums(packed: &[u8]) -> impl Iterator<Item = Result<i64, Broken>> + '_ {
    let mut sum = 0_i64;
    Packed(packed).map(move |number| {
        sum = sum.checked_add(signed(number?)).ok_or(Broken)?;
        Ok(sum)
    })
}

/// The signed number of a zigzag number.
pub(super) fn signed(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

fn varint(bytes: &mut &[u8]) -> Result<u64, Broken> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Broken)?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(Broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the Protocol Buffers documentation.
    #[test]
    fn documented_examples() {
        let fields: Vec<_> = Message(&[0x08, 0x96, 0x01]).collect();
        assert_eq!(fields, [Ok((1, Field::Number(150)))]);
        let fields: Vec<_> = Message(b"\x12\x07testing").collect();
        assert_eq!(fields, [Ok((2, Field::Bytes(b"testing")))]);
        let packed = [0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05];
        let numbers: Result<Vec<_>, _> = Packed(&packed).collect();
        assert_eq!(numbers, Ok(vec![3, 270, 86942]));
        for (zigzag, number) in [(0, 0), (1, -1), (2, 1), (0xffff_ffff, -0x8000_0000)] {
            assert_eq!(signed(zigzag), number);
        }
        assert_eq!(signed(u64::MAX), i64::MIN);
    }

    #[test]
    fn truncated_fields_are_broken() {
        for bytes in [&[0x08][..], &[0x12, 0x07, b't'], &[0x0b], &[0xff; 11], &[0x09, 1, 2]] {
            assert_eq!(Message(bytes).last(), Some(Err(Broken)), "{bytes:?}");
        }
        let most = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x02];
        assert_eq!(sums(&most).last(), Some(Err(Broken)));
    }
}

//! Nodes and ways of a block.

use super::wire::{Broken, Field, Message, Packed, signed, sums};

/// A block of data: its strings, and groups of elements.
pub(super) struct Block<'a> {
    strings: Vec<&'a [u8]>,
    groups: Vec<&'a [u8]>,
    granularity: i64,
    offsets: [i64; 2],
}

/// A key and its value.
pub(super) type Tag<'a> = (&'a [u8], &'a [u8]);

/// A node, its place as longitude and latitude.
pub(super) struct Node<'a> {
    pub(super) id: i64,
    pub(super) place: [f64; 2],
    pub(super) tags: Vec<Tag<'a>>,
}

/// A way: the nodes it passes.
pub(super) struct Way<'a> {
    pub(super) id: i64,
    pub(super) tags: Vec<Tag<'a>>,
    pub(super) refs: &'a [u8],
}

impl Way<'_> {
    /// The ids of its nodes, in order.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Result<i64, Broken>> + '_ {
        sums(self.refs)
    }
}

impl<'a> Block<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Broken> {
        let mut block =
            Self { strings: Vec::new(), groups: Vec::new(), granularity: 100, offsets: [0; 2] };
        for field in Message(bytes) {
            match field? {
                (1, table) => {
                    for string in Message(table.bytes()?) {
                        let (number, string) = string?;
                        if number == 1 {
                            block.strings.push(string.bytes()?);
                        }
                    }
                }
                (2, group) => block.groups.push(group.bytes()?),
                (17, granularity) => block.granularity = granularity.number()?.cast_signed(),
                (19, offset) => block.offsets[1] = offset.number()?.cast_signed(),
                (20, offset) => block.offsets[0] = offset.number()?.cast_signed(),
                _ => {}
            }
        }
        Ok(block)
    }

    /// Calls `visit` with every way.
    pub(super) fn ways(
        &self,
        mut visit: impl FnMut(Way<'a>) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.elements(3, |way| {
            let (mut id, mut keys, mut values, mut refs) = (0, &[][..], &[][..], &[][..]);
            for field in Message(way) {
                match field? {
                    (1, field) => id = field.number()?.cast_signed(),
                    (2, field) => keys = field.bytes()?,
                    (3, field) => values = field.bytes()?,
                    (8, field) => refs = field.bytes()?,
                    _ => {}
                }
            }
            visit(Way { id, tags: self.tags(keys, values)?, refs })
        })
    }

    /// Calls `visit` with every node; looks up tags only for those that `wanted` names.
    pub(super) fn nodes(
        &self,
        wanted: impl Fn(i64) -> bool,
        mut visit: impl FnMut(Node<'a>) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.elements(1, |node| {
            let (mut id, mut place) = (0, [0; 2]);
            let (mut keys, mut values) = (&[][..], &[][..]);
            for field in Message(node) {
                match field? {
                    (1, field) => id = signed(field.number()?),
                    (2, field) => keys = field.bytes()?,
                    (3, field) => values = field.bytes()?,
                    (8, field) => place[1] = signed(field.number()?),
                    (9, field) => place[0] = signed(field.number()?),
                    _ => {}
                }
            }
            if wanted(id) {
                let tags = self.tags(keys, values)?;
                visit(Node { id, place: self.place(place)?, tags })?;
            }
            Ok(())
        })?;
        self.elements(2, |dense| self.dense_nodes(dense, &wanted, &mut visit))
    }

    fn dense_nodes(
        &self,
        dense: &'a [u8],
        wanted: &impl Fn(i64) -> bool,
        visit: &mut impl FnMut(Node<'a>) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        let (mut ids, mut lats, mut lons, mut tags) = (&[][..], &[][..], &[][..], &[][..]);
        for field in Message(dense) {
            match field? {
                (1, field) => ids = field.bytes()?,
                (8, field) => lats = field.bytes()?,
                (9, field) => lons = field.bytes()?,
                (10, field) => tags = field.bytes()?,
                _ => {}
            }
        }
        let (mut lats, mut lons, mut tags) = (sums(lats), sums(lons), Packed(tags));
        for id in sums(ids) {
            let id = id?;
            let (Some(lat), Some(lon)) = (lats.next(), lons.next()) else { return Err(Broken) };
            let (lat, lon) = (lat?, lon?);
            let is_wanted = wanted(id);
            let mut own = Vec::new();
            // Keys and values alternate, with a zero after each node; empty if no node has any.
            while let Some(key) = tags.next().transpose()?.filter(|&key| key != 0) {
                let value = tags.next().ok_or(Broken)??;
                if is_wanted {
                    own.push((self.string(key)?, self.string(value)?));
                }
            }
            if is_wanted {
                visit(Node { id, place: self.place([lon, lat])?, tags: own })?;
            }
        }
        Ok(())
    }

    fn elements(
        &self,
        kind: u64,
        mut visit: impl FnMut(&'a [u8]) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        for group in &self.groups {
            for field in Message(group) {
                let (number, field): (u64, Field<'a>) = field?;
                if number == kind {
                    visit(field.bytes()?)?;
                }
            }
        }
        Ok(())
    }

    fn tags(&self, keys: &[u8], values: &[u8]) -> Result<Vec<Tag<'a>>, Broken> {
        let pairs = Packed(keys).zip(Packed(values));
        pairs.map(|(key, value)| Ok((self.string(key?)?, self.string(value?)?))).collect()
    }

    fn string(&self, number: u64) -> Result<&'a [u8], Broken> {
        let number = usize::try_from(number).map_err(|_| Broken)?;
        self.strings.get(number).copied().ok_or(Broken)
    }

    /// Degrees, from units of the granularity in billionths of a degree.
    fn place(&self, units: [i64; 2]) -> Result<[f64; 2], Broken> {
        let mut place = [0.0; 2];
        for axis in 0..2 {
            let scaled = units[axis].checked_mul(self.granularity).ok_or(Broken)?;
            let nano = scaled.checked_add(self.offsets[axis]).ok_or(Broken)?;
            // A single division gives the double nearest to the decimal number.
            place[axis] = nano as f64 / 1e9;
        }
        Ok(place)
    }
}

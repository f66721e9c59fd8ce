//! Which mutant or original code each line of the meta-program belongs to.

/// Who wrote a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A mutant, by its number.
    Mutant(u32),
    /// The original code of a unit, by the unit's place in the file.
    Original(u32),
}

/// Lines and their owners, outer regions before what is in them.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    regions: Vec<(u32, u32, Owner)>,
    /// Bytes of the original and the lines at which they stand now, in order.
    places: Vec<(u32, u32)>,
    /// First and last lines of what mutants make of a piece, and the byte of the original where it begins.
    versions: Vec<(u32, u32, u32)>,
}

impl Regions {
    /// The lines `first..=last` are somebody's.
    pub(super) fn add(&mut self, first: u32, last: u32, owner: Owner) {
        self.regions.push((first, last, owner));
    }

    /// The original's bytes from here on stand at this line.
    pub(super) fn place(&mut self, byte: u32, line: u32) {
        self.places.push((byte, line));
    }

    /// The lines `first..=last` are what a mutant makes of the piece that begins at a byte of the original.
    pub(super) fn version(&mut self, first: u32, last: u32, byte: u32) {
        self.versions.push((first, last, byte));
    }

    /// What mutants make of pieces: first and last lines, in order, and the byte of the original where the piece
    /// begins.
    pub fn versions(&self) -> &[(u32, u32, u32)] {
        &self.versions
    }

    /// Puts the regions in order, once all are there.
    pub(super) fn finish(&mut self) {
        self.regions.sort_by_key(|(first, last, owner)| (*first, std::cmp::Reverse(*last), *owner));
        self.places.sort_unstable();
        self.versions.sort_unstable();
    }

    /// The innermost owner of a line.
    pub fn owner(&self, line: u32) -> Option<Owner> {
        let upto = self.regions.partition_point(|(first, ..)| *first <= line);
        let holding = self.regions[..upto].iter().rev().filter(|(_, last, _)| *last >= line);
        holding.min_by_key(|(first, last, _)| last - first).map(|(.., owner)| *owner)
    }

    /// The line at which a byte of the original stands.
    pub fn line_of(&self, byte: u32, original: &[u8]) -> u32 {
        let at = self.places.partition_point(|(start, _)| *start <= byte);
        let (start, line) = at.checked_sub(1).map_or((0, 1), |at| self.places[at]);
        line + original[start as usize..byte as usize].iter().filter(|byte| **byte == b'\n').count() as u32
    }
}

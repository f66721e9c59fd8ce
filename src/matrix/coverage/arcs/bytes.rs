//! The bytes of GCC's coverage files: words, strings, records.

use thiserror::Error;

/// The oldest version whose files are read.
const OLDEST: u32 = 9;
/// The version from which on lengths are in bytes, and a checksum follows the stamp.
pub(super) const IN_BYTES: u32 = 12;
/// The bytes of a word.
const WORD: usize = 4;

/// Why a file was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArcsError {
    #[error("{origin}: not a file of gcc --coverage; name the directory with .gcno and .gcda files")]
    Magic { origin: String },
    #[error(
        "{origin}: has format version {version}, but only those of GCC 9 and later are supported; use \
         --coverage-command with lcov or gcov --json-format instead"
    )]
    Version { origin: String, version: String },
    #[error("{origin}: damaged at byte {at}; build again with --coverage")]
    Damaged { origin: String, at: usize },
}

/// A file that is being read.
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
    origin: &'a str,
    pub version: u32,
}

/// A record: what it is, and where it ends.
pub(super) struct Record {
    pub tag: u32,
    /// The bytes of its body.
    pub length: usize,
    /// Whether the body is left out, since it is all zeros.
    pub zeros: bool,
    pub end: usize,
}

impl<'a> Bytes<'a> {
    /// Reads magic and version; what follows is the stamp.
    pub fn open(all: &'a [u8], magic: [u8; 4], origin: &'a str) -> Result<Self, ArcsError> {
        let mut bytes = Self { all, at: 0, origin, version: 0 };
        let (Some(found), Some(version)) = (all.get(..4), all.get(4..8)) else {
            return Err(ArcsError::Magic { origin: origin.to_owned() });
        };
        if !found.iter().eq(magic.iter().rev()) {
            return Err(ArcsError::Magic { origin: origin.to_owned() });
        }
        // `B22*` backwards: the major version 12 is B (1) and 2.
        let (tens, ones) = (version[3], version[2]);
        let major = match (tens.is_ascii_uppercase(), ones.is_ascii_digit()) {
            (true, true) => u32::from(tens - b'A') * 10 + u32::from(ones - b'0'),
            _ => 0,
        };
        if major < OLDEST {
            let version = version.iter().rev().map(|byte| char::from(*byte)).collect();
            return Err(ArcsError::Version { origin: origin.to_owned(), version });
        }
        bytes.version = major;
        bytes.at = 2 * WORD;
        Ok(bytes)
    }

    /// The error for this place.
    pub fn damaged(&self) -> ArcsError {
        ArcsError::Damaged { origin: self.origin.to_owned(), at: self.at }
    }

    /// Whether all is read; zeros at the end are padding.
    pub fn is_at_end(&self) -> bool {
        self.all[self.at..].iter().all(|byte| *byte == 0)
    }

    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes on at a place.
    pub fn go_to(&mut self, at: usize) -> Result<(), ArcsError> {
        if at > self.all.len() || at < self.at {
            return Err(self.damaged());
        }
        self.at = at;
        Ok(())
    }

    pub fn word(&mut self) -> Result<u32, ArcsError> {
        let found = self.all.get(self.at..self.at + WORD).and_then(|word| word.try_into().ok());
        let word = found.map(u32::from_le_bytes).ok_or_else(|| self.damaged())?;
        self.at += WORD;
        Ok(word)
    }

    /// A count: the lower word first.
    pub fn count(&mut self) -> Result<u64, ArcsError> {
        let low = u64::from(self.word()?);
        Ok(u64::from(self.word()?) << 32 | low)
    }

    pub fn string(&mut self) -> Result<String, ArcsError> {
        let said = self.word()? as usize;
        let length = if self.version >= IN_BYTES { said } else { said.saturating_mul(WORD) };
        let end = self.at.checked_add(length).ok_or_else(|| self.damaged())?;
        let found = self.all.get(self.at..end).ok_or_else(|| self.damaged())?;
        let text = found.split(|byte| *byte == 0).next().unwrap_or_default();
        let text = String::from_utf8_lossy(text).into_owned();
        self.at = end;
        Ok(text)
    }

    pub fn record(&mut self) -> Result<Record, ArcsError> {
        let tag = self.word()?;
        let said = self.word()? as i32;
        let unit = if self.version >= IN_BYTES { 1 } else { WORD };
        let length = (said.unsigned_abs() as usize).saturating_mul(unit);
        let zeros = said < 0;
        let end = if zeros { self.at } else { self.at.saturating_add(length) };
        if end > self.all.len() {
            return Err(self.damaged());
        }
        Ok(Record { tag, length, zeros, end })
    }
}

//! The file in which a program notes the values that its conditions were made of.
//!
//! Layout, in words of 64 bits: how many are used, and for how many there is room; how often conditions were passed, and
//! may be; then for every condition that was made of values its unit, how many values it has and what the original
//! gives (the highest bit), and the values.

use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write;
use std::path::Path;

use crate::files::TemporaryFile;

/// The environment variable with the file's path.
pub const VALUES_VARIABLE: &str = "WILDCAUGHT_VALUES";

/// Words for notes: what notes more is not looked at.
const ROOM: u64 = 1 << 14;
const HEAD: u64 = 4;
const ORIGINAL: u64 = 1 << 63;
/// In the first word: not all is there.
const FULL: u64 = 1 << 62;
/// No limit on passes: the largest number that fits a signed word.
pub const ANY_PASSES: u64 = i64::MAX as u64;

/// A condition that was made of values.
#[derive(Clone, Debug, PartialEq)]
pub struct NotedValues {
    pub unit: u32,
    /// What the original condition gives.
    pub original: bool,
    pub values: Vec<f64>,
}

/// What a run noted, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueNotes {
    pub notes: Vec<NotedValues>,
    /// Whether there was room for all of it.
    pub complete: bool,
}

/// The file.
pub struct ValuesFile {
    file: TemporaryFile,
}

impl ValuesFile {
    /// Makes a file, in memory where there is a place for that.
    pub fn create() -> io::Result<Self> {
        let mut made = Self { file: TemporaryFile::in_memory()? };
        made.file.set_len((HEAD + ROOM) * 8)?;
        made.clear(ANY_PASSES)?;
        Ok(made)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Forgets what was noted. From now on, conditions may be passed so often.
    pub fn clear(&mut self, most: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&[0, ROOM, 0, most].map(u64::to_le_bytes).concat())
    }

    /// How often conditions were passed.
    pub fn passed(&mut self) -> io::Result<u64> {
        Ok(self.words(2, 1)?[0])
    }

    /// What was noted.
    pub fn read(&mut self) -> io::Result<ValueNotes> {
        let used = self.words(0, 1)?[0];
        let words = self.words(HEAD, (used & !FULL).min(ROOM) as usize)?;
        Ok(ValueNotes { notes: notes(&words), complete: used & FULL == 0 })
    }

    fn words(&mut self, start: u64, count: usize) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; count * 8];
        self.file.seek(SeekFrom::Start(start * 8))?;
        self.file.read_exact(&mut bytes)?;
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        Ok(bytes.chunks(8).map(word).collect())
    }
}

/// Reads notes. What was cut off by the end of a process is left out.
fn notes(words: &[u64]) -> Vec<NotedValues> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(head) = words.get(at) {
        let count = ((head & !ORIGINAL) >> 32) as usize;
        let Some(values) = words.get(at + 1..at + 1 + count) else { break };
        found.push(NotedValues {
            unit: *head as u32,
            original: head & ORIGINAL != 0,
            values: values.iter().map(|word| f64::from_bits(*word)).collect(),
        });
        at += 1 + count;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_have_a_unit_what_the_original_gives_and_values() {
        let words = [7 | 2 << 32 | ORIGINAL, 1.5f64.to_bits(), 2f64.to_bits(), 9 | 3 << 32, 0];
        let one = NotedValues { unit: 7, original: true, values: vec![1.5, 2.0] };
        assert_eq!(notes(&words), [one]);
    }

    #[test]
    fn what_has_no_room_is_missed() {
        let mut file = ValuesFile::create().unwrap();
        assert!(file.read().unwrap().complete);
        file.file.seek(SeekFrom::Start(0)).unwrap();
        file.file.write_all(&FULL.to_le_bytes()).unwrap();
        assert!(!file.read().unwrap().complete);
        file.clear(ANY_PASSES).unwrap();
        assert_eq!(file.read().unwrap(), ValueNotes { notes: vec![], complete: true });
    }
}

//! The file by which a program with points is told what may happen at each, and tells what did.
//!
//! In: for each point, a mask of the operators that may be used there. Out: the masks that are left after a
//! run, the points that were passed, and the parts that were split off on the way. The program maps the file
//! into its memory, so that what it wrote survives its end, whatever that is.
//!
//! Layout, in words of 64 bits: the number of records, the number of points, the room for records, how often
//! points were passed, and how often they may be; the masks; the records, each a point and a mask.

use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

/// The bit of a mask that says that the point was passed.
const PASSED: u64 = 1 << 63;
const HEAD: usize = 5;
/// So many steps that nobody takes them, also where words have a sign.
pub const ANY_STEPS: u64 = i64::MAX as u64;

/// The environment variable with the file's path.
pub const SPLIT_VARIABLE: &str = "WILDCAUGHT_SPLIT";

/// What a run left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitTrace {
    /// The masks with which the run did what it did.
    pub masks: Vec<u64>,
    /// Per point, whether it was passed.
    pub passed: Vec<bool>,
    /// How often points were passed.
    pub steps: u64,
    /// What was split off, as masks of all points: nothing that is in one is in another, or in `masks`.
    pub others: Vec<Vec<u64>>,
}

/// The file.
pub struct SplitFile {
    path: PathBuf,
    file: File,
    points: usize,
    room: usize,
}

impl SplitFile {
    /// Makes a file for so many points with at most so many mutants in all.
    pub fn create(path: &Path, points: usize, mutants: usize) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
        let mut made = Self { path: path.to_owned(), file, points, room: mutants + 1 };
        made.put(&vec![0; points], ANY_STEPS)?;
        let bytes = (HEAD + points + 2 * made.room) * 8;
        made.file.set_len(bytes as u64)?;
        Ok(made)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the next run may do, and how often it may pass points.
    pub fn put(&mut self, masks: &[u64], steps: u64) -> io::Result<()> {
        let head = [0, self.points as u64, self.room as u64, 0, steps];
        let bytes: Vec<u8> = head.iter().chain(masks).flat_map(|word| word.to_le_bytes()).collect();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&bytes)
    }

    /// What the last run did.
    pub fn read(&mut self) -> io::Result<SplitTrace> {
        self.file.seek(SeekFrom::Start(0))?;
        let head = self.words(HEAD + self.points)?;
        let records = (head[0] as usize).min(self.room);
        let records = self.words(2 * records)?;
        let records: Vec<(usize, u64)> =
            records.chunks(2).map(|record| (record[0] as usize, record[1])).collect();
        Ok(SplitTrace { steps: head[3], ..trace(&head[HEAD..], &records) })
    }

    fn words(&mut self, count: usize) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; count * 8];
        self.file.read_exact(&mut bytes)?;
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        Ok(bytes.chunks(8).map(word).collect())
    }
}

/// Goes back from the end of a run: each record's part was possible until then.
fn trace(words: &[u64], records: &[(usize, u64)]) -> SplitTrace {
    let passed = words.iter().map(|word| word & PASSED != 0).collect();
    let mut masks: Vec<u64> = words.iter().map(|word| word & !PASSED).collect();
    // A run that was ended between a record and its mask did not come further than that.
    if let Some((last, _)) = records.last() {
        let same = records.iter().rev().take_while(|(point, _)| point == last);
        same.for_each(|(point, part)| masks[*point] &= !part);
    }
    let mut current = masks.clone();
    let mut others = Vec::with_capacity(records.len());
    for (point, part) in records.iter().rev() {
        let mut other = current.clone();
        other[*point] = *part;
        others.push(other);
        current[*point] |= part;
    }
    SplitTrace { masks, passed, steps: 0, others }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_undone_from_the_last_to_the_first() {
        let found = trace(&[PASSED | 1, PASSED | 2, 7], &[(0, 0b10), (0, 0b100), (1, 0b1)]);
        assert_eq!(found.masks, [1, 2, 7]);
        assert_eq!(found.passed, [true, true, false]);
        assert_eq!(found.others, [vec![1, 1, 7], vec![0b100, 3, 7], vec![0b10, 3, 7]]);
    }

    #[test]
    fn a_mask_that_was_not_written_any_more_is_made_up_for() {
        let found = trace(&[7], &[(0, 0b10)]);
        assert_eq!((found.masks, found.others), (vec![5], vec![vec![2]]));
    }

    #[test]
    fn what_is_put_can_be_read() {
        let home = tempfile::tempdir().unwrap();
        let mut file = SplitFile::create(&home.path().join("split"), 3, 10).unwrap();
        file.put(&[1, 2, 3], 9).unwrap();
        let found = file.read().unwrap();
        assert_eq!((found.masks, found.others.len()), (vec![1, 2, 3], 0));
    }
}

//! The file by which a program with points is told what may happen at each, and tells what did.
//!
//! In: for each point, a mask of the operators that may be used there. Out, for each process that the run became:
//! the masks that are left after it, the points that were passed, the parts that were split off on the way and
//! not run, and how it ended. The program maps the file into its memory, so that what it wrote survives its end,
//! whatever that is.
//!
//! Layout: slots, one for each process, of words of 64 bits: a head (`runtime.h` names its words), the masks, and
//! records of what was split off, each a point and a mask. Only programs that can fork use more than one.

use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write;
use std::path::Path;

use crate::files::TemporaryFile;

/// The bit of a mask that says that the point was passed.
const PASSED: u64 = 1 << 63;
/// The bit of a record's point that says that another process has that part.
const FORKED: u64 = 1 << 63;
const HEAD: usize = 16;
/// So many steps that nobody takes them, also where words have a sign.
pub const ANY_STEPS: u64 = i64::MAX as u64;
/// Slots of a file. A run that would need more leaves the rest for another.
const SLOTS: usize = 512;
/// How long a run forks, in microseconds: nobody waits much longer for it to come back.
const FORK_MICROS: u64 = 300_000;

/// The environment variable with the file's path.
pub const SPLIT_VARIABLE: &str = "WILDCAUGHT_SPLIT";

/// What a run may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitLimits {
    /// How often it may pass points.
    pub steps: u64,
    /// Whether it may fork where it is split, and then, at how many points the original may be given up.
    pub forks: Option<u64>,
}

/// How a process of a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitEnd {
    /// It is not known: the run has to be done again, without forks.
    Untold,
    /// As the runner says of the whole run.
    Told,
    /// In a fork.
    Forked(Ending),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Its exit code or the signal that ended it.
    pub by: Result<u8, u8>,
    /// Hashes of what it printed.
    pub out: u64,
    pub err: u64,
}

/// What a process of a run left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitTrace {
    /// The masks with which it did what it did.
    pub masks: Vec<u64>,
    /// Per point, whether it was passed.
    pub passed: Vec<bool>,
    /// How often points were passed.
    pub steps: u64,
    /// What was split off and not run, as masks of all points: nothing that is in one is in another, or in
    /// `masks`.
    pub others: Vec<Vec<u64>>,
    pub end: SplitEnd,
}

/// The file.
pub struct SplitFile {
    file: TemporaryFile,
    points: usize,
    room: usize,
}

impl SplitFile {
    /// Makes a file for this many points with at most this many mutants in all: in memory where there is a place for
    /// that, as runs wait for pages that are being written to a disk.
    pub fn create(points: usize, mutants: usize) -> io::Result<Self> {
        let mut made = Self { file: TemporaryFile::in_memory()?, points, room: mutants + 1 };
        made.put(&vec![0; points], SplitLimits { steps: ANY_STEPS, forks: None })?;
        made.file.set_len((made.slot() * SLOTS * 8) as u64)?;
        Ok(made)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// What the next run may do.
    pub fn put(&mut self, masks: &[u64], limits: SplitLimits) -> io::Result<()> {
        let slots = if limits.forks.is_some() { SLOTS as u64 } else { 1 };
        let mut head = [0; HEAD];
        head[1..9].copy_from_slice(&[
            self.points as u64,
            self.room as u64,
            0,
            limits.steps,
            slots,
            1,
            limits.forks.unwrap_or(0),
            FORK_MICROS,
        ]);
        let bytes: Vec<u8> = head.iter().chain(masks).flat_map(|word| word.to_le_bytes()).collect();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&bytes)
    }

    /// What the processes of the last run did, the first of them first.
    pub fn read(&mut self) -> io::Result<Vec<SplitTrace>> {
        let mut traces = vec![self.read_slot(0)?];
        let used = self.words(0, HEAD)?[6] as usize;
        for slot in 1..used.min(SLOTS) {
            traces.push(self.read_slot(slot)?);
        }
        Ok(traces)
    }

    fn read_slot(&mut self, slot: usize) -> io::Result<SplitTrace> {
        let start = slot * self.slot();
        let words = self.words(start, HEAD + self.points)?;
        let count = (words[0] as usize).min(self.room);
        let records = if count == 0 { vec![] } else { self.words(start + words.len(), 2 * count)? };
        let record = |words: &[u64]| Record {
            point: (words[0] & !FORKED) as usize,
            part: words[1],
            forked: words[0] & FORKED != 0,
        };
        let records: Vec<Record> = records.chunks(2).map(record).collect();
        // A process that is alone need not say how it ended.
        let end = match words[12] {
            1 if slot > 0 => SplitEnd::Forked(Ending::new(words[13], words[14], words[15])),
            2 => SplitEnd::Untold,
            0 if slot > 0 => SplitEnd::Untold,
            _ => SplitEnd::Told,
        };
        Ok(SplitTrace { steps: words[3], end, ..trace(&words[HEAD..], &records) })
    }

    /// The words of a slot.
    fn slot(&self) -> usize {
        HEAD + self.points + 2 * self.room
    }

    fn words(&mut self, start: usize, count: usize) -> io::Result<Vec<u64>> {
        let mut bytes = vec![0; count * 8];
        self.file.seek(SeekFrom::Start(start as u64 * 8))?;
        self.file.read_exact(&mut bytes)?;
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        Ok(bytes.chunks(8).map(word).collect())
    }
}

impl Ending {
    /// Reads a status as `wait` has it.
    fn new(status: u64, out: u64, err: u64) -> Self {
        let signal = (status & 0x7f) as u8;
        let by = if signal == 0 { Ok((status >> 8) as u8) } else { Err(signal) };
        Self { by, out, err }
    }
}

/// What was split off.
#[derive(Clone, Copy)]
struct Record {
    point: usize,
    part: u64,
    /// Whether another process has it.
    forked: bool,
}

/// Goes back from the end of a run: each record's part was possible until then.
fn trace(words: &[u64], records: &[Record]) -> SplitTrace {
    let passed = words.iter().map(|word| word & PASSED != 0).collect();
    let mut masks: Vec<u64> = words.iter().map(|word| word & !PASSED).collect();
    // A run that was ended between a record and its mask did not come further than that.
    if let Some(last) = records.last() {
        let same = records.iter().rev().take_while(|record| record.point == last.point);
        same.for_each(|record| masks[record.point] &= !record.part);
    }
    let mut current = masks.clone();
    let mut others = Vec::new();
    for record in records.iter().rev() {
        if !record.forked {
            let mut other = current.clone();
            other[record.point] = record.part;
            others.push(other);
        }
        current[record.point] |= record.part;
    }
    SplitTrace { masks, passed, steps: 0, others, end: SplitEnd::Told }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left((point, part): (usize, u64)) -> Record {
        Record { point, part, forked: false }
    }

    #[test]
    fn what_a_fork_has_is_not_left_to_others_but_was_possible_for_what_was_left_before() {
        let forked = Record { forked: true, ..left((1, 0b1)) };
        let found = trace(&[PASSED | 1, PASSED | 2], &[left((0, 0b10)), forked]);
        assert_eq!((found.masks, found.others), (vec![1, 2], vec![vec![2, 3]]));
    }

    #[test]
    fn records_are_undone_from_the_last_to_the_first() {
        let records = [(0, 0b10), (0, 0b100), (1, 0b1)].map(left);
        let found = trace(&[PASSED | 1, PASSED | 2, 7], &records);
        assert_eq!(found.masks, [1, 2, 7]);
        assert_eq!(found.passed, [true, true, false]);
        assert_eq!(found.others, [vec![1, 1, 7], vec![0b100, 3, 7], vec![0b10, 3, 7]]);
    }

    #[test]
    fn a_mask_that_was_not_written_any_more_is_made_up_for() {
        let found = trace(&[7], &[left((0, 0b10))]);
        assert_eq!((found.masks, found.others), (vec![5], vec![vec![2]]));
    }

    #[test]
    fn what_is_put_can_be_read() {
        let mut file = SplitFile::create(3, 10).unwrap();
        file.put(&[1, 2, 3], SplitLimits { steps: 9, forks: None }).unwrap();
        let found = file.read().unwrap().remove(0);
        assert_eq!((found.masks, found.others.len()), (vec![1, 2, 3], 0));
    }
}

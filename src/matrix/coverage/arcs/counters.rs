//! The counters of a run.

use std::collections::BTreeMap;

use super::bytes::ArcsError;
use super::bytes::Bytes;
use super::bytes::IN_BYTES;

const FUNCTION: u32 = 0x0100_0000;
const COUNTS: u32 = 0x01a1_0000;
/// The bytes of a counter.
const COUNT: usize = 8;

/// How often the counted arcs of functions were taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub stamp: u32,
    /// By the function's ident and the checksum of its arcs; functions that were not executed are not here.
    pub functions: BTreeMap<(u32, u32), Vec<u64>>,
}

impl Counters {
    /// Reads a `.gcda` file; `origin` names it in errors.
    pub fn read(all: &[u8], origin: &str) -> Result<Self, ArcsError> {
        let mut bytes = Bytes::open(all, *b"gcda", origin)?;
        let mut counters = Self { stamp: bytes.word()?, functions: BTreeMap::new() };
        if bytes.version >= IN_BYTES {
            bytes.word()?;
        }
        let mut function = None;
        while !bytes.is_at_end() {
            let record = bytes.record()?;
            match record.tag {
                // A function that the linker left out has an empty record.
                FUNCTION if record.length > 0 => {
                    let ident = bytes.word()?;
                    bytes.word()?;
                    function = Some((ident, bytes.word()?));
                }
                FUNCTION => function = None,
                COUNTS if !record.zeros => {
                    let counts = (0..record.length / COUNT).map(|_| bytes.count());
                    let counts: Vec<u64> = counts.collect::<Result<_, _>>()?;
                    counters.functions.extend(function.map(|function| (function, counts)));
                }
                _ => {}
            }
            bytes.go_to(record.end)?;
        }
        Ok(counters)
    }
}

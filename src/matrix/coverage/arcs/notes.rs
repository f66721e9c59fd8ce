//! The notes of the compiler: functions, their blocks and arcs, and the lines of blocks.

use std::path::Path;

use super::bytes::ArcsError;
use super::bytes::Bytes;
use super::bytes::IN_BYTES;

const FUNCTION: u32 = 0x0100_0000;
const BLOCKS: u32 = 0x0141_0000;
const ARCS: u32 = 0x0143_0000;
const LINES: u32 = 0x0145_0000;

const ON_TREE: u32 = 1;
const FAKE: u32 = 2;
/// More blocks than any function has.
const MOST_BLOCKS: u32 = 1 << 20;

/// What the compiler noted of an object file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// The same in the counters that belong to it.
    pub stamp: u32,
    pub functions: Vec<NotedFunction>,
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotedFunction {
    pub ident: u32,
    /// Of its blocks and arcs.
    pub checksum: u32,
    pub name: String,
    /// With the directory in which it was compiled.
    pub file: String,
    pub first: u32,
    pub last: u32,
    /// Block 0 is the entry, block 1 the exit.
    pub blocks: u32,
    pub arcs: Vec<Arc>,
    pub lines: Vec<NotedLine>,
}

/// A way from one block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    pub from: u32,
    pub to: u32,
    /// Not counted: its count follows from the others.
    pub on_tree: bool,
    /// Taken only if a call does not return.
    pub fake: bool,
}

/// A line of the function's file that a block has code of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedLine {
    pub block: u32,
    pub line: u32,
}

impl Notes {
    /// Reads a `.gcno` file; `origin` names it in errors.
    pub fn read(all: &[u8], origin: &str) -> Result<Self, ArcsError> {
        let mut bytes = Bytes::open(all, *b"gcno", origin)?;
        let mut notes = Self { stamp: bytes.word()?, functions: vec![] };
        if bytes.version >= IN_BYTES {
            bytes.word()?;
        }
        let directory = bytes.string()?;
        bytes.word()?;
        while !bytes.is_at_end() {
            let record = bytes.record()?;
            match (record.tag, notes.functions.last_mut()) {
                (FUNCTION, _) => notes.functions.push(function(&mut bytes, &directory)?),
                (BLOCKS, Some(function)) => {
                    function.blocks = bytes.word()?;
                    if function.blocks > MOST_BLOCKS {
                        return Err(bytes.damaged());
                    }
                }
                (ARCS, Some(function)) => arcs(&mut bytes, record.end, function)?,
                (LINES, Some(function)) => lines(&mut bytes, record.end, &directory, function)?,
                _ => {}
            }
            bytes.go_to(record.end)?;
        }
        Ok(notes)
    }
}

fn function(bytes: &mut Bytes, directory: &str) -> Result<NotedFunction, ArcsError> {
    let ident = bytes.word()?;
    bytes.word()?;
    let checksum = bytes.word()?;
    let name = bytes.string()?;
    bytes.word()?;
    let file = path(directory, &bytes.string()?);
    let first = bytes.word()?;
    bytes.word()?;
    let last = bytes.word()?.max(first);
    Ok(NotedFunction { ident, checksum, name, file, first, last, ..NotedFunction::default() })
}

fn arcs(bytes: &mut Bytes, end: usize, function: &mut NotedFunction) -> Result<(), ArcsError> {
    let from = bytes.word()?;
    while bytes.at() < end {
        let (to, flags) = (bytes.word()?, bytes.word()?);
        if from >= function.blocks || to >= function.blocks {
            return Err(bytes.damaged());
        }
        function.arcs.push(Arc { from, to, on_tree: flags & ON_TREE != 0, fake: flags & FAKE != 0 });
    }
    Ok(())
}

/// Lines of other files are left out: they belong to what was included there.
fn lines(
    bytes: &mut Bytes,
    end: usize,
    directory: &str,
    function: &mut NotedFunction,
) -> Result<(), ArcsError> {
    let block = bytes.word()?;
    if block >= function.blocks {
        return Err(bytes.damaged());
    }
    let mut own = true;
    while bytes.at() < end {
        match bytes.word()? {
            0 => {
                let file = bytes.string()?;
                if file.is_empty() {
                    return Ok(());
                }
                own = path(directory, &file) == function.file;
            }
            line if own => function.lines.push(NotedLine { block, line }),
            _ => {}
        }
    }
    Ok(())
}

fn path(directory: &str, file: &str) -> String {
    Path::new(directory).join(file).to_string_lossy().into_owned()
}

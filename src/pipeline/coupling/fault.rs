//! A fix turned round: the fixed tree, and the file as it was with the fault.

use std::ops::Range;
use std::path::PathBuf;

use crate::history::FileAt;
use crate::history::FixedBlock;
use crate::history::SmallFix;
use crate::insert::OtherVersion;
use crate::insert::Skips;
use crate::insert::Target;
use crate::insert::function_tokens;
use crate::langdef::LangDef;
use crate::text::LineIndex;

use super::request::FixLimits;

/// Why a commit that describes a fix is not counted as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoFault {
    /// More blocks than one, outside of tests.
    SeveralBlocks,
    /// More lines than were asked for.
    TooLong,
    /// Only comments, white space or tests changed.
    NothingButComments,
    /// The file cannot be read as the history shows it.
    Unreadable,
}

impl NoFault {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::SeveralBlocks => "several blocks",
            Self::TooLong => "too many lines",
            Self::NothingButComments => "only comments or tests",
            Self::Unreadable => "not readable",
        }
    }
}

/// A fault that a fix took out.
pub(super) struct Fault {
    /// The fixed tree.
    pub target: Target,
    /// The file that was fixed, by its number in the target.
    pub file: usize,
    pub version: OtherVersion,
    /// The file as it was.
    pub faulty: Vec<u8>,
    pub block: FixedBlock,
    /// The first changed line of the fixed file.
    pub line: usize,
    /// The tokens of the changed lines and of some around them.
    pub near: Range<usize>,
    /// The tokens of the function that was fixed, or of `near` outside of functions.
    pub function: Range<usize>,
}

impl Fault {
    /// Finds the fault in the files of the fixed tree.
    pub fn new(
        def: &LangDef,
        fix: &SmallFix,
        files: Vec<FileAt>,
        limits: &FixLimits,
    ) -> Result<Self, NoFault> {
        let files = files
            .into_iter()
            .map(|(path, text)| (PathBuf::from(String::from_utf8_lossy(&path).into_owned()), text))
            .collect();
        let mut target = Target::new(def, files);
        let skips = Skips::new(def, vec![], false);
        for file in 0..target.files.len() {
            target.allowed[file] = skips.apply(target.view(file)).0;
        }
        let (block, file) = only_block(def, fix, &target)?;
        let text = &target.files[file].text;
        let lines = |part: &[u8]| memchr::memchr_iter(b'\n', part).count();
        let after = text.get(block.after.range()).ok_or(NoFault::Unreadable)?;
        if lines(after) > limits.lines || lines(&block.before) > limits.lines {
            return Err(NoFault::TooLong);
        }
        let faulty = taken_back(text, &block);
        let version = OtherVersion::new(def, &target.files[file], faulty.clone());
        let version = version.ok_or(NoFault::NothingButComments)?;
        let index = LineIndex::new(text);
        let line = index.place(block.after.start as usize).line;
        let last = line + lines(after).saturating_sub(1);
        let near =
            tokens_of(&target, file, &index, line.saturating_sub(limits.around)..=last + limits.around);
        let place = version.tokens().start;
        let function = [place, place.saturating_sub(1)]
            .into_iter()
            .find_map(|token| function_tokens(target.view(file), token))
            .unwrap_or_else(|| near.clone());
        Ok(Self { target, file, version, faulty, block, line, near, function })
    }
}

/// The one block of a fix that changes code outside of tests.
fn only_block(def: &LangDef, fix: &SmallFix, target: &Target) -> Result<(FixedBlock, usize), NoFault> {
    let mut found = None;
    for block in &fix.blocks {
        let name = String::from_utf8_lossy(&block.path);
        let file = target.files.iter().position(|file| file.path.as_os_str() == name.as_ref());
        let Some(file) = file else { return Err(NoFault::Unreadable) };
        if !changes_code(def, target, file, block) {
            continue;
        }
        if found.replace((block.clone(), file)).is_some() {
            return Err(NoFault::SeveralBlocks);
        }
    }
    found.ok_or(NoFault::NothingButComments)
}

/// Whether a block changes more than comments, white space and tests inside of a source file.
fn changes_code(def: &LangDef, target: &Target, file: usize, block: &FixedBlock) -> bool {
    let source = &target.files[file];
    if block.after.end as usize > source.text.len() {
        return true;
    }
    let Some(version) = OtherVersion::new(def, source, taken_back(&source.text, block)) else { return false };
    let tokens = version.tokens();
    let inside =
        tokens.start.saturating_sub(usize::from(tokens.is_empty()))..tokens.end.max(tokens.start + 1);
    target.allowed[file].get(inside).is_none_or(|allowed| allowed.iter().any(|allowed| *allowed))
}

/// The text with a block as it was before.
fn taken_back(text: &[u8], block: &FixedBlock) -> Vec<u8> {
    let range = block.after.range();
    [&text[..range.start], &block.before, &text[range.end..]].concat()
}

/// The tokens that begin in these lines.
fn tokens_of(
    target: &Target,
    file: usize,
    index: &LineIndex,
    lines: std::ops::RangeInclusive<usize>,
) -> Range<usize> {
    let tokens = &target.files[file].tokens;
    let line = |token: &crate::lex::Token| index.place(token.span.start as usize).line;
    tokens.partition_point(|token| line(token) < *lines.start())
        ..tokens.partition_point(|token| line(token) <= *lines.end())
}

//! A part of the records as a small tally, with numbers of its own.

use std::io;

use rustc_hash::FxHashMap;

use crate::harvest::tally::CommitRow;
use crate::harvest::tally::ShiftRow;
use crate::harvest::tally::Tally;
use crate::harvest::tally::TallyRow;
use crate::operator::Source;

use super::codec::Fields;
use super::codec::damaged;
use super::record::CommitFields;

/// A tally of what is in one part.
pub struct Slice<'a> {
    pub tally: Tally,
    /// The number of each source's repository.
    repos: &'a [u32],
    /// The numbers of commits, by repository and id.
    commits: FxHashMap<u32, FxHashMap<String, u32>>,
}

impl<'a> Slice<'a> {
    /// An empty one of sources that have the names of their repositories.
    pub fn new(frame: &Tally, repos: &'a [u32]) -> Self {
        let mut tally = Tally::new(&frame.language, frame.options.clone(), Source::default());
        tally.sources.clone_from(&frame.sources);
        Self { tally, repos, commits: FxHashMap::default() }
    }

    /// Reads a row and adds it.
    pub fn add_row(&mut self, mut fields: Fields) -> io::Result<()> {
        let key = fields.key()?;
        let commit = self.commit(&fields.commit()?)?;
        let around = fields.around(&mut self.tally.symbols, key, commit)?;
        let before = fields.byte()?;
        let length = fields.number()?;
        let tokens = (0..length)
            .map(|_| fields.symbol(&mut self.tally.symbols))
            .collect::<io::Result<Vec<_>>>()?
            .into();
        self.tally.rows.push(TallyRow { before, tokens, ..around });
        Ok(())
    }

    /// Reads a shift.
    pub fn read_shift(&mut self, mut fields: Fields) -> io::Result<ShiftRow> {
        let key = fields.key()?;
        let commit = self.commit(&fields.commit()?)?;
        let before = fields.symbol(&mut self.tally.symbols)?;
        let after = fields.symbol(&mut self.tally.symbols)?;
        Ok(ShiftRow { key, commit, before, after })
    }

    /// The number of a commit, new or known.
    pub fn commit(&mut self, commit: &CommitFields) -> io::Result<u32> {
        let repo = *self.repos.get(commit.repo as usize).ok_or_else(damaged)?;
        let known = self.commits.entry(repo).or_default();
        if let Some(&number) = known.get(commit.id) {
            return Ok(number);
        }
        let number = self.tally.commits.len() as u32;
        known.insert(commit.id.to_owned(), number);
        let id = commit.id.to_owned();
        self.tally.commits.push(CommitRow { repo, id, time: commit.time, fix: commit.fix });
        Ok(number)
    }
}

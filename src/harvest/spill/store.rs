//! Tallies on their way to files.

use std::io;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::files::TemporaryDirectory;
use crate::harvest::finish::FinishOptions;
use crate::harvest::finish::Harvest;
use crate::harvest::symbols::Symbols;
use crate::harvest::tally::Tally;
use crate::langdef::LangDef;
use crate::operator::Source;

use super::codec::Record;
use super::parts::PartWriter;
use super::work::Work;

/// What tallies hold, in files that are gone when this is.
pub struct Spill {
    /// Everything that is not in files: sources and counts.
    pub frame: Tally,
    words: PartWriter,
    rows: PartWriter,
    shifts: PartWriter,
    record: Record,
    directory: TemporaryDirectory,
}

impl Spill {
    /// Begins with one tally.
    pub fn new(tally: Tally) -> io::Result<Self> {
        let directory = TemporaryDirectory::new("tallies")?;
        let mut frame = Tally::new(&tally.language, tally.options.clone(), Source::default());
        frame.sources.clear();
        let mut spill = Self {
            frame,
            words: PartWriter::new(directory.path(), "words")?,
            rows: PartWriter::new(directory.path(), "rows")?,
            shifts: PartWriter::new(directory.path(), "shifts")?,
            record: Record::default(),
            directory,
        };
        spill.add(tally)?;
        Ok(spill)
    }

    /// Adds another tally of the same language and options.
    pub fn add(&mut self, mut tally: Tally) -> io::Result<()> {
        let sources = tally.sources.iter().map(|source| self.frame.repo(source.clone())).collect::<Vec<_>>();
        let source = |commit: u32| sources[tally.commits[commit as usize].repo as usize];
        let record = &mut self.record;
        for (&(word, repo), &count) in &tally.words {
            record.clear();
            record.symbol(&tally.symbols, word);
            record.number(u64::from(sources[repo as usize]));
            record.number(count);
            let hash = xxh3_64_with_seed(tally.symbols.text(word), tally.symbols.kind(word) as u64);
            self.words.write(hash, &record.0)?;
        }
        for row in &tally.rows {
            record.clear();
            record.row(&tally, source(row.commit), row);
            self.rows.write(row.key, &record.0)?;
        }
        for row in &tally.shifts {
            record.clear();
            record.shift(&tally, source(row.commit), row);
            self.shifts.write(row.key, &record.0)?;
        }
        (tally.symbols, tally.words) = (Symbols::default(), Default::default());
        (tally.commits, tally.rows, tally.shifts) = (Vec::new(), Vec::new(), Vec::new());
        self.frame.merge(tally);
        Ok(())
    }

    /// The harvest of all tallies.
    pub fn finish(mut self, def: &LangDef, options: &FinishOptions) -> io::Result<Harvest> {
        let repos = self.frame.name_repositories();
        let samples = std::mem::take(&mut self.frame.samples);
        let work = Work { frame: &self.frame, repos: &repos, def, options, directory: self.directory.path() };
        work.run(&self.words.finish()?, &self.rows.finish()?, &self.shifts.finish()?, samples)
    }
}

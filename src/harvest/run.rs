//! One source, read and tallied on all threads.

use std::io::Read;
use std::path::Path;

use crate::control::Progress;
use crate::history::GitOptions;
use crate::history::HistoryError;
use crate::history::HistoryReading;
use crate::history::PatchText;
use crate::history::read_git;
use crate::history::read_patch;
use crate::langdef::LangDef;
use crate::operator::Source;

use super::collect::TallyCollector;
use super::tally::Tally;
use super::tally::TallyOptions;

/// A tally, and what a person should know of its source.
pub struct Tallied {
    pub tally: Tally,
    pub warnings: Vec<String>,
}

/// Tallies a git repository.
pub fn tally_git(
    path: &Path,
    source: &Source,
    def: &LangDef,
    git: &GitOptions,
    options: &TallyOptions,
    progress: &Progress,
) -> Result<Tallied, HistoryError> {
    let empty = || Tally::new(def.name(), options.clone(), source.clone());
    let reading = read_git(path, def, git, progress, || TallyCollector::new(def, empty()))?;
    Ok(put_together(reading, empty(), progress))
}

/// Tallies patch text.
pub fn tally_patch(
    text: PatchText<impl Read>,
    source: &Source,
    def: &LangDef,
    git: &GitOptions,
    options: &TallyOptions,
    progress: &Progress,
) -> Result<Tallied, HistoryError> {
    let empty = || Tally::new(def.name(), options.clone(), source.clone());
    let collector = || TallyCollector::new(def, empty());
    let reading = read_patch(text, def, &git.selection, &git.fixes, progress, collector)?;
    Ok(put_together(reading, empty(), progress))
}

fn put_together(reading: HistoryReading<TallyCollector>, mut tally: Tally, progress: &Progress) -> Tallied {
    for collector in reading.collectors {
        tally.merge(collector.into_tally());
    }
    tally.add_census(&reading.census);
    if progress.stopped() {
        tally.mark_partial();
    }
    Tallied { tally, warnings: reading.warnings }
}

//! Reads one source: from its stored tally, or from its history.

use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;

use crate::cli::progress;
use crate::cli::sources::NamedSource;
use crate::cli::sources::SourceOrigin;
use crate::control::Progress;
use crate::harvest::Reading;
use crate::harvest::Tallied;
use crate::harvest::Tally;
use crate::harvest::read_raw;
use crate::harvest::tally_git;
use crate::harvest::tally_patch;
use crate::history::GitOptions;
use crate::history::HistoryError;
use crate::history::Identity;
use crate::history::PatchText;
use crate::history::identify;
use crate::operator::Source;

use super::fetch::described;
use super::fetch::fetch;
use super::fetch::open_patch;
use super::job::Job;
use super::keep::named_head;

impl Job<'_> {
    /// Reads one source; a source that cannot be read at all is a warning, not the end.
    pub fn tally(&mut self, mut source: NamedSource) -> Result<Option<Tally>> {
        let is_elsewhere = match &source.origin {
            SourceOrigin::Remote(_) => true,
            SourceOrigin::Repository(path) => !path.exists(),
            SourceOrigin::Tally(_) | SourceOrigin::Patch(_) => false,
        };
        let reading = named_head(&source, &self.args.history).filter(|_| is_elsewhere);
        if let Some(tallied) = reading.and_then(|reading| self.kept(&source.name, reading)) {
            return Ok(Some(self.taken(&source.name, tallied)));
        }
        if let Err(error) = fetch(&mut source, &self.args.history, self.args.shown.quiet) {
            self.interrupted |= progress::interrupted();
            return Ok(self.left_out(&format!("{error:#}")));
        }
        let result = match &source.origin {
            SourceOrigin::Repository(path) => self.repository(&source, path)?,
            SourceOrigin::Tally(path) => return read_tally(path).map(Some),
            SourceOrigin::Patch(path) => self.patch(&source.name, path)?,
            SourceOrigin::Remote(_) => unreachable!("it was fetched just now"),
        };
        match result {
            Ok(tallied) => Ok(Some(self.taken(&source.name, tallied))),
            Err(error) => Ok(self.left_out(&error.to_string())),
        }
    }

    fn left_out(&mut self, why: &str) -> Option<Tally> {
        tell!("warning: skipped: {why}");
        self.incomplete = true;
        None
    }

    /// Tells what a person should know.
    fn taken(&mut self, name: &str, tallied: Tallied) -> Tally {
        for warning in &tallied.warnings {
            tell!("warning: {name}: {warning}");
            self.incomplete = true;
        }
        tallied.tally
    }

    /// The tally that is kept of a reading. A damaged file is reported and ignored.
    fn kept(&mut self, name: &str, reading: Reading) -> Option<Tallied> {
        match self.kept.as_ref()?.read(reading) {
            Ok(found) => {
                let mut found = found?;
                found.tally.rename_source(name);
                // The repository may be whole by now.
                found.warnings.iter_mut().for_each(|warning| warning.push_str(" (from its kept tally)"));
                self.had.kept += 1;
                Some(found)
            }
            Err(error) => {
                tell!("note: {error}; reading {name} again");
                None
            }
        }
    }

    fn repository(&mut self, source: &NamedSource, path: &Path) -> Result<Result<Tallied, HistoryError>> {
        let start = source.at.as_deref().or(self.args.history.branch.as_deref());
        let Identity { head, shallow, .. } = match self.kept {
            Some(_) => identify(path, start).unwrap_or_default(),
            None => Identity::default(),
        };
        let reading = Reading { head: &head, shallow: &shallow };
        // Without a head, there is nothing to keep: the reading says why.
        let wanted = !head.is_empty();
        if let Some(tallied) = wanted.then(|| self.kept(&source.name, reading)).flatten() {
            return Ok(Ok(tallied));
        }
        // The name of a branch may mean another commit by now.
        let start = if wanted { Some(&head[..]) } else { start };
        let origin = described(&source.name, path, start);
        let git = GitOptions { branch: start.map(str::to_owned), ..self.git.clone() };
        let progress = Progress::default();
        let result = progress::watch(&progress, &source.name, "commits", self.args.shown.quiet, || {
            tally_git(path, &origin, &self.def, &git, &self.tally, &progress)
        });
        self.interrupted |= progress.stopped();
        let Ok(mut tallied) = result else { return Ok(result) };
        self.had.read += 1;
        if let Some(kept) = self.kept.as_mut().filter(|_| wanted && !tallied.tally.is_partial()) {
            kept.keep(reading, &source.name, &mut tallied)
                .with_context(|| format!("cannot write the tally of {}", source.name))?;
        }
        Ok(Ok(tallied))
    }

    fn patch(&mut self, name: &str, path: &Path) -> Result<Result<Tallied, HistoryError>> {
        let origin = Source { name: name.into(), ..Source::default() };
        let (size, input) = open_patch(path)?;
        let progress = Progress::default();
        let result = progress::watch(&progress, name, "bytes", self.args.shown.quiet, || {
            let text = PatchText { name, input, size };
            tally_patch(text, &origin, &self.def, &self.git, &self.tally, &progress)
        });
        self.interrupted |= progress.stopped();
        Ok(result)
    }
}

fn read_tally(path: &Path) -> Result<Tally> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(read_raw(&text, &path.display().to_string())?)
}

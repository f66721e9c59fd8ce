//! Asks for the coupling of fixes with mutants, by tests: finds the fixes, then measures one at a time.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use crate::control::Events;
use crate::control::Progress;
use crate::exec::SandboxPolicy;
use crate::files::TemporaryDirectory;
use crate::harness::Config;
use crate::history::ChangedPath;
use crate::history::HistoryError;
use crate::history::SmallFix;
use crate::history::Snapshots;
use crate::history::test_files;
use crate::pipeline::coupling::fault::Fault;
use crate::pipeline::coupling::request::CouplingError;
use crate::pipeline::coupling::request::CouplingRequest;
use crate::pipeline::coupling::request::Subject;

use super::deadline::within;
use super::kept::Earlier;
use super::kept::KeptFixes;
use super::measure::End;
use super::measure::Measure;
use super::outcome::TestedCoupling;
use super::outcome::TestedFix;
use super::outcome::TestedOutcome;
use super::outcome::Unmeasurable;
use super::suite::Surroundings;
use super::trees::Revisions;
use super::trees::Trees;

/// Why a fix cannot be put into the revision before it.
const UNPLACED: &str = "the fixing lines are not one block of the revision before";

/// What to measure, and how tests are run.
pub struct TestedRequest<'a> {
    /// Which fixes count, and which mutants.
    pub coupling: CouplingRequest<'a>,
    /// How projects are tested; found out for each revision if nothing is said.
    pub config: Option<&'a Config>,
    pub sandbox: &'a SandboxPolicy,
    /// The environment that we were started in.
    pub outer: BTreeMap<String, String>,
    /// Most mutants of a fix that are tried.
    pub most: usize,
    /// How long one fix may take.
    pub each: Duration,
    pub jobs: usize,
    /// What earlier runs found out.
    pub kept: Option<KeptFixes>,
}

/// A small fix that came with a test.
pub struct FoundFix {
    fix: SmallFix,
    parent: String,
    changed: Vec<ChangedPath>,
    pub commit: String,
    /// The first line of the message.
    pub subject: String,
    pub path: String,
    /// The first changed line of the fixed file.
    pub line: usize,
}

/// The small fixes of a repository that came with a test, newest first.
pub struct FoundFixes<'a> {
    subject: &'a Subject,
    /// What can be built once is kept there.
    cache: PathBuf,
    // Holds it, unless it is kept for later runs.
    _temporary: Option<TemporaryDirectory>,
    pub fixes: Vec<FoundFix>,
}

impl TestedRequest<'_> {
    /// Looks for the fixes of a repository, newest first. The progress counts fixes; stopped, it gives what it has.
    /// What does not count is noted in `all`.
    pub fn find<'s>(
        &self,
        subject: &'s Subject,
        progress: &Progress,
        all: &mut TestedCoupling,
    ) -> Result<FoundFixes<'s>, CouplingError> {
        let (candidates, warnings) = self.coupling.fixes(subject)?;
        all.warnings.extend(warnings.into_iter().map(|warning| format!("{}: {warning}", subject.name)));
        let snapshots = Snapshots::open(&subject.path)?;
        let (cache, temporary) = self.cache(subject)?;
        let mut fixes = Vec::new();
        progress.expect(candidates.len() as u64);
        for fix in candidates {
            if fixes.len() == self.coupling.limits.most || progress.stopped() {
                break;
            }
            fixes.extend(self.found(&snapshots, fix, all)?);
            progress.advance(1024);
        }
        all.stopped |= progress.stopped();
        Ok(FoundFixes { subject, cache, _temporary: temporary, fixes })
    }

    /// Where what can be built once is kept: with earlier results, or only for this run.
    fn cache(&self, subject: &Subject) -> Result<(PathBuf, Option<TemporaryDirectory>), CouplingError> {
        let io = |path: &Path, error| HistoryError::Io { path: path.to_owned(), error };
        if let Some(kept) = &self.kept {
            let cache = kept.cache(&subject.name).map_err(|error| io(kept.directory(), error))?;
            return Ok((cache, None));
        }
        let made = TemporaryDirectory::new("cache");
        let made = made.map_err(|error| io(Path::new("a temporary directory"), error))?;
        Ok((made.path().to_owned(), Some(made)))
    }

    /// A fix that counts, or a note of why it does not.
    fn found(
        &self,
        snapshots: &Snapshots,
        fix: SmallFix,
        all: &mut TestedCoupling,
    ) -> Result<Option<FoundFix>, CouplingError> {
        let Some(parent) = snapshots.parent(&fix.commit)? else { return Ok(None) };
        let changed = snapshots.changed(&fix.commit)?;
        let tests = test_files(self.coupling.def)?;
        let in_files =
            changed.iter().any(|changed| tests.is_match(String::from_utf8_lossy(&changed.path).as_ref()));
        // Tests inside of sources are blocks of their own.
        if !in_files && fix.blocks.len() < 2 {
            all.without_test += 1;
            return Ok(None);
        }
        let touched = |path: &[u8]| fix.blocks.iter().any(|block| block.path == path);
        let fault = match self.coupling.fault_in(snapshots, &fix, touched)? {
            Ok(fault) => fault,
            Err(why) => {
                *all.left_out.entry(why).or_default() += 1;
                return Ok(None);
            }
        };
        if !in_files && !changes_tests_inside(&fix, &fault) {
            all.without_test += 1;
            return Ok(None);
        }
        let path = String::from_utf8_lossy(&fault.block.path).into_owned();
        let (commit, subject) = (fix.commit.clone(), snapshots.subject(&fix.commit)?);
        let line = fault.line;
        Ok(Some(FoundFix { fix, parent, changed, commit, subject, path, line }))
    }

    /// What an earlier run found out about a fix, if that is all that is asked.
    pub fn known(&self, found: &FoundFixes, fix: &FoundFix) -> Option<TestedFix> {
        match self.earlier(found, fix) {
            Earlier::Answered(fix) => Some(*fix),
            Earlier::Detected(_) | Earlier::Nothing => None,
        }
    }

    fn earlier(&self, found: &FoundFixes, fix: &FoundFix) -> Earlier {
        let Some(kept) = &self.kept else { return Earlier::Nothing };
        kept.earlier(&found.subject.name, &fix.commit, self.each)
    }

    /// Keeps what is known of a fix for later runs, if that is asked for.
    pub fn keep(&self, fix: &TestedFix) -> io::Result<()> {
        self.kept.as_ref().map_or(Ok(()), |kept| kept.keep(fix))
    }

    /// Measures one fix; none if it was stopped.
    pub fn measure(&self, found: &FoundFixes, fix: &FoundFix, events: &Events) -> Option<TestedFix> {
        let detecting = match self.earlier(found, fix) {
            Earlier::Detected(tests) => Some(tests),
            Earlier::Answered(_) | Earlier::Nothing => None,
        };
        let begun = Instant::now();
        let (how, outcome) = match self.within_time(found, fix, detecting, events) {
            (_, Err(End::Stopped)) => return None,
            (how, Err(End::Unmeasurable(why))) => (how, TestedOutcome::Unmeasurable(why)),
            (how, Ok(outcome)) => (how, outcome),
        };
        Some(TestedFix {
            repository: found.subject.name.clone(),
            commit: fix.commit.clone(),
            subject: fix.subject.clone(),
            path: fix.path.clone(),
            line: fix.line,
            how,
            seconds: begun.elapsed().as_secs_f64(),
            outcome,
        })
    }

    /// The fault of a fix in its whole tree, and both trees on disk.
    fn trees(&self, found: &FoundFixes, fix: &FoundFix) -> Result<(Fault, Trees), End> {
        // A partial clone lacks some files of some revisions.
        let failed = |said: String| End::Unmeasurable(Unmeasurable::Failed(said));
        let said = |error: &dyn std::error::Error| failed(error.to_string());
        let snapshots = Snapshots::open(&found.subject.path).map_err(|error| said(&error))?;
        let fault = self.coupling.fault(&snapshots, &fix.fix).map_err(|error| said(&error))?;
        let fault = fault.map_err(|why| failed(why.name().to_owned()))?;
        let revisions = Revisions {
            def: self.coupling.def,
            snapshots: &snapshots,
            tests: &test_files(self.coupling.def).map_err(|error| said(&error))?,
            fix: &fix.fix,
            parent: &fix.parent,
            changed: &fix.changed,
        };
        let trees = revisions.trees(&fault).map_err(|error| said(&error))?;
        trees.map(|trees| (fault, trees)).ok_or_else(|| failed(UNPLACED.into()))
    }

    fn within_time(
        &self,
        found: &FoundFixes,
        fix: &FoundFix,
        detecting: Option<BTreeSet<String>>,
        events: &Events,
    ) -> (String, Result<TestedOutcome, End>) {
        let (fault, trees) = match self.trees(found, fix) {
            Ok(both) => both,
            Err(end) => return (String::new(), Err(end)),
        };
        let around = Surroundings {
            def: self.coupling.def,
            config: self.config,
            sandbox: self.sandbox,
            outer: &self.outer,
            cache: &found.cache,
            jobs: self.jobs,
        };
        let measure = Measure {
            around: &around,
            columns: self.coupling.columns,
            fit: self.coupling.fit,
            fault: &fault,
            trees: &trees,
            most: self.most,
            detecting,
            events,
        };
        let ((how, outcome), late) = within(self.each, &events.progress, || measure.run());
        match outcome {
            Err(End::Stopped) if late => (how, Err(End::Unmeasurable(Unmeasurable::TooLong))),
            outcome => (how, outcome),
        }
    }
}

/// Whether a fix changes tests that stand in source files.
fn changes_tests_inside(fix: &SmallFix, fault: &Fault) -> bool {
    fix.blocks.iter().filter(|block| **block != fault.block).any(|block| {
        let name = String::from_utf8_lossy(&block.path);
        let Some(file) = fault.target.files.iter().position(|file| file.path.as_os_str() == name.as_ref())
        else {
            return false;
        };
        let tokens = &fault.target.files[file].tokens;
        let first = tokens.partition_point(|token| token.span.start < block.after.start);
        let last = tokens.partition_point(|token| token.span.start < block.after.end);
        fault.target.allowed[file][first..last].iter().any(|allowed| !allowed)
    })
}

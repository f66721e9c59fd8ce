//! Asks for the coupling of fixes with mutants, by tests: finds the fixes, then measures one at a time.

use std::collections::BTreeMap;
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
use super::measure::End;
use super::measure::Measure;
use super::outcome::TestedCoupling;
use super::outcome::TestedFix;
use super::outcome::TestedOutcome;
use super::outcome::Unmeasurable;
use super::suite::Surroundings;
use super::trees::Revisions;
use super::trees::Trees;

/// What is asked, and how tests are run.
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
}

/// A small fix that came with a test.
pub struct FoundFix {
    fix: SmallFix,
    parent: String,
    changed: Vec<ChangedPath>,
    fault: Fault,
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
    cache: TemporaryDirectory,
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
        let cache = TemporaryDirectory::new("cache")
            .map_err(|error| HistoryError::Io { path: "a temporary directory".into(), error })?;
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
        Ok(FoundFixes { subject, cache, fixes })
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
        let fault = match self.coupling.fault(snapshots, &fix)? {
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
        Ok(Some(FoundFix { fix, parent, changed, fault, commit, subject, path, line }))
    }

    /// Measures one fix; none if it was stopped.
    pub fn measure(&self, found: &FoundFixes, fix: &FoundFix, events: &Events) -> Option<TestedFix> {
        let begun = Instant::now();
        let (how, outcome) = match self.trees(found, fix) {
            Ok(Some(trees)) => self.within_time(found, fix, &trees, events),
            Ok(None) => (String::new(), Err(End::Unmeasurable(unplaced()))),
            // A partial clone lacks some files of some revisions.
            Err(error) => (String::new(), Err(End::Unmeasurable(Unmeasurable::Failed(error.to_string())))),
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(End::Unmeasurable(why)) => TestedOutcome::Unmeasurable(why),
            Err(End::Stopped) => return None,
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

    fn trees(&self, found: &FoundFixes, fix: &FoundFix) -> Result<Option<Trees>, CouplingError> {
        let revisions = Revisions {
            def: self.coupling.def,
            snapshots: &Snapshots::open(&found.subject.path)?,
            tests: &test_files(self.coupling.def)?,
            fix: &fix.fix,
            parent: &fix.parent,
            changed: &fix.changed,
        };
        Ok(revisions.trees(&fix.fault)?)
    }

    fn within_time(
        &self,
        found: &FoundFixes,
        fix: &FoundFix,
        trees: &Trees,
        events: &Events,
    ) -> (String, Result<TestedOutcome, End>) {
        let around = Surroundings {
            def: self.coupling.def,
            config: self.config,
            sandbox: self.sandbox,
            outer: &self.outer,
            cache: found.cache.path(),
            jobs: self.jobs,
        };
        let measure = Measure {
            around: &around,
            columns: self.coupling.columns,
            fit: self.coupling.fit,
            fault: &fix.fault,
            trees,
            most: self.most,
            events,
        };
        let ((how, outcome), late) = within(self.each, &events.progress, || measure.run());
        match outcome {
            Err(End::Stopped) if late => (how, Err(End::Unmeasurable(Unmeasurable::TooLong))),
            outcome => (how, outcome),
        }
    }
}

fn unplaced() -> Unmeasurable {
    Unmeasurable::Failed("the fixing lines are not one block of the revision before".into())
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

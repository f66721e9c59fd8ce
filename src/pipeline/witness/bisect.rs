//! Searches a history for the commit that brought the fault, where it has a good revision.
//!
//! In: a range of revisions, and how one is built. Out: the first bad commit, and the functions that it changes. Each
//! revision is checked out and built in a directory of its own.

use std::path::Path;
use std::path::PathBuf;

use crate::analysis::witness::Bisection;
use crate::analysis::witness::Tested;
use crate::control::Events;
use crate::control::Phase;
use crate::exec::Spec;
use crate::exec::Streams;
use crate::files::TemporaryDirectory;
use crate::history::Snapshots;
use crate::history::blocks;
use crate::insert::function_lines;
use crate::langdef::language_of_file;

use super::coverage::BrokenProgram;
use super::error::WitnessError;
use super::judge::Judge;
use super::judge::Judged;
use super::request::BisectRequest;
use super::request::Oracle;
use super::request::WitnessRequest;

/// Digits of a commit's id that are shown.
const SHORT: usize = 10;

/// The commit that brought the fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstBad {
    pub commit: String,
    /// The first line of its message.
    pub subject: String,
    /// Functions that it changes, with their files as seen from the sources.
    pub changes: Vec<(String, String)>,
    /// Revisions that were built.
    pub tried: usize,
    /// Other commits that may be it, since they could not be tried.
    pub or: Vec<String>,
}

/// Searches a history.
pub fn bisect(
    request: &WitnessRequest,
    bisect: &BisectRequest,
    events: &Events,
) -> Result<FirstBad, WitnessError> {
    events.enter(Phase::Bisecting);
    let revisions = Revisions::new(request, bisect, events)?;
    let range = revisions.snapshots.range(&bisect.range)?;
    let ids: Vec<&String> = range.commits.iter().map(|(id, _)| id).collect();
    let Some(newest) = ids.last() else {
        return Err(WitnessError::EmptyRange { range: bisect.range.clone() });
    };
    revisions.expect(&range.start, Tested::Good)?;
    revisions.expect(newest, Tested::Bad)?;
    let parents: Vec<Vec<u32>> = range.commits.iter().map(|(_, parents)| parents.clone()).collect();
    let mut bisection = Bisection::new(&parents);
    let mut tried = 2;
    while let Some(next) = bisection.next() {
        let left = bisection.candidates().len();
        events.at(Phase::Bisecting, format!("{left} of {} commits left", ids.len()));
        bisection.answer(next, revisions.test(ids[next as usize])?.0);
        tried += 1;
    }
    let candidates = bisection.candidates();
    let first = ids[*candidates.last().unwrap_or(&0) as usize];
    let or = candidates.iter().rev().skip(1).map(|at| short(ids[*at as usize])).collect();
    Ok(FirstBad {
        commit: first.clone(),
        subject: revisions.snapshots.subject(first)?,
        changes: revisions.changes(first)?,
        tried,
        or,
    })
}

/// Revisions that are checked out, built and tried with the failing program.
struct Revisions<'a> {
    request: &'a WitnessRequest<'a>,
    bisect: &'a BisectRequest,
    events: &'a Events,
    snapshots: Snapshots,
    /// The sources and the directory of commands, as seen from the root of the repository.
    sources: PathBuf,
    directory: PathBuf,
}

impl<'a> Revisions<'a> {
    fn new(
        request: &'a WitnessRequest<'a>,
        bisect: &'a BisectRequest,
        events: &'a Events,
    ) -> Result<Self, WitnessError> {
        let snapshots = Snapshots::around(&request.sources)?;
        let root = snapshots.root().unwrap_or_default();
        let inside = |path: &Path| {
            let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            real.strip_prefix(&root).unwrap_or(Path::new("")).to_owned()
        };
        let (sources, directory) = (inside(&request.sources), inside(&request.directory));
        Ok(Self { request, bisect, events, snapshots, sources, directory })
    }

    /// Refuses an end of the range that is not what it should be.
    fn expect(&self, commit: &str, wanted: Tested) -> Result<(), WitnessError> {
        let (tested, why) = self.test(commit)?;
        if tested == wanted {
            return Ok(());
        }
        let (commit, range) = (short(commit), self.bisect.range.clone());
        Err(match wanted {
            Tested::Good => WitnessError::NotGood { commit, range, why },
            _ => WitnessError::NotBad { commit, range, why },
        })
    }

    /// Builds a revision and runs the failing program; its result, and why.
    fn test(&self, commit: &str) -> Result<(Tested, String), WitnessError> {
        let home = TemporaryDirectory::new("revision").map_err(WitnessError::io("temporary directory"))?;
        let tree = home.path().join("tree");
        self.snapshots.check_out(commit, &tree)?;
        let directory = tree.join(&self.directory);
        if !directory.is_dir() {
            return Ok((Tested::Skipped, "the directory of the commands does not exist there".into()));
        }
        let sandbox = self.request.containment.builds(std::slice::from_ref(&tree));
        let sandbox = sandbox.map_err(WitnessError::io("sandbox"))?;
        let build = Spec::shell(&self.bisect.build, &directory).streams(Streams::Apart).sandboxed(&sandbox);
        let built = build.stopped_by(&self.events.progress).run().map_err(WitnessError::io("--build"))?;
        if self.events.progress.stopped() {
            return Err(WitnessError::Stopped);
        }
        if !built.is_success() {
            let said = String::from_utf8_lossy(&built.stderr);
            let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("--build fails");
            return Ok((Tested::Skipped, format!("it does not build: {last}")));
        }
        let broken = BrokenProgram::unwatched(directory);
        let mut judge = Judge::new(self.request, &broken, &self.events.progress)?;
        judge.oracle = self.own_oracle();
        Ok(match judge.learn_reference().and_then(|()| judge.run_text(&self.request.text)) {
            Ok(tried) => match tried.judged {
                Judged::Passes => (Tested::Good, "it passes".into()),
                Judged::Fails(failure) => (Tested::Bad, failure.says()),
                Judged::Unjudged(why) => (Tested::Skipped, why),
            },
            Err(WitnessError::NoCommand { command, .. }) => (
                Tested::Skipped,
                format!(
                    "{command} does not exist \
                there"
                ),
            ),
            Err(error) => return Err(error),
        })
    }

    /// The oracle; a script of the user's is run from where it is, since revisions need not have it.
    fn own_oracle(&self) -> Oracle {
        let Oracle::Script(command) = &self.request.oracle else { return self.request.oracle.clone() };
        let (script, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let path = self.request.directory.join(script);
        match script.contains('/') && path.is_file() {
            true => Oracle::Script(format!("'{}' {rest}", path.display())),
            false => Oracle::Script(command.clone()),
        }
    }

    /// The functions of the sources that a commit changes.
    fn changes(&self, commit: &str) -> Result<Vec<(String, String)>, WitnessError> {
        let parent = self.snapshots.parent(commit)?;
        let mut all = Vec::new();
        for changed in self.snapshots.changed(commit)? {
            let path = PathBuf::from(String::from_utf8_lossy(&changed.path).into_owned());
            let Ok(inside) = path.strip_prefix(&self.sources) else { continue };
            let Ok(def) = language_of_file(&path) else { continue };
            let text = |commit: &str| self.snapshots.file(commit, &changed.path);
            let after = text(commit)?.unwrap_or_default();
            let before = parent.as_deref().map(text).transpose()?.flatten().unwrap_or_default();
            let outline = function_lines(&def, &after);
            for block in blocks(&before, &after) {
                let line = |at: u32| memchr::memchr_iter(b'\n', &after[..at as usize]).count() as u32 + 1;
                let first = line(block.after.start);
                let last = line(block.after.end.max(block.after.start + 1) - 1).max(first);
                let touched =
                    outline.iter().filter(|function| function.first <= last && first <= function.last);
                all.extend(touched.map(|function| (inside.display().to_string(), function.name.clone())));
            }
        }
        all.sort();
        all.dedup();
        Ok(all)
    }
}

fn short(commit: &str) -> String {
    commit[..commit.len().min(SHORT)].to_owned()
}

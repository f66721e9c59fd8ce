//! Which mutants compile: each is put into a copy of the target, and a command says yes or no.

use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use crate::control::Progress;
use crate::control::Stopped;
use crate::control::share_turns;
use crate::exec::Ended;
use crate::exec::Spec;
use crate::workspace::Copying;
use crate::workspace::Workspace;

/// How mutants are tried.
#[derive(Clone, Debug)]
pub struct Check {
    /// The directory that is copied; the command runs in the copy.
    pub root: PathBuf,
    /// A command line for `sh`; `{file}` and `$1` are the file that changed, relative to the root.
    pub command: String,
    pub limit: Duration,
    /// Copies that are tried in at the same time.
    pub threads: usize,
}

/// A mutant to be tried.
pub struct Trial<'a> {
    /// Relative to the root.
    pub file: &'a Path,
    pub original: &'a [u8],
    /// Makes the changed text; called when its turn comes.
    pub mutate: Box<dyn Fn() -> Vec<u8> + Send + Sync + 'a>,
}

/// What came of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Viability {
    /// The command was content.
    Viable,
    /// It was not; the first line that it said.
    Broken(String),
    TimedOut,
    /// Not tried: stopped before its turn.
    Untried,
}

impl Check {
    /// Runs the command for a file.
    fn ask(&self, workspace: &Workspace, file: &Path) -> io::Result<Viability> {
        let line = self.command.replace("{file}", "\"$1\"");
        let outcome = Spec::shell(&line, workspace.path()).arg(file).time(self.limit).run()?;
        Ok(match outcome.ended {
            Ended::Code(0) => Viability::Viable,
            Ended::TimedOut => Viability::TimedOut,
            _ => Viability::Broken(first_line(&outcome.stdout)),
        })
    }

    /// Whether a file of the unchanged target passes; what the command says if not.
    pub fn baseline(&self, workspace: &Workspace, file: &Path) -> io::Result<Viability> {
        self.ask(workspace, file)
    }
}

/// The first line that says something, an error if there is one.
fn first_line(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.clone().next().unwrap_or("");
    lines.find(|line| line.contains("error")).unwrap_or(first).trim().to_owned()
}

/// Why trials end before all mutants are tried.
enum TrialsEnd {
    Stopped,
    Failed(io::Error),
}

impl From<Stopped> for TrialsEnd {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<io::Error> for TrialsEnd {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Tries mutants and gives the verdicts in their order. The progress counts them and may stop the work.
pub fn try_mutants(check: &Check, trials: &[Trial], progress: &Progress) -> io::Result<Vec<Viability>> {
    let verdicts: Mutex<Vec<Viability>> = Mutex::new(vec![Viability::Untried; trials.len()]);
    let equip = |_| Ok(Workspace::copy(&check.root, &Copying::default())?);
    let ended = share_turns(check.threads, trials.len(), progress, equip, |workspace, turn| {
        let trial = &trials[turn];
        workspace.write(trial.file, &(trial.mutate)())?;
        let verdict = check.ask(workspace, trial.file)?;
        workspace.write(trial.file, trial.original)?;
        verdicts.lock().expect("no worker panics with the lock")[turn] = verdict;
        progress.advance(1024);
        Ok(())
    });
    match ended {
        Err(TrialsEnd::Failed(error)) => Err(error),
        Ok(()) | Err(TrialsEnd::Stopped) => {
            Ok(verdicts.into_inner().expect("no worker panics with the lock"))
        }
    }
}

//! Which mutants compile: each is put into a copy of the target, and a command says yes or no.

use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use crate::control::Progress;
use crate::control::Stopped;
use crate::control::share_turns;
use crate::engine::Compilers;
use crate::exec::Ended;
use crate::exec::Sandbox;
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
    /// What the command may do.
    pub compilers: Compilers,
}

/// A mutant to be tried.
pub struct Trial<'a> {
    /// Relative to the root.
    pub file: &'a Path,
    pub original: &'a [u8],
    /// Makes the changed text; called when its turn comes.
    pub mutate: Box<dyn Fn() -> Vec<u8> + Send + Sync + 'a>,
}

/// The result of a mutant.
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

/// A copy of the target, and what the command may do in it.
struct CheckedCopy {
    workspace: Workspace,
    sandbox: Sandbox,
}

impl Check {
    /// Runs the command for a file.
    fn ask(&self, copy: &CheckedCopy, file: &Path) -> io::Result<Viability> {
        let line = self.command.replace("{file}", "\"$1\"");
        let spec = Spec::shell(&line, copy.workspace.path()).arg(file).time(self.limit);
        let outcome = spec.sandboxed(&copy.sandbox).run()?;
        Ok(match outcome.ended {
            Ended::Code(0) => Viability::Viable,
            Ended::TimedOut => Viability::TimedOut,
            _ => Viability::Broken(first_line(&outcome.stdout)),
        })
    }

    /// Whether a file of the unchanged target passes; what the command says if not. A command that only passes where
    /// it may write to the temporary directories that all programs share may do so from now on.
    pub fn baseline(&self, file: &Path) -> io::Result<Viability> {
        let kept_in = self.ask(&self.copy()?, file)?;
        if kept_in == Viability::Viable || !self.compilers.containment.share_temporary(true) {
            return Ok(kept_in);
        }
        let sharing = self.ask(&self.copy()?, file)?;
        if sharing != Viability::Viable {
            self.compilers.containment.share_temporary(false);
        }
        Ok(sharing)
    }

    fn copy(&self) -> io::Result<CheckedCopy> {
        let workspace = Workspace::copy(&self.root, &Copying::default())?;
        let sandbox = self.compilers.sandbox(&self.command, workspace.path())?;
        Ok(CheckedCopy { workspace, sandbox })
    }
}

/// The first line that says something, an error if there is one.
fn first_line(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.clone().next().unwrap_or("");
    lines.find(|line| line.contains("error")).unwrap_or(first).trim().to_owned()
}

/// Tries mutants and gives the verdicts in their order. The progress counts them and may stop the work; what was
/// not tried then is said to be so.
pub fn try_mutants(check: &Check, trials: &[Trial], progress: &Progress) -> io::Result<Vec<Viability>> {
    let verdicts: Mutex<Vec<Viability>> = Mutex::new(vec![Viability::Untried; trials.len()]);
    let copy = |_| check.copy().map_err(TrialStop::Io);
    let tried = share_turns(check.threads, trials.len(), progress, copy, |copy, turn| {
        let trial = &trials[turn];
        copy.workspace.write(trial.file, &(trial.mutate)())?;
        let verdict = check.ask(copy, trial.file)?;
        copy.workspace.write(trial.file, trial.original)?;
        verdicts.lock().expect("the lock is not poisoned")[turn] = verdict;
        progress.advance(1024);
        Ok(())
    });
    match tried {
        Ok(()) | Err(TrialStop::Stopped) => Ok(verdicts.into_inner().expect("the lock is not poisoned")),
        Err(TrialStop::Io(error)) => Err(error),
    }
}

/// Why trials ended early.
enum TrialStop {
    Stopped,
    Io(io::Error),
}

impl From<Stopped> for TrialStop {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<io::Error> for TrialStop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

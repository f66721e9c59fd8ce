//! A program whose statements are all instrumented: coverage without a coverage tool.
//!
//! In: a project, and the files that are watched. Out: a copy that was built with a guard in every statement, and what
//! a run must be given so that it says which statements it executed.

use std::path::Path;
use std::path::PathBuf;

use roaring::RoaringBitmap;

use crate::control::Events;
use crate::control::Phase;
use crate::files::TemporaryDirectory;
use crate::insert::Inserter;
use crate::runner::RunError;
use crate::runner::reach_file;
use crate::runner::read_reach;
use crate::workspace::Workspace;

use super::driver::BuildError;
use super::driver::Driver;
use super::error::TestError;
use super::project::Project;
use super::watching::Watching;
use super::workbench::Workbench;

/// Variables that put what is built somewhere else than into the copy, where nobody would look for it.
const ELSEWHERE: &str = "CARGO_TARGET_DIR";
/// The variable by which a run is told where to note what it executes.
const REACH: &str = "WILDCAUGHT_REACH";

/// A copy of a program that was built with every statement watched.
pub struct WatchedCopy {
    workspace: Workspace,
    _scratch: TemporaryDirectory,
    env: Vec<(String, String)>,
    units: u32,
    /// Per watched statement its unit, the file's place in the target, and its first line.
    statements: Vec<(u32, usize, u32)>,
}

impl WatchedCopy {
    /// Copies and builds a program. Statements that cannot be watched are not; a warning says how many functions.
    pub fn build(
        project: &Project,
        inserter: &Inserter,
        paths: &[PathBuf],
        events: &Events,
    ) -> Result<Self, TestError> {
        let mut watching = Watching::new(inserter);
        let mut bench = Workbench::set_up(project, inserter.def, watching.count(), events)?;
        if !project.outer.contains_key(ELSEWHERE) {
            bench.env.retain(|(key, _)| key != ELSEWHERE);
        }
        let Some(runtime) = &bench.runtime else {
            let language = inserter.def.name();
            return Err(TestError::Baseline(format!("statements of {language} cannot be instrumented")));
        };
        let units = runtime.units();
        let driver = Driver { bench: &bench, runtime, inserter, paths, phase: Phase::BuildingWatched };
        match driver.build(&mut watching) {
            Ok(_) => {}
            Err(BuildError::Run(error)) => return Err(error.into()),
            Err(BuildError::Hopeless(said)) => {
                return Err(TestError::Baseline(format!("the program does not build:\n{said}")));
            }
        }
        if watching.watched() == 0 {
            let language = inserter.def.name();
            return Err(TestError::Baseline(match watching.said() {
                None => format!(
                    "the sources have no statements in {language}; name another language with --sources-language"
                ),
                Some(why) => format!(
                    "no statement can be instrumented ({why}); the build must also compile files added beside \
                     the sources, such as wildcaught/rt/W.java (javac -sourcepath)"
                ),
            }));
        }
        watching.warn_of_unwatched(events, "they are not ranked");
        let (statements, env) = (watching.places(), bench.env.clone());
        let (workspace, scratch) = bench.into_directories();
        Ok(Self { workspace, _scratch: scratch, env, units, statements })
    }

    /// Where the copy is.
    pub fn tree(&self) -> &Path {
        self.workspace.path()
    }

    /// Makes a file ready for a run to note in what it executes; variables to run it with.
    pub fn prepare(&self, file: &Path) -> Result<Vec<(String, String)>, RunError> {
        reach_file(file, self.units as usize)?;
        let mut env = self.env.clone();
        env.push((REACH.into(), file.display().to_string()));
        Ok(env)
    }

    /// The statements that a run executed: the file's place in the target, and the first line.
    pub fn executed(&self, file: &Path) -> Result<Vec<(usize, u32)>, RunError> {
        let reached: RoaringBitmap = read_reach(file)?;
        let passed = self.statements.iter().filter(|(unit, ..)| reached.contains(*unit));
        Ok(passed.map(|(_, file, line)| (*file, *line)).collect())
    }
}

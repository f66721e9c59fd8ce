//! What a run executed: how it is made to say so, and where that is found afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::control::Events;
use crate::engine::WatchedCopy;
use crate::exec::Spec;
use crate::files::TemporaryDirectory;
use crate::matrix::ArcsError;
use crate::matrix::Counters;
use crate::matrix::FileLines;
use crate::matrix::LineCoverage;
use crate::matrix::coverage_from;

use super::error::WitnessError;
use super::request::CoverageSource;
use super::request::WitnessRequest;
use super::stack::Symbols;
use super::watch::WatchedProgram;
use super::watch::watched_program;

/// Makes coverage of programs that crash.
const CRASH: &str = include_str!("crash.c");
/// The share of the time limit after which a program that hangs writes what it executed.
const DUMP_SHARE: f64 = 0.8;
/// Coverage that a command may print, in bytes.
const MOST_PRINTED: u64 = 256 << 20;

/// The file in which a run that crashes notes where it is.
const STACK: &str = "stack";
/// The file in which a watched run notes what it executes.
const REACHED: &str = "reached";

/// What a run executed, as it was found.
pub enum Executed {
    /// Per object file its notes' path and the counters.
    Counters(Vec<(PathBuf, Counters)>),
    Lines(LineCoverage),
}

/// What makes runs say what they executed.
enum Means {
    Source(CoverageSource),
    /// A copy that was built for it, and the paths of its files.
    Watched(Box<WatchedCopy>, Vec<String>),
    /// Only the verdicts are wanted.
    Nothing,
}

/// The broken program: where its commands are run, and how its runs say what they executed.
pub struct BrokenProgram {
    pub directory: PathBuf,
    means: Means,
    /// Loaded into programs that would crash without writing their coverage.
    crash: Option<(TemporaryDirectory, PathBuf)>,
    symbols: Symbols,
}

impl BrokenProgram {
    /// The program as it was built by the user, or built here so that its statements are watched.
    pub fn new(request: &WitnessRequest, events: &Events) -> Result<Self, WitnessError> {
        let CoverageSource::Reach { build, language } = &request.coverage else {
            let (directory, means) = (request.directory.clone(), Means::Source(request.coverage.clone()));
            return Ok(Self { directory, means, crash: None, symbols: Symbols::default() });
        };
        let WatchedProgram { copy, files } = watched_program(request, build, language.as_deref(), events)?;
        let root = fs::canonicalize(&request.sources).unwrap_or_else(|_| request.sources.clone());
        // Commands are run at the same place of the copy, if that has one.
        let inside = request.directory.strip_prefix(&root).unwrap_or(Path::new(""));
        let directory = copy.tree().join(inside);
        Ok(Self {
            directory,
            means: Means::Watched(Box::new(copy), files),
            crash: None,
            symbols: Symbols::default(),
        })
    }

    /// A program in a directory whose coverage is not asked for.
    pub fn unwatched(directory: PathBuf) -> Self {
        Self { directory, means: Means::Nothing, crash: None, symbols: Symbols::default() }
    }

    /// Where a run was when it crashed: functions, the innermost first; nothing where signals are not caught.
    pub fn stack(&self, directory: &Path) -> Vec<String> {
        self.symbols.stack(&directory.join(STACK))
    }

    /// From now on, programs that crash or hang write their coverage first.
    pub fn catch_crashes(&mut self) -> Result<(), WitnessError> {
        let directory = TemporaryDirectory::new("crash").map_err(WitnessError::io("temporary directory"))?;
        let (source, library) = (directory.path().join("crash.c"), directory.path().join("crash.so"));
        fs::write(&source, CRASH).map_err(WitnessError::io("cannot write crash.c"))?;
        let cc = Spec::program("cc", directory.path()).args(["-O1", "-shared", "-fPIC", "-o"]);
        let seen = cc.arg(&library).arg(&source).run().map_err(WitnessError::io("cc"))?;
        if !seen.is_success() {
            let said = String::from_utf8_lossy(&seen.stdout).into_owned();
            return Err(WitnessError::Tool { what: "cc".into(), said });
        }
        self.crash = Some((directory, library));
        Ok(())
    }

    /// Variables with which a run leaves its coverage in a directory.
    pub fn environment(
        &self,
        directory: &Path,
        timeout: Duration,
    ) -> Result<Vec<(String, String)>, WitnessError> {
        let said = directory.display().to_string();
        let mut variables = match &self.means {
            Means::Source(CoverageSource::Gcov) => vec![("GCOV_PREFIX".into(), said)],
            Means::Source(CoverageSource::Llvm { .. }) => {
                vec![("LLVM_PROFILE_FILE".into(), format!("{said}/%p-%m.profraw"))]
            }
            Means::Source(_) => vec![("WILDCAUGHT_COVERAGE".into(), said)],
            Means::Watched(copy, _) => copy.prepare(&directory.join(REACHED))?,
            Means::Nothing => vec![],
        };
        if let Some((_, library)) = &self.crash {
            let after = timeout.mul_f64(DUMP_SHARE).as_millis();
            variables.extend([
                ("LD_PRELOAD".into(), library.display().to_string()),
                ("WILDCAUGHT_DUMP_AFTER_MS".into(), after.to_string()),
                ("WILDCAUGHT_STACK".into(), directory.join(STACK).display().to_string()),
                // What else is run must not refuse to start beside it.
                ("ASAN_OPTIONS".into(), "verify_asan_link_order=0".into()),
            ]);
        }
        Ok(variables)
    }

    /// What a run left; none if nothing.
    pub fn collect(&self, directory: &Path) -> Result<Option<Executed>, WitnessError> {
        match &self.means {
            Means::Source(CoverageSource::Gcov) => counters(directory),
            Means::Source(CoverageSource::Llvm { binary }) => llvm(directory, binary, &self.directory),
            Means::Source(CoverageSource::Command(command)) => {
                let line = command.replace("{dir}", "\"$1\"");
                let spec = Spec::shell(line, &self.directory).arg(directory).keep(MOST_PRINTED);
                lines(spec.env("WILDCAUGHT_COVERAGE", directory), command)
            }
            Means::Watched(copy, files) => reached(copy, files, &directory.join(REACHED)),
            Means::Source(CoverageSource::Reach { .. }) | Means::Nothing => Ok(None),
        }
    }
}

/// The statements that a watched run executed.
fn reached(copy: &WatchedCopy, files: &[String], noted: &Path) -> Result<Option<Executed>, WitnessError> {
    let mut found = FileLines::new();
    for (file, line) in copy.executed(noted)? {
        found.entry(files[file].clone()).or_default().insert(line);
    }
    let any = !found.is_empty();
    let tests = BTreeMap::from([(REACHED.to_owned(), found)]);
    Ok(any.then_some(Executed::Lines(LineCoverage { tests, ..LineCoverage::default() })))
}

/// Reads all counters below a directory. What stands there is called as the object files are, from the root on.
fn counters(directory: &Path) -> Result<Option<Executed>, WitnessError> {
    let mut found = Vec::new();
    for path in files_below(directory, "gcda")? {
        let bytes = fs::read(&path).map_err(|source| WitnessError::Read { path: path.clone(), source })?;
        let counters = match Counters::read(&bytes, &path.display().to_string()) {
            // A run that was ended while it wrote.
            Err(ArcsError::Damaged { .. } | ArcsError::Magic { .. }) => return Ok(None),
            read => read?,
        };
        let inside = path.strip_prefix(directory).unwrap_or(&path);
        found.push((Path::new("/").join(inside).with_extension("gcno"), counters));
    }
    Ok((!found.is_empty()).then_some(Executed::Counters(found)))
}

/// Merges the profiles of a run and reads them as lcov.
fn llvm(directory: &Path, binary: &Path, place: &Path) -> Result<Option<Executed>, WitnessError> {
    let profiles = files_below(directory, "profraw")?;
    if profiles.is_empty() {
        return Ok(None);
    }
    let merged = directory.join("merged.profdata");
    let merge = Spec::program("llvm-profdata", place).args(["merge", "-sparse", "-o"]);
    let seen = merge.arg(&merged).args(&profiles).run().map_err(WitnessError::io("llvm-profdata"))?;
    if !seen.is_success() {
        let said = String::from_utf8_lossy(&seen.stdout).into_owned();
        return Err(WitnessError::Tool { what: "llvm-profdata merge".into(), said });
    }
    let export = Spec::program("llvm-cov", place).args(["export", "--format=lcov"]);
    let mut profile = std::ffi::OsString::from("--instr-profile=");
    profile.push(&merged);
    lines(export.arg(profile).arg(binary).keep(MOST_PRINTED), "llvm-cov export")
}

fn lines(spec: Spec, what: &str) -> Result<Option<Executed>, WitnessError> {
    let seen = spec.streams(crate::exec::Streams::Apart).run().map_err(WitnessError::io(what))?;
    if !seen.is_success() {
        let said = String::from_utf8_lossy(&seen.stderr).trim().to_owned();
        return Err(WitnessError::Tool { what: what.to_owned(), said });
    }
    if seen.stdout.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&seen.stdout);
    Ok(Some(Executed::Lines(coverage_from(&text, what, "run")?)))
}

/// Files with an ending below a directory, sorted.
fn files_below(directory: &Path, ending: &str) -> Result<Vec<PathBuf>, WitnessError> {
    let mut found = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(next) = directories.pop() {
        let unread = |source| WitnessError::Read { path: next.clone(), source };
        for entry in fs::read_dir(&next).map_err(unread)? {
            let entry = entry.map_err(unread)?;
            let kind = entry.file_type().map_err(unread)?;
            let path = entry.path();
            if kind.is_dir() {
                directories.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|found| found == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

//! What a run executed: how it is made to say so, and where that is found afterwards.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::exec::Spec;
use crate::files::TemporaryDirectory;
use crate::matrix::ArcsError;
use crate::matrix::Counters;
use crate::matrix::LineCoverage;
use crate::matrix::coverage_from;

use super::error::WitnessError;
use super::request::CoverageSource;
use super::request::WitnessRequest;

/// Makes coverage of programs that crash.
const CRASH: &str = include_str!("crash.c");
/// The share of the time limit after which a program that hangs writes what it executed.
const DUMP_SHARE: f64 = 0.8;
/// Coverage that a command may print, in bytes.
const MOST_PRINTED: u64 = 256 << 20;

/// What a run executed, as it was found.
pub enum Executed {
    /// Per object file its notes' path and the counters.
    Counters(Vec<(PathBuf, Counters)>),
    Lines(LineCoverage),
}

/// How coverage is collected.
pub struct Collector {
    source: CoverageSource,
    /// Loaded into programs that would crash without a word.
    crash: Option<(TemporaryDirectory, PathBuf)>,
}

impl Collector {
    pub fn new(source: &CoverageSource) -> Self {
        Self { source: source.clone(), crash: None }
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
    pub fn environment(&self, directory: &Path, timeout: Duration) -> Vec<(String, String)> {
        let directory = directory.display().to_string();
        let mut variables = match &self.source {
            CoverageSource::Gcov => vec![("GCOV_PREFIX".into(), directory)],
            CoverageSource::Llvm { .. } => {
                vec![("LLVM_PROFILE_FILE".into(), format!("{directory}/%p-%m.profraw"))]
            }
            CoverageSource::Command(_) => vec![("WILDCAUGHT_COVERAGE".into(), directory)],
        };
        if let Some((_, library)) = &self.crash {
            let after = timeout.mul_f64(DUMP_SHARE).as_millis();
            variables.extend([
                ("LD_PRELOAD".into(), library.display().to_string()),
                ("WILDCAUGHT_DUMP_AFTER_MS".into(), after.to_string()),
                // What else is run must not refuse to start beside it.
                ("ASAN_OPTIONS".into(), "verify_asan_link_order=0".into()),
            ]);
        }
        variables
    }

    /// What a run left; none if nothing.
    pub fn collect(
        &self,
        directory: &Path,
        request: &WitnessRequest,
    ) -> Result<Option<Executed>, WitnessError> {
        match &self.source {
            CoverageSource::Gcov => counters(directory),
            CoverageSource::Llvm { binary } => llvm(directory, binary, request),
            CoverageSource::Command(command) => {
                let line = command.replace("{dir}", "\"$1\"");
                let spec = Spec::shell(line, &request.directory).arg(directory).keep(MOST_PRINTED);
                lines(spec.env("WILDCAUGHT_COVERAGE", directory), command)
            }
        }
    }
}

/// Reads all counters below a directory. What stands there is called as the object files are, from the root on.
fn counters(directory: &Path) -> Result<Option<Executed>, WitnessError> {
    let mut found = Vec::new();
    for path in files_below(directory, "gcda")? {
        let bytes = fs::read(&path).map_err(|source| WitnessError::Read { path: path.clone(), source })?;
        let counters = match Counters::read(&bytes, &path.display().to_string()) {
            // A run that was ended while it wrote.
            Err(ArcsError::Damaged { .. }) => return Ok(None),
            read => read?,
        };
        let inside = path.strip_prefix(directory).unwrap_or(&path);
        found.push((Path::new("/").join(inside).with_extension("gcno"), counters));
    }
    Ok((!found.is_empty()).then_some(Executed::Counters(found)))
}

/// Merges the profiles of a run and reads them as lcov.
fn llvm(
    directory: &Path,
    binary: &Path,
    request: &WitnessRequest,
) -> Result<Option<Executed>, WitnessError> {
    let profiles = files_below(directory, "profraw")?;
    if profiles.is_empty() {
        return Ok(None);
    }
    let merged = directory.join("merged.profdata");
    let merge = Spec::program("llvm-profdata", &request.directory).args(["merge", "-sparse", "-o"]);
    let seen = merge.arg(&merged).args(&profiles).run().map_err(WitnessError::io("llvm-profdata"))?;
    if !seen.is_success() {
        let said = String::from_utf8_lossy(&seen.stdout).into_owned();
        return Err(WitnessError::Tool { what: "llvm-profdata merge".into(), said });
    }
    let export = Spec::program("llvm-cov", &request.directory).args(["export", "--format=lcov"]);
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

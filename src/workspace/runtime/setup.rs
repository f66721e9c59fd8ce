//! The trait of a runtime, and where it is installed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::exec::Spec;
use crate::insert::SourceFile;

/// How long a compiler may take for a runtime.
const LIMIT: Duration = Duration::from_secs(300);

/// Variables to set, in order.
pub type Env = Vec<(String, String)>;

/// Why a runtime cannot be used.
#[derive(Debug, Error)]
pub enum RuntimeError {
    #[error("unknown runtime {0:?}; see [switch] runtime in the language definition")]
    Unknown(String),
    #[error("cannot write the runtime to {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot compile the runtime with {tool}: {said}")]
    Compile { tool: &'static str, said: String },
}

/// The runtime of a language. Runtimes have no state: what they need is in the [`Setup`].
pub trait LanguageRuntime: Sync {
    /// Writes and compiles what the runtime consists of. Returns the environment to build and run the target in.
    fn install(&self, _setup: &Setup, _outer: &Outer) -> Result<Env, RuntimeError> {
        Ok(Env::new())
    }

    /// The environment to build a mutant by itself in, from that of [`LanguageRuntime::install`]: the project's own
    /// options decide what an error is.
    fn plain(&self, env: &Env) -> Env {
        env.clone()
    }

    /// A file of the meta-program with what the runtime needs in it. Its lines keep their numbers.
    fn dress(&self, _setup: &Setup, _file: &SourceFile, text: &[u8]) -> Vec<u8> {
        text.to_vec()
    }

    /// Files to add to the copy, for these files of the target (paths inside of the copy).
    fn companions(&self, _setup: &Setup, _files: &[(&Path, &SourceFile)]) -> BTreeMap<PathBuf, Vec<u8>> {
        BTreeMap::new()
    }
}

/// Where a runtime is installed, and for how many units.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many units there is room for.
    pub units: u32,
    /// A directory of ours, outside of the target.
    pub directory: PathBuf,
    /// One that outlives a run: build tools build everything anew where a path in their options changes.
    pub kept: PathBuf,
}

/// What is around a runtime while it is installed.
pub struct Outer<'a> {
    /// The copy of the target.
    pub tree: &'a Path,
    /// The environment that wildcaught was started in.
    pub env: &'a BTreeMap<String, String>,
    /// Codes of the only warnings that compilers shall draw.
    pub refused_warnings: &'a [String],
}

impl Setup {
    /// A template with the number of units in it.
    pub fn fill(&self, template: &str) -> String {
        template.replace("@UNITS@", &self.units.to_string())
    }

    /// Writes a file into the directory.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, RuntimeError> {
        let path = self.directory.join(name);
        fs::write(&path, text).map_err(|source| RuntimeError::Io { path: path.clone(), source })?;
        Ok(path)
    }
}

/// Runs a compiler or another tool in a directory.
pub fn run_tool(tool: &'static str, directory: &Path, arguments: &[&Path]) -> Result<(), RuntimeError> {
    let fail = |said: String| RuntimeError::Compile { tool, said };
    let spec = Spec::program(tool, directory).args(arguments.iter().copied()).time(LIMIT);
    let ran = spec.run().map_err(|error| fail(error.to_string()))?;
    if ran.is_success() { Ok(()) } else { Err(fail(String::from_utf8_lossy(&ran.stdout).into_owned())) }
}

/// A directory before those of a variable such as PATH.
pub fn before(first: &str, rest: Option<&String>) -> String {
    match rest {
        Some(rest) if !rest.is_empty() => format!("{first}:{rest}"),
        _ => first.to_owned(),
    }
}

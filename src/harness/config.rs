//! The checked content of `wildcaught.toml`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::exec::SandboxPolicy;
use crate::exec::SetLimits;

use super::check;
use super::file::BuildFile;
use super::file::ConfigFile;
use super::file::LimitsFile;
use super::names::Names;
use super::style::Style;

/// The version of the format.
pub(super) const FORMAT: u32 = 1;

/// How a project is built and tested, and what of it is mutated.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// A name or a definition file; detected from the files if none.
    pub language: Option<String>,
    /// Files and directories that are mutated, seen from the project's root.
    pub sources: Vec<String>,
    /// Globs of files that are not mutated.
    pub exclude: Vec<String>,
    /// Regular expressions of lines that are not mutated.
    pub exclude_lines: Vec<String>,
    /// Names of calls that are not mutated.
    pub skip_calls: Vec<String>,
    /// Operators that are not used, by name or the beginning of an id.
    pub skip_ops: Vec<String>,
    /// Operator sets, by name or file.
    pub ops: Vec<String>,
    /// Names that are not copied.
    pub skip: Vec<String>,
    /// Names to which the copy has a symbolic link.
    pub link: Vec<String>,
    pub build: Build,
    pub tests: Tests,
    pub limits: Limits,
    /// What tests of mutants may do.
    pub sandbox: SandboxPolicy,
}

/// How the project is built.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// None if nothing is built.
    pub command: Option<String>,
    pub timeout: Duration,
    pub env: BTreeMap<String, String>,
}

/// How the project is tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Tests {
    pub style: Style,
    /// Whether documentation tests are run, where there are such.
    pub doc: bool,
    /// Tests that are known to fail.
    pub known_failing: Names,
    /// The tests that are run; all if empty.
    pub only: Names,
    /// Tests that are not run.
    pub skip: Names,
    pub env: BTreeMap<String, String>,
}

/// Limits, and how often tests run.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// How many times as long as in the unchanged program a test may take,
    pub factor: f64,
    /// and the time that it gets in addition.
    pub floor: Duration,
    /// How long a test, or a suite run by one command, may take in the unchanged program.
    pub baseline: Duration,
    /// How often the unchanged program is tested.
    pub repeat: u32,
    /// How many tests run at a time.
    pub jobs: Option<u32>,
}

/// Why a `wildcaught.toml` was refused.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{origin}: {error}")]
    Toml { origin: String, error: toml::de::Error },
    #[error("{origin}: {problem}")]
    Rule { origin: String, problem: ConfigProblem },
}

/// A key, what is wrong with it, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {problem}; {remedy}")]
pub struct ConfigProblem {
    pub key: String,
    pub problem: String,
    pub remedy: String,
}

impl Config {
    /// Reads and checks a file; `origin` names it in errors.
    pub fn parse(text: &str, origin: &str) -> Result<Self, ConfigError> {
        let file: ConfigFile =
            toml::from_str(text).map_err(|error| ConfigError::Toml { origin: origin.into(), error })?;
        Self::try_from(file).map_err(|problem| ConfigError::Rule { origin: origin.into(), problem })
    }

    /// A project that is tested in this way, everything else as it is when nothing is said.
    pub fn new(style: Style) -> Self {
        Self {
            language: None,
            sources: vec![".".into()],
            exclude: Vec::new(),
            exclude_lines: Vec::new(),
            skip_calls: Vec::new(),
            skip_ops: Vec::new(),
            ops: Self::default_ops(),
            skip: Vec::new(),
            link: Vec::new(),
            build: Build::from(BuildFile::default()),
            tests: Tests::new(style),
            limits: Limits::from(&LimitsFile::default()),
            sandbox: SandboxPolicy::default(),
        }
    }

    /// The operator sets that are used when none is named.
    pub(super) fn default_ops() -> Vec<String> {
        vec!["wild".into()]
    }
}

impl TryFrom<ConfigFile> for Config {
    type Error = ConfigProblem;

    fn try_from(file: ConfigFile) -> Result<Self, ConfigProblem> {
        check::file(&file)?;
        let names = |names: Vec<String>| Names::from(names);
        let style = check::style(&file.tests)?;
        let sandbox = sandbox(&file);
        Ok(Self {
            language: file.language,
            sources: file.sources.unwrap_or_else(|| vec![".".into()]),
            exclude: file.exclude,
            exclude_lines: file.exclude_lines,
            skip_calls: file.skip_calls,
            skip_ops: file.skip_ops,
            ops: file.ops.unwrap_or_else(Self::default_ops),
            skip: file.skip,
            link: file.link,
            build: Build::from(file.build),
            tests: Tests {
                style,
                doc: file.tests.doc.unwrap_or(true),
                known_failing: names(file.tests.known_failing),
                only: names(file.tests.only),
                skip: names(file.tests.skip_tests),
                env: file.tests.env,
            },
            sandbox,
            limits: Limits::from(&file.limits),
        })
    }
}

impl Tests {
    /// All tests, run in this way.
    pub fn new(style: Style) -> Self {
        let none = Names::default;
        Self { style, doc: true, known_failing: none(), only: none(), skip: none(), env: BTreeMap::new() }
    }

    /// Whether a test of this name is run.
    pub fn wants(&self, name: &str) -> bool {
        (self.only.is_empty() || self.only.matches(name)) && !self.skip.matches(name)
    }
}

impl From<BuildFile> for Build {
    fn from(file: BuildFile) -> Self {
        let timeout = Duration::from_secs_f64(file.timeout.unwrap_or(600.0));
        Self { command: file.command, timeout, env: file.env }
    }
}

fn sandbox(file: &ConfigFile) -> SandboxPolicy {
    let bytes = |mebibytes: u64| mebibytes.saturating_mul(1 << 20);
    SandboxPolicy {
        mode: file.sandbox.mode.unwrap_or_default(),
        network: file.sandbox.network.unwrap_or(false),
        write: file.sandbox.write.iter().map(PathBuf::from).collect(),
        limits: SetLimits {
            memory: file.limits.memory.map(bytes),
            processes: file.limits.processes,
            file_size: file.limits.file_size.map(bytes),
        },
    }
}

impl From<&LimitsFile> for Limits {
    fn from(file: &LimitsFile) -> Self {
        Self {
            factor: file.factor.unwrap_or(5.0),
            floor: Duration::from_secs_f64(file.floor.unwrap_or(1.0)),
            baseline: Duration::from_secs_f64(file.baseline.unwrap_or(600.0)),
            repeat: file.repeat.unwrap_or(2),
            jobs: file.jobs,
        }
    }
}

//! `wildcaught.toml` as it is written: one struct per table, unknown keys refused.
//!
//! What a key means to people is said once, in `keys.rs`, from where `wildcaught init` takes its comments.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::exec::SandboxMode;

/// A whole `wildcaught.toml`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// Version of the file format; 1.
    pub format: u32,
    /// Language of the sources, a name or a definition file. Default: detected from the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Files and directories to mutate. Default: `["."]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<Vec<String>>,
    /// Globs of files to skip.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Regular expressions of lines to skip.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude_lines: Vec<String>,
    /// Names of calls to skip.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip_calls: Vec<String>,
    /// Operators to skip, by name or beginning of an id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip_ops: Vec<String>,
    /// Operator sets, by name or file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ops: Option<Vec<String>>,
    /// Names of directories and files that are not copied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip: Vec<String>,
    /// Names of directories and files that are linked instead of copied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<String>,
    /// How the project is built.
    #[serde(default, skip_serializing_if = "is_default")]
    pub build: BuildFile,
    /// How it is tested.
    pub tests: TestsFile,
    /// Limits of time, memory and processes, and how often tests run.
    #[serde(default, skip_serializing_if = "is_default")]
    pub limits: LimitsFile,
    /// What tests of mutants may do.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sandbox: SandboxFile,
}

/// `[build]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildFile {
    /// The command that builds program and tests. Default: nothing is built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Time limit in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// Its environment variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

/// `[tests]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestsFile {
    /// How tests are found, run and judged.
    pub preset: String,
    /// The command that runs all tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Globs of the XML reports that the command writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// Globs of files; each file is a test case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
    /// Names of test cases that are not files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub list: Vec<String>,
    /// A file with the arguments of one case per line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub universe: Option<String>,
    /// The command that runs one case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// How to judge a case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle: Option<String>,
    /// The file with the expected output of a case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub golden: Option<String>,
    /// Globs of files that are restored before each case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restore: Vec<String>,
    /// The command that judges the output of a case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Directories with the classes under test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub main: Vec<String>,
    /// Directories with the test classes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test: Vec<String>,
    /// Test classes to leave out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Directories with files that the classes read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<String>,
    /// Jars, or globs of jars.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classpath: Vec<String>,
    /// The build directory in which `ctest` or `meson` runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Whether to run documentation tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<bool>,
    /// Tests that are known to fail, by name or with `*`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_failing: Vec<String>,
    /// Run only these tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Do not run these tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip_tests: Vec<String>,
    /// Environment variables of the tests.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

/// `[limits]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsFile {
    /// A test times out after this many times its time in the unchanged program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// Seconds that are added to this limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<f64>,
    /// Time limit in seconds of a test, or of a suite run by one command, in the unchanged program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<f64>,
    /// How often to test the unchanged program, to find flaky tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// How many tests run at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u32>,
    /// MiB of memory that a run of tests may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Processes that a run of tests may have at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u64>,
    /// MiB of the largest file that a run of tests may write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_size: Option<u64>,
}

/// `[sandbox]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SandboxFile {
    /// The mode of the sandbox. Default: `auto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<SandboxMode>,
    /// Whether tests may use the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<bool>,
    /// Directories outside of the copy that tests may write to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write: Vec<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

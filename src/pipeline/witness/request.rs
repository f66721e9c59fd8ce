//! Inputs of this pipeline.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use regex::bytes::Regex;

use crate::analysis::witness::RankBy;
use crate::analysis::witness::WitnessFormula;
use crate::exec::Containment;
use crate::insert::Arsenal;
use crate::langdef::LangDef;

/// How it is known whether a program shows the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// A command: exit code 0 if all is well, 125 if the program cannot be judged, else it shows the fault.
    Script(String),
    /// The broken program itself, and what it should do.
    Run { command: String, expected: Expected },
}

/// What a run should do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// End with exit code 0, neither crash nor hang.
    Success,
    /// Also print this.
    Output(Vec<u8>),
    /// End and print as this command does. The reference must end as it does with the failing program, else a
    /// program cannot be judged.
    Reference(String),
}

/// Where what a run executed is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverageSource {
    /// Counters of `gcc --coverage`, by `GCOV_PREFIX`.
    Gcov,
    /// Profiles of `clang -fprofile-instr-generate -fcoverage-mapping` of this program.
    Llvm { binary: PathBuf },
    /// A command that prints lcov, gcov JSON, JaCoCo or Cobertura after each run. `{dir}` is the directory of the run.
    Command(String),
    /// Guards that we put into every statement of a copy, which is built by this command. The language of the sources
    /// is the one with most files unless it is given.
    Reach { build: String, language: Option<String> },
}

/// How variations of the failing program are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WitnessSearch {
    /// By the success and the diversity of rules, as in the paper.
    Diwi,
    /// At random.
    Random,
    /// One of every place before a second, then near the closest witnesses.
    #[default]
    Nearest,
}

/// A program that shows a fault of another, and how to look into it.
pub struct WitnessRequest<'a> {
    /// What the file is called, and its text.
    pub name: String,
    pub text: Vec<u8>,
    pub def: &'a LangDef,
    pub arsenal: &'a Arsenal,
    /// Lines that are not changed: they print or check what the oracle looks at.
    pub keep: Regex,
    pub oracle: Oracle,
    /// A program with which this command fails is not judged.
    pub guard: Option<String>,
    pub coverage: CoverageSource,
    /// Where the sources of the broken program are; what lies elsewhere is not ranked.
    pub sources: PathBuf,
    /// Where commands are run.
    pub directory: PathBuf,
    /// Programs of the developers, of which those that pass are compared with.
    pub tests: Vec<PathBuf>,
    pub reduce: bool,
    pub search: WitnessSearch,
    pub formula: WitnessFormula,
    pub by: RankBy,
    /// Variations that are tried.
    pub tries: usize,
    /// Stop looking for witnesses after this time.
    pub budget: Duration,
    /// The longest that a run may take.
    pub timeout: Duration,
    pub seed: u32,
    pub jobs: usize,
    pub containment: Containment,
    /// The environment that wildcaught was started in.
    pub outer: BTreeMap<String, String>,
    /// Search the history of the sources, too.
    pub bisect: Option<BisectRequest>,
}

/// A history with a good and a bad end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BisectRequest {
    /// `GOOD..BAD`, as git has it.
    pub range: String,
    /// Builds a revision.
    pub build: String,
}

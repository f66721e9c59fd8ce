//! The options of `report`, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Write this format.
    #[arg(value_enum, value_name = "FORMAT", default_value_t = FormatArg::Html)]
    pub format: FormatArg,
    /// Write to FILE; `-` is standard output. Default: `report.html` beside the results for a page, standard output
    /// for all other formats.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Read the results from this directory.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// Read source files from this project root. Default: the directory of the settings.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// A self-contained page for browsers.
    Html,
    /// SARIF 2.1.0: missed mutants as notes, for code scanning.
    Sarif,
    /// JUnit XML: one test case per mutant.
    Junit,
    /// Markdown for a comment: figures and the most useful missed mutants.
    Markdown,
    /// Annotations for GitHub Actions.
    Github,
    /// GitLab code quality.
    Gitlab,
    /// SonarQube's generic issues.
    Sonar,
    /// The schema of mutation-testing-elements.
    Mte,
    /// All mutants as a table.
    Csv,
    /// JSON for programs: figures and every missed mutant in full; see `wildcaught schema report`.
    Json,
}

#[derive(Args, Debug)]
pub struct AcceptArgs {
    /// Accept these mutants of the last run; the beginning of an id (`3f9a-17`) is enough.
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Say why no test needs to kill them.
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// Name who accepts them. Default: your name in git.
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
    /// Accept them up to and including this day (YYYY-MM-DD).
    #[arg(long, value_name = "DATE")]
    pub expires: Option<String>,
    /// Read the results from this directory.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// Write wildcaught.accepted.toml in this project root. Default: the directory of the settings.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

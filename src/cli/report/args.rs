//! The options of `report`, as typed.

use std::path::PathBuf;

use clap::Args;
use clap::ValueEnum;

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// What is written.
    #[arg(value_enum, value_name = "FORMAT", default_value_t = FormatArg::Html)]
    pub format: FormatArg,
    /// Where to; `-` is standard output. A page goes to `report.html` beside the results if left out, all else to
    /// standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where results are kept.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// The project's root, whose files are shown; where the settings are if left out.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// One page for a browser that needs nothing else.
    Html,
    /// SARIF 2.1.0: missed mutants as notes, for code scanning.
    Sarif,
    /// JUnit XML: a test case per mutant.
    Junit,
    /// Markdown: figures and the most worthwhile missed mutants, for a comment.
    Markdown,
    /// Annotations of GitHub Actions.
    Github,
    /// GitLab code quality.
    Gitlab,
    /// SonarQube's generic issues.
    Sonar,
    /// The schema of mutation-testing-elements.
    Mte,
    /// All mutants as a table.
    Csv,
    /// Figures and every missed mutant whole, for programs; `wildcaught schema report`.
    Json,
}

#[derive(Args, Debug)]
pub struct AcceptArgs {
    /// Mutants of the last run, by the beginnings of their ids (`3f9a-17`).
    #[arg(value_name = "ID", required = true)]
    pub ids: Vec<String>,
    /// Why they need not be noticed.
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
    /// Who says so; as git knows you if left out.
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,
    /// The last day on which this holds (YYYY-MM-DD).
    #[arg(long, value_name = "DATE")]
    pub expires: Option<String>,
    /// Where results are kept.
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: PathBuf,
    /// The project's root, where wildcaught.accepted.toml is; where the settings are if left out.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

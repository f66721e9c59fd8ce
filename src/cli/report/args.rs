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
    /// Where results are kept; several are put together (the shards of a run).
    #[arg(long, value_name = "DIR", default_value = "wildcaught.out")]
    pub out: Vec<PathBuf>,
    /// The project's root, whose files are shown; where the settings are if left out.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// One page for a browser that needs nothing else.
    Html,
}

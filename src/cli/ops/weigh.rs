//! `wildcaught ops weigh`: how often patterns occur in the code they were mined from, and which operators are worth
//! keeping.

use std::path::PathBuf;

use anyhow::Result;
use anyhow::bail;
use clap::Args;

use crate::control::Progress;
use crate::history::CommitSelection;
use crate::langdef::language;
use crate::operator::Weights;
use crate::operator::weigh;
use crate::operator::write_set;
use crate::pipeline::ExposureRequest;
use crate::pipeline::coupling::Subject;
use crate::report::counted;
use crate::report::thousands;

use super::super::exit::Exit;
use super::super::output::write_out;
use super::super::progress::watch;
use super::source;

#[derive(Args, Debug)]
#[command(
    after_help = "Divides how often an operator was seen in fixes by how often its pattern occurs in the code: that is how likely such a fault is at a site, and how mutants are ranked.\n\nExit codes:\n  0  success\n  1  wrong arguments or input; nothing was written\n  5  written, but a repository could not be read\n  130  stopped by Ctrl-C; nothing was written"
)]
pub struct WeighArgs {
    /// Read this set; `-` is standard input.
    pub set: PathBuf,
    /// Count in the newest revision of these git repositories (bare or not): those that the set was mined from.
    #[arg(long, value_name = "REPOSITORY", required = true, num_args = 1..)]
    pub on: Vec<PathBuf>,
    /// Drop operators with fewer fixes than this per million sites.
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    pub min_rate: f64,
    /// Drop operators whose rate differs by less than this factor from the rate of the same operator with less context.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub news: f64,
    /// Keep at most the N operators seen in most fixes.
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,
    /// Store in the set that the N likeliest mutants per 1,000 tokens are kept.
    #[arg(long, value_name = "N")]
    pub density: Option<u32>,
    /// Write to this file. Default: standard output. May be the set itself.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print only warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
}

/// Runs the command.
pub fn run(args: &WeighArgs) -> Result<Exit> {
    let mut set = source::read(&args.set)?;
    let def = language(&set.header.language)?;
    let subjects: Vec<Subject> =
        args.on.iter().map(|path| Subject { name: path.display().to_string(), path: path.clone() }).collect();
    let selection = CommitSelection::new(&def, &[], false)?;
    let request = ExposureRequest { def: &def, selection: &selection, subjects: &subjects };
    let progress = Progress::default();
    let exposure =
        watch(&progress, "code", "repositories", args.quiet, || request.run(&set.operators, &progress));
    if progress.stopped() {
        return Ok(Exit::Interrupted);
    }
    exposure.left_out.iter().for_each(|error| tell!("warning: skipped: {error}"));
    if exposure.tokens == 0 {
        bail!(
            "no {} code in these repositories; with --on, name those that the set was mined from",
            def.file.title
        );
    }
    exposure.note(&mut set);
    let weights = Weights { min_rate: args.min_rate, news: args.news, top: args.top };
    let left_out = weigh(&mut set, weights);
    set.header.density = args.density.unwrap_or(set.header.density);
    write_out(args.output.as_deref(), &write_set(&set))?;
    if !args.quiet {
        tell!(
            "{} scanned; {} kept, {} dropped",
            counted(exposure.tokens, "token"),
            counted(set.operators.len() as u64, "operator"),
            thousands(left_out as u64)
        );
    }
    Ok(if exposure.left_out.is_empty() { Exit::Fine } else { Exit::Incomplete })
}

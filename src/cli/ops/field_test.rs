//! `wildcaught ops field-test`: tries operators on other projects and records how often they compile.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use clap::Args;

use crate::control::Progress;
use crate::engine::Compilers;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Rule;
use crate::insert::describe;
use crate::operator::OperatorSet;
use crate::operator::write_set;
use crate::pipeline::Check;
use crate::pipeline::FieldSample;
use crate::pipeline::Trial;
use crate::pipeline::Viability;
use crate::pipeline::note_viability;
use crate::pipeline::try_mutants;
use crate::report::thousands;

use super::super::args::LanguageArgs;
use super::super::exit::Exit;
use super::super::mutate::baseline;
use super::super::output::write_out;
use super::super::progress::interrupted;
use super::super::progress::watch;
use super::super::sandbox::CompilerSandboxArgs;
use super::super::target::FileArgs;
use super::super::target::FitArgs;
use super::super::target::TargetArgs;
use super::super::target::find_mutants;
use super::super::target::prepare_with;
use super::source;
use crate::pipeline::Prepared;

#[derive(Args, Debug)]
#[command(
    after_help = "Results add up: run it on one project after the other, each with its own --check.\n\nExit codes:\n  0  success\n  1  wrong arguments or input; nothing was written\n  5  nothing was tried: no operator fits the project\n  130  stopped by Ctrl-C; results so far are written"
)]
pub struct FieldTestArgs {
    /// Read this set; `-` is standard input.
    pub set: PathBuf,
    /// Try the operators on the project in this directory; it is copied, and the command runs in the copy.
    #[arg(long, value_name = "DIR", required = true)]
    pub on: Vec<PathBuf>,
    /// Mutate only these files and directories of the project.
    #[arg(long, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Check with this command whether `{file}` compiles. Default: the command of the language.
    #[arg(long, value_name = "COMMAND")]
    pub check: Option<String>,
    /// Try at most N sites of each operator in each project.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub sites: usize,
    /// Try at most N sites in each project.
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    /// Use this random seed (MT19937).
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
    /// Stop the command after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub timeout: u64,
    /// Write to this file. Default: standard output. May be the set itself.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub language: LanguageArgs,
    #[command(flatten)]
    pub fit: FitArgs,
    #[command(flatten)]
    pub files: FileArgs,
    #[command(flatten, next_help_heading = "Execution")]
    pub sandbox: CompilerSandboxArgs,
    /// Print only warnings and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Use N threads. Default: all cores.
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
}

/// Runs the command.
pub fn run(args: &FieldTestArgs) -> Result<Exit> {
    let mut set = source::read(&args.set)?;
    let compilers = args.sandbox.compilers(args.quiet)?;
    let mut tried = 0;
    for root in &args.on {
        if !interrupted() {
            tried += test_on(&mut set, root, args, &compilers)?;
        }
    }
    write_out(args.output.as_deref(), &write_set(&set))?;
    Ok(match (interrupted(), tried) {
        (true, _) => Exit::Interrupted,
        (false, 0) => Exit::Incomplete,
        _ => Exit::Fine,
    })
}

/// Tries the operators in a project and notes what compiled; gives the number of places.
fn test_on(set: &mut OperatorSet, root: &Path, args: &FieldTestArgs, compilers: &Compilers) -> Result<usize> {
    let paths = if args.paths.is_empty() {
        vec![root.to_owned()]
    } else {
        args.paths.iter().map(|path| root.join(path)).collect()
    };
    let target = TargetArgs {
        paths,
        ops: Vec::new(),
        language: args.language.clone(),
        fit: args.fit.clone(),
        files: args.files.clone(),
    };
    let mut prepared = prepare_with(&target, vec![set.clone()])?;
    // What an earlier test found must not keep a later one from looking.
    prepared.fit.rules.remove(Rule::FIELD);
    prepared.fit.learned = None;
    let Prepared { def, arsenal, target, fit, .. } = &prepared;
    let Some(command) = args.check.as_ref().or(def.file.check.as_ref()) else {
        bail!("no compile command is known for {}; give one with --check", def.file.title);
    };
    let inserter = Inserter { def, arsenal, target, fit: fit.clone() };
    let Some(all) = find_mutants(&inserter, args.quiet)? else { return Ok(0) };
    let sample = FieldSample { per_operator: args.sites, most: args.max, seed: args.seed };
    let mutants = sample.draw(&inserter, &all);
    let check = Check {
        root: root.to_owned(),
        command: command.clone(),
        limit: Duration::from_secs(args.timeout),
        threads: args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        compilers: compilers.clone(),
    };
    let verdicts = try_all(&check, &inserter, &mutants, args.quiet)?;
    let viable = note_viability(set, &inserter, &mutants, &verdicts);
    tell!(
        "{}: {} of {} mutants compile",
        root.display(),
        thousands(viable as u64),
        thousands(mutants.len() as u64)
    );
    Ok(mutants.len())
}

fn try_all(check: &Check, inserter: &Inserter, mutants: &[&Mutant], quiet: bool) -> Result<Vec<Viability>> {
    let root = check.root.canonicalize().with_context(|| format!("cannot find {}", check.root.display()))?;
    let inside = |file: usize| -> Result<PathBuf> {
        let full = inserter.target.files[file].path.canonicalize()?;
        Ok(full.strip_prefix(&root).context("a file is outside of the project")?.to_owned())
    };
    let files: Vec<PathBuf> = (0..inserter.target.files.len()).map(inside).collect::<Result<_>>()?;
    let mut trials = Vec::new();
    for (mutant, described) in mutants.iter().zip(describe(inserter, mutants)) {
        let text = &inserter.target.files[mutant.file].text;
        let mutate = Box::new(move || described.edit.apply(text));
        trials.push(Trial { file: &files[mutant.file], original: text, mutate });
    }
    baseline(check, trials.first().map(|trial| trial.file))?;
    let progress = Progress::default();
    progress.expect(trials.len() as u64);
    watch(&progress, "trying", "mutants", quiet, || try_mutants(check, &trials, &progress))
        .context("cannot try a mutant")
}

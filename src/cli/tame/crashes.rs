//! Runs mutants on crashing inputs of a program, or on the failing tests of a project.

use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::analysis::tame::Failing;
use crate::analysis::tame::repair_vectors;
use crate::harness::Config;
use crate::harness::Oracle;
use crate::harness::Style;
use crate::pipeline::localize::Gathered;
use crate::pipeline::tame::OPERATORS;
use crate::pipeline::tame::Program;
use crate::pipeline::tame::Staged;

use super::super::exit::Exit;
use super::super::gather::Gather;
use super::super::gather::GatherArgs;
use super::super::settings::Settings;
use super::super::settings::outer;
use super::super::settings::settings;
use super::super::target::TargetArgs;
use super::args::OracleArg;
use super::args::ProgramArgs;
use super::args::TameArgs;

/// Runs the mutants; or prints why not, and gives the code to exit with.
pub fn run(args: &TameArgs) -> Result<Result<Gathered, Exit>> {
    let mut settings = found_settings(args)?;
    // The inputs stay linked until the run is over.
    let staged = match &args.crashes {
        Some(crashes) => Some(Staged::new(crashes, args.program.passing.as_deref())?),
        None => None,
    };
    if let Some(staged) = &staged {
        settings.config = staged.config(&settings.config, &program(&args.program)?, &outer())?;
    }
    let own = !args.program.ops.is_empty();
    let target = TargetArgs {
        paths: args.program.sources.clone(),
        ops: if own { args.program.ops.clone() } else { vec!["classic".into()] },
        language: args.program.language.clone(),
        fit: args.program.fit.clone(),
        files: args.program.files.clone(),
    };
    let run = GatherArgs { per_statement: 0, ..args.run.clone() };
    let gather = |operators: &[&str]| {
        let gather = Gather {
            args: &run,
            target: &target,
            settings: &settings,
            operators,
            mutants: true,
            thorough: false,
            audit: None,
            shard: None,
            max: None,
            budget: None,
            partial: false,
        };
        gather.run()
    };
    if own {
        return gather(&[]);
    }
    let few = gather(&OPERATORS)?;
    match few.as_ref().ok().and_then(blank_inputs) {
        Some((blank, inputs)) => {
            tell!(
                "no deleted statement or negated condition repairs {blank} of {inputs} inputs; running all \
                 classic mutants"
            );
            gather(&[])
        }
        None => Ok(few),
    }
}

/// How many inputs no mutant repairs, of how many, if that is most of them.
fn blank_inputs(gathered: &Gathered) -> Option<(usize, usize)> {
    let vectors = repair_vectors(&gathered.matrix, Failing::AsRecorded);
    let (blank, inputs) = (vectors.unrepaired().len(), vectors.tests.len());
    (blank * 2 > inputs).then_some((blank, inputs))
}

/// The settings; a program that is named by its command needs none.
fn found_settings(args: &TameArgs) -> Result<Settings> {
    let known = args.run.config.exists();
    if args.program.cmd.is_none() || known {
        return settings(&args.run.config);
    }
    let style = Style::Command { command: String::new() };
    Ok(Settings { root: PathBuf::from("."), config: Config::new(style), from: "--cmd".into() })
}

fn program(args: &ProgramArgs) -> Result<Program> {
    Ok(Program { command: args.cmd.clone(), oracle: oracle(args)?, build: args.build.clone() })
}

fn oracle(program: &ProgramArgs) -> Result<Oracle> {
    let (golden, script) = (&program.golden, &program.script);
    if golden.is_some() && program.oracle != OracleArg::Golden {
        bail!("--golden needs --oracle golden");
    }
    if script.is_some() && program.oracle != OracleArg::Script {
        bail!("--script needs --oracle script");
    }
    Ok(match program.oracle {
        OracleArg::Crash => Oracle::Crash,
        OracleArg::Exit => Oracle::Exit,
        OracleArg::Golden => {
            let golden =
                golden.as_ref().context("--oracle golden: name the expected output with --golden")?;
            // The program runs in a copy of the project; what is named is meant here.
            Oracle::Golden(std::env::current_dir()?.join(golden).display().to_string())
        }
        OracleArg::Script => {
            Oracle::Script(script.clone().context("--oracle script: name the command with --script")?)
        }
    })
}

//! The command line: the only place that prints, exits, or reads the environment and the clock.
//!
//! In: arguments. Out: an exit code, text on the terminal, files where the user wants them.

#[macro_use]
mod output;

mod args;
mod coupling;
mod definition;
mod examples;
mod exit;
mod gather;
mod harvest;
mod help;
mod langdef;
mod lex;
mod localize;
mod manifest;
mod mutate;
mod ops;
mod progress;
mod repair;
mod report;
mod sandbox;
mod schema;
mod settings;
mod shard;
mod shell;
mod sources;
mod sshom;
mod submit;
mod sweep;
mod tame;
mod target;
mod terminal;
mod test;
mod watch;
mod witness;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::FromArgMatches;
use clap::Parser;

use args::Cli;
use args::Command;
use exit::Exit;

pub use definition::definition;
pub use help::topics;

/// Runs the command line and gives the exit code.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments = without_cargo(arguments.collect());
    if let Some(result) = help::asked(&arguments) {
        return end(result);
    }
    let cli = match parse(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Fine.into() };
        }
    };
    let Ok(result) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let words = arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
        dispatch(cli, &words.collect::<Vec<_>>())
    })) else {
        tell!("error: this is a bug in wildcaught; please report it with the output above");
        return Exit::Internal.into();
    };
    end(result)
}

/// The exit code of a result; an error is told.
fn end(result: anyhow::Result<Exit>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(error) if exit::is_broken_pipe(&error) => Exit::Fine.into(),
        Err(error) => {
            tell!("error: {}", exit::message(&error));
            Exit::Usage.into()
        }
    }
}

/// Reads the command line; help has groups and examples.
fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = definition();
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The arguments of a cargo subcommand as if they were typed without cargo, which starts `cargo-wildcaught` with the
/// name of the subcommand first. Help then says what the user types.
fn without_cargo(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let program = arguments.first().map(Path::new).and_then(Path::file_stem);
    if program.is_some_and(|name| name == "cargo-wildcaught") {
        arguments[0] = "cargo wildcaught".into();
        if arguments.get(1).is_some_and(|name| name == "wildcaught") {
            arguments.remove(1);
        }
    }
    arguments
}

/// Runs one of our own commands, as it would be typed.
fn run_line(words: &[String]) -> anyhow::Result<Exit> {
    let line = std::iter::once("wildcaught".to_owned()).chain(words.iter().cloned());
    dispatch(Cli::try_parse_from(line)?, words)
}

/// Runs a command; `words` are its name and options as typed.
fn dispatch(cli: Cli, words: &[String]) -> anyhow::Result<Exit> {
    match cli.command {
        Command::Init(options) => test::init(&options),
        Command::Test(options) => test::test(&options),
        Command::Plan(options) => test::plan(&options, &words[1..]),
        Command::Merge(options) => test::merge(&options),
        Command::Submit(command) => submit::run(&command),
        Command::Show(options) => test::show(&options),
        Command::Report(options) => report::run(&options),
        Command::Accept(options) => report::accept(&options),
        Command::Export(options) => test::export(&options),
        Command::Localize(options) => localize::run(&options),
        Command::Repair(options) => repair::run(&options),
        Command::Witness(options) => witness::run(&options),
        Command::Tame(options) => tame::run(&options),
        Command::Onion(options) => tame::onion(&options),
        Command::Harvest(options) => harvest::run(&options),
        Command::Coupling(options) => coupling::run(&options),
        Command::Mutate(options) => mutate::run(&options),
        Command::Explain(options) => mutate::explain(&options),
        Command::Sshom(command) => sshom::run(&command),
        Command::Ops(command) => ops::run(&command),
        Command::Langdef(command) => langdef::run(&command),
        Command::Lex(options) => lex::run(&options),
        Command::Schema(options) => schema::run(&options),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { directory } => shell::man(&directory),
    }
}

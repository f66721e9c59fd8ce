//! Splits a command line into options, to build the command lines of parts from them.

use std::ffi::OsString;

use anyhow::Result;
use anyhow::bail;
use clap::ArgAction;
use clap::ArgMatches;
use clap::Command;
use clap::CommandFactory;
use clap::parser::ValueSource;

use super::super::args::Cli;

/// A command as it was typed.
pub struct Typed {
    pub name: String,
    command: Command,
    matches: ArgMatches,
}

impl Typed {
    /// Reads a command and its options; refuses what the command would refuse.
    pub fn parse(words: &[String]) -> Result<Self> {
        let mut cli = Cli::command();
        cli.build();
        let line = std::iter::once("wildcaught".to_owned()).chain(words.iter().cloned());
        let matches = match cli.clone().try_get_matches_from(line) {
            Ok(matches) => matches,
            Err(error) => bail!("{}", error.to_string().trim_start_matches("error: ").trim_end()),
        };
        let Some((name, matches)) = matches.subcommand() else { bail!("name a command after --") };
        let command = cli.find_subcommand(name).expect("it was just parsed").clone();
        Ok(Self { name: name.to_owned(), command, matches: matches.clone() })
    }

    /// Whether the user gave this option.
    pub fn has(&self, id: &str) -> bool {
        let is_known = self.command.get_arguments().any(|argument| argument.get_id() == id);
        is_known && self.matches.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// The first value of an option that the user gave.
    pub fn value(&self, id: &str) -> Option<OsString> {
        self.has(id).then(|| self.matches.get_raw(id)?.next().map(OsString::from)).flatten()
    }

    /// The options that the user gave and that are wanted, as they could be typed; paths and the like last.
    pub fn words(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let (mut options, mut others) = (Vec::new(), Vec::new());
        for argument in self.command.get_arguments() {
            let id = argument.get_id().as_str();
            if !self.has(id) || !wanted(id) {
                continue;
            }
            let values = self.matches.get_raw(id).into_iter().flatten();
            let values: Vec<String> = values.map(|value| value.to_string_lossy().into_owned()).collect();
            let Some(long) = argument.get_long() else {
                others.extend(values);
                continue;
            };
            match argument.get_action() {
                ArgAction::Set | ArgAction::Append if !values.is_empty() => {
                    options.extend(values.iter().map(|value| format!("--{long}={value}")));
                }
                _ => options.push(format!("--{long}")),
            }
        }
        if others.iter().any(|other| other.starts_with('-')) {
            options.push("--".to_owned());
        }
        [options, others].concat()
    }
}

/// Whether a command has an option of that name.
pub fn takes(command: &str, id: &str) -> bool {
    let mut cli = Cli::command();
    cli.build();
    let found = cli.find_subcommand(command);
    found.is_some_and(|command| command.get_arguments().any(|argument| argument.get_id() == id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn what_was_typed_can_be_typed_again() {
        let typed =
            Typed::parse(&words("test src lib -j 3 --ops wild,classic --all --min-score 80")).unwrap();
        let again = typed.words(|_| true);
        let expected = "--ops=wild --ops=classic --jobs=3 --all --min-score=80 src lib";
        let sorted = |mut words: Vec<String>| {
            words.sort();
            words
        };
        assert_eq!(sorted(again), sorted(words(expected)));
        assert_eq!(typed.words(|id| takes("merge", id)), ["--min-score=80"]);
        assert!(typed.has("all") && !typed.has("seed") && !typed.has("nothing"));
        assert!(Typed::parse(&words("test --no-such-option")).is_err());
        assert!(Typed::parse(&[]).is_err());
    }
}

//! The definition of the command line with its help: commands in groups, and examples at the end of every help.

use clap::Command;
use clap::CommandFactory;

use super::args::Cli;
use super::examples::EXAMPLES;
use super::examples::Examples;

/// The commands in the order of the help, by what somebody wants to do.
const GROUPS: &[(&str, &[&str])] = &[
    ("Test a project", &["init", "test", "mutate", "explain"]),
    ("Look at results", &["show", "report", "accept", "export"]),
    ("Find and fix faults", &["localize", "repair", "witness", "tame", "onion", "sshom"]),
    ("Mine and manage operators", &["harvest", "coupling", "ops", "langdef", "lex"]),
    ("Several machines", &["plan", "merge", "submit"]),
    ("Other", &["schema", "completions", "man", "help"]),
];

/// The definition of all commands, with groups and examples.
pub fn definition() -> Command {
    let mut command = Cli::command();
    command.build();
    let list = groups(&command);
    let root = with_examples(Cli::command(), "");
    root.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}"
    ))
}

/// The commands with what they do, under the headings of their groups.
fn groups(command: &Command) -> String {
    let width = command.get_subcommands().map(|one| one.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (heading, names) in GROUPS {
        text.push_str(&format!("{heading}:\n"));
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            text.push_str(&format!(
                "  {name:<width$}  {}\n",
                about.map(ToString::to_string).unwrap_or_default()
            ));
        }
        text.push('\n');
    }
    text
}

/// A command and all below it, with their examples; `path` is what is typed behind `wildcaught`.
fn with_examples(command: Command, path: &str) -> Command {
    let below: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let command = below.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |one| with_examples(one, format!("{path} {name}").trim()))
    });
    let Some((_, examples)) = EXAMPLES.iter().find(|(name, _)| *name == path) else { return command };
    let before = command.get_after_help().map(|text| format!("{text}\n\n")).unwrap_or_default();
    command.after_help(format!("{before}Examples:\n{}", lines(examples)))
}

/// Examples in two columns.
fn lines(examples: Examples) -> String {
    let width = examples.iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    let lines = examples.iter().map(|(line, what)| format!("  {line:<width$}  {what}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every command with the words that lead to it.
    fn all(command: &Command, path: &str, into: &mut Vec<String>) {
        into.push(path.to_owned());
        for one in command.get_subcommands() {
            all(one, format!("{path} {}", one.get_name()).trim(), into);
        }
    }

    /// The words of a line as a shell would split them.
    fn split_words(line: &str) -> Vec<String> {
        let (mut words, mut quote) = (vec![String::new()], None);
        for character in line.chars() {
            match (character, quote) {
                (' ', None) => words.push(String::new()),
                ('\'' | '"', None) => quote = Some(character),
                (_, Some(open)) if open == character => quote = None,
                _ => words.last_mut().unwrap().push(character),
            }
        }
        words
    }

    #[test]
    fn every_command_is_in_one_group_and_every_name_in_a_group_is_a_command() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        grouped.sort_unstable();
        let mut command = Cli::command();
        command.build();
        let mut names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        names.sort_unstable();
        assert_eq!(grouped, names);
    }

    #[test]
    fn every_command_has_examples_and_every_example_a_command() {
        let mut commands = Vec::new();
        all(&Cli::command(), "", &mut commands);
        let commands: BTreeSet<&str> = commands.iter().map(String::as_str).collect();
        let shown: BTreeSet<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
        assert_eq!(shown, commands);
        assert_eq!(shown.len(), EXAMPLES.len(), "a command is listed twice");
    }

    #[test]
    fn every_example_is_a_command_line_that_the_definition_takes() {
        for (name, examples) in EXAMPLES {
            assert!((1..=4).contains(&examples.len()), "{name}");
            for (line, _) in *examples {
                let mut words = split_words(line);
                words.truncate(words.iter().position(|word| word.starts_with('>')).unwrap_or(words.len()));
                if let Err(error) = definition().try_get_matches_from(&words) {
                    panic!("{line}: {error}");
                }
            }
        }
    }

    #[test]
    fn no_line_of_groups_or_examples_is_wrapped() {
        let text = EXAMPLES.iter().map(|(_, examples)| lines(examples)).collect::<Vec<_>>().join("\n");
        let mut command = Cli::command();
        command.build();
        for line in groups(&command).lines().chain(text.lines()) {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

//! Every command line of wildcaught in the manual is accepted by the options that there are.

use clap::error::ErrorKind;

use super::pages::Block;
use super::pages::Page;
use super::pages::pages;
use super::pages::spans;

/// The words of a line of shell, command by command, without redirections and comments.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    let mut letters = line.chars().peekable();
    let mut word: Option<String> = None;
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                word.extend(letters.by_ref().take_while(|other| *other != letter));
            }
            '#' if word.is_none() => break,
            '&' | '|' | ';' | ' ' => {
                all.last_mut().unwrap().extend(word.take());
                if letter != ' ' {
                    all.push(Vec::new());
                }
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    all.last_mut().unwrap().extend(word);
    for command in &mut all {
        let end = command.iter().position(|word| matches!(word.as_str(), ">" | "<" | "2>" | ">>"));
        command.truncate(end.unwrap_or(command.len()));
    }
    all
}

/// The arguments of a command if it is one of ours: what stands behind `wildcaught`, or behind `cargo run … --`.
fn ours(command: &[String]) -> Option<Vec<String>> {
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    match words[..] {
        ["wildcaught", ..] => Some(command[1..].to_vec()),
        ["cargo", "wildcaught", ..] => Some(command[2..].to_vec()),
        ["cargo", "run", ..] => {
            let end = words.iter().position(|word| *word == "--")?;
            Some(command[end + 1..].to_vec())
        }
        _ => None,
    }
}

/// Why the arguments are not accepted. In prose, a command may stand without what it needs.
fn refused(arguments: &[String], in_prose: bool) -> Option<String> {
    if let [help, topic] = arguments
        && help == "help"
        && (wildcaught::cli::topics().any(|known| known == topic)
            || ["topics", "TOPIC"].contains(&topic.as_str()))
    {
        return None;
    }
    if arguments.iter().any(|word| word == "COMMAND") {
        return None;
    }
    let line = std::iter::once("wildcaught".to_owned()).chain(arguments.iter().cloned());
    let error = wildcaught::cli::definition().try_get_matches_from(line).err()?;
    let is_fine = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand
        // `--max N`: the reader puts a number there.
        | ErrorKind::ValueValidation
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => in_prose,
        _ => false,
    };
    (!is_fine).then(|| error.to_string())
}

/// The lines of a block that are typed.
pub fn typed(block: &Block) -> Vec<&str> {
    let lines = block.lines.iter().map(String::as_str);
    if block.info == "sh" {
        return lines.collect();
    }
    let console = block.info.starts_with("console ");
    lines.filter(|_| console).filter_map(|line| line.strip_prefix("$ ")).collect()
}

/// For each command of ours in a line, why it is refused, if it is.
fn problems(page: &Page, number: usize, line: &str, in_prose: bool) -> Vec<Option<String>> {
    let all = commands(line);
    let place = |problem| format!("{}:{number}: {line}\n{problem}", page.name);
    all.iter().filter_map(|one| ours(one)).map(|one| refused(&one, in_prose).map(place)).collect()
}

#[test]
fn every_command_line_is_accepted_by_the_options_that_there_are() {
    let mut all = Vec::new();
    for page in pages() {
        for block in page.blocks() {
            all.extend(typed(&block).iter().flat_map(|line| problems(&page, block.line, line, false)));
        }
        for (number, line) in page.prose() {
            let spans = spans(line).0.into_iter().filter(|span| span.starts_with("wildcaught "));
            all.extend(spans.flat_map(|span| problems(&page, number, span, true)));
        }
    }
    assert!(all.len() > 250, "{}", all.len());
    let refused: Vec<String> = all.into_iter().flatten().collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// The long names of the options of a command and those below it.
fn long_options(command: &clap::Command) -> Vec<String> {
    let own = command.get_arguments().flat_map(|argument| {
        let aliases = argument.get_all_aliases().into_iter().flatten();
        argument.get_long().into_iter().chain(aliases).map(str::to_owned).collect::<Vec<_>>()
    });
    own.chain(command.get_subcommands().flat_map(long_options)).collect()
}

#[test]
fn every_option_that_the_manual_names_is_one_of_some_command() {
    let mut known = long_options(&wildcaught::cli::definition());
    known.extend(["help".into(), "version".into()]);
    let mut unknown = Vec::new();
    for page in pages().iter().filter(|page| page.name != "CONTRIBUTING.md") {
        for (number, line) in page.prose() {
            for span in spans(line).0.iter().filter_map(|span| span.strip_prefix("--")) {
                let name = &span[..span.find([' ', '=', ']', ',']).unwrap_or(span.len())];
                let is_known =
                    name.is_empty() || known.iter().any(|one| one == name) || OTHERS.contains(&name);
                if !is_known {
                    unknown.push(format!("{}:{number}: no command has --{name}", page.name));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// Options of other programs.
const OTHERS: [&str; 3] = ["profile", "release", "write"];

#[test]
fn a_line_of_shell_is_split_into_commands() {
    let words = |line: &str| commands(line).into_iter().filter_map(|one| ours(&one)).collect::<Vec<_>>();
    assert_eq!(words("cd x && wildcaught init   # comment"), [["init"]]);
    assert_eq!(words("git log | wildcaught lex 'a b' > c"), [["lex", "a b"]]);
    assert_eq!(words("cargo run --release -- test --all"), [["test", "--all"]]);
    assert!(words("echo wildcaught").is_empty());
}

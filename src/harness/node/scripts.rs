//! The scripts of `package.json` as commands.

use std::collections::BTreeMap;

/// One command of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    /// Variables that are set for it.
    pub env: BTreeMap<String, String>,
    /// Options of node, where node itself is called.
    pub program: String,
    pub arguments: Vec<String>,
    /// The name of the script that it stands in.
    pub script: String,
    /// How people call it: `npm run build`, or the command itself.
    pub line: String,
}

/// Programs that run the command behind them.
const WRAPPERS: [&str; 9] =
    ["c8", "nyc", "cross-env", "cross-env-shell", "env", "npx", "dotenv", "env-cmd", "is-ci"];
/// Programs that run scripts by their names.
const SCRIPT_RUNNERS: [&str; 7] =
    ["npm-run-all", "run-s", "run-p", "npm-run-all2", "wireit", "wsrun", "conc"];
/// Package managers.
const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
/// How deep scripts that call scripts are followed.
const DEPTH: usize = 5;

/// The commands of a script, those of the scripts that it calls among them, in order.
pub(super) fn commands(scripts: &BTreeMap<String, String>, name: &str) -> Vec<Command> {
    let mut found = Vec::new();
    gather(scripts, name, 0, &mut found);
    found
}

fn gather(scripts: &BTreeMap<String, String>, name: &str, depth: usize, found: &mut Vec<Command>) {
    let Some(text) = scripts.get(name).filter(|_| depth < DEPTH) else { return };
    gather(scripts, &format!("pre{name}"), depth + 1, found);
    for line in split_commands(text) {
        let command = command(&line, name);
        let called = called_scripts(scripts, &command);
        if called.is_empty() {
            found.push(command);
        }
        for called in called.iter().filter(|called| *called != name) {
            gather(scripts, called, depth + 1, found);
        }
    }
}

/// The scripts that a command calls.
fn called_scripts(scripts: &BTreeMap<String, String>, command: &Command) -> Vec<String> {
    let words: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
    let names: Vec<&str> = if MANAGERS.contains(&command.program.as_str()) {
        match words.iter().find(|word| !word.starts_with('-') && **word != "run" && **word != "run-script") {
            Some(name) => vec![name],
            None => vec![],
        }
    } else if SCRIPT_RUNNERS.contains(&command.program.as_str()) {
        words.into_iter().filter(|word| !word.starts_with('-')).collect()
    } else {
        vec![]
    };
    let fits = |pattern: &str, name: &str| match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    };
    let known = names.iter().flat_map(|pattern| scripts.keys().filter(move |name| fits(pattern, name)));
    known.cloned().collect()
}

/// One command, without variables and wrappers before it.
fn command(line: &str, script: &str) -> Command {
    let mut words: Vec<String> = words(line);
    let mut env = BTreeMap::new();
    while let Some(first) = words.first() {
        if let Some((key, value)) = first.split_once('=').filter(|(key, _)| is_variable(key)) {
            env.insert(key.to_owned(), value.to_owned());
            words.remove(0);
        } else if WRAPPERS.contains(&program_of(first).as_str()) && words.len() > 1 {
            words.remove(0);
            // Flags of the wrapper, and values of flags that look like `--reporter text`.
            while words.first().is_some_and(|word| word.starts_with('-')) {
                words.remove(0);
            }
        } else {
            break;
        }
    }
    let program = words.first().map(|word| program_of(word)).unwrap_or_default();
    let arguments = words.into_iter().skip(1).collect();
    Command { env, program, arguments, script: script.to_owned(), line: line.trim().to_owned() }
}

fn is_variable(key: &str) -> bool {
    !key.is_empty()
        && key.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

/// `./node_modules/.bin/mocha` and `node_modules/mocha/bin/mocha.js` are `mocha`.
pub(super) fn program_of(word: &str) -> String {
    let name = word.rsplit('/').next().unwrap_or(word);
    let stem = [".js", ".mjs", ".cjs"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    // A file of the project is no program.
    if stem.len() == name.len() || word.contains("node_modules/") { stem.to_owned() } else { word.to_owned() }
}

/// What stands between `&&`, `||`, `;` and `&`, outside of quotes.
fn split_commands(text: &str) -> Vec<String> {
    let (mut all, mut now, mut quote) = (Vec::new(), String::new(), None);
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if letter == '&' || letter == ';' || letter == '|' || letter == '\n' => {
                all.push(std::mem::take(&mut now));
                continue;
            }
            _ => {}
        }
        now.push(letter);
    }
    all.push(now);
    all.into_iter().filter(|line| !line.trim().is_empty()).collect()
}

/// The words of a command, without quotes.
fn words(line: &str) -> Vec<String> {
    let (mut all, mut now, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                now.get_or_insert_default();
            }
            (None, ' ' | '\t') => all.extend(now.take()),
            _ => now.get_or_insert_default().push(letter),
        }
    }
    all.extend(now);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts(rows: &[(&str, &str)]) -> BTreeMap<String, String> {
        rows.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    fn programs(rows: &[(&str, &str)]) -> Vec<String> {
        commands(&scripts(rows), "test").into_iter().map(|command| command.program).collect()
    }

    #[test]
    fn scripts_are_followed_to_the_programs_that_they_call() {
        assert_eq!(programs(&[("test", "xo && ava && tsd")]), ["xo", "ava", "tsd"]);
        assert_eq!(
            programs(&[("test", "pnpm lint && vitest run --typecheck"), ("lint", "eslint .")]),
            ["eslint", "vitest"]
        );
        assert_eq!(
            programs(&[("test", "run-s test:*"), ("test:unit", "jest"), ("test:x", "tsc")]),
            ["jest", "tsc"]
        );
        assert_eq!(
            programs(&[("pretest", "npm run build"), ("build", "babel src"), ("test", "nyc --all mocha")]),
            ["babel", "mocha"]
        );
        assert_eq!(programs(&[("test", "npm test")]), Vec::<String>::new());
    }

    #[test]
    fn variables_and_quotes_are_understood() {
        let found = commands(
            &scripts(&[("test", "cross-env TZ=UTC NODE_ENV=test mocha 'test/**/*.js' -R dot")]),
            "test",
        );
        assert_eq!(found[0].env.len(), 2);
        assert_eq!(found[0].arguments, ["test/**/*.js", "-R", "dot"]);
        let found = commands(
            &scripts(&[("test", "node --experimental-vm-modules node_modules/jest/bin/jest.js")]),
            "test",
        );
        assert_eq!(found[0].program, "node");
    }
}

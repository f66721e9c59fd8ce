//! `node --test`, a process per file: a mutant is run with the files that reach it, not with all of them.

use std::path::Path;

use globset::Glob;
use globset::GlobSetBuilder;

use super::super::request::RunError;
use super::super::request::Runner;
use super::super::words::words;
use super::files::files;
use super::report::Command;
use super::report::ReportFramework;
use super::setup::TestSetup;
use super::several::Several;
use super::table::Framework;

/// The files that node takes for tests where it is told none.
const USUAL: [&str; 4] = [
    "**/test/**/*.{js,cjs,mjs}",
    "**/*{.,-,_}test.{js,cjs,mjs}",
    "**/test-*.{js,cjs,mjs}",
    "**/test.{js,cjs,mjs}",
];
/// Directories that node does not look into.
const NEVER: [&str; 3] = ["node_modules", ".git", "wildcaught.out"];
/// Options that take their value from the next word.
const WITH_VALUE: [&str; 6] =
    ["--import", "--require", "-r", "--loader", "--experimental-loader", "--test-concurrency"];

/// `node --test`.
pub struct NodeTest;

impl Framework for NodeTest {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let line = setup.config.tests.style.command().unwrap_or_default();
        let Some(call) = call(line) else { return ReportFramework.runner(setup) };
        let found = call.files(setup.tree)?;
        if found.len() < 2 {
            return ReportFramework.runner(setup);
        }
        let mut parts: Vec<(String, Box<dyn Runner>)> = Vec::new();
        for file in found {
            let prefix = format!("{file}: ");
            let known = setup.known.map(|known| names_in(known, &prefix));
            if known.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            let line = format!("{} '{}'", call.program, file.replace('\'', r"'\''"));
            let part = ReportFramework::part(setup, Command { line, env: setup.env() }, known, &prefix)?;
            if !part.tests().is_empty() {
                parts.push((prefix, part));
            }
        }
        if parts.is_empty() {
            return ReportFramework.runner(setup);
        }
        Ok(Box::new(Several::new(parts)))
    }
}

/// The tests of a file among all.
fn names_in(known: &[String], prefix: &str) -> Vec<String> {
    known.iter().filter_map(|name| name.strip_prefix(prefix)).map(str::to_owned).collect()
}

/// A call of node, taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    /// Everything but files.
    program: String,
    /// Files, directories and globs that are named.
    named: Vec<String>,
}

impl Call {
    /// The files with tests, in order.
    fn files(&self, tree: &Path) -> Result<Vec<String>, RunError> {
        let globs: Vec<String> = match self.named.is_empty() {
            true => USUAL.iter().map(|glob| (*glob).to_owned()).collect(),
            false => self.named.iter().flat_map(|name| globs(name, tree)).collect(),
        };
        let mut never = GlobSetBuilder::new();
        for name in NEVER {
            never.add(
                Glob::new(&format!("**/{name}/**")).map_err(|error| RunError::Broken(error.to_string()))?,
            );
        }
        let never = never.build().map_err(|error| RunError::Broken(error.to_string()))?;
        Ok(files(tree, &globs)?.into_iter().filter(|file| !never.is_match(file)).collect())
    }
}

/// What a word on the command line stands for: a file, a glob, or what is usual in a directory.
fn globs(name: &str, tree: &Path) -> Vec<String> {
    let name = name.trim_start_matches("./").trim_end_matches('/');
    if tree.join(name).is_dir() {
        return ["js", "cjs", "mjs"].iter().map(|end| format!("{name}/**/*.{end}")).collect();
    }
    vec![name.to_owned()]
}

/// Takes a command apart: `node --test-reporter=tap --test tests/`. None if it needs a shell, or is not node's.
fn call(line: &str) -> Option<Call> {
    let line = line.replace('*', "\u{1}").replace('{', "\u{2}").replace('}', "\u{3}");
    let words = words(&line)?;
    let (program, rest) = words.split_first()?;
    if program != "node" || !rest.iter().any(|word| word == "--test") {
        return None;
    }
    let (mut kept, mut named) = (vec!["node".to_owned()], Vec::new());
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        if !word.starts_with('-') {
            named.push(word.replace('\u{1}', "*").replace('\u{2}', "{").replace('\u{3}', "}"));
            continue;
        }
        kept.push(quoted(word));
        if WITH_VALUE.contains(&word.as_str()) {
            kept.push(quoted(rest.next()?));
        }
    }
    Some(Call { program: kept.join(" "), named })
}

fn quoted(word: &str) -> String {
    let plain = word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_=./:@".contains(letter));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_taken_apart() {
        let taken = call("node --import tsx --test-reporter=tap --test 'test/**/*.mjs' extra.js").unwrap();
        assert_eq!(taken.program, "node --import tsx --test-reporter=tap --test");
        assert_eq!(taken.named, ["test/**/*.mjs", "extra.js"]);
        assert_eq!(call("npm run build && node --test"), None);
        assert_eq!(call("node test.js"), None);
    }

    #[test]
    fn files_are_those_that_node_would_run() {
        let tree = tempfile::tempdir().unwrap();
        for file in ["test/a.js", "src/b.test.mjs", "src/c.js", "node_modules/x/test/d.js", "e-test.cjs"] {
            let path = tree.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let files = |line: &str| call(line).unwrap().files(tree.path()).unwrap();
        assert_eq!(files("node --test"), ["e-test.cjs", "src/b.test.mjs", "test/a.js"]);
        assert_eq!(files("node --test ./test/"), ["test/a.js"]);
        assert_eq!(files("node --test src/*.mjs"), ["src/b.test.mjs"]);
    }
}

//! JavaScript and TypeScript: mocha, jest and vitest in a resident node that loads the project's modules anew for every
//! request.

use std::fs;
use std::time::Duration;

use super::super::request::RunError;
use super::super::request::Runner;
use super::super::resident::ServerKind;
use super::super::words::words;
use super::setup::TestSetup;
use super::table::Framework;

/// The server and what it loads.
const FILES: [(&str, &str); 6] = [
    ("server.cjs", include_str!("node/server.cjs")),
    ("mocha.cjs", include_str!("node/mocha.cjs")),
    ("jest.cjs", include_str!("node/jest.cjs")),
    ("jest-reporter.cjs", include_str!("node/jest-reporter.cjs")),
    ("jest-setup.cjs", include_str!("node/jest-setup.cjs")),
    ("vitest.cjs", include_str!("node/vitest.cjs")),
];

/// Modules are those of the request; what is global in node is not made anew.
const KIND: ServerKind = ServerKind {
    title: "the node test runner",
    remedy: "check command in [tests], and that `node` can be started",
    patience: Duration::from_secs(90),
    shares: true,
};

/// Variables by which tools are told to keep nothing outside of the tree, and to check no types.
const QUIET: [(&str, &str); 4] =
    [("BABEL_DISABLE_CACHE", "1"), ("TS_NODE_TRANSPILE_ONLY", "true"), ("FORCE_COLOR", "0"), ("CI", "true")];

/// A framework, by the name that the server knows it by.
pub struct Node(pub &'static str);

impl Framework for Node {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        for (name, text) in FILES {
            let path = setup.scratch.join(name);
            fs::write(&path, text).map_err(RunError::io(path.display().to_string()))?;
        }
        let line = setup.config.tests.style.command().unwrap_or_default();
        let Call { flags, arguments } = call(line, self.0)?;
        let server = setup.scratch.join(FILES[0].0).display().to_string();
        let command = ["node".to_owned()].into_iter().chain(flags).chain([server, self.0.to_owned()]);
        let env = QUIET.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let env = env.chain(setup.env()).collect();
        setup.server(KIND, command.chain(arguments).collect(), env)
    }
}

/// A command, as far as our server needs it.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    /// Options of node itself.
    flags: Vec<String>,
    /// Arguments of the framework.
    arguments: Vec<String>,
}

/// Takes a command apart: `npx --no-install mocha --recursive`, `node --experimental-vm-modules
/// node_modules/jest/bin/jest.js`.
fn call(line: &str, framework: &str) -> Result<Call, RunError> {
    let refused = |why: &str| {
        RunError::Broken(format!(
            "tests.command = {line:?} {why}; write \"npx --no-install {framework} …\", or remove it"
        ))
    };
    let words = words(line).ok_or_else(|| refused("needs a shell"))?;
    let is_it = |word: &String| {
        let name = word.rsplit('/').next().unwrap_or(word);
        let stem = [".js", ".mjs", ".cjs"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        stem.trim_start_matches('_') == framework
    };
    let place = words.iter().position(is_it).ok_or_else(|| refused("does not call it"))?;
    let by_node = words.first().is_some_and(|word| word == "node");
    let flags = if by_node { words[1..place].to_vec() } else { vec![] };
    let mut arguments = words[place + 1..].to_vec();
    let mode = |word: &String| framework == "vitest" && ["run", "dev", "watch"].contains(&word.as_str());
    if arguments.first().is_some_and(mode) {
        arguments.remove(0);
    }
    Ok(Call { flags, arguments })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_taken_apart() {
        for (line, framework, flags, arguments) in [
            ("npx --no-install mocha --recursive 'a b'", "mocha", "", "--recursive a b"),
            (
                "node --experimental-vm-modules node_modules/jest/bin/jest.js -i",
                "jest",
                "--experimental-vm-modules",
                "-i",
            ),
            ("npx --no-install vitest run --dir x", "vitest", "", "--dir x"),
            ("node_modules/.bin/_mocha", "mocha", "", ""),
        ] {
            let call = call(line, framework).unwrap();
            assert_eq!((call.flags.join(" "), call.arguments.join(" ")), (flags.into(), arguments.into()));
        }
        for line in ["npm test", "mocha | tee log", ""] {
            assert!(call(line, "mocha").unwrap_err().to_string().starts_with("tests.command"), "{line}");
        }
    }
}

//! From the files of a project to the ways in which it can be tested.

use std::collections::BTreeMap;

use regex::Regex;

use super::super::config::Config;
use super::super::detect::Suggestion;
use super::super::preset::preset;
use super::super::sources::sources;
use super::super::style::Style;
use super::super::style::quoted;
use super::super::tree::Tree;
use super::manifest::Manifest;
use super::manifest::Modules;
use super::runners::RUNNERS;
use super::runners::TestRunner;
use super::runners::runner;
use super::runners::without_noise;
use super::scripts::Command;
use super::scripts::commands;

/// The languages of such a project.
const LANGUAGES: [&str; 2] = ["javascript", "typescript"];
/// Scripts in which tests are looked for, if `test` runs none.
const OTHER_SCRIPTS: [&str; 8] =
    ["test:unit", "unit", "unit-test", "tests", "jest", "mocha", "vitest", "test:node"];
/// Words of scripts that build something that tests need.
const BUILDS: [&str; 6] = ["build", "compile", "transpile", "bundle", "prepare", "generate"];
/// Programs that do.
const BUILDERS: [&str; 13] = [
    "tsc",
    "babel",
    "rollup",
    "esbuild",
    "tsup",
    "unbuild",
    "webpack",
    "swc",
    "microbundle",
    "tshy",
    "tsdown",
    "rimraf",
    "cpy",
];
/// Where programs that are not of node keep what they need.
const LINKED: &str = "node_modules";
/// Test files by their usual names.
const TEST_FILES: [&str; 8] = [
    "test/**/*.js",
    "test/**/*.mjs",
    "test/**/*.cjs",
    "tests/**/*.js",
    "**/*.test.js",
    "**/*.test.mjs",
    "test.js",
    "test/**/*.ts",
];
/// Test files that are read to see what they need.
const MOST_READ: usize = 60;

/// A call of a test runner.
struct Call {
    preset: &'static str,
    line: String,
    env: BTreeMap<String, String>,
    /// Where it was found.
    place: String,
}

/// How the project can be tested, best first.
pub(in super::super) fn ways(tree: &Tree) -> Vec<Suggestion> {
    let Some(language) = tree.main_language(&LANGUAGES.map(str::to_owned)) else { return vec![] };
    let Some(manifest) = Manifest::read(tree) else { return vec![] };
    let mut calls: Vec<Call> = in_scripts(&manifest);
    calls.extend(by_settings(tree, &manifest));
    calls.extend(by_test_files(tree));
    calls.extend(manifest.scripts.contains_key("test").then(|| Call {
        preset: "command",
        line: "npm test --silent".to_owned(),
        env: BTreeMap::new(),
        place: "scripts.test".to_owned(),
    }));
    let build = build(tree, &manifest);
    let suggest = |call: Call| suggestion(tree, &manifest, call, &language, build.as_deref());
    calls.into_iter().filter_map(suggest).collect()
}

fn suggestion(
    tree: &Tree,
    manifest: &Manifest,
    call: Call,
    language: &str,
    build: Option<&str>,
) -> Option<Suggestion> {
    let Call { preset: name, line, env, place } = call;
    let why = format!("package.json ({place}): {line}");
    let style = match name {
        "command" => Style::Command { command: line },
        "tap" => Style::Tap { command: line },
        _ => Style::Framework { preset: preset(name)?, command: Some(line), report: None },
    };
    let mut config = Config::new(style);
    config.language = Some(language.to_owned());
    (config.sources, config.exclude) = own_sources(tree, manifest, language);
    config.build.command = build.map(str::to_owned);
    config.tests.env = env;
    let mut missing = None;
    match manifest.modules(&tree.root) {
        Modules::Own if tree.root.join(LINKED).is_dir() => config.link.push(LINKED.to_owned()),
        Modules::Own => {}
        Modules::Above(path) => config.link.push(format!("{LINKED}={}", path.display())),
        Modules::Missing => {
            let command = manifest.install(&tree.root);
            config.link.push(LINKED.to_owned());
            missing = Some(super::super::detect::Missing {
                what: "the dependencies of package.json are not installed (no node_modules)".to_owned(),
                command: Some(command.to_owned()),
            });
        }
    }
    Some(Suggestion { preset: name.to_owned(), language: language.to_owned(), config, why, missing })
}

/// Runners that the scripts call, those of `test` first.
fn in_scripts(manifest: &Manifest) -> Vec<Call> {
    let names = ["test"].into_iter().chain(OTHER_SCRIPTS);
    let mut found: Vec<Call> = Vec::new();
    for name in names {
        for command in commands(&manifest.scripts, name) {
            let Some(call) = called(&command) else { continue };
            if !found.iter().any(|known| known.preset == call.preset && known.line == call.line) {
                found.push(call);
            }
        }
    }
    found
}

/// The runner that a command calls.
fn called(command: &Command) -> Option<Call> {
    let place = format!("scripts.{}", command.script);
    let env = command.env.clone();
    if matches!(command.program.as_str(), "node" | "tsx" | "ts-node") {
        return called_by_node(command, env, place);
    }
    let runner = runner(&command.program)?;
    let line = line(runner, &without_noise(&command.arguments));
    Some(Call { preset: runner.preset, line, env, place })
}

/// `node --test`, `node test.js`, `node --flag node_modules/jest/bin/jest.js`.
fn called_by_node(command: &Command, env: BTreeMap<String, String>, place: String) -> Option<Call> {
    let words = &command.arguments;
    let own = |word: &String| words_of_modules(word).and_then(|name| runner(&name));
    if let Some((at, runner)) = words.iter().enumerate().find_map(|(at, word)| Some((at, own(word)?))) {
        let kept = without_noise(&words[at + 1..]);
        let all: Vec<String> =
            ["node".to_owned()].into_iter().chain(words[..=at].iter().cloned()).chain(kept).collect();
        let line = all.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        return Some(Call { preset: runner.preset, line, env, place });
    }
    if words.iter().any(|word| word == "--test") {
        let tap = |word: &&String| !word.starts_with("--test-reporter") && !word.contains("coverage");
        let words: Vec<String> = words.iter().filter(tap).map(|word| unquoted_glob(word)).collect();
        let program = if command.program == "node" {
            "node".to_owned()
        } else {
            format!("npx --no-install {}", command.program)
        };
        let line = format!("{program} --test-reporter=tap {}", words.join(" "));
        return Some(Call { preset: "node", line, env, place });
    }
    None
}

/// A word for the shell, which expands what the runner may not.
fn unquoted_glob(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:=@%+,*?".contains(letter);
    if word.chars().all(plain) && !word.contains("**") { word.to_owned() } else { quoted(word) }
}

/// The package whose file a word names: `node_modules/jest/bin/jest.js`.
fn words_of_modules(word: &str) -> Option<String> {
    let inside = word.split("node_modules/").nth(1)?;
    let name = inside.strip_prefix(".bin/").unwrap_or(inside);
    Some(name.split('/').next().unwrap_or(name).to_owned())
}

fn line(runner: &TestRunner, arguments: &[String]) -> String {
    let mode =
        |word: &&String| !(runner.name == "vitest" && ["run", "dev", "watch"].contains(&word.as_str()));
    let words = arguments.iter().filter(mode).map(|word| match runner.preset {
        "tap" | "command" => unquoted_glob(word),
        _ => quoted(word),
    });
    let all: Vec<String> =
        [format!("npx --no-install {}", runner.command)].into_iter().chain(words).collect();
    all.join(" ")
}

/// Runners with settings of their own, or that the project depends on.
fn by_settings(tree: &Tree, manifest: &Manifest) -> Vec<Call> {
    let has_file = |runner: &&TestRunner| {
        runner.files.iter().any(|glob| !tree.matching(glob).is_empty() || tree.root.join(glob).is_file())
    };
    let call = |runner: &TestRunner, place: String| Call {
        preset: runner.preset,
        line: line(runner, &[]),
        env: BTreeMap::new(),
        place,
    };
    let files =
        RUNNERS.iter().filter(has_file).map(|runner| call(runner, format!("settings of {}", runner.name)));
    let keys = RUNNERS.iter().filter(|runner| manifest.has_settings(runner.name));
    let keys = keys.map(|runner| call(runner, runner.name.to_owned()));
    let listed = RUNNERS.iter().filter(|runner| manifest.depends(runner.name));
    let listed = listed.map(|runner| call(runner, format!("dependency {}", runner.name)));
    let mut all: Vec<Call> = Vec::new();
    for call in files.chain(keys).chain(listed) {
        if !all.iter().any(|known| known.line == call.line) {
            all.push(call);
        }
    }
    all
}

/// Tests that node itself runs.
fn by_test_files(tree: &Tree) -> Vec<Call> {
    let own = Regex::new(r#"['"]node:test['"]"#).expect("it is correct");
    let files = TEST_FILES.iter().flat_map(|glob| tree.matching(glob)).take(MOST_READ);
    let found = files.map(|file| (file, tree.text(file))).find(|(_, text)| own.is_match(text));
    let call = |(file, _): (&str, String)| Call {
        preset: "node",
        line: "node --test --test-reporter=tap".to_owned(),
        env: BTreeMap::new(),
        place: file.to_owned(),
    };
    found.map(call).into_iter().collect()
}

/// What must be built before the tests: what `pretest` and `test` build, or what test files load from a directory that
/// is made.
fn build(tree: &Tree, manifest: &Manifest) -> Option<String> {
    let before = commands(&manifest.scripts, "test");
    let first_test = before.iter().position(|command| called(command).is_some()).unwrap_or(before.len());
    let mut lines: Vec<String> = Vec::new();
    for command in &before[..first_test] {
        let script = BUILDS.iter().any(|word| command.script.contains(word));
        let program = BUILDERS.contains(&command.program.as_str())
            && !command.arguments.iter().any(|word| word == "--noEmit" || word == "--no-emit");
        if script && manifest.scripts.contains_key(&command.script) {
            lines.push(format!("npm run --silent {}", command.script));
        } else if program && !matches!(command.program.as_str(), "rimraf" | "cpy") {
            lines.push(format!("npx --no-install {}", command.line));
        }
    }
    lines.dedup();
    // What a script calls is called with it.
    let outer = ["build", "compile", "prepare"].iter().find(|name| {
        let all = commands(&manifest.scripts, name);
        !lines.is_empty()
            && lines.iter().all(|line| all.iter().any(|one| line.ends_with(&format!(" {}", one.script))))
    });
    match outer {
        Some(name) => Some(format!("npm run --silent {name}")),
        None if !lines.is_empty() => Some(lines.join(" && ")),
        None => (manifest.scripts.contains_key("build") && tests_load_builds(tree))
            .then(|| "npm run --silent build".to_owned()),
    }
}

/// Whether test files load from a directory that a build makes.
fn tests_load_builds(tree: &Tree) -> bool {
    let made =
        Regex::new(r#"['"](?:\.\./|\./)+(dist|build|lib|cjs|esm|es|out)(?:/|['"])"#).expect("it is correct");
    let files = TEST_FILES.iter().flat_map(|glob| tree.matching(glob)).take(MOST_READ);
    let loads = |file: &str| {
        let text = tree.text(file);
        made.captures_iter(&text).any(|found| tree.under(&found[1]).next().is_none())
    };
    files.into_iter().any(loads)
}

/// What is mutated: the usual directories, those of a workspace's packages, or what is published.
fn own_sources(tree: &Tree, manifest: &Manifest, language: &str) -> (Vec<String>, Vec<String>) {
    let (usual, exclude) = sources(tree, language);
    let mut found: Vec<String> = if usual == ["."] { vec![] } else { usual };
    for glob in manifest.workspaces(tree) {
        let manifests = tree.matching(&format!("{}/package.json", glob.trim_end_matches('/')));
        for member in manifests.into_iter().filter_map(|file| file.strip_suffix("/package.json")) {
            let inside: Vec<String> =
                ["src", "lib"].iter().map(|place| format!("{member}/{place}")).collect();
            let inside: Vec<String> =
                inside.into_iter().filter(|place| tree.speaks(place, language)).collect();
            found.extend(inside);
        }
    }
    if found.is_empty() {
        let is_source = |path: &String| {
            let file = tree.files.iter().any(|file| file == path) && tree.is_of(path, language);
            (file || tree.speaks(path, language))
                && !matches!(path.as_str(), "dist" | "build" | "es" | "cjs" | "esm")
        };
        found = manifest.published().into_iter().filter(is_source).collect();
        // A file below a directory that is named is in it already.
        let all = found.clone();
        found.retain(|path| !all.iter().any(|other| other != path && path.starts_with(&format!("{other}/"))));
    }
    if found.is_empty() {
        found.push(".".to_owned());
    }
    (found, exclude)
}

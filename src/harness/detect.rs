//! From a directory to suggestions of how it is built and tested.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use regex::Regex;

use crate::exec::Spec;

use super::cargo::compiling_tests;
use super::cargo::names_of;
use super::config::Config;
use super::java;
use super::makefile::MakeTests;
use super::makefile::make_tests;
use super::node;
use super::preset::Finder;
use super::preset::Preset;
use super::preset::Sign;
use super::preset::preset;
use super::preset::presets_file;
use super::python;
use super::scripts::script_command;
use super::sources::sources;
use super::style::Style;
use super::test_options::test_options;
use super::tree::Tree;

/// How long it may take to find a program.
const LOOKING: Duration = Duration::from_secs(10);

/// How a project may be built and tested.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The preset's name.
    pub preset: String,
    pub language: String,
    pub config: Config,
    /// The file that shows it, and the preset: `Cargo.toml: cargo test`.
    pub why: String,
    /// What must be installed first.
    pub missing: Option<Missing>,
}

/// Something that is not installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    pub what: String,
    /// The command that installs it, where one is known.
    pub command: Option<String>,
}

/// Looks at a project and says how it may be tested, best first. Jars are looked for where the system has
/// them.
pub fn detect(root: &Path) -> Vec<Suggestion> {
    let jars: Vec<PathBuf> = presets_file().java.directories.iter().map(PathBuf::from).collect();
    detect_with_jars(root, &jars)
}

/// Like [`detect`], with directories in which jars are looked for.
pub fn detect_with_jars(root: &Path, jars: &[PathBuf]) -> Vec<Suggestion> {
    let tree = Tree::read(root);
    let mut found: Vec<Suggestion> = Vec::new();
    for sign in &presets_file().signs {
        let Some(suggestion) = shown_by(&tree, sign).and_then(|file| suggest(&tree, sign, file, jars)) else {
            continue;
        };
        let same = |known: &Suggestion| {
            known.config.tests == suggestion.config.tests && known.config.build == suggestion.config.build
        };
        if !found.iter().any(same) {
            found.push(suggestion);
        }
    }
    for suggestion in node::ways(&tree) {
        if !found.iter().any(|known| known.config.tests == suggestion.config.tests) {
            found.push(suggestion);
        }
    }
    // What mentions the language that most files are written in comes first.
    let main = tree.main_language(&[]);
    found.sort_by_key(|one| {
        (
            one.missing.as_ref().is_some_and(|missing| missing.command.is_none()),
            Some(&one.language) != main.as_ref(),
        )
    });
    found
}

/// The first file that shows it.
fn shown_by<'a>(tree: &'a Tree, sign: &Sign) -> Option<&'a str> {
    if sign.absent.iter().any(|glob| !tree.matching(glob).is_empty()) {
        return None;
    }
    let needs = sign.needs.as_ref().and_then(|needs| Regex::new(needs).ok());
    let holds = |file: &&str| needs.as_ref().is_none_or(|needs| needs.is_match(&tree.text(file)));
    sign.files.iter().flat_map(|glob| tree.matching(glob)).find(holds)
}

fn suggest(tree: &Tree, sign: &Sign, file: &str, jars: &[PathBuf]) -> Option<Suggestion> {
    let sign = &with_command(tree, sign, file)?;
    let language = tree.main_language(&sign.languages)?;
    let preset = preset(&sign.preset)?;
    let mut why = format!("{file}: {}", preset.title);
    let style = match sign.preset.as_str() {
        "junit" => {
            let found = java::junit(tree, file, jars)?;
            why.push_str(&found.note);
            Style::Junit(found.junit)
        }
        "pytest" | "unittest" => {
            let mut style = style(sign, preset)?;
            python::use_environment(tree, &mut style);
            style
        }
        "ctest" => {
            // Tests that are switched on below the root are listed there.
            let below = file.rsplit_once('/').map_or(String::new(), |(below, _)| format!("/{below}"));
            Style::Listed { preset, directory: format!("build{below}") }
        }
        _ => style(sign, preset)?,
    };
    if let Some(command) = &sign.command {
        why = format!("{file}: {command}");
    }
    let mut config = configure(tree, sign, style, &language);
    if language == "rust" {
        let files = compiling_tests(tree);
        if !files.is_empty() {
            why.push_str(&format!(
                "; {} left out by skip_tests, since they test compilers",
                files.join(", ")
            ));
            config.tests.skip = names_of(&files).into();
        }
    }
    let lacks = sign.tools.iter().find(|tool| !is_installed(tool, &tree.root));
    let missing = lacks.map(|tools| Missing {
        what: format!("{} is not installed", tools.replace('|', " or ")),
        command: None,
    });
    Some(Suggestion { preset: sign.preset.clone(), language, config, why, missing })
}

/// Whether one of these programs can be called in a project: `mvn|./mvnw`.
fn is_installed(tools: &str, root: &Path) -> bool {
    let here = |tool: &str| match tool.strip_prefix("./") {
        Some(own) => root.join(own).is_file(),
        None => {
            let spec = Spec::shell("command -v \"$1\"", root).arg(tool).time(LOOKING);
            spec.run().is_ok_and(|seen| seen.is_success())
        }
    };
    tools.split('|').any(here)
}

/// A sign with the command that somebody finds for it; none if there is nothing to be found.
fn with_command(tree: &Tree, sign: &Sign, file: &str) -> Option<Sign> {
    let mut sign = sign.clone();
    match sign.finder {
        None => {}
        Some(Finder::Makefile) => {
            let MakeTests { build, command } = make_tests(&tree.text(file))?;
            (sign.build, sign.command) = (Some(build), Some(command));
        }
        Some(Finder::MakefileOfTests) => {
            let directory = file.rsplit_once('/')?.0;
            let inside = |command: String| Some(format!("cd {directory} && {command}"));
            match make_tests(&tree.text(file)) {
                Some(MakeTests { build, command }) => {
                    (sign.build, sign.command) = (inside(build), inside(command));
                }
                // What is made by default runs them.
                None => sign.command = inside("make".into()),
            }
        }
        Some(Finder::Script) => sign.command = Some(script_command(tree, None)?),
        Some(Finder::ScriptInBuild) => sign.command = Some(script_command(tree, Some("build"))?),
    }
    Some(sign)
}

fn style(sign: &Sign, preset: &'static Preset) -> Option<Style> {
    let command = sign.command.clone();
    match preset.name.as_str() {
        "command" => Some(Style::Command { command: command? }),
        "tap" => Some(Style::Tap { command: command? }),
        "junit-xml" => Some(Style::JunitXml { command: command?, report: sign.report.clone()? }),
        "meson" => Some(Style::Listed { preset, directory: "build".to_owned() }),
        _ => Some(Style::Framework { preset, command, report: sign.report.clone() }),
    }
}

fn configure(tree: &Tree, sign: &Sign, style: Style, language: &str) -> Config {
    let mut config = Config::new(style);
    let usual = preset(&sign.preset);
    let build = sign.build.clone().or_else(|| usual.and_then(|preset| preset.build.clone()));
    config.build.command = build.map(|build| build.replace("{options}", &test_options(tree, &sign.preset)));
    config.language = Some(language.to_owned());
    (config.sources, config.exclude) = sources(tree, language);
    if let Style::Junit(junit) = &config.tests.style {
        config.sources.clone_from(&junit.main);
    }
    if sign.preset == "maven" {
        config.sources = modules(tree, config.sources);
    }
    config.skip.clone_from(&sign.skip);
    config.link = sign.link.iter().filter(|name| tree.root.join(name).exists()).cloned().collect();
    config.tests.env = usual.map(|preset| preset.env.clone()).unwrap_or_default();
    config
}

/// The sources that are in a module which the build of the root names; all if none is.
fn modules(tree: &Tree, sources: Vec<String>) -> Vec<String> {
    let module = Regex::new(r"<module>\s*([^<]+?)\s*</module>").expect("it is correct");
    let comment = Regex::new(r"(?s)<!--.*?-->").expect("it is correct");
    let mut named = vec![String::new()];
    let mut at = 0;
    while let Some(directory) = named.get(at).cloned() {
        let text = tree.text(&format!("{directory}pom.xml"));
        let inside = comment.replace_all(&text, "").into_owned();
        for found in module.captures_iter(&inside) {
            let below = format!("{directory}{}/", found[1].trim_start_matches("./").trim_end_matches('/'));
            if !named.contains(&below) {
                named.push(below);
            }
        }
        at += 1;
    }
    let is_named = |source: &&String| {
        named
            .iter()
            .any(|module| source.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("src/")))
    };
    let kept: Vec<String> = sources.iter().filter(is_named).cloned().collect();
    if kept.is_empty() { sources } else { kept }
}

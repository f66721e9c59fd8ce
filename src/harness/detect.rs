//! From a directory to suggestions of how it is built and tested.

use std::path::Path;
use std::path::PathBuf;

use regex::Regex;

use super::config::Config;
use super::java;
use super::node;
use super::preset::Preset;
use super::preset::Sign;
use super::preset::preset;
use super::preset::presets_file;
use super::python;
use super::sources::sources;
use super::style::Style;
use super::tree::Tree;

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
    /// The command that installs it.
    pub command: String,
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
        if !found.iter().any(|known| known.config.tests == suggestion.config.tests) {
            found.push(suggestion);
        }
    }
    for suggestion in node::ways(&tree) {
        if !found.iter().any(|known| known.config.tests == suggestion.config.tests) {
            found.push(suggestion);
        }
    }
    // What speaks of the language that most files are written in comes first.
    let main = tree.main_language(&[]);
    found.sort_by_key(|suggestion| Some(&suggestion.language) != main.as_ref());
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
        _ => style(sign, preset)?,
    };
    if let Some(command) = &sign.command {
        why = format!("{file}: {command}");
    }
    let config = configure(tree, sign, style, &language);
    Some(Suggestion { preset: sign.preset.clone(), language, config, why, missing: None })
}

fn style(sign: &Sign, preset: &'static Preset) -> Option<Style> {
    let command = sign.command.clone();
    match preset.name.as_str() {
        "command" => Some(Style::Command { command: command? }),
        "tap" => Some(Style::Tap { command: command? }),
        "junit-xml" => Some(Style::JunitXml { command: command?, report: sign.report.clone()? }),
        "ctest" => Some(Style::Ctest { directory: "build".to_owned() }),
        _ => Some(Style::Framework { preset, command, report: sign.report.clone() }),
    }
}

fn configure(tree: &Tree, sign: &Sign, style: Style, language: &str) -> Config {
    let mut config = Config::new(style);
    let usual = preset(&sign.preset);
    let build = sign.build.clone().or_else(|| usual.and_then(|preset| preset.build.clone()));
    config.build.command = build.map(|build| build.replace("{options}", &cmake_options(tree)));
    config.language = Some(language.to_owned());
    (config.sources, config.exclude) = sources(tree, language);
    if let Style::Junit(junit) = &config.tests.style {
        config.sources.clone_from(&junit.main);
    }
    config.skip.clone_from(&sign.skip);
    config.link = sign.link.iter().filter(|name| tree.root.join(name).exists()).cloned().collect();
    config.tests.env = usual.map(|preset| preset.env.clone()).unwrap_or_default();
    config
}

/// Options of a CMake project that switch its tests on: `option(ACME_BUILD_TESTS … OFF)`.
fn cmake_options(tree: &Tree) -> String {
    let option = Regex::new(r"(?mi)^\s*option\s*\(\s*(\w*TEST(?:S|ING)?)\b").expect("it is correct");
    let text = tree.text("CMakeLists.txt");
    let names = option.captures_iter(&text).map(|found| found[1].to_owned());
    names.filter(|name| name != "BUILD_TESTING").map(|name| format!(" -D{name}=ON")).collect()
}

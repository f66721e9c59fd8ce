//! Presets: how frameworks are run, read and detected. All of it is data, in `presets.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::read::Format;

/// How one framework is built, run and read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// As `preset` in `wildcaught.toml` takes it.
    pub name: String,
    /// As people call it.
    pub title: String,
    /// The command that builds program and tests.
    pub build: Option<String>,
    /// The command that runs all tests.
    pub test: Option<String>,
    /// Globs of files in which verdicts are.
    pub report: Option<String>,
    /// How verdicts are read.
    pub reads: Format,
    /// Keys of `[tests]` that it takes besides those of all presets.
    #[serde(default)]
    pub takes: Vec<String>,
    /// Variables that tests are run with.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// A file that shows how a project is tested.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sign {
    /// Globs, seen from the project's root.
    pub files: Vec<String>,
    /// A regular expression that one of the files must hold.
    pub needs: Option<String>,
    /// Globs of which none may be there.
    #[serde(default)]
    pub absent: Vec<String>,
    /// Programs without which it cannot be tried; `a|b` is either.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Languages that it may stand for; any if empty.
    #[serde(default)]
    pub languages: Vec<String>,
    pub preset: String,
    pub build: Option<String>,
    pub command: Option<String>,
    /// Who finds the command, if the file does not say it by being there.
    pub finder: Option<Finder>,
    pub report: Option<String>,
    #[serde(default)]
    pub skip: Vec<String>,
    #[serde(default)]
    pub link: Vec<String>,
}

/// Who finds the command that runs tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Finder {
    /// A target of the makefile that runs something, or a program that it builds.
    Makefile,
    /// The same of a makefile in the directory of tests; what it makes by default if it has no such target.
    MakefileOfTests,
    /// A script, called in the root.
    Script,
    /// A script, called where the project was built.
    ScriptInBuild,
}

/// Where the sources of a language usually are.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Habit {
    pub name: String,
    #[serde(default)]
    pub sources: Vec<String>,
    #[serde(default)]
    pub exclude: Vec<String>,
    /// A directory of the root that holds this file is a package.
    #[serde(default)]
    pub package: Option<String>,
    #[serde(default)]
    pub no_packages: Vec<String>,
    /// A manifest whose `[workspace]` lists members.
    #[serde(default)]
    pub workspace: Option<String>,
}

/// Java without a build tool.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Java {
    /// Where the system keeps jars.
    pub directories: Vec<String>,
    /// Prefixes of imports that need no jar.
    pub jdk: Vec<String>,
    /// Words in a build file that say that sources are generated.
    pub generators: Vec<String>,
    #[serde(rename = "jar")]
    pub jars: Vec<JarRow>,
}

/// What an import needs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JarRow {
    pub imports: Vec<String>,
    /// Names without `.jar`; `a|b` is either.
    pub jars: Vec<String>,
}

/// The whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PresetsFile {
    #[serde(rename = "preset")]
    pub presets: Vec<Preset>,
    #[serde(rename = "sign")]
    pub signs: Vec<Sign>,
    #[serde(rename = "language")]
    pub habits: Vec<Habit>,
    pub java: Java,
}

static PRESETS: LazyLock<PresetsFile> =
    LazyLock::new(|| toml::from_str(include_str!("presets.toml")).expect("presets.toml is tested"));

/// Everything in `presets.toml`.
pub(super) fn presets_file() -> &'static PresetsFile {
    &PRESETS
}

/// All presets.
pub fn presets() -> &'static [Preset] {
    &PRESETS.presets
}

/// The preset of this name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    presets().iter().find(|preset| preset.name == name)
}

/// The names of all presets, in order.
pub fn preset_names() -> impl Iterator<Item = &'static str> {
    presets().iter().map(|preset| preset.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::langdef::builtin_names;

    #[test]
    fn every_sign_is_sound() {
        for sign in &presets_file().signs {
            assert!(preset(&sign.preset).is_some(), "{sign:?}");
            let globs = sign.files.iter().chain(&sign.absent);
            globs.for_each(|glob| assert!(globset::Glob::new(glob).is_ok(), "{glob}"));
            sign.needs.iter().for_each(|needs| assert!(regex::Regex::new(needs).is_ok(), "{needs}"));
            for language in &sign.languages {
                assert!(builtin_names().any(|name| name == language), "{language}");
            }
        }
    }

    #[test]
    fn every_habit_is_of_a_known_language() {
        for habit in &presets_file().habits {
            assert!(builtin_names().any(|name| name == habit.name), "{}", habit.name);
        }
    }
}

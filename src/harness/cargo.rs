//! Specifics of cargo projects: tests that start compilers, and the choice of a package and of features.

use regex::Regex;

use super::config::Config;
use super::tree::Tree;

/// What of a workspace is built and tested.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CargoChoice {
    pub package: Option<String>,
    /// Features with commas between them; `all` for all.
    pub features: Option<String>,
}

/// Why a choice cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    #[error("--package and --features need a cargo project")]
    NoCargo,
    #[error("--package {name}: no such package; known are {known}")]
    NoPackage { name: String, known: String },
}

/// Files with tests that start the compiler for each of their cases, which takes minutes and judges messages, not code.
pub(super) fn compiling_tests(tree: &Tree) -> Vec<String> {
    let starts = Regex::new(r"\b(trybuild::|ui_test::|compiletest_rs::|macrotest::)").expect("it is correct");
    let files =
        ["tests/*.rs", "*/tests/*.rs", "*/*/tests/*.rs"].into_iter().flat_map(|glob| tree.matching(glob));
    files.filter(|file| starts.is_match(&tree.text(file))).map(str::to_owned).collect()
}

/// Names of the tests in such files.
pub(super) fn names_of(files: &[String]) -> Vec<String> {
    let stem =
        |file: &String| file.rsplit('/').next().and_then(|name| name.strip_suffix(".rs")).map(str::to_owned);
    files.iter().filter_map(stem).map(|stem| format!("*{stem}::*")).collect()
}

impl CargoChoice {
    /// Builds and tests only what was chosen, and mutates only the package.
    pub fn apply(&self, root: &std::path::Path, config: &mut Config) -> Result<(), ChoiceError> {
        if *self == Self::default() {
            return Ok(());
        }
        let command = config.build.command.as_mut().filter(|line| line.starts_with("cargo "));
        let command = command.ok_or(ChoiceError::NoCargo)?;
        if let Some(features) = &self.features {
            let flag = if features == "all" {
                " --all-features".to_owned()
            } else {
                format!(" --features {features}")
            };
            command.push_str(&flag);
        }
        let Some(name) = &self.package else { return Ok(()) };
        command.push_str(&format!(" --package {name}"));
        let packages = packages(&Tree::read(root));
        let Some((_, directory)) = packages.iter().find(|(package, _)| package == name) else {
            let known: Vec<&str> = packages.iter().map(|(package, _)| package.as_str()).collect();
            return Err(ChoiceError::NoPackage { name: name.clone(), known: known.join(", ") });
        };
        config.sources = vec![format!("{directory}src")];
        Ok(())
    }
}

/// The packages of a tree: name, and directory with a slash behind it.
fn packages(tree: &Tree) -> Vec<(String, String)> {
    let manifests = tree.files.iter().filter(|file| *file == "Cargo.toml" || file.ends_with("/Cargo.toml"));
    let named = manifests.filter_map(|file| {
        let table: toml::Table = toml::from_str(&tree.text(file)).ok()?;
        let name = table.get("package")?.get("name")?.as_str()?.to_owned();
        Some((name, file.strip_suffix("Cargo.toml")?.to_owned()))
    });
    named.collect()
}

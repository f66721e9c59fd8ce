//! Crashing inputs as the cases of a project: a directory with a link to each, and the settings that run them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use crate::files::TemporaryDirectory;
use crate::harness::CaseList;
use crate::harness::Cases;
use crate::harness::Config;
use crate::harness::Oracle;
use crate::harness::Style;

use super::error::TameError;

/// Operators that tell bugs apart best, by the study of repair distance: 88 % fewer mutants than all.
pub const OPERATORS: [&str; 2] = ["delete statement", "negate condition"];
/// Files that fuzzers leave beside inputs.
const NO_INPUTS: [&str; 4] = ["README.txt", "README.md", "HONGGFUZZ.REPORT.TXT", ".state"];
/// Directories of failing inputs, inside of what AFL leaves.
const CRASHES: [&str; 2] = ["crashes", "hangs"];
/// Options of AddressSanitizer for crashing inputs, added to those of every runner: leaks are no crashes, and no
/// stack trace is needed.
const ASAN: (&str, &str) = ("ASAN_OPTIONS", "detect_leaks=0:symbolize=0");

/// A program and how an input is judged.
pub struct Program {
    /// How it is run; `{}` is the input's path. Left out, as the settings say.
    pub command: Option<String>,
    pub oracle: Oracle,
    /// How it is built; as the settings say if left out.
    pub build: Option<String>,
}

/// Inputs under their own names, in a directory that goes when this is dropped.
pub struct Staged {
    directory: TemporaryDirectory,
    names: Vec<String>,
}

impl Staged {
    /// Links the inputs of a directory that a fuzzer left, and perhaps some that must not fail.
    pub fn new(crashes: &Path, passing: Option<&Path>) -> Result<Self, TameError> {
        let directory = TemporaryDirectory::new("inputs").map_err(TameError::Temporary)?;
        let mut names = stage(crashes, directory.path(), "")?;
        if names.is_empty() {
            return Err(TameError::NoInput { path: crashes.to_owned() });
        }
        if let Some(passing) = passing {
            fs::create_dir(directory.path().join("passing")).map_err(TameError::Temporary)?;
            names.extend(stage(passing, directory.path(), "passing/")?);
        }
        Ok(Self { directory, names })
    }

    /// Settings in which the inputs are the tests of a project. Variables in `outer` keep their values.
    pub fn config(
        &self,
        known: &Config,
        program: &Program,
        outer: &BTreeMap<String, String>,
    ) -> Result<Config, TameError> {
        let case = self.directory.path().join("{case}").display().to_string();
        let run = match (&program.command, &known.tests.style) {
            (Some(command), _) if command.contains("{}") => command.replace("{}", &case),
            (Some(command), _) => return Err(TameError::NoPlaceholder(command.clone())),
            (None, Style::Cases(cases)) => cases.run.replace("{case}", &case),
            (None, _) => return Err(TameError::NoCommand),
        };
        let list = CaseList::Names(self.names.clone());
        let restore = match &known.tests.style {
            Style::Cases(cases) => cases.restore.clone(),
            _ => vec![],
        };
        let mut config = known.clone();
        config.tests.style = Style::Cases(Cases { list, run, oracle: program.oracle.clone(), restore });
        let (key, value) = ASAN;
        if !outer.contains_key(key) {
            config.tests.env.entry(key.into()).or_insert_with(|| value.into());
        }
        if let Some(command) = &program.build {
            config.build.command = Some(command.clone());
        }
        Ok(config)
    }
}

fn stage(directory: &Path, staging: &Path, prefix: &str) -> Result<Vec<String>, TameError> {
    let mut names = Vec::new();
    for (name, path) in listed(directory)? {
        let name = format!("{prefix}{name}");
        let linked = std::os::unix::fs::symlink(&path, staging.join(&name));
        linked.map_err(|error| TameError::Link { path, error })?;
        names.push(name);
    }
    Ok(names)
}

/// The inputs in a directory, with their names; in what AFL leaves, those of all its instances.
pub fn listed(directory: &Path) -> Result<Vec<(String, PathBuf)>, TameError> {
    let root = directory.canonicalize().map_err(TameError::read(directory))?;
    let (mut files, mut below) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(&root).map_err(TameError::read(directory))? {
        let path = entry.map_err(TameError::read(directory))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && !NO_INPUTS.contains(&name.as_str()) {
            files.push((name, path));
        } else if path.is_dir() {
            let instances = [path.clone()].into_iter().chain(subdirectories(&path));
            below.extend(instances.filter(|path| CRASHES.iter().any(|crashes| path.ends_with(crashes))));
        }
    }
    if !below.is_empty() {
        files.clear();
        for path in below {
            let label = path.strip_prefix(&root).unwrap_or(&path).display().to_string().replace('/', "-");
            files.extend(listed(&path)?.into_iter().map(|(name, file)| (format!("{label}-{name}"), file)));
        }
    }
    files.sort();
    Ok(files)
}

fn subdirectories(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(command: Option<&str>) -> Program {
        Program { command: command.map(str::to_owned), oracle: Oracle::Crash, build: None }
    }

    #[test]
    fn what_a_fuzzer_leaves_becomes_the_cases_of_a_project() {
        let found = tempfile::tempdir().unwrap();
        for instance in ["main/crashes", "second/crashes", "main/queue"] {
            fs::create_dir_all(found.path().join(instance)).unwrap();
            fs::write(found.path().join(instance).join("id:1"), "x").unwrap();
            fs::write(found.path().join(instance).join("README.txt"), "no input").unwrap();
        }
        let staged = Staged::new(found.path(), None).unwrap();
        assert_eq!(staged.names, ["main-crashes-id:1", "second-crashes-id:1"]);
        let known = Config::new(Style::Command { command: String::new() });
        let outer = BTreeMap::from([("ASAN_OPTIONS".to_owned(), "mine".to_owned())]);
        let config = staged.config(&known, &program(Some("./prog < {}")), &outer).unwrap();
        let Style::Cases(cases) = &config.tests.style else { panic!("no cases") };
        assert_eq!(cases.run, format!("./prog < {}/{{case}}", staged.directory.path().display()));
        let config_without = staged.config(&known, &program(Some("./prog < {}")), &BTreeMap::new()).unwrap();
        assert_eq!(config_without.tests.env["ASAN_OPTIONS"], "detect_leaks=0:symbolize=0");
        assert!(!config.tests.env.contains_key("ASAN_OPTIONS"), "the user's own value stays");
    }

    #[test]
    fn a_program_that_takes_no_input_is_refused() {
        let found = tempfile::tempdir().unwrap();
        let empty = Staged::new(found.path(), None).err().unwrap();
        assert!(empty.to_string().contains("contains no input"), "{empty}");
        fs::write(found.path().join("1"), "x").unwrap();
        let staged = Staged::new(found.path(), None).unwrap();
        let known = Config::new(Style::Command { command: String::new() });
        let refusal =
            |command| staged.config(&known, &program(command), &BTreeMap::new()).unwrap_err().to_string();
        assert!(refusal(Some("./prog")).contains("write {} for the path of the input"));
        assert!(refusal(None).contains("--cmd './prog {}'"));
    }
}

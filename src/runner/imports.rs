//! Python packages that are not imported from the copy: `pip install -e`, any `.pth`, a copy in site-packages; or
//! nothing is installed, and they stand in a directory in which Python does not look (`src`).
//!
//! In: a copy of a project. Out: the names that Python finds outside of it, and which directory of the copy has to
//! come first on `PYTHONPATH` so that it finds them there. Python itself looks them up, in the environment of the
//! tests.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use walkdir::WalkDir;

use crate::exec::Spec;
use crate::harness::Config;

use super::request::RunError;

/// Prints where names are imported from, but for those of Python's own library.
const WHERE: &str = include_str!("imports/where.py");
/// How long Python may take.
const LIMIT: Duration = Duration::from_secs(60);
/// Names to look up in Python.
const MOST_NAMES: usize = 200;

/// A package or module that Python does not find in the copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrayImport {
    pub name: String,
    /// Where Python finds it, if anywhere.
    pub from: Option<PathBuf>,
    /// The directory inside of the copy in which it should look first.
    pub root: PathBuf,
}

impl StrayImport {
    /// Asks Python for the modules of a project's sources. Empty if there are none, or no Python.
    pub fn find(config: &Config, tree: &Path, env: &[(String, String)]) -> Result<Vec<Self>, RunError> {
        let other = config.language.as_ref().is_some_and(|language| language != "python");
        let roots = if other { BTreeMap::new() } else { roots(config, tree) };
        if roots.is_empty() {
            return Ok(vec![]);
        }
        let command = config.tests.style.command().unwrap_or_default();
        let python = python(command);
        // `python3 -m pytest` looks in the current directory first; `pytest` does not look there at all.
        let here = if command.starts_with(&python) { "here" } else { "elsewhere" };
        let spec = Spec::program(&python, tree).args(["-c", WHERE, here]).args(roots.keys());
        let spec = spec.envs(env).time(LIMIT);
        // Where there is no Python, the tests say so better.
        let Ok(seen) = spec.run() else { return Ok(vec![]) };
        let inside = tree.canonicalize().map_err(RunError::io(tree.display().to_string()))?;
        let said = String::from_utf8_lossy(&seen.stdout);
        let found = said.lines().filter_map(|line| line.split_once('\t'));
        let strays =
            found.filter(|(_, from)| !Path::new(from).starts_with(&inside)).filter_map(|(name, from)| {
                let root = roots.get(name)?.clone();
                let from = (!from.is_empty()).then(|| PathBuf::from(from));
                Some(Self { name: name.to_owned(), from, root })
            });
        Ok(strays.collect())
    }

    /// The variables with the directories of the copy first on `PYTHONPATH`; `outer` is its value outside.
    pub fn put_first(strays: &[Self], tree: &Path, env: &mut Vec<(String, String)>, outer: Option<&String>) {
        let mut roots: Vec<String> =
            strays.iter().map(|stray| tree.join(&stray.root).display().to_string()).collect();
        roots.sort_unstable();
        roots.dedup();
        if roots.is_empty() {
            return;
        }
        let set = env.iter().rev().find(|(key, _)| key == "PYTHONPATH").map(|(_, value)| value);
        roots.extend(set.or(outer).filter(|value| !value.is_empty()).cloned());
        env.push(("PYTHONPATH".into(), roots.join(":")));
    }
}

/// Names that sources may be imported by, each with the directory it is in: packages and modules that stand in no
/// package.
fn roots(config: &Config, tree: &Path) -> BTreeMap<String, PathBuf> {
    let mut roots = BTreeMap::new();
    for source in &config.sources {
        let files = WalkDir::new(tree.join(source)).sort_by_file_name().into_iter().filter_map(Result::ok);
        for file in files.filter(|file| file.path().extension().is_some_and(|kind| kind == "py")) {
            let Ok(inside) = file.path().strip_prefix(tree) else { continue };
            // A name and what it is in, from the module up to the root.
            for path in inside.ancestors().take_while(|path| !path.as_os_str().is_empty()) {
                let (Some(parent), Some(name)) = (path.parent(), path.file_stem()) else { continue };
                let is_package = tree.join(parent).join("__init__.py").exists();
                let name = name.to_string_lossy();
                if !is_package && name != "__init__" && roots.len() < MOST_NAMES {
                    roots.entry(name.into_owned()).or_insert_with(|| parent.to_owned());
                }
            }
        }
    }
    roots
}

/// The Python that runs the tests, as far as the command says.
fn python(command: &str) -> String {
    let program = command.split_whitespace().next().unwrap_or_default();
    let (directory, name) = match program.rsplit_once('/') {
        Some((directory, name)) => (format!("{directory}/"), name),
        None => (String::new(), program),
    };
    if name.starts_with("python") || name.starts_with("pypy") {
        return program.to_owned();
    }
    // Beside a pytest with a path lies its Python.
    if name.starts_with("pytest") || name.starts_with("py.test") {
        directory + "python3"
    } else {
        "python3".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::Style;

    #[test]
    fn a_package_is_known_by_the_directory_it_is_in() {
        let tree = tempfile::tempdir().unwrap();
        for file in
            ["src/pack/__init__.py", "src/pack/deep/__init__.py", "src/pack/deep/one.py", "src/two.py"]
        {
            let path = tree.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let config = Config::new(Style::Command { command: "make".into() });
        let roots = roots(&config, tree.path());
        let src = PathBuf::from("src");
        assert_eq!((roots.get("pack"), roots.get("two")), (Some(&src), Some(&src)));
        assert!(!roots.contains_key("deep") && !roots.contains_key("one"), "{roots:?}");
    }

    #[test]
    fn the_copy_comes_before_what_was_first() {
        let stray = |root: &str| StrayImport { name: "x".into(), from: Some("/f".into()), root: root.into() };
        let mut env = vec![("PYTHONPATH".to_owned(), "/runtime".to_owned())];
        StrayImport::put_first(&[stray("src"), stray("src")], Path::new("/copy"), &mut env, None);
        assert_eq!(env.last().unwrap().1, "/copy/src:/runtime");
        let mut env = vec![];
        StrayImport::put_first(&[stray("src")], Path::new("/copy"), &mut env, Some(&"/outer".to_owned()));
        assert_eq!(env, [("PYTHONPATH".to_owned(), "/copy/src:/outer".to_owned())]);
        let mut env = vec![];
        StrayImport::put_first(&[], Path::new("/copy"), &mut env, None);
        assert!(env.is_empty());
    }

    #[test]
    fn the_python_of_the_tests_is_asked() {
        for (command, expected) in [
            ("python3 -m pytest -q", "python3"),
            (".venv/bin/python -m pytest", ".venv/bin/python"),
            (".venv/bin/pytest -q", ".venv/bin/python3"),
            ("pytest", "python3"),
            ("make test", "python3"),
        ] {
            assert_eq!(python(command), expected);
        }
    }
}

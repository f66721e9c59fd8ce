//! Python projects: which interpreter runs their tests, and what must be installed for them.

use std::path::Path;

use super::style::Style;
use super::tree::Tree;

/// Virtual environments that projects have, seen from the root.
const ENVIRONMENTS: [&str; 4] = [".venv", "venv", "env", ".env"];
/// Files that list what tests need.
const REQUIREMENTS: [&str; 16] = [
    "requirements/tests.txt",
    "requirements/test.txt",
    "requirements/testing.txt",
    "requirements/dev.txt",
    "requirements-tests.txt",
    "requirements-test.txt",
    "requirements-dev.txt",
    "requirements_dev.txt",
    "requirements_test.txt",
    "test-requirements.txt",
    "dev-requirements.txt",
    "tests/requirements.txt",
    "test/requirements.txt",
    "requirements.txt",
    "test_requirements.txt",
    "requirements/ci.txt",
];
/// Extras and groups that tests need, by their usual names.
const GROUPS: [&str; 6] = ["test", "tests", "testing", "dev", "develop", "development"];

/// Puts the project's own interpreter into the command, if it has one.
pub(super) fn use_environment(tree: &Tree, style: &mut Style) {
    let Style::Framework { preset, command, .. } = style else { return };
    let own = ENVIRONMENTS.iter().find(|name| tree.root.join(name).join("bin/python").exists());
    if let (None, Some(own)) = (&command, own) {
        *command = Some(format!("{own}/bin/python -m {}", preset.name));
    }
}

/// Lines for the shell that install a project and what its tests need into the environment `$1`, best first; all but the
/// first may fail.
pub fn python_install(root: &Path) -> Vec<String> {
    let pip = "\"$1/bin/python\" -m pip install -q --disable-pip-version-check";
    // Old versions know no groups.
    let mut lines =
        vec!["python3 -m venv \"$1\"".to_owned(), format!("{pip} --upgrade pip"), format!("{pip} pytest")];
    let text = std::fs::read_to_string(root.join("pyproject.toml")).unwrap_or_default();
    let project: toml::Table = toml::from_str(&text).unwrap_or_default();
    let is_package = ["pyproject.toml", "setup.py", "setup.cfg"].iter().any(|file| root.join(file).exists());
    let extras: Vec<String> = keys(&project, &["project", "optional-dependencies"]);
    let extras: Vec<String> = extras.into_iter().filter(|name| GROUPS.contains(&name.as_str())).collect();
    if is_package {
        let all = if extras.is_empty() { ".".to_owned() } else { format!(".[{}]", extras.join(",")) };
        lines.push(format!("{pip} '{all}' || {pip} ."));
    }
    let groups = keys(&project, &["dependency-groups"]);
    for group in groups.iter().filter(|group| GROUPS.contains(&group.as_str())) {
        lines.push(format!("{pip} --group '{group}'"));
    }
    let mut needed = Vec::new();
    for group in GROUPS {
        needed.extend(keys(&project, &["tool", "poetry", "group", group, "dependencies"]));
    }
    needed.extend(keys(&project, &["tool", "poetry", "dev-dependencies"]));
    needed.retain(|name| name != "python");
    lines.extend((!needed.is_empty()).then(|| format!("{pip} {}", needed.join(" "))));
    let files = REQUIREMENTS.iter().filter(|file| root.join(file).is_file());
    lines.extend(files.map(|file| format!("{pip} -r '{file}'")));
    lines
}

/// The keys of a table inside of tables.
fn keys(table: &toml::Table, path: &[&str]) -> Vec<String> {
    let mut now = table;
    for name in path {
        match now.get(*name).and_then(toml::Value::as_table) {
            Some(inner) => now = inner,
            None => return vec![],
        }
    }
    now.keys().cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_tests_need_is_found_in_groups_extras_and_files() {
        let root = tempfile::tempdir().unwrap();
        let text = "[project]\nname = 'x'\n[project.optional-dependencies]\ntests = ['a']\ndocs = ['b']\n\
                    [dependency-groups]\ntest = ['c']\nlint = ['d']\n[tool.poetry.dev-dependencies]\nmock = '*'\n";
        fs::write(root.path().join("pyproject.toml"), text).unwrap();
        fs::write(root.path().join("requirements-dev.txt"), "e").unwrap();
        let all = python_install(root.path()).join("\n");
        for part in ["'.[tests]'", "--group 'test'", " mock", "-r 'requirements-dev.txt'"] {
            assert!(all.contains(part), "{part} in {all}");
        }
        assert!(!all.contains("docs") && !all.contains("lint"), "{all}");
    }
}

//! Which directories of a project are mutated.

use std::collections::BTreeSet;

use super::preset::presets_file;
use super::tree::Tree;

/// The directories with a language's sources, and what is left out of them.
pub(super) fn sources(tree: &Tree, language: &str) -> (Vec<String>, Vec<String>) {
    let habit = presets_file().habits.iter().find(|habit| habit.name == language);
    let exclude = habit.map(|habit| habit.exclude.clone()).unwrap_or_default();
    let mut found = match language {
        "rust" => rust(tree),
        "python" => python(tree),
        _ => Vec::new(),
    };
    for place in habit.iter().flat_map(|habit| &habit.sources) {
        match place.strip_prefix("**/") {
            Some(suffix) => found.extend(anywhere(tree, suffix)),
            None => found.push(place.clone()),
        }
    }
    found.retain(|place| tree.speaks(place, language));
    let mut seen = BTreeSet::new();
    found.retain(|place| seen.insert(place.clone()));
    if found.is_empty() {
        found.push(".".to_owned());
    }
    (found, exclude)
}

/// Directories that end like this, at any depth.
fn anywhere(tree: &Tree, suffix: &str) -> Vec<String> {
    let mark = format!("/{suffix}/");
    let found = tree.files.iter().filter_map(|file| {
        let file = format!("/{file}");
        let end = file.find(&mark)? + mark.len() - 1;
        Some(file[1..end].to_owned())
    });
    found.collect::<BTreeSet<_>>().into_iter().collect()
}

/// `src` of the package, and of each member of the workspace.
fn rust(tree: &Tree) -> Vec<String> {
    let mut found = vec!["src".to_owned()];
    let manifest: toml::Table = toml::from_str(&tree.text("Cargo.toml")).unwrap_or_default();
    let workspace = manifest.get("workspace");
    let list = |key: &str| -> Vec<String> {
        let list = workspace.and_then(|table| table.get(key)?.as_array());
        list.into_iter().flatten().filter_map(toml::Value::as_str).map(str::to_owned).collect()
    };
    let excluded = list("exclude");
    for member in list("members") {
        let member = member.trim_start_matches("./").trim_end_matches('/');
        let manifests = tree.matching(&format!("{member}/Cargo.toml"));
        let members = manifests.into_iter().filter_map(|file| file.strip_suffix("/Cargo.toml"));
        let members = members.filter(|member| !excluded.iter().any(|other| other == member));
        found.extend(members.map(|member| format!("{member}/src")));
    }
    found
}

/// Packages in the root.
fn python(tree: &Tree) -> Vec<String> {
    let packages =
        tree.matching("*/__init__.py").into_iter().filter_map(|file| file.strip_suffix("/__init__.py"));
    packages.filter(|name| !["tests", "test", "docs", "examples"].contains(name)).map(str::to_owned).collect()
}

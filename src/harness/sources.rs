//! Which directories of a project are mutated.

use std::collections::BTreeSet;

use super::preset::Habit;
use super::preset::presets_file;
use super::tree::Tree;

/// The directories with a language's sources, and what is left out of them.
pub(super) fn sources(tree: &Tree, language: &str) -> (Vec<String>, Vec<String>) {
    let Some(habit) = presets_file().habits.iter().find(|habit| habit.name == language) else {
        return (vec![".".to_owned()], Vec::new());
    };
    let mut found = packages(tree, habit);
    for place in &habit.sources {
        match place.strip_prefix("**/") {
            Some(suffix) => found.extend(anywhere(tree, suffix)),
            None => found.push(place.clone()),
        }
    }
    found.extend(members(tree, habit));
    found.retain(|place| tree.speaks(place, language));
    let mut seen = BTreeSet::new();
    found.retain(|place| seen.insert(place.clone()));
    if found.is_empty() {
        found.push(".".to_owned());
    }
    (found, habit.exclude.clone())
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

/// The sources of each member of a workspace.
fn members(tree: &Tree, habit: &Habit) -> Vec<String> {
    let Some(manifest) = &habit.workspace else { return Vec::new() };
    let table: toml::Table = toml::from_str(&tree.text(manifest)).unwrap_or_default();
    let workspace = table.get("workspace");
    let list = |key: &str| -> Vec<String> {
        let list = workspace.and_then(|table| table.get(key)?.as_array());
        list.into_iter().flatten().filter_map(toml::Value::as_str).map(str::to_owned).collect()
    };
    let (excluded, suffix) = (list("exclude"), format!("/{manifest}"));
    let mut found = Vec::new();
    for member in list("members") {
        let member = member.trim_start_matches("./").trim_end_matches('/');
        let manifests = tree.matching(&format!("{member}{suffix}"));
        let members = manifests.into_iter().filter_map(|file| file.strip_suffix(&suffix));
        for member in members.filter(|member| !excluded.iter().any(|other| other == member)) {
            found.extend(habit.sources.iter().map(|place| format!("{member}/{place}")));
        }
    }
    found
}

/// Packages in the root.
fn packages(tree: &Tree, habit: &Habit) -> Vec<String> {
    let Some(mark) = &habit.package else { return Vec::new() };
    let suffix = format!("/{mark}");
    let marked = tree.matching(&format!("*{suffix}"));
    let names = marked.into_iter().filter_map(|file| file.strip_suffix(&suffix)).map(str::to_owned);
    names.filter(|name| !habit.no_packages.contains(name)).collect()
}

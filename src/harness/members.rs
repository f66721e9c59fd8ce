//! Parts of a project that can be tested when the whole cannot, and languages without a preset.

use std::collections::BTreeSet;
use std::path::Path;

use super::detect::Suggestion;
use super::detect::detect;
use super::tree::Tree;

/// Files that begin a project of their own.
const MANIFESTS: [&str; 10] = [
    "package.json",
    "pyproject.toml",
    "setup.py",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "composer.json",
    "Gemfile",
    "CMakeLists.txt",
    "build.gradle",
];
/// Parts that are looked at.
const MOST: usize = 40;

/// Projects that are known by their files, and why they cannot be tested by themselves.
const UNSUPPORTED: [(&str, &str); 5] = [
    ("**/*.csproj", "a .NET project (dotnet test)"),
    ("**/*.sln", "a .NET solution (dotnet test)"),
    ("Package.swift", "a Swift package (swift test)"),
    ("build.sbt", "a Scala project (sbt test)"),
    ("mix.exs", "an Elixir project (mix test)"),
];

/// The directories below that are projects of their own, with the best way to test each. Seen from the root.
pub fn members(root: &Path) -> Vec<(String, Suggestion)> {
    let tree = Tree::read(root);
    let manifest = |file: &str| {
        let (place, name) = file.rsplit_once('/')?;
        MANIFESTS.contains(&name).then(|| place.to_owned())
    };
    let places: BTreeSet<String> = tree.files.iter().filter_map(|file| manifest(file)).collect();
    // What lies in a project belongs to it.
    let outer = |place: &String| !places.iter().any(|other| place.starts_with(&format!("{other}/")));
    let places: Vec<&String> = places.iter().filter(|place| outer(place)).take(MOST).collect();
    let best = |place: &String| Some((place.clone(), detect(&root.join(place)).into_iter().next()?));
    places.into_iter().filter_map(best).collect()
}

/// What the project is, where that is known but no runner is, and what can be done.
pub fn unsupported(root: &Path) -> Option<String> {
    let tree = Tree::read(root);
    let (_, what) = UNSUPPORTED.iter().find(|(glob, _)| !tree.matching(glob).is_empty())?;
    Some(format!(
        "this is {what}, for which no preset exists; write a wildcaught.toml with [tests] preset = \"command\" \
         and command = \"…\". Each mutant then takes one build and one run of all tests"
    ))
}

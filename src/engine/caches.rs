//! Where build tools keep what they downloaded and compiled before: builds write there.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::exec::Containment;
use crate::exec::Sandbox;

/// Variables that name such a directory.
const VARIABLES: [&str; 11] = [
    "CARGO_HOME",
    "CARGO_TARGET_DIR",
    "CCACHE_DIR",
    "GOCACHE",
    "GOMODCACHE",
    "GOPATH",
    "GRADLE_USER_HOME",
    "MAVEN_USER_HOME",
    "SCCACHE_DIR",
    "XDG_CACHE_HOME",
    "npm_config_cache",
];
/// Where they are below the home directory if no variable says so.
const AT_HOME: [&str; 9] =
    [".cache", ".cargo", ".ccache", ".gradle", ".konan", ".m2", ".npm", ".nuget", "go"];

/// Tools, and what they make below the home directory when they first run. A sandbox lets them write only to what is
/// there.
const MADE: [(&str, &[&str]); 7] = [
    ("cargo", &[".cargo"]),
    ("ccache", &[".cache"]),
    ("go", &[".cache", "go"]),
    ("gradle", &[".gradle"]),
    ("gradlew", &[".gradle"]),
    ("mvn", &[".m2"]),
    ("npm", &[".npm"]),
];

/// What compilers of mutants may do in copies of a tree that has no settings.
#[derive(Clone, Debug, Default)]
pub struct Compilers {
    pub containment: Containment,
    /// The environment that we were started in.
    pub outer: BTreeMap<String, String>,
}

impl Compilers {
    /// What such a command may do in a copy: write there, and where build tools keep things.
    pub fn sandbox(&self, command: &str, copy: &Path) -> io::Result<Sandbox> {
        let mut writable = caches(&self.outer, &[], command);
        writable.push(copy.to_owned());
        self.containment.builds(&writable)
    }
}

/// The directories that are there, as these variables name them; later ones count. Those that the tools of a command
/// would make are made.
pub fn caches(outer: &BTreeMap<String, String>, set: &[(String, String)], command: &str) -> Vec<PathBuf> {
    let mut all: BTreeMap<&str, &str> = outer.iter().map(|(key, value)| (&key[..], &value[..])).collect();
    all.extend(set.iter().map(|(key, value)| (&key[..], &value[..])));
    let named = VARIABLES.iter().filter_map(|name| all.get(name)).map(PathBuf::from);
    let home = all.get("HOME").map(Path::new).filter(|home| home.is_dir());
    for name in home.iter().flat_map(|_| made(command)) {
        // If that fails, the tool says so.
        let _ = home.map(|home| fs::create_dir(home.join(name)));
    }
    let usual = home.into_iter().flat_map(|home| AT_HOME.map(|name| home.join(name)));
    named.chain(usual).collect()
}

/// What the tools of a command make below the home directory.
fn made(command: &str) -> impl Iterator<Item = &'static str> {
    let words = command.split(|letter: char| letter.is_whitespace() || "/;&|()".contains(letter));
    let tools: Vec<&str> = words.collect();
    MADE.into_iter().filter(move |(tool, _)| tools.contains(tool)).flat_map(|(_, made)| made.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_tools_of_a_command_keep_is_made() {
        let home = tempfile::tempdir().unwrap();
        let outer = BTreeMap::from([("HOME".to_owned(), home.path().display().to_string())]);
        let there = |name: &str| home.path().join(name).is_dir();
        caches(&outer, &[], "make test # goes on");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
        let found = caches(&outer, &[], "cd sub&&go test ./...");
        assert!(there(".cache") && there("go") && !there(".m2"));
        assert!(found.contains(&home.path().join("go")));
        caches(&outer, &[], "./gradlew test");
        assert!(there(".gradle"));
    }
}

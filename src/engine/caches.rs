//! Where build tools keep what they downloaded and compiled before: builds write there.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

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

/// The directories that are there, as these variables name them; later ones count.
pub fn caches(outer: &BTreeMap<String, String>, set: &[(String, String)]) -> Vec<PathBuf> {
    let mut all: BTreeMap<&str, &str> = outer.iter().map(|(key, value)| (&key[..], &value[..])).collect();
    all.extend(set.iter().map(|(key, value)| (&key[..], &value[..])));
    let named = VARIABLES.iter().filter_map(|name| all.get(name)).map(PathBuf::from);
    let home = all.get("HOME").map(Path::new);
    let usual = home.into_iter().flat_map(|home| AT_HOME.map(|name| home.join(name)));
    named.chain(usual).collect()
}

//! Where build tools keep what they downloaded and compiled before: builds write there.

use std::collections::BTreeMap;
use std::fs;
use std::io;
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

/// Where cargo builds for a worker; worker 0 builds the program with all mutants.
pub fn target(cache: &Path, worker: usize) -> PathBuf {
    cache.join(format!("target-{worker}"))
}

/// Gives a worker what cargo built for the first one, so that dependencies are built once.
pub fn share_built(cache: &Path, worker: usize) {
    let (from, to) = (target(cache, 0), target(cache, worker));
    if worker == 0 || to.exists() || !from.exists() {
        return;
    }
    // What could not be linked is built again.
    let _ = link_all(&from, &to);
}

/// Links all files of a directory into another. Programs and what is compiled in steps are of one copy only.
fn link_all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        if kind.is_dir() && name != "incremental" && name != "examples" {
            link_all(&entry.path(), &to.join(name))?;
        } else if kind.is_file() && !is_program(&entry.path()) {
            fs::hard_link(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}

/// Removes what earlier runs built in copies that are gone; dependencies stay.
pub fn tidy(cache: &Path) {
    let entries = |directory: &Path| fs::read_dir(directory).into_iter().flatten().flatten();
    let named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("target-");
    for target in entries(cache).filter(named) {
        for profile in entries(&target.path()) {
            // It is only a cache: what cannot be removed stays.
            let _ = fs::remove_dir_all(profile.path().join("incremental"));
            let programs = entries(&profile.path().join("deps")).filter(|entry| is_program(&entry.path()));
            programs.for_each(|program| drop(fs::remove_file(program.path())));
        }
    }
}

/// Whether cargo linked a test program there: build scripts are called otherwise.
fn is_program(path: &Path) -> bool {
    let inside = path.parent().is_some_and(|parent| parent.file_name().is_some_and(|name| name == "deps"));
    inside && path.extension().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_gets_the_dependencies_that_were_built_and_old_programs_are_removed() {
        let home = tempfile::tempdir().unwrap();
        let cache = home.path();
        for file in [
            "debug/deps/libserde-1.rlib",
            "debug/deps/mine-2",
            "debug/.fingerprint/serde-1/x",
            "debug/incremental/a",
        ] {
            let path = target(cache, 0).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        share_built(cache, 1);
        let there = |worker: usize, file: &str| target(cache, worker).join(file).exists();
        assert!(there(1, "debug/deps/libserde-1.rlib") && there(1, "debug/.fingerprint/serde-1/x"));
        assert!(!there(1, "debug/deps/mine-2") && !there(1, "debug/incremental"));
        tidy(cache);
        assert!(there(0, "debug/deps/libserde-1.rlib") && !there(0, "debug/deps/mine-2"));
        assert!(!there(0, "debug/incremental"));
    }
}

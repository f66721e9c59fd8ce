//! Where cargo builds: a directory for each worker, which outlives a run for the sake of the dependencies in it.
//!
//! What is built of the project itself is of no use to another run: it was built of a copy that is gone, with mutants in
//! it. The wrapper of rustc notes its names.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use walkdir::WalkDir;

/// A file in which the wrapper of rustc notes what was built of the project itself.
const NOTES: &str = "wildcaught.made";

/// Where cargo builds for a worker; worker 0 builds the program with all mutants.
pub fn target(cache: &Path, worker: usize) -> PathBuf {
    cache.join(format!("target-{worker}"))
}

/// Removes what earlier runs built in copies that are gone; dependencies stay.
pub fn tidy(cache: &Path) {
    let named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("target-");
    for target in entries(cache).filter(named) {
        let made = made_of_project(&target.path());
        for profile in entries(&target.path()).filter(|entry| entry.path().is_dir()) {
            // It is only a cache: what cannot be removed stays.
            let _ = fs::remove_dir_all(profile.path().join("incremental"));
            for directory in ["deps", ".fingerprint", "examples"] {
                for entry in entries(&profile.path().join(directory)) {
                    let path = entry.path();
                    if path.is_dir() && is_made(&path, &made) {
                        let _ = fs::remove_dir_all(path);
                    } else if is_program(&path) || is_made(&path, &made) {
                        let _ = fs::remove_file(path);
                    }
                }
            }
        }
        let _ = fs::remove_file(target.path().join(NOTES));
    }
}

/// Gives a worker that has built nothing yet the dependencies that were built for the first one.
pub fn share_dependencies(cache: &Path, worker: usize) -> io::Result<()> {
    let (from, to) = (target(cache, 0), target(cache, worker));
    if worker == 0 || to.is_dir() || !from.is_dir() {
        return Ok(());
    }
    let made = made_of_project(&from);
    let kept = |entry: &walkdir::DirEntry| {
        let path = entry.path();
        let ours = entry.file_name() == "incremental" || entry.file_name() == NOTES;
        !(ours || is_made(path, &made) || (entry.file_type().is_file() && is_program(path)))
    };
    for entry in WalkDir::new(&from).into_iter().filter_entry(kept) {
        let entry = entry?;
        let place = to.join(entry.path().strip_prefix(&from).expect("it was found there"));
        if entry.file_type().is_dir() {
            fs::create_dir_all(place)?;
        } else if entry.file_type().is_file() {
            fs::copy(entry.path(), &place)?;
            // Cargo goes by times.
            fs::File::options().append(true).open(&place)?.set_modified(entry.metadata()?.modified()?)?;
        }
    }
    Ok(())
}

/// The numbers in the names of what was built of the project itself.
fn made_of_project(target: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(target.join(NOTES)).unwrap_or_default();
    text.lines().filter(|line| line.len() >= 8).map(str::to_owned).collect()
}

/// Whether a name has one of these numbers: `libname-0123456789abcdef.rlib`.
fn is_made(path: &Path, made: &BTreeSet<String>) -> bool {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let number = name.rsplit_once('-').map_or("", |(_, end)| end.split('.').next().unwrap_or(""));
    made.contains(number)
}

fn entries(directory: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(directory).into_iter().flatten().flatten()
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
    fn programs_of_earlier_runs_are_removed_and_libraries_stay() {
        let home = tempfile::tempdir().unwrap();
        let cache = home.path();
        let built =
            ["deps/libserde-1.rlib", "deps/mine-2", "deps/libmine-0123456789abcdef.rlib", "incremental/a"];
        let built = built.map(|file| format!("debug/{file}"));
        for file in built.iter().map(String::as_str).chain(["debug/.fingerprint/mine-0123456789abcdef/lib"]) {
            let path = target(cache, 0).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        fs::write(target(cache, 0).join(NOTES), "0123456789abcdef\n").unwrap();
        let files = |worker: usize| {
            let all = WalkDir::new(target(cache, worker)).sort_by_file_name().into_iter().map(Result::unwrap);
            let files = all.filter(|entry| entry.file_type().is_file());
            files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        share_dependencies(cache, 1).unwrap();
        assert_eq!(files(1), ["libserde-1.rlib"]);
        assert_eq!(files(0).len(), 6);
        tidy(cache);
        assert_eq!(files(0), ["libserde-1.rlib"]);
    }
}

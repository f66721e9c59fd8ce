//! Git submodules that a clone does not have.

use std::fs;
use std::path::Path;

/// The paths of submodules whose directories are empty or missing.
pub fn missing_submodules(root: &Path) -> Vec<String> {
    let listed = fs::read_to_string(root.join(".gitmodules")).unwrap_or_default();
    let paths = listed.lines().filter_map(|line| {
        let (key, path) = line.split_once('=')?;
        (key.trim() == "path").then(|| path.trim().to_owned())
    });
    let is_there =
        |path: &String| fs::read_dir(root.join(path)).is_ok_and(|mut entries| entries.next().is_some());
    paths.filter(|path| !is_there(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_missing_directories_are_named() {
        let root = tempfile::tempdir().unwrap();
        assert!(missing_submodules(root.path()).is_empty());
        let listed = "[submodule \"a\"]\n\tpath = deps/a\n\turl = x\n[submodule \"b\"]\n\tpath = b\n[submodule \"c\"]\n\tpath=c\n";
        fs::write(root.path().join(".gitmodules"), listed).unwrap();
        fs::create_dir_all(root.path().join("deps/a")).unwrap();
        fs::create_dir_all(root.path().join("b/src")).unwrap();
        assert_eq!(missing_submodules(root.path()), ["deps/a", "c"]);
    }
}

//! Where a project's settings are.

use std::path::Path;
use std::path::PathBuf;

/// The name of the file with a project's settings.
pub const CONFIG: &str = "wildcaught.toml";

/// The settings that hold in a directory: its own, or those of the nearest directory above, up to the root of the
/// repository. The path is as short as it can be, seen from there.
pub fn find_config(directory: &Path) -> Option<PathBuf> {
    let own = directory.join(CONFIG);
    if own.exists() {
        return Some(if directory == Path::new(".") { PathBuf::from(CONFIG) } else { own });
    }
    let mut above = PathBuf::new();
    let mut at = directory.canonicalize().ok()?;
    while !at.join(".git").exists() && at.pop() {
        above.push("..");
        if at.join(CONFIG).exists() {
            let seen = if directory == Path::new(".") { above } else { directory.join(above) };
            return Some(seen.join(CONFIG));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn settings_are_found_from_below_but_not_beyond_the_repository() {
        let home = tempfile::tempdir().unwrap();
        let deep = home.path().join("repo/a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::write(home.path().join(CONFIG), "").unwrap();
        fs::write(home.path().join("repo").join(CONFIG), "").unwrap();
        assert_eq!(find_config(&deep), Some(deep.join("../..").join(CONFIG)));
        fs::remove_file(home.path().join("repo").join(CONFIG)).unwrap();
        assert_eq!(find_config(&deep), Some(deep.join("../../..").join(CONFIG)));
        fs::create_dir(home.path().join("repo/.git")).unwrap();
        assert_eq!(find_config(&deep), None, "another repository's settings are not ours");
    }
}

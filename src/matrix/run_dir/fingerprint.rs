//! A number for everything that a result depends on.

use std::fs;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

/// A number for all files of a project that git would keep, hidden ones included, and for the settings.
/// `out`, where results are kept, is no part of the project.
pub fn fingerprint(root: &Path, out: &Path, settings: &str) -> String {
    let mut hash = Xxh3::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    hash.update(settings.as_bytes());
    let out = out.canonicalize().unwrap_or_else(|_| out.to_owned());
    let walk = ignore::WalkBuilder::new(root)
        .require_git(false)
        .hidden(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(move |entry| {
            let name = entry.file_name().to_string_lossy();
            let ours = name.starts_with("wildcaught.out") || name == ".git";
            let results = entry.file_name() == out.file_name().unwrap_or_default()
                && entry.path().canonicalize().is_ok_and(|path| path == out);
            !ours && !results
        })
        .build();
    for entry in walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())) {
        let inside = entry.path().strip_prefix(root).unwrap_or(entry.path());
        hash.update(inside.as_os_str().as_encoded_bytes());
        if let Ok(bytes) = fs::read(entry.path()) {
            hash.update(&bytes);
        }
    }
    format!("{:016x}", hash.digest())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_files_count_and_results_do_not() {
        let root = tempfile::tempdir().unwrap();
        let out = root.path().join("results");
        let now = || fingerprint(root.path(), &out, "");
        let first = now();
        fs::create_dir_all(&out).unwrap();
        fs::write(out.join("store.sqlite"), "x").unwrap();
        assert_eq!(now(), first, "results are no part of the project");
        fs::create_dir_all(root.path().join(".cargo")).unwrap();
        fs::write(root.path().join(".cargo/config.toml"), "[build]").unwrap();
        assert_ne!(now(), first, "hidden files can change how a project is built");
        assert_ne!(fingerprint(root.path(), &out, "engine"), now());
    }
}

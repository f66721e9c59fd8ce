//! A number for everything that a verdict depends on.

use std::collections::BTreeSet;
use std::fs;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use ignore::DirEntry;
use xxhash_rust::xxh3::Xxh3;

use super::exports::exports;
use super::exports::number;
use super::swap::STORE;

/// How a store begins; its kind is at another place.
const SQLITE: &[u8] = b"SQLite format 3\0";
/// Where SQLite keeps the kind of a file, and ours.
const KIND: (usize, &[u8]) = (68, b"WCkm");
/// How plans are called.
pub const PLAN_ENDING: &str = "wc";
/// Settings of ours: what of them matters is in `settings`.
const OURS: [&str; 2] = ["wildcaught.toml", "wildcaught.accepted.toml"];

/// A number for all files of a project that git would keep, hidden ones included, and for the settings.
///
/// No part of the project are our own settings (what matters of them is in `settings`), directories of results, `out`
/// among them, and what was exported from the results in `out`.
pub fn fingerprint(root: &Path, out: &Path, settings: &str) -> String {
    let mut hash = Xxh3::new();
    part(&mut hash, env!("CARGO_PKG_VERSION").as_bytes());
    part(&mut hash, settings.as_bytes());
    let exports = exports(out);
    for path in project_files(root, out) {
        let inside = path.strip_prefix(root).unwrap_or(&path);
        if OURS.iter().any(|name| inside == Path::new(name)) {
            continue;
        }
        add(&mut hash, inside, &path, &exports);
    }
    format!("{:016x}", hash.digest())
}

/// Adds a file: its name, whether it can be run, where it leads if it is a link, and what is in it.
fn add(hash: &mut Xxh3, inside: &Path, path: &Path, exports: &BTreeSet<String>) {
    let bytes = fs::read(path).ok();
    if bytes.as_ref().is_some_and(|bytes| exports.contains(&number(bytes))) {
        return;
    }
    part(hash, inside.as_os_str().as_encoded_bytes());
    if let Ok(target) = fs::read_link(path) {
        part(hash, target.as_os_str().as_encoded_bytes());
    }
    hash.update(&[u8::from(is_program(path)), u8::from(bytes.is_some())]);
    part(hash, &bytes.unwrap_or_default());
}

/// Adds bytes and where they end.
fn part(hash: &mut Xxh3, bytes: &[u8]) {
    hash.update(&(bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|known| known.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(_path: &Path) -> bool {
    false
}

/// All files and links of a project, in order.
pub fn project_files(root: &Path, out: &Path) -> impl Iterator<Item = PathBuf> {
    let out = out.canonicalize().unwrap_or_else(|_| out.to_owned());
    let walk = ignore::WalkBuilder::new(root)
        .require_git(false)
        .hidden(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(move |entry| entry.depth() == 0 || !is_ours(entry, &out))
        .build();
    let wanted = |entry: &DirEntry| entry.file_type().is_some_and(|kind| !kind.is_dir());
    walk.flatten().filter(wanted).map(DirEntry::into_path)
}

/// Whether a directory is none of the project's: version control, or results.
fn is_ours(entry: &DirEntry, out: &Path) -> bool {
    let name = entry.file_name().to_string_lossy();
    name.starts_with("wildcaught.out")
        || name == ".git"
        || (entry.file_name() == out.file_name().unwrap_or_default()
            && entry.path().canonicalize().is_ok_and(|path| path == out))
        || (entry.file_type().is_some_and(|kind| kind.is_dir()) && is_store(&entry.path().join(STORE)))
        || (entry.path().extension().is_some_and(|ending| ending == PLAN_ENDING) && is_store(entry.path()))
}

/// Whether a file is a store, by what is in it.
fn is_store(path: &Path) -> bool {
    let mut head = [0; KIND.0 + 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head.starts_with(SQLITE) && head[KIND.0..] == *KIND.1
}

#[cfg(test)]
mod tests {
    use super::super::super::Store;
    use super::super::exports::note_export;
    use super::*;

    /// A project, and where its results are.
    fn project() -> (tempfile::TempDir, PathBuf) {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a.c"), "int a;").unwrap();
        let out = root.path().join("results");
        (root, out)
    }

    #[test]
    fn hidden_files_count_and_results_do_not() {
        let (root, out) = project();
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

    #[test]
    fn exports_settings_and_other_results_do_not_count() {
        let (root, out) = project();
        fs::create_dir_all(&out).unwrap();
        let now = || fingerprint(root.path(), &out, "");
        let first = now();
        fs::write(root.path().join("matrix.json"), "{}").unwrap();
        assert_ne!(now(), first);
        note_export(&out, b"{}").unwrap();
        assert_eq!(now(), first, "an export is no part of the project");
        fs::create_dir_all(root.path().join("results.old")).unwrap();
        Store::create(&root.path().join("results.old/store.sqlite")).unwrap();
        fs::write(root.path().join("results.old/notes"), "x").unwrap();
        assert_eq!(now(), first, "nor are older results");
        fs::write(root.path().join("wildcaught.toml"), "# another comment").unwrap();
        assert_eq!(now(), first, "what matters of the settings is given apart");
    }

    #[cfg(unix)]
    #[test]
    fn links_modes_and_where_a_file_ends_count() {
        use std::os::unix::fs::PermissionsExt;
        use std::os::unix::fs::symlink;
        let (root, out) = project();
        let file = root.path().join("a.c");
        let mut seen = BTreeSet::from([fingerprint(root.path(), &out, "")]);
        let mut is_new = || seen.insert(fingerprint(root.path(), &out, ""));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(is_new());
        fs::write(root.path().join("b.c"), "int a;").unwrap();
        assert!(is_new());
        symlink("a.c", root.path().join("link")).unwrap();
        assert!(is_new());
        fs::remove_file(root.path().join("link")).unwrap();
        symlink("b.c", root.path().join("link")).unwrap();
        assert!(is_new());
    }
}

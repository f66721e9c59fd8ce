//! Files that a document names, read only below a root.
//!
//! In: a root and a name from a matrix, a coverage file or a store. Out: the file's bytes. Invariant: what is read
//! is a regular file below the root once all links are resolved, so that a document from elsewhere shows nothing
//! of the machine but the project.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

/// Why a file that a document names was not read.
#[derive(Debug, thiserror::Error)]
pub enum NotBelow {
    #[error("{file}: {source}")]
    Io { file: String, source: io::Error },
    #[error("{file} is outside of {}; name the project's directory with --root", root.display())]
    Outside { file: String, root: PathBuf },
    #[error("{file} is not a regular file")]
    NoFile { file: String },
}

/// Reads a file that a document names.
pub fn read_below(root: &Path, file: &str) -> Result<Vec<u8>, NotBelow> {
    let failed = |source| NotBelow::Io { file: file.to_owned(), source };
    let real_root = root.canonicalize().map_err(failed)?;
    let path = root.join(file).canonicalize().map_err(failed)?;
    if !path.starts_with(&real_root) {
        return Err(NotBelow::Outside { file: file.to_owned(), root: root.to_owned() });
    }
    // A pipe would never end, nor would a device.
    if !fs::metadata(&path).map_err(failed)?.is_file() {
        return Err(NotBelow::NoFile { file: file.to_owned() });
    }
    fs::read(&path).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_below_the_root_are_read() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/a.c"), "a").unwrap();
        fs::write(outer.path().join("secret"), "s").unwrap();
        std::os::unix::fs::symlink("../secret", root.join("link.c")).unwrap();
        std::os::unix::fs::symlink("src/a.c", root.join("fine.c")).unwrap();
        let absolute = root.join("src/a.c").display().to_string();
        for file in ["src/a.c", "src/../src/a.c", "fine.c", &absolute] {
            assert_eq!(read_below(&root, file).unwrap(), b"a", "{file}");
        }
        let secret = outer.path().join("secret").display().to_string();
        for file in ["../secret", "src/../../secret", "link.c", &secret] {
            let error = read_below(&root, file).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{file} is outside of ")), "{error}");
        }
        assert_eq!(read_below(&root, "src").unwrap_err().to_string(), "src is not a regular file");
        assert!(matches!(read_below(&root, "none"), Err(NotBelow::Io { .. })));
    }
}

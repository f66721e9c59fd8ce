//! Build script: lists `langdefs/*.toml` and `corpora/*.toml`, so that adding a language or a set is adding a
//! file, never a code change.
//!
//! In: the files of both directories. Out: `$OUT_DIR/langdefs.rs` and `$OUT_DIR/corpora.rs`, expressions of type
//! `&[(&str, &str)]` (file stem, text), sorted by stem.

use std::env;
use std::fs;
use std::path::Path;

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for name in ["langdefs", "corpora"] {
        let rows = list(&Path::new(&root).join(name));
        let file = Path::new(&out).join(format!("{name}.rs"));
        fs::write(file, format!("&[\n{rows}]\n")).expect("OUT_DIR is writable");
    }
}

fn list(directory: &Path) -> String {
    println!("cargo:rerun-if-changed={}", directory.display());
    let mut files: Vec<_> = fs::read_dir(directory)
        .expect("the directory is readable")
        .map(|entry| entry.expect("the directory is readable").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "toml"))
        .collect();
    files.sort();
    let row = |path: &std::path::PathBuf| {
        let stem = path.file_stem().expect("a file has a name").to_string_lossy();
        format!("    ({stem:?}, include_str!({:?})),\n", path.display().to_string())
    };
    files.iter().map(row).collect()
}

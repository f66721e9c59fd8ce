//! Build script: lists `langdefs/*.toml` so that adding a language is adding a file, never a code change.
//!
//! In: the files of `langdefs/`. Out: `$OUT_DIR/builtin.rs`, an expression of type `&[(&str, &str)]`
//! (file stem, text), sorted by stem.

use std::env;
use std::fs;
use std::path::Path;

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let dir = Path::new(&root).join("langdefs");
    println!("cargo:rerun-if-changed={}", dir.display());
    let mut files: Vec<_> = fs::read_dir(&dir)
        .expect("langdefs/ is readable")
        .map(|entry| entry.expect("langdefs/ is readable").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "toml"))
        .collect();
    files.sort();
    let rows: String = files
        .iter()
        .map(|path| {
            let stem = path.file_stem().expect("a file has a name").to_string_lossy();
            format!("    ({stem:?}, include_str!({:?})),\n", path.display().to_string())
        })
        .collect();
    fs::write(Path::new(&out).join("builtin.rs"), format!("&[\n{rows}]\n")).expect("OUT_DIR is writable");
}

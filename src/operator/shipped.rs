//! The sets that ship inside the binary: every file of `corpora/`.

static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/corpora.rs"));

/// The names of the shipped sets, sorted: `classic-c`, `wild-c`, ….
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The TOML text of a shipped set.
pub fn shipped_text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text)
}

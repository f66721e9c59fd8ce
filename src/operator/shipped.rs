//! What ships inside the binary: every file of `corpora/`, sets of operators and models of viability.

static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/corpora.rs"));

/// How the names of models begin.
const MODEL: &str = "viability-";

/// The names of the shipped sets, sorted: `classic-c`, `wild-c`, ….
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name).filter(|name| !name.starts_with(MODEL))
}

/// The TOML text of the model of viability that ships for a language.
pub fn shipped_model_text(language: &str) -> Option<&'static str> {
    let named = |name: &str| name.strip_prefix(MODEL) == Some(language);
    FILES.iter().find(|(file, _)| named(file)).map(|(_, text)| *text)
}

/// The TOML text of a shipped set.
pub fn shipped_text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(file, _)| *file == name && !file.starts_with(MODEL)).map(|(_, text)| *text)
}

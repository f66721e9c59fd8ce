//! The definitions that ship inside the binary: every file of `langdefs/`.

use super::LangDef;

static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/langdefs.rs"));

/// The names of the built-in languages, sorted.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// The TOML text of a built-in language.
pub fn builtin_text(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(file, _)| *file == name).map(|(_, text)| *text)
}

/// A built-in language; a test checks that every one of them loads.
pub fn builtin(name: &str) -> Option<LangDef> {
    let text = builtin_text(name)?;
    Some(LangDef::parse(text, name).expect("the suite checks every built-in language definition"))
}

//! Texts that the tests of a project expect.

use globset::Glob;
use globset::GlobSet;
use globset::GlobSetBuilder;
use walkdir::WalkDir;

use crate::engine::Project;
use crate::insert::slots::ExpectedTexts;
use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;

/// Endings of files with what a program shall print.
const PRINTED: [&str; 7] = ["out", "exp", "expected", "expect", "ans", "ok", "stdout"];
/// Larger files are not read.
const LARGEST: u64 = 1 << 20;
/// A file with what a program shall print is not longer.
const LONGEST: u64 = 4_000;
/// Files that are looked at.
const MOST_FILES: usize = 20_000;

/// Texts in test code, and in files with what a program shall print.
pub fn expected_texts(project: &Project, def: &LangDef) -> ExpectedTexts {
    let tests = globs(&def.file.tests.paths);
    let skipped = |name: &str| name.starts_with('.') || project.config.skip.iter().any(|skip| skip == name);
    let out = project.out.as_deref();
    let walk = WalkDir::new(project.root).sort_by_file_name().into_iter().filter_entry(|entry| {
        entry.depth() == 0 || !(skipped(&entry.file_name().to_string_lossy()) || Some(entry.path()) == out)
    });
    let mut texts = Vec::new();
    for entry in walk.flatten().filter(|entry| entry.file_type().is_file()).take(MOST_FILES) {
        let path = entry.path().strip_prefix(project.root).unwrap_or(entry.path());
        let size = entry.metadata().map_or(u64::MAX, |about| about.len());
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        let printed = PRINTED.contains(&ending.as_str()) && size <= LONGEST;
        let code = def.file.extensions.contains(&ending) && tests.is_match(path) && size <= LARGEST;
        if !printed && !code {
            continue;
        }
        let Ok(text) = std::fs::read(entry.path()) else { continue };
        match code {
            true => texts.extend(literals(def, &text)),
            false => texts.extend(String::from_utf8(text)),
        }
    }
    ExpectedTexts::new(texts)
}

fn globs(patterns: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in patterns.iter().filter_map(|pattern| Glob::new(pattern).ok()) {
        set.add(glob);
    }
    set.build().unwrap_or_default()
}

/// The texts between quotes in a file.
fn literals(def: &LangDef, text: &[u8]) -> Vec<String> {
    let strings = Lexer::new(def, text, Start::File).filter(|token| token.kind == TokenKind::String);
    strings
        .filter_map(|token| {
            let literal = String::from_utf8_lossy(&text[token.span.range()]).into_owned();
            let quotes: &[char] = &['"', '\'', '`'];
            let inner = literal.trim_start_matches(|letter| !quotes.contains(&letter));
            let inner = inner.trim_start_matches(quotes).trim_end_matches(quotes);
            (!inner.is_empty()).then(|| inner.to_owned())
        })
        .collect()
}

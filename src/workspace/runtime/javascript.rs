//! The runtime of JavaScript and TypeScript: text in each file.

use crate::insert::SourceFile;
use crate::lex::TokenKind;

use super::setup::LanguageRuntime;
use super::setup::Setup;

/// No line end: lines keep their numbers.
const SOURCE: &str = include_str!("javascript/wildcaught.js");

/// JavaScript.
pub struct Javascript;

impl LanguageRuntime for Javascript {
    fn dress(&self, _setup: &Setup, file: &SourceFile, text: &[u8]) -> Vec<u8> {
        let after = behind_directives(file);
        [&text[..after], SOURCE.as_bytes(), &text[after..]].concat()
    }
}

/// The place behind a first line for the system, and behind a directive such as `"use strict"`.
fn behind_directives(file: &SourceFile) -> usize {
    let shebang = if file.text.starts_with(b"#!") {
        memchr::memchr(b'\n', &file.text).map_or(file.text.len(), |end| end + 1)
    } else {
        0
    };
    match file.tokens.first() {
        Some(first) if first.kind == TokenKind::String => {
            let end = first.span.end as usize;
            if file.text.get(end) == Some(&b';') { end + 1 } else { end }
        }
        _ => shebang,
    }
}

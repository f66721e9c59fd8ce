//! The functions of a text, each with a number for what it says: what can change without the rest.
//!
//! In: a text. Out: its functions with their heads, attributes before them included, and a number for all that is
//! outside of them. White space and comments do not count, but for comments that hold tests.

use std::collections::BTreeMap;
use std::path::PathBuf;

use xxhash_rust::xxh3::Xxh3;

use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;
use crate::text::LineIndex;

use super::source::SourceFile;
use super::structure::NONE;
use super::structure::Structure;
use super::syntax::Syntax;

/// What shows that a comment holds a test.
const TEST_IN_COMMENT: [&[u8]; 2] = [b"```", b">>>"];

/// A text, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePieces {
    /// All that is outside of functions.
    pub rest: u64,
    pub functions: Vec<FunctionPiece>,
}

/// A function that is inside of no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionPiece {
    pub name: String,
    /// Which of the functions of that name in the file it is, from 0.
    pub nth: u32,
    pub hash: u64,
    /// Its lines, from 1.
    pub first: u32,
    pub last: u32,
    /// The identifiers in it, sorted.
    pub words: Vec<String>,
}

/// Takes a text apart.
pub fn file_pieces(def: &LangDef, text: &[u8]) -> FilePieces {
    let file = SourceFile::new(def, PathBuf::new(), text.to_vec());
    let structure = Structure::new(def, &Syntax::new(def), &file);
    let lines = LineIndex::new(text);
    let (mut rest, mut functions) = (Xxh3::new(), Vec::new());
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut at = 0;
    for (start, name, end) in spans(&file, &structure) {
        let start = with_attributes(&file, start, at);
        add(&mut rest, &file, at, start);
        let mut hash = Xxh3::new();
        add(&mut hash, &file, start, end);
        let name = String::from_utf8_lossy(file.token(name)).into_owned();
        let nth = counts.entry(name.clone()).or_default();
        let line = |token: usize| lines.place(file.tokens[token].span.start as usize).line as u32;
        let (first, last) = (line(start), line(end - 1));
        functions.push(FunctionPiece {
            nth: *nth,
            hash: hash.digest(),
            first,
            last,
            words: words(&file, start, end),
            name,
        });
        *nth += 1;
        at = end;
    }
    add(&mut rest, &file, at, file.tokens.len());
    tests_in_comments(def, text, &mut rest);
    FilePieces { rest: rest.digest(), functions }
}

/// Functions with a name that are inside of no other: first token of the head, the name, one past the last token.
fn spans(file: &SourceFile, structure: &Structure) -> Vec<(usize, usize, usize)> {
    let named = structure.functions.iter().filter(|function| function.name != NONE);
    let span = |function: &super::structure::Function| {
        let close = match structure.mate[function.body as usize] {
            NONE => file.tokens.len().saturating_sub(1),
            close => close as usize,
        };
        (function.head as usize, function.name as usize, close + 1)
    };
    let mut spans: Vec<_> = named.map(span).collect();
    spans.sort_unstable();
    let mut end = 0;
    spans.retain(|(start, _, close)| {
        let outer = *start >= end;
        end = end.max(*close);
        outer
    });
    spans
}

/// The first token of what stands before a head and belongs to it: attributes, back to the end of what is before.
fn with_attributes(file: &SourceFile, head: usize, from: usize) -> usize {
    let ends = |at: usize| {
        let token = &file.tokens[at];
        token.kind.is_layout() || token.directive || matches!(file.token(at), b";" | b"}" | b"{")
    };
    (from..head).rev().find(|at| ends(*at)).map_or(from, |at| at + 1)
}

fn add(hash: &mut Xxh3, file: &SourceFile, from: usize, to: usize) {
    for token in from..to {
        hash.update(file.token(token));
        hash.update(&[0, file.tokens[token].kind as u8]);
    }
}

fn words(file: &SourceFile, from: usize, to: usize) -> Vec<String> {
    let is_word = |at: &usize| file.tokens[*at].kind == TokenKind::Identifier;
    let word = |at| String::from_utf8_lossy(file.token(at)).into_owned();
    let mut words: Vec<String> = (from..to).filter(is_word).map(word).collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn tests_in_comments(def: &LangDef, text: &[u8], hash: &mut Xxh3) {
    let mut holds = false;
    for token in Lexer::new(def, text, Start::Code).filter(|token| token.kind == TokenKind::Comment) {
        let comment = token.span.of(text);
        let marks = |mark: &[u8]| comment.windows(mark.len()).any(|window| window == mark);
        let marked = TEST_IN_COMMENT.iter().any(|mark| marks(mark));
        // Lines between two marks are of the test, too.
        if marked || holds {
            hash.update(comment);
        }
        holds ^= marked && comment.starts_with(b"//");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::langdef::builtin;

    const RUST: &str = "use a;\n#[test]\nfn one() { two(1); }\n\n/// Says.\nfn two(x: u8) -> u8 { x }\n";

    fn pieces(text: &str) -> FilePieces {
        file_pieces(&builtin("rust").unwrap(), text.as_bytes())
    }

    #[test]
    fn a_change_inside_of_a_function_changes_only_that_function() {
        let (before, after) = (pieces(RUST), pieces(&RUST.replace("{ x }", "{ x + 1 }")));
        assert_eq!(before.functions.len(), 2);
        assert_eq!(before.rest, after.rest);
        assert_eq!(before.functions[0], after.functions[0]);
        assert_ne!(before.functions[1].hash, after.functions[1].hash);
        assert_eq!(before.functions[0].words, ["one", "test", "two"]);
    }

    #[test]
    fn attributes_are_of_their_function_and_comments_of_nobody() {
        let (before, after) = (pieces(RUST), pieces(&RUST.replace("#[test]", "#[test] #[ignore]")));
        assert_eq!(before.rest, after.rest);
        assert_ne!(before.functions[0].hash, after.functions[0].hash);
        let commented = pieces(&RUST.replace("/// Says.", "// Nothing.\n\n"));
        assert_eq!(before.functions[1].hash, commented.functions[1].hash);
        assert_eq!(before.rest, commented.rest);
    }

    #[test]
    fn what_is_outside_and_tests_in_comments_change_the_rest() {
        assert_ne!(pieces(RUST).rest, pieces(&RUST.replace("use a", "use b")).rest);
        let doc = RUST.replace("/// Says.", "/// ```\n/// two(1);\n/// ```");
        assert_ne!(pieces(&doc).rest, pieces(RUST).rest);
        assert_ne!(pieces(&doc).rest, pieces(&doc.replace("two(1);\n///", "two(2);\n///")).rest);
    }

    #[test]
    fn one_function_more_leaves_the_rest_alone() {
        let more = RUST.replace("#[test]", "#[test]\nfn new() { two(2); }\n#[test]");
        assert_eq!(pieces(RUST).rest, pieces(&more).rest);
        assert_eq!(pieces(&more).functions.len(), 3);
    }
}

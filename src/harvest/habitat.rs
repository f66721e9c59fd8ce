//! The surroundings of a change: neighbours, the innermost bracket, the place in the statement.
//!
//! A lexer cannot know for sure, so this looks back a limited distance and answers `?` in doubt.

use std::borrow::Cow;

use crate::history::Known;
use crate::history::Side;
use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::Token;
use crate::lex::TokenKind;
use crate::operator::open_bracket;
use crate::operator::position;

use super::candidate::LexedSide;

/// How far back to look, in bytes: some six lines. Statements are shorter than that, and for brackets that
/// opened further up the indentation stands in.
const LOOK_BACK: usize = 240;

/// The surroundings of one occurrence.
pub(super) struct Surroundings<'t> {
    pub left: Option<(TokenKind, &'t [u8])>,
    pub right: Option<(TokenKind, &'t [u8])>,
    pub bracket: &'t [u8],
    pub position: Cow<'static, [u8]>,
}

/// Looks around the tokens `skip..len - drop` of a side. `back` is a buffer for the tokens before it.
pub(super) fn look_around<'t>(
    def: &LangDef,
    side: &Side<'t>,
    lexed: &LexedSide,
    skip: usize,
    drop: usize,
    back: &mut Vec<Token>,
) -> Surroundings<'t> {
    look_back(def, side, back);
    back.extend_from_slice(&lexed.tokens[..skip]);
    let text = side.text;
    let named = |token: &Token| (token.kind, token.span.of(text));
    let core = &lexed.tokens[skip..lexed.tokens.len() - drop];
    let right = if drop > 0 { lexed.tokens.get(lexed.tokens.len() - drop) } else { lexed.next.as_ref() };
    let first = core.first().or(right);
    Surroundings {
        left: back.last().map(named),
        right: right.map(named),
        bracket: innermost_bracket(def, text, back, side),
        position: position(def, text, back, first),
    }
}

/// The tokens before the block, as far as they are looked at.
fn look_back(def: &LangDef, side: &Side, back: &mut Vec<Token>) {
    back.clear();
    let block = side.range().start;
    let begin = side.resume_point(block.saturating_sub(LOOK_BACK));
    let start = if begin == 0 && matches!(side.known, Known::File(_)) { Start::File } else { Start::Code };
    for token in Lexer::resume(def, side.text, begin, start) {
        if token.span.start as usize >= block {
            break;
        }
        if !token.kind.is_trivia() {
            back.push(token);
        }
    }
}

fn innermost_bracket<'t>(def: &LangDef, text: &'t [u8], back: &[Token], side: &Side) -> &'t [u8] {
    if let Some(index) = open_bracket(def, text, back) {
        return back[index].span.of(text);
    }
    let seen_from_start = matches!(side.known, Known::File(_)) && side.range().start <= LOOK_BACK;
    // Nobody indents what stands outside all brackets, and nobody leaves a function body unindented.
    let indented = side.lines().first().is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    if seen_from_start || !indented { b"top" } else { b"?" }
}

//! What stood around a change: neighbours, the innermost bracket, the place in the statement.
//!
//! A lexer cannot tell for sure, so this looks back a bounded way and says `?` where it cannot see.

use std::borrow::Cow;

use crate::history::Known;
use crate::history::Side;
use crate::langdef::LangDef;
use crate::langdef::Layout;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::Token;
use crate::lex::TokenKind;

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

/// Steps backward over closed brackets; gives the index of the opening bracket that is still open.
fn open_bracket(def: &LangDef, text: &[u8], back: &[Token]) -> Option<usize> {
    let mut closed = 0usize;
    for (index, token) in back.iter().enumerate().rev() {
        if token.kind != TokenKind::Operator {
            continue;
        }
        let operator = token.span.of(text);
        if def.is_close(operator) {
            closed += 1;
        } else if def.is_open(operator) {
            if closed == 0 {
                return Some(index);
            }
            closed -= 1;
        }
    }
    None
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

/// Where in its statement or bracket the change stands, as far as the tokens before it tell.
fn position(def: &LangDef, text: &[u8], back: &[Token], first: Option<&Token>) -> Cow<'static, [u8]> {
    if first.is_some_and(|token| token.directive) {
        return Cow::Borrowed(b"directive");
    }
    let statement = statement_start(def, text, back);
    let after_line = def.layout() == Layout::Soft
        && matches!((back.last(), first), (Some(a), Some(b)) if line_ends_between(text, a, b));
    if statement == back.len() || after_line {
        return Cow::Borrowed(b"start");
    }
    let open = open_bracket(def, text, back).filter(|&open| open >= statement);
    if let Some(open) = open.filter(|&open| back[open].span.of(text) == b"(") {
        return before_parenthesis(text, &back[..open]);
    }
    let lead = &back[statement..];
    match lead {
        [keyword, ..] if keyword.kind == TokenKind::Keyword => [b":", keyword.span.of(text)].concat().into(),
        [a, b, ..] if a.kind == TokenKind::Identifier && b.kind == TokenKind::Identifier => {
            Cow::Borrowed(b"declaration")
        }
        _ => Cow::Borrowed(b"expression"),
    }
}

/// The index of the first token of the statement that the end of `back` is in.
fn statement_start(def: &LangDef, text: &[u8], back: &[Token]) -> usize {
    let soft = def.layout() == Layout::Soft;
    let mut closed = 0usize;
    for (index, token) in back.iter().enumerate().rev() {
        if token.kind == TokenKind::LineEnd {
            return index + 1;
        }
        if token.kind == TokenKind::Operator {
            let operator = token.span.of(text);
            if closed == 0 && (def.ends_statement(operator) || matches!(operator, b"{" | b"}")) {
                return index + 1;
            }
            if def.is_close(operator) {
                closed += 1;
            } else if def.is_open(operator) {
                closed = closed.saturating_sub(1);
            }
        }
        if soft && closed == 0 && index > 0 && line_ends_between(text, &back[index - 1], token) {
            return index;
        }
    }
    0
}

/// In a language where a line end may end a statement: it does after a value or a closing bracket.
fn line_ends_between(text: &[u8], a: &Token, b: &Token) -> bool {
    let between = &text[a.span.end as usize..b.span.start as usize];
    let value = a.kind != TokenKind::Operator || matches!(a.span.of(text), b")" | b"]" | b"}");
    let goes_on = b.kind == TokenKind::Operator && !matches!(b.span.of(text), b"}" | b"{" | b"(" | b"[");
    value && !goes_on && memchr::memchr(b'\n', between).is_some()
}

/// Whose parentheses they are: a keyword's (`:if(`), those of a name after a keyword (`:return f(`, `:int f(`),
/// of a name after a name (`parameters`, mostly), or of a name alone (`arguments`).
fn before_parenthesis(text: &[u8], before: &[Token]) -> Cow<'static, [u8]> {
    match before {
        [.., keyword] if keyword.kind == TokenKind::Keyword => {
            [b":", keyword.span.of(text), b"("].concat().into()
        }
        [.., word, name] if name.kind == TokenKind::Identifier => match word.kind {
            TokenKind::Identifier => Cow::Borrowed(b"parameters"),
            TokenKind::Keyword => [b":", word.span.of(text), b" f("].concat().into(),
            _ => Cow::Borrowed(b"arguments"),
        },
        [name] if name.kind == TokenKind::Identifier => Cow::Borrowed(b"arguments"),
        _ => Cow::Borrowed(b"parenthesis"),
    }
}

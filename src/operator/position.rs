//! Where in a statement something stands, as far as tokens tell: what habitats name and insertion asks again.

use std::borrow::Cow;

use crate::langdef::LangDef;
use crate::langdef::Layout;
use crate::lex::Token;
use crate::lex::TokenKind;

/// Steps backward over closed brackets; gives the index of the opening bracket that is still open.
pub fn open_bracket(def: &LangDef, text: &[u8], back: &[Token]) -> Option<usize> {
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

/// Where in its statement or bracket `first` stands, as far as the tokens before it tell; see
/// [`Habitat::position`](super::Habitat::position).
pub fn position(def: &LangDef, text: &[u8], back: &[Token], first: Option<&Token>) -> Cow<'static, [u8]> {
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
pub fn line_ends_between(text: &[u8], a: &Token, b: &Token) -> bool {
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

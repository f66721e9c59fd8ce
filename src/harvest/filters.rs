//! The filters that need no idioms: one small function each, applied in the paper's order.

use crate::langdef::LangDef;
use crate::lex::Token;
use crate::lex::TokenKind;
use crate::operator::Thresholds;

/// Both sides too small to say anything.
pub(super) fn too_few_tokens(before: &[Token], after: &[Token], limits: &Thresholds) -> bool {
    before.len().max(after.len()) < limits.min_tokens
}

/// A row of the same operator character that no operator of the language is made of: `****`, `----`.
/// Brackets and statement ends may repeat.
pub(super) fn ascii_art(tokens: &[Token], text: &[u8], def: &LangDef, limits: &Thresholds) -> bool {
    let mut run = 0;
    let mut members = 0;
    let mut last: Option<(u8, u32)> = None;
    for token in tokens {
        let bytes = token.span.of(text);
        let uniform = token.kind == TokenKind::Operator
            && bytes.iter().all(|byte| *byte == bytes[0])
            && !def.is_open(bytes)
            && !def.is_close(bytes)
            && !def.ends_statement(bytes);
        if !uniform {
            last = None;
            continue;
        }
        let goes_on = last == Some((bytes[0], token.span.start));
        run = if goes_on { run + bytes.len() } else { bytes.len() };
        members = if goes_on { members + 1 } else { 1 };
        if members > 1 && run >= limits.ascii_art {
            return true;
        }
        last = Some((bytes[0], token.span.end));
    }
    false
}

//! A lexed change: the tokens of the changed lines on either side, and what lies between them.

use crate::history::Change;
use crate::history::Known;
use crate::history::Side;
use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::Token;
use crate::lex::TokenKind;
use crate::operator::Granularity;

/// One side of a candidate; buffers are reused from change to change.
#[derive(Default)]
pub(super) struct LexedSide {
    /// Tokens of the block, without trivia and without layout at either end.
    pub tokens: Vec<Token>,
    /// The first token after the block.
    pub next: Option<Token>,
    /// A comment stands in the block.
    pub comment: bool,
    /// A literal or comment begins or ends outside of the block, or never ends.
    pub cut: bool,
    /// There were more tokens than anybody wanted to read.
    pub endless: bool,
}

/// Whether the token after the block is of interest.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Wanted,
    Unwanted,
}

impl LexedSide {
    /// Lexes the changed lines of a side, up to `most` tokens, and the first token after them if it is asked for.
    pub fn read(&mut self, def: &LangDef, side: &Side, most: usize, next: Next) {
        self.tokens.clear();
        (self.next, self.comment, self.cut, self.endless) = (None, false, false, false);
        let block = side.range();
        if block.is_empty() && matches!(side.known, Known::Hunk) && block.start == side.text.len() {
            return;
        }
        let begin = side.resume_point(block.start);
        let start =
            if begin == 0 && matches!(side.known, Known::File(_)) { Start::File } else { Start::Code };
        for token in Lexer::resume(def, side.text, begin, start) {
            let (from, to) = (token.span.start as usize, token.span.end as usize);
            if from >= block.end {
                if token.kind == TokenKind::Dedent && self.open_indents() > 0 {
                    self.tokens.push(token); // closes what the block opened, though it stands behind it
                }
                if next == Next::Unwanted && self.open_indents() == 0 {
                    break;
                }
                if token.kind.is_trivia() || token.kind.is_layout() {
                    continue;
                }
                self.next = Some(token);
                break;
            }
            if from < block.start && to <= block.start {
                continue;
            }
            self.see(token, from < block.start || to > block.end);
            if self.tokens.len() > most {
                self.endless = true;
                return;
            }
        }
        self.trim_layout();
    }

    fn see(&mut self, token: Token, crosses: bool) {
        match token.kind {
            TokenKind::Space => {}
            TokenKind::Comment => {
                self.comment = true;
                self.cut |= token.broken;
            }
            _ => {
                self.cut |= token.broken || crosses;
                self.tokens.push(token);
            }
        }
    }

    /// Indents in the block that no dedent closes.
    fn open_indents(&self) -> usize {
        self.tokens.iter().fold(0, |open: usize, token| match token.kind {
            TokenKind::Indent => open + 1,
            TokenKind::Dedent => open.saturating_sub(1),
            _ => open,
        })
    }

    /// Drops layout at both ends, but for dedents that close what the block opened.
    fn trim_layout(&mut self) {
        let leading = self.tokens.iter().take_while(|token| token.kind.is_layout()).count();
        self.tokens.drain(..leading);
        while let Some(last) = self.tokens.pop_if(|token| token.kind.is_layout()) {
            if last.kind == TokenKind::Dedent && self.open_indents() > 0 {
                self.tokens.push(last);
                break;
            }
        }
    }
}

/// Whether the change lies in text that is no code.
pub(super) fn is_prose(change: &Change, before: &LexedSide, after: &LexedSide) -> bool {
    let comment = before.comment || after.comment;
    if before.cut || after.cut {
        return true;
    }
    match change.after.known {
        // The file says exactly what is a comment; a comment beside code does no harm.
        Known::File(_) => comment && before.tokens.is_empty() && after.tokens.is_empty(),
        // A hunk may begin inside one: the paper's rule is that any mark of a comment is one too many.
        Known::Hunk => comment,
    }
}

/// Which tokens of either side become the candidate: `skip` at the beginning, `drop` at the end of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Trim {
    pub skip: usize,
    pub drop: usize,
}

/// Tokens of context at the most specific level.
const LEVEL_CONTEXT: u8 = 2;

/// Finds the trim that the granularity asks for.
pub(super) fn trim(change: &Change, before: &LexedSide, after: &LexedSide, granularity: Granularity) -> Trim {
    let context = match granularity {
        Granularity::Line => return Trim::default(),
        Granularity::Token { context } => context,
        Granularity::Levels => LEVEL_CONTEXT,
    };
    let same = |a: &Token, b: &Token| {
        a.kind == b.kind && a.span.of(change.before.text) == b.span.of(change.after.text)
    };
    let (a, b) = (&before.tokens, &after.tokens);
    let head = a.iter().zip(b).take_while(|(x, y)| same(x, y)).count();
    if head == a.len() && head == b.len() {
        return Trim::default(); // identical: a later filter says so
    }
    let most = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(x, y)| same(x, y)).count();
    let context = usize::from(context);
    Trim { skip: head.saturating_sub(context), drop: tail.saturating_sub(context) }
}

/// The one identifier that became one other, if that is all that changed.
pub(super) fn shift(change: &Change, before: &LexedSide, after: &LexedSide) -> Option<(Token, Token)> {
    if before.tokens.len() != after.tokens.len() || before.cut || after.cut {
        return None;
    }
    let mut found: Option<(Token, Token)> = None;
    for (&a, &b) in before.tokens.iter().zip(&after.tokens) {
        if a.kind != b.kind {
            return None;
        }
        if a.span.of(change.before.text) == b.span.of(change.after.text) {
            continue;
        }
        if a.kind != TokenKind::Identifier {
            return None;
        }
        match found {
            None => found = Some((a, b)),
            Some((x, y)) => {
                let again = x.span.of(change.before.text) == a.span.of(change.before.text)
                    && y.span.of(change.after.text) == b.span.of(change.after.text);
                if !again {
                    return None;
                }
            }
        }
    }
    found
}

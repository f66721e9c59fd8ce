//! What could stand in the place of a statement, a value or a condition: small changes of its tokens.

use crate::langdef::SlotsFile;
use crate::lex::TokenKind;

use super::super::render::TextEdit;
use super::super::structure::Marks;
use super::super::syntax::operator;
use super::super::units::Piece;
use super::expected::ExpectedTexts;
use super::family::Family;
use super::scope::Scope;
use super::slot::Alternative;
use super::tokens::Tokens;

/// Most other variables that are tried in the place of one.
const MOST_VARIABLES: usize = 8;
/// Most other constants that are tried in the place of one.
const MOST_CONSTANTS: usize = 8;

/// Operators that are taken for each other, by kind.
const KINDS: [(Family, &[&str]); 5] = [
    (Family::Comparison, &["<", "<=", ">", ">=", "==", "!="]),
    (Family::Logic, &["&&", "||"]),
    (Family::Logic, &["and", "or"]),
    (Family::Operator, &["+", "-", "*", "/", "%"]),
    (Family::Operator, &["=", "+=", "-=", "*=", "/="]),
];

/// A change of a piece.
pub struct Change {
    pub family: Family,
    /// In order; they do not overlap.
    pub edits: Vec<TextEdit>,
    pub size: usize,
    pub uniform: Vec<(Family, u64)>,
}

/// Changes of a piece, each result once.
pub struct Changes<'a> {
    pub tokens: Tokens<'a>,
    pub piece: Piece,
    found: Vec<Alternative>,
}

impl<'a> Changes<'a> {
    /// None yet.
    pub fn new(tokens: Tokens<'a>, piece: Piece) -> Self {
        Self { tokens, piece, found: vec![] }
    }

    /// Adds a change, unless another one does the same.
    pub fn push(&mut self, change: Change) {
        let woven = self.tokens.edited(self.piece, &change.edits);
        let (Some(first), Some(last)) = (change.edits.first(), change.edits.last()) else { return };
        if let Some(known) = self.found.iter_mut().find(|known| known.woven == woven) {
            known.uniform.extend(change.uniform);
            return;
        }
        if woven == self.tokens.written(self.piece) {
            return;
        }
        let bytes = first.start..last.end;
        let text = match &change.edits[..] {
            [one] => one.text.clone(),
            all => {
                let shift = |edit: &TextEdit| TextEdit {
                    start: edit.start - bytes.start,
                    end: edit.end - bytes.start,
                    text: edit.text.clone(),
                };
                let all: Vec<TextEdit> = all.iter().map(shift).collect();
                super::super::render::apply_all(&self.tokens.view.file.text[bytes.clone()], &all)
            }
        };
        self.found.push(Alternative {
            family: change.family,
            edit: TextEdit { start: bytes.start, end: bytes.end, text },
            woven,
            size: change.size,
            uniform: change.uniform,
        });
    }

    /// Puts a text in the place of some tokens.
    fn put(&mut self, family: Family, piece: Piece, text: impl Into<Vec<u8>>) {
        let (edits, size) = (vec![self.tokens.put(piece, text)], (piece.end - piece.start) as usize);
        self.push(Change { family, edits, size, uniform: vec![] });
    }

    /// All of them.
    pub fn into_alternatives(self) -> Vec<Alternative> {
        self.found
    }
}

/// All small changes of a piece.
pub fn small_changes(changes: &mut Changes, scope: &Scope, texts: &ExpectedTexts, words: &SlotsFile) {
    rewritten_texts(changes, texts);
    for at in changes.piece.start as usize..changes.piece.end as usize {
        if changes.tokens.has(at, Marks::ATTRIBUTE) {
            continue;
        }
        match changes.tokens.kind(at) {
            Some(TokenKind::Operator | TokenKind::Keyword) => operators(changes, at),
            Some(TokenKind::Number | TokenKind::Char) => constants(changes, scope, at),
            _ => {}
        }
        if changes.tokens.is(at, "(") {
            arguments(changes, at);
        }
    }
    variables(changes, scope);
    wraps(changes, scope, words);
}

/// What can be made of a value.
fn wraps(changes: &mut Changes, scope: &Scope, words: &SlotsFile) {
    let piece = changes.piece;
    let here = scope.mentions.iter().filter(|mention| piece.holds(mention.piece.start, mention.piece.end));
    for mention in here.filter(|mention| !mention.declared) {
        for wrap in &words.wraps {
            let inner = wrap.split("{text}").next().unwrap_or_default();
            let before = (mention.piece.start as usize).saturating_sub(2);
            let wrapped = changes.tokens.is(before + 1, "(")
                && inner.ends_with("(")
                && inner.contains(&*String::from_utf8_lossy(changes.tokens.text(before)));
            if !wrapped {
                changes.put(Family::Wrap, mention.piece, wrap.replace("{text}", &mention.text));
            }
        }
    }
}

fn one(at: usize) -> Piece {
    Piece { start: at as u32, end: at as u32 + 1 }
}

/// Other operators of the same kind.
fn operators(changes: &mut Changes, at: usize) {
    let tokens = changes.tokens;
    let text = String::from_utf8_lossy(tokens.text(at)).into_owned();
    let Some((family, kind)) = KINDS.iter().find(|(_, kind)| kind.contains(&text.as_str())) else { return };
    if !tokens.is_binary(at) {
        return;
    }
    let spelled = tokens.kind(at) == Some(TokenKind::Keyword);
    for other in kind.iter().filter(|other| **other != text) {
        if spelled
            || tokens.view.syntax.binary.contains(&operator(other))
            || tokens.view.syntax.assignments.contains(&operator(other))
        {
            changes.put(*family, one(at), *other);
        }
    }
}

/// A number next to this one, or another of the function.
fn constants(changes: &mut Changes, scope: &Scope, at: usize) {
    let tokens = changes.tokens;
    let text = String::from_utf8_lossy(tokens.text(at)).into_owned();
    if let Ok(number) = text.parse::<i64>() {
        for other in [number.saturating_add(1), number.saturating_sub(1)] {
            changes.put(Family::Constant, one(at), other.to_string());
        }
    }
    let kind = tokens.kind(at);
    let mut others = scope.constants(at as u32);
    if kind == Some(TokenKind::Number) {
        others.extend(["0", "1"]);
    }
    let same = |other: &&str| {
        let quoted = other.starts_with('\'') || other.starts_with('"');
        quoted == (kind == Some(TokenKind::Char)) && **other != text
    };
    for other in others.into_iter().filter(same).take(MOST_CONSTANTS) {
        changes.put(Family::Constant, one(at), other);
    }
}

/// Other variables that are visible.
fn variables(changes: &mut Changes, scope: &Scope) {
    let piece = changes.piece;
    let here = scope.mentions.iter().filter(|mention| piece.holds(mention.piece.start, mention.piece.end));
    for mention in here.filter(|mention| !mention.declared) {
        let member = mention.text.rsplit(['.', '>']).next();
        let alike = |other: &str| other.rsplit(['.', '>']).next() == member;
        let mut others: Vec<&str> = scope
            .visible(piece.start)
            .into_iter()
            .map(|other| other.text.as_str())
            .filter(|other| *other != mention.text)
            .collect();
        // `b.value` for `a.value` before anything else.
        others.sort_by_key(|other| !alike(other));
        for other in others.into_iter().take(MOST_VARIABLES) {
            changes.put(Family::Variable, mention.piece, other);
        }
    }
}

/// Neighbouring arguments swapped, and a call without its name where it has one argument.
fn arguments(changes: &mut Changes, open: usize) {
    let tokens = changes.tokens;
    let Some(close) = tokens.close(open).filter(|close| *close < changes.piece.end as usize) else { return };
    let called = open > 0 && tokens.kind(open - 1) == Some(TokenKind::Identifier);
    if !called || open == changes.piece.start as usize {
        return;
    }
    let commas: Vec<usize> =
        (open + 1..close).filter(|at| tokens.open(*at) == open as u32 && tokens.is(*at, ",")).collect();
    let mut starts = vec![open + 1];
    starts.extend(commas.iter().map(|comma| comma + 1));
    let ends: Vec<usize> = commas.iter().copied().chain([close]).collect();
    let parts: Vec<Piece> = starts
        .iter()
        .zip(&ends)
        .filter(|(start, end)| start < end)
        .map(|(start, end)| Piece { start: *start as u32, end: *end as u32 })
        .collect();
    for pair in parts.windows(2) {
        let edits =
            vec![tokens.put(pair[0], tokens.written(pair[1])), tokens.put(pair[1], tokens.written(pair[0]))];
        let size = (pair[1].end - pair[0].start) as usize;
        changes.push(Change { family: Family::Argument, edits, size, uniform: vec![] });
    }
    let bare =
        (open - 1).checked_sub(1).is_none_or(|at| !tokens.view.syntax.members.contains(&tokens.sym(at)));
    if let ([argument], true) = (&parts[..], bare && open - 1 > changes.piece.start as usize) {
        let whole = Piece { start: open as u32 - 1, end: close as u32 + 1 };
        changes.put(Family::Call, whole, [b"(", tokens.written(*argument), b")"].concat());
    }
}

/// Texts as tests expect them: one by one, and all of them.
fn rewritten_texts(changes: &mut Changes, texts: &ExpectedTexts) {
    let tokens = changes.tokens;
    let strings = (changes.piece.start as usize..changes.piece.end as usize)
        .filter(|at| tokens.kind(*at) == Some(TokenKind::String));
    let mut best: Vec<TextEdit> = Vec::new();
    for at in strings {
        let literal = String::from_utf8_lossy(tokens.text(at)).into_owned();
        let others = texts.rewritten(&literal);
        best.extend(others.first().map(|other| tokens.put(one(at), other.clone())));
        for other in others {
            changes.put(Family::Text, one(at), other);
        }
    }
    if let Some(size) = Some(best.len()).filter(|size| *size > 0) {
        // The key that all texts of a program share.
        changes.push(Change {
            family: Family::Text,
            edits: best,
            size,
            uniform: vec![(Family::Text, TEXTS)],
        });
    }
}

/// The key of texts that are all rewritten together.
pub const TEXTS: u64 = 1;

//! Where conditions stand, and what could stand there instead.

use crate::langdef::SlotsFile;
use crate::lex::TokenKind;

use super::super::render::TextEdit;
use super::super::units::Piece;
use super::family::Family;
use super::statements::Change;
use super::statements::Changes;
use super::tokens::Tokens;

/// The conditions of branches and loops between two tokens.
pub fn conditions(tokens: Tokens, body: Piece, bare_heads: bool) -> Vec<Piece> {
    let syntax = tokens.view.syntax;
    let leads = |at: usize| {
        let sym = tokens.sym(at);
        tokens.kind(at) == Some(TokenKind::Keyword)
            && (syntax.conditions.contains(&sym) || syntax.loops.contains(&sym))
            && !tokens.view.file.tokens[at].directive
    };
    let all = (body.start as usize..body.end as usize).filter(|at| leads(*at));
    let head = |at: usize| if bare_heads { bare_head(tokens, at) } else { head(tokens, at) };
    all.filter_map(head).filter(|piece| piece.start < piece.end).collect()
}

/// What stands between parentheses behind a word; of three parts, the one in the middle.
fn head(tokens: Tokens, word: usize) -> Option<Piece> {
    let open = word + 1;
    if !tokens.is(open, "(") {
        return None;
    }
    let close = tokens.close(open)?;
    let right_inside = |at: &usize| tokens.open(*at) == open as u32;
    let ends: Vec<usize> = (open + 1..close).filter(right_inside).filter(|at| tokens.is(*at, ";")).collect();
    match ends[..] {
        [first, second] => Some(Piece { start: first as u32 + 1, end: second as u32 }),
        [] => {
            // `for (T x : all)`, `for (x of all)`
            let each = |at: usize| tokens.is(at, ":") || tokens.is(at, "of") || tokens.is(at, "in");
            let loops = (open + 1..close).filter(right_inside).any(each) && tokens.is(word, "for");
            (!loops).then_some(Piece { start: open as u32 + 1, end: close as u32 })
        }
        _ => None,
    }
}

/// What stands between a word and the block that it leads.
fn bare_head(tokens: Tokens, word: usize) -> Option<Piece> {
    let depth = tokens.open(word);
    let count = tokens.view.file.tokens.len();
    let same = |at: &usize| tokens.open(*at) == depth;
    let ends = |at: usize| {
        tokens.is(at, "{") || (tokens.is(at, ":") && tokens.kind(at + 1) == Some(TokenKind::LineEnd))
    };
    let end = (word + 1..count.min(word + 200)).filter(same).find(|at| ends(*at))?;
    let binds = |at: usize| {
        ["let", ":=", "in", "range"].iter().any(|text| tokens.is(at, text))
            || (tokens.is(at, "=") && !tokens.is_binary(at))
    };
    let last = (word + 1..end).filter(same).rfind(|at| tokens.is(*at, ";"));
    let start = last.map_or(word + 1, |at| at + 1);
    let steps = last.is_some() && tokens.is(word, "for");
    (!steps && !(start..end).any(binds)).then_some(Piece { start: start as u32, end: end as u32 })
}

/// Alternatives of a condition as a whole: its negation, and what is left without one of its parts.
pub fn whole(changes: &mut Changes, words: &SlotsFile) {
    let (tokens, piece) = (changes.tokens, changes.piece);
    let text = String::from_utf8_lossy(tokens.written(piece)).into_owned();
    let negated = format!("{}({text})", words.not);
    changes.push(Change {
        family: Family::Negation,
        edits: vec![tokens.put(piece, negated)],
        size: 1,
        uniform: vec![],
    });
    let parts = parts(tokens, piece);
    for (number, part) in parts.iter().enumerate().filter(|_| parts.len() > 1) {
        // With the operator before it, or behind the first.
        let (start, end) = match number {
            0 => (part.start, parts[1].start),
            _ => (parts[number - 1].end, part.end),
        };
        let edit = tokens.put(Piece { start, end }, "");
        let size = (end - start) as usize;
        changes.push(Change { family: Family::Conjunct, edits: vec![edit], size, uniform: vec![] });
    }
}

/// A condition that holds only if something is there that it uses.
pub fn present(changes: &mut Changes, words: &SlotsFile, used: &[&str]) {
    let (tokens, piece) = (changes.tokens, changes.piece);
    let text = String::from_utf8_lossy(tokens.written(piece)).into_owned();
    let text = if text.contains(&words.or) { format!("({text})") } else { text };
    for name in used.iter().filter(|_| !words.present.is_empty()) {
        let joined = format!("{} {} {text}", words.present.replace("{text}", name), words.and);
        let edits = vec![tokens.put(piece, joined)];
        changes.push(Change { family: Family::Conjunct, edits, size: 4, uniform: vec![] });
    }
}

/// The parts of a condition between logical operators.
fn parts(tokens: Tokens, piece: Piece) -> Vec<Piece> {
    let depth = tokens.open(piece.start as usize);
    let mut parts = Vec::new();
    let mut start = piece.start;
    for at in piece.start..piece.end {
        let splits =
            tokens.open(at as usize) == depth && tokens.view.syntax.logic.contains(&tokens.sym(at as usize));
        if splits && start < at {
            parts.push(Piece { start, end: at });
            start = at + 1;
        }
    }
    parts.extend((start < piece.end).then_some(Piece { start, end: piece.end }));
    parts
}

/// One operator exchanged at all its places in a piece, where it has more than one.
pub fn uniform(changes: &mut Changes) {
    let (tokens, piece) = (changes.tokens, changes.piece);
    let syntax = tokens.view.syntax;
    let known = |text: &str| {
        let sym = super::super::syntax::operator(text);
        syntax.comparisons.contains(&sym) || syntax.logic.contains(&sym)
    };
    for (family, exchanges) in UNIFORM {
        if !exchanges.iter().all(|(_, new)| known(new)) {
            continue;
        }
        let edit = |at: u32| -> Option<TextEdit> {
            let (_, new) = exchanges.iter().find(|(old, _)| tokens.is(at as usize, old))?;
            tokens.is_binary(at as usize).then(|| tokens.put(Piece { start: at, end: at + 1 }, *new))
        };
        let edits: Vec<TextEdit> = (piece.start..piece.end).filter_map(edit).collect();
        let uniform = vec![(family, super::super::syntax::operator(&format!("{exchanges:?}")))];
        let size = edits.len();
        changes.push(Change { family, edits, size, uniform });
    }
}

/// Operators that are wrong in many places at once, and what they should be.
const UNIFORM: [(Family, &[(&str, &str)]); 16] = [
    (Family::Uniform, &[("<", "<="), (">", ">=")]),
    (Family::Uniform, &[("<=", "<"), (">=", ">")]),
    (Family::Everywhere, &[("<", ">"), (">", "<")]),
    (Family::Everywhere, &[("<=", ">="), (">=", "<=")]),
    (Family::Uniform, &[("<", "<=")]),
    (Family::Uniform, &[("<=", "<")]),
    (Family::Uniform, &[(">", ">=")]),
    (Family::Uniform, &[(">=", ">")]),
    (Family::Everywhere, &[("<", ">")]),
    (Family::Everywhere, &[(">", "<")]),
    (Family::Everywhere, &[("<=", ">=")]),
    (Family::Everywhere, &[(">=", "<=")]),
    (Family::Everywhere, &[("&&", "||")]),
    (Family::Everywhere, &[("||", "&&")]),
    (Family::Everywhere, &[("==", "!=")]),
    (Family::Everywhere, &[("!=", "==")]),
];

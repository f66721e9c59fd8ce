//! Folds what one side drops whole, or what both share, to holes.

use super::super::generalize::HoleKind;
use super::super::symbols::Symbol;
use super::classes::Class;
use super::classes::Classes;
use super::encode::Atom;
use super::encode::Atoms;

/// Shared parts that are looked for.
const MOST_SHARED: usize = 3;
/// Longer sides are not compared: the cost grows with the product.
const LONGEST_COMPARED: usize = 48;

/// A row of tokens as atoms.
pub fn atoms(side: &[Symbol]) -> Atoms {
    side.iter().map(|&symbol| Atom::Token(symbol)).collect()
}

fn class(classes: &Classes, atom: Atom) -> Class {
    match atom {
        Atom::Token(symbol) => classes.of(symbol),
        Atom::Dropped(HoleKind::Statement) => Class::End,
        Atom::Dropped(_) | Atom::Shared(..) => Class::Word,
    }
}

/// Where the bracket that opens at `open` closes.
pub fn close(classes: &Classes, side: &[Atom], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, atom) in side.iter().enumerate().skip(open) {
        match class(classes, *atom) {
            Class::Open(_) => depth += 1,
            Class::Close(_) => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Brackets with at least `least` tokens inside keep nothing but themselves: `( $*_ )`.
pub fn fold_brackets(classes: &Classes, side: &[Atom], least: usize) -> Atoms {
    let mut out = Atoms::new();
    let mut at = 0;
    while at < side.len() {
        out.push(side[at]);
        if matches!(class(classes, side[at]), Class::Open(_))
            && let Some(end) = close(classes, side, at)
        {
            let inside = &side[at + 1..end];
            let shares = inside.iter().any(|atom| matches!(atom, Atom::Shared(..)));
            if inside.len() >= least && !shares {
                out.push(Atom::Dropped(HoleKind::Rest));
            } else {
                out.extend(fold_brackets(classes, inside, least));
            }
            out.push(side[end]);
            at = end;
        }
        at += 1;
    }
    out
}

/// Operands of at least two tokens that are dropped whole become `$(_)`. What stands behind one must be a token that
/// patterns name; `right` says whether what stands behind the side is.
pub fn fold_operands(classes: &Classes, side: &[Atom], right: bool) -> Atoms {
    let mut out = Atoms::new();
    let mut at = 0;
    while at < side.len() {
        let end = operand_end(classes, side, at);
        if end == at {
            out.push(side[at]);
            at += 1;
            continue;
        }
        let run = &side[at..end];
        let joint = |atom: &Atom| class(classes, *atom) == Class::Joint;
        let first = usize::from(run.len() > 1 && joint(&run[0]));
        let last = run.len() - usize::from(run.len() > 1 + first && joint(&run[run.len() - 1]));
        let inner = &run[first..last];
        let shares = inner.iter().any(|atom| matches!(atom, Atom::Shared(..)));
        let literal =
            last < run.len() || if end < side.len() { is_literal(classes, side[end]) } else { right };
        out.extend_from_slice(&run[..first]);
        // A bracket alone is not an operand of something, but the head of a statement or a cast.
        let bracket = matches!(class(classes, inner[0]), Class::Open(_))
            && close(classes, inner, 0).is_some_and(|end| end + 1 == inner.len());
        if inner.len() > 1 && !shares && literal && !bracket {
            out.push(Atom::Dropped(HoleKind::Expression));
        } else {
            out.extend_from_slice(inner);
        }
        out.extend_from_slice(&run[last..]);
        at = end;
    }
    out
}

fn is_literal(classes: &Classes, atom: Atom) -> bool {
    matches!(atom, Atom::Token(symbol) if classes.is_literal(symbol))
}

/// Where a run of operands, joints and whole brackets ends that begins at `start`.
fn operand_end(classes: &Classes, side: &[Atom], start: usize) -> usize {
    let mut at = start;
    while at < side.len() {
        at = match class(classes, side[at]) {
            Class::Word | Class::Joint => at + 1,
            // Brackets after an operand or first: a call, an index, a cast. Braces are blocks as often as values.
            Class::Open(pair) if pair < 2 => match close(classes, side, at) {
                Some(end) => end + 1,
                None => break,
            },
            _ => break,
        };
    }
    at
}

/// Finds the longest runs of tokens that both sides have and that are expressions by themselves; they are bound.
pub fn share(classes: &Classes, find: &mut Atoms, put: &mut Atoms) {
    for number in 0..MOST_SHARED {
        if find.len().max(put.len()) > LONGEST_COMPARED {
            return;
        }
        let Some((from, to, length)) = longest_common(classes, find, put) else { return };
        let hole = Atom::Shared(HoleKind::Expression, number as u8);
        find.drain(from..from + length);
        find.insert(from, hole);
        put.drain(to..to + length);
        put.insert(to, hole);
    }
}

/// The longest run of at least two tokens that both have, is balanced, and is followed in the pattern by a token that
/// patterns name.
fn longest_common(classes: &Classes, find: &[Atom], put: &[Atom]) -> Option<(usize, usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    for from in 0..find.len() {
        for to in 0..put.len() {
            let starts = from == 0 || to == 0 || find[from - 1] != put[to - 1];
            if !starts || matches!(find[from], Atom::Shared(..)) {
                continue;
            }
            let same = |at: &usize| {
                find.get(from + at) == put.get(to + at)
                    && !matches!(find.get(from + at), Some(Atom::Shared(..)))
            };
            let most = (0..find.len().min(put.len())).take_while(same).count().min(find.len() - from);
            let most = most.min(put.len() - to);
            let length = expression_length(classes, &find[from..from + most]);
            let behind = find.get(from + length).is_some_and(|atom| is_literal(classes, *atom));
            if length > 1 && behind && best.is_none_or(|(_, _, known)| length > known) {
                best = Some((from, to, length));
            }
        }
    }
    best
}

/// How many of the first tokens make one expression.
fn expression_length(classes: &Classes, run: &[Atom]) -> usize {
    let mut end = operand_end(classes, run, 0);
    while end > 0 && class(classes, run[end - 1]) == Class::Joint {
        end -= 1;
    }
    if run.first().is_some_and(|first| class(classes, *first) == Class::Joint) { 0 } else { end }
}

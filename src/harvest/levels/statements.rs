//! Whole statements that one side drops: `${_}`, or the shape of a condition or loop.

use super::super::generalize::HoleKind;
use super::classes::Class;
use super::classes::Classes;
use super::encode::Atom;
use super::encode::Atoms;
use super::fold::close;

/// Most statements in a row that are dropped as such.
const MOST: usize = 3;

/// The side as statements; none if it is not made of whole ones.
pub fn fold_statements(classes: &Classes, side: &[Atom]) -> Option<Atoms> {
    let mut out = Atoms::new();
    let mut at = 0;
    let mut count = 0;
    while at < side.len() {
        if is_layout(classes, side[at]) {
            if !classes.soft {
                out.push(side[at]);
            }
            at += 1;
            continue;
        }
        count += 1;
        at = statement(classes, side, at, &mut out)?;
    }
    (count > 0 && count <= MOST).then_some(out)
}

fn is_layout(classes: &Classes, atom: Atom) -> bool {
    class(classes, atom) == Class::Layout
}

fn class(classes: &Classes, atom: Atom) -> Class {
    match atom {
        Atom::Token(symbol) => classes.of(symbol),
        _ => Class::Word,
    }
}

/// One statement; gives where the next begins.
fn statement(classes: &Classes, side: &[Atom], at: usize, out: &mut Atoms) -> Option<usize> {
    if class(classes, side[at]) == Class::Lead {
        return led(classes, side, at, out);
    }
    let mut end = at;
    while end < side.len() {
        end = match class(classes, side[end]) {
            Class::End => {
                out.push(Atom::Dropped(HoleKind::Statement));
                return Some(end + 1);
            }
            Class::Layout => break,
            Class::Open(_) => close(classes, side, end)? + 1,
            Class::Close(_) => return None,
            _ => end + 1,
        };
    }
    // Where lines end statements, nothing else does.
    (end > at && (classes.soft || classes.indented)).then(|| {
        out.push(Atom::Dropped(HoleKind::Statement));
        end
    })
}

/// A condition or loop: its keyword, its head, and what it leads.
fn led(classes: &Classes, side: &[Atom], at: usize, out: &mut Atoms) -> Option<usize> {
    out.push(side[at]);
    let mut next = at + 1;
    let bracket = side.get(next).is_some_and(|atom| matches!(class(classes, *atom), Class::Open(0)));
    if bracket && side.get(close(classes, side, next)? + 1).is_some() {
        let end = close(classes, side, next)?;
        out.extend([side[next], Atom::Dropped(HoleKind::Rest), side[end]]);
        next = end + 1;
    } else {
        // A head without parentheses, up to its block.
        let open = (next..side.len())
            .find(|&at| matches!(class(classes, side[at]), Class::Open(pair) if pair > 1))?;
        let colon = side[next..open].iter().rposition(|atom| is_layout(classes, *atom));
        if colon.is_some() || open == next {
            return None;
        }
        out.push(Atom::Dropped(HoleKind::Expression));
        next = open;
    }
    let block = side.get(next).is_some_and(|atom| matches!(class(classes, *atom), Class::Open(_)));
    if !block {
        return statement(classes, side, next, out);
    }
    let end = close(classes, side, next)?;
    out.extend([side[next], Atom::Dropped(HoleKind::Rest), side[end]]);
    Some(end + 1)
}

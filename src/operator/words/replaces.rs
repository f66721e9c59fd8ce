//! Sentences for operators that put one thing in the place of another.

use super::super::Drawn;
use super::super::Term;
use super::code::quoted;
use super::lists::COMPARES;
use super::lists::MEMBER;
use super::lists::NOT;
use super::parts::Parts;
use super::parts::is;
use super::parts::one_of;
use super::parts::text;

/// The sentences, the most telling first.
pub const SENTENCES: [fn(&Parts) -> Option<String>; 12] = [
    returned,
    always,
    negated,
    emptied,
    compared,
    other_name,
    other_number,
    twice,
    swapped,
    unwrapped,
    wrapped,
    whole_body,
];

/// Where a value stands, as far as its neighbours tell.
fn role(parts: &Parts) -> &'static str {
    match parts {
        _ if parts.is_between(&MEMBER, &["("]) => "method",
        _ if parts.is_between(&MEMBER, &[]) => "member",
        _ if parts.is_between(&[], &["("]) => "function",
        _ if parts.is_between(&["("], &[",", ")"]) || parts.is_between(&[","], &[")", ","]) => "argument",
        _ if parts.is_between(&["="], &[]) => "assigned value",
        _ if parts.is_between(&[], &["="]) => "target of an assignment",
        _ if parts.is_between(&["["], &["]"]) => "index",
        _ if parts.is_between(&COMPARES, &[]) || parts.is_between(&[], &COMPARES) => "side of a comparison",
        _ => "name or value",
    }
}

fn returned(parts: &Parts) -> Option<String> {
    parts.left.last().filter(|term| is(term, "return"))?;
    match parts.new {
        [Term::Draw(..)] => Some("returns another value".into()),
        [one] if text(one).is_some() => {
            Some(format!("returns {} instead of {}", quoted(parts.new), quoted(parts.old)))
        }
        _ => None,
    }
}

/// A condition that no longer asks anything.
fn always(parts: &Parts) -> Option<String> {
    let [new] = parts.new else { return None };
    let value = one_of(Some(new), &["true", "false", "True", "False"])?;
    let [Term::Expression(_) | Term::Rest(_)] = parts.old else { return None };
    let holder = parts
        .left
        .iter()
        .rev()
        .find_map(|term| one_of(Some(term), &["if", "while", "elif", "elseif", "until"]));
    match holder {
        Some(word) => Some(format!("makes the condition of `{word}` always `{value}`")),
        None => Some(format!("replaces an expression with `{value}`")),
    }
}

fn negated(parts: &Parts) -> Option<String> {
    let [not, open, inside @ .., close] = parts.new else { return None };
    let wraps = is(open, "(") && is(close, ")") && inside == parts.old;
    one_of(Some(not), &NOT).filter(|_| wraps).map(|_| "negates a condition".into())
}

fn emptied(parts: &Parts) -> Option<String> {
    let statement = matches!(parts.old, [Term::Statement(_)]);
    let empty = matches!(parts.new, [one] if one_of(Some(one), &[";", "pass"]).is_some());
    (statement && empty).then(|| "empties a statement".into())
}

fn compared(parts: &Parts) -> Option<String> {
    let ([old], [new]) = (parts.old, parts.new) else { return None };
    let (old, new) = (one_of(Some(old), &COMPARES)?, one_of(Some(new), &COMPARES)?);
    Some(format!("compares with `{new}` instead of `{old}`"))
}

fn other_name(parts: &Parts) -> Option<String> {
    let [Term::Draw(Drawn::Name, _)] = parts.new else { return None };
    let role = role(parts);
    match parts.old {
        [Term::Hole(_) | Term::Any] => Some(format!("uses another {role} of the program")),
        _ => Some(format!("uses a {role} of the program instead of {}", quoted(parts.old)))
            .map(|text| text.replace("a argument", "an argument").replace("a index", "an index"))
            .map(|text| text.replace("a assigned", "an assigned")),
    }
}

fn other_number(parts: &Parts) -> Option<String> {
    let [Term::Draw(Drawn::Number, _)] = parts.new else { return None };
    match parts.old {
        [Term::Hole(_) | Term::Any] => Some(format!("uses a number for the {}", role(parts))),
        _ => Some(format!("uses another number instead of {}", quoted(parts.old))),
    }
}

/// A value for its neighbour: `x, a` becomes `a, a`.
fn twice(parts: &Parts) -> Option<String> {
    let ([Term::Any], [new @ Term::Hole(_)]) = (parts.old, parts.new) else { return None };
    let near = |terms: &[Term]| terms.contains(new);
    let whole = |middle: &[Term]| [parts.left, middle, parts.right].concat();
    let both = near(parts.left) || near(parts.right);
    both.then(|| {
        format!("uses a value twice: {} becomes {}", quoted(&whole(parts.old)), quoted(&whole(parts.new)))
    })
}

fn swapped(parts: &Parts) -> Option<String> {
    let mut sorted = (parts.old.to_vec(), parts.new.to_vec());
    sorted.0.sort();
    sorted.1.sort();
    let bound = parts.new.iter().filter(|term| term.number().is_some()).count();
    (sorted.0 == sorted.1 && bound > 1)
        .then(|| format!("swaps two parts: {} becomes {}", quoted(parts.old), quoted(parts.new)))
}

fn has(terms: &[Term], part: &[Term]) -> bool {
    !part.is_empty() && terms.windows(part.len()).any(|window| window == part)
}

fn unwrapped(parts: &Parts) -> Option<String> {
    let inner = parts.new;
    if !has(parts.old, inner) || inner.iter().all(|term| matches!(term, Term::Operator(_))) {
        return None;
    }
    let (old, new) = (quoted(parts.old), quoted(inner));
    let first = one_of(parts.old.first(), &["if", "for", "while", "unsafe", "try"]);
    Some(match first {
        Some(word) => format!("keeps only {new} of `{word}`: {old} becomes {new}"),
        None => format!("uses {new} alone instead of {old}"),
    })
}

fn wrapped(parts: &Parts) -> Option<String> {
    let fits = has(parts.new, parts.old) && parts.old.iter().any(|term| !matches!(term, Term::Operator(_)));
    fits.then(|| format!("replaces {} with {}", quoted(parts.old), quoted(parts.new)))
}

/// What is left of a block is nothing, or a single value.
fn whole_body(parts: &Parts) -> Option<String> {
    let [Term::Rest(_)] = parts.old else { return None };
    Some(format!("replaces everything in a bracket with {}", quoted(parts.new)))
}

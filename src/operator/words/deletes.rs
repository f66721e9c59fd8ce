//! Sentences for operators that take code out.

use super::super::Term;
use super::code::code;
use super::code::quoted;
use super::lists::ASSIGNS;
use super::lists::BINARY;
use super::lists::BLOCKS;
use super::lists::LEAVES;
use super::lists::LOGIC;
use super::lists::MEMBER;
use super::lists::MODIFIERS;
use super::lists::NOT;
use super::parts::Parts;
use super::parts::at_top;
use super::parts::is;
use super::parts::number_word;
use super::parts::one_of;
use super::parts::with_article;

/// The sentences, the most telling first; each says nothing where it does not hold.
pub const SENTENCES: [fn(&Parts) -> Option<String>; 11] =
    [statements, negation, condition, listed, only_listed, early_exit, block, leave, member, operand, simple];

fn statements(parts: &Parts) -> Option<String> {
    // An expression up to a semicolon is a statement, too.
    let folded = |term: &Term| matches!(term, Term::Statement(_) | Term::Expression(0));
    let end = |term: &Term| is(term, ";") || matches!(term, Term::Layout(_));
    let count = parts.old.iter().filter(|term| matches!(term, Term::Statement(_)) || is(term, ";")).count();
    let only = parts.old.iter().all(|term| folded(term) || end(term));

    let only = only && count == parts.old.iter().filter(|term| folded(term)).count();
    let place = || match parts {
        _ if parts.is_between(&["{"], &[]) => " at the start of a block",
        _ if parts.is_between(&[], &["}"]) => " at the end of a block",
        _ => "",
    };
    match count {
        _ if !only => None,
        0 => None,
        1 => Some(format!("deletes a statement{}", place())),
        many => Some(format!("deletes {} statements in a row{}", number_word(many), place())),
    }
}

fn negation(parts: &Parts) -> Option<String> {
    let [one] = parts.old else { return None };
    one_of(Some(one), &NOT)?;
    Some("drops a negation".into())
}

fn condition(parts: &Parts) -> Option<String> {
    let (first, last) = (one_of(parts.old.first(), &LOGIC), one_of(parts.old.last(), &LOGIC));
    let (joint, rest, place) = match (first, last) {
        (Some(joint), None) if parts.is_between(&[], &[")", "{", ":", ";"]) => {
            (joint, &parts.old[1..], "last ")
        }
        (Some(joint), _) => (joint, &parts.old[1..], ""),
        (None, Some(joint)) => {
            let at_start = parts.is_between(&["(", "if", "while", "return", "=", "elif"], &[]);
            (joint, &parts.old[..parts.old.len() - 1], if at_start { "first " } else { "" })
        }
        (None, None) => return None,
    };
    let more = at_top(rest, &LOGIC).len();
    Some(match (rest.is_empty(), more) {
        (true, _) => format!("deletes a `{joint}`"),
        (false, 0) if code(rest) == "…" => format!("drops the {place}`{joint}` condition"),
        (false, 0) => format!("drops the {place}`{joint}` condition {}", quoted(rest)),
        (false, more) => format!("drops {} conditions: {}", number_word(more + 1), quoted(parts.old)),
    })
}

/// What the entries of a list are called, by the brackets that are seen.
fn entry_name(parts: &Parts) -> &'static str {
    let call = |term: &Term| is(term, "(") || is(term, ")");
    let other = |term: &Term| one_of(Some(term), &["[", "]", "{", "}"]).is_some();
    match (parts.left.last(), parts.right.first()) {
        (Some(left), _) if call(left) => "argument",
        (_, Some(right)) if call(right) => "argument",
        (Some(left), _) if other(left) => "element",
        (_, Some(right)) if other(right) => "element",
        _ => "argument or element",
    }
}

fn listed(parts: &Parts) -> Option<String> {
    let (first, last) = (parts.old.first()?, parts.old.last()?);
    let rest = match (is(first, ","), is(last, ",")) {
        (true, true) if parts.old.len() == 1 => return Some("deletes a comma".into()),
        (true, false) => &parts.old[1..],
        (_, true) => &parts.old[..parts.old.len() - 1],
        (false, false) => return None,
    };
    let rest = if rest.first().is_some_and(|term| is(term, ",")) { &rest[1..] } else { rest };
    let count = at_top(rest, &[","]).len() + 1;
    let place = match parts {
        _ if parts.is_between(&["(", "[", "{"], &[]) => "first ",
        _ if parts.is_between(&[], &[")", "]", "}"]) => "last ",
        _ => "",
    };
    let name = entry_name(parts);
    Some(match (count, place) {
        (1, "") => format!("drops {}: {}", with_article(name, name), quoted(rest)),
        (1, _) => format!("drops the {place}{name}: {}", quoted(rest)),
        (count, place) => {
            let the = if place.is_empty() { "" } else { "the " };
            let names = name.replace("argument", "arguments").replace("element", "elements");
            format!("drops {the}{place}{} {names}: {}", number_word(count), quoted(rest))
        }
    })
}

fn only_listed(parts: &Parts) -> Option<String> {
    let inside = parts.is_between(&["("], &[")"]);
    inside.then(|| format!("removes all arguments or parameters: {}", quoted(parts.old)))
}

fn early_exit(parts: &Parts) -> Option<String> {
    let first = one_of(parts.old.first(), &["if", "unless", "guard"])?;
    let leave = parts.old.iter().find_map(|term| one_of(Some(term), &LEAVES))?;
    Some(format!("deletes an `{first}` that leads to `{leave}`: {}", quoted(parts.old)))
}

fn block(parts: &Parts) -> Option<String> {
    let at = parts.old.iter().position(|term| {
        one_of(Some(term), &MODIFIERS).is_none() && !matches!(term, Term::Layout(_)) && !is(term, ";")
    })?;
    let start = if is(&parts.old[at], "}") { at + 1 } else { at };
    let (_, name) =
        BLOCKS.iter().find(|(word, _)| parts.old.get(start).is_some_and(|term| is(term, word)))?;
    let code = code(parts.old);
    let bare = code.chars().filter(|letter| letter.is_alphanumeric()).count();
    let detail = if bare > 6 || name.contains("function") {
        format!(": {}", quoted(parts.old))
    } else {
        String::new()
    };
    Some(format!("deletes {}{detail}", with_article(name, name)))
}

fn leave(parts: &Parts) -> Option<String> {
    let word = one_of(parts.old.first(), &LEAVES)?;
    let rest = parts.old[1..].iter().any(|term| !is(term, ";") && !matches!(term, Term::Layout(_)));
    let shown = format!("`{word}`");
    let detail = if rest { format!(": {}", quoted(parts.old)) } else { String::new() };
    Some(format!("deletes {}{detail}", with_article(word, &shown)))
}

fn member(parts: &Parts) -> Option<String> {
    let (first, last) = (one_of(parts.old.first(), &MEMBER), one_of(parts.old.last(), &MEMBER));
    let called = parts.old.iter().any(|term| is(term, "("));
    match (first, last) {
        (Some(_), None) if called => Some(format!("drops the call {} from a chain", quoted(parts.old))),
        (Some(_), None) => Some(format!("drops the member access {}", quoted(parts.old))),
        (None, Some(_)) => Some(format!("drops {} before a member", quoted(parts.old))),
        _ => None,
    }
}

fn operand(parts: &Parts) -> Option<String> {
    let (first, last) = (one_of(parts.old.first(), &BINARY), one_of(parts.old.last(), &BINARY));
    match (first, last) {
        _ if parts.old.len() < 2 => None,
        (Some("*" | "&"), _) if parts.left.is_empty() => None,
        (Some(_), None) | (None, Some(_)) => Some(format!("drops the operand {}", quoted(parts.old))),
        _ => None,
    }
}

/// Assignments, calls and declarations.
fn simple(parts: &Parts) -> Option<String> {
    let end = |term: &Term| is(term, ";") || matches!(term, Term::Layout(_));
    let statement = parts.old.last().is_some_and(end) || parts.left.last().is_some_and(end);
    let shown = quoted(parts.old);
    if at_top(parts.old, &[";"]).len() > 1 {
        return Some(format!("deletes {} statements: {shown}", number_word(at_top(parts.old, &[";"]).len())));
    }
    let assigns = at_top(parts.old, &ASSIGNS);
    let called = parts.old.iter().any(|term| is(term, "("));
    match assigns.first() {
        Some(0) => Some(format!("drops the value that is assigned: {shown}")),
        Some(1 | 3) => Some(format!("deletes an assignment: {shown}")),
        Some(_) if statement => Some(format!("deletes a declaration or assignment: {shown}")),
        None if statement && called => Some(format!("deletes a call: {shown}")),
        _ => None,
    }
}

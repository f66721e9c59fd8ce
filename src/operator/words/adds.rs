//! Sentences for operators that put code in.

use super::super::Term;
use super::code::code;
use super::code::quoted;
use super::lists::LEAVES;
use super::lists::LOGIC;
use super::lists::NOT;
use super::parts::Parts;
use super::parts::is;
use super::parts::one_of;
use super::parts::with_article;

/// The sentences, the most telling first.
pub const SENTENCES: [fn(&Parts) -> Option<String>; 7] =
    [negation, by_one, reference, condition, leave, member, listed];

fn negation(parts: &Parts) -> Option<String> {
    let [one] = parts.new else { return None };
    one_of(Some(one), &NOT)?;
    Some("negates a condition".into())
}

fn by_one(parts: &Parts) -> Option<String> {
    let [sign, one] = parts.new else { return None };
    match (one_of(Some(sign), &["+", "-"])?, code(std::slice::from_ref(one)).as_str()) {
        ("+", "1") => Some("adds 1".into()),
        ("-", "1") => Some("subtracts 1".into()),
        _ => None,
    }
}

fn reference(parts: &Parts) -> Option<String> {
    let [one] = parts.new else { return None };
    match one_of(Some(one), &["&", "*", "-"])? {
        "&" => Some("takes a reference or an address: adds `&`".into()),
        "*" => Some("follows a pointer or declares one: adds `*`".into()),
        _ => Some("changes the sign: adds `-`".into()),
    }
}

fn condition(parts: &Parts) -> Option<String> {
    let joint = one_of(parts.new.first(), &LOGIC).or_else(|| one_of(parts.new.last(), &LOGIC))?;
    Some(format!("adds {}: {}", with_article("`", &format!("`{joint}` condition")), quoted(parts.new)))
}

fn leave(parts: &Parts) -> Option<String> {
    let word = one_of(parts.new.first(), &LEAVES)?;
    let shown = format!("`{word}`");
    Some(format!("adds {}: {}", with_article(word, &shown), quoted(parts.new)))
}

fn member(parts: &Parts) -> Option<String> {
    match parts.new {
        [dot, Term::Draw(..)] if one_of(Some(dot), &[".", "->", "?."]).is_some() => {
            Some("uses a member of the value instead of the value".into())
        }
        [Term::Draw(..), dot] if one_of(Some(dot), &[".", "->"]).is_some() => {
            Some("takes the member from another value".into())
        }
        _ => None,
    }
}

fn listed(parts: &Parts) -> Option<String> {
    let (first, last) = (parts.new.first()?, parts.new.last()?);
    let rest = match (is(first, ","), is(last, ",")) {
        _ if parts.new.len() == 1 => return is(first, ",").then(|| "adds a comma".into()),
        (true, false) => &parts.new[1..],
        (false, true) => &parts.new[..parts.new.len() - 1],
        _ => return None,
    };
    Some(format!("adds an argument or element: {}", quoted(rest)))
}

//! The sentence of an operator.

use super::super::Term;
use super::super::notation::escape;
use super::super::notation::parse_terms;
use super::super::set::Operator;
use super::super::set::Shift;
use super::adds;
use super::code::quoted;
use super::code::quoted_text;
use super::deletes;
use super::parts::Parts;
use super::replaces;

/// Terms of the neighbourhood that are named.
const NEAR: usize = 3;

/// What an operator does, in words: "drops the last `&&` condition".
pub fn sentence(operator: &Operator) -> String {
    of_terms(operator.find(), operator.put())
}

/// What a shift does, in words.
pub fn shift_sentence(shift: &Shift) -> String {
    of_names(&escape(&shift.before), &escape(&shift.after))
}

/// The sentence for a line of notation, as rows of a kill matrix keep it; none if it is no notation of ours.
pub fn sentence_of_notation(line: &str) -> Option<String> {
    if let Some((before, after)) = line.split_once(" ⇔ ") {
        return Some(of_names(before, after));
    }
    let (find, put) = line.split_once(" ⇒ ")?;
    let put = if put == "ε" { "" } else { put };
    Some(of_terms(&parse_terms(find).ok()?, &parse_terms(put).ok()?))
}

fn of_names(before: &str, after: &str) -> String {
    format!("replaces {} with {}, or the other way round", quoted_text(before), quoted_text(after))
}

fn of_terms(find: &[Term], put: &[Term]) -> String {
    let parts = Parts::new(find, put);
    let told = |sentences: &[fn(&Parts) -> Option<String>]| sentences.iter().find_map(|tell| tell(&parts));
    match (parts.old.is_empty(), parts.new.is_empty()) {
        (_, true) => told(&deletes::SENTENCES)
            .unwrap_or_else(|| format!("deletes {}{}", quoted(parts.old), near(&parts))),
        (true, false) => {
            told(&adds::SENTENCES).unwrap_or_else(|| format!("inserts {}{}", quoted(parts.new), near(&parts)))
        }
        (false, false) => told(&replaces::SENTENCES)
            .unwrap_or_else(|| format!("replaces {} with {}", quoted(parts.old), quoted(parts.new))),
    }
}

/// What stands beside a change that nothing else is known of.
fn near(parts: &Parts) -> String {
    let left = &parts.left[parts.left.len().saturating_sub(NEAR)..];
    let right = &parts.right[..parts.right.len().min(NEAR)];
    match (left.is_empty(), right.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!(" after {}", quoted(left)),
        (true, false) => format!(" before {}", quoted(right)),
        (false, false) => format!(" between {} and {}", quoted(left), quoted(right)),
    }
}

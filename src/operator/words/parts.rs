//! What changes and what stays: a pattern and its template, with what they share at both ends set apart.

use super::super::Term;

/// A change between what stays the same on both sides of it.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    pub left: &'a [Term],
    pub old: &'a [Term],
    pub new: &'a [Term],
    pub right: &'a [Term],
}

impl<'a> Parts<'a> {
    pub fn new(find: &'a [Term], put: &'a [Term]) -> Self {
        let same = |pair: &(&Term, &Term)| pair.0 == pair.1;
        let shorter = find.len().min(put.len());
        let start = find.iter().zip(put).take_while(same).count();
        let end = find.iter().rev().zip(put.iter().rev()).take_while(same).count().min(shorter - start);
        let (start, end) = match start + end == put.len() {
            true => whole_statements(find, start, end),
            false => (start, end),
        };
        Self {
            left: &find[..start],
            old: &find[start..find.len() - end],
            new: &put[start..put.len() - end],
            right: &find[find.len() - end..],
        }
    }

    /// Whether both neighbours are these operators; empty for any.
    pub fn is_between(&self, left: &[&str], right: &[&str]) -> bool {
        let holds = |term: Option<&Term>, wanted: &[&str]| {
            wanted.is_empty() || term.is_some_and(|term| wanted.iter().any(|text| is(term, text)))
        };
        holds(self.left.last(), left) && holds(self.right.first(), right)
    }
}

/// Code that is taken out between equal neighbours could begin at several places: of `; int x; int` without `int x;`, or
/// without `x; int`, the first is what people see.
fn whole_statements(find: &[Term], start: usize, end: usize) -> (usize, usize) {
    let ends = |term: &Term| one_of(Some(term), &[";", "}"]).is_some() || matches!(term, Term::Layout(_));
    let (mut from, mut to) = (start, find.len() - end);
    if !find[from..to].iter().any(ends) {
        return (start, end);
    }
    while from > 0 && !ends(&find[to - 1]) && find[from - 1] == find[to - 1] {
        (from, to) = (from - 1, to - 1);
    }
    if ends(&find[to - 1]) { (from, find.len() - to) } else { (start, end) }
}

/// Whether a term is this keyword or operator.
pub fn is(term: &Term, wanted: &str) -> bool {
    matches!(term, Term::Keyword(text) | Term::Operator(text) if **text == *wanted.as_bytes())
}

/// The text of a keyword or operator.
pub fn text(term: &Term) -> Option<&str> {
    match term {
        Term::Keyword(text) | Term::Operator(text) => std::str::from_utf8(text).ok(),
        _ => None,
    }
}

/// The text of a term, if it is one of these.
pub fn one_of<'t>(term: Option<&'t Term>, wanted: &[&str]) -> Option<&'t str> {
    text(term?).filter(|text| wanted.contains(text))
}

/// The places of a keyword or operator outside of all brackets.
pub fn at_top(terms: &[Term], wanted: &[&str]) -> Vec<usize> {
    let mut depth = 0i32;
    let mut found = Vec::new();
    for (at, term) in terms.iter().enumerate() {
        if one_of(Some(term), &[")", "]", "}"]).is_some() {
            depth -= 1;
        }
        if depth == 0 && one_of(Some(term), wanted).is_some() {
            found.push(at);
        }
        if one_of(Some(term), &["(", "[", "{"]).is_some() {
            depth += 1;
        }
    }
    found
}

/// A word with `a` or `an` before it.
pub fn with_article(word: &str, shown: &str) -> String {
    let vowel = word.trim_start_matches('`').starts_with(['a', 'e', 'i', 'o']);
    format!("{} {shown}", if vowel { "an" } else { "a" })
}

/// How many, in words as far as people would write them.
pub fn number_word(count: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six"];
    words.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

//! Terms as the code that they stand for: names become letters, expressions and blocks become `…`.

use crate::lex::TokenKind;

use super::super::Drawn;
use super::super::Term;

/// Letters for names that are bound, and for those that are not.
const BOUND: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const FREE: [&str; 8] = ["x", "y", "z", "w", "v", "u", "t", "s"];

/// Operators that stand close to what comes before them, and to what comes after.
const CLOSE_BEFORE: [&str; 16] =
    [",", ";", ")", "]", ".", "->", "::", "?.", "++", "--", "(", "[", ":", "?", "...", ".."];
const CLOSE_AFTER: [&str; 14] = ["(", "[", ".", "->", "::", "?.", "!", "&", "*", "~", "@", "..", "...", "#"];

/// Code between quotes that set it off from words.
pub fn quoted(terms: &[Term]) -> String {
    quoted_text(&code(terms))
}

/// The same for code that is written already.
pub fn quoted_text(code: &str) -> String {
    if code.contains('`') { format!("“{code}”") } else { format!("`{code}`") }
}

/// Terms as code in a line.
pub fn code(terms: &[Term]) -> String {
    let mut out = String::new();
    let mut free = 0;
    let mut before: Option<&Term> = None;
    for term in
        terms.iter().filter(|term| !matches!(term, Term::Layout(TokenKind::Indent | TokenKind::Dedent)))
    {
        if before.is_some_and(|before| is_apart(before, term)) {
            out.push(' ');
        }
        out.push_str(&written(term, &mut free));
        before = Some(term);
    }
    out
}

fn written(term: &Term, free: &mut usize) -> String {
    let letter = |known: &[&str], at: usize| match known.get(at) {
        Some(letter) => (*letter).to_owned(),
        None => format!("{}{}", known[0], at + 1),
    };
    match term {
        Term::Keyword(text) | Term::Operator(text) => String::from_utf8_lossy(text).into_owned(),
        Term::Layout(_) => "⏎".into(),
        Term::Hole(number) => letter(&BOUND, usize::from(*number) - 1),
        Term::Any => {
            *free += 1;
            letter(&FREE, *free - 1)
        }
        Term::Expression(0) | Term::Rest(_) => "…".into(),
        Term::Statement(0) => "…;".into(),
        Term::Expression(number) => letter(&BOUND, usize::from(*number) - 1).to_uppercase(),
        Term::Statement(number) => letter(&BOUND, usize::from(*number) - 1).to_uppercase() + ";",
        Term::Draw(Drawn::Name, 1) => "other".into(),
        Term::Draw(Drawn::Name, number) => format!("other{number}"),
        Term::Draw(Drawn::Number, 1) => "n".into(),
        Term::Draw(Drawn::Number, number) => format!("n{number}"),
    }
}

/// Whether a blank stands between two terms.
fn is_apart(before: &Term, after: &Term) -> bool {
    let text = |term: &Term| match term {
        Term::Operator(text) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    };
    let close =
        |known: &[&str], text: Option<String>| text.is_some_and(|text| known.contains(&text.as_str()));
    match after {
        // A bracket that groups after an operator or a keyword: `x = (y)`, `if (x)`.
        Term::Operator(open) if matches!(&**open, b"(" | b"[") && !is_value(before) => {
            !close(&CLOSE_AFTER, text(before))
        }
        Term::Operator(_) if close(&CLOSE_BEFORE, text(after)) => false,
        _ => !close(&CLOSE_AFTER, text(before)),
    }
}

/// Whether a value can end here, so that a bracket after it is a call.
fn is_value(term: &Term) -> bool {
    match term {
        Term::Operator(text) => matches!(&**text, b")" | b"]" | b"!" | b">"),
        Term::Keyword(text) => !CONTROL.contains(&&**text),
        Term::Layout(_) | Term::Statement(_) => false,
        _ => true,
    }
}

/// Keywords that are not called.
const CONTROL: [&[u8]; 12] = [
    b"if", b"while", b"for", b"switch", b"match", b"return", b"catch", b"elif", b"and", b"or", b"not", b"in",
];

#[cfg(test)]
mod tests {
    use super::super::super::parse_terms;
    use super::*;

    #[test]
    fn terms_read_as_code() {
        for (notation, wanted) in [
            (":if .( $_ .== :NULL .) .{ :return .; .}", "if (x == NULL) { return; }"),
            ("$_ .. $_ .( $1 ., $(_) .) .;", "x.y(a, …);"),
            ("$1 .-> $_ .[ :0 .] .= $(2)", "a->x[0] = B"),
            (".&& .! $_ .( .)", "&& !x()"),
            ("$?1 .( $#1 .)", "other(n)"),
            (":return $_ ~newline ~dedent", "return x ⏎"),
        ] {
            assert_eq!(code(&parse_terms(notation).unwrap()), wanted);
        }
    }
}

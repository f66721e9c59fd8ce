//! The paper's notation, read and written: `:kw`, `.op`, `$1`, `$_`, and ours: `~newline`, `$(1)` for an
//! expression, `${1}` for a statement, `$*1` for the rest of a bracket, `$?1` and `$#1` for a name or number to draw.
//!
//! Terms are separated by white space. Inside a term `\s`, `\t`, `\n`, `\r`, `\\` and `\xHH` stand for bytes
//! that could not stand there otherwise, so that every byte string can be written.

use crate::lex::TokenKind;

use super::Drawn;
use super::Term;

/// What is wrong with a line of notation, and where: `column` counts bytes from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct NotationError {
    pub column: usize,
    pub problem: String,
}

const LAYOUT: [(&str, TokenKind); 3] =
    [("newline", TokenKind::LineEnd), ("indent", TokenKind::Indent), ("dedent", TokenKind::Dedent)];

const DRAWN: [(char, Drawn); 2] = [('?', Drawn::Name), ('#', Drawn::Number)];

/// Reads a line of notation; an empty one is the empty text, ε.
pub fn parse_terms(line: &str) -> Result<Vec<Term>, NotationError> {
    let mut terms = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
        let column = line.len() - rest.len() + start + 1;
        let word = &rest[start..];
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        terms.push(parse_term(&word[..end]).map_err(|problem| NotationError { column, problem })?);
        rest = &word[end..];
    }
    Ok(terms)
}

fn parse_term(word: &str) -> Result<Term, String> {
    let mut letters = word.chars();
    let sigil = letters.next().expect("the caller found a letter");
    let text = letters.as_str();
    match sigil {
        '$' => parse_hole(text).ok_or_else(|| {
            format!(
                "`{word}` is not a hole; write $1 or $_, $(1) or $(_), ${{1}} or ${{_}}, $*1 or $*_, $?1 or $#1"
            )
        }),
        '~' => LAYOUT
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, kind)| Term::Layout(*kind))
            .ok_or_else(|| format!("`{word}` is not a layout token; write ~newline, ~indent or ~dedent")),
        ':' | '.' if text.is_empty() => Err(format!("`{word}` lacks the text after it")),
        ':' => Ok(Term::Keyword(unescape(text)?.into())),
        '.' => Ok(Term::Operator(unescape(text)?.into())),
        _ => Err(format!(
            "`{word}` must begin with one of `:` (keyword), `.` (operator), `$` (hole), `~` (layout)"
        )),
    }
}

fn parse_hole(text: &str) -> Option<Term> {
    let inside = |open, close| text.strip_prefix(open)?.strip_suffix(close);
    let number = |text: &str| text.parse::<u16>().ok().filter(|&number| number > 0);
    let number_or_none = |text: &str| if text == "_" { Some(0) } else { number(text) };
    if let Some(text) = inside('(', ')') {
        return number_or_none(text).map(Term::Expression);
    }
    if let Some(text) = inside('{', '}') {
        return number_or_none(text).map(Term::Statement);
    }
    if let Some(text) = text.strip_prefix('*') {
        return number_or_none(text).map(Term::Rest);
    }
    for (sigil, drawn) in DRAWN {
        if let Some(text) = text.strip_prefix(sigil) {
            return number(text).map(|number| Term::Draw(drawn, number));
        }
    }
    if text == "_" { Some(Term::Any) } else { number(text).map(Term::Hole) }
}

/// Writes terms as a line of notation.
pub fn write_terms(terms: &[Term]) -> String {
    let words: Vec<String> = terms.iter().map(write_term).collect();
    words.join(" ")
}

fn write_term(term: &Term) -> String {
    match term {
        Term::Keyword(text) => format!(":{}", escape(text)),
        Term::Operator(text) => format!(".{}", escape(text)),
        Term::Layout(kind) => {
            let name = LAYOUT.iter().find(|(_, layout)| layout == kind).map_or("newline", |(name, _)| name);
            format!("~{name}")
        }
        Term::Hole(number) => format!("${number}"),
        Term::Any => "$_".into(),
        Term::Expression(0) => "$(_)".into(),
        Term::Expression(number) => format!("$({number})"),
        Term::Statement(0) => "${_}".into(),
        Term::Statement(number) => format!("${{{number}}}"),
        Term::Rest(0) => "$*_".into(),
        Term::Rest(number) => format!("$*{number}"),
        Term::Draw(Drawn::Name, number) => format!("$?{number}"),
        Term::Draw(Drawn::Number, number) => format!("$#{number}"),
    }
}

/// Escapes what may not stand in a term.
pub(crate) fn escape(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\\' => out.push_str("\\\\"),
                ' ' => out.push_str("\\s"),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                c if c.is_whitespace() || c.is_control() => {
                    let mut bytes = [0; 4];
                    c.encode_utf8(&mut bytes)
                        .bytes()
                        .for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
                }
                c => out.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
    }
    out
}

/// The bytes that an escaped text stands for.
pub(crate) fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        let (byte, length) = match bytes.get(at + 1) {
            Some(b'\\') => (b'\\', 2),
            Some(b's') => (b' ', 2),
            Some(b't') => (b'\t', 2),
            Some(b'n') => (b'\n', 2),
            Some(b'r') => (b'\r', 2),
            Some(b'x') => {
                let digits = text.get(at + 2..at + 4).and_then(|hex| u8::from_str_radix(hex, 16).ok());
                (digits.ok_or_else(|| format!("`{text}`: \\x needs two hexadecimal digits"))?, 4)
            }
            _ => return Err(format!("`{text}`: a backslash is written \\\\")),
        };
        out.push(byte);
        at += length;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_operator_reads_and_writes() {
        let line = ":if .( $1 .&& $_ .)";
        let terms = parse_terms(line).unwrap();
        assert_eq!(terms.len(), 6);
        assert_eq!(terms[4], Term::Any);
        assert_eq!(write_terms(&terms), line);
        assert_eq!(parse_terms("  ").unwrap(), []);
    }

    #[test]
    fn mistakes_are_placed() {
        let place = |line: &str| parse_terms(line).unwrap_err().column;
        assert_eq!(place(":if ( $1"), 5);
        assert_eq!(place(":if $x"), 5);
        assert_eq!(place("$0"), 1);
        assert_eq!(place("$1 $(0)"), 4);
        assert_eq!(place("$1 ${1"), 4);
        assert_eq!(place(".+ ~tab"), 4);
        assert_eq!(place("$1 $?_"), 4);
        assert_eq!(place("$*0"), 1);
        assert_eq!(place(":"), 1);
        assert_eq!(place(r":a\q"), 1);
    }

    #[test]
    fn rests_and_drawn_holes_read_and_write() {
        let line = ":if .( $*1 .) $*_ $?1 $#2";
        assert_eq!(write_terms(&parse_terms(line).unwrap()), line);
    }

    #[test]
    fn any_bytes_can_be_written() {
        let all: Vec<u8> = (0..=255).collect();
        let terms = vec![Term::Keyword(all.into())];
        assert_eq!(parse_terms(&write_terms(&terms)).unwrap(), terms);
    }
}

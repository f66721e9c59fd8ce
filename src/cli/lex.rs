//! `wildcaught lex`: what the lexer sees in a file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io;
use std::io::Read;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::langdef::language;
use crate::langdef::language_of_file;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::Token;
use crate::lex::TokenKind;
use crate::report::Align;
use crate::report::Table;
use crate::report::thousands;
use crate::text::LineIndex;

use super::args::LexArgs;
use super::exit::Exit;
use super::output::print_text;

/// Longer texts are cut, by this many letters.
const LONGEST: usize = 60;

/// Runs the command.
pub fn run(args: &LexArgs) -> Result<Exit> {
    let stdin = args.file == Path::new("-");
    let def = match &args.language.language {
        Some(name) => language(name)?,
        None if stdin => bail!("cannot detect the language of standard input; name it with -l"),
        None => language_of_file(&args.file)?,
    };
    let text = read(&args.file, stdin)?;
    let tokens = Lexer::new(&def, &text, Start::File).filter(|token| args.all || !token.kind.is_trivia());
    if args.count {
        print_text(&count(tokens))?;
    } else {
        print_text(&list(&text, tokens))?;
    }
    Ok(Exit::Fine)
}

fn read(path: &Path, stdin: bool) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let read = if stdin {
        io::stdin().lock().read_to_end(&mut text).map(drop)
    } else {
        fs::read(path).map(|bytes| text = bytes)
    };
    read.with_context(|| format!("cannot read {}", path.display()))?;
    if text.len() >= u32::MAX as usize {
        bail!("{}: files of 4 GiB or more are not supported", path.display());
    }
    Ok(text)
}

fn list(text: &[u8], tokens: impl Iterator<Item = Token>) -> String {
    let lines = LineIndex::new(text);
    let mut out = String::new();
    for token in tokens {
        let place = lines.place(token.span.start as usize);
        let place = format!("{}:{}", place.line, place.column);
        let _ = write!(out, "{place:<9} {:<10} {}", token.kind.name(), shown(token.span.of(text)));
        for (mark, is) in [("directive", token.directive), ("broken", token.broken)] {
            if is {
                let _ = write!(out, "  [{mark}]");
            }
        }
        out.push('\n');
    }
    out
}

/// A token's text in one line: escaped, and cut if it is long.
fn shown(text: &[u8]) -> String {
    let mut out = String::new();
    let mut letters = 0;
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid().chars().map(escaped);
        let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        for letter in valid.chain(invalid) {
            if letters == LONGEST {
                return format!("{out}… ({} bytes)", thousands(text.len() as u64));
            }
            out.push_str(&letter);
            letters += 1;
        }
    }
    out
}

fn escaped(letter: char) -> String {
    match letter {
        '"' | '\'' => letter.into(),
        _ => letter.escape_debug().to_string(),
    }
}

fn count(tokens: impl Iterator<Item = Token>) -> String {
    let mut kinds: BTreeMap<TokenKind, [u64; 3]> = BTreeMap::new();
    for token in tokens {
        let counts = kinds.entry(token.kind).or_default();
        counts[0] += 1;
        counts[1] += u64::from(token.directive);
        counts[2] += u64::from(token.broken);
    }
    let mut table = Table::new(&[
        ("kind", Align::Left),
        ("tokens", Align::Right),
        ("in directives", Align::Right),
        ("broken", Align::Right),
    ]);
    let mut total = [0; 3];
    for (kind, counts) in &kinds {
        total.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        table.row(row(kind.name(), counts));
    }
    table.row(row("all", &total));
    table.to_string()
}

fn row(name: &str, counts: &[u64; 3]) -> Vec<String> {
    [name.to_owned()].into_iter().chain(counts.map(thousands)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::langdef::builtin;

    fn listing(text: &[u8]) -> String {
        let def = builtin("c").unwrap();
        list(text, Lexer::new(&def, text, Start::File))
    }

    #[test]
    fn places_kinds_and_marks_are_listed() {
        let text = listing(b"#if x\nf(\"a");
        assert!(text.contains("1:2       keyword    if  [directive]\n"), "{text}");
        assert!(text.contains("2:1       identifier f\n"), "{text}");
        assert!(text.contains("2:3       string     \"a  [broken]\n"), "{text}");
    }

    #[test]
    fn odd_bytes_are_escaped_and_long_texts_cut() {
        assert_eq!(shown(b"a\tb\xff\\\"\xc3\xbc"), "a\\tb\\xff\\\\\"ü");
        let long = shown(&[b'a'; 2000]);
        assert_eq!(long, format!("{}… (2,000 bytes)", "a".repeat(LONGEST)));
    }
}

//! A file with copies of its functions in it, original and mutants.

use std::collections::BTreeSet;
use std::path::Path;

use crate::insert::SourceFile;
use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;

use super::super::screen::Ladder;
use super::originals::Original;

/// Stands between a name and a copy's number.
pub const MARK: &str = "__wc_";
/// Digits of a copy's number: names of equal length keep mangled names and texts alike.
pub const DIGITS: usize = 6;

/// Nothing may be learned about an original: what its copies call is not what a mutant would call.
const HIDDEN: &str = "__attribute__((noipa,noinline,noclone)) ";
/// A copy is compiled though nobody calls it.
const COPIED: &str = "__attribute__((used,noipa,noinline,noclone)) ";

/// Words that a copy goes without: it must be compiled, and it overrides nothing.
const LEFT_OUT: [&[u8]; 6] = [b"inline", b"__inline", b"__inline__", b"virtual", b"override", b"final"];

/// A copy: of which function of the file, and as which mutant makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    pub function: usize,
    pub mutant: Option<u32>,
}

/// What is not copied, since it does not compile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    pub copies: BTreeSet<usize>,
    pub functions: BTreeSet<usize>,
}

impl Dropped {
    /// Whether a copy is missing.
    pub fn has(&self, number: usize, copy: Copy) -> bool {
        self.copies.contains(&number) || self.functions.contains(&copy.function)
    }
}

/// A file and the copies to be compiled with it; a copy's number is its place.
pub struct Sheet<'a> {
    pub def: &'a LangDef,
    pub ladder: &'a Ladder<'a>,
    pub file: &'a SourceFile,
    /// The file as errors and asserts name it.
    pub path: &'a Path,
    pub functions: &'a [Original],
    pub copies: Vec<Copy>,
}

impl Sheet<'_> {
    /// The file's text with copies behind the functions they are copies of.
    pub fn text(&self, dropped: &Dropped) -> Vec<u8> {
        let text = &self.file.text;
        let mut out = self.place(1, "").into_bytes();
        let mut at = 0;
        for (number, function) in self.functions.iter().enumerate() {
            if dropped.functions.contains(&number) {
                continue;
            }
            out.extend_from_slice(&text[at..function.start]);
            out.extend_from_slice(HIDDEN.as_bytes());
            out.extend_from_slice(&text[function.start..function.end]);
            let written = out.len();
            self.put_copies(&mut out, number, dropped);
            if out.len() > written {
                out.extend_from_slice(self.place(line(text, function.end), "").as_bytes());
            }
            at = function.end;
        }
        out.extend_from_slice(&text[at..]);
        out
    }

    fn put_copies(&self, out: &mut Vec<u8>, function: usize, dropped: &Dropped) {
        let original = &self.functions[function];
        let first = line(&self.file.text, original.start);
        for (number, copy) in self.copies.iter().enumerate() {
            if copy.function != function || dropped.has(number, *copy) {
                continue;
            }
            let suffix = format!("{MARK}{number:0DIGITS$}");
            out.extend_from_slice(self.place(first, &suffix).as_bytes());
            out.extend_from_slice(COPIED.as_bytes());
            let body = match copy.mutant {
                Some(mutant) => self.ladder.version(mutant, original.piece),
                None => self.file.text[original.start..original.end].to_vec(),
            };
            self.put_renamed(out, original, &body, &suffix);
        }
    }

    /// Edits are in bodies: heads are those of the original.
    fn put_renamed(&self, out: &mut Vec<u8>, original: &Original, text: &[u8], suffix: &str) {
        let head = &text[..original.body];
        for token in Lexer::new(self.def, head, Start::Code) {
            let range = token.span.range();
            if LEFT_OUT.contains(&&head[range.clone()]) {
                continue;
            }
            out.extend_from_slice(&head[range.clone()]);
            if range == original.name {
                out.extend_from_slice(suffix.as_bytes());
            }
        }
        out.extend_from_slice(&text[original.body..]);
    }

    /// A line that says where the next one comes from, so that `__LINE__` is what a mutant would have and an
    /// error names the copy it is in.
    fn place(&self, line: usize, suffix: &str) -> String {
        format!("\n{}", placed(self.path, line, suffix))
    }

    /// Which copy or function an error is about.
    pub fn blame(&self, file: &str, line: u32, dropped: &mut Dropped) {
        let own = self.path.display().to_string();
        let Some(rest) = file.strip_prefix(&own) else { return };
        if let Some(number) = rest.strip_prefix(MARK).and_then(|digits| digits.parse::<usize>().ok()) {
            match self.copies.get(number) {
                Some(Copy { mutant: None, function }) => drop(dropped.functions.insert(*function)),
                Some(_) => drop(dropped.copies.insert(number)),
                None => {}
            }
        } else if rest.is_empty() {
            let text = &self.file.text;
            let lines =
                |function: &Original| self::line(text, function.start)..=self::line(text, function.end);
            let at = self.functions.iter().position(|function| lines(function).contains(&(line as usize)));
            dropped.functions.extend(at);
        }
    }
}

/// A line that says where the next one comes from.
pub fn placed(path: &Path, line: usize, suffix: &str) -> String {
    let path = path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    format!("#line {line} \"{path}{suffix}\"\n")
}

/// The line of a byte, counted from 1.
fn line(text: &[u8], at: usize) -> usize {
    memchr::memchr_iter(b'\n', &text[..at]).count() + 1
}

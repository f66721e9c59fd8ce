//! Which code of a file is skipped: by a comment, as test code, by a regular expression, by the name of a call, or
//! because it is outside of the wanted lines.
//!
//! A comment `wildcaught: skip` applies to its own line if that has code, otherwise to the next line; `wildcaught:
//! skip block` for the next statement or function with its block; `wildcaught: skip file` for all. What follows is
//! the reason.

use std::ops::Range;

use regex::bytes::Regex;

use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::text::LineIndex;

use super::calls::CallPattern;
use super::calls::named_calls;
use super::index::View;
use super::source::Sym;
use super::source::sym;
use super::structure::NONE;

/// A part of a file that is skipped: lines, from 1, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub first: usize,
    pub last: usize,
    pub why: Why,
    /// What the comment says.
    pub reason: String,
}

/// Why it is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    Comment,
    Test,
    Inert,
    Pattern,
    Call,
}

impl Why {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Comment => "skip comment",
            Self::Test => "test code",
            Self::Inert => "inert statement",
            Self::Pattern => "excluded line",
            Self::Call => "excluded call",
        }
    }
}

/// What to skip besides comments.
#[derive(Default)]
pub struct Skips {
    /// Lines that match are skipped.
    pub lines: Vec<Regex>,
    /// Calls of these names are skipped.
    calls: Vec<CallPattern>,
    /// Marks of test code, and of what no test can notice, as numbers.
    marks: Vec<(Vec<Sym>, Why)>,
}

impl Skips {
    /// With `tests`, test code inside files is mutated, too.
    pub fn new(def: &LangDef, lines: Vec<Regex>, tests: bool) -> Self {
        let marks = if tests { &[][..] } else { &def.file.tests.marks[..] };
        let inert = def.file.tests.inert.iter().map(|mark| (mark, Why::Inert));
        let marks = marks.iter().map(|mark| (mark, Why::Test)).chain(inert);
        let lexed = |mark: &String| {
            let text = mark.as_bytes();
            Lexer::new(def, text, Start::Code)
                .filter(|token| !token.kind.is_trivia() && !token.kind.is_layout())
                .map(|token| sym(token.kind, token.span.of(text)))
                .collect()
        };
        Self { lines, calls: vec![], marks: marks.map(|(mark, why)| (lexed(mark), why)).collect() }
    }

    /// The same, and calls of these names are skipped.
    pub fn with_calls(self, calls: Vec<CallPattern>) -> Self {
        Self { calls, ..self }
    }

    /// Which tokens may be touched, and what is skipped.
    pub fn apply(&self, view: View) -> (Vec<bool>, Vec<Skipped>) {
        let lines = LineIndex::new(&view.file.text);
        let mut out = Out { view, lines, allowed: vec![true; view.file.tokens.len()], skipped: Vec::new() };
        out.comments();
        for (mark, why) in &self.marks {
            out.marked(mark, *why);
        }
        for pattern in &self.lines {
            out.pattern(pattern);
        }
        for (tokens, pattern) in named_calls(view, &self.calls) {
            out.skip(tokens, Why::Call, &pattern.text);
        }
        out.skipped.sort_by_key(|part| (part.first, part.last));
        (out.allowed, out.skipped)
    }
}

struct Out<'a> {
    view: View<'a>,
    lines: LineIndex,
    allowed: Vec<bool>,
    skipped: Vec<Skipped>,
}

impl Out<'_> {
    fn skip(&mut self, tokens: Range<usize>, why: Why, reason: &str) {
        if tokens.is_empty() {
            return;
        }
        let line = |index: usize| self.lines.place(self.view.file.tokens[index].span.start as usize).line;
        let (first, last) = (line(tokens.start), line(tokens.end - 1));
        self.allowed[tokens].fill(false);
        self.skipped.push(Skipped { first, last, why, reason: reason.to_owned() });
    }

    fn comments(&mut self) {
        const MARK: &str = "wildcaught: skip";
        let file = self.view.file;
        for comment in &file.comments {
            let text = String::from_utf8_lossy(comment.span.of(&file.text));
            let Some((_, rest)) = text.split_once(MARK) else { continue };
            let rest = rest.trim_end_matches("*/").trim();
            let (scope, reason) = match rest.split_once(char::is_whitespace).unwrap_or((rest, "")) {
                (scope @ ("block" | "file"), reason) => (scope, reason),
                (scope, reason) if matches!(scope, "block:" | "file:") => {
                    (scope.trim_end_matches(':'), reason)
                }
                _ => ("", rest),
            };
            let reason = reason.trim_start_matches([':', '-', '–', '—', ' ']);
            let next = file.tokens.partition_point(|token| token.span.start < comment.span.end);
            let tokens = match scope {
                "file" => 0..file.tokens.len(),
                "block" => next..self.item_end(next),
                _ => self.line_of_code(comment.span.start as usize, comment.span.end as usize),
            };
            self.skip(tokens, Why::Comment, reason);
        }
    }

    /// The tokens of the comment's own line, or of the next line with code.
    fn line_of_code(&self, start: usize, end: usize) -> Range<usize> {
        let on = |line: usize| {
            let tokens = &self.view.file.tokens;
            let at = |token: &crate::lex::Token| self.lines.place(token.span.start as usize).line;
            tokens.partition_point(|token| at(token) < line)
                ..tokens.partition_point(|token| at(token) <= line)
        };
        let own = on(self.lines.place(start).line);
        if !own.is_empty() {
            return own;
        }
        let next = self.view.file.tokens.partition_point(|token| (token.span.start as usize) < end);
        match self.view.file.tokens.get(next) {
            Some(token) => on(self.lines.place(token.span.start as usize).line),
            None => 0..0,
        }
    }

    /// Behind the block or the end mark that ends what begins here.
    fn item_end(&self, start: usize) -> usize {
        let (file, structure) = (self.view.file, self.view.structure);
        let mut at = start;
        while at < file.tokens.len() {
            let mate = structure.mate[at];
            if mate != NONE && mate as usize > at {
                let block = file.token(at) == b"{" || file.tokens[at].kind.is_layout();
                at = mate as usize;
                if block {
                    return at + 1;
                }
            } else if mate != NONE {
                return at;
            } else if self.view.syntax.ends.contains(&file.syms[at]) {
                return at + 1;
            }
            at += 1;
        }
        file.tokens.len()
    }

    fn marked(&mut self, mark: &[Sym], why: Why) {
        let count = self.view.file.syms.len();
        for start in 0..count.saturating_sub(mark.len()) {
            if self.view.file.syms[start..].starts_with(mark) && self.allowed[start] {
                let end = self.item_end(start + mark.len());
                self.skip(start..end, why, "");
            }
        }
    }

    fn pattern(&mut self, pattern: &Regex) {
        let file = self.view.file;
        let mut start = 0;
        for line in file.text.split_inclusive(|byte| *byte == b'\n') {
            let end = start + line.len();
            if pattern.is_match(line.trim_ascii_end()) {
                let from = file.tokens.partition_point(|token| (token.span.start as usize) < start);
                let to = file.tokens.partition_point(|token| (token.span.start as usize) < end);
                self.skip(from..to, Why::Pattern, pattern.as_str());
            }
            start = end;
        }
    }
}

//! Weaves mutants into a file.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::insert::Piece;
use crate::insert::SourceFile;
use crate::insert::View;
use crate::langdef::LangDef;
use crate::langdef::SwitchFile;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;
use crate::text::LineIndex;

use super::regions::Owner;
use super::regions::Regions;

/// A mutant and the piece that it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub mutant: u32,
    pub piece: Piece,
}

/// A statement that is watched: it is noted when it is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    pub piece: Piece,
    /// Whether something leads it without braces.
    pub arm: bool,
}

/// A guarded piece and its mutants; the k-th of them, counted from 1, is switched on by k. Without mutants it
/// is only watched.
#[derive(Clone, Debug)]
pub struct Unit {
    pub number: u32,
    pub piece: Piece,
    pub mutants: Vec<u32>,
    arm: bool,
}

/// A file of the meta-program.
pub struct Woven {
    pub text: Vec<u8>,
    pub units: Vec<Unit>,
    pub regions: Regions,
}

struct Loom<'a> {
    def: &'a LangDef,
    switch: &'a SwitchFile,
    view: View<'a>,
    units: &'a [Unit],
    version: &'a dyn Fn(u32, Piece) -> Vec<u8>,
    out: Vec<u8>,
    line: u32,
    regions: Regions,
    /// Lines of the original, if they and those of every version are given their numbers.
    numbers: Option<LineIndex>,
}

/// Weaves mutants and probes into a file. Units are numbered from `first` on; `version` gives the text of a piece
/// as a mutant makes it.
pub fn weave(
    def: &LangDef,
    view: View,
    members: &[Member],
    probes: &[Probe],
    first: u32,
    version: &dyn Fn(u32, Piece) -> Vec<u8>,
) -> Woven {
    let units = units(members, probes, first);
    let mut loom = Loom::new(def, view, &units, version);
    loom.stretch(0, view.file.text.len(), 0, units.len());
    loom.regions.finish();
    let Loom { out, regions, .. } = loom;
    Woven { text: out, units, regions }
}

/// The text of [`weave`] in which every line has the number that it has in the original, also in the versions of
/// a piece, by what the language has to say so (`#line`).
pub fn weave_with_lines(
    def: &LangDef,
    view: View,
    members: &[Member],
    first: u32,
    version: &dyn Fn(u32, Piece) -> Vec<u8>,
) -> Vec<u8> {
    let units = units(members, &[], first);
    let mut loom =
        Loom { numbers: Some(LineIndex::new(&view.file.text)), ..Loom::new(def, view, &units, version) };
    loom.stretch(0, view.file.text.len(), 0, units.len());
    loom.out
}

/// The guarded pieces of a file, outer ones before what is in them.
fn units(members: &[Member], probes: &[Probe], first: u32) -> Vec<Unit> {
    let key = |piece: Piece| (piece.start, std::cmp::Reverse(piece.end));
    let mut pieces: BTreeMap<(u32, std::cmp::Reverse<u32>), (Vec<u32>, bool)> = BTreeMap::new();
    for member in members {
        pieces.entry(key(member.piece)).or_default().0.push(member.mutant);
    }
    for probe in probes {
        pieces.entry(key(probe.piece)).or_default().1 = probe.arm;
    }
    pieces
        .into_iter()
        .zip(first..)
        .map(|(((start, end), (mutants, arm)), number)| {
            let piece = Piece { start, end: end.0 };
            Unit { number, piece, mutants, arm }
        })
        .collect()
}

impl<'a> Loom<'a> {
    fn new(
        def: &'a LangDef,
        view: View<'a>,
        units: &'a [Unit],
        version: &'a dyn Fn(u32, Piece) -> Vec<u8>,
    ) -> Self {
        Self {
            def,
            switch: &def.file.switch,
            view,
            units,
            version,
            out: Vec::with_capacity(view.file.text.len() * 2),
            line: 1,
            regions: Regions::default(),
            numbers: None,
        }
    }
}

impl Loom<'_> {
    fn put(&mut self, text: &[u8]) {
        self.line += memchr::memchr_iter(b'\n', text).count() as u32;
        self.out.extend_from_slice(text);
    }

    fn bytes(&self, piece: Piece) -> (usize, usize) {
        let tokens = &self.view.file.tokens;
        (tokens[piece.start as usize].span.start as usize, tokens[piece.end as usize - 1].span.end as usize)
    }

    /// The original's bytes `start..end`, in which the units `from..to` are.
    fn stretch(&mut self, start: usize, end: usize, from: usize, to: usize) {
        let mut at = start;
        let mut next = from;
        while next < to {
            let unit = &self.units[next];
            let inner =
                (next + 1..to).find(|&other| self.units[other].piece.start >= unit.piece.end).unwrap_or(to);
            let (first, last) = self.bytes(unit.piece);
            self.original(at, first);
            match unit.mutants.is_empty() {
                true => self.probe(next, first, last, inner),
                false => self.guard(next, first, last, inner),
            }
            at = last;
            next = inner;
        }
        self.original(at, end);
    }

    fn original(&mut self, start: usize, end: usize) {
        self.regions.place(start as u32, self.line);
        let view = self.view;
        self.put(&view.file.text[start..end]);
    }

    /// A unit without mutants: an empty guard before the original, which stays on its lines.
    fn probe(&mut self, place: usize, start: usize, end: usize, inner: usize) {
        let (number, braces) = (self.units[place].number, self.units[place].arm && !self.is_indented());
        self.put(if braces { b"{" } else { b"" });
        self.put(fill(&self.switch.open, number, 0).as_bytes());
        if self.is_indented() {
            let view = self.view;
            self.put(b" pass\n");
            self.put(base_of(&view.file.text, start));
        } else {
            self.put(self.switch.close.as_bytes());
            // A macro may hide an `else` that belongs to a condition before the guard, and must not find this one.
            self.put(if self.def.file.preprocessor.is_some() { b"; " } else { b" " });
        }
        self.stretch(start, end, place + 1, inner);
        self.put(if braces { b"}" } else { b"" });
    }

    /// A unit: the original, then every mutant, each on lines of its own.
    fn guard(&mut self, place: usize, start: usize, end: usize, inner: usize) {
        let unit = self.units[place].clone();
        let (switch, view) = (self.switch, self.view);
        let base = base_of(&view.file.text, start);
        self.put(fill(&switch.open, unit.number, 0).as_bytes());
        self.put(self.labels(unit.piece).as_bytes());
        let (line, from) = (self.line, self.out.len());
        self.new_line(base);
        self.stretch(start, end, place + 1, inner);
        self.regions.add(line, self.line, Owner::Original(place as u32));
        self.deepen(from, base);
        for (at, mutant) in unit.mutants.iter().enumerate() {
            let is_last = at + 1 == unit.mutants.len();
            self.put(b"\n");
            self.put(if self.is_indented() { base } else { b"" });
            let head = if is_last { &switch.last } else { &switch.next };
            self.put(fill(head, unit.number, at as u32 + 1).as_bytes());
            self.put(self.labels(unit.piece).as_bytes());
            let from = self.out.len();
            self.put(b"\n");
            self.number(start);
            let first = self.line;
            self.put(if self.is_indented() { base } else { b"" });
            let version = (self.version)(*mutant, unit.piece);
            self.put(&version);
            self.regions.version(first, self.line, start as u32);
            if self.is_indented() && !has_code(self.def, &version) {
                self.put(b"pass");
            }
            // Where something is missing at its end, a compiler complains about what closes it.
            self.regions.add(first, self.line + 1, Owner::Mutant(*mutant));
            self.deepen(from, base);
        }
        self.put(if self.is_indented() { b"" } else { b"\n" });
        self.put(switch.close.as_bytes());
        self.number(end);
    }

    /// Says that the next line is that of a byte of the original.
    fn number(&mut self, byte: usize) {
        if let Some(index) = &self.numbers {
            let line = index.place(byte).line.to_string();
            self.put(self.switch.line.replace("{line}", &line).as_bytes());
        }
    }

    fn is_indented(&self) -> bool {
        self.switch.close.is_empty()
    }

    /// Where indentation makes blocks, the original begins on a line of its own; elsewhere it stays.
    fn new_line(&mut self, base: &[u8]) {
        if self.is_indented() {
            self.put(b"\n");
            self.put(base);
        }
    }

    /// Where indentation makes blocks, moves what was written since `from` one blank in; not the inside of
    /// literals.
    fn deepen(&mut self, from: usize, base: &[u8]) {
        if !self.is_indented() {
            return;
        }
        let text = self.out.split_off(from);
        deepen(self.def, &text, base, &mut self.out);
    }

    /// Declares the labels inside of a piece, so that copies of it do not clash. Jumps to them may be hidden in macros:
    /// what else looks like a label is one if something jumps to it.
    fn labels(&self, piece: Piece) -> String {
        let Some(jump) = &self.switch.jump else { return String::new() };
        let file = self.view.file;
        let inside = piece.start as usize..piece.end as usize;
        let jumped: BTreeSet<&[u8]> = inside
            .clone()
            .skip(1)
            .filter(|&at| file.token(at - 1) == jump.as_bytes() && is_name(file, at))
            .map(|at| file.token(at))
            .collect();
        let names: BTreeSet<&[u8]> = inside
            .filter(|&at| match label_at(self.def, file, at) {
                Label::Sure => true,
                Label::Likely => jumped.contains(file.token(at)),
                Label::No => false,
            })
            .map(|at| file.token(at))
            .collect();
        if names.is_empty() {
            return String::new();
        }
        let names: Vec<String> =
            names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        self.switch.labels.replace("{names}", &names.join(","))
    }
}

/// Whether a name is a label.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Sure,
    /// Or a part of `a ? b ? c : d : e`, `a ? (int) b : c`, `{ b: 1 }`.
    Likely,
    No,
}

fn is_name(file: &SourceFile, at: usize) -> bool {
    file.tokens[at].kind == TokenKind::Identifier
}

fn label_at(def: &LangDef, file: &SourceFile, at: usize) -> Label {
    let colon = at + 1 < file.tokens.len() && file.token(at + 1) == b":";
    if !colon || !is_name(file, at) {
        return Label::No;
    }
    let before = at.checked_sub(1).map_or(&b";"[..], |before| file.token(before));
    let word = || def.file.syntax.before_statements.iter().any(|word| word.as_bytes() == before);
    // The end of a directive such as #endif.
    let line_end = || at.checked_sub(1).is_some_and(|before| file.tokens[before].kind.is_layout());
    match before {
        b";" | b"}" => Label::Sure,
        b"{" | b":" | b")" => Label::Likely,
        _ if word() || line_end() => Label::Likely,
        _ => Label::No,
    }
}

fn has_code(def: &LangDef, text: &[u8]) -> bool {
    Lexer::new(def, text, Start::Code).any(|token| !token.kind.is_trivia() && !token.kind.is_layout())
}

/// The white space that the line of a byte begins with.
fn base_of(text: &[u8], at: usize) -> &[u8] {
    let line = memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
    let width = text[line..at].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[line..line + width]
}

/// Writes `text` with one more blank behind the indentation `base` of every line that does not begin
/// inside of a literal.
pub fn deepen(def: &LangDef, text: &[u8], base: &[u8], out: &mut Vec<u8>) {
    let mut literal = vec![];
    for token in Lexer::new(def, text, Start::Code) {
        if token.kind == TokenKind::String {
            literal.push(token.span.range());
        }
    }
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let inside = literal.iter().any(|range| range.start < at && at < range.end);
        let blank = line.trim_ascii().is_empty();
        match line.strip_prefix(base) {
            Some(rest) if !inside && !blank && at > 0 => {
                out.extend_from_slice(base);
                out.push(b' ');
                out.extend_from_slice(rest);
            }
            _ => out.extend_from_slice(line),
        }
        at += line.len();
    }
}

fn fill(template: &str, unit: u32, mutant: u32) -> String {
    template.replace("{unit}", &unit.to_string()).replace("{mutant}", &mutant.to_string())
}

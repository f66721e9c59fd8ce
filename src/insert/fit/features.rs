//! What a mutant looks like to the model of viability: named features of an edit and of the place it is made in.
//!
//! In: a [`Judge`]. Out: names with values, given to a [`Sink`] one by one. A name says what it is about before the
//! colon; token classes are spelled as in code, with `id`, `Type`, `CONST`, `1`, `"` and so on for what has no
//! fixed text. Names of the target are never part of a feature, so that a model holds in other projects.

use smallvec::SmallVec;

use super::super::facts::Roles;
use super::super::facts::WHOLE_FILE;
use super::super::facts::Word;
use super::super::facts::is_type;
use super::super::facts::roles_between;
use super::super::facts::scope;
use super::super::facts::word;
use super::super::mutated::Mutated;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::super::types::Typist;
use super::judge::Judge;
use super::model::Model;
use super::rules::RULES;
use super::rules::Rule;
use super::rules::Rules;
use crate::lex::TokenKind;

/// Tokens of a side that are spelled out.
const SPELLED: usize = 4;
/// Tokens behind an edit in which a name is looked for.
const FURTHEST: usize = 300;

/// Where a name is known, the nearest first.
const SCOPES: [&[u8]; 4] = [b"function", b"file", b"target", b"nowhere"];

/// Takes features.
pub trait Sink {
    /// A feature: the parts of its name, and its value.
    fn add(&mut self, name: &[&[u8]], value: f32);
}

/// What an edit adds to an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sum {
    Exactly(f32),
    /// It was not worth the while to find out more.
    AtMost(f32),
}

impl Sum {
    /// The most that it can be.
    pub fn most(self) -> f32 {
        match self {
            Self::Exactly(sum) | Self::AtMost(sum) => sum,
        }
    }
}

/// A row of token classes.
type Classes<'a> = SmallVec<[&'a [u8]; 2 * SPELLED]>;
/// The parts of a long name.
type Parts<'a> = SmallVec<[&'a [u8]; 24]>;

impl<'a> Judge<'a> {
    /// Tells a sink all features of the edit.
    pub fn features(&self, sink: &mut impl Sink) {
        let shape = self.shape_of_edit();
        self.describe_tokens(shape, sink);
        self.describe_place(shape, sink);
        self.describe_types(sink);
        self.describe_rules(Self::feature_rules(), sink);
    }

    /// What the edit adds to the estimate that a model makes of its viability. What is quickly told comes first: if
    /// the rest cannot lift the sum to `least` any more, it is not asked, and the answer is a bound.
    pub fn sum(&self, model: &Model, least: f32) -> Sum {
        let mut scorer = model.scorer();
        let shape = self.shape_of_edit();
        self.describe_tokens(shape, &mut scorer);
        let most = scorer.sum + model.rest.of_place(self.mutated.edit.new.len()) + model.rest.late;
        if most < least {
            return Sum::AtMost(most);
        }
        self.describe_place(shape, &mut scorer);
        let most = scorer.sum + model.rest.late;
        if most < least {
            return Sum::AtMost(most);
        }
        if model.rest.types {
            self.describe_types(&mut scorer);
        }
        self.describe_rules(model.rest.rules, &mut scorer);
        Sum::Exactly(scorer.sum)
    }

    /// The rules that the edit breaks.
    fn describe_rules(&self, asked: Rules, sink: &mut impl Sink) {
        for rule in self.broken(asked, true).iter() {
            sink.add(&[b"rule:", rule.row().name.as_bytes()], 1.0);
        }
    }

    /// The rules that are features: all that judge edits, but for those that are asked anyway.
    pub(super) fn feature_rules() -> Rules {
        let hard = Rules::hard();
        let rules = (0..RULES.len()).map(|place| Rule(place as u8));
        Rules::of(
            rules.filter(|rule| rule.row().judges_edits() && !hard.has(*rule) && *rule != Rule::VIABILITY),
        )
    }

    /// What a token is to a feature.
    fn class_of(&self, word: Word<'a>) -> &'a [u8] {
        match word.kind {
            TokenKind::Keyword | TokenKind::Operator if word.marks.has(Marks::ANGLE) => b"<T>",
            TokenKind::Keyword | TokenKind::Operator => word.text,
            TokenKind::Identifier if is_type(self.name(word)) => b"Type",
            TokenKind::Identifier => {
                let upper = word.text.first().is_some_and(u8::is_ascii_uppercase);
                let lower = word.text.iter().any(u8::is_ascii_lowercase);
                match (upper, lower) {
                    (true, true) => b"Type",
                    (true, false) if word.text.len() > 1 => b"CONST",
                    _ => b"id",
                }
            }
            TokenKind::Number if word.text.contains(&b'.') => b"1.0",
            TokenKind::Number => b"1",
            TokenKind::String => b"\"",
            TokenKind::Char => b"'",
            TokenKind::Label => b"'a",
            _ => b"~",
        }
    }

    fn class_at(&self, at: Option<usize>) -> &'a [u8] {
        at.and_then(|at| self.mutated.get(at)).map_or(b"edge", |word| self.class_of(word))
    }

    /// What an edit does, in a word.
    fn shape_of_edit(&self) -> &'static [u8] {
        let edit = self.mutated.edit;
        let (old, new) = ((edit.to - edit.from) as usize, edit.new.len());
        let syms = &self.mutated.view.file.syms[edit.from as usize..edit.to as usize];
        let news = || self.news().map(|(_, word)| word.sym);
        match (old, new) {
            (_, 0) if self.is_whole() => b"delete-statement",
            (_, 0) => b"delete-part",
            (0, _) if self.is_whole() => b"insert-statement",
            (0, _) => b"insert-part",
            (1, 1) => b"replace-token",
            _ if new > old && is_part(syms.iter().copied(), news()) => b"wrap",
            _ if new < old && is_part(news(), syms.iter().copied()) => b"unwrap",
            _ if new == old && self.is_reordered(syms) => b"reorder",
            _ => b"replace",
        }
    }

    fn is_reordered(&self, syms: &[u64]) -> bool {
        let mut old: SmallVec<[u64; 16]> = syms.iter().copied().collect();
        let mut new: SmallVec<[u64; 16]> = self.news().map(|(_, word)| word.sym).collect();
        old.sort_unstable();
        new.sort_unstable();
        old == new
    }

    /// Which tokens go, which come, and what they stand next to.
    fn describe_tokens(&self, shape: &[u8], sink: &mut impl Sink) {
        let sides = Sides::new(self);
        sink.add(&[b"shape:", shape], 1.0);
        sink.add(&[b"size:", bucket(sides.old_count), b">", bucket(sides.new_count)], 1.0);
        let (start, end) = (self.mutated.start(), self.mutated.end());
        let left = self.class_at(start.checked_sub(1));
        let right = self.class_at(Some(end));
        let first = sides.new.first().copied().unwrap_or(right);
        let edit = sides.spelled();
        sink.add(&joined(&[&[b"edit:"], &edit]), 1.0);
        if sides.old_count + sides.new_count <= 3 {
            sink.add(&joined(&[&[b"edit:", left, b" ["], &edit, &[b"]"]]), 1.0);
            sink.add(&joined(&[&[b"edit:["], &edit, &[b"] ", right]]), 1.0);
        }
        sink.add(&[b"left:", left, b" ", first], 1.0);
        sink.add(&[b"right:", sides.new_last(left), b" ", right], 1.0);
        for (side, classes) in [(&b"old:"[..], &sides.old), (&b"new:"[..], &sides.new)] {
            let mut told: Classes = Classes::new();
            for class in classes {
                if !told.contains(class) {
                    told.push(class);
                    sink.add(&[side, class], 1.0);
                }
            }
        }
    }

    /// Where it is: brackets, declarations, which statement; which names it uses and loses.
    fn describe_place(&self, shape: &[u8], sink: &mut impl Sink) {
        const MARKS: [(Marks, &[u8]); 5] = [
            (Marks::HEAD, b"place:head"),
            (Marks::DECLARATION, b"place:declaration"),
            (Marks::LITERAL, b"place:literal"),
            (Marks::INITIALISER, b"place:initialiser"),
            (Marks::START, b"place:start"),
        ];
        for (mark, name) in MARKS {
            if self.touches(mark) {
                sink.add(&[name], 1.0);
                sink.add(&[name, b" ", shape], 1.0);
            }
        }
        if self.function() == 0 {
            sink.add(&[b"place:outside"], 1.0);
        }
        let bracket = self.bracket_kind();
        sink.add(&[b"in:", bracket], 1.0);
        sink.add(&[b"in:", bracket, b" ", shape], 1.0);
        let lead = self.statement_lead();
        sink.add(&[b"statement:", lead], 1.0);
        sink.add(&[b"statement:", lead, b" ", shape], 1.0);
        let edit = self.mutated.edit;
        if (edit.to - edit.from) as usize + edit.new.len() <= 2 {
            sink.add(&joined(&[&[b"in:", bracket, b" "], &Sides::new(self).spelled()]), 1.0);
        }
        self.describe_names(shape, sink);
        self.describe_losses(shape, sink);
    }

    /// What the innermost bracket around the edit is.
    fn bracket_kind(&self) -> &'a [u8] {
        let view = self.mutated.view;
        let Some(open) = self.enclosing() else { return b"top" };
        let before = open.checked_sub(1).map(|before| word(view, before));
        let literal = view.structure.marks[open].has(Marks::LITERAL);
        match (view.file.token(open), before) {
            (b"{", _) if literal => b"value",
            (b"{", _) => match view.structure.lead(open as u32) {
                Some(lead) if view.syntax.loops.contains(&lead) => b"loop",
                Some(lead) if view.syntax.switches.contains(&lead) => b"switch",
                Some(_) => b"block",
                None => b"body",
            },
            (b"(", Some(name)) if name.kind == TokenKind::Identifier => match self.class_of(name) {
                b"CONST" => b"CALL",
                _ => b"call",
            },
            (b"(", Some(mark)) if mark.text == b"!" => b"macro",
            (b"(", Some(lead)) if view.syntax.conditions.contains(&lead.sym) => b"condition",
            (b"(", _) => b"parentheses",
            (b"[", Some(name)) if name.kind == TokenKind::Identifier || name.text == b"]" => b"index",
            (b"[", _) => b"list",
            _ => b"other",
        }
    }

    /// The class of the first token of the statement that the edit is in, as it was.
    fn statement_lead(&self) -> &'a [u8] {
        let view = self.mutated.view;
        let from = self.mutated.start().min(view.file.tokens.len().saturating_sub(1));
        let first = (from.saturating_sub(60)..=from)
            .rev()
            .find(|at| view.structure.marks[*at].has(Marks::START))
            .map(|at| word(view, at));
        first.map_or(b"none", |first| self.class_of(first))
    }

    /// New names: in scope, of a known role, like what they replace.
    fn describe_names(&self, shape: &[u8], sink: &mut impl Sink) {
        let here = scope(self.file, self.function());
        let file = scope(self.file, WHOLE_FILE);
        let mut worst: Option<usize> = None;
        let mut misplaced = false;
        for (at, new) in self.news().filter(|(_, new)| new.kind == TokenKind::Identifier) {
            let known = self.facts.scoped.get(&(here, new.sym)).copied();
            let (before, after) = self.around(at);
            let needed = roles_between(self.mutated.view, before, after);
            let member = needed.0
                & (Roles::FIELD.0 | Roles::METHOD.0 | Roles::PATH_TAIL.0 | Roles::PATH_CALLED.0)
                != 0;
            let place = match known {
                Some(_) => 0,
                None if self.facts.scoped.contains_key(&(file, new.sym)) => 1,
                None if self.facts.names.contains_key(&new.sym) => 2,
                None => 3,
            };
            let plays = if member { self.name(new).roles.covers(needed) } else { self.may_play(new, needed) };
            misplaced |= !plays;
            sink.add(&[b"name:", if member { b"member " } else { b"plain " }, SCOPES[place]], 1.0);
            worst = worst.max(Some(place));
        }
        if let Some(worst) = worst {
            let used: &[u8] = if misplaced { b"misplaced" } else { b"as used" };
            for name in [SCOPES[worst], used] {
                sink.add(&[b"names:", name], 1.0);
                sink.add(&[b"names:", name, b" ", shape], 1.0);
            }
        }
        self.describe_swap(sink);
    }

    /// One name for another: is it the same kind of thing?
    fn describe_swap(&self, sink: &mut impl Sink) {
        let edit = self.mutated.edit;
        if edit.to - edit.from != 1 || edit.new.len() != 1 {
            return;
        }
        let old = word(self.mutated.view, edit.from as usize);
        let Some(new) = self.mutated.get(self.mutated.start()) else { return };
        if old.kind != TokenKind::Identifier || new.kind != TokenKind::Identifier {
            return;
        }
        let same = self.name(new).roles.covers(self.name(old).roles);
        sink.add(&[b"swap:", if same { b"same roles" } else { b"other roles" }], 1.0);
        let here = scope(self.file, self.function());
        let shape = |word: Word| {
            let types = &self.facts.types;
            types.variables.get(&(here, word.sym)).or_else(|| types.fields.get(&word.sym)).copied()
        };
        let agrees: &[u8] = match (shape(old), shape(new)) {
            (Some(old), Some(new)) if old == new => b"same type",
            (Some(_), Some(_)) => b"other type",
            _ => b"unknown type",
        };
        sink.add(&[b"swap:", agrees], 1.0);
    }

    /// What value stands in the slot around the edit, before and after.
    fn describe_types(&self, sink: &mut impl Sink) {
        let view = self.mutated.view;
        let count = view.file.tokens.len();
        let nothing = super::super::edit::Edit::nothing(count);
        let plain = Mutated { edit: &nothing, ..self.mutated };
        let here = self.mutated.start().min(count.saturating_sub(1));
        let typist = |row| Typist { row, types: &self.facts.types, file: self.file, here };
        let (old, new) = (typist(plain), typist(self.mutated));
        let start = self.mutated.start();
        let value = |typist: &Typist, end: usize| {
            let slot = (start.saturating_sub(1)..=end).find_map(|at| typist.slot_at(at));
            slot.map(|slot| typist.shape(slot.left + 1, slot.right))
        };
        let name: &[u8] = match (value(&old, self.mutated.edit.to as usize), value(&new, self.mutated.end()))
        {
            (Some(0), Some(0)) => b"unknown",
            (Some(0), Some(_)) => b"unknown before",
            (Some(_), Some(0)) => b"unknown after",
            (Some(old), Some(new)) if old == new => b"same",
            (Some(_), Some(_)) => b"other",
            (None, None) => b"no slot",
            (None, Some(_)) => b"new slot",
            (Some(_), None) => b"lost slot",
        };
        sink.add(&[b"type:", name], 1.0);
    }

    /// What the code behind the edit misses: a name that is declared no more, the value at the end of a block.
    fn describe_losses(&self, shape: &[u8], sink: &mut impl Sink) {
        let view = self.mutated.view;
        let edit = self.mutated.edit;
        let (from, to) = (edit.from as usize, edit.to as usize);
        if from == to {
            return;
        }
        if shape == b"delete-statement" {
            sink.add(&[b"delete:", self.class_of(word(view, from))], 1.0);
        }
        let tail = self.mutated.get(self.mutated.end()).is_some_and(|word| word.text == b"}");
        if tail {
            sink.add(
                &[b"tail:", shape, if self.returns_nothing() == Some(true) { b" void" } else { b" value" }],
                1.0,
            );
        }
        let declared = (from..to).filter(|at| {
            view.file.tokens[*at].kind == TokenKind::Identifier
                && view.structure.marks[*at].has(Marks::DECLARATION.with(Marks::HEAD))
                && !self.news().any(|(_, new)| new.sym == view.file.syms[*at])
        });
        let end = self.function_end(to);
        let used = |at: usize| view.file.syms[to..end].contains(&view.file.syms[at]);
        let (mut lost, mut unused) = (false, false);
        for at in declared {
            lost |= used(at);
            unused |= !used(at);
        }
        if lost {
            sink.add(&[b"loses:name that is used"], 1.0);
        }
        if unused {
            sink.add(&[b"loses:name that is not used"], 1.0);
        }
    }

    /// Where the function around a place ends, or where nobody looks further.
    fn function_end(&self, at: usize) -> usize {
        let view = self.mutated.view;
        let count = view.file.tokens.len();
        let function = view.structure.function_of(at.min(count.saturating_sub(1)));
        let close = function.map_or(NONE, |function| view.structure.mate[function.body as usize]);
        let close = if close == NONE { count } else { close as usize };
        close.min(at + FURTHEST).clamp(at.min(count), count)
    }
}

/// The classes of what goes and what comes.
struct Sides<'a> {
    old: Classes<'a>,
    new: Classes<'a>,
    old_count: usize,
    new_count: usize,
}

impl<'a> Sides<'a> {
    fn new(judge: &Judge<'a>) -> Self {
        let edit = judge.mutated.edit;
        let old_count = (edit.to - edit.from) as usize;
        let old = (edit.from as usize..edit.to as usize).take(2 * SPELLED);
        let old = old.map(|at| judge.class_of(word(judge.mutated.view, at))).collect();
        let new = judge.news().take(2 * SPELLED).map(|(_, word)| judge.class_of(word)).collect();
        Self { old, new, old_count, new_count: edit.new.len() }
    }

    /// The class of the last token that comes, if it is spelled out.
    fn new_last<'b>(&self, otherwise: &'b [u8]) -> &'b [u8]
    where
        'a: 'b,
    {
        match self.new.last() {
            Some(last) if self.new_count <= self.new.len() => last,
            Some(_) => b"...",
            None => otherwise,
        }
    }

    /// `old > new`, each side cut off where it is long.
    fn spelled(&self) -> Parts<'a> {
        let mut out = Parts::new();
        for (place, side, count) in [(0, &self.old, self.old_count), (1, &self.new, self.new_count)] {
            if place == 1 {
                out.push(b" > ");
            }
            for (at, class) in side.iter().take(SPELLED).enumerate() {
                if at > 0 {
                    out.push(b" ");
                }
                out.push(class);
            }
            if count > SPELLED {
                out.push(b" ...");
            }
        }
        out
    }
}

/// Whether all of one row stand in the other, in their order.
fn is_part(mut part: impl Iterator<Item = u64>, mut whole: impl Iterator<Item = u64>) -> bool {
    part.all(|sym| whole.any(|other| other == sym))
}

/// The parts of a name, in a row.
fn joined<'a>(parts: &[&[&'a [u8]]]) -> Parts<'a> {
    parts.iter().flat_map(|part| part.iter().copied()).collect()
}

/// How many, roughly.
fn bucket(count: usize) -> &'static [u8] {
    match count {
        0 => b"0",
        1 => b"1",
        2 => b"2",
        3..=4 => b"3",
        5..=8 => b"5",
        _ => b"9",
    }
}

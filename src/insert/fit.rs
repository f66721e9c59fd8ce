//! Where a mutant can live: rules that tell, from tokens alone, that an edit would not compile or would
//! change nothing.
//!
//! In: an edit of a file and the target's [`Facts`]. Out: the rules it breaks. Each rule is a row of a table:
//! a name, what it says, and a function; each can be switched off and is counted.

use crate::lex::TokenKind;

use super::facts::Facts;
use super::facts::GRAM;
use super::facts::Name;
use super::facts::Roles;
use super::facts::WHOLE_FILE;
use super::facts::Word;
use super::facts::arguments;
use super::facts::bracket;
use super::facts::class;
use super::facts::is_type;
use super::facts::join;
use super::facts::roles_between;
use super::facts::scope;
use super::mutated::Mutated;
use super::source::Sym;
use super::structure::Marks;
use super::structure::NONE;
use super::structure::operator;
use super::structure::word;
use super::types::Typist;

/// A rule, by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule(pub u8);

/// Some rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules(u32);

impl Rules {
    pub const NONE: Self = Self(0);

    pub fn of(rules: impl IntoIterator<Item = Rule>) -> Self {
        Self(rules.into_iter().fold(0, |all, rule| all | 1 << rule.0))
    }

    pub fn has(self, rule: Rule) -> bool {
        self.0 >> rule.0 & 1 == 1
    }

    pub fn insert(&mut self, rule: Rule) {
        self.0 |= 1 << rule.0;
    }

    pub fn remove(&mut self, rule: Rule) {
        self.0 &= !(1 << rule.0);
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Rule> {
        (0..32).map(Rule).filter(move |rule| self.has(*rule))
    }
}

/// What a rule looks at.
pub struct Judge<'a> {
    pub facts: &'a Facts,
    /// Which file of the target it is.
    pub file: usize,
    /// The operator was written by hand: that its result is new to the target is the point.
    pub written: bool,
    pub mutated: Mutated<'a>,
}

type Test = fn(&Judge) -> bool;

/// A row of the table: name, what it refuses, and whether an edit breaks it.
pub struct RuleRow {
    pub name: &'static str,
    pub says: &'static str,
    test: Option<Test>,
}

impl RuleRow {
    /// Whether it is about the edit, not about the operator that makes it.
    pub fn judges_edits(&self) -> bool {
        self.test.is_some()
    }
}

macro_rules! rules {
    ($($constant:ident $name:literal $says:literal $test:expr;)*) => {
        /// All rules, in the order in which they are asked.
        pub const RULES: &[RuleRow] = &[$(RuleRow { name: $name, says: $says, test: $test },)*];
        rules!(@number 0u8; $($constant)*);
    };
    (@number $n:expr; $first:ident $($rest:ident)*) => {
        impl Rule { pub const $first: Rule = Rule($n); }
        rules!(@number $n + 1; $($rest)*);
    };
    (@number $n:expr;) => {};
}

rules! {
    NEIGHBOURS "neighbours" "next to what it was never seen next to in the wild" None;
    FIELD "field" "by an operator that mostly did not compile where it was tried" None;
    INERT "inert" "in imports, attributes and the angle brackets of types" Some(|judge| judge.touches(Marks::IMPORT.with(Marks::ATTRIBUTE).with(Marks::ANGLE)));
    DIRECTIVE "directive" "in a preprocessor line, by an operator that was not caught in one" None;
    OUTSIDE "outside" "outside functions, but for initialisers" Some(|judge| judge.is_outside());
    DECLARATION "declaration" "in a declaration, but for its initialiser" Some(|judge| judge.breaks_declarations());
    STATEMENTS "statements" "tears statements apart or joins them, or does nothing" Some(|judge| judge.breaks_statements());
    ROWS "rows" "makes a row of four tokens that the target never has" Some(|judge| judge.breaks_rows());
    NAMES "names" "uses a name that is not in scope, or as it is never used" Some(|judge| judge.breaks_names());
    ARITY "arity" "gives a call a number of arguments that it never has" Some(|judge| judge.breaks_arity());
    TARGETS "targets" "assigns to what is no variable" Some(|judge| judge.breaks_targets());
    HOMES "homes" "has break, continue, case or else where they have no home" Some(|judge| judge.breaks_homes());
    RETURNS "returns" "returns a value where there is none, or none where there is one" Some(|judge| judge.breaks_returns());
    FLOW "flow" "leaves code that is never reached, or a path without a return" Some(|judge| judge.breaks_flow());
    RESULTS "results" "uses what a call gives that is never used" Some(|judge| judge.breaks_results());
    ARMS "arms" "takes away or adds an arm of a choice" Some(|judge| judge.breaks_arms());
    SLOTS "slots" "puts a value where one of its type never stands" Some(|judge| judge.breaks_slots());
    MEMBERS "members" "takes a member of what never has it" Some(|judge| judge.breaks_members());
}

impl Rules {
    /// Every rule.
    pub fn all() -> Self {
        Self::of((0..RULES.len()).map(|place| Rule(place as u8)))
    }

    /// What is asked by default.
    pub fn sane() -> Self {
        let mut rules = Self::all();
        rules.remove(Rule::NEIGHBOURS);
        rules
    }

    /// What leaves the least that does not compile.
    pub fn strict() -> Self {
        Self::all()
    }
}

impl Rule {
    /// Its row.
    pub fn row(self) -> &'static RuleRow {
        &RULES[self.0 as usize]
    }

    /// The rule of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        RULES.iter().position(|row| row.name == name).map(|place| Self(place as u8))
    }
}

impl<'a> Judge<'a> {
    /// Which of the asked rules the edit breaks; with `all`, all of them, else the first.
    pub fn broken(&self, asked: Rules, all: bool) -> Rules {
        let mut broken = Rules::NONE;
        for (place, row) in RULES.iter().enumerate() {
            let rule = Rule(place as u8);
            if asked.has(rule) && row.test.is_some_and(|test| test(self)) {
                broken.insert(rule);
                if !all {
                    break;
                }
            }
        }
        broken
    }

    fn touches(&self, marks: Marks) -> bool {
        let edit = self.mutated.edit;
        let all = &self.mutated.view.structure.marks;
        let (from, to) = (edit.from as usize, edit.to as usize);
        if from == to {
            // An insertion is inside of what stands on both sides of it.
            let left = from.checked_sub(1).is_some_and(|left| all[left].has(marks));
            let right = all.get(from).is_some_and(|mark| mark.has(marks));
            let ends = self.mutated.end().checked_sub(1).and_then(|last| self.mutated.get(last));
            let apart = ends.is_some_and(|word_| {
                self.mutated.view.syntax.ends.contains(&word_.sym) || matches!(word_.text, b"{" | b"}")
            });
            return right && (left || !apart);
        }
        all[from..to].iter().any(|mark| mark.has(marks))
    }

    fn name(&self, word: Word) -> Name {
        self.facts.names.get(&word.sym).copied().unwrap_or_default()
    }

    fn class(&self, word: Word) -> u64 {
        let known = word.kind == TokenKind::Identifier && is_type(self.name(word));
        class(word, known)
    }

    fn breaks_rows(&self) -> bool {
        let (start, end) = (self.mutated.start(), self.mutated.end());
        let first = start.saturating_sub(GRAM - 1);
        let last = end.max(start + 1) - 1;
        let mut classes: smallvec::SmallVec<[u64; 24]> = smallvec::SmallVec::new();
        for at in first..last + GRAM {
            match self.mutated.get(at) {
                Some(word) => classes.push(self.class(word)),
                None => break,
            }
        }
        let inside = bracket(self.mutated.view, start);
        let view = self.mutated.view;
        classes.windows(GRAM).enumerate().any(|(place, row)| {
            // A token that stays is in the bracket that it was in; what is new, in the one around the edit.
            let here = self.mutated.old(first + place).map_or(inside, |old| bracket(view, old));
            !self.facts.grams.contains(&(join(row) ^ here))
        })
    }

    /// The places whose neighbours are not what they were: new tokens, and those on either side.
    fn places(&self) -> impl Iterator<Item = usize> {
        self.mutated.start().saturating_sub(1)..self.mutated.end() + 1
    }

    fn around(&self, at: usize) -> (Option<Word<'a>>, Option<Word<'a>>) {
        (at.checked_sub(1).and_then(|before| self.mutated.get(before)), self.mutated.get(at + 1))
    }

    /// The function that the edit is in.
    fn function(&self) -> u32 {
        let functions = &self.mutated.view.structure.function;
        functions.get(self.mutated.start()).or(functions.last()).copied().unwrap_or(0)
    }

    fn is_outside(&self) -> bool {
        let edit = self.mutated.edit;
        let marks = &self.mutated.view.structure.marks;
        let last = (edit.to as usize).max(edit.from as usize + 1).min(marks.len());
        let all = &marks[(edit.from as usize).min(last)..last];
        self.function() == 0 && !all.iter().all(|mark| mark.has(Marks::INITIALISER))
    }

    fn breaks_names(&self) -> bool {
        let values = &self.mutated.view.syntax.values;
        let truths = &self.mutated.view.syntax.truths;
        let here = scope(self.file, self.function());
        let stranger = self.news().any(|(_, word_)| {
            // `this` where there is none; `null` and `true` are everywhere.
            let named = matches!(word_.text, b"this" | b"self" | b"super");
            named
                && word_.kind == TokenKind::Keyword
                && values.contains(&word_.sym)
                && !truths.contains(&word_.sym)
                && !self.facts.scoped.contains_key(&(here, word_.sym))
        });
        stranger
            || self.places().any(|at| {
                let Some(word) = self.mutated.get(at).filter(|word| word.kind == TokenKind::Identifier)
                else {
                    return false;
                };
                let (before, after) = self.around(at);
                let mut needed = roles_between(self.mutated.view, before, after);
                if needed.covers(Roles::PLAIN) && self.is_pointed_to(at) {
                    needed = needed.with(Roles::POINTER);
                }
                !self.may_play(word, needed) || self.names_itself(at, word)
            })
    }

    /// `*x` where `*` joins nothing.
    fn is_pointed_to(&self, at: usize) -> bool {
        let syntax = self.mutated.view.syntax;
        at > 0
            && self.mutated.get(at - 1).is_some_and(|word_| word_.text == b"*")
            && at.checked_sub(2).and_then(|before| self.mutated.get(before)).is_none_or(|before| match before
                .kind
            {
                TokenKind::Operator => !matches!(before.text, b")" | b"]"),
                TokenKind::Keyword => !syntax.values.contains(&before.sym),
                _ => false,
            })
    }

    /// `int x = x;`
    fn names_itself(&self, at: usize, word_: Word) -> bool {
        let view = self.mutated.view;
        (at.saturating_sub(30)..at)
            .rev()
            .map_while(|place| self.mutated.old(place))
            .find(|&old| {
                view.syntax.ends.contains(&view.file.syms[old]) || view.file.syms[old] == operator("=")
            })
            .is_some_and(|old| {
                old > 0
                    && view.file.syms[old] == operator("=")
                    && view.structure.marks[old].has(Marks::DECLARATION)
                    && view.file.syms[old - 1] == word_.sym
                    && old < self.mutated.start()
            })
    }

    fn may_play(&self, word: Word, needed: Roles) -> bool {
        let known = self.name(word).roles;
        if needed.covers(Roles::CALLED) && !self.mutated.view.syntax.shares_names {
            // What is called by itself must be so in this file: elsewhere it is another thing.
            let here = self.facts.scoped.get(&(scope(self.file, WHOLE_FILE), word.sym));
            return here.is_some_and(|roles| roles.covers(needed));
        }
        if !needed.covers(Roles::PLAIN) {
            return known.covers(needed);
        }
        let here = scope(self.file, self.function());
        let scoped = self.facts.scoped.get(&(here, word.sym)).copied().unwrap_or_default();
        let top = self.facts.scoped.get(&(scope(self.file, 0), word.sym)).copied().unwrap_or_default();
        let outside = if known.covers(Roles::OUTSIDE) { known } else { top };
        let uses = Roles(needed.0 & !Roles::PLAIN.0);
        let mut played = scoped.with(outside);
        if played.0 & (Roles::INDEXED.0 | Roles::HAS_POINTED.0) != 0 && self.mutated.view.syntax.shares_names
        {
            played = played.with(Roles::POINTER);
        }
        (scoped.covers(Roles::PLAIN) || outside.covers(Roles::PLAIN)) && played.covers(uses)
    }

    fn breaks_members(&self) -> bool {
        let syntax = self.mutated.view.syntax;
        let joins = |dot: Word| syntax.members.contains(&dot.sym) || syntax.paths.contains(&dot.sym);
        self.places().chain([self.mutated.end() + 1]).any(|at| {
            let Some(word) = self.mutated.get(at).filter(|word| word.kind == TokenKind::Identifier) else {
                return false;
            };
            let joined = at > 1 && self.mutated.get(at - 1).is_some_and(joins);
            joined
                && self.base(at - 2).is_some_and(|base| !self.facts.pairs.contains(&join(&[base, word.sym])))
        })
    }

    fn base(&self, at: usize) -> Option<u64> {
        let word = self.mutated.get(at)?;
        if word.kind == TokenKind::Operator {
            let open = self.mutated.open(at)?;
            let before = self.mutated.get(open.checked_sub(1)?)?;
            return Some(join(&[before.sym, word.sym]));
        }
        if word.kind == TokenKind::Keyword {
            return Some(join(&[word.sym, self.file as u64]));
        }
        Some(word.sym)
    }

    /// A choice that must name all its cases keeps its arms.
    fn breaks_arms(&self) -> bool {
        let view = self.mutated.view;
        if !view.syntax.cases.is_empty() || view.syntax.switches.is_empty() {
            return false;
        }
        let arrow = operator("=>");
        let edit = self.mutated.edit;
        let old = (edit.from..edit.to).filter(|at| view.file.syms[*at as usize] == arrow).count();
        let new = self.news().filter(|(_, word_)| word_.sym == arrow).count();
        old != new
    }

    /// Only where types are checked: elsewhere any value may stand anywhere.
    fn breaks_slots(&self) -> bool {
        let view = self.mutated.view;
        if view.syntax.truth_type.is_none() {
            return false;
        }
        let typist = Typist {
            row: self.mutated,
            types: &self.facts.types,
            file: self.file,
            here: self.mutated.start().min(view.file.tokens.len().saturating_sub(1)),
        };
        let mut slots = typist.slots_around(self.mutated.start(), self.mutated.end());
        // Another name is called: what it is given must be what it takes.
        for at in self.mutated.start()..self.mutated.end() + 2 {
            let opens = self
                .mutated
                .get(at)
                .is_some_and(|word_| word_.text == b"(" && word_.kind == TokenKind::Operator);
            if opens && at > 0 {
                slots.extend(typist.arguments(at));
            }
        }
        let marks = self.changes_marks();
        let known = |filling: &u64| self.facts.types.slots.contains(filling);
        slots.into_iter().any(|slot| {
            (marks && typist.is_vague(slot))
                || (slot.context != 0 && !known(&typist.filling(slot)))
                || (!self.written && !typist.pairs(slot.left + 1, slot.right).iter().all(known))
        })
    }

    /// Whether the edit is about references: those marks come or go.
    fn changes_marks(&self) -> bool {
        let is_mark = |text: &[u8]| matches!(text, b"&" | b"*" | b"mut" | b"?");
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        let old = (edit.from..edit.to).filter(|at| is_mark(view.file.token(*at as usize))).count();
        let new = self.news().filter(|(_, word_)| is_mark(word_.text)).count();
        old != new
    }

    /// Statement ends come and go only with whole statements, and an expression that is a statement does
    /// something.
    fn breaks_statements(&self) -> bool {
        let view = self.mutated.view;
        let syntax = view.syntax;
        if syntax.ends.is_empty() || syntax.soft {
            return false;
        }
        let edit = self.mutated.edit;
        let ends = |sym: Sym| syntax.ends.contains(&sym);
        let old = (edit.from..edit.to).filter(|at| ends(view.file.syms[*at as usize])).count();
        let new = self.news().filter(|(_, word_)| ends(word_.sym)).count();
        if (old != new || self.tears_brackets()) && !self.is_whole() {
            return true;
        }
        self.is_idle()
    }

    /// Whether what goes or comes has brackets without their mates.
    fn tears_brackets(&self) -> bool {
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        let step = |depth: Option<i32>, text: &[u8]| match text {
            b"(" | b"[" | b"{" => depth.map(|depth| depth + 1),
            b")" | b"]" | b"}" => depth.map(|depth| depth - 1).filter(|depth| *depth >= 0),
            _ => depth,
        };
        let old = (edit.from..edit.to).fold(Some(0), |depth, at| step(depth, view.file.token(at as usize)));
        let new = self.news().fold(Some(0), |depth, (_, word_)| step(depth, word_.text));
        old != Some(0) || new != Some(0)
    }

    /// Whether whole statements are put in or taken out.
    fn is_whole(&self) -> bool {
        let view = self.mutated.view;
        let edit = self.mutated.edit;
        let marks = &view.structure.marks;
        let ends = |word_: &[u8]| word_ == b";" || word_ == b"}";
        let (mut from, mut to) = (edit.from as usize, edit.to as usize);
        if edit.new.is_empty() {
            // The same deletion may stand further right: `; a` before `;` is `a ;`.
            for _ in 0..16 {
                if marks[from].has(Marks::START) && ends(view.file.token(to - 1)) {
                    // What `if (x)` or `else` leads cannot go alone.
                    let before = from.checked_sub(1).map(|before| &view.file.tokens[before]);
                    return before.is_none_or(|before| {
                        before.directive
                            || before.kind.is_layout()
                            || matches!(before.span.of(&view.file.text), b";" | b"{" | b"}" | b":" | b"]")
                    });
                }
                if to >= view.file.tokens.len() || view.file.syms[from] != view.file.syms[to] {
                    return false;
                }
                from += 1;
                to += 1;
            }
            return false;
        }
        let last = self.mutated.get(self.mutated.end() - 1);
        let starts = marks.get(from).is_some_and(|mark| mark.has(Marks::START));
        let before = from.checked_sub(1).map(|before| view.file.token(before));
        let fresh = starts || before.is_some_and(ends);
        fresh && last.is_some_and(|word_| ends(word_.text)) && (from == to || ends(view.file.token(to - 1)))
    }

    /// `f() - 1;`, `x;`
    fn is_idle(&self) -> bool {
        let view = self.mutated.view;
        let syntax = view.syntax;
        let start = (0..=self.mutated.start()).rev().take(60).find(|&at| {
            self.mutated.old(at).is_some_and(|old| view.structure.marks[old].has(Marks::START))
                && self.mutated.old(at).is_some_and(|old| {
                    view.structure.open[old]
                        == view.structure.open.get(self.mutated.start()).copied().unwrap_or(NONE)
                })
        });
        let Some(start) = start else { return false };
        let first = self.mutated.get(start);
        if first.is_none_or(|word_| {
            word_.kind != TokenKind::Identifier && word_.text != b"this" && word_.text != b"self"
        }) {
            return false;
        }
        let mut at = start;
        let mut joined = false;
        for _ in 0..80 {
            let Some(word_) = self.mutated.get(at) else { return false };
            if word_.kind == TokenKind::Keyword && at > start {
                return false;
            }
            if word_.kind == TokenKind::Operator {
                if syntax.assignments.contains(&word_.sym)
                    || matches!(word_.text, b"++" | b"--" | b"{" | b":" | b"}" | b"=>" | b"," | b"!")
                {
                    return false;
                }
                if syntax.ends.contains(&word_.sym) {
                    let last = self.mutated.get(at - 1);
                    return joined || last.is_some_and(|last| !matches!(last.text, b")" | b"?"));
                }
                let tight = syntax.members.contains(&word_.sym) || syntax.paths.contains(&word_.sym);
                joined |= syntax.binary.contains(&word_.sym) && !tight && !word_.marks.has(Marks::ANGLE);
                if matches!(word_.text, b"(" | b"[") {
                    match self.mutated.close(at) {
                        Some(close) => at = close,
                        None => return true,
                    }
                }
            }
            at += 1;
        }
        false
    }

    /// A new type or modifier before a name makes a declaration of what was none.
    fn breaks_declarations(&self) -> bool {
        if self.touches(Marks::DECLARATION.with(Marks::HEAD)) {
            return true;
        }
        let syntax = self.mutated.view.syntax;
        self.news().any(|(at, word_)| {
            let (before, after) = self.around(at);
            let named = after.is_some_and(|after| after.kind == TokenKind::Identifier);
            let word_like = word_.kind == TokenKind::Keyword
                && (syntax.modifiers.contains(&word_.sym)
                    || syntax.types.contains(&word_.sym)
                    || syntax.declares.contains(&word_.sym))
                || word_.kind == TokenKind::Identifier;
            let reference = before.is_some_and(|before| before.text == b"&");
            named && word_like && !reference
        })
    }

    /// A call whose result is never used is used.
    fn breaks_results(&self) -> bool {
        self.places().chain([self.mutated.end() + 1]).any(|at| {
            let Some(name) = self.mutated.get(at).filter(|word_| word_.kind == TokenKind::Identifier) else {
                return false;
            };
            let opens = self.mutated.get(at + 1).is_some_and(|word_| word_.text == b"(");
            if !opens || self.name(name).roles.covers(Roles::GIVES) {
                return false;
            }
            let Some(close) = self.mutated.close(at + 1) else { return true };
            let ends = self
                .mutated
                .get(close + 1)
                .is_some_and(|word_| self.mutated.view.syntax.ends.contains(&word_.sym));
            let before = at.checked_sub(1).and_then(|before| self.mutated.get(before));
            let starts = before.is_none_or(|before| {
                matches!(before.text, b";" | b"{" | b"}" | b")" | b":" | b"." | b"->" | b"::" | b"else")
            });
            !(ends && starts)
        })
    }

    fn breaks_arity(&self) -> bool {
        let mut opens: smallvec::SmallVec<[usize; 8]> = smallvec::SmallVec::new();
        let around = self.enclosing();
        opens.extend(around);
        for at in self.mutated.start().saturating_sub(1)..self.mutated.end() + 1 {
            if self.mutated.get(at).is_some_and(|word| word.text == b"(" && word.kind == TokenKind::Operator)
            {
                opens.push(at);
            }
        }
        opens.into_iter().any(|open| {
            let Some(name) = open.checked_sub(1).and_then(|at| self.mutated.get(at)) else { return false };
            if name.kind != TokenKind::Identifier {
                return self.mutated.view.syntax.truth_type.is_some() && self.changes_count(open);
            }
            let Some(count) = self.mutated.arguments(open) else { return true };
            let arities = self.name(name).arities;
            let never = arities != 0 && arities >> count.min(31) & 1 == 0;
            never || self.breaks_own_arity(open - 1, name, count)
        })
    }

    /// Tuples and macros keep the number of their parts.
    fn changes_count(&self, open: usize) -> bool {
        let view = self.mutated.view;
        let Some(old) = self.mutated.old(open).filter(|old| view.file.token(*old) == b"(") else {
            return false;
        };
        let count = arguments(view, old);
        count.is_some() && count != self.mutated.arguments(open)
    }

    /// The same, by what the call is of: other things may have a member of that name.
    fn breaks_own_arity(&self, at: usize, name: Word, count: u32) -> bool {
        let dot = at.checked_sub(1).and_then(|dot| self.mutated.get(dot));
        let syntax = self.mutated.view.syntax;
        let member =
            dot.is_some_and(|dot| syntax.members.contains(&dot.sym) || syntax.paths.contains(&dot.sym));
        let base = if member { at.checked_sub(2).and_then(|base| self.base(base)) } else { Some(0) };
        base.is_some_and(|base| !self.facts.pairs.contains(&join(&[base, name.sym, u64::from(count)])))
    }

    /// The innermost bracket that is open before the edit.
    fn enclosing(&self) -> Option<usize> {
        let structure = &self.mutated.view.structure;
        let start = self.mutated.start();
        let mut open = *structure.open.get(start)?;
        // A closing bracket at the edit's start belongs to what it closes.
        let mate = structure.mate[start];
        if mate != NONE && (mate as usize) < start {
            open = mate;
        }
        (open != NONE && (open as usize) < start).then_some(open as usize)
    }

    fn breaks_targets(&self) -> bool {
        let syntax = self.mutated.view.syntax;
        let mut places = self.places().chain([self.mutated.end() + 1]);
        places.any(|at| {
            let Some(word) = self.mutated.get(at).filter(|word| word.kind == TokenKind::Operator) else {
                return false;
            };
            let assigns = syntax.assignments.contains(&word.sym);
            if !assigns || self.in_declaration(at) {
                return false;
            }
            let Some(before) = at.checked_sub(1).and_then(|before| self.mutated.get(before)) else {
                return true;
            };
            match before.kind {
                TokenKind::Identifier => at > 1 && self.is_compared(at - 2),
                TokenKind::Operator => match before.text {
                    b"]" => false,
                    b")" => !self.is_pointed(at - 1),
                    _ => true,
                },
                TokenKind::Keyword => before.text != b"_",
                _ => true,
            }
        })
    }

    /// `a == b = c`, `a + b = c`: what stands before the name takes it away from the assignment.
    fn is_compared(&self, at: usize) -> bool {
        let syntax = self.mutated.view.syntax;
        self.mutated.get(at).is_some_and(|word| {
            word.kind == TokenKind::Operator
                && syntax.binary.contains(&word.sym)
                && !syntax.prefix.contains(&word.sym)
                && !syntax.assignments.contains(&word.sym)
                && !syntax.members.contains(&word.sym)
                && !matches!(word.text, b":" | b"?" | b"=>" | b"->" | b"::" | b"&&" | b"||")
        })
    }

    /// `(*p) = x`
    fn is_pointed(&self, close: usize) -> bool {
        self.mutated.open(close).is_some_and(|open| {
            self.mutated.get(open + 1).is_some_and(|word| word.text == b"*")
                && open.checked_sub(1).and_then(|at| self.mutated.get(at)).is_none_or(|word| {
                    word.kind == TokenKind::Operator && word.text != b")" && word.text != b"]"
                })
        })
    }

    fn in_declaration(&self, at: usize) -> bool {
        self.mutated.old(at).is_some_and(|old| {
            let marks = Marks::DECLARATION.with(Marks::HEAD).with(Marks::LITERAL).with(Marks::ATTRIBUTE);
            self.mutated.view.structure.marks[old].has(marks)
        })
    }

    fn news(&self) -> impl Iterator<Item = (usize, Word<'a>)> {
        (self.mutated.start()..self.mutated.end()).filter_map(|at| Some((at, self.mutated.get(at)?)))
    }

    fn breaks_homes(&self) -> bool {
        let syntax = self.mutated.view.syntax;
        self.news().any(|(_, word_)| {
            if word_.kind != TokenKind::Keyword {
                return false;
            }
            match word_.text {
                b"break" => !self.led_by(|lead| {
                    syntax.loops.contains(&lead)
                        || (syntax.switches.contains(&lead) && !syntax.cases.is_empty())
                }),
                b"continue" => !self.led_by(|lead| syntax.loops.contains(&lead)),
                _ if syntax.cases.contains(&word_.sym) => {
                    !self.led_by(|lead| syntax.switches.contains(&lead))
                }
                _ => false,
            }
        }) || self.places().any(|at| {
            let after = self.mutated.get(at);
            let before = at.checked_sub(1).and_then(|before| self.mutated.get(before));
            let is_else =
                after.is_some_and(|word_| word_.sym == word("else") && word_.kind == TokenKind::Keyword);
            let conditional = || {
                let close = at.checked_sub(1)?;
                let old = self.mutated.old(self.mutated.open(close)?)?;
                let lead = self.mutated.view.structure.lead(old as u32)?;
                Some(syntax.conditions.contains(&lead) && !syntax.loops.contains(&lead))
            };
            is_else
                && match before.map_or(&b""[..], |before| before.text) {
                    b"}" => conditional() != Some(true),
                    b";" => self.mutated.old(at).is_none(),
                    _ => true,
                }
        })
    }

    /// Whether a block around the edit, up to the function, is led by such a keyword.
    fn led_by(&self, wanted: impl Fn(Sym) -> bool) -> bool {
        let structure = self.mutated.view.structure;
        let start = self.mutated.start();
        let Some(mut open) = structure.open.get(start).copied() else { return false };
        let function = structure.function_of(start).map(|function| function.body);
        while open != NONE && Some(open) != function {
            if structure.lead(open).is_some_and(&wanted) {
                return true;
            }
            open = structure.open[open as usize];
        }
        false
    }

    /// Whether the function returns nothing; none if that cannot be told.
    fn returns_nothing(&self) -> Option<bool> {
        let view = self.mutated.view;
        let function = view.structure.function_of(self.mutated.start())?;
        if function.name == NONE {
            return None;
        }
        let (from, to) = function.returns;
        if from == to {
            // Without a type it returns nothing where types are written behind, and is a constructor elsewhere.
            return view
                .syntax
                .returns
                .is_some()
                .then_some(true)
                .or(Some(true).filter(|_| view.syntax.functions.is_empty()));
        }
        Some(to - from == 1 && view.file.syms[from as usize] == word("void"))
    }

    fn breaks_returns(&self) -> bool {
        let Some(nothing) = self.returns_nothing() else { return false };
        let start = self.mutated.start().saturating_sub(1);
        (start..self.mutated.end()).any(|at| {
            let Some(word_) = self.mutated.get(at) else { return false };
            if word_.sym != word("return") || word_.kind != TokenKind::Keyword {
                return false;
            }
            let Some(after) = self.mutated.get(at + 1) else { return true };
            let bare = self.mutated.view.syntax.ends.contains(&after.sym) || after.text == b"}";
            bare != nothing
        })
    }

    fn breaks_flow(&self) -> bool {
        let syntax = self.mutated.view.syntax;
        if syntax.truth_type.is_none() {
            return false;
        }
        if self.drops_return() || self.drops_tail() {
            return true;
        }
        let jump = |word_: Word| word_.kind == TokenKind::Keyword && syntax.jumps.contains(&word_.sym);
        // A new jump before another statement of the same block.
        let cuts = syntax.unreachable && self.news().any(|(at, word_)| jump(word_) && self.code_follows(at));
        // The jump at a block's end is gone.
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        let had = (edit.from..edit.to).any(|at| jump(super::facts::word(view, at as usize)));
        let has = self.news().any(|(_, word_)| jump(word_));
        let after = (self.mutated.end()..).find_map(|at| match self.mutated.get(at) {
            Some(word_) if syntax.ends.contains(&word_.sym) => None,
            word_ => Some(word_),
        });
        let ends = after.flatten().is_some_and(|word_| word_.text == b"}");
        cuts || (had && !has && ends && self.returns_nothing() != Some(true))
    }

    /// `return f(x);` becomes `f(x);`
    fn drops_return(&self) -> bool {
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        let keyword = word("return");
        let had = (edit.from..edit.to).any(|at| view.file.syms[at as usize] == keyword);
        let has = self.news().any(|(_, word_)| word_.sym == keyword);
        had && !has && !(edit.new.is_empty() && self.is_whole()) && self.returns_nothing() != Some(true)
    }

    /// The value at the end of a block is gone, where blocks have values.
    fn drops_tail(&self) -> bool {
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        view.syntax.returns.is_some()
            && view.syntax.functions.len() == 1
            && edit.new.is_empty()
            && edit.from < edit.to
            && view.structure.marks[edit.from as usize].has(Marks::START)
            && !matches!(view.file.token(edit.to as usize - 1), b";" | b"}")
    }

    /// Whether a statement follows the one that begins at `at`, in the same block.
    fn code_follows(&self, at: usize) -> bool {
        let syntax = self.mutated.view.syntax;
        let mut place = at;
        for _ in 0..100 {
            let Some(word_) = self.mutated.get(place) else { return false };
            if word_.kind == TokenKind::Operator && matches!(word_.text, b"(" | b"[" | b"{") {
                match self.mutated.close(place) {
                    Some(close) => place = close + 1,
                    None => return true,
                }
                continue;
            }
            if syntax.ends.contains(&word_.sym) {
                let after = self.mutated.get(place + 1);
                let led = at
                    .checked_sub(1)
                    .and_then(|before| self.mutated.get(before))
                    .is_some_and(|before| before.text == b")" || before.sym == word("else"));
                return !led
                    && !after.is_none_or(|after| after.text == b"}" || syntax.cases.contains(&after.sym));
            }
            place += 1;
        }
        true
    }
}

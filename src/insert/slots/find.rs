//! Finds the slots of a file.

use std::collections::BTreeSet;

use crate::langdef::LangDef;
use crate::lex::TokenKind;
use crate::text::LineIndex;

use super::super::render::TextEdit;
use super::super::structure::NONE;
use super::super::target::Target;
use super::super::units::Piece;
use super::super::units::Units;
use super::conditions;
use super::expected::ExpectedTexts;
use super::family::Family;
use super::inserted::Sources;
use super::inserted::declares;
use super::scope::Scope;
use super::slot::Alternative;
use super::slot::Slot;
use super::slot::SlotKind;
use super::statements::Change;
use super::statements::Changes;
use super::statements::small_changes;
use super::tokens::Tokens;

/// What is wanted.
#[derive(Clone, Copy)]
pub struct SlotRequest<'a> {
    pub def: &'a LangDef,
    pub target: &'a Target,
    /// Families that are wanted; all if there are none.
    pub families: &'a BTreeSet<Family>,
    pub texts: &'a ExpectedTexts,
}

/// The slots of a file, in no particular order.
pub fn find_slots(request: &SlotRequest, file: usize) -> Vec<Slot> {
    let view = request.target.view(file);
    let units = Units::new(request.def, view);
    let lines = LineIndex::new(&view.file.text);
    let mut finder = Finder { request, file, tokens: Tokens { view }, units: &units, lines, found: vec![] };
    for number in 0..view.structure.functions.len() {
        finder.function(number);
    }
    let wanted = |family: Family| request.families.is_empty() || request.families.contains(&family);
    for slot in &mut finder.found {
        slot.alternatives.retain(|alternative| wanted(alternative.family));
        for alternative in &mut slot.alternatives {
            alternative.uniform.retain(|(family, _)| wanted(*family));
        }
        let composed = if slot.kind == SlotKind::Guard { Family::Guard } else { Family::Condition };
        if !wanted(composed) {
            slot.values.clear();
        }
    }
    finder.found.retain(|slot| !slot.alternatives.is_empty() || !slot.values.is_empty());
    finder.found
}

struct Finder<'a> {
    request: &'a SlotRequest<'a>,
    file: usize,
    tokens: Tokens<'a>,
    units: &'a Units,
    lines: LineIndex,
    found: Vec<Slot>,
}

impl Finder<'_> {
    fn function(&mut self, number: usize) {
        let tokens = self.tokens;
        let function = &tokens.view.structure.functions[number];
        let body = self.units.whole(number);
        let statements: Vec<Piece> =
            self.units.all_statements().filter(|(of, _)| *of == number).map(|(_, piece)| piece).collect();
        if body.start >= body.end || statements.is_empty() {
            return;
        }
        let scope = Scope::new(tokens, function, body);
        let holds_another = |piece: &Piece| {
            statements.iter().any(|other| other != piece && piece.holds(other.start, other.end))
        };
        let simple: Vec<Piece> =
            statements.iter().copied().filter(|piece| !holds_another(piece) && !self.leads(*piece)).collect();
        let sources = Sources::new(tokens, &simple);
        let allowed: Vec<Piece> =
            statements.iter().copied().filter(|piece| self.is_allowed(*piece)).collect();
        for piece in allowed {
            if simple.contains(&piece) {
                self.statement(number, piece, &scope, &sources);
            }
            self.gaps(number, piece, &sources);
        }
        for piece in conditions::conditions(tokens, body, self.request.def.file.switch.bare_heads) {
            let innermost = tokens.view.structure.function[piece.start as usize] as usize == number + 1;
            if innermost && self.is_allowed(piece) {
                self.condition(number, piece, &scope);
            }
        }
    }

    /// Whether a statement is led by a word, with a condition or a block behind it.
    fn leads(&self, piece: Piece) -> bool {
        let syntax = self.tokens.view.syntax;
        let first = self.tokens.sym(piece.start as usize);
        let leads = [&syntax.conditions, &syntax.loops, &syntax.switches, &syntax.blocks, &syntax.containers];
        self.tokens.is(piece.start as usize, "{")
            || (self.tokens.kind(piece.start as usize) == Some(TokenKind::Keyword)
                && leads.iter().any(|words| words.contains(&first)))
    }

    fn is_allowed(&self, piece: Piece) -> bool {
        let allowed = &self.request.target.allowed[self.file];
        (piece.start..piece.end)
            .all(|at| allowed[at as usize] && !self.tokens.view.file.tokens[at as usize].directive)
    }

    fn slot(&self, function: usize, kind: SlotKind, piece: Piece) -> Slot {
        let bytes = self.tokens.bytes(piece);
        Slot {
            file: self.file,
            function,
            kind,
            line: self.lines.place(bytes.start).line as u32,
            indent: self.tokens.indent(piece.start as usize),
            bytes,
            alternatives: vec![],
            values: vec![],
        }
    }

    fn statement(&mut self, function: usize, piece: Piece, scope: &Scope, sources: &Sources) {
        let tokens = self.tokens;
        let blocks = !self.request.def.file.switch.close.is_empty();
        if !blocks && !tokens.view.file.starts_its_line(piece.start) {
            return;
        }
        if declares(tokens, piece) {
            self.initial_value(function, piece, scope);
            return;
        }
        let words = &self.request.def.file.switch.slots;
        let mut changes = Changes::new(tokens, piece);
        small_changes(&mut changes, scope, self.request.texts, words);
        conditions::uniform(&mut changes);
        self.negated_return(&mut changes);
        if !self.units.is_arm(piece) {
            self.guarded_by_presence(&mut changes, scope);
        }
        let mut slot = self.slot(function, SlotKind::Statement, piece);
        slot.alternatives = changes.into_alternatives();
        slot.alternatives.extend(sources.instead(piece, self.units.is_arm(piece), words));
        self.found.push(slot);
        self.guard(function, piece, scope);
    }

    /// A statement that is executed only if something is there that it uses.
    fn guarded_by_presence(&self, changes: &mut Changes, scope: &Scope) {
        let (tokens, piece, switch) = (self.tokens, changes.piece, &self.request.def.file.switch);
        let present = &switch.slots.present;
        if present.is_empty() || tokens.view.syntax.jumps.contains(&tokens.sym(piece.start as usize)) {
            return;
        }
        let indent = tokens.indent(piece.start as usize);
        let text = String::from_utf8_lossy(tokens.written(piece)).into_owned();
        for name in scope.used(piece) {
            let condition = present.replace("{text}", name);
            let guarded = match (switch.close.is_empty(), switch.bare_heads) {
                (true, _) => format!("if {condition}:\n{indent}    {text}"),
                (false, true) => format!("if {condition} {{\n{indent}    {text}\n{indent}}}"),
                (false, false) => format!("if ({condition}) {{\n{indent}    {text}\n{indent}}}"),
            };
            changes.push(Change {
                family: Family::Guard,
                edits: vec![tokens.put(piece, guarded)],
                size: 4,
                uniform: vec![],
            });
        }
    }

    /// `return x` as `return !(x)`.
    fn negated_return(&self, changes: &mut Changes) {
        let (tokens, piece) = (self.tokens, changes.piece);
        let syntax = tokens.view.syntax;
        let words = &self.request.def.file.switch.slots;
        let ends = syntax.ends.contains(&tokens.sym(piece.end as usize - 1));
        let value = Piece { start: piece.start + 1, end: piece.end - u32::from(ends) };
        let decides = |at: u32| {
            let sym = tokens.sym(at as usize);
            syntax.comparisons.contains(&sym) || syntax.logic.contains(&sym) || syntax.truths.contains(&sym)
        };
        if !syntax.returning.contains(&tokens.sym(piece.start as usize))
            || !(value.start..value.end).any(decides)
        {
            return;
        }
        let text = [words.not.as_bytes(), b"(", tokens.written(value), b")"].concat();
        let edits = vec![tokens.put(value, text)];
        changes.push(Change { family: Family::Negation, edits, size: 1, uniform: vec![] });
    }

    /// The value that a declaration begins with.
    fn initial_value(&mut self, function: usize, piece: Piece, scope: &Scope) {
        let (tokens, words) = (self.tokens, &self.request.def.file.switch.slots);
        let depth = tokens.open(piece.start as usize);
        let same = |at: &u32| tokens.open(*at as usize) == depth;
        let assigned: Vec<u32> =
            (piece.start..piece.end).filter(same).filter(|at| tokens.is(*at as usize, "=")).collect();
        let ends = tokens.view.syntax.ends.contains(&tokens.sym(piece.end as usize - 1));
        let [sign] = assigned[..] else { return };
        let value = Piece { start: sign + 1, end: piece.end - u32::from(ends) };
        let several = (value.start..value.end).filter(same).any(|at| tokens.is(at as usize, ","));
        let brace = tokens.is(value.start as usize, "{");
        if !words.is_given() || words.truths_only || value.start >= value.end || several || brace {
            return;
        }
        let mut changes = Changes::new(tokens, value);
        small_changes(&mut changes, scope, self.request.texts, words);
        let mut slot = self.slot(function, SlotKind::Value, value);
        slot.alternatives = changes.into_alternatives();
        self.found.push(slot);
    }

    /// A statement that may depend on a condition.
    fn guard(&mut self, function: usize, piece: Piece, scope: &Scope) {
        let syntax = self.tokens.view.syntax;
        let jumps = syntax.jumps.contains(&self.tokens.sym(piece.start as usize));
        // An `else` that follows would be taken for that of the new condition.
        if self.request.def.file.switch.slots.compares() && !jumps && !self.units.is_arm(piece) {
            let mut slot = self.slot(function, SlotKind::Guard, piece);
            slot.values = scope.values(piece.start);
            self.found.push(slot);
        }
    }

    /// Statements that could be put in before, behind, or as an alternative.
    fn gaps(&mut self, function: usize, piece: Piece, sources: &Sources) {
        let tokens = self.tokens;
        let blocks = !self.request.def.file.switch.close.is_empty();
        let whole = blocks || tokens.view.file.starts_its_line(piece.start);
        let bytes = tokens.bytes(piece);
        let indent = tokens.indent(piece.start as usize);
        let line = format!("\n{indent}");
        if whole && !self.units.is_arm(piece) {
            let mut before = self.slot(function, SlotKind::Before, piece);
            before.bytes = bytes.start..bytes.start;
            before.alternatives = sources.inserted(Family::Insert, piece.start, bytes.start, ("", &line));
            self.found.push(before);
            let last = self.is_last(piece);
            let jumps = tokens.view.syntax.jumps.contains(&tokens.sym(piece.start as usize));
            let ends = tokens.view.syntax.ends.is_empty()
                || tokens.view.syntax.ends.contains(&tokens.sym(piece.end as usize - 1))
                || self.leads(piece);
            if last && !jumps && ends {
                let mut after = self.slot(function, SlotKind::After, piece);
                after.bytes = bytes.end..bytes.end;
                after.alternatives = sources.inserted(Family::Insert, piece.end, bytes.end, (&line, ""));
                self.found.push(after);
            }
        }
        if whole && self.lacks_else(piece) {
            self.otherwise(function, piece, sources);
        }
    }

    /// Whether a statement is the last of its block.
    fn is_last(&self, piece: Piece) -> bool {
        let count = self.tokens.view.file.tokens.len();
        let next =
            (piece.end as usize..count).find(|at| !matches!(self.tokens.kind(*at), Some(TokenKind::LineEnd)));
        next.is_some_and(|at| self.tokens.is(at, "}") || self.tokens.kind(at) == Some(TokenKind::Dedent))
    }

    /// Whether a statement is a condition without an alternative.
    fn lacks_else(&self, piece: Piece) -> bool {
        let (tokens, syntax) = (self.tokens, self.tokens.view.syntax);
        let start = piece.start as usize;
        let first = tokens.sym(start);
        let depth = tokens.open(start);
        let branches = syntax.conditions.contains(&first) && !syntax.loops.contains(&first);
        let has = (piece.start..piece.end).any(|at| {
            tokens.open(at as usize) == depth && syntax.continues.contains(&tokens.sym(at as usize))
        });
        branches && !has && depth != NONE
    }

    fn otherwise(&mut self, function: usize, piece: Piece, sources: &Sources) {
        let tokens = self.tokens;
        let bytes = tokens.bytes(piece);
        let indent = tokens.indent(piece.start as usize);
        let blocks = !self.request.def.file.switch.close.is_empty();
        let (lead, tail) = match blocks {
            true => (format!(" else {{\n{indent}    "), format!("\n{indent}}}")),
            false => (format!("\n{indent}else:\n{indent}    "), String::new()),
        };
        let mut slot = self.slot(function, SlotKind::Otherwise, piece);
        slot.bytes = bytes.end..bytes.end;
        slot.alternatives = sources.inserted(Family::Otherwise, piece.end, bytes.end, (&lead, &tail));
        self.found.push(slot);
    }

    fn condition(&mut self, function: usize, piece: Piece, scope: &Scope) {
        let words = &self.request.def.file.switch.slots;
        if !words.is_given() {
            return;
        }
        let mut changes = Changes::new(self.tokens, piece);
        small_changes(&mut changes, scope, self.request.texts, words);
        conditions::whole(&mut changes, words);
        conditions::present(&mut changes, words, &scope.used(piece));
        conditions::uniform(&mut changes);
        let mut slot = self.slot(function, SlotKind::Condition, piece);
        slot.alternatives = changes.into_alternatives();
        let values = scope.values(piece.start);
        if words.compares() {
            slot.values = values;
        } else {
            slot.alternatives.extend(composed(self.tokens, piece, &values));
        }
        self.found.push(slot);
    }
}

/// Conditions made of values, where the runtime cannot make them: only those that stand instead of the original.
fn composed(tokens: Tokens, piece: Piece, values: &[super::slot::SlotValue]) -> Vec<Alternative> {
    const MOST: usize = 120;
    let all = super::comparison::comparisons(values, false);
    let instead = all.filter(|(_, found)| found.form == super::comparison::Form::Instead);
    let alternative = |found: super::comparison::Comparison| {
        let text = found.text(values).into_bytes();
        let edit: TextEdit = tokens.put(piece, text.clone());
        Alternative { family: Family::Condition, edit, woven: text, size: 3, uniform: vec![] }
    };
    instead.map(|(_, found)| alternative(found)).take(MOST).collect()
}

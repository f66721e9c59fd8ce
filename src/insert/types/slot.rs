//! Places for expressions: arguments, what is returned, what is assigned.

use super::super::facts::join;
use super::super::facts::scope;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::table::LONGEST;
use super::table::Typist;
use super::table::UNKNOWN;
use crate::lex::TokenKind;

/// A place for an expression: the tokens between `left` and `right`, both excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub left: usize,
    pub right: usize,
    /// What kind of place it is; equal ones take equal shapes.
    pub context: u64,
}

impl Typist<'_> {
    /// The slots that tokens of `start..end` are in.
    pub fn slots_around(&self, start: usize, end: usize) -> Vec<Slot> {
        let mut slots: Vec<Slot> = Vec::new();
        for at in start.saturating_sub(1)..=end {
            if let Some(slot) = self.slot(at)
                && !slots.contains(&slot)
            {
                slots.push(slot);
            }
        }
        slots
    }

    /// The slot that a token is in, for whoever asks from outside.
    pub fn slot_at(&self, at: usize) -> Option<Slot> {
        self.slot(at)
    }

    /// The slot that a token is in; none in what is no expression, or for a token that ends one.
    pub(super) fn slot(&self, at: usize) -> Option<Slot> {
        if self.ends_slot(at) || self.begins_slot(at) {
            return None;
        }
        let mut left = at;
        let mut steps = 0;
        loop {
            left = left.checked_sub(1)?;
            steps += 1;
            if steps > LONGEST {
                return None;
            }
            let word = self.get(left)?;
            if word.kind == TokenKind::Operator && matches!(word.text, b")" | b"]" | b"}") {
                if word.text == b"}" && !self.is_value_brace(left) {
                    break;
                }
                left = self.row.open(left)?;
                continue;
            }
            if self.begins_slot(left) {
                break;
            }
        }
        let right = self.slot_end(left + 1)?;
        Some(Slot { left, right, context: self.context(left, right).unwrap_or(0) })
    }

    pub(super) fn is_value_brace(&self, close: usize) -> bool {
        self.row.old(close).is_some_and(|old| {
            let mate = self.row.view.structure.mate[old];
            mate != NONE && self.row.view.structure.marks[mate as usize].has(Marks::LITERAL)
        })
    }

    pub(super) fn begins_slot(&self, at: usize) -> bool {
        let Some(word) = self.get(at) else { return true };
        match word.kind {
            TokenKind::Operator => {
                matches!(word.text, b"(" | b"[" | b"{" | b"," | b";" | b"=>" | b"->")
                    || (word.text == b"}" && !self.is_value_brace(at))
                    || self.row.view.syntax.assignments.contains(&word.sym)
            }
            TokenKind::Keyword => self.row.view.syntax.before_values.contains(&word.sym),
            kind => kind.is_layout(),
        }
    }

    pub(super) fn ends_slot(&self, at: usize) -> bool {
        let Some(word) = self.get(at) else { return true };
        match word.kind {
            TokenKind::Operator => {
                matches!(word.text, b")" | b"]" | b"}" | b"," | b";" | b"=>")
                    || self.row.view.syntax.assignments.contains(&word.sym)
            }
            kind => kind.is_layout(),
        }
    }

    pub(super) fn slot_end(&self, start: usize) -> Option<usize> {
        let mut at = start;
        while at < start + LONGEST {
            let word = self.get(at)?;
            if self.ends_slot(at) {
                return Some(at);
            }
            if word.kind == TokenKind::Operator && word.text == b"{" && !self.opens_value(at) {
                return Some(at);
            }
            at = self.over(at)?;
        }
        None
    }

    pub(super) fn opens_value(&self, at: usize) -> bool {
        self.row.old(at).is_some_and(|old| self.row.view.structure.marks[old].has(Marks::LITERAL))
    }

    /// What kind of place is between two tokens.
    pub(super) fn context(&self, left: usize, right: usize) -> Option<u64> {
        let word_ = self.get(left)?;
        let syntax = self.row.view.syntax;
        match word_.kind {
            TokenKind::Keyword if syntax.returning.contains(&word_.sym) => Some(join(&[1, self.returned()])),
            TokenKind::Keyword if syntax.conditions.contains(&word_.sym) => Some(2),
            TokenKind::Keyword if syntax.throwing.contains(&word_.sym) => Some(3),
            TokenKind::Keyword => None,
            _ if word_.text == b"(" || word_.text == b"," => self.argument(left),
            _ if word_.text == b"[" => Some(4),
            _ if syntax.assignments.contains(&word_.sym) => {
                // What is assigned goes by the type of what it is assigned to.
                let name = left.checked_sub(1)?;
                let target = self.get(name)?;
                let start = self.chain_start(name);
                let shape = self.shape(start, left);
                let known = if shape == UNKNOWN { join(&[target.sym, 11]) } else { shape };
                Some(join(&[5, known]))
            }
            _ if word_.text == b"=>" => Some(join(&[6, self.enclosing_block(left)])),
            _ if matches!(word_.text, b"{" | b";" | b"}") && self.is_mark(right, b"}") => {
                // The last expression of a block, where such are values.
                syntax.returns.filter(|_| self.closes_function(right)).map(|_| join(&[1, self.returned()]))
            }
            _ => None,
        }
    }

    pub(super) fn enclosing_block(&self, at: usize) -> u64 {
        let function = self.row.old(at).map_or(0, |old| self.row.view.structure.open[old]);
        scope(self.file, function)
    }

    pub(super) fn closes_function(&self, close: usize) -> bool {
        self.row.old(close).is_some_and(|old| {
            let mate = self.row.view.structure.mate[old];
            mate != NONE
                && self
                    .row
                    .view
                    .structure
                    .functions
                    .iter()
                    .any(|function| function.body == mate && function.name != NONE)
        })
    }

    /// Where the operand that ends at `last` begins.
    pub(super) fn chain_start(&self, last: usize) -> usize {
        let syntax = self.row.view.syntax;
        let mut at = last;
        loop {
            if self.is_mark(at, b")") || self.is_mark(at, b"]") {
                match self.row.open(at) {
                    Some(open) if open > 0 => {
                        at = open - 1;
                        continue;
                    }
                    _ => return at,
                }
            }
            let Some(before) = at.checked_sub(1).and_then(|before| self.get(before)) else { return at };
            if at > 1 && (syntax.members.contains(&before.sym) || syntax.paths.contains(&before.sym)) {
                at -= 2;
            } else {
                return at;
            }
        }
    }

    /// What the current function returns, as one number; its own where that is not written.
    pub(super) fn returned(&self) -> u64 {
        let view = self.row.view;
        let Some(function) = view.structure.function_of(self.here) else { return 0 };
        let (from, to) = function.returns;
        if from == to {
            return scope(self.file, function.body);
        }
        join(&view.file.syms[from as usize..to as usize])
    }

    /// Which argument of what.
    pub(super) fn argument(&self, left: usize) -> Option<u64> {
        let mut place = 0;
        let mut at = left;
        let mut steps = 0;
        while !self.is_mark(at, b"(") {
            steps += 1;
            if steps > LONGEST {
                return None;
            }
            if self.is_mark(at, b",") {
                place += 1;
            }
            at = at.checked_sub(1)?;
            let word = self.get(at)?;
            if word.kind == TokenKind::Operator && matches!(word.text, b")" | b"]" | b"}") {
                at = self.row.open(at)?;
                at = at.checked_sub(1)?;
                if self.is_mark(at, b"(") {
                    // What was stepped over began right behind the parenthesis.
                    break;
                }
            } else if word.kind == TokenKind::Operator && matches!(word.text, b"[" | b"{" | b";") {
                return None;
            }
        }
        let mut name = at.checked_sub(1)?;
        let mut callee = self.get(name)?;
        if self.row.view.syntax.macros == Some(callee.sym) {
            name = name.checked_sub(1)?;
            callee = self.get(name)?;
        }
        match callee.kind {
            TokenKind::Keyword if self.row.view.syntax.conditions.contains(&callee.sym) => Some(2),
            TokenKind::Identifier => {
                let count = self.row.arguments(at)?;
                Some(join(&[8, callee.sym, place, u64::from(count)]))
            }
            _ => None,
        }
    }

    /// The slots of a call's arguments.
    pub fn arguments(&self, open: usize) -> Vec<Slot> {
        let mut slots = Vec::new();
        let Some(close) = self.row.close(open) else { return slots };
        let mut left = open;
        while left < close {
            let Some(right) = self.slot_end(left + 1) else { break };
            if right > left + 1
                && let Some(context) = self.context(left, right)
            {
                slots.push(Slot { left, right, context });
            }
            left = right;
        }
        slots
    }

    /// Whether nothing is known of what stands in a slot but the marks before it.
    pub fn is_vague(&self, slot: Slot) -> bool {
        let start = (slot.left + 1..slot.right)
            .find(|&at| !matches!(self.text(at), b"&" | b"*" | b"mut"))
            .unwrap_or(slot.right);
        self.shape(start, slot.right) == UNKNOWN
    }

    /// What a slot and the shape in it make: the same number wherever both are equal.
    pub fn filling(&self, slot: Slot) -> u64 {
        join(&[slot.context, self.shape(slot.left + 1, slot.right)])
    }

    /// The pairs of operands that operators of a slot join, each with the kind of operator.
    pub fn pairs(&self, start: usize, end: usize) -> Vec<u64> {
        let syntax = self.row.view.syntax;
        let mut pairs = Vec::new();
        let mut left = start;
        let mut at = start;
        let mut last: Option<(usize, usize, u64)> = None;
        let mut operand = false;
        while at < end {
            let Some(word) = self.get(at) else { break };
            let binary = operand && word.kind == TokenKind::Operator && !word.marks.has(Marks::ANGLE);
            let kind = if !binary {
                0
            } else if syntax.comparisons.contains(&word.sym) {
                31
            } else if matches!(word.text, b"+" | b"-" | b"*" | b"/" | b"%" | b"&" | b"|" | b"^") {
                32
            } else if syntax.logic.contains(&word.sym)
                || matches!(word.text, b"?" | b":" | b"<<" | b">>" | b"..")
            {
                33
            } else {
                0
            };
            if kind > 0 {
                if let Some((from, to, kind)) = last {
                    pairs.push(join(&[kind, self.shape(from, to), self.shape(left, at)]));
                }
                last = (kind < 33).then_some((left, at, kind));
                left = at + 1;
                operand = false;
                at += 1;
                continue;
            }
            operand = match word.kind {
                TokenKind::Operator => {
                    matches!(word.text, b"(" | b"[" | b"{") || (word.text == b"?" && operand)
                }
                TokenKind::Keyword => syntax.values.contains(&word.sym),
                _ => true,
            };
            match self.over(at) {
                Some(next) => at = next,
                None => break,
            }
        }
        if let Some((from, to, kind)) = last {
            pairs.push(join(&[kind, self.shape(from, to), self.shape(left, end)]));
        }
        pairs
    }
}

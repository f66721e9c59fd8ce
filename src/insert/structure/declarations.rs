//! What is declared: variables, patterns, and values outside functions.

use super::super::syntax::operator;
use super::super::syntax::word;
use super::scan::Scan;
use super::whole::Marks;
use super::whole::NONE;
use crate::lex::TokenKind;

impl Scan<'_> {
    /// What an arm of a choice, or a condition with `let`, takes apart: names are declared there.
    pub(super) fn mark_patterns(&mut self) {
        let (lets, arrow, assign) = (word("let"), operator("=>"), operator("="));
        for index in 0..self.file.tokens.len() {
            let sym = self.sym(index);
            if sym == lets && !self.out.marks[index].has(Marks::START) {
                let end = (index..self.file.tokens.len()).find(|&at| self.sym(at) == assign).unwrap_or(index);
                self.mark(index..end, Marks::DECLARATION);
            }
            if self.syntax.loops.contains(&sym) && self.syntax.declares.contains(&lets) {
                let end = (index..(index + 30).min(self.file.tokens.len()))
                    .find(|&at| self.file.token(at) == b"in");
                self.mark(index..end.unwrap_or(index), Marks::DECLARATION);
            }
            if self.is(index, "|") && self.syntax.prefix.contains(&sym) && self.opens_closure(index) {
                let close =
                    (index + 1..(index + 30).min(self.file.tokens.len())).find(|&at| self.is(at, "|"));
                self.mark(index..close.map_or(index, |close| close + 1), Marks::DECLARATION);
            }
            if sym == arrow && self.syntax.cases.is_empty() && !self.syntax.functions.is_empty() {
                let depth = self.out.open[index];
                let start = (0..index).rev().take(80).find(|&at| {
                    (at as u32) == depth
                        || (self.out.open[at] == depth
                            && (self.is(at, ",") || self.is(at, "}") || self.sym(at) == arrow))
                });
                if let Some(start) = start.filter(|_| depth != NONE) {
                    self.mark(start + 1..index, Marks::DECLARATION);
                }
            }
        }
    }

    /// `|` where no operand stands before it, outside of patterns.
    pub(super) fn opens_closure(&self, index: usize) -> bool {
        !self.out.marks[index].has(Marks::DECLARATION)
            && index.checked_sub(1).is_some_and(|before| match self.file.tokens[before].kind {
                TokenKind::Operator => ["(", ",", "=", "{", "=>"].iter().any(|mark| self.is(before, mark)),
                TokenKind::Keyword => matches!(self.file.token(before), b"move" | b"return"),
                _ => false,
            })
    }

    /// What stands behind the `=` of a declaration outside functions.
    pub(super) fn mark_initialiser(&mut self, start: usize) {
        let depth = self.out.open[start];
        let first = self.sym(start);
        if self.syntax.containers.contains(&first) || self.syntax.functions.contains(&first) {
            return;
        }
        let mut assigned = false;
        for index in start..self.file.tokens.len() {
            if self.file.tokens[index].directive {
                continue;
            }
            if self.out.open[index] == depth {
                if self.syntax.ends.contains(&self.sym(index))
                    || (assigned
                        && self.syntax.soft
                        && index > start
                        && self.out.marks[index].has(Marks::START))
                {
                    return;
                }
                if self.is(index, "{") && !assigned {
                    return;
                }
                let argument = self.out.marks[index].has(Marks::ARGUMENT);
                // Behind a comma the next name is declared.
                if self.is(index, ",") && !argument {
                    assigned = false;
                }
                if self.is(index, "=") && !assigned && !argument {
                    assigned = true;
                    continue;
                }
            } else if depth != NONE && index as u32 > depth && self.out.mate[depth as usize] <= index as u32 {
                return;
            }
            if assigned {
                self.out.marks[index].set(Marks::INITIALISER);
            }
        }
    }

    /// Whether a declaration begins here: by keyword, or by a type and a name side by side.
    pub(super) fn is_declaration(&self, start: usize) -> bool {
        let first = self.sym(start);
        if self.file.tokens[start].kind == TokenKind::Keyword {
            let begins = self.syntax.declares.contains(&first)
                || self.syntax.types.contains(&first)
                || self.syntax.modifiers.contains(&first);
            return begins && !self.syntax.leads.contains(&first);
        }
        if self.syntax.annotates.is_some() || self.kind(start) != Some(TokenKind::Identifier) {
            return false;
        }
        self.declared_name(start).is_some()
    }

    /// The name that `Type name`, `Type *name`, `a.b.Type<T>[] name` declares.
    pub(super) fn declared_name(&self, start: usize) -> Option<usize> {
        let mut at = start + 1;
        loop {
            if self.out.marks.get(at)?.has(Marks::ANGLE) {
                at = (at..self.file.tokens.len()).find(|&close| {
                    !self.out.marks[close].has(Marks::ANGLE)
                        && self.out.marks[close - 1].has(Marks::ANGLE)
                        && !self.is(close - 1, "<")
                })?;
                continue;
            }
            let joined = self.is(at, ".") || self.is(at, "::");
            let indexed = self.is(at, "[") && self.is(at + 1, "]");
            if indexed || (joined && self.kind(at + 1) == Some(TokenKind::Identifier)) {
                at += 2;
            } else if self.is(at, "*") || self.is(at, "&") || self.is_modifier(at) {
                at += 1;
            } else {
                break;
            }
        }
        let name = (self.kind(at)? == TokenKind::Identifier).then_some(at)?;
        let follows = ["=", ";", ",", "[", ")", ":", "("].iter().any(|text| self.is(name + 1, text));
        // `f (x)` is a call; only a type before the name makes it something else.
        (follows && (!self.is(name + 1, "(") || at > start + 1 || !self.is(start + 1, "("))).then_some(name)
    }

    pub(super) fn is_modifier(&self, index: usize) -> bool {
        self.kind(index) == Some(TokenKind::Keyword) && self.syntax.modifiers.contains(&self.sym(index))
    }

    /// Marks a declaration up to its `=`, and again from a comma to the next `=`.
    pub(super) fn mark_declaration(&mut self, start: usize) {
        let depth = self.out.open[start];
        let mut declares = true;
        let mut index = start;
        while index < self.file.tokens.len() {
            if self.syntax.ends.contains(&self.sym(index)) && self.out.open[index] == depth {
                return;
            }
            if self.file.tokens[index].kind == TokenKind::LineEnd {
                return;
            }
            if self.out.open[index] == depth && index > start {
                let ends = self.is(index, ")") || self.is(index, "}") || self.is(index, "{");
                if ends || (self.syntax.soft && self.out.marks[index].has(Marks::START)) {
                    return;
                }
            }
            if self.mate(index).is_none() && (self.is(index, ")") || self.is(index, "}")) {
                return;
            }
            let at_depth = self.out.open[index] == depth;
            if self.out.mate[index] != NONE
                && (self.out.mate[index] as usize) < index
                && self.out.mate[index] == depth
            {
                return;
            }
            if at_depth && (self.is(index, "=") || (self.is(index, ":") && self.syntax.annotates.is_none())) {
                self.out.marks[index].set(Marks::DECLARATION);
                declares = false;
            } else if at_depth && self.is(index, ",") {
                declares = true;
            }
            if declares {
                self.out.marks[index].set(Marks::DECLARATION);
            }
            index += 1;
        }
    }
}

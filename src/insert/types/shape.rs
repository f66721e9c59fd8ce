//! The shape of an expression: what can be told of its type.

use super::super::facts::Word;
use super::super::facts::join;
use super::super::facts::scope;
use super::super::structure::Marks;
use super::super::syntax::operator;
use super::super::syntax::word;
use super::table::AMBIGUOUS;
use super::table::CHARACTER;
use super::table::CLOSURE;
use super::table::FLOAT;
use super::table::INTEGER;
use super::table::LONGEST;
use super::table::Shape;
use super::table::TEXT;
use super::table::TRUTH;
use super::table::Typist;
use super::table::UNKNOWN;
use crate::lex::TokenKind;

impl Typist<'_> {
    pub(super) fn get(&self, at: usize) -> Option<Word<'_>> {
        self.row.get(at)
    }

    pub(super) fn text(&self, at: usize) -> &[u8] {
        self.get(at).map_or(b"", |word| word.text)
    }

    pub(super) fn is_mark(&self, at: usize, text: &[u8]) -> bool {
        self.get(at).is_some_and(|word| word.kind == TokenKind::Operator && word.text == text)
    }

    /// Behind the bracket that closes what opens at `at`, or behind the token.
    pub(super) fn over(&self, at: usize) -> Option<usize> {
        let word = self.get(at)?;
        if word.kind == TokenKind::Operator && matches!(word.text, b"(" | b"[" | b"{") {
            return Some(self.row.close(at)? + 1);
        }
        Some(at + 1)
    }

    /// The shape of the expression in `start..end`.
    pub fn shape(&self, start: usize, end: usize) -> Shape {
        if start >= end || end - start > LONGEST {
            return UNKNOWN;
        }
        if self.is_mark(start, b"(") && self.row.close(start) == Some(end - 1) {
            let parts = self.parts(start, end - 1);
            return match parts[..] {
                [] => join(&[26]),
                [only] => only,
                _ => join(&parts),
            };
        }
        let syntax = self.row.view.syntax;
        let mut at = start;
        let mut operand = false;
        let mut arithmetic = None;
        while at < end {
            let Some(word) = self.get(at) else { return UNKNOWN };
            let binary = operand && word.kind == TokenKind::Operator && !word.marks.has(Marks::ANGLE);
            if binary {
                if syntax.comparisons.contains(&word.sym) || syntax.logic.contains(&word.sym) {
                    return TRUTH;
                }
                if word.text == b"?" && !syntax.postfix.contains(&word.sym) {
                    let colon = (at + 1..end).find(|&colon| self.is_mark(colon, b":"));
                    return colon.map_or(UNKNOWN, |colon| self.shape(at + 1, colon));
                }
                if matches!(word.text, b"->" | b"=>") {
                    return CLOSURE;
                }
                if matches!(word.text, b".." | b"..=") {
                    return join(&[word.sym]);
                }
                if matches!(
                    word.text,
                    b"+" | b"-" | b"*" | b"/" | b"%" | b"&" | b"|" | b"^" | b"<<" | b">>" | b">>>"
                ) && arithmetic.is_none()
                {
                    arithmetic = Some(at);
                }
            }
            if word.kind == TokenKind::Keyword && word.text == b"instanceof" {
                return TRUTH;
            }
            if word.kind == TokenKind::Keyword && word.text == b"as" {
                return self.type_at(at + 1, end);
            }
            operand = match word.kind {
                TokenKind::Operator => {
                    matches!(word.text, b"(" | b"[" | b"{") || (word.text == b"?" && operand)
                }
                TokenKind::Keyword => syntax.values.contains(&word.sym),
                _ => true,
            };
            let Some(next) = self.over(at) else { return UNKNOWN };
            at = next;
        }
        match arithmetic {
            Some(at) => {
                let left = self.shape(start, at);
                let right = self.shape(at + 1, end);
                if left == TEXT || right == TEXT {
                    TEXT
                } else if left == UNKNOWN || left == INTEGER {
                    right
                } else {
                    left
                }
            }
            None => self.primary(start, end),
        }
    }

    /// The shapes between two parentheses.
    pub(super) fn parts(&self, open: usize, close: usize) -> Vec<Shape> {
        let mut parts = Vec::new();
        let mut start = open + 1;
        let mut at = start;
        while at <= close {
            if at == close || self.is_mark(at, b",") {
                if start < at {
                    parts.push(self.shape(start, at));
                }
                start = at + 1;
                at += 1;
                continue;
            }
            match self.over(at) {
                Some(next) => at = next,
                None => break,
            }
        }
        parts
    }

    /// The shape of one operand with what stands before it.
    pub(super) fn primary(&self, start: usize, end: usize) -> Shape {
        let syntax = self.row.view.syntax;
        let Some(first) = self.get(start) else { return UNKNOWN };
        if first.kind == TokenKind::Operator {
            if first.text == b"!" {
                return TRUTH;
            }
            if matches!(first.text, b"|" | b"||") {
                return CLOSURE;
            }
            if first.text == b"-" {
                return self.shape(start + 1, end);
            }
            if first.text == b"(" && start + 1 < end {
                // `(Type) x`
                if let Some(close) = self.row.close(start)
                    && close + 1 < end
                    && close - start <= 6
                    && !self.is_mark(close + 1, b".")
                {
                    return self.type_at(start + 1, close);
                }
            }
            if matches!(first.text, b"&" | b"*" | b"&&") {
                let mutable = self.text(start + 1) == b"mut";
                let rest = self.shape(start + 1 + usize::from(mutable), end);
                return self.referred(first, mutable, rest);
            }
        }
        if first.kind == TokenKind::Keyword {
            if syntax.truths.contains(&first.sym) && end == start + 1 {
                return TRUTH;
            }
            if syntax.creates.contains(&first.sym) {
                return self.type_at(start + 1, end);
            }
            if matches!(first.text, b"move" | b"if" | b"match" | b"unsafe" | b"loop" | b"await" | b"async") {
                return UNKNOWN;
            }
        }
        self.chain(start, end)
    }

    pub(super) fn referred(&self, mark: Word, mutable: bool, rest: Shape) -> Shape {
        if mark.text == b"*" {
            return if rest == UNKNOWN { UNKNOWN } else { rest.wrapping_sub(operator("&")) };
        }
        let one = rest.wrapping_add(operator("&"));
        if mutable { one.wrapping_add(word("mut")) } else { one }
    }

    /// `a`, `a.b`, `f(x)`, `a.f(x).g`, `A::f(x)`, `a[i]`: the last link decides.
    pub(super) fn chain(&self, start: usize, end: usize) -> Shape {
        let Some(first) = self.get(start) else { return UNKNOWN };
        if end == start + 1 {
            return match first.kind {
                TokenKind::Number if first.text.contains(&b'.') => FLOAT,
                TokenKind::Number => INTEGER,
                TokenKind::String => TEXT,
                TokenKind::Char => CHARACTER,
                TokenKind::Keyword => first.sym,
                TokenKind::Identifier => self.named(first),
                _ => UNKNOWN,
            };
        }
        let Some(last) = end.checked_sub(1).and_then(|at| self.get(at)) else { return UNKNOWN };
        if last.kind == TokenKind::Identifier {
            let before = self.get(end - 2);
            let member = before.is_some_and(|dot| self.row.view.syntax.members.contains(&dot.sym));
            let path = before.is_some_and(|dot| self.row.view.syntax.paths.contains(&dot.sym));
            if member {
                let known = self.known(self.types.fields.get(&last.sym), last, 22);
                // `Kind.CONSTANT` is of the kind that is named.
                let constant = last.text.len() > 1 && !last.text.iter().any(u8::is_ascii_lowercase);
                let kind =
                    self.get(end - 3).filter(|head| head.text.first().is_some_and(u8::is_ascii_uppercase));
                return match kind {
                    Some(head) if constant && !self.types.fields.contains_key(&last.sym) => head.sym,
                    _ => known,
                };
            }
            // `Kind::Variant`, `Type::CONSTANT`: of the type that is named.
            return if path && end >= 3 {
                self.get(end - 3).map_or(UNKNOWN, |head| head.sym)
            } else {
                UNKNOWN
            };
        }
        if last.text == b")" {
            return self.called(end - 1);
        }
        if last.text == b"}" && first.kind == TokenKind::Identifier {
            return first.sym;
        }
        if last.text == b"?" {
            let inner = self.shape(start, end - 1);
            return if inner == UNKNOWN { UNKNOWN } else { join(&[inner, 24]) };
        }
        if last.text == b"]"
            && let Some(open) = self.row.open(end - 1)
            && open > start
        {
            let inner = self.shape(start, open);
            return if inner == UNKNOWN { UNKNOWN } else { join(&[inner, 25]) };
        }
        UNKNOWN
    }

    pub(super) fn called(&self, close: usize) -> Shape {
        let name = self
            .row
            .open(close)
            .and_then(|open| open.checked_sub(1))
            .and_then(|at| Some((at, self.get(at)?)));
        let Some((at, name)) = name else { return UNKNOWN };
        if self.row.view.syntax.macros == Some(name.sym) {
            return self.get(at - 1).map_or(UNKNOWN, |name| join(&[name.sym, 9]));
        }
        if name.kind != TokenKind::Identifier {
            return UNKNOWN;
        }
        let path =
            at > 1 && self.get(at - 1).is_some_and(|dot| self.row.view.syntax.paths.contains(&dot.sym));
        let upper = name.text.first().is_some_and(u8::is_ascii_uppercase);
        if upper && !path {
            return name.sym; // a constructor, Some(x), Ok(x)
        }
        let declared = self.types.returns.get(&name.sym).is_some_and(|shape| *shape != AMBIGUOUS);
        // `Type::new(…)` mostly makes one.
        if !declared
            && path
            && upper | matches!(name.text, b"new" | b"default" | b"with_capacity" | b"from" | b"empty")
        {
            return self.get(at - 2).map_or(UNKNOWN, |head| head.sym);
        }
        self.known(self.types.returns.get(&name.sym), name, 23)
    }

    pub(super) fn known(&self, shape: Option<&Shape>, name: Word, kind: u64) -> Shape {
        match shape {
            Some(&shape) if shape != AMBIGUOUS => shape,
            _ if self.types.truths.contains(&name.sym) => TRUTH,
            _ => self.own(name, kind),
        }
    }

    /// Of what nothing is known, the name is all there is: where types matter, it stands only for itself.
    pub(super) fn own(&self, name: Word, kind: u64) -> Shape {
        if self.row.view.syntax.truth_type.is_some() { join(&[name.sym, kind]) } else { UNKNOWN }
    }

    pub(super) fn named(&self, name: Word) -> Shape {
        let view = self.row.view;
        let function = view.structure.function.get(self.here).copied().unwrap_or(0);
        let local = self.types.variables.get(&(scope(self.file, function), name.sym));
        if let Some(&shape) = local.filter(|shape| **shape != AMBIGUOUS) {
            return shape;
        }
        if local.is_none()
            && let Some(&shape) = self.types.variables.get(&(scope(self.file, 0), name.sym))
            && shape != AMBIGUOUS
        {
            return shape;
        }
        if self.types.truths.contains(&name.sym) { TRUTH } else { self.own(name, 21) }
    }

    /// The type whose name begins at `at`: `&mut a::b::Type<T>[]`.
    pub fn type_at(&self, at: usize, end: usize) -> Shape {
        let syntax = self.row.view.syntax;
        let mut shape = 0u64;
        let mut at = at;
        while at < end {
            let Some(word_) = self.get(at) else { break };
            if word_.text == b"&" {
                shape = shape.wrapping_add(operator("&"));
            } else if word_.text == b"mut" {
                shape = shape.wrapping_add(word("mut"));
            } else if !(syntax.modifiers.contains(&word_.sym)
                || word_.kind == TokenKind::Label
                || word_.text == b"dyn"
                || word_.text == b"impl")
            {
                break;
            }
            at += 1;
        }
        let Some(mut head) = self.get(at) else { return UNKNOWN };
        if head.kind == TokenKind::Operator {
            return shape.wrapping_add(head.sym);
        }
        while at + 2 < end && (self.is_mark(at + 1, b".") || self.is_mark(at + 1, b"::")) {
            at += 2;
            match self.get(at) {
                Some(next) if next.kind == TokenKind::Identifier => head = next,
                _ => break,
            }
        }
        let dims =
            (at + 1..end).filter(|&place| self.is_mark(place, b"[") && self.is_mark(place + 1, b"]")).count();
        let own = if syntax.truth_type == Some(head.sym) { TRUTH } else { head.sym };
        shape.wrapping_add(own).wrapping_add((dims as u64).wrapping_mul(operator("[")))
    }
}

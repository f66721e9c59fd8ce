//! Types as far as they are written down: what a name was declared with, what a function returns, what kind
//! of value stands where.
//!
//! A *shape* is what can be told of an expression's type without a parser: a declared type, the kind of a
//! literal, a truth value, or that nothing is known. A *slot* is a place for an expression: an argument, what
//! is returned, what is assigned. The target shows which shapes stand in which slots.

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

use crate::lex::TokenKind;

use super::facts::Word;
use super::facts::join;
use super::facts::scope;
use super::facts::scope_of;
use super::mutated::Mutated;
use super::source::Sym;
use super::structure::Marks;
use super::structure::NONE;
use super::structure::operator;
use super::structure::word;

/// What is known of an expression's type.
pub type Shape = u64;

pub const UNKNOWN: Shape = 0;
const INTEGER: Shape = 1;
const FLOAT: Shape = 2;
const TEXT: Shape = 3;
const CHARACTER: Shape = 4;
pub const TRUTH: Shape = 5;
const CLOSURE: Shape = 7;
/// Two declarations disagree.
const AMBIGUOUS: Shape = u64::MAX;

/// Longest slot that is looked at, in tokens.
const LONGEST: usize = 60;

/// Types and slots of a target.
#[derive(Default)]
pub struct Types {
    /// Declared variables: (file and function, name).
    pub variables: FxHashMap<(u64, Sym), Shape>,
    /// Fields and other names outside functions, wherever they are declared.
    pub fields: FxHashMap<Sym, Shape>,
    /// What functions return.
    pub returns: FxHashMap<Sym, Shape>,
    /// Slots and the shapes that stand in them.
    pub slots: FxHashSet<u64>,
    /// Names that are used as truth values.
    pub truths: FxHashSet<Sym>,
}

impl Types {
    pub fn absorb(&mut self, other: Self) {
        for (key, shape) in other.variables {
            agree(self.variables.entry(key).or_insert(shape), shape);
        }
        for (name, shape) in other.fields {
            agree(self.fields.entry(name).or_insert(shape), shape);
        }
        for (name, shape) in other.returns {
            agree(self.returns.entry(name).or_insert(shape), shape);
        }
        self.slots.extend(other.slots);
        self.truths.extend(other.truths);
    }
}

fn agree(known: &mut Shape, shape: Shape) {
    if *known != shape {
        *known = AMBIGUOUS;
    }
}

/// Reads types off a row of tokens.
#[derive(Clone, Copy)]
pub struct Typist<'a> {
    pub row: Mutated<'a>,
    pub types: &'a Types,
    pub file: usize,
    /// A token of the file in whose function names are looked up.
    pub here: usize,
}

/// A place for an expression: the tokens between `left` and `right`, both excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub left: usize,
    pub right: usize,
    /// What kind of place it is; equal ones take equal shapes.
    pub context: u64,
}

impl Typist<'_> {
    fn get(&self, at: usize) -> Option<Word<'_>> {
        self.row.get(at)
    }

    fn text(&self, at: usize) -> &[u8] {
        self.get(at).map_or(b"", |word| word.text)
    }

    fn is_mark(&self, at: usize, text: &[u8]) -> bool {
        self.get(at).is_some_and(|word| word.kind == TokenKind::Operator && word.text == text)
    }

    /// Behind the bracket that closes what opens at `at`, or behind the token.
    fn over(&self, at: usize) -> Option<usize> {
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
    fn parts(&self, open: usize, close: usize) -> Vec<Shape> {
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

    /// The shape of one operand with what stands before it.
    fn primary(&self, start: usize, end: usize) -> Shape {
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
            if first.text == b"new" {
                return self.type_at(start + 1, end);
            }
            if matches!(first.text, b"move" | b"if" | b"match" | b"unsafe" | b"loop" | b"await" | b"async") {
                return UNKNOWN;
            }
        }
        self.chain(start, end)
    }

    fn referred(&self, mark: Word, mutable: bool, rest: Shape) -> Shape {
        if mark.text == b"*" {
            return if rest == UNKNOWN { UNKNOWN } else { rest.wrapping_sub(operator("&")) };
        }
        let one = rest.wrapping_add(operator("&"));
        if mutable { one.wrapping_add(word("mut")) } else { one }
    }

    /// `a`, `a.b`, `f(x)`, `a.f(x).g`, `A::f(x)`, `a[i]`: the last link decides.
    fn chain(&self, start: usize, end: usize) -> Shape {
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

    fn called(&self, close: usize) -> Shape {
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

    fn known(&self, shape: Option<&Shape>, name: Word, kind: u64) -> Shape {
        match shape {
            Some(&shape) if shape != AMBIGUOUS => shape,
            _ if self.types.truths.contains(&name.sym) => TRUTH,
            _ => self.own(name, kind),
        }
    }

    /// Of what nothing is known, the name is all there is: where types matter, it stands only for itself.
    fn own(&self, name: Word, kind: u64) -> Shape {
        if self.row.view.syntax.truth_type.is_some() { join(&[name.sym, kind]) } else { UNKNOWN }
    }

    fn named(&self, name: Word) -> Shape {
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
        shape.wrapping_add(own).wrapping_add(dims as u64 * operator("["))
    }

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

    /// The slot that a token is in; none in what is no expression, or for a token that ends one.
    fn slot(&self, at: usize) -> Option<Slot> {
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

    fn is_value_brace(&self, close: usize) -> bool {
        self.row.old(close).is_some_and(|old| {
            let mate = self.row.view.structure.mate[old];
            mate != NONE && self.row.view.structure.marks[mate as usize].has(Marks::LITERAL)
        })
    }

    fn begins_slot(&self, at: usize) -> bool {
        let Some(word) = self.get(at) else { return true };
        match word.kind {
            TokenKind::Operator => {
                matches!(word.text, b"(" | b"[" | b"{" | b"," | b";" | b"=>" | b"->")
                    || (word.text == b"}" && !self.is_value_brace(at))
                    || self.row.view.syntax.assignments.contains(&word.sym)
            }
            TokenKind::Keyword => matches!(
                word.text,
                b"return" | b"if" | b"while" | b"match" | b"in" | b"let" | b"else" | b"throw" | b"case"
            ),
            kind => kind.is_layout(),
        }
    }

    fn ends_slot(&self, at: usize) -> bool {
        let Some(word) = self.get(at) else { return true };
        match word.kind {
            TokenKind::Operator => {
                matches!(word.text, b")" | b"]" | b"}" | b"," | b";" | b"=>")
                    || self.row.view.syntax.assignments.contains(&word.sym)
            }
            kind => kind.is_layout(),
        }
    }

    fn slot_end(&self, start: usize) -> Option<usize> {
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

    fn opens_value(&self, at: usize) -> bool {
        self.row.old(at).is_some_and(|old| self.row.view.structure.marks[old].has(Marks::LITERAL))
    }

    /// What kind of place is between two tokens.
    fn context(&self, left: usize, right: usize) -> Option<u64> {
        let word_ = self.get(left)?;
        let syntax = self.row.view.syntax;
        match word_.kind {
            TokenKind::Keyword if word_.text == b"return" => Some(join(&[1, self.returned()])),
            TokenKind::Keyword if syntax.conditions.contains(&word_.sym) => Some(2),
            TokenKind::Keyword if word_.text == b"throw" => Some(3),
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

    fn enclosing_block(&self, at: usize) -> u64 {
        let function = self.row.old(at).map_or(0, |old| self.row.view.structure.open[old]);
        scope(self.file, function)
    }

    fn closes_function(&self, close: usize) -> bool {
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
    fn chain_start(&self, last: usize) -> usize {
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

    /// What the function at hand returns, as one number; its own where that is not written.
    fn returned(&self) -> u64 {
        let view = self.row.view;
        let Some(function) = view.structure.function_of(self.here) else { return 0 };
        let (from, to) = function.returns;
        if from == to {
            return scope(self.file, function.body);
        }
        join(&view.file.syms[from as usize..to as usize])
    }

    /// Which argument of what.
    fn argument(&self, left: usize) -> Option<u64> {
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
}

/// What a file declares: variables, fields, functions.
pub fn learn_declarations(types: &mut Types, typist: &Typist) {
    let view = typist.row.view;
    let syntax = view.syntax;
    for function in &view.structure.functions {
        let (from, to) = function.returns;
        if function.name != NONE && from < to {
            let shape = typist.type_at(from as usize, to as usize);
            let name = view.file.syms[function.name as usize];
            agree(types.returns.entry(name).or_insert(shape), shape);
        }
    }
    for index in 1..view.file.tokens.len().saturating_sub(1) {
        if view.file.tokens[index].kind != TokenKind::Identifier {
            continue;
        }
        let shape = match syntax.annotates {
            Some(mark) => annotated(typist, index, mark),
            None => typed_before(typist, index),
        };
        let Some(shape) = shape else { continue };
        let name = view.file.syms[index];
        let function = scope_of(view, index);
        agree(types.variables.entry((scope(typist.file, function), name)).or_insert(shape), shape);
        if function == 0 {
            agree(types.fields.entry(name).or_insert(shape), shape);
        }
    }
}

/// `name: Type` in a head, a declaration or outside functions.
fn annotated(typist: &Typist, index: usize, mark: Sym) -> Option<Shape> {
    let view = typist.row.view;
    let marks = view.structure.marks[index];
    let declares = view.structure.function[index] == 0 || marks.has(Marks::DECLARATION.with(Marks::HEAD));
    if view.file.syms[index + 1] != mark || !declares || marks.has(Marks::LITERAL) {
        return None;
    }
    let end = (index + 2..(index + 40).min(view.file.tokens.len()))
        .find(|&at| matches!(view.file.token(at), b"," | b";" | b"=" | b")" | b"}" | b"{"))?;
    Some(typist.type_at(index + 2, end)).filter(|shape| *shape != UNKNOWN)
}

/// `Type name` followed by what may follow a declared name.
fn typed_before(typist: &Typist, index: usize) -> Option<Shape> {
    let view = typist.row.view;
    if !matches!(view.file.token(index + 1), b"=" | b";" | b"," | b")" | b":" | b"[") {
        return None;
    }
    let mut at = index - 1;
    let mut dims = 0u64;
    loop {
        let text = view.file.token(at);
        if text == b"]" || text == b"..." {
            dims += 1;
            at = at.checked_sub(if text == b"]" { 2 } else { 1 })?;
        } else if view.structure.marks[at].has(Marks::ANGLE) && text != b"<" {
            let mut depth = text.len() as i32;
            while depth > 0 {
                at = at.checked_sub(1)?;
                if view.structure.marks[at].has(Marks::ANGLE) {
                    let text = view.file.token(at);
                    depth -= if text == b"<" { 1 } else { -(text.len() as i32) };
                }
            }
            at = at.checked_sub(1)?;
        } else {
            break;
        }
    }
    let head = view.file.tokens[at].kind;
    let sym = view.file.syms[at];
    let type_word = head == TokenKind::Keyword && view.syntax.types.contains(&sym);
    if head != TokenKind::Identifier && !type_word {
        return None;
    }
    let own = if view.syntax.truth_type == Some(sym) { TRUTH } else { sym };
    Some(own.wrapping_add(dims * operator("[")))
}

/// Names that are used as truth values: whole conditions, operands of logic, negated.
pub fn learn_truths(types: &mut Types, typist: &Typist) {
    let view = typist.row.view;
    let syntax = view.syntax;
    let not = operator("!");
    for index in 1..view.file.tokens.len() {
        if view.file.tokens[index].kind != TokenKind::Identifier {
            continue;
        }
        let start = typist.chain_start(index);
        let Some(before) = start.checked_sub(1).map(|at| view.file.syms[at]) else { continue };
        let called =
            view.file.tokens.get(index + 1).is_some_and(|token| token.span.of(&view.file.text) == b"(");
        let end = if called {
            view.structure.mate.get(index + 1).map_or(index, |mate| *mate as usize)
        } else {
            index
        };
        let Some(&after) = view.file.syms.get(end.wrapping_add(1)) else { continue };
        let closes = after == operator(")")
            || after == operator("{")
            || after == operator(";")
            || syntax.logic.contains(&after);
        let condition =
            before == operator("(") && start > 1 && syntax.conditions.contains(&view.file.syms[start - 2])
                || syntax.conditions.contains(&before);
        let alone = before == not || syntax.logic.contains(&before) || condition;
        if alone && closes && !(before == not && syntax.macros == Some(not) && is_macro(view, start)) {
            types.truths.insert(view.file.syms[index]);
        }
    }
}

fn is_macro(view: super::index::View, start: usize) -> bool {
    start > 1 && view.file.tokens[start - 2].kind == TokenKind::Identifier
}

/// Names that are declared with a value instead of a type: `let x = 1;`.
pub fn learn_inferred(types: &mut Types, typist: &Typist) {
    let view = typist.row.view;
    let assign = operator("=");
    for at in 1..view.file.tokens.len() {
        let declares = view.file.syms[at] == assign && view.structure.marks[at].has(Marks::DECLARATION);
        if !declares || view.file.tokens[at - 1].kind != TokenKind::Identifier {
            continue;
        }
        let key = (scope(typist.file, view.structure.function[at]), view.file.syms[at - 1]);
        if typist.types.variables.contains_key(&key) {
            continue;
        }
        let typist = Typist { here: at, ..*typist };
        if let Some(end) = typist.slot_end(at + 1) {
            let shape = typist.shape(at + 1, end);
            agree(types.variables.entry(key).or_insert(shape), shape);
        }
    }
}

/// Which shapes stand in which slots.
pub fn learn_slots(types: &mut Types, typist: &Typist) {
    for at in 0..typist.row.view.file.tokens.len() {
        let typist = Typist { here: at, ..*typist };
        if typist.begins_slot(at)
            && let Some(right) = typist.slot_end(at + 1)
            && right > at + 1
            && let Some(context) = typist.context(at, right)
        {
            types.slots.insert(typist.filling(Slot { left: at, right, context }));
        }
        if typist.begins_slot(at)
            && let Some(right) = typist.slot_end(at + 1)
            && right > at + 3
        {
            types.slots.extend(typist.pairs(at + 1, right));
        }
    }
}

//! What a file teaches about types: declarations, truth values, and which shapes stand where.

use super::super::facts::scope;
use super::super::facts::scope_of;
use super::super::source::Sym;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::super::syntax::operator;
use super::slot::Slot;
use super::table::Shape;
use super::table::TRUTH;
use super::table::Types;
use super::table::Typist;
use super::table::UNKNOWN;
use super::table::agree;
use crate::lex::TokenKind;

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
        if syntax.shares_names && is_pointer(view, index) {
            types.pointers.insert((scope(typist.file, scope_of(view, index)), view.file.syms[index]));
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

/// `Type *name`, `Type name[]`, in a head or a declaration.
fn is_pointer(view: super::super::index::View, index: usize) -> bool {
    let declares = view.structure.marks[index].has(Marks::DECLARATION.with(Marks::HEAD));
    declares && (view.file.token(index - 1) == b"*" || view.file.token(index + 1) == b"[")
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

fn is_macro(view: super::super::index::View, start: usize) -> bool {
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

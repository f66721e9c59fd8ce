//! Edits that change nothing: the mutant behaves like the original.

use super::super::facts::scope;
use super::super::structure::NONE;
use super::judge::Judge;
use crate::lex::TokenKind;

/// Calls that give the same whichever argument comes first.
const COMMUTATIVE: [&[u8]; 6] = [b"max", b"min", b"Max", b"Min", b"MAX", b"MIN"];

impl Judge<'_> {
    /// Whether the edit is one of the shapes that change nothing.
    pub(super) fn changes_nothing(&self) -> bool {
        let old: Vec<&[u8]> = (self.mutated.edit.from..self.mutated.edit.to)
            .map(|at| self.mutated.view.file.token(at as usize))
            .collect();
        let new: Vec<&[u8]> = self.news().map(|(_, word)| word.text).collect();
        self.drops_parentheses(&old, &new)
            || self.drops_parentheses(&new, &old)
            || self.returns_at_the_end(&old, &new)
            || self.names_a_field_twice(&old, &new)
            || same_number(&old, &new)
            || self.swaps_equals(&old, &new)
            || self.says_this(&old, &new)
            || self.drops_text(&old, &new)
            || drops_assertion(&old, &new)
            || self.drops_pointer_cast(&old, &new)
            || self.drops_last_comma(&old, &new)
    }

    fn before(&self) -> &[u8] {
        let from = self.mutated.edit.from as usize;
        from.checked_sub(1).map_or(&b""[..], |at| self.mutated.view.file.token(at))
    }

    fn after(&self) -> &[u8] {
        let to = self.mutated.edit.to as usize;
        if to < self.mutated.view.file.tokens.len() { self.mutated.view.file.token(to) } else { b"" }
    }

    /// `(x)` for `x`, where no call and no cast is meant.
    fn drops_parentheses(&self, with: &[&[u8]], without: &[&[u8]]) -> bool {
        let [b"(", inside @ .., b")"] = with else { return false };
        let plain =
            matches!(self.before(), b"=" | b"(" | b"," | b"+" | b"-" | b"*" | b"&&" | b"||" | b"return");
        let ends = matches!(self.after(), b";" | b"," | b")" | b"+" | b"-" | b"&&" | b"||" | b"==" | b"!=");
        inside == without && inside.len() == 1 && plain && ends
    }

    /// A `return` that comes or goes where the function ends anyway.
    fn returns_at_the_end(&self, old: &[&[u8]], new: &[&[u8]]) -> bool {
        let view = self.mutated.view;
        let returning = |text: &[u8]| text == b"return";
        let Some(function) = view.structure.function_of(self.mutated.start()) else { return false };
        let close = view.structure.mate[function.body as usize];
        // `return;` before the last bracket of the body.
        let bare = |side: &[&[u8]]| matches!(side, [word] | [word, b";"] if returning(word));
        let to = self.mutated.edit.to;
        if (bare(old) && new.is_empty() || bare(new) && old.is_empty()) && close != NONE && to == close {
            return true;
        }
        // `return x` for the value at the end of a body, where bodies have values.
        let valued = view.syntax.returns.is_some() && view.syntax.truth_type.is_some();
        let inserts = matches!(new, [word] if returning(word)) && old.is_empty();
        valued && inserts && self.is_last_value(close)
    }

    /// Whether nothing but one expression without an end stands between the edit and the end of the function.
    fn is_last_value(&self, close: u32) -> bool {
        let view = self.mutated.view;
        let from = self.mutated.edit.from as usize;
        let starts = matches!(self.before(), b";" | b"{" | b"}");
        close != NONE
            && starts
            && (from..close as usize).all(|at| {
                let outer = view.structure.open[at] == view.structure.open[from];
                !(outer && view.syntax.ends.contains(&view.file.syms[at]))
            })
    }

    /// `x: x` for `x` in a value with fields.
    fn names_a_field_twice(&self, old: &[&[u8]], new: &[&[u8]]) -> bool {
        let twice = |long: &[&[u8]], short: &[&[u8]]| match (long, short) {
            ([name, b":"] | [b":", name], []) => self.after() == *name || self.before() == *name,
            _ => false,
        };
        let fields = matches!(self.before(), b"{" | b",") || matches!(self.after(), b"}" | b",");
        fields && (twice(old, new) || twice(new, old))
    }

    /// `max(b, a)` for `max(a, b)`.
    fn swaps_equals(&self, old: &[&[u8]], new: &[&[u8]]) -> bool {
        let swapped = matches!((old, new), ([a, b",", b], [c, b",", d]) if a == d && b == c);
        let from = self.mutated.edit.from as usize;
        let name = from.checked_sub(2).map(|at| self.mutated.view.file.token(at));
        let called = self.before() == b"(" && self.after() == b")";
        swapped && called && name.is_some_and(|name| COMMUTATIVE.contains(&name))
    }

    /// `this.x` for `x`, where no variable of the function has that name.
    fn says_this(&self, old: &[&[u8]], new: &[&[u8]]) -> bool {
        let says =
            |long: &[&[u8]], short: &[&[u8]]| matches!(long, [b"this", b"." | b"->"]) && short.is_empty();
        let to = self.mutated.edit.to as usize;
        let Some(name) = self.mutated.view.file.syms.get(to) else { return false };
        let variable = (scope(self.file, self.function()), *name);
        // Where a field must be named with what it is of, the name alone is another thing or none.
        let implied = self.mutated.view.syntax.shares_names || !self.mutated.view.syntax.soft;
        implied && (says(old, new) || says(new, old)) && !self.facts.types.variables.contains_key(&variable)
    }

    /// `(const char *) data` for `data` as a whole argument or value, where pointers are converted anyway.
    fn drops_pointer_cast(&self, old: &[&[u8]], new: &[&[u8]]) -> bool {
        let view = self.mutated.view;
        let cast = matches!(old, [b"(", .., b"*", b")"]) && new.is_empty() && view.syntax.shares_names;
        let starts = matches!(self.before(), b"=" | b"(" | b"," | b"return");
        if !cast || !starts {
            return false;
        }
        let mut at = self.mutated.edit.to as usize;
        while let Some(token) = view.file.tokens.get(at) {
            let mate = view.structure.mate[at];
            at = match view.file.token(at) {
                b"," | b")" | b";" => return true,
                b"(" | b"[" if mate != NONE => mate as usize + 1,
                b"." | b"->" => at + 1,
                _ if token.kind == TokenKind::Identifier => at + 1,
                _ => return false,
            };
        }
        false
    }

    /// The comma behind the last part of a list, a value or a call; `(x,)` by itself is another thing than `(x)`.
    fn drops_last_comma(&self, old: &[&[u8]], new: &[&[u8]]) -> bool {
        if !matches!(old, [b","]) || !new.is_empty() {
            return false;
        }
        let view = self.mutated.view;
        let open = view.structure.mate.get(self.mutated.edit.to as usize).filter(|open| **open != NONE);
        let caller = open.and_then(|open| open.checked_sub(1)).map(|at| &view.file.tokens[at as usize]);
        match self.after() {
            b"]" | b"}" => true,
            b")" => caller.is_some_and(|token| {
                token.kind == TokenKind::Identifier || token.span.of(&view.file.text) == b"!"
            }),
            _ => false,
        }
    }

    /// A text by itself, which is documentation, or an end of a statement by itself.
    fn drops_text(&self, old: &[&[u8]], new: &[&[u8]]) -> bool {
        let from = self.mutated.edit.from as usize;
        let layout = |at: Option<usize>| {
            at.and_then(|at| self.mutated.view.file.tokens.get(at)).is_none_or(|token| token.kind.is_layout())
        };
        let text = old.len() == 1 && self.mutated.view.file.tokens[from].kind == TokenKind::String;
        let alone = layout(from.checked_sub(1)) && layout(Some(self.mutated.edit.to as usize));
        let end = matches!((old, self.before()), ([b";"], b";" | b"{" | b"}"));
        new.is_empty() && (text && alone || end)
    }
}

/// An assertion that builds for users leave out is gone: as long as it holds, nobody notices.
fn drops_assertion(old: &[&[u8]], new: &[&[u8]]) -> bool {
    let [first, second, ..] = old else { return false };
    let checked = [&b"debug_assert"[..], b"static_assert"].iter().any(|name| first.starts_with(name));
    // `assert!` stays in what users get.
    new.is_empty() && (checked || (*first == b"assert" && *second != b"!"))
}

/// A number that is written in another way: `0_usize`, `0`, `0L`.
fn same_number(old: &[&[u8]], new: &[&[u8]]) -> bool {
    let ([old], [new]) = (old, new) else { return false };
    let value = |text: &[u8]| {
        let digits: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'_').collect();
        let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
        let suffix = std::str::from_utf8(&digits[end..]).unwrap_or("?").to_ascii_lowercase();
        let known =
            ["", "l", "u", "ul", "usize", "isize", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"];
        (end > 0 && known.contains(&suffix.as_str())).then(|| digits[..end].to_vec())
    };
    value(old).is_some() && value(old) == value(new)
}

//! Rules about whole statements and declarations, targets of assignments, and places of keywords.

use super::super::source::Sym;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::judge::Judge;
use crate::lex::TokenKind;

impl<'a> Judge<'a> {
    /// Statement ends come and go only with whole statements, and an expression that is a statement does
    /// something.
    pub(super) fn breaks_statements(&self) -> bool {
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
        self.is_idle() || self.is_trailing()
    }

    /// A comma before a closing bracket comes or goes: nothing changes.
    fn is_trailing(&self) -> bool {
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        let comma = match (edit.to - edit.from, &edit.new[..]) {
            (1, []) => view.file.token(edit.from as usize) == b",",
            (0, [_]) => self.mutated.get(self.mutated.start()).is_some_and(|word_| word_.text == b","),
            _ => false,
        };
        comma
            && self
                .mutated
                .get(self.mutated.end())
                .is_some_and(|word_| matches!(word_.text, b")" | b"]" | b"}"))
    }

    /// Whether what goes or comes has brackets without their mates.
    pub(super) fn tears_brackets(&self) -> bool {
        let edit = self.mutated.edit;
        let view = self.mutated.view;
        let step = |depth: i32, text: &[u8]| match text {
            b"(" | b"[" | b"{" => Some(depth + 1),
            b")" | b"]" | b"}" => Some(depth - 1).filter(|depth| *depth >= 0),
            _ => Some(depth),
        };
        let old = (edit.from..edit.to).try_fold(0, |depth, at| step(depth, view.file.token(at as usize)));
        let new = self.news().try_fold(0, |depth, (_, word_)| step(depth, word_.text));
        old != Some(0) || new != Some(0)
    }

    /// Whether whole statements are put in or taken out.
    pub(super) fn is_whole(&self) -> bool {
        let view = self.mutated.view;
        let edit = self.mutated.edit;
        let marks = &view.structure.marks;
        let ends = |word_: &[u8]| word_ == b";" || word_ == b"}";
        let (from, to) = (edit.from as usize, edit.to as usize);
        let ended = |at: usize| at.checked_sub(1).is_none_or(|at| ends(view.file.token(at)));
        if edit.new.is_empty() {
            // What `if (x)` or `else` leads cannot go alone.
            let free = from.checked_sub(1).map(|before| &view.file.tokens[before]).is_none_or(|before| {
                before.directive
                    || before.kind.is_layout()
                    || matches!(before.span.of(&view.file.text), b";" | b"{" | b"}" | b":" | b"]")
            });
            return marks[from].has(Marks::START) && ended(to) && free;
        }
        let last = self.mutated.get(self.mutated.end() - 1);
        let starts = marks.get(from).is_some_and(|mark| mark.has(Marks::START));
        let fresh = starts || ended(from);
        fresh && last.is_some_and(|word_| ends(word_.text)) && (from == to || ended(to))
    }

    /// `f() - 1;`, `x;`
    pub(super) fn is_idle(&self) -> bool {
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
    pub(super) fn breaks_declarations(&self) -> bool {
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

    pub(super) fn breaks_targets(&self) -> bool {
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
                // `self.0 += 1`: a field may be known by its number.
                TokenKind::Number => !self.is_member(at - 1),
                _ => true,
            }
        })
    }

    /// Whether a token names a part of what stands before it.
    fn is_member(&self, at: usize) -> bool {
        let dot = at.checked_sub(1).and_then(|before| self.mutated.get(before));
        dot.is_some_and(|dot| self.mutated.view.syntax.members.contains(&dot.sym))
    }

    /// `a == b = c`, `a + b = c`: what stands before the name takes it away from the assignment.
    pub(super) fn is_compared(&self, at: usize) -> bool {
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
    pub(super) fn is_pointed(&self, close: usize) -> bool {
        self.mutated.open(close).is_some_and(|open| {
            self.mutated.get(open + 1).is_some_and(|word| word.text == b"*")
                && open.checked_sub(1).and_then(|at| self.mutated.get(at)).is_none_or(|word| {
                    word.kind == TokenKind::Operator && word.text != b")" && word.text != b"]"
                })
        })
    }

    pub(super) fn in_declaration(&self, at: usize) -> bool {
        self.mutated.old(at).is_some_and(|old| {
            let marks = Marks::DECLARATION.with(Marks::HEAD).with(Marks::LITERAL).with(Marks::ATTRIBUTE);
            self.mutated.view.structure.marks[old].has(marks)
        })
    }

    pub(super) fn breaks_homes(&self) -> bool {
        let syntax = self.mutated.view.syntax;
        if self.changes_case() {
            return true;
        }
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
            let lost = self.mutated.edit.new.is_empty();
            let after = self.mutated.get(at);
            let before = at.checked_sub(1).and_then(|before| self.mutated.get(before));
            let is_else =
                after.is_some_and(|word_| syntax.is_otherwise(word_.sym) && word_.kind == TokenKind::Keyword);
            let conditional = || {
                let close = at.checked_sub(1)?;
                let old = self.mutated.old(self.mutated.open(close)?)?;
                let lead = self.mutated.view.structure.lead(old as u32)?;
                Some(syntax.conditions.contains(&lead) && !syntax.loops.contains(&lead))
            };
            is_else
                && match before.map_or(&b""[..], |before| before.text) {
                    b"}" => conditional() != Some(true),
                    // Between the two stood what the `else` belongs to.
                    b";" => self.mutated.old(at).is_none() || (self.mutated.end() == at && lost),
                    _ => true,
                }
        })
    }

    /// Whether the edit is about which case it is: two must not be the same.
    fn changes_case(&self) -> bool {
        let syntax = self.mutated.view.syntax;
        let start = self.mutated.start();
        let case = (start.saturating_sub(3)..start).rev().find_map(|at| {
            let word_ = self.mutated.get(at)?;
            let stop = matches!(word_.text, b":" | b";" | b"{" | b"}" | b"->");
            (stop || syntax.cases.contains(&word_.sym)).then_some(!stop)
        });
        case == Some(true) && !self.mutated.edit.new.is_empty()
    }

    /// Whether a block around the edit, up to the function, is led by such a keyword.
    pub(super) fn led_by(&self, wanted: impl Fn(Sym) -> bool) -> bool {
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
}

//! Where statements begin and end.

use super::super::source::SourceFile;
use super::super::syntax::Syntax;
use super::scan::Scan;
use super::whole::Marks;
use super::whole::NONE;
use super::whole::Structure;
use crate::lex::TokenKind;

impl Scan<'_> {
    /// Marks the first tokens of statements, imports and declarations.
    pub(super) fn mark_statements(&mut self) {
        for index in 0..self.file.tokens.len() {
            if !self.begins_statement(index) {
                continue;
            }
            self.out.marks[index].set(Marks::START);
            if self.syntax.imports.contains(&self.sym(index)) {
                let end = self.statement_end(index);
                self.mark(index..end, Marks::IMPORT);
            }
            if let Some(end) = self.erased_end(index) {
                self.mark(index..end, Marks::IMPORT);
            }
            if self.out.function[index] != 0 && self.is_declaration(index) {
                self.mark_declaration(index);
            }
            if self.out.function[index] == 0 {
                self.mark_initialiser(index);
            }
        }
        self.mark_patterns();
        for index in 0..self.file.tokens.len() {
            let inside = index > 1 && self.is(index - 1, "(") && self.out.function[index] != 0;
            if inside && self.syntax.leads.contains(&self.sym(index - 2)) && self.is_declaration(index) {
                self.mark_declaration(index);
            }
        }
    }

    /// The end of a statement of which nothing is left at run time: `export type A = …;`, `interface B { … }`.
    fn erased_end(&self, start: usize) -> Option<usize> {
        let modifier = |at: &usize| self.syntax.modifiers.contains(&self.sym(*at));
        let word = start + (start..self.file.tokens.len()).take_while(modifier).count();
        let last = (start..=word)
            .rev()
            .find(|&at| at < self.file.tokens.len() && self.syntax.erased.contains(&self.sym(at)))?;
        if self.kind(last + 1).is_none_or(|kind| kind == TokenKind::Operator) {
            return None;
        }
        let mut at = last + 1;
        while at < self.file.tokens.len() && !self.is(at, ";") && !self.is(at, "}") {
            let mate = self.mate(at).filter(|mate| *mate > at);
            at = mate.map_or(at, |mate| mate) + 1;
            let on = at < self.file.tokens.len() && (self.is_continuation(at) || self.is(at, "{"));
            if at > last + 2 && !on && self.line_ends_before(at) && !self.is(at - 1, "=") {
                return Some(at);
            }
        }
        Some(at)
    }

    pub(super) fn begins_statement(&self, index: usize) -> bool {
        let token = &self.file.tokens[index];
        if token.kind.is_layout() || token.directive || self.in_parentheses(index) {
            return false;
        }
        if token.kind == TokenKind::Operator && ["{", "}", ";", ")"].iter().any(|mark| self.is(index, mark)) {
            return false;
        }
        let Some(before) = index.checked_sub(1) else { return true };
        let previous = &self.file.tokens[before];
        if previous.directive || previous.kind.is_layout() {
            return true;
        }
        let marks = self.out.marks[before];
        if self.syntax.ends.contains(&self.sym(before))
            || (self.is(before, "}") && !marks.has(Marks::LITERAL))
        {
            return !self.is_continuation(index);
        }
        if self.is(before, "{") {
            return !marks.has(Marks::LITERAL);
        }
        if marks.has(Marks::ATTRIBUTE) && !self.out.marks[index].has(Marks::ATTRIBUTE) {
            return true;
        }
        if previous.kind == TokenKind::Keyword && self.syntax.before_statements.contains(&self.sym(before)) {
            return true;
        }
        if self.is(before, ")") && self.mate(before).is_some_and(|open| self.is_control(open)) {
            return true;
        }
        if self.is(before, ":") && self.ends_label(before) {
            return true;
        }
        self.syntax.soft && self.line_ends_before(index)
    }

    /// After a closing brace, what continues with the statement before.
    pub(super) fn is_continuation(&self, index: usize) -> bool {
        let text = self.file.token(index);
        self.syntax.continues.contains(&self.sym(index))
            || (self.kind(index) == Some(TokenKind::Operator)
                && !matches!(
                    text,
                    b"{" | b"("
                        | b"["
                        | b"*"
                        | b"&"
                        | b"!"
                        | b"++"
                        | b"--"
                        | b"-"
                        | b"@"
                        | b"#"
                        | b"~"
                        | b"::"
                ))
    }

    /// `if (`, `while (`, `for (`: the statement after the parentheses is another.
    pub(super) fn is_control(&self, open: usize) -> bool {
        open > 0 && {
            let lead = self.sym(open - 1);
            (self.syntax.conditions.contains(&lead) || self.syntax.loops.contains(&lead))
                && !self.file.tokens[open - 1].directive
        }
    }

    pub(super) fn ends_label(&self, colon: usize) -> bool {
        let Some(name) = colon.checked_sub(1) else { return false };
        if self.syntax.cases.is_empty() || self.syntax.annotates.is_some() {
            return false;
        }
        let start = (0..colon)
            .rev()
            .take(12)
            .find(|&at| self.is(at, ";") || self.is(at, "{") || self.is(at, "}") || self.is(at, ":"));
        let start = start.map_or(0, |at| at + 1);
        self.syntax.cases.contains(&self.sym(start))
            || (start == name && self.kind(name) == Some(TokenKind::Identifier))
    }

    pub(super) fn line_ends_before(&self, index: usize) -> bool {
        let Some(b) = self.file.tokens.get(index) else { return true };
        let a = &self.file.tokens[index - 1];
        let between = &self.file.text[a.span.end as usize..b.span.start as usize];
        let value = a.kind != TokenKind::Operator
            || matches!(a.span.of(&self.file.text), b")" | b"]" | b"}" | b"++" | b"--");
        let goes_on = b.kind == TokenKind::Operator
            && !matches!(
                b.span.of(&self.file.text),
                b"}" | b"{" | b"(" | b"[" | b"*" | b"&" | b"!" | b"++" | b"--" | b"<-"
            );
        value && !goes_on && memchr::memchr(b'\n', between).is_some()
    }

    pub(super) fn statement_end(&self, start: usize) -> usize {
        statement_end(self.syntax, self.file, self.out, start).unwrap_or(start + 1)
    }
}

/// The end of the simple statement that begins at `start`: after its end mark, or where its line ends.
/// None if a block comes first, or nothing ends it.
pub fn statement_end(
    syntax: &Syntax,
    file: &SourceFile,
    structure: &Structure,
    start: usize,
) -> Option<usize> {
    let depth = structure.open[start];
    let mut index = start;
    while index < file.tokens.len() {
        let token = &file.tokens[index];
        if token.directive || token.kind == TokenKind::Indent || token.kind == TokenKind::Dedent {
            return None;
        }
        if token.kind == TokenKind::LineEnd {
            return (index > start).then_some(index);
        }
        if syntax.ends.contains(&file.syms[index]) && structure.open[index] == depth {
            return Some(index + 1);
        }
        if syntax.soft
            && index > start
            && structure.marks[index].has(Marks::START)
            && structure.open[index] == depth
        {
            return Some(index);
        }
        if token.kind == TokenKind::Operator {
            let mate = structure.mate[index];
            let opens = mate != NONE && mate as usize > index;
            let closes = mate != NONE && (mate as usize) < index;
            if opens {
                let block = token.span.of(&file.text) == b"{" && !structure.marks[index].has(Marks::LITERAL);
                // A block ends the statement before it, unless something goes on behind it (a closure).
                if block && !goes_on(file, mate as usize + 1) {
                    return None;
                }
                index = mate as usize + 1;
                continue;
            }
            if closes {
                return (syntax.soft && index > start).then_some(index);
            }
        }
        index += 1;
    }
    syntax.soft.then_some(file.tokens.len()).filter(|&end| end > start)
}

fn goes_on(file: &SourceFile, index: usize) -> bool {
    file.tokens.get(index).is_some_and(|token| {
        token.kind == TokenKind::Operator
            && matches!(token.span.of(&file.text), b")" | b";" | b"." | b"," | b"?" | b"]")
    })
}

//! Walks through the statements of a function's body.

use crate::langdef::SwitchFile;
use crate::lex::TokenKind;

use super::super::index::View;
use super::super::source::Sym;
use super::super::structure::Marks;
use super::super::structure::NONE;
use super::find::Piece;
use super::labels::Labels;

/// Tokens before a brace in which the word is looked for that leads it.
const FURTHEST_LEAD: usize = 200;

/// The walk through one function.
pub struct Walk<'a> {
    pub(super) view: View<'a>,
    pub(super) switch: &'a SwitchFile,
    function: u32,
    /// Statements that can stand in several versions.
    pub out: Vec<Piece>,
    /// Statements that must stay first in their body.
    pub firsts: Vec<Piece>,
    /// All statements but those that must stay first, whether they can stand in several versions or not.
    pub all: Vec<Piece>,
    /// Those that are led without braces.
    pub arms: Vec<Piece>,
    /// Where the arm of a loop begins whose condition stands behind it: the word for that ends the arm, too.
    pub(super) tested_last: Option<usize>,
}

impl<'a> Walk<'a> {
    pub fn new(view: View<'a>, switch: &'a SwitchFile, function: u32) -> Self {
        Self {
            view,
            switch,
            function,
            out: vec![],
            firsts: vec![],
            all: vec![],
            arms: vec![],
            tested_last: None,
        }
    }

    /// The statements from `at` to `end`.
    pub fn block(&mut self, mut at: usize, end: usize) {
        while at < end {
            at = self.statement(at, end, false).max(at + 1);
        }
    }

    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        self.text(at) == text.as_bytes()
    }

    pub(super) fn text(&self, at: usize) -> &'a [u8] {
        if at < self.view.file.tokens.len() { self.view.file.token(at) } else { b"" }
    }

    pub(super) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.view.file.tokens.get(at).map(|token| token.kind)
    }

    fn has(&self, at: usize, marks: Marks) -> bool {
        self.view.structure.marks.get(at).is_some_and(|found| found.has(marks))
    }

    pub(super) fn mate(&self, at: usize) -> Option<usize> {
        let mate = *self.view.structure.mate.get(at)?;
        (mate != NONE && mate as usize > at).then_some(mate as usize)
    }

    /// One statement and what is in it; gives where the next begins. An arm is all that a condition or loop
    /// without braces leads.
    fn statement(&mut self, at: usize, end: usize, arm: bool) -> usize {
        let Labels { behind: at, named, arrow } = self.behind_labels(at, end);
        let arm = arm || arrow;
        let ends = |at| self.view.syntax.ends.contains(&self.view.file.syms[at]);
        if at >= end || ends(at) || self.kind(at).is_some_and(TokenKind::is_layout) {
            return at + 1;
        }
        if self.view.file.tokens[at].directive {
            return at + 1;
        }
        if self.is_stray_branch(at) {
            // A directive parts it from its condition: a guard before it would take its place.
            return self.arm(at, at + 1, end);
        }
        let stop = self.extent(at, end).min(end);
        let (piece, firsts) = (self.without_layout(at, stop), self.firsts.len());
        if self.can_stand_in_versions(at, piece.end as usize) {
            self.out.push(piece);
        }
        // Braces around what holds a directive may open where it is left out and close where it is not.
        if self.firsts.len() == firsts && !(arm && self.has_directive(at, stop)) {
            let piece = Piece { start: named.filter(|_| !arm).map_or(piece.start, |at| at as u32), ..piece };
            self.all.push(piece);
            self.arms.extend(arm.then_some(piece));
        }
        stop
    }

    /// A statement to its last token of code: the end of a block that it closes belongs to what is around it, too.
    fn without_layout(&self, start: usize, mut end: usize) -> Piece {
        while end > start + 1 && self.kind(end - 1).is_some_and(TokenKind::is_layout) {
            end -= 1;
        }
        Piece { start: start as u32, end: end as u32 }
    }

    /// Where the statement ends that begins at `at`; walks through the blocks in it.
    fn extent(&mut self, at: usize, end: usize) -> usize {
        if self.has(at, Marks::ATTRIBUTE) {
            let behind = (at..end).find(|&at| !self.has(at, Marks::ATTRIBUTE)).unwrap_or(end);
            return if behind < end { self.extent(behind, end) } else { end };
        }
        if self.is(at, "{") {
            return self.braces(at).unwrap_or(end);
        }
        let sym = self.view.file.syms[at];
        let syntax = self.view.syntax;
        if let Some([first, last]) = syntax.tested_last
            && sym == first
        {
            return self.tested_last(at, end, last);
        }
        let leads = [&syntax.conditions, &syntax.loops, &syntax.switches, &syntax.blocks];
        if self.kind(at) == Some(TokenKind::Keyword) && leads.iter().any(|all| all.contains(&sym)) {
            return self.led(at, end);
        }
        if syntax.containers.contains(&sym) && !syntax.modifiers.contains(&sym) {
            return self.behind_braces(at, end);
        }
        self.simple(at, end)
    }

    /// A loop whose condition stands behind its body.
    fn tested_last(&mut self, at: usize, end: usize, last: Sym) -> usize {
        let begins = self.behind_directives(at + 1, end);
        let outer = self.tested_last.replace(begins);
        let behind = self.statement(begins, end, true);
        self.tested_last = outer;
        if self.sym(behind) != last {
            return behind;
        }
        let open = behind + 1;
        let close = self.mate(open).map_or(open, |close| close + 1);
        if self.is(close, ";") { close + 1 } else { close }
    }

    /// A keyword, its head, what it leads, and what continues with it.
    fn led(&mut self, at: usize, end: usize) -> usize {
        let mut behind = self.arm(at, at + 1, end);
        loop {
            let (next, syntax) = (self.behind_directives(behind, end), self.view.syntax);
            let word = self.sym(next);
            if next >= end || !syntax.continues.contains(&word) {
                break;
            }
            behind = next;
            let chained = syntax.is_otherwise(word) && syntax.conditions.contains(&self.sym(behind + 1));
            behind = if chained && !self.switch.close.is_empty() {
                self.statement(behind + 1, end, true)
            } else {
                self.arm(behind, behind + 1, end)
            };
        }
        // `match x { … }.len();`
        let goes_on = self.switch.bare_heads && matches!(self.text(behind), b"." | b"?");
        if goes_on && behind < end { self.simple(behind, end) } else { behind }
    }

    pub(super) fn sym(&self, at: usize) -> Sym {
        self.view.file.syms.get(at).copied().unwrap_or(0)
    }

    /// The head behind a keyword and the block or statement behind it.
    fn arm(&mut self, lead: usize, at: usize, end: usize) -> usize {
        let at = self.behind_directives(self.behind_head(lead, at, end), end);
        if self.kind(at) == Some(TokenKind::LineEnd) {
            let Some(close) = self.mate(at + 1).filter(|_| self.kind(at + 1) == Some(TokenKind::Indent))
            else {
                return at;
            };
            self.block(at + 2, close);
            return close + 1;
        }
        if !self.is(at, "{") {
            return self.statement(at, end, true);
        }
        let choice = self.view.syntax.switches.contains(&self.sym(lead));
        if choice && self.view.syntax.cases.is_empty() {
            let close = self.mate(at).unwrap_or(end);
            self.inside(at + 1, close);
            return close + 1;
        }
        self.braces(at).unwrap_or(end)
    }

    fn behind_head(&self, lead: usize, at: usize, end: usize) -> usize {
        let depth = |at: usize| self.view.structure.open[at];
        if self.switch.close.is_empty() {
            // An indented block, or a statement on the same line.
            let outer = depth(at - 1);
            let colon = (at..end).find(|&at| self.is(at, ":") && depth(at) == outer);
            return colon.map_or(end, |colon| colon + 1);
        }
        if self.switch.bare_heads {
            let outer = depth(at - 1);
            let opens =
                |at: &usize| self.is(*at, "{") && depth(*at) == outer && !self.has(*at, Marks::LITERAL);
            return (at..end).find(opens).unwrap_or(end);
        }
        if self.view.syntax.is_otherwise(self.sym(lead)) {
            // `else (x)`, `else return (x)`, `else f(x)`: these parentheses are no head.
            return at;
        }
        // `if constexpr (`, `for await (`; not `try { (`
        let mut near = (at..(at + 2).min(end)).take_while(|&at| !self.is(at, "{"));
        let open = near.find(|&at| self.is(at, "("));
        open.and_then(|open| self.mate(open)).map_or(at, |close| close + 1)
    }

    /// What is between braces, if these are statements of this function.
    fn braces(&mut self, open: usize) -> Option<usize> {
        let close = self.mate(open)?;
        let literal = self.has(open, Marks::LITERAL) || (open > 0 && self.is(open - 1, "Self"));
        let ours = self.view.structure.function.get(open + 1) == Some(&self.function);
        if ours && !literal {
            self.block(open + 1, close);
        }
        Some(close + 1)
    }

    fn behind_braces(&self, at: usize, end: usize) -> usize {
        let open = (at..end).find(|&at| self.is(at, "{") || self.is(at, ";"));
        open.map_or(end, |open| self.mate(open).map_or(open + 1, |close| close + 1))
    }

    /// A statement without a keyword that leads it: to its end mark, or to where the next one begins.
    fn simple(&mut self, start: usize, end: usize) -> usize {
        let depth = self.view.structure.open[start];
        let mut at = start;
        while at < end {
            let token = &self.view.file.tokens[at];
            if token.directive {
                at += 1;
                continue;
            }
            if token.kind == TokenKind::LineEnd {
                return at;
            }
            let here = self.view.structure.open[at] == depth;
            if here && self.view.syntax.ends.contains(&self.sym(at)) {
                return at + 1;
            }
            let begins = at > start && here && self.has(at, Marks::START);
            if begins && (self.view.syntax.soft || self.is(at - 1, "}")) {
                return at;
            }
            if at > start && here && (self.ends_macro(start, at) || self.is_whole_call(start, at)) {
                return at;
            }
            at = self.step_over(at);
        }
        end
    }

    /// Behind a token, or behind a pair of brackets; walks through the blocks in there.
    fn step_over(&mut self, at: usize) -> usize {
        if self.is(at, "{") && !self.holds_choices(at) {
            return self.braces(at).unwrap_or(at + 1);
        }
        match self.mate(at) {
            Some(close) => {
                self.inside(at + 1, close);
                close + 1
            }
            None => at + 1,
        }
    }

    /// Whether braces in an expression hold arms of a choice, which are no statements: `let x = match y { … };`.
    fn holds_choices(&self, open: usize) -> bool {
        let syntax = self.view.syntax;
        let depth = self.view.structure.open[open];
        let near = (open.saturating_sub(FURTHEST_LEAD)..open).rev();
        let mut head = near
            .filter(|&at| self.view.structure.open[at] == depth)
            .take_while(|&at| !matches!(self.text(at), b"=" | b";" | b"," | b"{" | b"}" | b"=>"));
        syntax.cases.is_empty() && head.any(|at| syntax.switches.contains(&self.sym(at)))
    }

    fn inside(&mut self, mut at: usize, end: usize) {
        while at < end {
            at = self.step_over(at);
        }
    }

    fn can_stand_in_versions(&mut self, start: usize, end: usize) -> bool {
        let first = self.text(start);
        let sym = self.sym(start);
        let syntax = self.view.syntax;
        if self.switch.first.iter().any(|word| word.as_bytes() == first) {
            let call = self.is(start + 1, "(") || self.switch.close.is_empty();
            if call {
                self.firsts.push(Piece { start: start as u32, end: end as u32 });
                return false;
            }
        }
        let declares = self.has(start, Marks::DECLARATION.with(Marks::IMPORT))
            || [&syntax.declares, &syntax.containers, &syntax.functions, &syntax.imports]
                .iter()
                .any(|all| all.contains(&sym));
        // What begins a block and is a modifier, too (`unsafe`), declares nothing by itself.
        let declares = declares && !(syntax.blocks.contains(&sym) && syntax.modifiers.contains(&sym));
        let directive = self.view.file.tokens[start..end].iter().any(|token| token.directive);
        !declares && !directive && self.switch.statements && !self.declares_shortly(start, end)
    }

    /// `a, b := f()`: what is declared must be seen by what follows.
    fn declares_shortly(&self, start: usize, end: usize) -> bool {
        let depth = self.view.structure.open[start];
        let leads = self.view.syntax.leads.contains(&self.sym(start));
        !leads && (start..end).any(|at| self.is(at, ":=") && self.view.structure.open[at] == depth)
    }
}

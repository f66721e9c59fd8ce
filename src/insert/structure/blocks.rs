//! Blocks: functions, containers, statements, values in braces.

use super::scan::Scan;
use super::whole::Function;
use super::whole::Marks;
use super::whole::NONE;
use crate::lex::TokenKind;

/// What the blocks of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Container,
    Function,
    Statements,
    Literal,
}

impl Scan<'_> {
    /// Walks through the blocks and finds functions.
    pub(super) fn find_blocks(&mut self) {
        let mut stack: Vec<(Block, u32)> = Vec::new();
        let mut function = 0u32;
        let mut head = 0;
        for index in 0..self.file.tokens.len() {
            self.out.function[index] = function;
            if self.file.tokens[index].directive {
                // What a macro says is no part of the function behind it.
                head += usize::from(head == index);
                continue;
            }
            let kind = self.kind(index);
            let opens = self.is(index, "{") || kind == Some(TokenKind::Indent);
            let closes = self.is(index, "}") || kind == Some(TokenKind::Dedent);
            if opens && self.mate(index).is_some() {
                let outside = stack.last().is_none_or(|(block, _)| *block == Block::Container);
                let inside = stack.last().map(|(block, _)| *block);
                let block = match self.enter_method(index, inside) {
                    true => Block::Function,
                    false => self.block(head, index, outside, function),
                };
                stack.push((block, function));
                match block {
                    Block::Function => function = self.out.functions.len() as u32,
                    Block::Container => function = 0,
                    Block::Literal => {
                        let end = self.mate(index).unwrap_or(index);
                        self.mark(index..end, Marks::LITERAL);
                    }
                    Block::Statements => {}
                }
                head = index + 1;
            } else if closes && self.mate(index).is_some() {
                if let Some((_, outer)) = stack.pop() {
                    function = outer;
                }
                self.out.function[index] = function;
                head = index + 1;
            } else if self.syntax.ends.contains(&self.sym(index)) && !self.in_parentheses(index) {
                if self.function_keyword(head, index).is_some() {
                    self.mark(head..index, Marks::HEAD); // a function without a body
                }
                head = index + 1;
            } else if kind == Some(TokenKind::LineEnd) {
                head = index + 1;
                // The head of an indented block is the line before it.
                if self.kind(index + 1) == Some(TokenKind::Indent) {
                    head = self.line_start(index);
                }
            }
        }
    }

    /// Whether the block that opens here is the body of a method or of an arrow function, in languages where these have no
    /// keyword; it is entered.
    fn enter_method(&mut self, body: usize, inside: Option<Block>) -> bool {
        let Some(before) = body.checked_sub(1).filter(|_| self.syntax.methods && self.is(body, "{")) else {
            return false;
        };
        if self.is(before, "=>") {
            let close = before.checked_sub(1).and_then(|last| self.before_type(last));
            let parameters = close.and_then(|close| self.mate(close));
            let name = before.checked_sub(1).filter(|&at| self.kind(at) == Some(TokenKind::Identifier));
            let head = parameters.or(name).unwrap_or(before);
            let own = self.assigned_name(head).map_or(NONE, |name| name as u32);
            self.push_function(head, own, parameters, body, (0, 0));
            return true;
        }
        if !matches!(inside, Some(Block::Container | Block::Literal)) {
            return false;
        }
        let Some(open) = self.before_type(before).and_then(|close| self.mate(close)) else { return false };
        let Some(name) = open.checked_sub(1).and_then(|last| self.before_generics(last)) else {
            return false;
        };
        let named = match self.kind(name) {
            Some(TokenKind::Keyword) => {
                let sym = self.sym(name);
                !self.syntax.leads.contains(&sym) && !self.syntax.functions.contains(&sym)
            }
            Some(TokenKind::Identifier | TokenKind::String | TokenKind::Number) => true,
            // `[key](x) {`
            _ => self.is(name, "]"),
        };
        // `f(x) {` behind `function` has its keyword.
        let keyword = name.checked_sub(1).is_some_and(|at| self.syntax.functions.contains(&self.sym(at)));
        if named && !keyword {
            let own = if self.kind(name) == Some(TokenKind::Identifier) { name as u32 } else { NONE };
            self.push_function(name, own, Some(open), body, (0, 0));
        }
        named && !keyword
    }

    /// Where a name ends before the parameters of types that may stand behind it: `name<T>`.
    fn before_generics(&self, last: usize) -> Option<usize> {
        if !self.is(last, ">") {
            return Some(last);
        }
        (0..last).rev().take(60).find(|&at| self.is(at, "<"))?.checked_sub(1)
    }

    /// The name that is given to what begins here: `const name = async (`, `name: (`.
    fn assigned_name(&self, start: usize) -> Option<usize> {
        let before = |at: usize| at.checked_sub(1);
        let modifier = before(start).filter(|&at| self.syntax.modifiers.contains(&self.sym(at)));
        let sign = before(modifier.unwrap_or(start)).filter(|&at| self.is(at, "=") || self.is(at, ":"))?;
        before(sign).filter(|&name| self.kind(name) == Some(TokenKind::Identifier))
    }

    /// The parenthesis that closes the parameters before a body, or before the type behind them: `(x) {`, `(x): T<U> {`.
    fn before_type(&self, last: usize) -> Option<usize> {
        const FURTHEST: usize = 60;
        if self.is(last, ")") {
            return Some(last);
        }
        let ends_type = ["]", ">", ">>", "}"].iter().any(|mark| self.is(last, mark));
        if self.kind(last) == Some(TokenKind::Operator) && !ends_type {
            return None;
        }
        let annotates = self.syntax.annotates?;
        let depth = self.out.open[last + 1];
        let colon = (last.saturating_sub(FURTHEST)..=last).rev().take_while(|&at| {
            let ends = self.syntax.ends.contains(&self.sym(at)) || self.is(at, "=");
            !(ends && self.out.open[at] == depth) && at as u32 != depth
        });
        let mut colon = colon.filter(|&at| self.sym(at) == annotates && self.out.open[at] == depth);
        let close = colon.next()?.checked_sub(1)?;
        self.is(close, ")").then_some(close)
    }

    fn line_start(&self, end: usize) -> usize {
        (0..end).rev().find(|&index| self.file.tokens[index].kind.is_layout()).map_or(0, |index| index + 1)
    }

    /// What the block is that opens at `index`, after the tokens from `head` on; a function is entered.
    fn block(&mut self, head: usize, index: usize, outside: bool, function: u32) -> Block {
        let head = (head..index).find(|&at| !self.out.marks[at].has(Marks::ATTRIBUTE)).unwrap_or(index);
        if let Some(keyword) = self.function_keyword(head, index) {
            self.enter(head, keyword, index);
            return Block::Function;
        }
        let code = |at: &usize| !self.file.tokens[*at].directive;
        let mut before = (head..index).filter(code);
        let assigned = before.any(|at| self.is(at, "=") && self.out.open[at] == self.out.open[index]);
        let container = (head..index).filter(code).any(|at| {
            self.syntax.containers.contains(&self.sym(at)) && self.out.open[at] == self.out.open[index]
        });
        let after_parenthesis = index > head && self.is(index - 1, ")");
        if outside {
            if assigned {
                return Block::Literal;
            }
            if container && !after_parenthesis {
                if (head..index).any(|at| self.file.token(at) == b"enum") {
                    self.out.shared.insert(index as u32);
                }
                return Block::Container;
            }
            if !self.syntax.functions.is_empty() {
                return Block::Container;
            }
            let parameters = self.parameters(head, index);
            if parameters.is_none() && head < index && function == 0 && self.out.open[index] == NONE {
                return Block::Container; // namespace, extern "C"
            }
            self.enter_named(head, parameters, index);
            return Block::Function;
        }
        if self.is_anonymous_class(index) || (container && !after_parenthesis && !assigned) {
            return Block::Container;
        }
        self.inner_block(head, index)
    }

    fn inner_block(&mut self, head: usize, index: usize) -> Block {
        let before = index.checked_sub(1);
        let arrow = before.is_some_and(|before| self.is(before, "->") || self.is(before, "=>"));
        if arrow && self.syntax.functions.is_empty() && !self.syntax.cases.contains(&self.sym(head)) {
            self.enter_named(index, None, index);
            return Block::Function;
        }
        let depth = self.out.open[index];
        let lead = (head..index)
            .rev()
            .find(|&at| self.syntax.leads.contains(&self.sym(at)) && (self.out.open[at] == depth));
        if let Some(lead) = lead {
            self.out.leads.push((index as u32, self.sym(lead)));
            return Block::Statements;
        }
        let value = before.is_some_and(|before| {
            let kind = self.file.tokens[before].kind;
            let upper = self.file.token(before).first().is_some_and(u8::is_ascii_uppercase);
            let angle = self.out.marks[before].has(Marks::ANGLE);
            (kind == TokenKind::Identifier && upper)
                || angle
                || self.is(before, "]")
                || self.syntax.assignments.contains(&self.sym(before))
                || (self.is(before, ",") || (self.is(before, "(") && self.syntax.functions.is_empty()))
                || (self.syntax.methods && self.is_object(before))
        });
        if value { Block::Literal } else { Block::Statements }
    }

    /// Whether braces behind this token hold an object: `f({`, `return {`, `a ? {`, `key: {` in another object.
    fn is_object(&self, before: usize) -> bool {
        let open = self.out.open[before];
        let in_object = || open != NONE && self.out.marks[open as usize].has(Marks::LITERAL);
        self.is(before, "(")
            || self.is(before, "[")
            || self.is(before, "?")
            || self.syntax.logic.contains(&self.sym(before))
            || self.syntax.returning.contains(&self.sym(before))
            || (self.is(before, ":") && in_object())
    }

    /// `new Name(…) {`
    fn is_anonymous_class(&self, index: usize) -> bool {
        let Some(close) = index.checked_sub(1).filter(|&before| self.is(before, ")")) else { return false };
        let Some(mut at) = self.mate(close) else { return false };
        while let Some(before) = at.checked_sub(1) {
            let kind = self.file.tokens[before].kind;
            let angle = self.out.marks[before].has(Marks::ANGLE);
            if kind == TokenKind::Keyword {
                return self.syntax.creates.contains(&self.sym(before));
            }
            if kind != TokenKind::Identifier && !angle && !self.is(before, ".") && !self.is(before, ",") {
                return false;
            }
            at = before;
        }
        false
    }

    /// The keyword of the function whose body opens at `index`: nothing between its parameters and its body
    /// may end it.
    fn function_keyword(&self, head: usize, index: usize) -> Option<usize> {
        let depth = self.out.open[index];
        (head..index)
            .rev()
            .find(|&at| self.syntax.functions.contains(&self.sym(at)) && self.out.open[at] == depth)
    }

    fn enter(&mut self, head: usize, keyword: usize, body: usize) {
        let parameters =
            (keyword..body).find(|&at| self.is(at, "(") && !self.out.marks[at].has(Marks::ANGLE));
        let name = keyword + 1;
        let named = self.kind(name) == Some(TokenKind::Identifier);
        let close = parameters.and_then(|open| self.mate(open)).unwrap_or(name);
        let returns = match self.syntax.returns {
            Some(arrow) => (close + 1..body).find(|&at| self.sym(at) == arrow).map_or((0, 0), |at| {
                let end = (at + 1..body)
                    .find(|&end| self.file.token(end) == b"where" || self.file.tokens[end].kind.is_layout())
                    .unwrap_or(body);
                (at as u32 + 1, end as u32)
            }),
            None => (0, 0),
        };
        self.push_function(head, if named { name as u32 } else { NONE }, parameters, body, returns);
    }

    fn enter_named(&mut self, head: usize, parameters: Option<usize>, body: usize) {
        let name = parameters
            .and_then(|open| open.checked_sub(1))
            .filter(|&name| name >= head && self.kind(name) == Some(TokenKind::Identifier));
        let start = (head..body)
            .find(|&at| {
                !self.syntax.modifiers.contains(&self.sym(at)) && !self.out.marks[at].has(Marks::ATTRIBUTE)
            })
            .unwrap_or(body);
        let returns = name.filter(|&name| start < name).map_or((0, 0), |name| (start as u32, name as u32));
        self.push_function(head, name.map_or(NONE, |name| name as u32), parameters, body, returns);
    }

    fn push_function(
        &mut self,
        head: usize,
        name: u32,
        parameters: Option<usize>,
        body: usize,
        returns: (u32, u32),
    ) {
        self.mark(head..body, Marks::HEAD);
        self.out.shared.insert(self.out.open[body]);
        self.out.functions.push(Function {
            head: head as u32,
            name,
            parameters: parameters.map_or(NONE, |open| open as u32),
            body: body as u32,
            returns,
        });
    }

    /// Where a function's parameters open: the first parenthesis after a name that is not inside of others.
    fn parameters(&self, head: usize, index: usize) -> Option<usize> {
        let depth = self.out.open[index];
        (head + 1..index).find(|&at| {
            self.is(at, "(")
                && self.out.open[at] == depth
                && !self.out.marks[at].has(Marks::ATTRIBUTE)
                && self.kind(at - 1) == Some(TokenKind::Identifier)
        })
    }
}

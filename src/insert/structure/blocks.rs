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
                let block = self.block(head, index, outside, function);
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
        });
        if value { Block::Literal } else { Block::Statements }
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

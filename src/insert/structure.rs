//! What a file's tokens are part of, as far as a lexer and the definition's `[syntax]` can tell: brackets,
//! functions, statements, declarations.
//!
//! In: a [`SourceFile`]. Out: a [`Structure`], one entry per token. Nothing here fails: what cannot be told
//! is left unmarked, and a mutant there is judged by less.

use rustc_hash::FxHashSet;

use crate::langdef::LangDef;
use crate::langdef::Layout;
use crate::lex::TokenKind;

use super::source::SourceFile;
use super::source::Sym;
use super::source::sym;

/// No token.
pub const NONE: u32 = u32::MAX;

/// What a token is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u8);

impl Marks {
    /// `<` or `>` around types.
    pub const ANGLE: Self = Self(1);
    /// An attribute or annotation.
    pub const ATTRIBUTE: Self = Self(2);
    /// An import.
    pub const IMPORT: Self = Self(4);
    /// A function's head: everything before its body.
    pub const HEAD: Self = Self(8);
    /// A declaration, but for its initialiser.
    pub const DECLARATION: Self = Self(16);
    /// First of a statement.
    pub const START: Self = Self(32);
    /// Between braces that hold a value, not statements.
    pub const LITERAL: Self = Self(64);
    /// The value of something that is declared outside functions.
    pub const INITIALISER: Self = Self(128);

    /// Whether any of the other's marks is set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn set(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A function and its parts, as token indices.
#[derive(Clone, Debug)]
pub struct Function {
    /// The first token of its head.
    pub head: u32,
    /// Its name; NONE for closures and blocks of initialisation.
    pub name: u32,
    /// The parenthesis that opens its parameters; NONE if there is none.
    pub parameters: u32,
    /// The bracket that opens its body.
    pub body: u32,
    /// The tokens of the type it returns.
    pub returns: (u32, u32),
}

/// What the blocks of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Container,
    Function,
    Statements,
    Literal,
}

/// The structure of a file; all vectors are as long as its tokens.
#[derive(Default)]
pub struct Structure {
    /// The bracket that a bracket goes with.
    pub mate: Vec<u32>,
    /// The innermost bracket that is open here.
    pub open: Vec<u32>,
    pub marks: Vec<Marks>,
    /// The function whose body this is in, counted from 1; 0 outside.
    pub function: Vec<u32>,
    pub functions: Vec<Function>,
    /// For a bracket that opens a block, the keyword that leads it (`while`, `switch`, `else`).
    leads: Vec<(u32, Sym)>,
    /// Brackets of blocks that hold functions, or the constants of an enumeration.
    shared: FxHashSet<u32>,
}

/// The texts that structure depends on, as numbers.
pub struct Syntax {
    pub functions: FxHashSet<Sym>,
    pub containers: FxHashSet<Sym>,
    pub types: FxHashSet<Sym>,
    pub modifiers: FxHashSet<Sym>,
    pub declares: FxHashSet<Sym>,
    pub imports: FxHashSet<Sym>,
    pub members: FxHashSet<Sym>,
    pub paths: FxHashSet<Sym>,
    pub assignments: FxHashSet<Sym>,
    pub prefix: FxHashSet<Sym>,
    pub postfix: FxHashSet<Sym>,
    pub binary: FxHashSet<Sym>,
    pub comparisons: FxHashSet<Sym>,
    pub logic: FxHashSet<Sym>,
    pub values: FxHashSet<Sym>,
    pub truths: FxHashSet<Sym>,
    pub conditions: FxHashSet<Sym>,
    pub loops: FxHashSet<Sym>,
    pub switches: FxHashSet<Sym>,
    pub cases: FxHashSet<Sym>,
    pub jumps: FxHashSet<Sym>,
    pub leads: FxHashSet<Sym>,
    pub ends: FxHashSet<Sym>,
    pub annotates: Option<Sym>,
    pub returns: Option<Sym>,
    pub attribute: Option<Sym>,
    pub macros: Option<Sym>,
    pub truth_type: Option<Sym>,
    pub angles: bool,
    pub unreachable: bool,
    pub soft: bool,
    /// Functions of other files are called by their bare names.
    pub shares_names: bool,
}

pub fn operator(text: &str) -> Sym {
    sym(TokenKind::Operator, text.as_bytes())
}

pub fn word(text: &str) -> Sym {
    sym(TokenKind::Keyword, text.as_bytes())
}

impl Syntax {
    pub fn new(def: &LangDef) -> Self {
        let file = &def.file.syntax;
        let either = |text: &String| {
            let kind =
                if def.is_operator(text.as_bytes()) { TokenKind::Operator } else { TokenKind::Keyword };
            sym(kind, text.as_bytes())
        };
        let all = |list: &[String]| list.iter().map(either).collect::<FxHashSet<_>>();
        let mut leads: FxHashSet<Sym> =
            [&file.conditions, &file.loops, &file.switches].into_iter().flat_map(|list| all(list)).collect();
        leads.extend(["else", "try", "catch", "finally"].map(word));
        Self {
            functions: all(&file.functions),
            containers: all(&file.containers),
            types: all(&file.types),
            modifiers: all(&file.modifiers),
            declares: all(&file.declares),
            imports: all(&file.imports),
            members: all(&file.members),
            paths: all(&file.paths),
            assignments: all(&file.assignments),
            prefix: all(&file.prefix),
            postfix: all(&file.postfix),
            binary: all(&file.binary),
            comparisons: all(&file.comparisons),
            logic: all(&file.logic),
            values: all(&file.values),
            truths: all(&file.truths),
            conditions: all(&file.conditions),
            loops: all(&file.loops),
            switches: all(&file.switches),
            cases: all(&file.cases),
            jumps: all(&file.jumps),
            leads,
            ends: all(&def.file.statement_ends),
            annotates: file.annotates.as_ref().map(either),
            returns: file.returns.as_ref().map(either),
            attribute: file.attribute.as_ref().map(either),
            macros: file.macros.as_ref().map(either),
            truth_type: file.truth_type.as_ref().map(|text| word(text)),
            angles: file.angles,
            unreachable: file.unreachable,
            soft: def.layout() == Layout::Soft,
            shares_names: def.file.preprocessor.is_some(),
        }
    }
}

impl Structure {
    /// Finds the structure of a file.
    pub fn new(def: &LangDef, syntax: &Syntax, file: &SourceFile) -> Self {
        let count = file.tokens.len();
        let mut structure =
            Self { marks: vec![Marks::default(); count], function: vec![0; count], ..Self::default() };
        structure.match_brackets(def, file);
        let mut scan = Scan { syntax, file, out: &mut structure };
        scan.mark_attributes();
        scan.mark_angles();
        scan.find_blocks();
        scan.mark_statements();
        structure
    }

    /// The keyword that leads the block which this bracket opens.
    pub fn lead(&self, bracket: u32) -> Option<Sym> {
        let at = self.leads.binary_search_by_key(&bracket, |(bracket, _)| *bracket).ok()?;
        Some(self.leads[at].1)
    }

    /// Whether functions see what is declared right inside of this block.
    pub fn is_shared(&self, bracket: u32) -> bool {
        self.shared.contains(&bracket)
    }

    /// The function that a token is in the body of.
    pub fn function_of(&self, index: usize) -> Option<&Function> {
        self.functions.get((*self.function.get(index)? as usize).checked_sub(1)?)
    }

    fn match_brackets(&mut self, def: &LangDef, file: &SourceFile) {
        let count = file.tokens.len();
        self.mate = vec![NONE; count];
        self.open = vec![NONE; count];
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for (index, token) in file.tokens.iter().enumerate() {
            self.open[index] = stack.last().map_or(NONE, |(open, _)| *open);
            if token.directive {
                continue;
            }
            let bracket = match token.kind {
                TokenKind::Indent => Some((usize::MAX, true)),
                TokenKind::Dedent => Some((usize::MAX, false)),
                TokenKind::Operator => def.bracket(token.span.of(&file.text)),
                _ => None,
            };
            match bracket {
                Some((pair, true)) => stack.push((index as u32, pair)),
                // What closes something further out closes what is inside of it, too.
                Some((pair, false)) => {
                    if let Some(depth) = stack.iter().rposition(|(_, open)| *open == pair) {
                        let (open, _) = stack[depth];
                        stack.truncate(depth);
                        self.mate[index] = open;
                        self.mate[open as usize] = index as u32;
                        self.open[index] = stack.last().map_or(NONE, |(open, _)| *open);
                    }
                }
                None => {}
            }
        }
    }
}

/// Fills a structure, one pass per question.
struct Scan<'a> {
    syntax: &'a Syntax,
    file: &'a SourceFile,
    out: &'a mut Structure,
}

impl Scan<'_> {
    fn is(&self, index: usize, text: &str) -> bool {
        self.file.tokens.get(index).is_some_and(|token| {
            token.kind == TokenKind::Operator && token.span.of(&self.file.text) == text.as_bytes()
        })
    }

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.file.tokens.get(index).map(|token| token.kind)
    }

    fn sym(&self, index: usize) -> Sym {
        self.file.syms.get(index).copied().unwrap_or(0)
    }

    fn mate(&self, index: usize) -> Option<usize> {
        self.out.mate.get(index).filter(|mate| **mate != NONE).map(|mate| *mate as usize)
    }

    fn mark(&mut self, range: std::ops::Range<usize>, marks: Marks) {
        self.out.marks[range].iter_mut().for_each(|mark| mark.set(marks));
    }

    /// `#[…]`, `#![…]`, `@Name`, `@Name(…)`.
    fn mark_attributes(&mut self) {
        let Some(attribute) = self.syntax.attribute else { return };
        let mut index = 0;
        while index < self.file.tokens.len() {
            if self.sym(index) != attribute {
                index += 1;
                continue;
            }
            let mut end = index + 1;
            end += usize::from(self.is(end, "!"));
            if self.is(end, "[") {
                end = self.mate(end).map_or(end, |mate| mate + 1);
            } else if self.kind(end) == Some(TokenKind::Identifier) {
                end += 1;
                while self.is(end, ".") && self.kind(end + 1) == Some(TokenKind::Identifier) {
                    end += 2;
                }
                if self.is(end, "(") {
                    end = self.mate(end).map_or(end, |mate| mate + 1);
                }
            }
            let end = end.min(self.file.tokens.len());
            self.mark(index..end, Marks::ATTRIBUTE);
            index = end;
        }
    }

    fn mark_angles(&mut self) {
        if !self.syntax.angles {
            return;
        }
        for index in 0..self.file.tokens.len() {
            if self.is(index, "<")
                && !self.out.marks[index].has(Marks::ANGLE)
                && self.may_open_angle(index)
                && let Some(marks) = self.close_angle(index)
            {
                marks.into_iter().for_each(|index| self.out.marks[index].set(Marks::ANGLE));
            }
        }
    }

    /// Nobody puts a space before the `<` of a type, and everybody before that of a comparison; only where
    /// parameters are introduced (`public <T> T f`) it stands apart.
    fn may_open_angle(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return true };
        let apart = self.file.tokens[before].span.end != self.file.tokens[index].span.start;
        match self.file.tokens[before].kind {
            TokenKind::Identifier => !apart,
            TokenKind::Keyword => !self.syntax.values.contains(&self.sym(before)) || !apart,
            TokenKind::Operator => !self.is(before, ")") && !self.is(before, "]"),
            _ => false,
        }
    }

    fn close_angle(&self, open: usize) -> Option<Vec<usize>> {
        const FURTHEST: usize = 120;
        let mut marks = vec![open];
        let mut depth = 1i32;
        let mut index = open + 1;
        while index < self.file.tokens.len() && index < open + FURTHEST {
            let text = self.file.token(index);
            match text {
                b"<" => {
                    depth += 1;
                    marks.push(index);
                }
                b">" | b">>" | b">>>" => {
                    depth -= text.len() as i32;
                    marks.push(index);
                    if depth <= 0 {
                        return (depth == 0).then_some(marks);
                    }
                }
                b"(" | b"[" => index = self.mate(index)?,
                b"{" if self.syntax.functions.is_empty() => return None,
                b"{" => index = self.mate(index)?,
                b"," | b"." | b"::" | b"?" | b"&" | b"*" | b"->" | b":" | b"+" | b"=" | b"@" | b"'" => {}
                _ if self.kind(index) == Some(TokenKind::Operator) => return None,
                _ => {}
            }
            index += 1;
        }
        None
    }

    /// Walks through the blocks and finds functions.
    fn find_blocks(&mut self) {
        let mut stack: Vec<(Block, u32)> = Vec::new();
        let mut function = 0u32;
        let mut head = 0;
        for index in 0..self.file.tokens.len() {
            self.out.function[index] = function;
            if self.file.tokens[index].directive {
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

    fn in_parentheses(&self, index: usize) -> bool {
        let open = self.out.open[index];
        open != NONE && (self.is(open as usize, "(") || self.is(open as usize, "["))
    }

    /// What the block is that opens at `index`, after the tokens from `head` on; a function is entered.
    fn block(&mut self, head: usize, index: usize, outside: bool, function: u32) -> Block {
        let head = (head..index).find(|&at| !self.out.marks[at].has(Marks::ATTRIBUTE)).unwrap_or(index);
        if !self.syntax.functions.is_empty() {
            if let Some(keyword) = self.function_keyword(head, index) {
                self.enter(head, keyword, index);
                return Block::Function;
            }
        }
        let assigned = (head..index).any(|at| self.is(at, "=") && self.out.open[at] == self.out.open[index]);
        let container = (head..index).any(|at| {
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
            let parameters = self.last_parenthesis(head, index);
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
                || (self.is(before, "(") && !self.syntax.functions.is_empty() && false)
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
                return self.file.token(before) == b"new";
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

    /// The last parentheses between `head` and `index` that are not inside others.
    fn last_parenthesis(&self, head: usize, index: usize) -> Option<usize> {
        let depth = self.out.open[index];
        let mut all = (head..index).filter(|&at| {
            self.is(at, "(")
                && self.out.open[at] == depth
                && !self.out.marks[at].has(Marks::ATTRIBUTE)
                && at > head
                && self.kind(at - 1) == Some(TokenKind::Identifier)
        });
        let first = all.next()?;
        Some(first)
    }

    /// Marks the first tokens of statements, imports and declarations.
    fn mark_statements(&mut self) {
        for index in 0..self.file.tokens.len() {
            if !self.begins_statement(index) {
                continue;
            }
            self.out.marks[index].set(Marks::START);
            if self.syntax.imports.contains(&self.sym(index)) {
                let end = self.statement_end(index);
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
            if inside
                && self.syntax.leads.contains(&self.sym(index - 2)) | self.is_keyword_for(index - 2)
                && self.is_declaration(index)
            {
                self.mark_declaration(index);
            }
        }
    }

    /// What an arm of a choice, or a condition with `let`, takes apart: names are declared there.
    fn mark_patterns(&mut self) {
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
    fn opens_closure(&self, index: usize) -> bool {
        !self.out.marks[index].has(Marks::DECLARATION)
            && index.checked_sub(1).is_some_and(|before| match self.file.tokens[before].kind {
                TokenKind::Operator => ["(", ",", "=", "{", "=>"].iter().any(|mark| self.is(before, mark)),
                TokenKind::Keyword => matches!(self.file.token(before), b"move" | b"return"),
                _ => false,
            })
    }

    /// What stands behind the `=` of a declaration outside functions.
    fn mark_initialiser(&mut self, start: usize) {
        let depth = self.out.open[start];
        let mut assigned = false;
        for index in start..self.file.tokens.len() {
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
                if self.is(index, "=") && !assigned {
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

    fn is_keyword_for(&self, index: usize) -> bool {
        self.syntax.loops.contains(&self.sym(index))
    }

    fn begins_statement(&self, index: usize) -> bool {
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
        if previous.kind == TokenKind::Keyword && matches!(self.file.token(before), b"else" | b"do") {
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

    /// After a closing brace, what goes on with the statement before.
    fn is_continuation(&self, index: usize) -> bool {
        let text = self.file.token(index);
        matches!(text, b"else" | b"catch" | b"finally")
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
    fn is_control(&self, open: usize) -> bool {
        open > 0 && {
            let lead = self.sym(open - 1);
            (self.syntax.conditions.contains(&lead) || self.syntax.loops.contains(&lead))
                && !self.file.tokens[open - 1].directive
        }
    }

    fn ends_label(&self, colon: usize) -> bool {
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

    fn line_ends_before(&self, index: usize) -> bool {
        let (a, b) = (&self.file.tokens[index - 1], &self.file.tokens[index]);
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

    fn statement_end(&self, start: usize) -> usize {
        statement_end(self.syntax, self.file, self.out, start).unwrap_or(start + 1)
    }

    /// Whether a declaration begins here: by keyword, or by a type and a name side by side.
    fn is_declaration(&self, start: usize) -> bool {
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
    fn declared_name(&self, start: usize) -> Option<usize> {
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
            if (self.is(at, ".") || self.is(at, "::")) && self.kind(at + 1) == Some(TokenKind::Identifier) {
                at += 2;
            } else if self.is(at, "[") && self.is(at + 1, "]") {
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

    fn is_modifier(&self, index: usize) -> bool {
        self.kind(index) == Some(TokenKind::Keyword) && self.syntax.modifiers.contains(&self.sym(index))
    }

    /// Marks a declaration up to its `=`, and again from a comma to the next `=`.
    fn mark_declaration(&mut self, start: usize) {
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

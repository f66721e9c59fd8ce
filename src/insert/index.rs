//! All operators in one index, matched over a file's tokens in one pass.
//!
//! A trie over the terms of all patterns: exact edges by number, an edge for any identifier or literal, one
//! for each earlier hole that must be repeated, one for an expression, one for a statement. Patterns that
//! begin alike share their beginning, so that the cost grows with the text and with what is found in it,
//! hardly with the number of operators. Invariant: what it finds is what trying every operator at every
//! token would find ([`scan`], the tests' yardstick).

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::operator::Operator;
use crate::operator::Term;

use super::source::SourceFile;
use super::source::Sym;
use super::source::term_sym;
use super::structure::Marks;
use super::structure::NONE;
use super::structure::Structure;
use super::structure::statement_end;
use super::syntax::Syntax;

/// What a hole bound: tokens `start..end`.
pub type Bound = (u32, u32);

/// What the holes bound, in the order in which the pattern has them.
pub type Bounds = SmallVec<[Bound; 8]>;

/// No node.
const NO: u32 = 0;

/// Longest expression, in tokens.
const LONGEST: usize = 200;

/// A file with its structure, to be matched.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub syntax: &'a Syntax,
    pub file: &'a SourceFile,
    pub structure: &'a Structure,
}

#[derive(Default)]
struct Node {
    /// After any identifier or literal.
    any: u32,
    /// After the same text as an earlier hole bound.
    again: SmallVec<[(u8, u32); 1]>,
    /// After an expression, and after a statement.
    expression: u32,
    statement: u32,
    /// After the rest of a bracket.
    rest: u32,
    /// Whether exact edges leave it.
    exact: bool,
    /// The operators that end here, by number.
    ends: Vec<u32>,
}

/// The index.
pub struct Index {
    /// Literals that patterns name, numbered from 1.
    literals: FxHashMap<Sym, u32>,
    /// From a node, by a literal.
    edges: FxHashMap<u64, u32>,
    /// Node 1 is the root; 0 is none.
    nodes: Vec<Node>,
}

/// A place of a pattern, as the trie and the scan see it.
enum Step {
    Exact(Sym),
    Any,
    Again(u8),
    Expression,
    Statement,
    Rest,
}

/// The steps of a pattern; holes that stand for the first time are counted as they come.
fn steps(find: &[Term]) -> Vec<Step> {
    let mut slots: Vec<&Term> = Vec::new();
    find.iter()
        .map(|term| {
            if let Some(sym) = term_sym(term) {
                return Step::Exact(sym);
            }
            if term.number().is_some()
                && let Some(slot) = slots.iter().position(|known| *known == term)
            {
                return Step::Again(slot as u8);
            }
            slots.push(term);
            match term {
                Term::Expression(_) => Step::Expression,
                Term::Statement(_) => Step::Statement,
                Term::Rest(_) => Step::Rest,
                _ => Step::Any,
            }
        })
        .collect()
}

/// For each hole of a pattern, in the order of [`Bounds`], its term.
pub fn slots(find: &[Term]) -> Vec<&Term> {
    let mut slots: Vec<&Term> = Vec::new();
    for term in find {
        let hole = term_sym(term).is_none();
        if hole && (term.number().is_none() || !slots.contains(&term)) {
            slots.push(term);
        }
    }
    slots
}

impl Index {
    /// The index of these operators; they are known by their place in the list.
    pub fn new<'o>(operators: impl Iterator<Item = &'o Operator>) -> Self {
        let mut index = Self {
            literals: FxHashMap::default(),
            edges: FxHashMap::default(),
            nodes: vec![Node::default(), Node::default()],
        };
        for (number, operator) in operators.enumerate() {
            let end = index.path(operator.find());
            index.nodes[end as usize].ends.push(number as u32);
        }
        index
    }

    fn path(&mut self, find: &[Term]) -> u32 {
        steps(find).into_iter().fold(1, |node, step| self.step(node, &step))
    }

    fn step(&mut self, node: u32, step: &Step) -> u32 {
        let next = self.nodes.len() as u32;
        let from = &mut self.nodes[node as usize];
        let place = match step {
            Step::Exact(sym) => {
                from.exact = true;
                let number = self.literals.len() as u32 + 1;
                let literal = *self.literals.entry(*sym).or_insert(number);
                self.edges.entry(edge(node, literal)).or_insert(NO)
            }
            Step::Any => &mut from.any,
            Step::Expression => &mut from.expression,
            Step::Statement => &mut from.statement,
            Step::Rest => &mut from.rest,
            Step::Again(slot) => {
                let at = from.again.iter().position(|(known, _)| known == slot).unwrap_or_else(|| {
                    from.again.push((*slot, NO));
                    from.again.len() - 1
                });
                &mut from.again[at].1
            }
        };
        if *place == NO {
            *place = next;
            self.nodes.push(Node::default());
            return next;
        }
        *place
    }

    /// Calls `found` for every operator and place it matches: operator, first token, end, what holes bound.
    /// `may_begin` says where a match may begin at all.
    pub fn matches(
        &self,
        view: View,
        may_begin: impl Fn(usize) -> bool,
        mut found: impl FnMut(u32, usize, usize, &Bounds),
    ) {
        let literals: Vec<u32> =
            view.file.syms.iter().map(|sym| self.literals.get(sym).copied().unwrap_or(0)).collect();
        let mut walk =
            Walk { index: self, view, literals, bounds: Bounds::new(), found: &mut found, start: 0 };
        for start in 0..view.file.tokens.len() {
            if may_begin(start) {
                walk.start = start;
                walk.from(1, start);
            }
        }
    }
}

fn edge(node: u32, literal: u32) -> u64 {
    u64::from(node) << 32 | u64::from(literal)
}

/// One way through the trie, from one token on.
struct Walk<'a, F> {
    index: &'a Index,
    view: View<'a>,
    literals: Vec<u32>,
    bounds: Bounds,
    found: &'a mut F,
    start: usize,
}

impl<F: FnMut(u32, usize, usize, &Bounds)> Walk<'_, F> {
    fn from(&mut self, node: u32, at: usize) {
        let here = &self.index.nodes[node as usize];
        for &operator in &here.ends {
            (self.found)(operator, self.start, at, &self.bounds);
        }
        let Some(token) = self.view.file.tokens.get(at) else { return };
        if here.exact
            && self.literals[at] != 0
            && let Some(&next) = self.index.edges.get(&edge(node, self.literals[at]))
        {
            self.from(next, at + 1);
        }
        if token.kind.is_bindable() {
            if here.any != NO {
                self.bound(here.any, at, at + 1);
            }
            for &(slot, next) in &here.again {
                if same_text(self.view.file, self.bounds[slot as usize], at) {
                    self.from(next, at + 1);
                }
            }
        }
        if here.expression != NO {
            self.expression(here.expression, at);
        }
        if here.statement != NO
            && let Some(end) = statement(self.view, at)
        {
            self.bound(here.statement, at, end);
        }
        if here.rest != NO
            && let Some(end) = rest_end(self.view, at)
        {
            self.bound(here.rest, at, end);
        }
    }

    fn bound(&mut self, next: u32, start: usize, end: usize) {
        self.bounds.push((start as u32, end as u32));
        self.from(next, end);
        self.bounds.pop();
    }

    /// An expression ends where the term after it first matches; each edge is taken once.
    fn expression(&mut self, node: u32, start: usize) {
        let mut taken: SmallVec<[u32; 4]> = SmallVec::new();
        for end in expression_ends(self.view, start) {
            let literal = self.literals.get(end).copied().unwrap_or(0);
            if literal == 0 {
                continue;
            }
            if let Some(&next) = self.index.edges.get(&edge(node, literal))
                && !taken.contains(&next)
            {
                taken.push(next);
                self.bounds.push((start as u32, end as u32));
                self.from(next, end + 1);
                self.bounds.pop();
            }
        }
    }
}

fn same_text(file: &SourceFile, bound: Bound, at: usize) -> bool {
    file.syms[bound.0 as usize] == file.syms[at]
}

/// Where the innermost bracket closes that is open at `start`: there, if it closes right here.
fn rest_end(view: View, start: usize) -> Option<usize> {
    let mate = view.structure.mate[start];
    if mate != NONE && (mate as usize) < start {
        return Some(start);
    }
    let open = view.structure.open[start];
    (open != NONE).then(|| view.structure.mate[open as usize] as usize)
}

/// The end of the simple statement that begins at `start`.
fn statement(view: View, start: usize) -> Option<usize> {
    let first = view.file.syms[start];
    let syntax = view.syntax;
    let declares = [&syntax.containers, &syntax.functions, &syntax.imports, &syntax.cases]
        .iter()
        .any(|words| words.contains(&first));
    let begins = view.structure.marks[start].has(Marks::START) && !declares;
    begins.then(|| statement_end(view.syntax, view.file, view.structure, start)).flatten()
}

/// Where an expression that begins at `start` may end: brackets are stepped over, and neither a statement's
/// end nor a comma nor a closing bracket is inside.
fn expression_ends(view: View, start: usize) -> impl Iterator<Item = usize> {
    let mut at = start;
    let mut done = false;
    std::iter::from_fn(move || {
        if done || at >= view.file.tokens.len() || at - start > LONGEST {
            return None;
        }
        let token = &view.file.tokens[at];
        let text = token.span.of(&view.file.text);
        let mate = view.structure.mate[at];
        let closes = mate != NONE && (mate as usize) < at;
        let comma = text == b"," && token.kind == crate::lex::TokenKind::Operator;
        let next_line = view.syntax.soft && at > start && view.structure.marks[at].has(Marks::START);
        if closes
            || comma
            || next_line
            || token.kind.is_layout()
            || view.syntax.ends.contains(&view.file.syms[at])
        {
            done = true;
            return Some(at).filter(|&end| end > start);
        }
        let here = at;
        at = if mate == NONE { at + 1 } else { mate as usize + 1 };
        Some(here)
    })
    .filter(move |&end| end > start)
}

/// The same by trying an operator at a token: slow, plain, and what the index is held against.
pub fn scan(view: View, find: &[Term], start: usize) -> Option<(usize, Bounds)> {
    let mut bounds = Bounds::new();
    let mut at = start;
    let steps = steps(find);
    let mut place = 0;
    while place < steps.len() {
        let token = view.file.tokens.get(at)?;
        match &steps[place] {
            Step::Exact(sym) if *sym == view.file.syms[at] => at += 1,
            Step::Any if token.kind.is_bindable() => {
                bounds.push((at as u32, at as u32 + 1));
                at += 1;
            }
            Step::Again(slot)
                if token.kind.is_bindable() && same_text(view.file, bounds[*slot as usize], at) =>
            {
                at += 1;
            }
            Step::Statement => {
                let end = statement(view, at)?;
                bounds.push((at as u32, end as u32));
                at = end;
            }
            Step::Rest => {
                let end = rest_end(view, at)?;
                bounds.push((at as u32, end as u32));
                at = end;
            }
            Step::Expression => {
                let Some(Step::Exact(next)) = steps.get(place + 1) else { return None };
                let end = expression_ends(view, at).find(|&end| view.file.syms.get(end) == Some(next))?;
                bounds.push((at as u32, end as u32));
                at = end;
            }
            _ => return None,
        }
        place += 1;
    }
    Some((at, bounds))
}

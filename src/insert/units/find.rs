//! The innermost statement and the body that a range of tokens is in.

use rustc_hash::FxHashSet;

use crate::langdef::LangDef;
use crate::langdef::SwitchFile;

use super::super::index::View;
use super::super::structure::Function;
use super::super::structure::NONE;
use super::torn::torn;
use super::walk::Walk;

/// Tokens `start..end` of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    pub start: u32,
    pub end: u32,
}

impl Piece {
    /// Whether the tokens `from..to` are inside; what is put in at either end is.
    pub fn holds(self, from: u32, to: u32) -> bool {
        self.start <= from && to <= self.end
    }
}

/// The pieces of a file.
pub struct Units {
    /// Statements of every function, outer ones before what is in them.
    statements: Vec<Vec<Piece>>,
    /// The same with those that must not stand in several versions.
    all: Vec<Vec<Piece>>,
    /// Statements that a condition or loop leads without braces.
    arms: FxHashSet<Piece>,
    /// Per function, what of its body can stand in several versions.
    bodies: Vec<Option<Piece>>,
    /// From the bracket that opens a function's body to the one that closes it.
    whole: Vec<Piece>,
    /// Functions whose versions may differ in type.
    unsure: Vec<bool>,
    /// Functions whose end is not sure.
    torn: Vec<bool>,
}

impl Units {
    /// Finds the pieces of a file.
    pub fn new(def: &LangDef, view: View) -> Self {
        let switch = &def.file.switch;
        let mut units = Self {
            statements: vec![],
            all: vec![],
            arms: FxHashSet::default(),
            bodies: vec![],
            whole: vec![],
            unsure: vec![],
            torn: vec![],
        };
        let parts = torn(def, view);
        for (number, function) in view.structure.functions.iter().enumerate() {
            let close = view.structure.mate[function.body as usize];
            let close = if close == NONE { function.body + 1 } else { close };
            let whole = Piece { start: function.body + 1, end: close };
            // Behind the name they mean something else: `*const u8`, `<const N: usize>`.
            let named = if function.name == NONE { function.body } else { function.name };
            let switchable = !has(view, function.head, named, &switch.never);
            let (mut statements, mut all, mut body) = (Vec::new(), Vec::new(), None);
            if switchable {
                let mut walk = Walk::new(view, switch, number as u32 + 1);
                walk.block(whole.start as usize, whole.end as usize);
                (statements, all) = (walk.out, walk.all);
                units.arms.extend(walk.arms);
                body = rest_of(view, switch, whole, &walk.firsts);
            }
            units.statements.push(statements);
            units.all.push(all);
            units.bodies.push(body);
            units.whole.push(whole);
            units.unsure.push(is_unsure(view, switch, function));
            // Where the end is wrong, so may be everything up to the next function.
            let next = view.structure.functions.get(number + 1).map_or(u32::MAX, |next| next.head);
            let end = close.max(next);
            units.torn.push(parts.iter().any(|part| part.start < end && part.end > function.body));
        }
        units
    }

    /// The innermost function that a range of tokens is in the body of.
    pub fn function(&self, from: u32, to: u32) -> Option<usize> {
        let inside = |piece: &Piece| piece.holds(from, to);
        let holding = self.whole.iter().enumerate().filter(|(_, piece)| inside(piece));
        holding.min_by_key(|(_, piece)| piece.end - piece.start).map(|(number, _)| number)
    }

    /// The statements of a function that a range is in, the innermost first.
    pub fn statements(&self, function: usize, from: u32, to: u32) -> Vec<Piece> {
        let holding = self.statements[function].iter().filter(|piece| piece.holds(from, to));
        let mut holding: Vec<Piece> = holding.copied().collect();
        holding.sort_by_key(|piece| (piece.end - piece.start, piece.start));
        holding
    }

    /// All statements of all functions that can be switched, with the number of their function.
    pub fn all_statements(&self) -> impl Iterator<Item = (usize, Piece)> {
        self.all
            .iter()
            .enumerate()
            .flat_map(|(function, all)| all.iter().map(move |piece| (function, *piece)))
    }

    /// How many functions there are.
    pub fn functions(&self) -> usize {
        self.whole.len()
    }

    /// Whether a condition or loop leads a statement without braces: it must stay one statement.
    pub fn is_arm(&self, piece: Piece) -> bool {
        self.arms.contains(&piece)
    }

    /// The body of a function, if the range is in what of it can stand in several versions.
    pub fn body(&self, function: usize, from: u32, to: u32) -> Option<Piece> {
        self.bodies[function].filter(|piece| piece.holds(from, to))
    }

    /// Whether versions of the body may differ in type, so that an error says nothing about a mutant.
    pub fn is_unsure(&self, function: usize) -> bool {
        self.unsure[function]
    }

    /// Whether a function's end cannot be told, so that an error says nothing about a mutant: a part under `#if` opens
    /// more brackets than it closes.
    pub fn is_torn(&self, function: usize) -> bool {
        self.torn[function]
    }

    /// The body of a function, brackets left out.
    pub fn whole(&self, function: usize) -> Piece {
        self.whole[function]
    }
}

fn has(view: View, from: u32, to: u32, words: &[String]) -> bool {
    (from..to).any(|at| words.iter().any(|word| view.file.token(at as usize) == word.as_bytes()))
}

fn is_unsure(view: View, switch: &SwitchFile, function: &Function) -> bool {
    let (from, to) = function.returns;
    has(view, from, to, &switch.unsure)
}

/// What is left of a body behind the statements that must stay first.
fn rest_of(view: View, switch: &SwitchFile, whole: Piece, firsts: &[Piece]) -> Option<Piece> {
    let mut start = whole.start;
    let skip = |start: u32| firsts.iter().find(|first| first.start == start).map(|first| first.end);
    while let Some(end) = skip(start) {
        start = end;
    }
    let is_layout = |at: u32| view.file.tokens[at as usize].kind.is_layout();
    let mut end = whole.end.min(view.file.tokens.len() as u32);
    while end > start && is_layout(end - 1) {
        end -= 1;
    }
    while start < end && is_layout(start) {
        start += 1;
    }
    // Behind a statement that must be first and is not where it should be, nothing is safe.
    let astray = firsts.iter().any(|first| first.start >= start && !switch.first.is_empty());
    (start < end && !astray).then_some(Piece { start, end })
}

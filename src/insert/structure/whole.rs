//! The structure of a file, one entry per token.

use super::super::source::SourceFile;
use super::super::source::Sym;
use super::super::syntax::Syntax;
use super::scan::Scan;
use crate::langdef::LangDef;
use crate::lex::TokenKind;
use rustc_hash::FxHashSet;

/// No token.
pub const NONE: u32 = u32::MAX;

/// What a token is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u16);

impl Marks {
    /// `<` or `>` around types.
    pub const ANGLE: Self = Self(1);
    /// An attribute or annotation.
    pub const ATTRIBUTE: Self = Self(2);
    /// An import, or a declaration of which nothing is left at run time.
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
    /// Between the angle brackets of a type.
    pub const ARGUMENT: Self = Self(256);

    /// Whether any of the other's marks is set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn set(&mut self, other: Self) {
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
    pub(super) leads: Vec<(u32, Sym)>,
    /// Brackets of blocks that hold functions, or the constants of an enumeration.
    pub(super) shared: FxHashSet<u32>,
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

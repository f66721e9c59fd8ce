//! Types and slots of a target, and how to look them up.

use super::super::mutated::Mutated;
use super::super::source::Sym;
use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

/// What is known of an expression's type.
pub type Shape = u64;

pub(super) const UNKNOWN: Shape = 0;
pub(super) const INTEGER: Shape = 1;
pub(super) const FLOAT: Shape = 2;
pub(super) const TEXT: Shape = 3;
pub(super) const CHARACTER: Shape = 4;
pub(super) const TRUTH: Shape = 5;
pub(super) const CLOSURE: Shape = 7;
/// Two declarations disagree.
pub(super) const AMBIGUOUS: Shape = u64::MAX;

/// Longest slot that is looked at, in tokens.
pub(super) const LONGEST: usize = 60;

/// Types and slots of a target.
#[derive(Default)]
pub struct Types {
    /// Declared variables: (file and function, name).
    pub variables: FxHashMap<(u64, Sym), Shape>,
    /// Fields and other names outside functions, wherever they are declared.
    pub fields: FxHashMap<Sym, Shape>,
    /// What functions return.
    pub returns: FxHashMap<Sym, Shape>,
    /// Slots and the shapes that stand in them.
    pub slots: FxHashSet<u64>,
    /// Names that are used as truth values.
    pub truths: FxHashSet<Sym>,
    /// Variables that were declared as pointers or arrays: (file and function, name).
    pub pointers: FxHashSet<(u64, Sym)>,
}

impl Types {
    pub fn absorb(&mut self, other: Self) {
        for (key, shape) in other.variables {
            agree(self.variables.entry(key).or_insert(shape), shape);
        }
        for (name, shape) in other.fields {
            agree(self.fields.entry(name).or_insert(shape), shape);
        }
        for (name, shape) in other.returns {
            agree(self.returns.entry(name).or_insert(shape), shape);
        }
        self.slots.extend(other.slots);
        self.truths.extend(other.truths);
        self.pointers.extend(other.pointers);
    }
}

pub(super) fn agree(known: &mut Shape, shape: Shape) {
    if *known != shape {
        *known = AMBIGUOUS;
    }
}

/// Reads types off a row of tokens.
#[derive(Clone, Copy)]
pub struct Typist<'a> {
    pub row: Mutated<'a>,
    pub types: &'a Types,
    pub file: usize,
    /// A token of the file in whose function names are looked up.
    pub here: usize,
}

//! A place at which code can be exchanged, and what could stand there.

use std::ops::Range;

use super::super::render::TextEdit;
use super::family::Family;

/// What a slot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotKind {
    /// Behind a condition that has no `else`.
    Otherwise,
    /// Behind a statement.
    After,
    /// Before a statement.
    Before,
    /// Around a statement, which may depend on a condition made of values.
    Guard,
    /// A statement.
    Statement,
    /// A value that a declaration begins with.
    Value,
    /// The condition of a branch or loop.
    Condition,
}

impl SlotKind {
    /// Whether it is a place between statements, where nothing stands.
    pub fn is_gap(self) -> bool {
        matches!(self, Self::Otherwise | Self::After | Self::Before)
    }

    /// Whether it is part of an expression.
    pub fn is_value(self) -> bool {
        matches!(self, Self::Value | Self::Condition)
    }
}

/// What could stand at a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    pub family: Family,
    /// What it does to the file.
    pub edit: TextEdit,
    /// What stands at the slot instead.
    pub woven: Vec<u8>,
    /// How many tokens it changes.
    pub size: usize,
    /// Edits that mean the same at other slots share a key: together they are one edit of that family.
    pub uniform: Vec<(Family, u64)>,
}

impl Alternative {
    /// How unlikely it is to be the right one: less is better.
    pub fn cost(&self) -> f64 {
        const TOKEN: f64 = 0.02;
        self.family.row().cost + TOKEN * self.size.min(40) as f64
    }
}

/// A value that conditions can be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotValue {
    pub text: String,
    pub constant: bool,
}

/// A place at which code can be exchanged.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The file's place in the target.
    pub file: usize,
    /// The function's place in the file.
    pub function: usize,
    pub kind: SlotKind,
    /// The bytes that stand there; empty for gaps.
    pub bytes: Range<usize>,
    /// The line of its first token, from 1.
    pub line: u32,
    /// The white space at the beginning of that line.
    pub indent: String,
    pub alternatives: Vec<Alternative>,
    /// What a condition here can be made of; empty if that is not wanted.
    pub values: Vec<SlotValue>,
}

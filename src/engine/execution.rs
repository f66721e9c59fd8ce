//! Statements and functions, and which tests execute them.

use roaring::RoaringBitmap;

use crate::insert::Piece;

/// A statement, and the tests that execute it.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The file's place in the target.
    pub file: usize,
    pub piece: Piece,
    /// Its first and last line, from 1.
    pub line: u32,
    pub end_line: u32,
    pub covered: RoaringBitmap,
    pub known_by: KnownBy,
}

/// How it is known which tests execute a statement, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KnownBy {
    /// It is watched.
    Guard,
    /// The nearest watched statement of the same block says it.
    Neighbour,
    /// The statement that it is in, or its function, says it.
    Around,
    /// Nothing says it.
    Nothing,
}

/// The body of a function, and the tests that execute any of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    pub file: usize,
    pub piece: Piece,
    /// None if nothing in it is watched.
    pub covered: Option<RoaringBitmap>,
}

/// Which tests execute some tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Execution<'s> {
    By(&'s RoaringBitmap),
    /// In a function, but nothing of it is watched.
    Unknown,
    /// In no function.
    Outside,
}

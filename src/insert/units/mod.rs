//! Pieces of code that can stand side by side in several versions: statements, and bodies of functions.
//!
//! In: a file with its structure. Out: [`Units`], which says for a range of tokens which piece it is in.

mod find;
mod labels;
mod macros;
mod torn;
mod walk;

pub use find::Piece;
pub use find::Units;

#[cfg(test)]
mod tests;

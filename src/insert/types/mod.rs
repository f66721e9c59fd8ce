//! Types as far as they are written down: what a name was declared with, what a function returns, what kind
//! of value stands where.
//!
//! A *shape* is what can be told of an expression's type without a parser: a declared type, the kind of a
//! literal, a truth value, or that nothing is known. A *slot* is a place for an expression: an argument, what
//! is returned, what is assigned. The target shows which shapes stand in which slots.

mod learn;
mod shape;
mod slot;
mod table;

pub use learn::learn_declarations;
pub use learn::learn_inferred;
pub use learn::learn_slots;
pub use learn::learn_truths;
pub use table::Types;
pub use table::Typist;

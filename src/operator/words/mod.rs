//! Operators and shifts for people: their notation in a line, and a sentence that says what they do.
//!
//! In: an operator, or the line of notation that rows of a kill matrix keep. Out: text. Invariant: every operator has a
//! sentence, and the same operator always has the same one.

mod adds;
mod code;
mod deletes;
mod lists;
mod notation;
mod parts;
mod replaces;
mod sentence;

pub use notation::operator_text;
pub use notation::shift_text;
pub use sentence::sentence;
pub use sentence::sentence_of_notation;
pub use sentence::shift_sentence;

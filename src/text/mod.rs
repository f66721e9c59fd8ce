//! Places in text: spans of bytes, and the line and column a person knows them by.
//!
//! In: bytes of any kind. Out: [`Span`] and [`LineIndex`]. Nothing here assumes UTF-8.

mod function_lines;
mod line_index;
mod span;

pub use function_lines::FunctionLines;
pub use line_index::LineIndex;
pub use line_index::Place;
pub use span::Span;

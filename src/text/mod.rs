//! Places in text: spans of bytes, and the line and column a person knows them by. Text that is safe for terminals.
//!
//! In: bytes of any kind. Out: [`Span`] and [`LineIndex`]. Nothing here assumes UTF-8.

mod function_lines;
mod line_index;
mod span;
mod terminal;

pub use function_lines::FunctionLines;
pub use line_index::LineIndex;
pub use line_index::Place;
pub use span::Span;
pub use terminal::BLUE;
pub use terminal::BOLD;
pub use terminal::CYAN;
pub use terminal::GREEN;
pub use terminal::PAINTS;
pub use terminal::PLAIN;
pub use terminal::RED;
pub use terminal::file_link;
pub use terminal::one_line;
pub use terminal::printable;

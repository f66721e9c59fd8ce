//! What a file's tokens are part of, as far as a lexer and the definition's `[syntax]` can tell: brackets,
//! functions, statements, declarations.
//!
//! In: a [`SourceFile`]. Out: a [`Structure`], one entry per token. Nothing here fails: what cannot be told
//! is left unmarked, and a mutant there is judged by less.

mod blocks;
mod declarations;
mod scan;
mod statements;
mod whole;

pub use statements::statement_end;
pub use whole::Function;
pub use whole::Marks;
pub use whole::NONE;
pub use whole::Structure;

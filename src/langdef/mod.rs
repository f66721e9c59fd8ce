//! What a language looks like to a lexer: keywords, operators, quotes, comments, numbers, layout.
//!
//! In: a TOML file ([`LangFile`], unknown keys refused) or the paper's K/O/Q/C/c text ([`import`]).
//! Out: a checked [`LangDef`] with the tables that drive the lexer. Languages are data: nothing in this
//! crate knows one by name.

mod builtin;
mod check;
mod file;
mod import;
mod tables;

pub use builtin::builtin;
pub use builtin::builtin_names;
pub use builtin::builtin_text;
pub use check::LangDef;
pub use check::LangDefError;
pub use check::Layout;
pub use file::CommentFile;
pub use file::LangFile;
pub use file::QuoteFile;
pub use file::QuoteKind;
pub use file::RawShape;
pub use import::import;
pub use tables::Class;
pub use tables::Comment;
pub use tables::Numbers;
pub use tables::Quote;
pub use tables::Rule;
pub use tables::RuleKind;
pub use tables::WordSet;

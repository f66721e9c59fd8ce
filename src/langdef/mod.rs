//! What a language looks like to a lexer: keywords, operators, quotes, comments, numbers, layout.
//!
//! In: a TOML file ([`LangFile`], unknown keys refused) or the paper's K/O/Q/C/c text ([`import`]).
//! Out: a checked [`LangDef`] with the tables that drive the lexer. Languages are data: nothing in this
//! crate knows one by name.

mod builtin;
mod check;
mod compile;
mod def;
mod file;
mod find;
mod import;
mod points;
mod slots;
mod switch;
mod syntax;
mod tables;

pub use builtin::builtin;
pub use builtin::builtin_names;
pub use builtin::builtin_text;
pub use def::LangDef;
pub use def::LangDefError;
pub use def::Layout;
pub use file::CommentFile;
pub use file::LangFile;
pub use file::QuoteFile;
pub use file::QuoteKind;
pub use file::RawShape;
pub use find::FindError;
pub use find::all_languages;
pub use find::language;
pub use find::language_of_file;
pub use find::language_of_tree;
pub use import::import;
pub use points::PointKindFile;
pub use points::PointsFile;
pub use slots::SlotsFile;
pub use switch::SwitchFile;
pub use syntax::SyntaxFile;
pub use syntax::TestCodeFile;

pub(crate) use compile::Tables;
pub(crate) use tables::Comment;
pub(crate) use tables::Interpolation;
pub(crate) use tables::LexClass;
pub(crate) use tables::LexRule;
pub(crate) use tables::Numbers;
pub(crate) use tables::Quote;
pub(crate) use tables::RuleKind;

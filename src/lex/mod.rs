//! Bytes in, tokens out; the tokens' texts, laid end to end, are the input, whatever it was.
//!
//! In: any bytes and a [`LangDef`](crate::langdef::LangDef). Out: [`Token`]s, white space and comments
//! included. Invariant: no byte is lost or read twice, and the work is linear in the input.

mod comment;
mod directive;
mod interpolation;
mod layout;
mod lexer;
mod literal;
mod number;
mod raw;
mod token;
mod word;

pub use lexer::Lexer;
pub use lexer::Start;
pub use token::Token;
pub use token::TokenKind;

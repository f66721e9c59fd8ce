mod clone;
mod lex;
mod patch;

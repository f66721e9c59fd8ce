mod clone;
mod langdefs;
mod lex;
mod operators;
mod patch;
mod resume;
mod samples;
mod sets;

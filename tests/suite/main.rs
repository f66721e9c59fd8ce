mod clone;
mod langdefs;
mod lex;
mod patch;
mod resume;
mod samples;

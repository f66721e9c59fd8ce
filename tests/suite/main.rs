mod langdefs;
mod lex;
mod resume;
mod samples;

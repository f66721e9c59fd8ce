mod clone;
mod git_server;
mod lex;
mod patch;

mod lex;

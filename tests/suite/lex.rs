//! Whatever the bytes, the tokens laid end to end are the input.

use proptest::collection::vec;
use proptest::prelude::*;

use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;
use wildcaught::lex::TokenKind;

use crate::samples;

/// Bytes at which lexers stumble.
#[rustfmt::skip]
const FRAGMENTS: &[&[u8]] = &[
    b"\"", b"'", b"`", b"\"\"\"", b"'''", b"\"\"\"\"", b"\\", b"\n", b"\n", b"\r\n", b"\r", b" ", b"\t",
    b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf", "é".as_bytes(), "🦀".as_bytes(), b"/*", b"*/", b"//", b"/",
    b"#", b"--", b"--[[", b"]]", b"[==[", b"]==]", b"[", b"]", b"r#\"", b"\"#", b"r#", b"##", b"#\"",
    b"#\"\"\"", b"b'", b"R\"x(", b")x\"", b"R\"", b"u8", b"L'", b"${", b"{", b"}", b"{{", b"}}", b"\\(",
    b"\\#(", b"(", b")", b"f\"", b"rf'", b"f\"{", b":", b"$\"", b"$@\"", b"$$\"\"\"", b"@\"", b"<<<A\n",
    b"<<<'A'\n", b"A", b"\nA;\n", b"<?php", b"?>", b"<?=", b"#define", b"#include <", b"#error ", b"#if",
    b"#region ", b"\\\n", b"\\\r\n", b"'a", b"'a'", b"1", b"0x1p", b"1.", b"..", b".", b"1e+", b"5",
    b"1'0", b"x", b"if", b"return", b"this", b"catch", b"s\"", b"=", b"/=", b";", b",", b"<", b">", b"++",
    b"!", b"\\z", b"    ", b"\x0c",
];

/// A text of up to `most` fragments.
pub fn soup(most: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(proptest::sample::select(FRAGMENTS), 0..most).prop_map(|fragments| fragments.concat())
}

fn check(def: &LangDef, text: &[u8]) {
    let mut at = 0;
    for token in samples::tokens(def, text) {
        let shown = text.escape_ascii();
        assert_eq!(token.span.start as usize, at, "{}: a gap in {shown}", def.name());
        let empty = token.span.end == token.span.start;
        assert!(!empty || token.kind.is_layout(), "{}: an empty {:?} in {shown}", def.name(), token.kind);
        at = token.span.end as usize;
    }
    assert_eq!(at, text.len(), "{}: the end is missing", def.name());
}

fn kinds(language: &str, text: &str) -> Vec<(TokenKind, String)> {
    let def = &builtin(language).expect("built in");
    let tokens = samples::tokens(def, text.as_bytes());
    let code = tokens.iter().filter(|token| token.kind != TokenKind::Space);
    code.map(|token| (token.kind, String::from_utf8_lossy(token.span.of(text.as_bytes())).into())).collect()
}

fn texts(language: &str, text: &str) -> Vec<String> {
    kinds(language, text).into_iter().map(|(_, text)| text).collect()
}

proptest! {
    #![proptest_config(samples::cases(300))]

    #[test]
    fn arbitrary_bytes_come_back_whole(text in vec(any::<u8>(), 0..300)) {
        for def in samples::languages() {
            check(def, &text);
        }
    }

    #[test]
    fn soup_comes_back_whole(text in soup(80)) {
        for def in samples::languages() {
            check(def, &text);
        }
    }

    #[test]
    fn truncated_samples_come_back_whole(at in any::<prop::sample::Index>()) {
        for def in samples::languages() {
            let text = samples::sample(def);
            check(def, &text[..at.index(text.len())]);
        }
    }
}

#[test]
fn a_sample_with_other_line_ends_has_the_same_tokens() {
    for def in samples::languages() {
        let unix = String::from_utf8(samples::sample(def)).expect("samples are UTF-8");
        let windows = unix.replace('\n', "\r\n");
        check(def, windows.as_bytes());
        let dump = samples::dump(def, windows.as_bytes()).replace("\\r\\n", "\\n");
        assert_eq!(dump, samples::dump(def, unix.as_bytes()), "{}", def.name());
    }
}

#[test]
fn a_sample_without_its_last_line_end_has_the_same_code() {
    for def in samples::languages() {
        let text = samples::sample(def);
        let code = |text: &[u8]| -> Vec<TokenKind> {
            let tokens = samples::tokens(def, text);
            tokens.iter().map(|token| token.kind).filter(|kind| !kind.is_trivia()).collect()
        };
        assert_eq!(code(text.trim_ascii_end()), code(&text), "{}", def.name());
    }
}

#[test]
fn a_directive_keeps_its_marks_to_the_end_of_its_line() {
    let def = &builtin("c").expect("built in");
    let text = b"#include <stdio.h>\n#define X(a) \\\n  a##b\n#error don't\nx = 1;\n";
    let wanted = "operator# #\nkeyword# include\nstring# <stdio.h>\nnewline# \\n\n\
                  operator# #\nkeyword# define\nidentifier# X\noperator# (\nidentifier# a\noperator# )\n\
                  identifier# a\noperator# ##\nidentifier# b\nnewline# \\n\n\
                  operator# #\nkeyword# error\ncomment# don\\'t\nnewline# \\n\n\
                  identifier x\noperator =\nnumber 1\noperator ;\n";
    assert_eq!(samples::dump(def, text), wanted);
}

#[test]
fn an_unterminated_string_ends_with_its_line_and_is_broken() {
    let def = &builtin("c").expect("built in");
    assert_eq!(samples::dump(def, b"\"abc\r\nx"), "string broken \\\"abc\nidentifier x\n");
}

#[test]
fn an_unterminated_comment_or_raw_string_takes_the_rest_and_is_broken() {
    let cases = [
        ("c", "/* a\nb"),
        ("rust", "/* a /* b */\nc"),
        ("rust", "r##\"a\"#\nb"),
        ("javascript", "`a ${ b\nc"),
        ("lua", "[==[ a ]=]"),
        ("cpp", "R\"x( a )y\""),
        ("csharp", "@\"a\"\"\nb"),
    ];
    for (language, text) in cases {
        let def = &builtin(language).expect("built in");
        let tokens = samples::tokens(def, text.as_bytes());
        assert!(tokens.len() == 1 && tokens[0].broken, "{language}: {text}: {tokens:?}");
    }
}

#[test]
fn a_close_without_its_comment_is_a_broken_comment() {
    let def = &builtin("c").expect("built in");
    assert_eq!(samples::dump(def, b"*/ x"), "comment broken */\nidentifier x\n");
    assert_eq!(texts("c", "a*/* b */c"), ["a", "*", "/* b */", "c"]);
}

#[test]
fn a_suffix_that_ends_in_e_is_no_exponent() {
    assert_eq!(
        texts("rust", "1usize+2 1e+2 0xe+1 1.e"),
        ["1usize", "+", "2", "1e+2", "0xe", "+", "1", "1", ".", "e"]
    );
}

#[test]
fn a_dot_between_numbers_is_a_range_a_field_or_a_fraction() {
    assert_eq!(
        texts("rust", "1..2 x.0.1 1.max(2.) 1.5.a"),
        ["1", "..", "2", "x", ".", "0", ".", "1", "1", ".", "max", "(", "2.", ")", "1.5", ".", "a"]
    );
    assert_eq!(texts("javascript", "1..a 1.e3 .5"), ["1.", ".", "a", "1.e3", ".5"]);
    assert_eq!(texts("kotlin", "1..<2 1.dp"), ["1", "..<", "2", "1", ".", "dp"]);
}

#[test]
fn a_slash_divides_after_a_value_and_quotes_elsewhere() {
    assert_eq!(texts("javascript", "a / b / c"), ["a", "/", "b", "/", "c"]);
    assert_eq!(
        texts("javascript", "f(/=[/]/g, x++ / 2)"),
        ["f", "(", "/=[/]/g", ",", "x", "++", "/", "2", ")"]
    );
    assert_eq!(texts("javascript", "a.return / b /= c"), ["a", ".", "return", "/", "b", "/=", "c"]);
    assert_eq!(texts("typescript", "a! / b / c"), ["a", "!", "/", "b", "/", "c"]);
    assert_eq!(texts("typescript", "!/b/.test(c)")[1], "/b/");
}

#[test]
fn a_format_in_an_interpolation_is_no_code() {
    assert_eq!(texts("python", "f\"{x:'>{w}} {y:#x}\" + 1")[0], "f\"{x:'>{w}} {y:#x}\"");
    assert_eq!(texts("csharp", "$\"{d:h'h'}{x[\"a\"]:#,0}\" + 1")[0], "$\"{d:h'h'}{x[\"a\"]:#,0}\"");
    assert_eq!(texts("python", "rf\"\\{{\" + 1")[0], "rf\"\\{{\"");
}

#[test]
fn a_quote_before_a_name_is_a_label_and_before_one_character_a_char() {
    let found = kinds("rust", "'a 'a' '\\'' b'x' '_ 'é'");
    let kinds: Vec<&str> = found.iter().map(|(kind, _)| kind.name()).collect();
    assert_eq!(kinds, ["label", "char", "char", "char", "label", "char"]);
}

fn check_runs(runs: &[&[u8]], length: usize) {
    for def in samples::languages() {
        for run in runs {
            check(def, &run.repeat(length / run.len()));
        }
    }
}

#[test]
fn a_megabyte_of_opening_marks_is_read_in_linear_time() {
    check_runs(&[b"${", b"/*", b"r####"], 1 << 20);
}

#[test]
fn long_runs_of_marks_that_lead_nowhere_are_read_in_linear_time() {
    let runs: &[&[u8]] = &[
        b"`${",
        b"#",
        b"\"",
        b"$\"{",
        b"f\"{a}",
        b"f\"{a:{",
        b"{",
        b"[=",
        b"[=[",
        b"R\"x(",
        b"<<<A\n",
        b"?><?php ",
        b"//?><?=",
        b"#include <",
        b"'",
        b"\\",
        b"\"\\(",
        b"/[",
        b"--[=",
    ];
    check_runs(runs, 1 << 17);
}

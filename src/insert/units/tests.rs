//! Shapes of statements that a guard must not tear apart.

use std::path::PathBuf;

use crate::insert::Target;
use crate::langdef::builtin;

use super::Units;

/// The statements of a text, outer ones first; those that need braces around them are in braces.
fn shown(language: &str, body: &str) -> Vec<String> {
    let def = builtin(language).unwrap();
    let file = PathBuf::from(format!("a.{}", def.file.extensions[0]));
    let target = Target::new(&def, vec![(file, body.as_bytes().to_vec())]);
    let (units, source) = (Units::new(&def, target.view(0)), &target.files[0]);
    let mut all: Vec<_> = units.all_statements().map(|(_, piece)| piece).collect();
    all.sort_by_key(|piece| (piece.start, std::cmp::Reverse(piece.end)));
    let text = |piece: &super::Piece| {
        let span = |token: u32| source.tokens[token as usize].span;
        let bytes = &source.text[span(piece.start).start as usize..span(piece.end - 1).end as usize];
        let text = String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
        if units.is_arm(*piece) { format!("{{{text}}}") } else { text }
    };
    all.iter().map(text).collect()
}

#[track_caller]
fn in_c(body: &str, wanted: &[&str]) {
    assert_eq!(shown("c", &format!("int f(int n) {{ {body} }}")), wanted);
}

#[test]
fn parentheses_behind_else_are_no_head() {
    in_c(
        "if (n) return 1; else return (n > 0) ? 2 : 3;",
        &["if (n) return 1; else return (n > 0) ? 2 : 3;", "{return 1;}", "{return (n > 0) ? 2 : 3;}"],
    );
    in_c(
        "if (n) a(); else b(n ? 1 : n ? 2 : 3);",
        &["if (n) a(); else b(n ? 1 : n ? 2 : 3);", "{a();}", "{b(n ? 1 : n ? 2 : 3);}"],
    );
    in_c(
        "if (n) a(); else { (void)n; b(); }",
        &["if (n) a(); else { (void)n; b(); }", "{a();}", "(void)n;", "b();"],
    );
}

#[test]
fn macros_need_no_end_mark_before_else_and_while() {
    in_c("\n if (n) M(n) else M(1)\n n = 2;", &["if (n) M(n) else M(1)", "{M(n)}", "{M(1)}", "n = 2;"]);
    in_c("do M(n) while (n < 3); n++;", &["do M(n) while (n < 3);", "{M(n)}", "n++;"]);
}

#[test]
fn what_stands_further_right_is_led_by_a_macro() {
    in_c("\n  if (n)\n    EACH(n)\n      n++;\n  a();", &["if (n) EACH(n) n++;", "{EACH(n) n++;}", "a();"]);
    in_c("\n  if (n)\n    M(n)\n  n++;\n", &["if (n) M(n)", "{M(n)}", "n++;"]);
}

#[test]
fn directives_do_not_part_a_condition_from_what_it_leads() {
    in_c(
        "if (n)\n n = 1;\n#if A\n else if (n < 2)\n n = 2;\n#endif\n else\n n = 3;\n",
        &[
            "if (n) n = 1; #if A else if (n < 2) n = 2; #endif else n = 3;",
            "{n = 1;}",
            "{n = 2;}",
            "{n = 3;}",
        ],
    );
    in_c(
        "\n#if A\n if (n)\n#else\n if (n > 1)\n#endif\n n = 3;\n",
        &["if (n) #else if (n > 1) #endif n = 3;", "{n = 3;}"],
    );
}

#[test]
fn a_choice_in_a_case_has_a_colon_of_its_own() {
    in_c("switch (n) { case N ? 1 : 2: n = 3; }", &["switch (n) { case N ? 1 : 2: n = 3; }", "n = 3;"]);
}

#[test]
fn a_macro_before_a_function_is_no_part_of_it() {
    assert_eq!(shown("c", "#define SET(x) x = 1\nint f(int n) { return n; }\n"), ["return n;"]);
}

#[test]
fn labels_of_loops_stay_with_their_loops() {
    let java =
        "class A { void f(int n) { out: while (n > 0) { continue out; } switch (n) { case 1 -> n(); } } }";
    assert_eq!(
        shown("java", java),
        ["out: while (n > 0) { continue out; }", "continue out;", "switch (n) { case 1 -> n(); }", "{n();}"]
    );
    in_c("if (n) out: n = 1; goto out;", &["if (n) out: n = 1;", "{n = 1;}", "goto out;"]);
}

#[test]
fn arms_of_a_choice_in_an_expression_are_no_statements() {
    let rust = "fn f(n: u8) -> u8 { let x = match g(n) { Some(v) => v, None => { h(); 0 } }; k(match x { 1 => 2, _ => 3 }) }";
    assert_eq!(
        shown("rust", rust),
        [
            "let x = match g(n) { Some(v) => v, None => { h(); 0 } };",
            "h();",
            "0",
            "k(match x { 1 => 2, _ => 3 })"
        ]
    );
}

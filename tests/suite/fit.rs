//! Where a mutant can live: for every rule, code that it refuses and code that it lets pass.

use wildcaught::insert::RULES;
use wildcaught::insert::Rule;
use wildcaught::insert::Rules;

use super::insert::mutated;
use super::insert::set;

struct Case {
    rule: &'static str,
    language: &'static str,
    operator: (&'static str, &'static str),
    code: &'static str,
    /// How many mutants are left with this rule alone, and without any.
    with: usize,
    without: usize,
}

const C: &str = "int g; void h(int a); int f(int a, int b) { int c = a; h(c); for (;;) { if (a) { b = g; } break; } return c; }";
const JAVA: &str = "class A { int n = 1; boolean t; int f(int a, String s) { int b = a; if (t) { b = n; } g(s, b); return b; } void g(String s, int i) { return; } }";
const RUST: &str = "fn f(a: usize, s: &str) -> usize { let b = a; g(s, b); match b { 1 => g(s, 1), _ => g(s, a), } b } fn g(s: &str, i: usize) { h(s); }";

/// Of the six returns, three are at ends of paths that end the function.
const ENDS: &str = "int f(int a) { for (;;) { if (a) return 1; } } int g(int a) { if (a) return 2; switch (a) { case 1: return 3; \
                    default: break; } if (a) { return 4; } else if (!a) return 5; else return 6; } int main(void) { return 7; }";

const CASES: &[Case] = &[
    Case {
        rule: "inert",
        language: "typescript",
        operator: (".| $_", ""),
        code: "export type A = B\n  | C;\ninterface D { e(): F | G }\nconst type = h | i;\nfunction j(k: number) { return k | 2; }\n",
        with: 2,
        without: 4,
    },
    Case {
        rule: "undefined",
        language: "c",
        operator: (":return $1 .;", "$1 .;"),
        code: ENDS,
        with: 4,
        without: 7,
    },
    Case {
        rule: "undefined",
        language: "cpp",
        operator: (":return $1", ":return"),
        code: ENDS,
        with: 0,
        without: 7,
    },
    Case {
        rule: "undefined",
        language: "c",
        operator: (":return $1 .;", ""),
        code: ENDS,
        with: 4,
        without: 7,
    },
    Case {
        rule: "undefined",
        language: "c",
        operator: (":goto $1", ":return"),
        code: "int f(int a) { if (a) goto out; return 1; out: return 2; } void g(int a) { if (a) goto out; a = 1; out: return; }",
        with: 1,
        without: 2,
    },
    Case {
        rule: "undefined",
        language: "java",
        operator: (":return $1 .;", ".;"),
        code: "class A { int f() { return 1; } }",
        with: 1,
        without: 1,
    },
    Case {
        rule: "inert",
        language: "java",
        operator: (".@ :Override", ""),
        code: "class A { @Override int f() { return 1; } }",
        with: 0,
        without: 1,
    },
    Case {
        rule: "inert",
        language: "java",
        operator: (".<", ".<="),
        code: "class A { int f(List<A> l) { return l < 1 ? 1 : 0; } }",
        with: 1,
        without: 2,
    },
    Case {
        rule: "directive",
        language: "c",
        operator: (":1", ":0"),
        code: "#define A 1\nint f(void) { return 1; }",
        with: 1,
        without: 2,
    },
    Case { rule: "outside", language: "c", operator: (":int $1", ":long $1"), code: C, with: 1, without: 6 },
    Case {
        rule: "declaration",
        language: "c",
        operator: (":int $1", ":long $1"),
        code: C,
        with: 0,
        without: 6,
    },
    Case {
        rule: "declaration",
        language: "c",
        operator: ("$1 .=", ":int $1 .="),
        code: "void f(int a) { int b = 1; a = 2; }",
        with: 0,
        without: 2,
    },
    Case { rule: "statements", language: "c", operator: (".) .;", ".)"), code: C, with: 0, without: 2 },
    Case {
        rule: "statements",
        language: "c",
        operator: ("$1 .) .;", "$1 .) .+ :1 .;"),
        code: C,
        with: 1,
        without: 2,
    },
    Case { rule: "rows", language: "c", operator: ("$1 .;", "$1 .( .;"), code: C, with: 0, without: 4 },
    Case {
        rule: "names",
        language: "c",
        operator: (":return $_", ":return :a"),
        code: "int f(int a) { return 1; } int g(int b) { return b; }",
        with: 1,
        without: 2,
    },
    Case {
        rule: "names",
        language: "c",
        operator: ("$1 .;", "$1 .-> :a .;"),
        code: "struct s *p; int f(int a) { return a; } int g(struct s *p) { p->a = 1; return p; }",
        with: 2,
        without: 4,
    },
    Case {
        rule: "arity",
        language: "c",
        operator: (".( $1 .)", ".( $1 ., $1 .)"),
        code: C,
        with: 1,
        without: 2,
    },
    Case {
        rule: "targets",
        language: "rust",
        operator: (".+=", ".-="),
        code: "struct S(usize); impl S { fn f(&mut self) { self.0 += 1; } }",
        with: 1,
        without: 1,
    },
    Case {
        rule: "rows",
        language: "c",
        operator: (".>=", ".<"),
        code: "int f(int n, int m) { if (n >= m) { return 1; } return 0; }",
        with: 1,
        without: 1,
    },
    Case { rule: "targets", language: "c", operator: ("$_ .=", ":1 .="), code: C, with: 1, without: 2 },
    Case {
        rule: "homes",
        language: "c",
        operator: (":return $_ .;", ":break .;"),
        code: "int f(int a) { while (a) { return a; } return 1; }",
        with: 1,
        without: 2,
    },
    Case {
        rule: "homes",
        language: "rust",
        operator: (":if $(_) .{ $*_ .}", ""),
        code: "fn f(a: u32) -> u32 { g(); if a == 2 { g(); } else { h(); } if a == 1 { g(); } a }",
        with: 1,
        without: 2,
    },
    // A prototype and a member are declarations; the call is a statement.
    Case {
        rule: "items",
        language: "c",
        operator: ("${_}", ""),
        code: "int h(int a); struct s { int x; }; void f(void) { h(1); }",
        with: 1,
        without: 3,
    },
    Case {
        rule: "items",
        language: "java",
        operator: ("., $_", ""),
        code: "class A implements B, C { int f(int a, int b) { return g(a, b); } }",
        with: 1,
        without: 2,
    },
    Case {
        rule: "returns",
        language: "c",
        operator: (":return $_ .;", ":return .;"),
        code: C,
        with: 0,
        without: 1,
    },
    Case {
        rule: "returns",
        language: "java",
        operator: (":return .;", ":return :null .;"),
        code: JAVA,
        with: 0,
        without: 1,
    },
    Case { rule: "flow", language: "java", operator: (":return $_ .;", ""), code: JAVA, with: 0, without: 1 },
    Case {
        rule: "results",
        language: "c",
        operator: (":return $1", ":return :h .( $1 .)"),
        code: C,
        with: 0,
        without: 1,
    },
    Case {
        rule: "arms",
        language: "rust",
        operator: ("$_ .=> $1 .( $_ ., $_ .) .,", ""),
        code: RUST,
        with: 0,
        without: 1,
    },
    Case {
        rule: "pointers",
        language: "c",
        operator: (".+", ".*"),
        code: "int f(char *p, int n) { return *(p + n) + n + 1; }",
        with: 2,
        without: 3,
    },
    Case {
        rule: "slots",
        language: "java",
        operator: (":return $_ .;", ":return :true .;"),
        code: JAVA,
        with: 0,
        without: 1,
    },
    Case {
        rule: "slots",
        language: "java",
        operator: (":if .( $_ .)", ":if .( :n .)"),
        code: JAVA,
        with: 0,
        without: 1,
    },
    Case {
        rule: "slots",
        language: "rust",
        operator: (".( $1 ., $2 .)", ".( $2 ., $1 .)"),
        code: RUST,
        with: 0,
        without: 3,
    },
    Case {
        rule: "members",
        language: "c",
        operator: ("$1 .-> $2", "$1 .-> :y"),
        code: "void f(struct s *p, struct t *q) { p->x = 1; q->y = 2; }",
        with: 0,
        without: 1,
    },
];

#[test]
fn every_rule_refuses_what_it_says_and_no_more() {
    let mut wrong = Vec::new();
    for case in CASES {
        let (find, put) = case.operator;
        let set = set(case.language, &["1", "0", "a", "n", "h", "y", "Override"], &[(find, put)], &[]);
        let rule = Rule::of_name(case.rule).unwrap();
        let counts = [Rules::of([rule]), Rules::NONE].map(|rules| mutated(&set, rules, case.code).len());
        if counts != [case.with, case.without] {
            wrong.push(format!("{}: {find} ⇒ {put} in {}: {counts:?}", case.rule, case.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_about_edits_has_a_case() {
    for rule in RULES {
        let shown = CASES.iter().any(|case| case.rule == rule.name);
        assert!(
            shown || ["neighbours", "field", "viability", "same"].contains(&rule.name),
            "no case for {}",
            rule.name
        );
    }
}

#[test]
fn neighbours_and_field_figures_are_the_operators_own() {
    let text = "format = 1\nlanguage = \"c\"\n[[operator]]\nfind = \"$1 .+\"\nput = \"$1 .-\"\ncount = 4\nsites = 4\nviable = 1\nleft = { \".=\" = 4 }\n";
    let set = wildcaught::operator::read_set(text, "test").unwrap();
    let code = "x = a + b; f(a + b);";
    let left = |rules| mutated(&set, rules, code).len();
    assert_eq!(left(Rules::NONE), 2);
    assert_eq!(left(Rules::of([Rule::NEIGHBOURS])), 1);
    assert_eq!(left(Rules::of([Rule::FIELD])), 0);
}

#[test]
fn a_cast_or_an_assertion_that_matters_is_a_mutant_when_it_goes() {
    let other = |language: &str, operator: (&str, &str), code: &str| {
        let operators = set(language, &["return"], &[operator], &[]);
        let (all, left) =
            (mutated(&operators, Rules::NONE, code), mutated(&operators, Rules::of([Rule::SAME]), code));
        assert!(!all.is_empty() && all == left, "{operator:?}: {left:?} of {all:?}");
    };
    // A narrower number, arithmetic with a pointer, an assertion that users have.
    other("c", (".( $*_ .)", ""), "int f(int c) { return g + (unsigned char) c; }\n");
    other("c", (".( $*_ .)", ""), "void f(void *p) { g = (char *) p + 1; }\n");
    other("rust", ("., .)", ".)"), "fn f(n: u32) { let t = (n,); }\n");
    other("rust", ("$_ .! .( $*_ .) .;", ""), "fn f(n: u32) { assert!(n > 0); }\n");
}

#[test]
fn another_way_to_write_the_same_is_no_mutant() {
    let same = |language: &str, operator: (&str, &str), code: &str| {
        let operators = set(language, &["return"], &[operator], &[]);
        let made = mutated(&operators, Rules::NONE, code);
        assert!(!made.is_empty(), "{operator:?} matches nothing in {code}");
        assert_eq!(mutated(&operators, Rules::of([Rule::SAME]), code), [""; 0], "{operator:?}");
    };
    same("rust", ("$1 .}", ":return $1 .}"), "fn f(x: u32) -> u32 { x }\n");
    same("rust", ("$_ .;", ":0 .;"), "fn f() { let x = 0_usize; }\n");
    same("rust", ("$1 .}", "$1 .: $1 .}"), "fn f(end: u32) -> A { A { end } }\n");
    same("java", ("$1 ., $2 .)", "$2 ., $1 .)"), "class A { int f(int a, int b) { return max(a, b); } }\n");
    same("java", (":this ..", ""), "class A { int x; int f() { return this.x; } }\n");
    same("c", (".( $1 .)", "$1"), "int f(int a) { return (a); }\n");
    same("c", (":return .;", ""), "void f(int a) { g(a); return; }\n");
    same("c", (".= .( $*_ .)", ".="), "void f(void *p) { g = (const char *) p->x; }\n");
    same("c", ("$_ .( $*_ .) .;", ""), "void f(void *p) { assert(p); }\n");
    same("rust", ("$_ .! .( $*_ .) .;", ""), "fn f(n: u32) { debug_assert!(n > 0); }\n");
    same("rust", ("., .)", ".)"), "fn f(n: u32) { g(n,); }\n");
    same("rust", ("., .}", ".}"), "fn f(n: u32) -> A { A { n, } }\n");
    same("python", ("$_ ~newline", "~newline"), "def f():\n    'says'\n    return\n");
}

#[test]
fn what_only_looks_the_same_is_a_mutant() {
    let differs = |language: &str, operator: (&str, &str), code: &str| {
        let operators = set(language, &[], &[operator], &[]);
        assert_eq!(mutated(&operators, Rules::of([Rule::SAME]), code).len(), 1, "{operator:?}");
    };
    differs("c", (".( $1 .)", "$1"), "int f(int a) { return g(a); }\n".replace("g(a)", "2 / (a)").as_str());
    differs("c", (":return .;", ""), "void f(int a) { if (a) { return; } g(a); }\n");
    differs("java", (":this ..", ""), "class A { int x; int f(int x) { return this.x; } }\n");
    differs(
        "java",
        ("$1 ., $2 .)", "$2 ., $1 .)"),
        "class A { int f(int a, int b) { return sub(a, b); } }\n",
    );
}

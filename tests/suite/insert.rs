//! Insertion as a library: what operators make of code, in text; the index against a plain scan.

use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::prelude::*;

use wildcaught::insert::Arsenal;
use wildcaught::insert::Density;
use wildcaught::insert::Describer;
use wildcaught::insert::Fit;
use wildcaught::insert::Index;
use wildcaught::insert::Inserter;
use wildcaught::insert::Mutant;
use wildcaught::insert::Rules;
use wildcaught::insert::Target;
use wildcaught::insert::new_text;
use wildcaught::insert::scan;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;
use wildcaught::langdef::builtin_names;
use wildcaught::lex::Lexer;
use wildcaught::lex::Start;
use wildcaught::operator::Evidence;
use wildcaught::operator::Operator;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::parse_terms;
use wildcaught::operator::read_set;
use wildcaught::operator::shipped_names;
use wildcaught::operator::shipped_text;

/// A set with these operators (find, put) and shifts.
pub fn set(
    language: &str,
    idioms: &[&str],
    operators: &[(&str, &str)],
    shifts: &[(&str, &str)],
) -> OperatorSet {
    let idioms: Vec<String> = idioms.iter().map(|idiom| format!("{idiom:?}")).collect();
    let mut text = format!("format = 1\nlanguage = {language:?}\nidioms = [{}]\n", idioms.join(", "));
    // As if caught: what is written by hand is asked less.
    for (find, put) in operators {
        text.push_str(&format!("[[operator]]\nfind = {find:?}\nput = {put:?}\ncount = 2\n"));
    }
    for (before, after) in shifts {
        text.push_str(&format!("[[shift]]\nbefore = {before:?}\nafter = {after:?}\ncount = 2\n"));
    }
    read_set(&text, "test").unwrap()
}

/// What every mutant makes of the text, in order of place.
pub fn mutated(set: &OperatorSet, rules: Rules, text: &str) -> Vec<String> {
    let def = builtin(&set.header.language).unwrap();
    let path = PathBuf::from(format!("code.{}", def.file.extensions[0]));
    let target = Target::new(&def, vec![(path, text.as_bytes().to_vec())]);
    let arsenal = Arsenal::new(std::slice::from_ref(set), &def).unwrap();
    let fit = Fit::of(rules, 0.5);
    let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
    let found = inserter.file(0);
    let describer = Describer::new(&inserter, 0);
    let text = |mutant| String::from_utf8(describer.edit(mutant).apply(text.as_bytes())).unwrap();
    found.mutants.iter().map(text).collect()
}

/// An operator makes exactly these texts of a text, wherever it matches.
#[track_caller]
fn makes(language: &str, idioms: &[&str], (find, put): (&str, &str), before: &str, after: &[&str]) {
    assert_eq!(mutated(&set(language, idioms, &[(find, put)], &[]), Rules::NONE, before), after);
}

#[test]
fn figure_3b_loses_a_condition() {
    let operator = (":if .( $1 .&& $_ .)", ":if .( $1 .)");
    makes("c", &[], operator, "\tif (x && y)  // both\n\t\tgo();\n", &["\tif (x)  // both\n\t\tgo();\n"]);
    makes("c", &[], operator, "if( x&&y ) {\r\n}\r\n", &["if( x ) {\r\n}\r\n"]);
    makes("c", &[], operator, "/* if (x && y) */ \"if (x && y)\"", &[]);
}

#[test]
fn figure_3d_compares_with_the_idiom_0() {
    makes("c", &["0"], (":if .( $1 .> $_ .)", ":if .( $1 .> :0 .)"), "if (n > 1)", &["if (n > 0)"]);
}

#[test]
fn figure_4_loses_an_else_a_modulo_and_gains_a_semicolon() {
    makes("c", &[], (".} :else", ".}"), "} else {\n", &["} {\n"]);
    makes(
        "c",
        &[],
        (":while .( $1 .< $2 .)", ":while .( $1 .< $2 .) .;"),
        "while (i < n) f(); g(a, b);",
        &["while (i < n); f(); g(a, b);"],
    );
    makes("c", &[], ("$1 .% $_", "$1"), "x = TMPFILE % 512;", &["x = TMPFILE;"]);
}

#[test]
fn figure_6_operators_do_what_the_figure_shows() {
    let argument = (":return $1 .( $_ ., $2 ., $3 .) .;", ":return $1 .( $2 ., $3 .) .;");
    makes("java", &[], argument, "return solve(f, min, max);", &["return solve(min, max);"]);
    let call = (".+ $_ .. $_ .( $1 .) .+", ".+ $1 .+");
    makes("java", &[], call, "return a + Maps.escape(text) + b;", &["return a + text + b;"]);
    let power = (
        "$1 .. :pow .( :2 .* $1 .. $2 ., .- :0.5 .* $3 .)",
        "$1 .. :pow .( :2 .* $1 .. $2 ., .- $3 ./ :2 .)",
    );
    let idioms = ["pow", "2", "0.5"];
    makes(
        "java",
        &idioms,
        power,
        "FastMath.pow(2 * FastMath.PI, -0.5 * dim)",
        &["FastMath.pow(2 * FastMath.PI, -dim / 2)"],
    );
    makes("java", &idioms, power, "FastMath.pow(2 * Other.PI, -0.5 * dim)", &[]);
    let types = ("$1 .= :new $2 .< $_ ., $3 .> .( .) .;", "$1 .= :new $2 .< $3 ., $3 .> .( .) .;");
    makes(
        "java",
        &[],
        types,
        "map = new HashMap<String, CharSequence>();",
        &["map = new HashMap<CharSequence, CharSequence>();"],
    );
    let product = (":if .( .( $1 .== :0 .) .|| .( $2 .== :0 .) .)", ":if .( $1 .* $2 .== :0 .)");
    makes("java", &["0"], product, "if ((u == 0) || (v == 0)) {", &["if (u * v == 0) {"]);
    let shifts = set("java", &[], &[], &[("indexOf", "lastIndexOf")]);
    assert_eq!(
        mutated(&shifts, Rules::NONE, "a.indexOf(b.lastIndexOf(indexOfDot))"),
        ["a.lastIndexOf(b.lastIndexOf(indexOfDot))", "a.indexOf(b.indexOf(indexOfDot))",]
    );
}

#[test]
fn new_tokens_are_set_as_the_target_sets_its_own() {
    let operator = ("$1 .; ", "$1 .+ :1 .;");
    makes("c", &["1"], operator, "a = b + c;\n", &["a = b + c + 1;\n"]);
    makes("c", &["1"], operator, "a=b+c;\n", &["a=b+c+1;\n"]);
    makes("c", &[], ("$1 .&& $2", "$1 .& $2"), "if (a && b) x = c & d;", &["if (a & b) x = c & d;"]);
    makes("c", &[], (".- $1", ".- .- $1"), "x = -y;", &["x = - -y;"]);
}

#[test]
fn a_deleted_statement_takes_its_line_with_it_and_leaves_comments() {
    let operator = ("$_ .( $_ .) .;", "");
    makes(
        "c",
        &[],
        operator,
        "{\n    f(a); // why\n    g(b);\n}\n",
        &["{ // why\n    g(b);\n}\n", "{\n    f(a); // why\n}\n"],
    );
    makes("c", &[], operator, "{\r\n\tf(a);\r\n\tx = 1;\r\n}\r\n", &["{\r\n\tx = 1;\r\n}\r\n"]);
    makes("c", &[], operator, "for (;;) { f(a); x = 1; }", &["for (;;) { x = 1; }"]);
}

#[test]
fn holes_stand_for_expressions_and_statements() {
    makes(
        "c",
        &[],
        (":if .( $(1) .)", ":if .( .! .( $(1) .) .)"),
        "if (f(a, b) && (c)) g();",
        &["if (!(f(a, b) && (c))) g();"],
    );
    makes("c", &["0"], (":return $(_) .;", ":return :0 .;"), "{ return a[i] + f(x); }", &["{ return 0; }"]);
    makes(
        "c",
        &[],
        (".( $(1) ., $(2) .)", ".( $(2) ., $(1) .)"),
        "f(g(a, b), c);",
        &["f(c, g(a, b));", "f(g(b, a), c);"],
    );
    makes(
        "c",
        &[],
        ("${_}", ""),
        "void f(void) {\n    a = b;\n    if (c) d();\n}\n",
        &[
            "void f(void) {\n    if (c) d();\n}\n",
            "void f(void) {\n    a = b;\n}\n",
            "void f(void) {\n    a = b;\n    if (c)\n}\n",
        ],
    );
    makes(
        "python",
        &[],
        ("${_} ~newline", ":pass ~newline"),
        "def f():\n    g(x)\n",
        &["def f():\n    pass\n"],
    );
}

#[test]
fn the_same_result_is_made_once_and_no_change_never() {
    let both = set(
        "c",
        &["0"],
        &[("$1 .< $2", "$2 .< $1"), ("$1 .<", "$1 .<"), (".< $_", ".< :0"), ("$_ .;", ":0 .;")],
        &[],
    );
    assert_eq!(mutated(&both, Rules::NONE, "x = a < a;"), ["x = a < 0;"]);
    assert_eq!(mutated(&both, Rules::NONE, "x = 0;"), Vec::<String>::new());
    let one_of_two = set("c", &[], &[("$_ .;", ".;"), ("$_", "")], &[]);
    assert_eq!(mutated(&one_of_two, Rules::NONE, "a a;"), ["a;"]);
}

#[test]
fn strings_change_only_by_operators_caught_in_strings() {
    let text = "format = 1\nlanguage = \"c\"\nidioms = [\"0\"]\n[[operator]]\nfind = \"$1 .;\"\nput = \":0 .;\"\ncount = 3\nbinds = [{ BIND = 3 }]\n";
    let binding = |kind: &str| read_set(&text.replace("BIND", kind), "test").unwrap();
    let code = "x = \"text\";";
    assert_eq!(mutated(&binding("identifier"), Rules::NONE, code), Vec::<String>::new());
    assert_eq!(mutated(&binding("string"), Rules::NONE, code), ["x = 0;"]);
}

#[test]
fn a_written_hole_does_not_stand_for_a_literal_that_has_its_own_operators() {
    let text = "format = 1\nlanguage = \"c\"\nidioms = [\"0\"]\n[[operator]]\nfind = \"$1\"\nput = \".( $1 .- :0 .)\"\nbinds = [[\"number\"]]\n";
    let set = read_set(text, "test").unwrap();
    assert_eq!(mutated(&set, Rules::NONE, "x = 7; y = 0;"), ["x = (7 - 0); y = 0;"]);
}

fn sample(language: &str) -> (LangDef, Vec<u8>) {
    let def = builtin(language).unwrap();
    let file = format!("tests/samples/{language}.{}", def.file.extensions[0]);
    let text = std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    (def, text)
}

/// The tokens of a text that are code, as texts.
fn tokens(def: &LangDef, text: &[u8]) -> Vec<Vec<u8>> {
    let code = |token: &wildcaught::lex::Token| !token.kind.is_trivia() && !token.kind.is_layout();
    Lexer::new(def, text, Start::File).filter(code).map(|token| token.span.of(text).to_vec()).collect()
}

#[test]
fn every_classic_set_finds_something_and_its_text_reads_as_meant() {
    for name in builtin_names() {
        let (def, text) = sample(name);
        let shipped = shipped_text(&format!("classic-{name}")).unwrap_or_else(|| panic!("no set for {name}"));
        let set = read_set(shipped, name).unwrap();
        let target = Target::new(&def, vec![(PathBuf::from("sample"), text.clone())]);
        let arsenal = Arsenal::new(&[set], &def).unwrap();
        let fit = Fit::of(Rules::NONE, 0.0);
        let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
        let found = inserter.file(0);
        assert!(found.mutants.len() > 20, "{name}: {}", found.mutants.len());
        let before = tokens(&def, &text);
        let describer = Describer::new(&inserter, 0);
        for mutant in found.mutants.iter().step_by(7) {
            let edit = describer.edit(mutant);
            let after = tokens(&def, &edit.apply(&text));
            assert_ne!(after, before, "{name}: {edit:?} changes nothing");
        }
    }
    assert!(shipped_names().count() >= 18);
}

/// The sources of a language in `tests/targets` and `tests/samples`.
fn sources(def: &LangDef) -> Vec<(PathBuf, Vec<u8>)> {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    let entries = ["targets", "samples"].into_iter().flat_map(|part| {
        walkdir::WalkDir::new(tests.join(part)).sort_by_file_name().into_iter().map(Result::unwrap)
    });
    let wanted = |path: &std::path::Path| {
        path.extension().is_some_and(|end| def.file.extensions.iter().any(|known| end == known.as_str()))
    };
    entries
        .map(walkdir::DirEntry::into_path)
        .filter(|path| wanted(path))
        .map(|path| (path.clone(), std::fs::read(&path).unwrap()))
        .collect()
}

/// The edits of every file, in order, and the figures of the funnel that do not add up.
fn edits(def: &LangDef, sets: &[OperatorSet], rules: Rules) -> Vec<BTreeSet<(u32, u32, Vec<u8>)>> {
    let target = Target::new(def, sources(def));
    let arsenal = Arsenal::new(sets, def).unwrap();
    let fit = Fit { density: Density::All, ..Fit::of(rules, 0.5) };
    let inserter = Inserter { def, arsenal: &arsenal, target: &target, fit };
    let one = |file: usize| {
        let found = inserter.file(file);
        let ended = found.mutants.len() as u64
            + found.same
            + found.excluded
            + found.duplicates
            + found.strings
            + found.unlikely
            + found.rejected.values().sum::<u64>();
        assert_eq!(ended, found.sites, "every place ends in one figure of the funnel");
        let text = |new| new_text(&target.files[file], &arsenal.literals, new);
        let key = |mutant: &Mutant| {
            let edit = &mutant.edit;
            let words: Vec<&[u8]> = edit.new.iter().map(|new| text(*new)).collect();
            (edit.from, edit.to, words.join(&b' '))
        };
        found.mutants.iter().map(key).collect()
    };
    (0..target.files.len()).map(one).collect()
}

/// Whether an offset is at the edge of tokens, not inside of one.
fn is_edge(def: &LangDef, text: &[u8], offset: usize) -> bool {
    let code = |token: &wildcaught::lex::Token| !token.kind.is_trivia() && !token.kind.is_layout();
    let inside = |token: wildcaught::lex::Token| {
        (token.span.start as usize) < offset && offset < token.span.end as usize
    };
    !Lexer::new(def, text, Start::File).filter(code).any(inside)
}

#[test]
fn a_mutant_replaces_whole_tokens() {
    let set = set("c", &[], &[], &[("line", "file")]);
    let (def, text) = (builtin("c").unwrap(), "if (!fgets(line, 9, f)) g(xline <= 2);");
    let target = Target::new(&def, vec![(PathBuf::from("x.c"), text.into())]);
    let arsenal = Arsenal::new(&[set], &def).unwrap();
    let fit = Fit::of(Rules::NONE, 0.0);
    let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
    let edit = Describer::new(&inserter, 0).edit(&inserter.file(0).mutants[0]);
    assert_eq!((&text[edit.start..edit.end], &edit.text[..]), ("line", &b"file"[..]));

    for name in builtin_names() {
        let (def, text) = sample(name);
        let set = read_set(shipped_text(&format!("classic-{name}")).unwrap(), name).unwrap();
        let target = Target::new(&def, vec![(PathBuf::from("sample"), text.clone())]);
        let arsenal = Arsenal::new(&[set], &def).unwrap();
        let fit = Fit::of(Rules::NONE, 0.0);
        let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
        let presenter = Describer::new(&inserter, 0);
        for mutant in inserter.file(0).mutants.iter().step_by(11) {
            let edit = presenter.edit(mutant);
            let after = edit.apply(&text);
            for (text, end) in [(&text, edit.end), (&after, edit.start + edit.text.len())] {
                let whole = is_edge(&def, text, edit.start) && is_edge(&def, text, end);
                assert!(whole, "{name}: {edit:?} cuts a token");
            }
        }
    }
}

/// A set as if it had been caught: the same operators, held to what the wild is held to.
fn caught(set: &OperatorSet) -> OperatorSet {
    let mut set = set.clone();
    set.operators.iter_mut().for_each(|operator| operator.evidence.count = 2);
    set
}

#[test]
fn more_sets_never_make_fewer_mutants() {
    for name in builtin_names() {
        let def = builtin(name).unwrap();
        let shipped = |kind: &str| Some(read_set(shipped_text(&format!("{kind}-{name}"))?, kind).unwrap());
        let classic = shipped("classic").unwrap();
        let wild = shipped("wild").unwrap_or_else(|| caught(&classic));
        for rules in [Rules::sane(), Rules::strict(), Rules::NONE] {
            let alone = edits(&def, std::slice::from_ref(&classic), rules);
            let wilds = edits(&def, std::slice::from_ref(&wild), rules);
            for order in [[wild.clone(), classic.clone()], [classic.clone(), wild.clone()]] {
                let all = edits(&def, &order, rules);
                for (file, all) in all.iter().enumerate() {
                    for (set, few) in [("classic", &alone[file]), ("wild", &wilds[file])] {
                        let lost: Vec<_> = few.difference(all).collect();
                        assert!(
                            lost.is_empty(),
                            "{name}, file {file}: {} of {} of {set} are lost, such as {:?}",
                            lost.len(),
                            few.len(),
                            lost[0]
                        );
                    }
                }
            }
        }
    }
}

/// Small programs of a few tokens, so that patterns match and overlap.
fn code() -> impl Strategy<Value = String> {
    let token =
        prop::sample::select(vec!["a", "b", "c", "1", "(", ")", "+", "<", ";", ",", "if", "{", "}", "\n"]);
    prop::collection::vec(token, 0..40).prop_map(|tokens| tokens.join(" "))
}

fn operators() -> impl Strategy<Value = Vec<Operator>> {
    let term = || {
        prop::sample::select(vec![
            "$1", "$2", "$_", ".(", ".)", ".+", ".<", ".;", ":if", ":a", ":1", "$(3) .)", "${4}",
        ])
    };
    let find = prop::collection::vec(term(), 1..5).prop_map(|terms| terms.join(" "));
    let operator =
        find.prop_map(|find| Operator::new(parse_terms(&find).unwrap(), vec![], Evidence::default()));
    prop::collection::vec(operator, 1..12)
}

proptest! {
    #[test]
    fn one_pass_finds_what_trying_every_operator_everywhere_finds(code in code(), operators in operators()) {
        let def = builtin("c").unwrap();
        let target = Target::new(&def, vec![(PathBuf::from("x.c"), code.into_bytes())]);
        let view = target.view(0);
        let mut found = Vec::new();
        Index::new(operators.iter()).matches(view, |_| true, |operator, start, end, bounds| {
            found.push((operator as usize, start, end, bounds.to_vec()));
        });
        found.sort();
        let mut scanned = Vec::new();
        for (number, operator) in operators.iter().enumerate() {
            for start in 0..view.file.tokens.len() {
                if let Some((end, bounds)) = scan(view, operator.find(), start) {
                    scanned.push((number, start, end, bounds.to_vec()));
                }
            }
        }
        prop_assert_eq!(found, scanned);
    }

    #[test]
    fn the_text_of_a_mutant_lexes_to_its_tokens(code in code(), put in prop::collection::vec(prop::sample::select(vec!["$1", ".+", ".<", ".-", ":if", ":1", ".(", ".&"]), 0..5)) {
        let operator = ("$1", put.join(" "));
        let set = set("c", &["1"], &[(operator.0, &operator.1)], &[]);
        let def = builtin("c").unwrap();
        let before = tokens(&def, code.as_bytes());
        let target = Target::new(&def, vec![(PathBuf::from("x.c"), code.clone().into_bytes())]);
        let arsenal = Arsenal::new(&[set], &def).unwrap();
        let fit = Fit::of(Rules::NONE, 0.0);
        let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
        let describer = Describer::new(&inserter, 0);
        for mutant in &inserter.file(0).mutants {
            let edit = &mutant.edit;
            let text = describer.edit(mutant).apply(code.as_bytes());
            let after = tokens(&def, &text);
            let (from, to) = (edit.from as usize, edit.to as usize);
            prop_assert_eq!(after.len(), before.len() - (to - from) + edit.new.len());
            prop_assert_eq!(&after[..from], &before[..from]);
            prop_assert_eq!(&after[from + edit.new.len()..], &before[to..]);
        }
    }
}

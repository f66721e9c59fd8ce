//! Mutants as text: the lexer reads exactly the tokens that were meant.

use std::path::PathBuf;

use wildcaught::insert::Arsenal;
use wildcaught::insert::Describer;
use wildcaught::insert::Fit;
use wildcaught::insert::Inserter;
use wildcaught::insert::Mutant;
use wildcaught::insert::Piece;
use wildcaught::insert::Rules;
use wildcaught::insert::Setter;
use wildcaught::insert::Target;
use wildcaught::insert::new_text;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;
use wildcaught::langdef::builtin_names;
use wildcaught::lex::Lexer;
use wildcaught::lex::Start;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::read_set;
use wildcaught::operator::shipped_text;

/// Unfit mutants are rendered too: what is written by hand is held to few rules.
fn fit() -> Fit {
    Fit { keep_unfit: true, ..Fit::of(Rules::NONE, 0.0) }
}

/// A small program per language with a minus after a keyword, and tokens that must not grow together.
const PROGRAMS: [(&str, &str); 6] = [
    ("c", "int f(int *p) { if (p) return -1; return 2 - -*p / 2; }\n"),
    ("cpp", "int f(int *p) { if (p) return -1; return 2 - -*p / 2; }\n"),
    ("go", "package p\n\nfunc f(p *int) int {\n\tif p == nil {\n\t\treturn -1\n\t}\n\treturn 2 - -*p\n}\n"),
    ("java", "class C { int f(int p) { if (p > 0) return -1; return 2 - -p; } }\n"),
    ("python", "def f(p):\n    if p:\n        return -1\n    return 2 - -p\n"),
    ("rust", "fn f(p: &i32) -> i32 { if *p > 0 { return -1; } 2 - -*p }\n"),
];

/// The tokens of a text that are code.
fn tokens(def: &LangDef, text: &[u8], start: Start) -> Vec<Vec<u8>> {
    let code = |token: &wildcaught::lex::Token| !token.kind.is_trivia() && !token.kind.is_layout();
    Lexer::new(def, text, start).filter(code).map(|token| token.span.of(text).to_vec()).collect()
}

/// The tokens of a piece of the file as a mutant means them.
fn meant(inserter: &Inserter, mutant: &Mutant, piece: Piece) -> Vec<Vec<u8>> {
    let file = &inserter.target.files[mutant.file];
    let old = |range: std::ops::Range<u32>| {
        let code = range.filter(|at| !file.tokens[*at as usize].kind.is_layout());
        code.map(|at| file.token(at as usize).to_vec()).collect::<Vec<_>>()
    };
    let new = mutant.edit.new.iter().map(|new| new_text(file, &inserter.arsenal.literals, *new).to_vec());
    let new = new.filter(|text| !text.trim_ascii().is_empty()).collect::<Vec<_>>();
    [old(piece.start..mutant.edit.from), new, old(mutant.edit.to..piece.end)].concat()
}

fn shipped(name: &str) -> Vec<OperatorSet> {
    let sets = ["classic", "wild"].map(|kind| shipped_text(&format!("{kind}-{name}")));
    sets.into_iter().flatten().map(|text| read_set(text, name).unwrap()).collect()
}

/// Renders every mutant of a text, in the file and as a version of a piece; says what is not as meant.
fn misread(def: &LangDef, sets: &[OperatorSet], text: &[u8]) -> Vec<String> {
    let target = Target::new(def, vec![(PathBuf::from("sample"), text.to_vec())]);
    let arsenal = Arsenal::new(sets, def).unwrap();
    let inserter = Inserter { def, arsenal: &arsenal, target: &target, fit: fit() };
    let describer = Describer::new(&inserter, 0);
    let view = target.view(0);
    let setter =
        Setter { def, facts: &target.facts, view, literals: &arsenal.literals, kinds: &arsenal.kinds };
    let whole = Piece { start: 0, end: target.files[0].tokens.len() as u32 };
    let mut wrong = Vec::new();
    for mutant in &inserter.file(0).mutants {
        let meant = meant(&inserter, mutant, whole);
        if tokens(def, &meant.join(&b' '), Start::File) != meant {
            continue; // No text reads so, such as a division where only a regular expression can stand.
        }
        let edit = describer.edit(mutant);
        let plain = tokens(def, &edit.apply(text), Start::File);
        let switched = tokens(def, &setter.within(&mutant.edit, whole), Start::File);
        let switched = if def.file.switch.is_given() { switched } else { meant.clone() };
        for (how, read) in [("plain", plain), ("switched", switched)] {
            if read != meant {
                let at = read.iter().zip(&meant).position(|(read, meant)| read != meant).unwrap_or(0);
                let here = |of: &[Vec<u8>]| {
                    String::from_utf8_lossy(&of[at.saturating_sub(2)..of.len().min(at + 3)].join(&b' '))
                        .into_owned()
                };
                wrong.push(format!("{how} {edit:?}: {} for {}", here(&read), here(&meant)));
            }
        }
    }
    wrong
}

#[test]
fn a_minus_that_goes_leaves_two_tokens() {
    for (language, text) in PROGRAMS {
        let def = builtin(language).unwrap();
        let wrong = misread(&def, &shipped(language), text.as_bytes());
        assert!(wrong.is_empty(), "{language}: {} such as {}", wrong.len(), wrong[0]);
    }
}

#[test]
fn every_mutant_of_the_samples_is_read_as_it_was_meant() {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut all = Vec::new();
    for name in builtin_names() {
        let def = builtin(name).unwrap();
        let text = std::fs::read(samples.join(format!("{name}.{}", def.file.extensions[0])));
        let text = text.unwrap_or_else(|error| panic!("{name}: {error}"));
        let wrong = misread(&def, &shipped(name), &text);
        all.extend(wrong.iter().take(5).map(|wrong| format!("{name} ({}): {wrong}", wrong.len())));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

//! Every built-in language loads, and reads its sample as the golden file beside it says.

use std::collections::BTreeSet;
use std::fs;

use wildcaught::langdef::LangDef;
use wildcaught::lex::TokenKind;

use crate::samples;

#[test]
fn every_language_reads_its_sample_as_its_golden_file_says() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = String::new();
    for def in samples::languages() {
        let found = samples::dump(def, &samples::sample(def));
        let golden = samples::path(def, "tokens");
        if bless {
            fs::write(&golden, &found).expect("tests/samples is writable");
        }
        let wanted = fs::read_to_string(&golden).unwrap_or_default();
        if wanted != found {
            let patch = diffy::create_patch(&wanted, &found);
            wrong.push_str(&format!("{} (BLESS=1 rewrites it)\n{patch}\n", golden.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn no_sample_has_an_unknown_or_a_broken_token() {
    for def in samples::languages() {
        let text = samples::sample(def);
        for token in samples::tokens(def, &text) {
            let shown = token.span.of(&text).escape_ascii();
            assert!(!token.broken, "{}: broken at {}: {shown}", def.name(), token.span.start);
            let known = token.kind != TokenKind::Unknown;
            assert!(known, "{}: unknown at {}: {shown}", def.name(), token.span.start);
        }
    }
}

#[test]
fn a_language_is_named_like_its_file() {
    let names: Vec<_> = samples::languages().iter().map(|def| def.name().to_owned()).collect();
    let files: Vec<_> = wildcaught::langdef::builtin_names().map(str::to_owned).collect();
    assert_eq!(names, files);
}

#[test]
fn no_list_of_a_language_has_a_word_twice() {
    for def in samples::languages() {
        let file = &def.file;
        for list in [&file.keywords, &file.operators, &file.extensions, &file.operands.ends] {
            let mut seen = BTreeSet::new();
            for word in list {
                assert!(seen.insert(word), "{}: {word:?} is listed twice", def.name());
            }
        }
    }
}

#[test]
fn a_language_owns_files_by_their_ending() {
    let cpp = wildcaught::langdef::builtin("cpp").expect("built in");
    assert!(cpp.owns(b"src/a.hpp") && cpp.owns(b"a.c++") && cpp.owns(b"a.h"));
    assert!(!cpp.owns(b"a.c") && !cpp.owns(b"hpp") && !cpp.owns(b"a.hppx"));
}

#[test]
fn a_definition_that_cannot_work_is_refused_with_the_place_and_a_remedy() {
    let base = "format = 1\nname = \"x\"\ntitle = \"X\"\nextensions = [\"x\"]\nkeywords = [\"if\"]\n\
                operators = [\"(\", \")\", \".\"]\nbrackets = [[\"(\", \")\"]]\n";
    let cases = [
        ("statement_ends = [\";\"]", "\";\" is not an operator; add it to operators"),
        ("[identifiers]\nmembers = [\"->\"]", "\"->\" is not an operator; add it to operators"),
        ("[operands]\nends = [\"this\"]", "add it to operators or to keywords"),
        ("[[quote]]\nopen = \"'\"\ninterpolation = [[\"${\", \"}\"]]", "whose close is not a bracket"),
        ("[[quote]]\nopen = \"'\"\nprefix_required = true", "requires a prefix but lists none"),
        ("[[comment]]\nopen = \"(\"\nnested = true", "is nested but lacks close"),
        ("[island]\nopen = []\nclose = \"?>\"", "an island lacks open or close"),
        ("[island]\nopen = [\"<?\", \"%\"]\nclose = \"?>\"", "begin with different characters"),
        (
            "[syntax]\nblocks = [\"try\"]",
            "\"try\" under [syntax] blocks is not a keyword; add it to keywords",
        ),
        ("colour = 1", "unknown field `colour`"),
    ];
    LangDef::parse(base, "base").expect("the base is fine");
    for (more, wanted) in cases {
        let error = LangDef::parse(&format!("{base}{more}\n"), "mine.toml").expect_err(more).to_string();
        assert!(error.starts_with("mine.toml: ") && error.contains(wanted), "{more}: {error}");
    }
}

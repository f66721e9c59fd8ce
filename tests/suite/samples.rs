//! The sample of each built-in language: plausible code with every hard lexical feature in it.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use proptest::test_runner::Config;

use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;
use wildcaught::langdef::builtin_names;
use wildcaught::lex::Lexer;
use wildcaught::lex::Start;
use wildcaught::lex::Token;

/// Every built-in language, read once for all tests.
pub fn languages() -> &'static [LangDef] {
    static LANGUAGES: LazyLock<Vec<LangDef>> = LazyLock::new(|| {
        builtin_names().map(|name| builtin(name).expect("listed languages exist")).collect()
    });
    &LANGUAGES
}

pub fn path(def: &LangDef, extension: &str) -> PathBuf {
    let file = format!("tests/samples/{}.{extension}", def.name());
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file)
}

pub fn sample(def: &LangDef) -> Vec<u8> {
    let path = path(def, &def.file.extensions[0]);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}; every language has a sample", path.display()))
}

pub fn tokens(def: &LangDef, text: &[u8]) -> Vec<Token> {
    Lexer::new(def, text, Start::File).collect()
}

/// One line per token that is not white space: its kind, its marks, its text escaped.
pub fn dump(def: &LangDef, text: &[u8]) -> String {
    let mut lines = String::new();
    for token in tokens(def, text).iter().filter(|token| token.kind.name() != "space") {
        let mark = if token.directive { "#" } else { "" };
        let broken = if token.broken { " broken" } else { "" };
        let shown = token.span.of(text).escape_ascii();
        lines.push_str(format!("{}{mark}{broken} {shown}", token.kind.name()).trim_end());
        lines.push('\n');
    }
    lines
}

/// So many cases, and no file written on failure: what fails becomes a test with a name.
pub fn cases(count: u32) -> Config {
    Config { cases: count, failure_persistence: None, ..Config::default() }
}

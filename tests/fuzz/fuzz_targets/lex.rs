//! Whatever the bytes, the tokens laid end to end are the input, in every built-in language.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;
use wildcaught::langdef::builtin_names;
use wildcaught::lex::Lexer;
use wildcaught::lex::Start;

static LANGUAGES: LazyLock<Vec<LangDef>> = LazyLock::new(|| builtin_names().filter_map(builtin).collect());

fuzz_target!(|text: &[u8]| {
    for def in LANGUAGES.iter() {
        let mut end = 0;
        for token in Lexer::new(def, text, Start::File) {
            assert_eq!(token.span.start, end, "{}", def.name());
            assert!(token.span.end >= token.span.start);
            end = token.span.end;
        }
        assert_eq!(end as usize, text.len(), "{}", def.name());
    }
});

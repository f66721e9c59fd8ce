//! Language definitions: one that is accepted lexes any text without loss.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::import;
use wildcaught::lex::Lexer;
use wildcaught::lex::Start;

const SAMPLE: &[u8] = b"int f(a) {\n\tif (x == 0x1f && y != \"s\\\"t\") { /* c // */ return 'a'; }\n  # note\n  r#\"raw\"#\n}\n\xff\xc3\xa9";

fuzz_target!(|text: &str| {
    if let Ok(def) = LangDef::parse(text, "fuzz") {
        for sample in [SAMPLE, text.as_bytes()] {
            let mut end = 0;
            for token in Lexer::new(&def, sample, Start::File) {
                assert_eq!(token.span.start, end);
                end = token.span.end;
            }
            assert_eq!(end as usize, sample.len());
        }
    }
    drop(import(text, "fuzz", &["x".to_owned()], "fuzz"));
});

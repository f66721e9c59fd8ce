//! A lexer resumed where another one stood on ground reads the same tokens: what harvesting relies on
//! when it lexes only the changed part of a file.

use proptest::prelude::*;

use wildcaught::langdef::LangDef;
use wildcaught::lex::Lexer;
use wildcaught::lex::Start;
use wildcaught::lex::Token;

use crate::lex::soup;
use crate::samples;

/// Resumes at every ground position of `text` and compares; returns how many there were.
fn check(def: &LangDef, text: &[u8]) -> usize {
    let mut lexer = Lexer::new(def, text, Start::File);
    let mut tokens: Vec<Token> = Vec::new();
    let mut grounds = Vec::new();
    loop {
        if lexer.is_ground() {
            grounds.push((lexer.position(), tokens.len()));
        }
        match lexer.next() {
            Some(token) => tokens.push(token),
            None => break,
        }
    }
    for &(position, index) in &grounds {
        let resumed: Vec<Token> = Lexer::resume(def, text, position, Start::Code).collect();
        let shown = text.escape_ascii();
        assert_eq!(resumed, tokens[index..], "{}: resumed at {position} of {shown}", def.name());
    }
    grounds.len()
}

/// What stands before a ground position has no say in how the text goes on.
fn check_cut(def: &LangDef, text: &[u8]) {
    let mut lexer = Lexer::new(def, text, Start::File);
    loop {
        let at = lexer.position();
        // Only at the start of a text is a byte order mark one.
        let marked = text[at..].starts_with(b"\xef\xbb\xbf");
        if lexer.is_ground() && at > 0 && text[at - 1] == b'\n' && !marked {
            let rest: Vec<_> =
                Lexer::resume(def, text, at, Start::Code).map(|t| (t.kind, t.broken)).collect();
            let cut: Vec<_> = Lexer::new(def, &text[at..], Start::Code).map(|t| (t.kind, t.broken)).collect();
            assert_eq!(rest, cut, "{}: cut at {at} of {}", def.name(), text.escape_ascii());
        }
        if lexer.next().is_none() {
            return;
        }
    }
}

#[test]
fn every_sample_can_be_resumed_at_many_places() {
    for def in samples::languages() {
        let text = samples::sample(def);
        let grounds = check(def, &text);
        let indented = def.layout() == wildcaught::langdef::Layout::Indented;
        assert!(indented || grounds > 10, "{}: only {grounds} places to resume at", def.name());
        check_cut(def, &text);
    }
}

#[test]
fn a_keyword_after_a_dot_at_a_line_end_is_no_place_to_resume_at() {
    let def = &wildcaught::langdef::builtin("javascript").expect("built in");
    check(def, b"promise.\n  catch(e => {})\n");
}

proptest! {
    #![proptest_config(samples::cases(400))]

    #[test]
    fn soup_can_be_resumed_wherever_the_lexer_stands_on_ground(text in soup(60)) {
        for def in samples::languages() {
            check(def, &text);
            check_cut(def, &text);
        }
    }

    #[test]
    fn samples_with_soup_in_them_can_be_resumed(at in 0usize..4000, text in soup(12)) {
        for def in samples::languages() {
            let mut mixed = samples::sample(def);
            let at = at % mixed.len();
            mixed.splice(at..at, text.iter().copied());
            // Resuming at every line of a sample is quadratic: a window around the soup is enough.
            mixed.truncate(at + text.len() + 200);
            mixed.drain(..at.saturating_sub(200));
            check(def, &mixed);
        }
    }
}

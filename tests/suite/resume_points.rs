//! What is known of one version of a file carries over to the next, in every language.

use proptest::prelude::*;

use wildcaught::history::ResumePoints;
use wildcaught::history::blocks;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::Layout;
use wildcaught::langdef::builtin;
use wildcaught::langdef::builtin_names;
use wildcaught::lex::Lexer;
use wildcaught::lex::Start;
use wildcaught::lex::Token;
use wildcaught::lex::TokenKind;

/// Lines that open and close what runs over lines.
const LINES: [&str; 22] = [
    "x = y;",
    "/* open",
    "close */",
    "// line",
    "\"text\"",
    "\"open",
    "`back",
    "`",
    "\"\"\"",
    "'''",
    "#define A \\",
    "  more \\",
    "#if X",
    "",
    "{",
    "}",
    "r#\"raw",
    "\"#",
    "--[[",
    "]]",
    "call(a, b); /* c */ d();",
    "R\"z(",
];

fn text(picks: &[usize]) -> String {
    picks.iter().map(|&pick| format!("{}\n", LINES[pick % LINES.len()])).collect()
}

/// The tokens from `from` on, white space left out, which a beginning may cut. Layout is left out where a fragment knows less about it: indentation, and the
/// end of a directive that the end of the file cuts off.
fn tokens_from(def: &LangDef, text: &[u8], begin: usize, from: usize) -> Vec<Token> {
    let start = if begin == 0 { Start::File } else { Start::Code };
    Lexer::resume(def, text, begin, start)
        .filter(|token| token.span.start as usize >= from && token.kind != TokenKind::Space)
        .filter(|token| {
            !token.kind.is_layout() || def.layout() != Layout::Indented && token.span.start < token.span.end
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_ground_of_a_neighbour_is_the_ground_of_a_fresh_look(
        after in prop::collection::vec(0..LINES.len(), 0..25),
        edits in prop::collection::vec((0..25usize, 0..3usize, prop::collection::vec(0..LINES.len(), 0..3)), 0..4),
    ) {
        let mut before = after.clone();
        for (at, removed, added) in edits {
            let at = at.min(before.len());
            let end = (at + removed).min(before.len());
            before.splice(at..end, added);
        }
        let (old, new) = (text(&before), text(&after));
        let found = blocks(old.as_bytes(), new.as_bytes());
        for name in builtin_names() {
            let def = builtin(name).unwrap();
            let carried = ResumePoints::of(&def, new.as_bytes()).of_neighbour(&def, old.as_bytes(), &found);
            prop_assert_eq!(carried, ResumePoints::of(&def, old.as_bytes()), "{}: {:?} {:?}", name, old, new);
        }
    }

    #[test]
    fn a_lexer_that_begins_on_ground_sees_what_a_whole_reading_sees(
        picks in prop::collection::vec(0..LINES.len(), 0..25),
        at in 0..400usize,
    ) {
        let text = text(&picks);
        let bytes = text.as_bytes();
        let at = at.min(bytes.len());
        for name in builtin_names() {
            let def = builtin(name).unwrap();
            let begin = ResumePoints::of(&def, bytes).resume_point(bytes, at);
            prop_assert!(begin <= at);
            let (some, all) = (tokens_from(&def, bytes, begin, begin), tokens_from(&def, bytes, 0, begin));
            prop_assert_eq!(some, all, "{} from {} of {:?}", name, begin, text);
        }
    }
}

use wildcaught::langdef::builtin;
use wildcaught::lex::Lexer;
use wildcaught::lex::Start;

#[test]
fn tokens_of_c() {
    let def = builtin("c").unwrap();
    let text = b"#include <stdio.h>\n#define X(a) \\\n  a##b\nint main(void) { return L\"x\\\"\" + 1.5e-3f ? 'a' : x->y >>= 1'000; } /* c */ // d\n";
    for t in Lexer::new(&def, text, Start::File) {
        println!("{:?} {:?} {}", t.kind, String::from_utf8_lossy(t.span.of(text)), t.directive);
    }
}

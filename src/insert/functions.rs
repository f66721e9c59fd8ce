//! Where the functions of a file are, in lines instead of tokens.

use std::path::PathBuf;

use crate::langdef::LangDef;
use crate::text::FunctionLines;
use crate::text::LineIndex;

use super::source::SourceFile;
use super::structure::NONE;
use super::structure::Structure;
use super::syntax::Syntax;

/// The functions of a text that have a name, in the order in which they begin.
pub fn function_lines(def: &LangDef, text: &[u8]) -> Vec<FunctionLines> {
    let file = SourceFile::new(def, PathBuf::new(), text.to_vec());
    let structure = Structure::new(def, &Syntax::new(def), &file);
    let lines = LineIndex::new(text);
    let mut found: Vec<FunctionLines> = Vec::new();
    for function in structure.functions.iter().filter(|function| function.name != NONE) {
        let close = match structure.mate[function.body as usize] {
            NONE => file.tokens.len().saturating_sub(1),
            close => close as usize,
        };
        let line = |at: usize| lines.place(at).line as u32;
        let first = line(file.tokens[function.head as usize].span.start as usize);
        // Where indentation ends a block, layout stands behind its last token, blank lines in between.
        let is_code = |at: &usize| !file.tokens[*at].kind.is_layout();
        let end = (function.body as usize..=close).rev().find(is_code).unwrap_or(close);
        let last = line((file.tokens[end].span.end as usize).saturating_sub(1));
        let name = String::from_utf8_lossy(file.token(function.name as usize)).into_owned();
        found.push(FunctionLines { first, last: last.max(first), name });
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::langdef::builtin;

    fn shown(language: &str, text: &str) -> Vec<String> {
        let found = function_lines(&builtin(language).unwrap(), text.as_bytes());
        found.iter().map(|found| format!("{} {}-{}", found.name, found.first, found.last)).collect()
    }

    #[test]
    fn functions_span_their_lines() {
        let c = "int a;\nstatic int\nf(int x)\n{\n  if (x) { x++; }\n  return x;\n}\n\nint g(void) { return 1; }\n";
        assert_eq!(shown("c", c), ["f 2-7", "g 9-9"]);
        let rust = "struct S;\nimpl S {\n    fn one(&self) -> u8 {\n        1\n    }\n}\n";
        assert_eq!(shown("rust", rust), ["one 3-5"]);
    }

    #[test]
    fn indented_functions_end_where_their_last_line_does() {
        assert_eq!(
            shown("python", "def f(x):\n    y = x\n    return y\n\n\ndef g():\n    pass\n"),
            ["f 1-3", "g 6-7"]
        );
    }

    #[test]
    fn methods_and_arrow_functions_are_found_without_a_keyword() {
        let script = "class A extends B {\n  static of(n) { return new A(n); }\n  get x() {\n    if (this.y) { return 1; }\n    return 2;\n  }\n  \
                      async *'a b'(q) { yield q; }\n  #own(a) { return f({ b: 1, c(d) { return d; } }); }\n}\nconst clamp = (x, low) => {\n  while (x) { x--; }\n  \
                      return { x, low };\n};\nif (clamp) { clamp(1); }\nlist.map(x => { return x; });\n";
        assert_eq!(shown("javascript", script), ["of 2-2", "x 3-6", "#own 8-8", "c 8-8", "clamp 10-13"]);
        let typed = "export class A<T> {\n  constructor(private readonly n: number) { super(); }\n  add<U>(x: Map<string, U>): Promise<{ a: U }[]> {\n    return x;\n  }\n}\n\
                     const f = async (a: { b: number }): Promise<void> => {\n  await a;\n};\ninterface I { g(a: number): void }\n";
        assert_eq!(shown("typescript", typed), ["constructor 2-2", "add 3-5", "f 7-9"]);
    }
}

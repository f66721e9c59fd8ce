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
}

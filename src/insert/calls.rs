//! Calls that are skipped by name: logging, metrics, and others that tests need not check.

use std::ops::Range;

use regex::bytes::Regex;

use crate::lex::TokenKind;

use super::index::View;
use super::structure::NONE;

/// What stands between the names of a chain: `a.b`, `a::b`, `a->b`, `a?.b`.
const BETWEEN: [&[u8]; 5] = [b".", b"::", b"->", b"?", b"?."];

/// Names of calls: `printf`, `log.info`, `metrics.*`, `log::*!`. The end of a longer chain is enough: `log.info` also
/// names `self.log.info`.
#[derive(Clone, Debug)]
pub struct CallPattern {
    /// As it was written.
    pub text: String,
    expression: Regex,
}

impl CallPattern {
    /// From a name in which `*` stands for any text; the error says what is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        let plain = |letter: char| letter.is_alphanumeric() || "_.:->?!*$".contains(letter);
        if text.trim_matches('*').is_empty() || !text.chars().all(plain) {
            return Err(format!(
                "{text:?} is not a call name; write a name such as log.info, printf or metrics.*"
            ));
        }
        let parts: Vec<String> = text.split('*').map(regex::escape).collect();
        let source = format!("(?:^|\\.|::|->|\\?)(?:{})$", parts.join(".*"));
        let expression = Regex::new(&source).map_err(|error| error.to_string())?;
        Ok(Self { text: text.to_owned(), expression })
    }

    fn names(&self, chain: &[u8]) -> bool {
        self.expression.is_match(chain)
    }
}

/// The calls of a file that patterns name: their tokens, with the mark that ends a statement behind them, and the
/// pattern.
pub fn named_calls<'p>(view: View, patterns: &'p [CallPattern]) -> Vec<(Range<usize>, &'p CallPattern)> {
    let mut found = Vec::new();
    if patterns.is_empty() {
        return found;
    }
    for open in (1..view.file.tokens.len()).filter(|at| view.file.token(*at) == b"(") {
        let Some((start, chain)) = chain(view, open) else { continue };
        let close = view.structure.mate[open];
        let Some(pattern) = patterns.iter().find(|pattern| pattern.names(&chain)) else { continue };
        if close == NONE || (close as usize) < open {
            continue;
        }
        let end = close as usize + 1;
        let ends = view.file.syms.get(end).is_some_and(|sym| view.syntax.ends.contains(sym));
        found.push((start..end + usize::from(ends), pattern));
    }
    found
}

/// What is called before a bracket: where it begins, and its text without spaces.
fn chain(view: View, open: usize) -> Option<(usize, Vec<u8>)> {
    let file = view.file;
    let is_name = |at: usize| matches!(file.tokens[at].kind, TokenKind::Identifier | TokenKind::Keyword);
    let mut start = open.checked_sub(1)?;
    if file.token(start) == b"!" {
        start = start.checked_sub(1)?;
    }
    if file.tokens[start].kind != TokenKind::Identifier {
        return None;
    }
    while let Some(between) = start.checked_sub(1).filter(|at| BETWEEN.contains(&file.token(*at))) {
        let mut before = between;
        while before > 0 && BETWEEN.contains(&file.token(before)) {
            before -= 1;
        }
        if !is_name(before) {
            break;
        }
        start = before;
    }
    Some((start, (start..open).flat_map(|at| file.token(at).iter().copied()).collect()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::skip::Skips;
    use super::super::skip::Why;
    use super::super::target::Target;
    use super::*;
    use crate::langdef::builtin;

    /// The lines of calls that are skipped, with the names that say so.
    fn skipped(language: &str, text: &str, names: &[&str]) -> Vec<(usize, usize, String)> {
        let def = builtin(language).unwrap();
        let target = Target::new(&def, vec![(PathBuf::from("f"), text.as_bytes().to_vec())]);
        let calls = names.iter().map(|name| CallPattern::new(name).unwrap()).collect();
        let (_, skipped) = Skips::new(&def, vec![], false).with_calls(calls).apply(target.view(0));
        let calls = skipped.into_iter().filter(|part| part.why == Why::Call);
        calls.map(|part| (part.first, part.last, part.reason)).collect()
    }

    #[test]
    fn calls_are_found_by_the_end_of_their_names() {
        let c = "void f(int x) {\n  log_debug(\"x %d\",\n    x + 1);\n  ctx->log.info(x);\n  dialog(x);\n  catalog.info(x);\n}\n";
        let found = skipped("c", c, &["log_*", "log.info"]);
        assert_eq!(found, [(2, 3, "log_*".to_owned()), (4, 4, "log.info".to_owned())]);
        let rust = "fn f(x: u8) {\n    log::info!(\"{}\", x + 1);\n    self.metrics.add(x);\n    info!(\"x\");\n    x.add(1);\n}\n";
        let found = skipped("rust", rust, &["info!", "metrics.*"]);
        assert_eq!(found.iter().map(|part| part.0).collect::<Vec<_>>(), [2, 3, 4]);
        let python = "def f(x):\n    self.log.info(x + 1)\n    log(x)\n";
        assert_eq!(skipped("python", python, &["log"]).len(), 1);
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for wrong in ["", "*", "a b", "log("] {
            assert!(CallPattern::new(wrong).unwrap_err().contains("log.info"), "{wrong}");
        }
    }
}

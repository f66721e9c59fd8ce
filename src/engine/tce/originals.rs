//! Functions that have mutants and can stand in several copies.

use crate::insert::Piece;
use crate::insert::View;
use crate::lex::TokenKind;

use super::super::screen::Ladder;

/// Longest function that is copied, in bytes: to compile a copy of a longer one costs more than to run it.
const LONGEST: usize = 64 << 10;

/// Words that make a copy impossible: templates are not compiled by themselves, and what is always put into
/// its callers cannot be hidden from them.
const NEVER: [&[u8]; 4] = [b"template", b"always_inline", b"__always_inline__", b"__always_inline"];

/// A function that is to be copied.
pub struct Original {
    /// From the first token of its head to the bracket that closes its body.
    pub piece: Piece,
    /// Its bytes in the file.
    pub start: usize,
    pub end: usize,
    /// Where in its text its name and its body begin, counted from its start.
    pub name: std::ops::Range<usize>,
    pub body: usize,
    pub mutants: Vec<u32>,
}

/// The functions of a file that have mutants in the meta-program and can be copied.
pub fn originals(ladder: &Ladder, view: View, file: usize) -> Vec<Original> {
    let mut outer = outermost(view);
    for &mutant in &ladder.by_file[file] {
        let edit = &ladder.mutants[mutant as usize].edit;
        let before = outer.partition_point(|(body, _, _)| *body < edit.from);
        let Some((_, close, mutants)) = before.checked_sub(1).map(|at| &mut outer[at]) else { continue };
        if edit.to <= *close && ladder.rungs[mutant as usize].piece().is_some() {
            mutants.push(mutant);
        }
    }
    outer.retain(|(_, _, mutants)| !mutants.is_empty());
    outer.into_iter().filter_map(|(body, close, mutants)| original(view, body, close, mutants)).collect()
}

/// The brackets of the functions that are in no other function; no mutants yet.
fn outermost(view: View) -> Vec<(u32, u32, Vec<u32>)> {
    let mut out: Vec<(u32, u32, Vec<u32>)> = Vec::new();
    for function in &view.structure.functions {
        let close = view.structure.mate[function.body as usize];
        let inside = out.last().is_some_and(|(_, last, _)| function.body < *last);
        if (close as usize) < view.file.tokens.len() && !inside {
            out.push((function.body, close, vec![]));
        }
    }
    out
}

fn original(view: View, body: u32, close: u32, mutants: Vec<u32>) -> Option<Original> {
    let file = view.file;
    let function = view.structure.functions.iter().find(|function| function.body == body)?;
    let first = first_of(view, function.head, body);
    let name = name_of(view, first, body)?;
    let head = first as usize..body as usize;
    let linkage = |at: usize| file.token(at) == b"extern" && file.tokens[at + 1].kind == TokenKind::String;
    if head.clone().any(|at| NEVER.contains(&file.token(at)) || linkage(at)) {
        return None;
    }
    let start = file.tokens[first as usize].span.start as usize;
    let end = file.tokens[close as usize].span.end as usize;
    let span = file.tokens[name as usize].span.range();
    let fits = end - start <= LONGEST && are_directives_harmless(view, first, close);
    fits.then(|| Original {
        piece: Piece { start: first, end: close + 1 },
        start,
        end,
        name: span.start - start..span.end - start,
        body: file.tokens[body as usize].span.start as usize - start,
        mutants,
    })
}

/// Where a head begins: behind directives and `public:`.
fn first_of(view: View, head: u32, body: u32) -> u32 {
    let file = view.file;
    let behind = |at: &u32| {
        let at = *at as usize;
        let access = at > 0 && matches!(file.token(at - 1), b"public" | b"private" | b"protected");
        file.tokens[at].directive || (file.token(at) == b":" && access)
    };
    (head..body).rev().find(behind).map_or(head, |at| at + 1)
}

/// The name before the last parentheses: macros with arguments may stand before it.
fn name_of(view: View, first: u32, body: u32) -> Option<u32> {
    let file = view.file;
    let last = (first..body).rev().find(|&at| {
        !matches!(file.token(at as usize), b"const" | b"noexcept" | b"override" | b"final" | b"volatile")
    })?;
    let open = view.structure.mate[last as usize];
    let name = open.checked_sub(1)?;
    let named = file.token(last as usize) == b")"
        && name >= first
        && name < last
        && file.tokens[name as usize].kind == TokenKind::Identifier
        && !file.token(name as usize).starts_with(b"__attribute");
    named.then_some(name)
}

/// Whether a copy neither defines macros nor ends in the middle of a condition.
fn are_directives_harmless(view: View, first: u32, close: u32) -> bool {
    let file = view.file;
    let mut depth = 0;
    for at in first as usize + 1..close as usize {
        let marker = file.token(at - 1) == b"#" && file.tokens[at - 1].directive;
        if !marker || !file.tokens[at].directive {
            continue;
        }
        match file.token(at) {
            b"define" | b"undef" | b"include" | b"pragma" => return false,
            b"if" | b"ifdef" | b"ifndef" => depth += 1,
            b"endif" => depth -= 1,
            b"else" | b"elif" | b"elifdef" | b"elifndef" if depth == 0 => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

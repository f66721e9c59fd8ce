//! What a language leaves undefined: a function that ends without the value that it must return.

use super::super::mutated::Mutated;
use super::super::structure::NONE;
use super::judge::Judge;

/// Tokens behind an edit that are looked at.
const FURTHEST: usize = 4000;

impl Judge<'_> {
    /// Whether the function ends without a value where it returned one, and the language leaves undefined what
    /// its caller gets.
    pub(super) fn is_undefined(&self) -> bool {
        is_undefined(self.mutated)
    }
}

/// Whether an edit makes a return without a value where others have one, or takes the return from a value so that
/// control reaches the end of the function.
pub fn is_undefined(mutated: Mutated) -> bool {
    if !mutated.view.syntax.needs_return {
        return false;
    }
    let ([valued, bare], [valued_now, bare_now]) = returns(mutated);
    let loses = valued_now < valued;
    (bare_now > bare && (loses || gives_values(mutated)))
        || (loses && !is_main(mutated) && reaches_end(mutated))
}

/// How many returns with a value and without one there are where the edit is: before it, and after.
fn returns(mutated: Mutated) -> ([usize; 2], [usize; 2]) {
    let (file, syntax) = (mutated.view.file, mutated.view.syntax);
    let (from, to) = (mutated.edit.from as usize, mutated.edit.to as usize);
    let count = |pairs: &mut dyn Iterator<Item = (u64, Option<u64>)>| {
        let mut counts = [0, 0];
        for (_, second) in pairs.filter(|(first, _)| syntax.returning.contains(first)) {
            let is_bare = second.is_none_or(|next| syntax.ends.contains(&next));
            counts[usize::from(is_bare)] += 1;
        }
        counts
    };
    let first = from.saturating_sub(1);
    let old = count(&mut (first..to).map(|at| (file.syms[at], file.syms.get(at + 1).copied())));
    let sym = |at: usize| mutated.get(at).map(|word| word.sym);
    let new = count(&mut (first..mutated.end()).filter_map(|at| Some((sym(at)?, sym(at + 1)))));
    (old, new)
}

/// Whether some return of the function has a value.
fn gives_values(mutated: Mutated) -> bool {
    let (view, syntax) = (mutated.view, mutated.view.syntax);
    let Some(function) = view.structure.function_of(mutated.start()) else { return false };
    let syms = &view.file.syms;
    let close = (view.structure.mate[function.body as usize] as usize).min(syms.len().saturating_sub(1));
    (function.body as usize..close)
        .any(|at| syntax.returning.contains(&syms[at]) && !syntax.ends.contains(&syms[at + 1]))
}

/// The end of `main` returns 0.
fn is_main(mutated: Mutated) -> bool {
    let view = mutated.view;
    let function = view.structure.function_of(mutated.start());
    function
        .is_some_and(|function| function.name != NONE && view.file.token(function.name as usize) == b"main")
}

/// Whether nothing but ends of blocks and other arms stands between the edit and the end of its function. What
/// stands behind a loop is not reached by leaving a return in it out.
fn reaches_end(mutated: Mutated) -> bool {
    let view = mutated.view;
    let Some(function) = view.structure.function_of(mutated.start()) else { return false };
    let close = view.structure.mate[function.body as usize] as usize;
    let mut at = statement_end(mutated);
    for _ in 0..FURTHEST {
        let Some(word) = mutated.get(at) else { return true };
        let old = mutated.old(at);
        if old == Some(close) {
            return true;
        } else if word.text == b"}" {
            let open = old.map_or(NONE, |old| view.structure.mate[old]);
            if view.structure.lead(open).is_some_and(|lead| view.syntax.loops.contains(&lead)) {
                return false;
            }
            at += 1;
        } else if view.syntax.ends.contains(&word.sym) {
            at += 1;
        } else if view.syntax.continues.contains(&word.sym) {
            at = behind_statement(mutated, at + 1);
        } else {
            return false;
        }
    }
    false
}

/// The place behind the statement that the edit is in.
fn statement_end(mutated: Mutated) -> usize {
    let (edit, file) = (mutated.edit, mutated.view.file);
    // What is new, or what went, may have been all of it.
    let last = match edit.new.is_empty() {
        true => edit.to.checked_sub(1).map(|at| file.syms[at as usize]),
        false => mutated.get(mutated.end() - 1).map(|word| word.sym),
    };
    let ended = last.is_some_and(|last| mutated.view.syntax.ends.contains(&last));
    if ended { mutated.end() } else { behind_simple(mutated, mutated.end()) }
}

/// The place behind a statement that begins here, with all its arms.
fn behind_statement(mutated: Mutated, at: usize) -> usize {
    let syntax = mutated.view.syntax;
    let mut at = at;
    for _ in 0..FURTHEST {
        let Some(word) = mutated.get(at) else { return at };
        if word.text == b"{" {
            return mutated.close(at).map_or(at, |close| close + 1);
        }
        let leads = syntax.conditions.contains(&word.sym) || syntax.loops.contains(&word.sym);
        if !leads {
            return behind_simple(mutated, at);
        }
        at = mutated.close(at + 1).map_or(at + 1, |close| close + 1);
    }
    at
}

/// The place behind the next end of a statement; a bracket that closes ends one, too.
fn behind_simple(mutated: Mutated, at: usize) -> usize {
    let mut at = at;
    for _ in 0..FURTHEST {
        match mutated.get(at) {
            Some(word) if mutated.view.syntax.ends.contains(&word.sym) => return at + 1,
            Some(word) if word.text == b"}" => return at,
            Some(word) if matches!(word.text, b"(" | b"[" | b"{") => {
                at = mutated.close(at).map_or(at + 1, |close| close + 1);
            }
            Some(_) => at += 1,
            None => return at,
        }
    }
    at
}

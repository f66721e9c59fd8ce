//! Parts under `#if` that open more brackets than they close, or fewer: which bracket ends the function cannot be told.

use crate::langdef::LangDef;

use super::super::index::View;
use super::find::Piece;

/// From `#if` to `#endif`, where some part in between is out of balance by itself.
pub(super) fn torn(def: &LangDef, view: View) -> Vec<Piece> {
    let file = view.file;
    let mut open: Vec<Conditional> = Vec::new();
    let mut torn = Vec::new();
    for (at, token) in file.tokens.iter().enumerate() {
        let text = file.token(at);
        if token.directive {
            let first = at == 0 || !file.tokens[at - 1].directive || file.tokens[at - 1].kind.is_layout();
            if !first || at + 1 >= file.tokens.len() {
                continue;
            }
            let word = file.token(at + 1);
            match def.directive_opens(text, word) {
                Some(true) => open.push(Conditional { start: at as u32, depth: 0, torn: false }),
                Some(false) => {
                    let Some(conditional) = open.pop() else { continue };
                    if conditional.torn || conditional.depth != 0 {
                        torn.push(Piece { start: conditional.start, end: at as u32 });
                    }
                }
                // Such as `#else`; other directives stand where nothing is open, or tear nothing.
                None if word.starts_with(b"el") => {
                    if let Some(conditional) = open.last_mut() {
                        conditional.torn |= conditional.depth != 0;
                        conditional.depth = 0;
                    }
                }
                None => {}
            }
            continue;
        }
        if let (Some(conditional), Some((_, opens))) = (open.last_mut(), def.bracket(text)) {
            conditional.depth += if opens { 1 } else { -1 };
            conditional.torn |= conditional.depth < 0;
        }
    }
    torn
}

/// A part that was opened and not yet closed.
struct Conditional {
    start: u32,
    /// Brackets that are open in the branch so far.
    depth: i32,
    torn: bool,
}

//! Brackets, and what a row of tokens leaves open.

use smallvec::SmallVec;

use crate::langdef::LangDef;
use crate::lex::TokenKind;

/// A bracket: which pair it belongs to, and whether it opens it. Indentation and the preprocessor's
/// conditions are pairs, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bracket {
    pair: usize,
    opens: bool,
}

const INDENTATION: usize = usize::MAX;
const CONDITION: usize = usize::MAX - 1;

/// Brackets left over; rarely more than fit without allocating.
pub type Residue = SmallVec<[Bracket; 8]>;

/// The brackets that a row of tokens leaves open or closes without having opened, in order. Rows with the
/// same residue can stand for each other.
pub fn residue<'a>(row: impl Iterator<Item = (TokenKind, &'a [u8])>, def: &LangDef) -> Residue {
    let mut open = Residue::new();
    let mut last: &[u8] = b"";
    for (kind, text) in row {
        if let Some(bracket) = bracket(kind, text, last, def) {
            let closes = !bracket.opens && open.last() == Some(&Bracket { opens: true, ..bracket });
            if closes {
                open.pop();
            } else {
                open.push(bracket);
            }
        }
        last = text;
    }
    open
}

fn bracket(kind: TokenKind, text: &[u8], last: &[u8], def: &LangDef) -> Option<Bracket> {
    match kind {
        TokenKind::Indent => Some(Bracket { pair: INDENTATION, opens: true }),
        TokenKind::Dedent => Some(Bracket { pair: INDENTATION, opens: false }),
        TokenKind::Operator => def.bracket(text).map(|(pair, opens)| Bracket { pair, opens }),
        TokenKind::Keyword => def.directive_opens(last, text).map(|opens| Bracket { pair: CONDITION, opens }),
        _ => None,
    }
}

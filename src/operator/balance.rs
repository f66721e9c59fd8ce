//! Brackets, and what a row of them leaves open.

use smallvec::SmallVec;

use crate::langdef::LangDef;
use crate::lex::TokenKind;

/// A bracket: which pair it belongs to, and whether it opens it. Indentation is a pair, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bracket {
    pair: usize,
    opens: bool,
}

impl Bracket {
    /// The bracket that a token is, if it is one.
    pub fn of_token(kind: TokenKind, text: &[u8], def: &LangDef) -> Option<Self> {
        match kind {
            TokenKind::Indent => Some(Self { pair: usize::MAX, opens: true }),
            TokenKind::Dedent => Some(Self { pair: usize::MAX, opens: false }),
            TokenKind::Operator => def.bracket(text).map(|(pair, opens)| Self { pair, opens }),
            _ => None,
        }
    }
}

/// Brackets left over; rarely more than fit without allocating.
pub type Residue = SmallVec<[Bracket; 8]>;

/// The brackets that a row leaves open or closes without having opened, in order. Rows with the same
/// residue can stand for each other.
pub fn residue(row: impl IntoIterator<Item = Bracket>) -> Residue {
    let mut open = Residue::new();
    for bracket in row {
        let closes = !bracket.opens && open.last() == Some(&Bracket { opens: true, ..bracket });
        if closes {
            open.pop();
        } else {
            open.push(bracket);
        }
    }
    open
}

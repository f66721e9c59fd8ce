//! Statements of a function that could stand elsewhere in it.

use crate::langdef::SlotsFile;

use super::super::render::TextEdit;
use super::super::structure::Marks;
use super::super::units::Piece;
use super::family::Family;
use super::slot::Alternative;
use super::tokens::Tokens;

/// Most statements of a function that are tried elsewhere, the nearest.
const MOST: usize = 24;
/// Longer statements are not tried elsewhere.
const LONGEST: u32 = 40;

/// Statements that can stand elsewhere: each text once.
pub struct Sources<'a> {
    tokens: Tokens<'a>,
    all: Vec<Piece>,
}

impl<'a> Sources<'a> {
    /// Chooses among the simple statements of a function.
    pub fn new(tokens: Tokens<'a>, simple: &[Piece]) -> Self {
        let mut all: Vec<Piece> = Vec::new();
        for piece in simple {
            let fits = !declares(tokens, *piece) && piece.end - piece.start <= LONGEST;
            let text = tokens.written(*piece);
            if fits && !all.iter().any(|known| tokens.written(*known) == text) {
                all.push(*piece);
            }
        }
        Self { tokens, all }
    }

    fn near(&self, at: u32) -> Vec<Piece> {
        let mut near = self.all.clone();
        near.sort_by_key(|piece| (piece.start.abs_diff(at), piece.start));
        near.truncate(MOST);
        near
    }

    /// What could be put in at a byte, before a token; `lead` and `tail` stand around it.
    pub fn inserted(
        &self,
        family: Family,
        at: u32,
        byte: usize,
        (lead, tail): (&str, &str),
    ) -> Vec<Alternative> {
        let alternative = |piece: Piece| {
            let text = self.tokens.written(piece);
            Alternative {
                family,
                edit: TextEdit {
                    start: byte,
                    end: byte,
                    text: [lead.as_bytes(), text, tail.as_bytes()].concat(),
                },
                woven: text.to_vec(),
                size: (piece.end - piece.start) as usize,
                uniform: vec![],
            }
        };
        self.near(at).into_iter().map(alternative).collect()
    }

    /// What could stand in the place of a statement: another one, or nothing.
    pub fn instead(&self, piece: Piece, arm: bool, words: &SlotsFile) -> Vec<Alternative> {
        let tokens = self.tokens;
        let jumps = |piece: Piece| tokens.view.syntax.jumps.contains(&tokens.sym(piece.start as usize));
        let mut found = Vec::new();
        for other in self.near(piece.start) {
            let text = tokens.written(other);
            // Without a jump, what follows may be reached, or a value be missing.
            if text != tokens.written(piece) && jumps(other) == jumps(piece) {
                found.push(Alternative {
                    family: Family::Replace,
                    edit: tokens.put(piece, text),
                    woven: text.to_vec(),
                    size: (other.end - other.start) as usize,
                    uniform: vec![],
                });
            }
        }
        if !jumps(piece) {
            let ends = tokens.view.syntax.ends.contains(&tokens.sym(piece.end as usize - 1));
            let nothing = match words.nothing.as_str() {
                "" if arm && ends => ";",
                nothing => nothing,
            };
            found.push(Alternative {
                family: Family::Delete,
                edit: tokens.put(piece, nothing),
                woven: words.nothing.clone().into_bytes(),
                size: (piece.end - piece.start) as usize,
                uniform: vec![],
            });
        }
        found
    }
}

/// Whether a statement declares something: it must stay where it is.
pub fn declares(tokens: Tokens, piece: Piece) -> bool {
    let syntax = tokens.view.syntax;
    let first = tokens.sym(piece.start as usize);
    tokens.has(piece.start as usize, Marks::DECLARATION)
        || syntax.declares.contains(&first)
        || syntax.modifiers.contains(&first)
        || (piece.start..piece.end)
            .any(|at| tokens.is(at as usize, ":=") || tokens.has(at as usize, Marks::DECLARATION))
}

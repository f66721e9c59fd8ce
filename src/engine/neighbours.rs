//! Which tests execute statements that could not be instrumented, judged by their neighbours.
//!
//! In: what was watched, and what each test executed of it. Out: all statements of all functions. A statement that
//! holds one that was executed was executed, too (its own guard may stand before a label that is jumped to).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::insert::Piece;
use crate::text::LineIndex;

use super::execution::Body;
use super::execution::KnownBy;
use super::execution::Watched;
use super::watching::Watching;

/// A statement among those of its function.
struct Known {
    piece: Piece,
    /// The innermost statement that it is in, among those of its function.
    outer: Option<usize>,
    /// The bracket that it is in, and whether a condition or loop leads it without braces.
    block: (u32, bool),
    covered: Option<RoaringBitmap>,
}

/// All statements, and the bodies that they are in.
pub(super) fn surveyed(watching: &Watching, reached: &[(u32, RoaringBitmap)]) -> (Vec<Watched>, Vec<Body>) {
    let mut by_unit: BTreeMap<u32, RoaringBitmap> = BTreeMap::new();
    for (test, units) in reached {
        for unit in units {
            by_unit.entry(unit).or_default().insert(*test);
        }
    }
    let (mut statements, mut bodies) = (Vec::new(), Vec::new());
    for (file, woven) in &watching.woven {
        let watched: BTreeMap<Piece, RoaringBitmap> = woven
            .units
            .iter()
            .map(|unit| (unit.piece, by_unit.remove(&unit.number).unwrap_or_default()))
            .collect();
        let mut functions: BTreeMap<usize, Vec<Piece>> = BTreeMap::new();
        for (function, piece) in watching.units[*file].all_statements() {
            if watching.can_be_watched(*file, piece) {
                functions.entry(function).or_default().push(piece);
            }
        }
        for function in 0..watching.units[*file].functions() {
            let pieces = functions.remove(&function).unwrap_or_default();
            let known = known(watching, *file, pieces, &watched);
            let covered = known.iter().filter_map(|known| known.covered.as_ref());
            let covered = covered.cloned().reduce(|all, one| all | one);
            statements.extend(estimated(watching, *file, &known, covered.as_ref()));
            bodies.push(Body { file: *file, piece: watching.units[*file].whole(function), covered });
        }
    }
    statements.sort_by_key(|known| (known.file, known.piece.start, Reverse(known.piece.end)));
    (statements, bodies)
}

/// The statements of a function, outer ones first, with what was seen of them.
fn known(
    watching: &Watching,
    file: usize,
    mut pieces: Vec<Piece>,
    watched: &BTreeMap<Piece, RoaringBitmap>,
) -> Vec<Known> {
    pieces.sort_by_key(|piece| (piece.start, Reverse(piece.end)));
    let open = &watching.inserter.target.view(file).structure.open;
    let mut all: Vec<Known> = Vec::new();
    for piece in pieces {
        let outer = (0..all.len()).rev().find(|at| all[*at].piece.holds(piece.start, piece.end));
        let block = (open[piece.start as usize], watching.units[file].is_arm(piece));
        all.push(Known { piece, outer, block, covered: watched.get(&piece).cloned() });
    }
    for at in (0..all.len()).rev() {
        let (inner, outer) = (all[at].covered.clone(), all[at].outer);
        if let (Some(inner), Some(outer)) = (inner, outer)
            && let Some(covered) = &mut all[outer].covered
        {
            *covered |= inner;
        }
    }
    all
}

/// The statements of a function; where one was not watched, what is nearest to it speaks for it.
fn estimated(
    watching: &Watching,
    file: usize,
    all: &[Known],
    function: Option<&RoaringBitmap>,
) -> Vec<Watched> {
    let source = &watching.inserter.target.files[file];
    let lines = LineIndex::new(&source.text);
    let line = |token: u32| lines.place(source.tokens[token as usize].span.start as usize).line as u32;
    let mut found: Vec<Watched> = Vec::new();
    for (at, known) in all.iter().enumerate() {
        let (covered, known_by) = match (&known.covered, beside(all, at), known.outer) {
            (Some(covered), ..) => (covered.clone(), KnownBy::Guard),
            (None, Some(beside), _) => (beside.clone(), KnownBy::Neighbour),
            (None, None, Some(outer)) => {
                (found[outer].covered.clone(), found[outer].known_by.max(KnownBy::Around))
            }
            (None, None, None) => match function {
                Some(covered) => (covered.clone(), KnownBy::Around),
                None => (RoaringBitmap::new(), KnownBy::Nothing),
            },
        };
        let (line, end_line) = (line(known.piece.start), line(known.piece.end - 1));
        found.push(Watched { file, piece: known.piece, line, end_line, covered, known_by });
    }
    found
}

/// What the nearest watched statement of the same block says: the last one before it, else the first one behind it.
fn beside(all: &[Known], at: usize) -> Option<&RoaringBitmap> {
    let known = &all[at];
    if known.block.1 {
        return None;
    }
    let same = |other: &&Known| other.outer == known.outer && other.block == known.block;
    let mut before = all[..at].iter().rev().filter(same);
    let mut behind = all[at + 1..].iter().filter(same);
    before
        .find_map(|other| other.covered.as_ref())
        .or_else(|| behind.find_map(|other| other.covered.as_ref()))
}

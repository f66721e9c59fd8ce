//! Instruments every statement with a guard, and leaves out those where that does not compile.
//!
//! A statement is left out first: the ones that begin on the line of an error, or the innermost one around it. Of a
//! function with errors that stay, only the entry is watched, and then nothing; so what is not watched is known, and as
//! little as possible.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::control::Events;
use crate::insert::Inserter;
use crate::insert::Piece;
use crate::insert::Units;
use crate::text::LineIndex;
use crate::workspace::Probe;
use crate::workspace::Woven;
use crate::workspace::weave;

use super::driver::FailedBuild;
use super::driver::NoCulprit;
use super::driver::Weaving;
use super::screen::file_meant;

/// Builds after which nothing more is left out: it does not build.
const MOST_ROUNDS: usize = 10;
/// Builds after which errors are taken for those of a function, no longer of a statement.
const SINGLE_ROUNDS: usize = 5;

/// Statements that are being woven with a guard each.
pub(super) struct Watching<'a> {
    pub(super) inserter: &'a Inserter<'a>,
    pub(super) units: Vec<Units>,
    pub(super) woven: BTreeMap<usize, Woven>,
    /// Functions of which not all is watched, by their file.
    functions: BTreeMap<(usize, usize), Kept>,
    /// Statements that are not watched, by their file.
    single: BTreeSet<(usize, Piece)>,
    /// What the compiler said first.
    said: Option<String>,
}

/// What is still watched of a function in which guards do not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// Its first statement: whether it is called.
    Entry,
    Nothing,
}

impl Weaving for Watching<'_> {
    fn weave(&mut self) {
        let mut first = 0;
        for file in 0..self.units.len() {
            let woven = self.weave_file(file, first);
            first += woven.units.len() as u32;
            self.woven.insert(file, woven);
        }
    }

    fn files(&self) -> Vec<(usize, &[u8])> {
        self.woven.iter().map(|(file, woven)| (*file, &woven.text[..])).collect()
    }

    fn leave_out(&mut self, failed: &FailedBuild) -> Result<(), NoCulprit> {
        let before = (self.functions.clone(), self.single.len());
        for complaint in failed.complaints {
            self.said.get_or_insert_with(|| complaint.message.clone());
            for (path, line) in &complaint.places {
                if failed.round > SINGLE_ROUNDS || !self.drop_statements(path, *line) {
                    self.drop_function(path, *line, &before.0);
                }
            }
        }
        let moved = self.single.len() != before.1 || self.functions != before.0;
        if moved && failed.round < MOST_ROUNDS { Ok(()) } else { Err(NoCulprit) }
    }
}

impl<'a> Watching<'a> {
    /// All statements of a target.
    pub(super) fn new(inserter: &'a Inserter<'a>) -> Self {
        let units = |file| Units::new(inserter.def, inserter.target.view(file));
        Self {
            inserter,
            units: (0..inserter.target.files.len()).map(units).collect(),
            woven: BTreeMap::new(),
            functions: BTreeMap::new(),
            single: BTreeSet::new(),
            said: None,
        }
    }

    /// How many statements there are.
    pub(super) fn count(&self) -> usize {
        self.units.iter().map(|units| units.all_statements().count()).sum()
    }

    /// How many statements are watched in what was woven last.
    pub(super) fn watched(&self) -> usize {
        self.woven.values().map(|woven| woven.units.len()).sum()
    }

    fn weave_file(&self, file: usize, first: u32) -> Woven {
        let units = &self.units[file];
        let entries = entries(units);
        let watched = units.all_statements().filter(|(function, piece)| {
            let kept = match self.functions.get(&(file, *function)) {
                None => !self.single.contains(&(file, *piece)),
                Some(Kept::Entry) => entries.get(function) == Some(piece),
                Some(Kept::Nothing) => false,
            };
            kept && self.can_be_watched(file, *piece)
        });
        let probes: Vec<Probe> =
            watched.map(|(_, piece)| Probe { piece, arm: units.is_arm(piece) }).collect();
        weave(self.inserter.def, self.inserter.target.view(file), &[], &probes, first, &|_, _| vec![])
    }

    /// Where indentation makes blocks, a guard cannot begin in the middle of a line.
    pub(super) fn can_be_watched(&self, file: usize, piece: Piece) -> bool {
        let blocks = !self.inserter.def.file.switch.close.is_empty();
        blocks || self.inserter.target.files[file].starts_its_line(piece.start)
    }

    /// The file of the target that a path of the compiler means.
    fn file_meant(&self, path: &str) -> Option<usize> {
        let files = self.inserter.target.files.iter().map(|source| source.path.as_path()).enumerate();
        file_meant(files, path)
    }

    /// The line of a woven file on which a token is.
    fn woven_line(&self, file: usize, token: u32) -> u32 {
        let source = &self.inserter.target.files[file];
        let end = source.text.len() as u32;
        let byte = source.tokens.get(token as usize).map_or(end, |token| token.span.start);
        self.woven[&file].regions.line_of(byte, &source.text)
    }

    /// Stops watching the statements that begin on a line of a woven file, or the innermost one around it; whether
    /// there are any.
    fn drop_statements(&mut self, path: &str, line: u32) -> bool {
        let Some(file) = self.file_meant(path) else { return false };
        let pieces = || self.woven[&file].units.iter().map(|unit| unit.piece);
        let mut found: Vec<Piece> =
            pieces().filter(|piece| self.woven_line(file, piece.start) == line).collect();
        if found.is_empty() {
            let ends = |piece: &Piece| self.woven_line(file, piece.end - 1);
            let around = |piece: &Piece| self.woven_line(file, piece.start) < line && line <= ends(piece);
            found.extend(pieces().filter(around).min_by_key(|piece| piece.end - piece.start));
        }
        self.single.extend(found.iter().map(|piece| (file, *piece)));
        !found.is_empty()
    }

    /// Watches less of the innermost function that a line of a woven file is in, or of all of the file; `before` is
    /// what was watched when the error was made.
    fn drop_function(&mut self, path: &str, line: u32, before: &BTreeMap<(usize, usize), Kept>) {
        let Some(file) = self.file_meant(path) else { return };
        let at = |token: u32| self.woven_line(file, token);
        let all: BTreeSet<usize> = self.units[file].all_statements().map(|(function, _)| function).collect();
        let lines = all.iter().map(|&function| {
            let whole = self.units[file].whole(function);
            (at(whole.start.saturating_sub(1)), at(whole.end), function)
        });
        let holding = lines.filter(|(first, last, _)| (*first..=*last).contains(&line));
        let found = match holding.min_by_key(|(first, last, _)| last - first) {
            Some((.., function)) => BTreeSet::from([function]),
            None => all,
        };
        for function in found {
            let less = if before.contains_key(&(file, function)) { Kept::Nothing } else { Kept::Entry };
            self.functions.insert((file, function), less);
        }
    }

    /// What the compiler said first, if it ever refused a guard.
    pub(super) fn said(&self) -> Option<&str> {
        self.said.as_deref()
    }

    /// Says how much is not watched, why, and what that means.
    pub(super) fn warn_of_unwatched(&self, events: &Events, so: &str) {
        let Some(why) = &self.said else { return };
        let (all, watched) = (self.count(), self.watched());
        events.warn(format!("{} of {all} statements could not be instrumented ({why}); {so}", all - watched));
    }

    /// Per watched statement its unit, its file, and its first line.
    pub(super) fn places(&self) -> Vec<(u32, usize, u32)> {
        let mut all = Vec::new();
        for (file, woven) in &self.woven {
            let source = &self.inserter.target.files[*file];
            let lines = LineIndex::new(&source.text);
            let start = |piece: Piece| source.tokens[piece.start as usize].span.start as usize;
            all.extend(
                woven
                    .units
                    .iter()
                    .map(|unit| (unit.number, *file, lines.place(start(unit.piece)).line as u32)),
            );
        }
        all
    }
}

/// Per function, the statement that is executed whenever it is called.
fn entries(units: &Units) -> BTreeMap<usize, Piece> {
    let mut entries: BTreeMap<usize, Piece> = BTreeMap::new();
    for (function, piece) in units.all_statements() {
        let entry = entries.entry(function).or_insert(piece);
        let key = |piece: &Piece| (piece.start, std::cmp::Reverse(piece.end));
        if key(&piece) < key(entry) {
            *entry = piece;
        }
    }
    entries
}

//! Which tests execute which statements, without any mutant and without a coverage tool.
//!
//! In: a project, and the files that are watched. Out: what its tests say, and per statement the tests that
//! pass it. Every statement gets a guard with nothing in it. What does not compile with a guard is not watched
//! alone, as it may only look like a statement; where errors stay, all of that function is not, and counted.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;

use roaring::RoaringBitmap;

use crate::control::Events;
use crate::control::Phase;
use crate::insert::Inserter;
use crate::insert::Piece;
use crate::insert::Units;
use crate::text::LineIndex;
use crate::workspace::Probe;
use crate::workspace::Woven;
use crate::workspace::weave;

use super::baseline::Baseline;
use super::driver::BuildError;
use super::driver::Driver;
use super::driver::FailedBuild;
use super::driver::NobodyToBlame;
use super::driver::Weaving;
use super::error::TestError;
use super::project::Project;
use super::scenario::Engine;
use super::screen::file_meant;
use super::switched::Switched;
use super::waves::Engines;
use super::workbench::Workbench;

/// Builds after which no function is given up any more, but all of them.
const MOST_ROUNDS: usize = 8;
/// Builds after which errors are taken for those of a function, no longer of a statement.
const SINGLE_ROUNDS: usize = 4;

/// A statement, and the tests that execute it.
#[derive(Clone, Debug, PartialEq)]
pub struct Watched {
    /// The file's place in the target.
    pub file: usize,
    pub piece: Piece,
    /// Its first and last line, from 1.
    pub line: u32,
    pub end_line: u32,
    pub covered: RoaringBitmap,
}

/// What was seen of the unchanged program.
pub struct Survey {
    pub baseline: Baseline,
    pub statements: Vec<Watched>,
    /// Bodies of functions that could not be watched, by their file.
    pub unwatched: Vec<(usize, Piece)>,
}

/// Statements that are being woven with a guard each.
pub(super) struct Watching<'a> {
    inserter: &'a Inserter<'a>,
    units: Vec<Units>,
    woven: BTreeMap<usize, Woven>,
    /// Functions that are not watched, by their file.
    dropped: BTreeSet<(usize, usize)>,
    /// Statements that are not watched, by their file.
    single: BTreeSet<(usize, Piece)>,
    /// What the compiler said first, and what it said first of a function that is not watched.
    said: Option<String>,
    why: Option<String>,
}

impl Survey {
    /// Runs all tests in the original and with every statement watched. `paths` are the files of the target
    /// inside of the project.
    pub fn run(
        project: &Project,
        inserter: &Inserter,
        paths: &[PathBuf],
        jobs: usize,
        events: &Events,
    ) -> Result<Self, TestError> {
        let mut watching = Watching::new(inserter);
        let bench = Workbench::set_up(project, inserter.def, watching.count(), events)?;
        let mut survey = Self { baseline: bench.baseline()?, statements: vec![], unwatched: vec![] };
        let Some(runtime) = bench.runtime.as_ref().filter(|_| watching.count() > 0) else {
            return Ok(survey);
        };
        let phase = Phase::BuildingWatched;
        let driver = Driver { bench: &bench, runtime, inserter, paths, phase };
        match driver.build(&mut watching) {
            Ok(finished) => survey.measure(&bench, &watching, &finished.said, jobs)?,
            Err(BuildError::Run(error)) => return Err(error.into()),
            Err(BuildError::Hopeless(_)) => {
                let what = "statements could not be watched: the project does not build with guards in it";
                events.warn(what);
            }
        }
        Ok(survey)
    }

    /// Runs the tests with statements watched.
    fn measure(
        &mut self,
        bench: &Workbench,
        watching: &Watching,
        said: &[u8],
        jobs: usize,
    ) -> Result<(), TestError> {
        self.unwatched = watching.dropped_bodies();
        watching.warn_of_unwatched(bench.events, "only their mutants show who executes them");
        bench.events.enter(Phase::FindingStatements);
        let made = bench.runners(jobs, said, &self.baseline, |_| vec![])?;
        let progress = &bench.events.progress;
        let engine =
            |runner| Box::new(Switched { runner, switches: &[], lines: None, progress }) as Box<dyn Engine>;
        let engines = Engines::new(made.runners.into_iter().map(engine).collect(), progress);
        let reached = engines.reach(&self.baseline.heard(), &self.baseline.limits)?;
        self.statements = watching.statements(&reached.units);
        Ok(())
    }

    /// Whether tokens of a file are in a function of which nothing is known.
    pub fn is_unwatched(&self, file: usize, from: u32, to: u32) -> bool {
        let all = self.statements.is_empty();
        all || self.unwatched.iter().any(|(other, body)| *other == file && body.holds(from, to))
    }

    /// The innermost statement that tokens of a file are in.
    pub fn statement(&self, file: usize, from: u32, to: u32) -> Option<&Watched> {
        let holding =
            self.statements.iter().filter(|known| known.file == file && known.piece.holds(from, to));
        holding.min_by_key(|known| known.piece.end - known.piece.start)
    }
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

    fn blame(&mut self, failed: &FailedBuild) -> Result<(), NobodyToBlame> {
        let before = (self.dropped.len(), self.single.len());
        for complaint in failed.complaints {
            self.said.get_or_insert_with(|| complaint.message.clone());
            for (path, line) in &complaint.places {
                if failed.round > SINGLE_ROUNDS || !self.drop_statements(path, *line) {
                    self.drop_function(path, *line);
                    self.why.get_or_insert_with(|| complaint.message.clone());
                }
            }
        }
        let moved = (self.dropped.len(), self.single.len()) != before;
        if moved && failed.round < MOST_ROUNDS { Ok(()) } else { Err(NobodyToBlame) }
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
            dropped: BTreeSet::new(),
            single: BTreeSet::new(),
            said: None,
            why: None,
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

    /// The bodies of functions that are not watched, by their file.
    fn dropped_bodies(&self) -> Vec<(usize, Piece)> {
        self.dropped.iter().map(|&(file, function)| (file, self.units[file].whole(function))).collect()
    }

    fn weave_file(&self, file: usize, first: u32) -> Woven {
        let units = &self.units[file];
        let watched = units.all_statements().filter(|(function, piece)| {
            !self.dropped.contains(&(file, *function))
                && !self.single.contains(&(file, *piece))
                && self.can_be_watched(file, *piece)
        });
        let probes: Vec<Probe> =
            watched.map(|(_, piece)| Probe { piece, arm: units.is_arm(piece) }).collect();
        weave(self.inserter.def, self.inserter.target.view(file), &[], &probes, first, &|_, _| vec![])
    }

    /// Where indentation makes blocks, a guard cannot begin in the middle of a line.
    fn can_be_watched(&self, file: usize, piece: Piece) -> bool {
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

    /// Stops watching the statements that begin on a line of a woven file; whether there are any.
    fn drop_statements(&mut self, path: &str, line: u32) -> bool {
        let Some(file) = self.file_meant(path) else { return false };
        let pieces = self.woven[&file].units.iter().map(|unit| unit.piece);
        let begins = |piece: &Piece| self.woven_line(file, piece.start) == line;
        let found: Vec<_> = pieces.filter(begins).map(|piece| (file, piece)).collect();
        self.single.extend(&found);
        !found.is_empty()
    }

    /// Stops watching the innermost function that a line of a woven file is in, or all of the file.
    fn drop_function(&mut self, path: &str, line: u32) {
        let Some(file) = self.file_meant(path) else { return };
        let at = |token: u32| self.woven_line(file, token);
        let functions: BTreeSet<usize> =
            self.units[file].all_statements().map(|(function, _)| function).collect();
        let lines = functions.iter().map(|&function| {
            let whole = self.units[file].whole(function);
            (at(whole.start.saturating_sub(1)), at(whole.end), function)
        });
        let holding = lines.filter(|(first, last, _)| (*first..=*last).contains(&line));
        match holding.min_by_key(|(first, last, _)| last - first) {
            Some((.., function)) => self.dropped.extend([(file, function)]),
            None => self.dropped.extend(functions.iter().map(|function| (file, *function))),
        }
    }

    /// What the compiler said first, if it ever refused a guard.
    pub(super) fn said(&self) -> Option<&str> {
        self.said.as_deref()
    }

    /// Says how many functions are not watched, why, and what that means.
    pub(super) fn warn_of_unwatched(&self, events: &Events, so: &str) {
        let count = self.dropped.len();
        if let Some(why) = self.why.as_ref().filter(|_| count > 0) {
            events.warn(format!("{count} functions could not be watched ({why}); {so}"));
        }
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

    fn statements(&self, reached: &[(u32, RoaringBitmap)]) -> Vec<Watched> {
        let mut by_unit: BTreeMap<u32, RoaringBitmap> = BTreeMap::new();
        for (test, units) in reached {
            for unit in units {
                by_unit.entry(unit).or_default().insert(*test);
            }
        }
        let mut all = Vec::new();
        for (file, woven) in &self.woven {
            let source = &self.inserter.target.files[*file];
            let lines = LineIndex::new(&source.text);
            for unit in &woven.units {
                let line =
                    |token: u32| lines.place(source.tokens[token as usize].span.start as usize).line as u32;
                all.push(Watched {
                    file: *file,
                    piece: unit.piece,
                    line: line(unit.piece.start),
                    end_line: line(unit.piece.end - 1),
                    covered: by_unit.remove(&unit.number).unwrap_or_default(),
                });
            }
        }
        all
    }
}

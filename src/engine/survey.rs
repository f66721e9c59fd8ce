//! Which tests execute which statements, without any mutant and without a coverage tool.
//!
//! In: a project, and the files that are watched. Out: what its tests say, and per statement the tests that
//! pass it. Every statement gets a guard with nothing in it. What does not compile with a guard is not watched
//! alone, as it may only look like a statement; where errors stay, all of that function is not, and counted.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::RwLock;
use std::sync::atomic::AtomicUsize;

use roaring::RoaringBitmap;

use crate::insert::Inserter;
use crate::insert::Piece;
use crate::insert::Units;
use crate::runner::Runner;
use crate::text::LineIndex;
use crate::workspace::Probe;
use crate::workspace::Runtime;
use crate::workspace::Workspace;
use crate::workspace::Woven;
use crate::workspace::weave;

use super::baseline::Baseline;
use super::campaign::TestError;
use super::campaign::original_baseline;
use super::project::Project;
use super::project::complaints;
use super::project::put;
use super::project::scratch;
use super::screen::file_meant;
use super::switched::Crew;
use crate::control::Events;
use crate::control::Phase;

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

/// The files of a program whose statements are watched, and what its build said.
type WatchedProgram = (BTreeMap<usize, Woven>, Vec<u8>);

/// What is surveyed.
struct Surveyor<'a> {
    project: &'a Project<'a>,
    inserter: &'a Inserter<'a>,
    paths: &'a [PathBuf],
    events: &'a Events,
    units: Vec<Units>,
    /// Functions that are not watched, by their file.
    dropped: BTreeSet<(usize, usize)>,
    /// Statements that are not watched, by their file.
    single: BTreeSet<(usize, Piece)>,
    /// What the compiler said first.
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
        events.enter(Phase::CopyingProject);
        let workspace = project.copy()?;
        let scratch = scratch()?;
        let units: Vec<Units> = (0..inserter.target.files.len())
            .map(|file| Units::new(inserter.def, inserter.target.view(file)))
            .collect();
        let switch = &inserter.def.file.switch;
        let count = units.iter().map(|units| units.all_statements().count()).sum::<usize>() as u32;
        let mut env = project.env(&[], 0);
        let mut runtime = None;
        if switch.is_given() {
            events.enter(Phase::InstallingRuntime);
            let directory = scratch.path().join("runtime");
            let installed =
                Runtime::install(&switch.runtime, count, &directory, workspace.path(), &project.outer)?;
            env = project.env(&installed.env, 0);
            runtime = Some(installed);
        }
        let baseline = original_baseline(project, &workspace, &env, events)?;
        let mut survey = Self { baseline, statements: vec![], unwatched: vec![] };
        if let Some(runtime) = runtime.filter(|_| count > 0) {
            let (dropped, single) = (BTreeSet::new(), BTreeSet::new());
            let mut surveyor =
                Surveyor { project, inserter, paths, events, units, dropped, single, why: None };
            surveyor.watch(&workspace, &runtime, &env, jobs, &mut survey)?;
        }
        Ok(survey)
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

impl Surveyor<'_> {
    fn watch(
        &mut self,
        workspace: &Workspace,
        runtime: &Runtime,
        env: &[(String, String)],
        jobs: usize,
        survey: &mut Survey,
    ) -> Result<(), TestError> {
        let Some((woven, said)) = self.build(workspace, runtime, env)? else {
            self.events.warn("statements could not be watched: the project does not build with guards in it");
            return Ok(());
        };
        let body = |&(file, function): &(usize, usize)| (file, self.units[file].whole(function));
        survey.unwatched = self.dropped.iter().map(body).collect();
        if let Some(why) = self.why.as_ref().filter(|_| !self.dropped.is_empty()) {
            let count = survey.unwatched.len();
            self.events.warn(format!(
                "{count} functions could not be watched ({why}); only their mutants say who executes them"
            ));
        }
        self.events.enter(Phase::FindingStatements);
        let tree = workspace.path();
        let names = survey.baseline.names();
        let mut runners: Vec<Mutex<Box<dyn Runner>>> = Vec::new();
        let mut copies = Vec::new();
        for worker in 0..jobs.max(1) {
            let copy = if worker > 0 { Some(Project::copy_of(tree)?) } else { None };
            let at = copy.as_ref().map_or(tree, |copy: &Workspace| copy.path());
            let runner = self.project.runner(at, tree, &said, env, runtime.units(), Some(&names))?;
            runners.push(Mutex::new(survey.baseline.align(runner)));
            copies.extend(copy);
        }
        let heard = survey.baseline.heard();
        let crew = Crew {
            runners,
            baseline: &survey.baseline,
            trusted: heard.iter().copied().collect(),
            failing: RoaringBitmap::new(),
            thorough: false,
            full: true,
            progress: &self.events.progress,
            unsure: AtomicUsize::new(0),
            given_up: AtomicUsize::new(0),
            quiet: RwLock::new(()),
        };
        let reached = crew.reach(&heard)?;
        survey.statements = self.statements(&woven, &reached);
        Ok(())
    }

    /// Builds the project with all statements watched; none if that cannot be done.
    fn build(
        &mut self,
        workspace: &Workspace,
        runtime: &Runtime,
        env: &[(String, String)],
    ) -> Result<Option<WatchedProgram>, TestError> {
        let files = &self.inserter.target.files;
        let all: Vec<_> = files.iter().zip(self.paths).map(|(file, path)| (path.as_path(), file)).collect();
        for (path, text) in runtime.companions(&all) {
            put(workspace, &path, &text)?;
        }
        let switch = &self.inserter.def.file.switch;
        let complaints = complaints(self.inserter.def)?;
        for round in 1..=MOST_ROUNDS {
            self.events.at(Phase::BuildingWatched, format!("round {round}"));
            let woven = self.weave();
            for (file, woven) in &woven {
                put(workspace, &self.paths[*file], &runtime.dress(&files[*file], &woven.text))?;
            }
            let built = match &switch.check {
                Some(line) if !self.project.builds() => {
                    let paths: Vec<&Path> = woven.keys().map(|file| self.paths[*file].as_path()).collect();
                    self.project.check(workspace.path(), &paths, line, env)?
                }
                _ => self.project.build(workspace.path(), env)?,
            };
            if built.fine {
                return Ok(Some((woven, built.said)));
            }
            let before = (self.dropped.len(), self.single.len());
            for complaint in complaints.read(&built.said) {
                for (path, line) in &complaint.places {
                    let line = line.saturating_sub(runtime.lead());
                    if round > SINGLE_ROUNDS || !self.drop_statements(&woven, path, line) {
                        self.drop_function(&woven, path, line);
                        self.why.get_or_insert_with(|| complaint.message.clone());
                    }
                }
            }
            if (self.dropped.len(), self.single.len()) == before {
                break;
            }
        }
        // As it was, for whoever uses the copy.
        for (path, file) in &all {
            put(workspace, path, &file.text)?;
        }
        Ok(None)
    }

    fn weave(&self) -> BTreeMap<usize, Woven> {
        let mut first = 0;
        let mut all = BTreeMap::new();
        for (file, units) in self.units.iter().enumerate() {
            let view = self.inserter.target.view(file);
            let watched = units.all_statements().filter(|(function, piece)| {
                !self.dropped.contains(&(file, *function))
                    && !self.single.contains(&(file, *piece))
                    && self.can_be_watched(file, *piece)
            });
            let probes: Vec<Probe> =
                watched.map(|(_, piece)| Probe { piece, arm: units.is_arm(piece) }).collect();
            let woven = weave(self.inserter.def, view, &[], &probes, first, &|_, _| vec![]);
            first += woven.units.len() as u32;
            all.insert(file, woven);
        }
        all
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
    fn woven_line(&self, woven: &BTreeMap<usize, Woven>, file: usize, token: u32) -> u32 {
        let source = &self.inserter.target.files[file];
        let end = source.text.len() as u32;
        let byte = source.tokens.get(token as usize).map_or(end, |token| token.span.start);
        woven[&file].regions.line_of(byte, &source.text)
    }

    /// Stops watching the statements that begin on a line of a woven file; whether there are any.
    fn drop_statements(&mut self, woven: &BTreeMap<usize, Woven>, path: &str, line: u32) -> bool {
        let Some(file) = self.file_meant(path) else { return false };
        let pieces = woven[&file].units.iter().map(|unit| unit.piece);
        let begins = |piece: &Piece| self.woven_line(woven, file, piece.start) == line;
        let found: Vec<_> = pieces.filter(begins).map(|piece| (file, piece)).collect();
        self.single.extend(&found);
        !found.is_empty()
    }

    /// Stops watching the innermost function that a line of a woven file is in, or all of the file.
    fn drop_function(&mut self, woven: &BTreeMap<usize, Woven>, path: &str, line: u32) {
        let Some(file) = self.file_meant(path) else { return };
        let at = |token: u32| self.woven_line(woven, file, token);
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

    fn statements(&self, woven: &BTreeMap<usize, Woven>, reached: &[(u32, RoaringBitmap)]) -> Vec<Watched> {
        let mut by_unit: BTreeMap<u32, RoaringBitmap> = BTreeMap::new();
        for (test, units) in reached {
            for unit in units {
                by_unit.entry(unit).or_default().insert(*test);
            }
        }
        let mut all = Vec::new();
        for (file, woven) in woven {
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

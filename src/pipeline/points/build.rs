//! Builds a program with points: weave, build, read errors back to points, until it builds.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::insert::Inserter;
use crate::insert::Piece;
use crate::insert::Point;
use crate::insert::find_points;
use crate::runner::RunError;
use crate::runner::SPLIT_VARIABLE;
use crate::runner::SplitFile;
use crate::text::LineIndex;
use crate::workspace::PointText;
use crate::workspace::Runtime;
use crate::workspace::Workspace;
use crate::workspace::WovenPoint;
use crate::workspace::weave_points;

use super::place::PointPlace;
use super::program::PointProgram;
use super::worker::Worker;
use crate::control::Events;
use crate::control::Phase;
use crate::engine::Baseline;
use crate::engine::Project;
use crate::engine::TestError;
use crate::engine::complaints;
use crate::engine::original_baseline;
use crate::engine::put;
use crate::engine::scratch;
use crate::engine::screen::file_meant;

/// Builds after which nothing is tried any more.
const MOST_ROUNDS: usize = 40;

/// A point of a file, and which of its ways to be written is tried.
struct Tried {
    file: usize,
    point: Point,
    rung: usize,
}

impl Tried {
    fn kind(&self) -> Option<usize> {
        self.point.kinds.get(self.rung).copied()
    }
}

struct Builder<'a> {
    project: &'a Project<'a>,
    inserter: &'a Inserter<'a>,
    paths: &'a [PathBuf],
    events: &'a Events,
    tried: Vec<Tried>,
}

/// Builds a project with all points that can be woven, and runs its tests once. `paths` are the files of the
/// target inside of the project; `kinds` are the kinds of points that are wanted, all if there are none.
pub fn build(
    project: &Project,
    inserter: &Inserter,
    paths: &[PathBuf],
    kinds: &[String],
    jobs: usize,
    events: &Events,
) -> Result<PointProgram, TestError> {
    let target = inserter.target;
    let all = &inserter.def.file.switch.points.kind;
    let mut tried = Vec::new();
    for file in 0..target.files.len() {
        for mut point in find_points(inserter.def, target.view(file), &target.allowed[file]) {
            point.kinds.retain(|kind| kinds.is_empty() || kinds.contains(&all[*kind].name));
            if !point.kinds.is_empty() {
                tried.push(Tried { file, point, rung: 0 });
            }
        }
    }
    let mut builder = Builder { project, inserter, paths, events, tried };
    builder.run(jobs)
}

impl Builder<'_> {
    fn run(&mut self, jobs: usize) -> Result<PointProgram, TestError> {
        self.events.enter(Phase::CopyingProject);
        let workspace = self.project.copy()?;
        let scratch = scratch()?;
        let switch = &self.inserter.def.file.switch;
        let count = self.tried.len() as u32;
        self.events.enter(Phase::InstallingRuntime);
        let directory = scratch.path().join("runtime");
        let runtime =
            Runtime::install(&switch.runtime, count, &directory, workspace.path(), &self.project.outer)?;
        let mut runtime_env = runtime.env.clone();
        // Numbers that run over do the same every time.
        if let Some((_, flags)) = runtime_env.iter_mut().find(|(key, _)| key == "WILDCAUGHT_CFLAGS") {
            flags.push_str(" -fwrapv");
        }
        let env = self.project.env(&runtime_env, 0);
        let mut baseline = original_baseline(self.project, &workspace, &env, self.events)?;
        let said = self.woven(&workspace, &runtime, &env)?;
        let places = self.places();
        let mutants = places.iter().map(PointPlace::mutants).sum();
        let mut workers = Vec::new();
        let mut copies = Vec::new();
        let tree = workspace.path();
        let names = baseline.names();
        for number in 0..jobs.max(1) {
            let copy = if number > 0 { Some(Project::copy_of(tree)?) } else { None };
            let at = copy.as_ref().map_or(tree, |copy: &Workspace| copy.path());
            let split = SplitFile::create(scratch.path(), self.tried.len(), mutants)
                .map_err(RunError::io(scratch.path().display().to_string()))?;
            let mut env = env.clone();
            env.push((SPLIT_VARIABLE.into(), split.path().display().to_string()));
            let runner = self.project.runner(at, tree, &said, &env, runtime.units(), Some(&names))?;
            workers.push(Worker { runner: baseline.align(runner), split });
            copies.extend(copy);
        }
        self.distrust(&mut workers[0], &mut baseline)?;
        let numbers = (0..).zip(&self.tried).filter(|(_, tried)| tried.kind().is_some());
        let numbers = numbers.map(|(number, _)| number).collect();
        let workers = workers.into_iter().map(Mutex::new).collect();
        copies.push(workspace);
        let slots = self.tried.len();
        let mut program = PointProgram::new(places, numbers, slots, baseline, workers, (scratch, copies));
        program.env = runtime_env;
        program.dropped = self.tried.iter().filter(|tried| tried.kind().is_none()).count();
        program.look(self.events)?;
        if program.tests.is_empty() {
            let why = "no test passes whenever nothing is exchanged: nothing could be found";
            return Err(TestError::Baseline(why.into()));
        }
        Ok(program)
    }

    /// Tests that the points alone change say nothing.
    fn distrust(&self, worker: &mut Worker, baseline: &mut Baseline) -> Result<(), TestError> {
        self.events.enter(Phase::TestingPoints);
        let woven = Baseline::run(&mut *worker.runner, self.project.config, &self.events.progress)?;
        let differing = baseline.differing(&woven);
        if differing.len() * 2 > baseline.tests.len() {
            let (count, all) = (differing.len(), baseline.tests.len());
            return Err(TestError::Baseline(format!(
                "{count} of {all} tests fail once operators can be exchanged, with nothing exchanged"
            )));
        }
        for &test in &differing {
            let name = &baseline.tests[test as usize].name;
            self.events.warn(format!(
                "{name} fails once operators can be exchanged, with nothing exchanged; its word does not count"
            ));
            baseline.distrust(test);
        }
        baseline.slow_down(&woven, self.project.config);
        Ok(())
    }

    /// Builds until it builds; gives what the last build said.
    fn woven(
        &mut self,
        workspace: &Workspace,
        runtime: &Runtime,
        env: &[(String, String)],
    ) -> Result<Vec<u8>, TestError> {
        let files = &self.inserter.target.files;
        let all: Vec<_> = files.iter().zip(self.paths).map(|(file, path)| (path.as_path(), file)).collect();
        for (path, text) in runtime.companions(&all) {
            put(workspace, &path, &text)?;
        }
        let complaints = complaints(self.inserter.def)?;
        let mut last: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for round in 1..=MOST_ROUNDS {
            self.events.at(Phase::BuildingPoints, format!("round {round}"));
            let woven = self.weave();
            for (file, woven) in &woven {
                if last.get(file) != Some(&woven.text) {
                    put(workspace, &self.paths[*file], &runtime.dress(&files[*file], &woven.text))?;
                    last.insert(*file, woven.text.clone());
                }
            }
            let built = self.project.build(workspace.path(), env)?;
            if built.fine {
                return Ok(built.said);
            }
            let places: Vec<(String, u32)> = complaints
                .read(&built.said)
                .into_iter()
                .filter_map(|found| found.places.into_iter().next())
                .collect();
            if !self.blame(&woven, &places, runtime.lead()) {
                let said = built.last_lines();
                return Err(TestError::Baseline(format!(
                    "the project does not build with operators that can be exchanged:\n{said}"
                )));
            }
        }
        Err(TestError::Baseline(format!("no program that builds was found in {MOST_ROUNDS} rounds")))
    }

    fn weave(&self) -> BTreeMap<usize, PointText> {
        let mut by_file: BTreeMap<usize, Vec<WovenPoint>> = BTreeMap::new();
        for (number, tried) in (0..).zip(&self.tried) {
            let here = by_file.entry(tried.file).or_default();
            here.extend(tried.kind().map(|kind| WovenPoint { point: &tried.point, number, kind }));
        }
        let files = &self.inserter.target.files;
        let weave = |(file, points): (usize, Vec<WovenPoint>)| {
            (file, weave_points(self.inserter.def, &files[file], &points))
        };
        by_file.into_iter().map(weave).collect()
    }

    /// Moves points on whose lines there are errors to their next way to be written; whether there are any.
    fn blame(&mut self, woven: &BTreeMap<usize, PointText>, places: &[(String, u32)], lead: u32) -> bool {
        let mut guilty: BTreeSet<u32> = BTreeSet::new();
        let mut near: BTreeSet<u32> = BTreeSet::new();
        for (path, line) in places {
            let files = self.inserter.target.files.iter().map(|source| source.path.as_path()).enumerate();
            let Some(text) = file_meant(files, path).and_then(|file| woven.get(&file)) else { continue };
            let line = line.saturating_sub(lead);
            let owners = text.owners(line);
            if owners.is_empty() {
                near.extend(text.nearest(line));
            }
            guilty.extend(owners);
        }
        // An error on nobody's line may follow from others.
        let moved = if guilty.is_empty() { near } else { guilty };
        for number in &moved {
            self.tried[*number as usize].rung += 1;
        }
        !moved.is_empty()
    }

    /// The points that are in the program.
    fn places(&self) -> Vec<PointPlace> {
        let target = self.inserter.target;
        let lines: Vec<LineIndex> = target.files.iter().map(|file| LineIndex::new(&file.text)).collect();
        let levels = &self.inserter.def.file.switch.points.levels;
        let level = |operator: &String| levels.iter().position(|level| level.contains(operator)).unwrap_or(0);
        let place = |tried: &Tried| {
            let kind = &self.inserter.def.file.switch.points.kind[tried.kind()?];
            let (file, operator) = (&target.files[tried.file], tried.point.operator as usize);
            let own = file.token(operator);
            let bytes = |piece: Piece| {
                let (first, last) = (file.tokens[piece.start as usize], file.tokens[piece.end as usize - 1]);
                first.span.start as usize..last.span.end as usize
            };
            let at = lines[tried.file].place(file.tokens[operator].span.start as usize);
            let function = target.structures[tried.file].functions.get(tried.point.function);
            let name = function.filter(|function| (function.name as usize) < file.tokens.len());
            let name = name.map_or(String::new(), |function| {
                String::from_utf8_lossy(file.token(function.name as usize)).into_owned()
            });
            Some(PointPlace {
                source: tried.file,
                left: bytes(tried.point.left),
                right: bytes(tried.point.right),
                start: file.tokens[operator].span.start as usize,
                grouped: tried.point.grouped,
                levels: kind.operators.iter().map(&level).collect(),
                file: self.paths[tried.file].display().to_string(),
                line: at.line as u32,
                column: at.column as u32,
                function: name,
                kind: kind.name.clone(),
                operators: kind.operators.clone(),
                original: kind.operators.iter().position(|known| known.as_bytes() == own)?,
            })
        };
        self.tried.iter().filter_map(place).collect()
    }
}

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
use crate::engine::Project;
use crate::engine::TestError;
use crate::engine::Workbench;
use crate::engine::complaints;
use crate::engine::put;
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
        let mut bench = Workbench::set_up(self.project, self.inserter.def, self.tried.len(), self.events)?;
        // Numbers that run over do the same every time.
        if let Some((_, flags)) = bench.runtime_env.iter_mut().find(|(key, _)| key == "WILDCAUGHT_CFLAGS") {
            flags.push_str(" -fwrapv");
        }
        bench.env = self.project.env(&bench.runtime_env, 0);
        let mut baseline = bench.baseline()?;
        let Some(runtime) = &bench.runtime else {
            return Err(TestError::Baseline("operators of this language cannot be exchanged".into()));
        };
        let said = self.woven(&bench.workspace, runtime, &bench.env)?;
        let places = self.places();
        let mutants = places.iter().map(PointPlace::mutants).sum();
        let split = |_| {
            SplitFile::create(bench.scratch(), self.tried.len(), mutants)
                .map_err(RunError::io(bench.scratch().display().to_string()))
        };
        let splits = (0..jobs.max(1)).map(split).collect::<Result<Vec<_>, _>>()?;
        let told =
            |number: usize| vec![(SPLIT_VARIABLE.to_owned(), splits[number].path().display().to_string())];
        let mut made = bench.runners(jobs, &said, &baseline, told)?;
        self.events.enter(Phase::TestingPoints);
        let when = "once operators can be exchanged, with nothing exchanged";
        bench.compare_unchanged(&mut *made.runners[0], &mut baseline, when)?.map_err(TestError::Baseline)?;
        let workers = made.runners.into_iter().zip(splits);
        let workers = workers.map(|(runner, split)| Mutex::new(Worker { runner, split })).collect();
        let numbers = (0..).zip(&self.tried).filter(|(_, tried)| tried.kind().is_some());
        let numbers = numbers.map(|(number, _)| number).collect();
        let slots = self.tried.len();
        let env = std::mem::take(&mut bench.runtime_env);
        let (workspace, scratch) = bench.into_directories();
        let mut homes: Vec<_> = made.copies.into_iter().map(|copy| (copy, None)).collect();
        homes.push((workspace, Some(scratch)));
        let mut program = PointProgram::new(places, numbers, slots, baseline, workers, homes);
        program.env = env;
        program.dropped = self.tried.iter().filter(|tried| tried.kind().is_none()).count();
        program.look(self.events)?;
        if program.tests.is_empty() {
            let why = "no test passes whenever nothing is exchanged: nothing could be found";
            return Err(TestError::Baseline(why.into()));
        }
        Ok(program)
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

//! The points that are tried, and which of them are dropped because they do not compile.
//!
//! In: a target and the kinds of operators that are wanted. Out: files with all points woven into them that were not
//! dropped, and the places of these points. A point may be written in several ways; an error on its line moves it to
//! the next way, and drops it after the last.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::engine::FailedBuild;
use crate::engine::NoCulprit;
use crate::engine::Weaving;
use crate::engine::screen::file_meant;
use crate::insert::Inserter;
use crate::insert::Piece;
use crate::insert::Point;
use crate::insert::find_points;
use crate::text::LineIndex;
use crate::workspace::PointText;
use crate::workspace::WovenPoint;
use crate::workspace::weave_points;

use super::place::PointPlace;

/// A point of a file, and which of its ways to be written is tried.
struct Candidate {
    file: usize,
    point: Point,
    way: usize,
}

impl Candidate {
    /// The kind of operators that it has; none if it was dropped.
    fn kind(&self) -> Option<usize> {
        self.point.kinds.get(self.way).copied()
    }
}

/// How many points a file has, and how many mutants these have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointCount {
    pub points: usize,
    pub mutants: usize,
}

/// All points of a target that are tried. A point's number is its place among them.
pub struct PointCandidates<'a> {
    inserter: &'a Inserter<'a>,
    /// Per file of the target, its path inside of the project.
    paths: &'a [PathBuf],
    all: Vec<Candidate>,
    /// Per file with points, its text as it was woven last.
    woven: BTreeMap<usize, PointText>,
}

impl<'a> PointCandidates<'a> {
    /// Finds the points of a target; those of all kinds if none are given.
    pub fn find(inserter: &'a Inserter<'a>, paths: &'a [PathBuf], kinds: &[String]) -> Self {
        let target = inserter.target;
        let names = &inserter.def.file.switch.points.kind;
        let mut all = Vec::new();
        for file in 0..target.files.len() {
            for mut point in find_points(inserter.def, target.view(file), &target.allowed[file]) {
                point.kinds.retain(|kind| kinds.is_empty() || kinds.contains(&names[*kind].name));
                if !point.kinds.is_empty() {
                    all.push(Candidate { file, point, way: 0 });
                }
            }
        }
        Self { inserter, paths, all, woven: BTreeMap::new() }
    }

    /// How many points there are, dropped ones with them.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many points were dropped.
    pub fn dropped(&self) -> usize {
        self.all.iter().filter(|candidate| candidate.kind().is_none()).count()
    }

    /// The numbers of the points that were not dropped.
    pub fn kept(&self) -> Vec<usize> {
        let kept = self.all.iter().enumerate().filter(|(_, candidate)| candidate.kind().is_some());
        kept.map(|(number, _)| number).collect()
    }

    /// The points of each file, and their mutants.
    pub fn count(&self) -> Vec<PointCount> {
        let kinds = &self.inserter.def.file.switch.points.kind;
        let mut counts = vec![PointCount::default(); self.paths.len()];
        for (candidate, kind) in self.all.iter().filter_map(|candidate| Some((candidate, candidate.kind()?)))
        {
            counts[candidate.file].points += 1;
            counts[candidate.file].mutants += kinds[kind].operators.len() - 1;
        }
        counts
    }

    /// The places of the points that were not dropped.
    pub fn places(&self) -> Vec<PointPlace> {
        let files = &self.inserter.target.files;
        let lines: Vec<LineIndex> = files.iter().map(|file| LineIndex::new(&file.text)).collect();
        self.all.iter().filter_map(|candidate| self.place(candidate, &lines[candidate.file])).collect()
    }

    fn place(&self, candidate: &Candidate, lines: &LineIndex) -> Option<PointPlace> {
        let points = &self.inserter.def.file.switch.points;
        let kind = &points.kind[candidate.kind()?];
        let (file, operator) =
            (&self.inserter.target.files[candidate.file], candidate.point.operator as usize);
        let start = file.tokens[operator].span.start as usize;
        let bytes = |piece: Piece| {
            let (first, last) = (file.tokens[piece.start as usize], file.tokens[piece.end as usize - 1]);
            first.span.start as usize..last.span.end as usize
        };
        let level = |operator: &String| points.levels.iter().position(|level| level.contains(operator));
        let at = lines.place(start);
        Some(PointPlace {
            source: candidate.file,
            left: bytes(candidate.point.left),
            right: bytes(candidate.point.right),
            start,
            grouped: candidate.point.grouped,
            levels: kind.operators.iter().map(|operator| level(operator).unwrap_or(0)).collect(),
            file: self.paths[candidate.file].display().to_string(),
            line: at.line as u32,
            column: at.column as u32,
            function: self.function(candidate),
            kind: kind.name.clone(),
            operators: kind.operators.clone(),
            original: kind.operators.iter().position(|known| known.as_bytes() == file.token(operator))?,
        })
    }

    /// The name of the function that a point is in; empty if it has none.
    fn function(&self, candidate: &Candidate) -> String {
        let (target, file) = (self.inserter.target, &self.inserter.target.files[candidate.file]);
        let function = target.structures[candidate.file].functions.get(candidate.point.function);
        let named = function.filter(|function| (function.name as usize) < file.tokens.len());
        named.map_or(String::new(), |function| {
            String::from_utf8_lossy(file.token(function.name as usize)).into_owned()
        })
    }
}

impl Weaving for PointCandidates<'_> {
    /// Weaves all points into their files that were not dropped.
    fn weave(&mut self) {
        let mut by_file: BTreeMap<usize, Vec<WovenPoint>> = BTreeMap::new();
        for (number, candidate) in (0..).zip(&self.all) {
            let here = by_file.entry(candidate.file).or_default();
            here.extend(candidate.kind().map(|kind| WovenPoint { point: &candidate.point, number, kind }));
        }
        let Inserter { def, target, .. } = self.inserter;
        let weave = |(file, points): (usize, Vec<WovenPoint>)| {
            (file, weave_points(def, &target.files[file], &points))
        };
        self.woven = by_file.into_iter().map(weave).collect();
    }

    fn files(&self) -> Vec<(usize, &[u8])> {
        self.woven.iter().map(|(file, woven)| (*file, &woven.text[..])).collect()
    }

    /// Moves points on whose lines there are errors to their next way to be written.
    fn leave_out(&mut self, failed: &FailedBuild) -> Result<(), NoCulprit> {
        let mut guilty: BTreeSet<u32> = BTreeSet::new();
        let mut near: BTreeSet<u32> = BTreeSet::new();
        for (path, line) in failed.complaints.iter().filter_map(|complaint| complaint.places.first()) {
            let files = self.inserter.target.files.iter().map(|source| source.path.as_path());
            let file = file_meant(files.enumerate(), path);
            let Some(text) = file.and_then(|file| self.woven.get(&file)) else { continue };
            let owners = text.owners(*line);
            if owners.is_empty() {
                near.extend(text.nearest(*line));
            }
            guilty.extend(owners);
        }
        // An error on the line of no point may follow from others.
        let moved = if guilty.is_empty() { near } else { guilty };
        for number in &moved {
            self.all[*number as usize].way += 1;
        }
        if moved.is_empty() { Err(NoCulprit) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::screen::Complaint;
    use crate::insert::Arsenal;
    use crate::insert::Fit;
    use crate::insert::Rules;
    use crate::insert::Target;
    use crate::langdef::builtin;
    use crate::operator::read_set;

    const TEXT: &str = "int less(int a, int b)\n{\n    return a < b;\n}\n\n\
                        int sum(int a, int b)\n{\n    return a + b;\n}\n";

    /// Some set: points need none.
    const SET: &str = "format = 1\nlanguage = 'c'\n[[operator]]\nfind = '.='\nput = '.+='\n";

    /// Calls `check` with the candidates of a file, of all kinds or of one.
    fn with_candidates(kinds: &[&str], check: impl FnOnce(&mut PointCandidates)) {
        let def = builtin("c").unwrap();
        let set = read_set(SET, "test").unwrap();
        let arsenal = Arsenal::new(&[set], &def).unwrap();
        let target = Target::new(&def, vec![("src/x.c".into(), TEXT.into())]);
        let fit = Fit::of(Rules::NONE, 0.0);
        let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
        let kinds: Vec<String> = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        check(&mut PointCandidates::find(&inserter, &["x.c".into()], &kinds));
    }

    fn error(path: &str, line: u32) -> Complaint {
        Complaint { places: vec![(path.into(), line)], message: "wrong".into() }
    }

    /// Whether somebody is to blame for these errors.
    fn blame(candidates: &mut PointCandidates, complaints: &[Complaint]) -> bool {
        candidates.leave_out(&FailedBuild { round: 1, complaints, said: b"" }).is_ok()
    }

    /// The line of a woven text, from 1, on which some text is.
    fn line_of(candidates: &PointCandidates, text: &str) -> u32 {
        let woven = String::from_utf8_lossy(candidates.files()[0].1).into_owned();
        woven.lines().position(|line| line.contains(text)).unwrap() as u32 + 1
    }

    #[test]
    fn points_of_the_wanted_kinds_are_found_and_counted() {
        with_candidates(&[], |all| {
            assert_eq!(all.count(), [PointCount { points: 2, mutants: 9 }]);
            let places = all.places();
            let seen: Vec<_> = places.iter().map(|place| (&place.function[..], place.line)).collect();
            assert_eq!(seen, [("less", 3), ("sum", 8)]);
        });
        with_candidates(&["arithmetic"], |some| {
            assert_eq!((some.len(), some.count()), (1, vec![PointCount { points: 1, mutants: 4 }]));
        });
    }

    #[test]
    fn a_point_with_an_error_on_its_line_is_dropped_and_its_file_is_as_it_was_without_points() {
        with_candidates(&[], |all| {
            all.weave();
            while all.dropped() == 0 {
                let wrong = error("x.c", line_of(all, "int less") + 2);
                assert!(blame(all, &[wrong]));
                all.weave();
            }
            assert_eq!((all.kept(), all.places()[0].function.as_str()), (vec![1], "sum"));
            while all.dropped() == 1 {
                let wrong = error("/tmp/copy/src/x.c", line_of(all, "int sum") + 2);
                assert!(blame(all, &[wrong]));
                all.weave();
            }
            assert_eq!((all.kept().len(), all.files()), (0, vec![(0, TEXT.as_bytes())]));
        });
    }

    #[test]
    fn an_error_in_another_file_is_nobodys() {
        with_candidates(&[], |all| {
            all.weave();
            assert!(!blame(all, &[error("y.c", 3)]));
            assert!(!blame(all, &[]));
            assert_eq!(all.dropped(), 0);
        });
    }

    #[test]
    fn an_error_far_from_points_is_of_the_nearest_unless_another_has_one() {
        with_candidates(&[], |all| {
            all.weave();
            let last = String::from_utf8_lossy(all.files()[0].1).lines().count() as u32;
            let on_the_first = error("x.c", line_of(all, "int less") + 2);
            blame(all, &[error("x.c", last), on_the_first]);
            assert_eq!((all.all[0].way, all.all[1].way), (1, 0));
            all.weave();
            blame(all, &[error("x.c", last)]);
            assert_eq!((all.all[0].way, all.all[1].way), (1, 1));
        });
    }
}

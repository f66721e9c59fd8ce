//! Which mutants leave the meta-program when it does not build.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::insert::Inserter;
use crate::insert::new_text;
use crate::matrix::Switch;
use crate::workspace::Owner;
use crate::workspace::Woven;
use crate::workspace::weave;
use crate::workspace::weave_with_lines;

use super::super::driver::FailedBuild;
use super::super::driver::NoCulprit;
use super::super::driver::Weaving;
use super::super::line_map::LineMap;
use super::complaints::Complaint;
use super::complaints::Complaints;
use super::complaints::file_meant;
use super::doubt::DoubtPlace;
use super::doubt::Doubts;
use super::ladder::Ladder;

/// Rounds after which what is still in doubt is built by itself.
const MOST_ROUNDS: usize = 80;

/// Suspects that are tried one by one; more are tried in halves.
const MOST_SUSPECTS: usize = 12;

/// Mutants on their way into the meta-program.
pub struct Screen<'l, 'a> {
    inserter: &'a Inserter<'a>,
    ladder: &'l mut Ladder<'a>,
    complaints: &'l Complaints,
    /// Per file, the number of its first unit.
    first: Vec<u32>,
    woven: BTreeMap<usize, Woven>,
    doubts: Doubts,
}

impl Weaving for Screen<'_, '_> {
    fn weave(&mut self) {
        for file in 0..self.ladder.by_file.len() {
            if self.ladder.by_file[file].is_empty() {
                continue;
            }
            let members = self.ladder.members(file, |mutant| self.doubts.is_parked(mutant));
            let ladder = &self.ladder;
            let version = |mutant, piece| ladder.version(mutant, piece);
            let view = self.inserter.target.view(file);
            let woven = weave(self.inserter.def, view, &members, &[], self.first[file], &version);
            self.woven.insert(file, woven);
        }
    }

    fn files(&self) -> Vec<(usize, &[u8])> {
        self.woven.iter().map(|(file, woven)| (*file, &woven.text[..])).collect()
    }

    fn with_lines(&self, file: usize) -> Option<Vec<u8>> {
        self.woven.get(&file)?;
        let members = self.ladder.members(file, |mutant| self.doubts.is_parked(mutant));
        let version = |mutant, piece| self.ladder.version(mutant, piece);
        let view = self.inserter.target.view(file);
        Some(weave_with_lines(self.inserter.def, view, &members, self.first[file], &version))
    }

    fn refuse(&mut self, refused: &[Complaint]) -> bool {
        let mut any = false;
        for complaint in refused {
            if let Some((_, Some(Owner::Mutant(mutant)), _)) = self.owner(complaint) {
                self.ladder.set_dead(mutant, &complaint.message);
                any = true;
            }
        }
        any
    }

    fn accept(&mut self) -> bool {
        let certain = self.doubts.is_empty();
        for place in self.doubts.places() {
            self.doubts.acquit(place);
        }
        certain
    }

    fn leave_out(&mut self, failed: &FailedBuild) -> Result<(), NoCulprit> {
        if !self.hear(failed) {
            self.give_up(failed.complaints)?;
        }
        if failed.round >= MOST_ROUNDS {
            for mutant in self.doubts.waiting() {
                self.ladder.set_alone(mutant, "unknown whether it compiles");
            }
            self.doubts = Doubts::default();
        }
        Ok(())
    }
}

impl<'l, 'a> Screen<'l, 'a> {
    /// Screens the mutants of a ladder; `complaints` finds what a linker misses.
    pub fn new(inserter: &'a Inserter<'a>, ladder: &'l mut Ladder<'a>, complaints: &'l Complaints) -> Self {
        let mut next = 0;
        let first = ladder.by_file.iter().map(|here| {
            next += here.len() as u32;
            next - here.len() as u32
        });
        let first = first.collect();
        Self { inserter, ladder, complaints, first, woven: BTreeMap::new(), doubts: Doubts::default() }
    }

    /// Per mutant, where it is in the program, if it is.
    pub fn switches(&self) -> Vec<Option<Switch>> {
        let mut switches = vec![None; self.ladder.mutants.len()];
        for unit in self.woven.values().flat_map(|woven| &woven.units) {
            for (version, mutant) in (1..).zip(&unit.mutants) {
                switches[*mutant as usize] = Some(Switch { unit: unit.number, version });
            }
        }
        switches
    }

    /// Where the lines are in the program, but for files that tell the numbers of the original themselves.
    pub fn line_map(&self, but: &[usize]) -> LineMap {
        let mut lines = LineMap::default();
        for (file, woven) in self.woven.iter().filter(|(file, _)| !but.contains(file)) {
            lines.add(self.inserter, *file, &woven.regions);
        }
        lines
    }

    /// Reads what the build said and moves mutants; whether any moved.
    fn hear(&mut self, failed: &FailedBuild) -> bool {
        let heard = failed.complaints;
        let mut guilty: BTreeMap<u32, String> = BTreeMap::new();
        let mut strays: BTreeMap<DoubtPlace, (Option<u32>, String)> = BTreeMap::new();
        let mut distrusted: BTreeSet<DoubtPlace> = BTreeSet::new();
        let mut lost: BTreeSet<usize> = BTreeSet::new();
        for complaint in heard {
            let Some((file, owner, line)) = self.owner(complaint) else { continue };
            let place = (file, self.function_at(file, line));
            if self.switch().lost_runtime.iter().any(|lost| complaint.message.contains(lost.as_str())) {
                lost.insert(file);
                continue;
            }
            let scope = if self.switch().spills_over_file { (file, None) } else { place };
            if distrusted.contains(&scope) {
                continue;
            }
            if self.switch().spills.iter().any(|spill| complaint.message.contains(spill.as_str())) {
                distrusted.insert(scope);
            }
            match owner {
                Some(Owner::Mutant(mutant)) => {
                    guilty.entry(mutant).or_insert_with(|| complaint.message.clone());
                }
                Some(Owner::Original(unit)) => {
                    strays.entry(place).or_insert((Some(unit), complaint.message.clone()));
                }
                None => {
                    strays.entry(place).or_insert((None, complaint.message.clone()));
                }
            }
        }
        let mut moved = self.demote_all(&guilty) | self.set_apart(&lost);
        let blamed: BTreeSet<DoubtPlace> = guilty.keys().map(|mutant| self.place_of(*mutant)).collect();
        for (place, (unit, message)) in &strays {
            // What is left when the guilty are gone is looked at in the next round.
            if !blamed.contains(place) {
                moved |= self.stray(*place, *unit, message);
            }
        }
        if heard.is_empty() {
            moved |= self.unlinked(failed.said);
        }
        let quiet = |place: &DoubtPlace| !blamed.contains(place) && !strays.contains_key(place);
        // A compiler that stops at the first kind of error says nothing about the rest: only what was
        // tried among other errors of the same file's functions counts as fine once the build is.
        if moved && guilty.is_empty() {
            for place in self.doubts.places().into_iter().filter(quiet) {
                self.doubts.acquit(place);
            }
        }
        moved
    }

    /// Takes all mutants out of files in which the runtime is not found.
    fn set_apart(&mut self, files: &BTreeSet<usize>) -> bool {
        let mutants: Vec<u32> = files.iter().flat_map(|file| self.ladder.by_file[*file].clone()).collect();
        for mutant in mutants {
            self.ladder.set_alone(mutant, "its file is built without the mutant switch");
        }
        !files.is_empty()
    }

    fn switch(&self) -> &crate::langdef::SwitchFile {
        &self.inserter.def.file.switch
    }

    fn place_of(&self, mutant: u32) -> DoubtPlace {
        (self.ladder.mutants[mutant as usize].file, self.ladder.functions[mutant as usize])
    }

    fn demote_all(&mut self, guilty: &BTreeMap<u32, String>) -> bool {
        for (mutant, message) in guilty {
            self.ladder.demote(*mutant, message);
            let place = self.place_of(*mutant);
            if self.ladder.rungs[*mutant as usize].piece().is_some() {
                self.doubts.retry(place, *mutant);
            }
        }
        !guilty.is_empty()
    }

    /// An error outside of all mutants' lines. Where it is in the original of a guarded statement, the guard is at
    /// fault; elsewhere some mutant of the function is.
    fn stray(&mut self, place: DoubtPlace, unit: Option<u32>, message: &str) -> bool {
        let (file, function) = place;
        let unit = unit.map(|unit| self.woven[&file].units[unit as usize].clone());
        let is_body = |mutant: &u32| matches!(self.ladder.rungs[*mutant as usize], super::Rung::Body(_));
        if let Some(unit) = unit.filter(|unit| !unit.mutants.iter().any(is_body)) {
            for mutant in &unit.mutants {
                self.ladder.demote(*mutant, message);
                self.doubts.retry(place, *mutant);
            }
            return true;
        }
        let inside = |mutant: &u32| {
            (function.is_none() || self.ladder.functions[*mutant as usize] == function)
                && self.ladder.rungs[*mutant as usize].piece().is_some()
                && !self.doubts.is_parked(*mutant)
        };
        let active: Vec<u32> = self.ladder.by_file[file].iter().copied().filter(inside).collect();
        if active.is_empty() {
            return false;
        }
        let known = self.doubts.knows(place);
        let suspects: Vec<u32> =
            active.iter().copied().filter(|mutant| self.is_suspect(*mutant, message)).collect();
        if !known && !suspects.is_empty() && suspects.len() <= MOST_SUSPECTS {
            self.doubts.suspect(place, &suspects);
            return true;
        }
        if let Some(mutant) = self.doubts.blame(place, &active) {
            self.ladder.demote(mutant, message);
            self.doubts.retry(place, mutant);
        } else if known && !self.doubts.knows(place) {
            // Nothing was being tried, and still it fails: the function does not bear guards.
            for mutant in active {
                self.ladder.set_alone(mutant, "its function does not build with switches");
            }
        }
        true
    }

    /// Whether a mutant changes what an error mentions: a name in its message, or how control goes on.
    fn is_suspect(&self, mutant: u32, message: &str) -> bool {
        let mutant = self.ladder.mutants[mutant as usize];
        let (edit, file) = (&mutant.edit, &self.inserter.target.files[mutant.file]);
        let old = (edit.from..edit.to).map(|at| file.token(at as usize));
        let new = edit.new.iter().map(|new| new_text(file, &self.inserter.arsenal.literals, *new));
        let syntax = &self.inserter.def.file.syntax;
        let flow = |word: &str| {
            [&syntax.jumps, &syntax.conditions, &syntax.loops, &syntax.truths]
                .iter()
                .any(|all| all.iter().any(|known| known == word))
                || matches!(word, "else" | "catch" | "finally" | "try")
        };
        let named = |word: &str| {
            word.len() > 1
                && message.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
        };
        let about_flow = message.contains("return") || message.contains("initialized");
        old.chain(new).any(|token| {
            let word = String::from_utf8_lossy(token);
            named(&word) || (about_flow && flow(&word))
        })
    }

    /// Mutants that name what the linker does not find.
    fn unlinked(&mut self, said: &[u8]) -> bool {
        let names = self.complaints.unlinked(said);
        if names.is_empty() {
            return false;
        }
        let mut moved = false;
        for mutant in 0..self.ladder.mutants.len() as u32 {
            let Some(piece) = self.ladder.rungs[mutant as usize].piece() else { continue };
            let version = self.ladder.version(mutant, piece);
            let file = &self.inserter.target.files[self.ladder.mutants[mutant as usize].file];
            let original = &file.text[file.tokens[piece.start as usize].span.start as usize
                ..file.tokens[piece.end as usize - 1].span.end as usize];
            let count = |text: &[u8], name: &[u8]| memchr::memmem::find_iter(text, name).count();
            if names.iter().any(|name| count(&version, name) > count(original, name)) {
                self.ladder.rungs[mutant as usize] = super::Rung::Dead("it does not link".into());
                moved = true;
            }
        }
        moved
    }

    /// No mutant can be blamed: those of the files that are complained about leave.
    fn give_up(&mut self, complaints: &[Complaint]) -> Result<(), NoCulprit> {
        let files: BTreeSet<usize> =
            complaints.iter().filter_map(|complaint| Some(self.owner(complaint)?.0)).collect();
        let mut left = false;
        for file in files {
            for mutant in self.ladder.by_file[file].clone() {
                left |= self.ladder.rungs[mutant as usize].piece().is_some();
                self.ladder.set_alone(mutant, "its file does not build with switches");
            }
        }
        if left { Ok(()) } else { Err(NoCulprit) }
    }

    /// The file that a complaint is about, whose line it is, and the line: the first place that is a
    /// mutant's counts, else the first that is known.
    fn owner(&self, complaint: &Complaint) -> Option<(usize, Option<Owner>, u32)> {
        let mut first = None;
        for (path, line) in &complaint.places {
            let Some(file) = self.file(path) else { continue };
            let owner = self.woven[&file].regions.owner(*line);
            if matches!(owner, Some(Owner::Mutant(_))) {
                return Some((file, owner, *line));
            }
            first = first.or(Some((file, owner, *line)));
        }
        first
    }

    fn file(&self, printed: &str) -> Option<usize> {
        let files = self.woven.keys().map(|file| (*file, self.inserter.target.files[*file].path.as_path()));
        file_meant(files, printed)
    }

    /// The function that a line of the meta-program is in, if mutants are in it.
    fn function_at(&self, file: usize, line: u32) -> Option<usize> {
        let units = self.ladder.units(file);
        let source = &self.inserter.target.files[file];
        let regions = &self.woven[&file].regions;
        let mut functions: Vec<usize> = self.ladder.by_file[file]
            .iter()
            .filter_map(|mutant| self.ladder.functions[*mutant as usize])
            .collect();
        functions.sort_unstable();
        functions.dedup();
        let lines = |function: usize| {
            let whole = units.whole(function);
            let byte = |token: u32| source.tokens.get(token as usize).map_or(0, |token| token.span.start);
            let first = regions.line_of(byte(whole.start.saturating_sub(1)), &source.text);
            (first, regions.line_of(byte(whole.end), &source.text))
        };
        let holding = functions.into_iter().map(|function| (lines(function), function));
        let holding = holding.filter(|((first, last), _)| (*first..=*last).contains(&line));
        holding.min_by_key(|((first, last), _)| last - first).map(|(_, function)| function)
    }
}

//! From operators and a target to mutants: every place where one matches and can live, each once.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::control::Progress;
use crate::langdef::LangDef;
use crate::lex::TokenKind;
use crate::operator::open_bracket;
use crate::operator::position;

use super::arsenal::Arsenal;
use super::arsenal::Entry;
use super::arsenal::kind_bit;
use super::edit::Edit;
use super::fit::Judge;
use super::fit::Rule;
use super::fit::Rules;
use super::index::Bounds;
use super::index::View;
use super::mutated::Mutated;
use super::target::Target;

/// What may live.
#[derive(Clone, Debug)]
pub struct Fit {
    pub rules: Rules,
    /// Least share of tried places where an operator compiled (with the `field` rule).
    pub min_viable: f64,
    /// Keep what breaks rules, and say which.
    pub keep_unfit: bool,
}

/// A mutant of a target.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The number of its file in the target.
    pub file: usize,
    /// Its number among the mutants of that file.
    pub number: usize,
    pub edit: Edit,
    /// The entries that make it; the first is the one seen most widely.
    pub entries: SmallVec<[u32; 2]>,
    /// Rules that it breaks, if such mutants are kept.
    pub unfit: Rules,
}

impl Mutant {
    /// Where it stands among the mutants of a target: file first, then its number there.
    pub fn place(&self) -> (usize, usize) {
        (self.file, self.number)
    }
}

/// The mutants of a file, in order of place.
#[derive(Default)]
pub struct FileMutants {
    pub mutants: Vec<Mutant>,
    /// Places where an operator matched.
    pub sites: u64,
    /// How many were left out, by rule: places for rules about operators, edits for rules about edits.
    pub rejected: BTreeMap<Rule, u64>,
    /// Sites that change nothing.
    pub same: u64,
    /// Sites in what is left alone.
    pub excluded: u64,
    /// Sites whose result another operator had made.
    pub duplicates: u64,
    /// Sites where a hole would stand for a string, but was never seen to.
    pub strings: u64,
}

/// Finds mutants.
pub struct Inserter<'a> {
    pub def: &'a LangDef,
    pub arsenal: &'a Arsenal,
    pub target: &'a Target,
    pub fit: Fit,
}

impl Inserter<'_> {
    /// The mutants of all files, in the files' order, whatever the number of threads. The progress counts files.
    pub fn all(&self, progress: &Progress) -> Vec<FileMutants> {
        progress.expect(self.target.files.len() as u64);
        let one = |file| {
            let found = if progress.stopped() { FileMutants::default() } else { self.file(file) };
            progress.advance(1024);
            found
        };
        (0..self.target.files.len()).into_par_iter().map(one).collect()
    }

    /// The mutants of a file.
    pub fn file(&self, file: usize) -> FileMutants {
        let view = self.target.view(file);
        let mut finder = Finder {
            inserter: self,
            view,
            file,
            allowed: &self.target.allowed[file],
            seen: FxHashMap::default(),
            out: FileMutants::default(),
        };
        let arsenal = self.arsenal;
        arsenal.index.matches(
            view,
            |_| true,
            |operator, start, end, bounds| {
                let entry = arsenal.operators[operator as usize];
                finder.site(entry, operator as usize, start, end, bounds);
            },
        );
        finder.shifts();
        finder.finish()
    }
}

struct Finder<'a> {
    inserter: &'a Inserter<'a>,
    view: View<'a>,
    file: usize,
    allowed: &'a [bool],
    /// Edits by key: the mutant's place, or none if it was refused.
    seen: FxHashMap<u64, Option<u32>>,
    out: FileMutants,
}

impl Finder<'_> {
    fn site(&mut self, entry: u32, operator: usize, start: usize, end: usize, bounds: &Bounds) {
        let arsenal = self.inserter.arsenal;
        let known = &arsenal.entries[entry as usize];
        self.out.sites += 1;
        if !self.binds(known, bounds) {
            self.out.strings += 1;
            return;
        }
        let unfit = self.unfit_entry(known, start, end);
        if self.refused(unfit) {
            return;
        }
        let edit =
            Edit::new(self.view.file, &arsenal.literals, &arsenal.templates[operator], (start, end), bounds);
        match edit {
            Some(edit) => self.offer(entry, edit, unfit),
            None => self.out.same += 1,
        }
    }

    /// Counts what an entry breaks; whether that is the end of it.
    fn refused(&mut self, unfit: Rules) -> bool {
        if unfit.is_empty() {
            return false;
        }
        unfit.iter().take(1).for_each(|rule| *self.out.rejected.entry(rule).or_default() += 1);
        !self.inserter.fit.keep_unfit
    }

    fn binds(&self, entry: &Entry, bounds: &Bounds) -> bool {
        let wild = entry.evidence().is_wild();
        bounds.iter().zip(&entry.binds).all(|(&(start, _), &kinds)| {
            let kind = self.view.file.tokens[start as usize].kind;
            let literal = matches!(kind, TokenKind::Number | TokenKind::String | TokenKind::Char);
            if literal && kinds != 0 && entry.named.contains(&self.view.file.syms[start as usize]) {
                return false;
            }
            // An operator that was caught is held to strings only; one that was written, to what it says.
            let matters = kinds != 0 && (!wild || kind == TokenKind::String);
            !matters || kinds & kind_bit(kind) != 0
        })
    }

    /// The rules about operators that a site breaks.
    fn unfit_entry(&self, entry: &Entry, start: usize, end: usize) -> Rules {
        let rules = self.inserter.fit.rules;
        let mut broken = Rules::NONE;
        let wild = entry.evidence().is_wild();
        if rules.has(Rule::FIELD)
            && entry.evidence().viable_share().is_some_and(|share| share < self.inserter.fit.min_viable)
        {
            broken.insert(Rule::FIELD);
        }
        if (rules.has(Rule::NEIGHBOURS) || !wild) && !self.at_home(entry, start, end) {
            broken.insert(Rule::NEIGHBOURS);
        }
        let token = &self.view.file.tokens[start];
        if rules.has(Rule::DIRECTIVE) && token.directive && !entry.in_directives {
            broken.insert(Rule::DIRECTIVE);
        }
        broken
    }

    fn at_home(&self, entry: &Entry, start: usize, end: usize) -> bool {
        let among = |known: &[u64], index: Option<usize>| {
            known.is_empty() || known.binary_search(&self.view.file.neighbour(index)).is_ok()
        };
        among(&entry.left, start.checked_sub(1))
            && among(&entry.right, Some(end))
            && (entry.positions.is_empty() || self.stands(entry, start))
            && (entry.brackets.is_empty() || self.is_bracketed(entry, start))
    }

    fn stands(&self, entry: &Entry, start: usize) -> bool {
        const LOOK_BACK: usize = 120;
        let file = self.view.file;
        let back = &file.tokens[start.saturating_sub(LOOK_BACK)..start];
        let here = position(self.inserter.def, &file.text, back, file.tokens.get(start));
        entry.positions.iter().any(|known| *known == *here)
    }

    fn is_bracketed(&self, entry: &Entry, start: usize) -> bool {
        let file = self.view.file;
        let open = open_bracket(self.inserter.def, &file.text, &file.tokens[..start]);
        let here = open.map_or(&b"top"[..], |open| file.token(open));
        entry.brackets.iter().any(|known| known == here)
    }

    fn offer(&mut self, entry: u32, edit: Edit, mut unfit: Rules) {
        if !self.is_allowed(&edit) {
            self.out.excluded += 1;
            return;
        }
        let arsenal = self.inserter.arsenal;
        let key = edit.key(self.view.file, &arsenal.literals);
        if let Some(&known) = self.seen.get(&key) {
            self.out.duplicates += 1;
            if let Some(place) = known {
                let mutant = &mut self.out.mutants[place as usize];
                if !mutant.entries.contains(&entry) {
                    mutant.entries.push(entry);
                }
                let edit_rules = mutant.unfit;
                if unfit.is_empty() {
                    // Another operator is at home here: only what the edit itself breaks counts.
                    mutant.unfit = Rules::of(edit_rules.iter().filter(|rule| rule.row().judges_edits()));
                }
            }
            return;
        }
        let edit = edit.natural(self.view);
        let mutated =
            Mutated { view: self.view, edit: &edit, literals: &arsenal.literals, kinds: &arsenal.kinds };
        let written = !arsenal.entries[entry as usize].evidence().is_wild();
        let judge = Judge { facts: &self.inserter.target.facts, file: self.file, written, mutated };
        let fit = &self.inserter.fit;
        let mut rules = fit.rules;
        if written {
            rules.remove(Rule::ROWS);
        }
        let broken = judge.broken(rules, fit.keep_unfit);
        for rule in broken.iter() {
            *self.out.rejected.entry(rule).or_default() += 1;
            unfit.insert(rule);
        }
        if !broken.is_empty() && !fit.keep_unfit {
            self.seen.insert(key, None);
            return;
        }
        self.seen.insert(key, Some(self.out.mutants.len() as u32));
        let entries = [entry].into_iter().collect();
        // Numbered when all are known.
        self.out.mutants.push(Mutant { file: self.file, number: 0, edit, entries, unfit });
    }

    fn is_allowed(&self, edit: &Edit) -> bool {
        let (from, to) = (edit.from as usize, edit.to as usize);
        if from == to {
            let left = from.checked_sub(1).and_then(|left| self.allowed.get(left));
            return left.is_none_or(|allowed| *allowed)
                && self.allowed.get(from).is_none_or(|allowed| *allowed);
        }
        self.allowed[from..to].iter().all(|allowed| *allowed)
    }

    /// The places where a shift's words stand.
    fn shifts(&mut self) {
        let arsenal = self.inserter.arsenal;
        let Some(words) = &arsenal.words else { return };
        let file = self.view.file;
        let mut index = 0;
        for found in words.find_iter(&file.text) {
            while file.tokens.get(index).is_some_and(|token| (token.span.start as usize) < found.start()) {
                index += 1;
            }
            let Some(token) = file.tokens.get(index) else { return };
            let whole = token.span.range() == found.range() && token.kind == TokenKind::Identifier;
            if !whole {
                continue;
            }
            for &(entry, literal) in &arsenal.shifts[found.pattern().as_usize()] {
                self.out.sites += 1;
                let known = &arsenal.entries[entry as usize];
                let mut unfit = self.unfit_entry(known, index, index + 1);
                // A shift is one name for another: what stands around it does not matter.
                unfit.remove(Rule::NEIGHBOURS);
                if !self.refused(unfit) {
                    self.offer(entry, Edit::one(index, literal), unfit);
                }
            }
        }
    }

    fn finish(mut self) -> FileMutants {
        // By place; what is equal there keeps the order in which operators stand in their sets.
        self.out.mutants.sort_by_key(|mutant| (mutant.edit.from, mutant.edit.to, mutant.entries[0]));
        for (number, mutant) in self.out.mutants.iter_mut().enumerate() {
            mutant.number = number;
            mutant.entries.sort_unstable();
        }
        self.out
    }
}

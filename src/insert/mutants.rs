//! From operators and a target to mutants: every place where one matches and can live, each once.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::control::Progress;
use crate::langdef::LangDef;
use crate::lex::TokenKind;
use crate::operator::Drawn;

use super::arsenal::Arsenal;
use super::demands::Demands;
use super::draw::DEFAULT_DRAWS;
use super::draw::DrawPlace;
use super::draw::Draws;
use super::edit::Edit;
use super::edit::New;
use super::edit::Origin;
use super::edit::Template;
use super::facts;
use super::facts::Word;
use super::fit::Judge;
use super::fit::Learned;
use super::fit::Names;
use super::fit::Rule;
use super::fit::Rules;
use super::fit::Sum;
use super::fit::is_undefined;
use super::index::Bounds;
use super::index::View;
use super::mutated::Mutated;
use super::rank::least_draw;
use super::rank::likeliest_first;
use super::structure::Marks;
use super::target::Target;

/// What may live.
#[derive(Clone, Debug)]
pub struct Fit {
    pub rules: Rules,
    /// Least share of tried places where an operator compiled (with the `field` rule).
    pub min_viable: f64,
    /// Keep what breaks rules, and say which.
    pub keep_unfit: bool,
    /// How likely a mutant must be to compile, where a model of that is at hand.
    pub learned: Option<Learned>,
    /// Most candidates per place for what must be drawn.
    pub draws: usize,
    pub density: Density,
}

impl Fit {
    /// These rules, and what is usual otherwise: as many mutants as the sets ask for, none that break a rule.
    pub const fn of(rules: Rules, min_viable: f64) -> Self {
        let (draws, density) = (DEFAULT_DRAWS, Density::OfSets);
        Self { rules, min_viable, keep_unfit: false, learned: None, draws, density }
    }
}

/// How many mutants to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// What the sets ask for.
    #[default]
    OfSets,
    /// So many per 1,000 tokens, the likeliest.
    PerThousand(u32),
    All,
}

impl Density {
    /// What it means for some sets.
    fn of(self, arsenal: &Arsenal) -> Self {
        match self {
            Self::OfSets if arsenal.density > 0 => Self::PerThousand(arsenal.density),
            Self::OfSets => Self::All,
            other => other,
        }
    }
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
    /// How likely what was drawn for it is right; 1 if nothing was.
    pub draw: f32,
    /// The chance that it compiles, as the language's model estimates; 1 where no model is asked.
    pub viability: f32,
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
    /// Places where an operator matched. Each ends in one of the other figures. One that was both caught and
    /// written by hand counts twice where it is refused as it was caught.
    pub sites: u64,
    /// How many were left out, by rule: places for rules about operators, edits for rules about edits.
    pub rejected: BTreeMap<Rule, u64>,
    /// Sites that change nothing.
    pub same: u64,
    /// Sites in what is skipped.
    pub excluded: u64,
    /// Sites whose result another operator had made.
    pub duplicates: u64,
    /// Sites where a hole would stand for a string, but was never seen to.
    pub strings: u64,
    /// Sites where what must be drawn is too unlikely to be right, and mutants that are less likely than as many others
    /// as were asked for.
    pub unlikely: u64,
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

    /// Whether a mutant lets a function end without the value that it must return, where that is undefined.
    pub fn is_undefined(&self, mutant: &Mutant) -> bool {
        let Arsenal { literals, kinds, .. } = self.arsenal;
        is_undefined(Mutated { view: self.target.view(mutant.file), edit: &mutant.edit, literals, kinds })
    }

    /// The features of a mutant's edit, as the model of viability sees them.
    pub fn features(&self, mutant: &Mutant) -> Vec<(String, f32)> {
        let Self { arsenal, target, .. } = self;
        let view = target.view(mutant.file);
        let mutated =
            Mutated { view, edit: &mutant.edit, literals: &arsenal.literals, kinds: &arsenal.kinds };
        let mut names = Names::default();
        Judge { facts: &target.facts, file: mutant.file, written: false, mutated }.features(&mut names);
        names.0
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
            draws: None,
            draw: 1.0,
            sums: Vec::new(),
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

/// The outcome of an edit that was offered.
#[derive(Clone, Copy)]
enum Seen {
    /// It is a mutant, with this place in the list.
    Mutant(u32),
    /// A rule refused it, for an operator that was caught; one written by hand may still make it.
    RefusedCaught(Rule),
    /// A rule refused it, for any operator: whoever writes one by hand is held to fewer rules.
    Refused,
    /// It is unlikely to compile; what the edit itself adds to the estimate. Another operator may be more likely.
    Unlikely(Sum),
}

struct Finder<'a> {
    inserter: &'a Inserter<'a>,
    view: View<'a>,
    file: usize,
    allowed: &'a [bool],
    /// Edits by key.
    seen: FxHashMap<u64, Seen>,
    draws: Option<Draws<'a>>,
    /// How likely the current candidate is the right one; 1 if nothing was drawn.
    draw: f32,
    /// Per mutant, what its edit adds to the estimate of its viability.
    sums: Vec<f32>,
    out: FileMutants,
}

impl Finder<'_> {
    fn site(&mut self, entry: u32, operator: usize, start: usize, end: usize, bounds: &Bounds) {
        let arsenal = self.inserter.arsenal;
        for demands in &arsenal.entries[entry as usize].demands {
            self.out.sites += 1;
            if !demands.binds(self.view, bounds) {
                self.out.strings += 1;
                continue;
            }
            let unfit = self.unfit_entry(demands, start, end);
            if self.refused(unfit) {
                continue;
            }
            let template = &arsenal.templates[operator];
            let Some(drawn) = template.draws else {
                if self.fill(entry, demands, template, (start, end), bounds, unfit, None) {
                    return;
                }
                continue;
            };
            let least = least_draw(arsenal.entries[entry as usize].evidence());
            let mut candidates = self.candidates(drawn, template, (start, end), bounds);
            candidates.retain(|(_, share)| *share >= least);
            for (place, &candidate) in candidates.iter().enumerate() {
                self.out.sites += u64::from(place > 0);
                self.fill(entry, demands, template, (start, end), bounds, unfit, Some(candidate));
            }
            self.out.unlikely += u64::from(candidates.is_empty());
        }
    }

    /// Fills a template and offers the edit; whether it is a mutant that breaks no rule.
    #[expect(clippy::too_many_arguments, reason = "what a site is, and what was drawn for it")]
    fn fill(
        &mut self,
        entry: u32,
        demands: &Demands,
        template: &Template,
        site: (usize, usize),
        bounds: &Bounds,
        unfit: Rules,
        drawn: Option<(New, f32)>,
    ) -> bool {
        let literals = &self.inserter.arsenal.literals;
        let (new, share) = drawn.unzip();
        let Some(edit) = Edit::new(self.view.file, literals, template, site, bounds, new) else {
            self.out.same += 1;
            return false;
        };
        self.draw = share.unwrap_or(1.0);
        let lives = self.offer(entry, demands.written, edit, unfit);
        self.draw = 1.0;
        lives
    }

    /// What may be drawn for a template where it matched.
    fn candidates(
        &mut self,
        drawn: Drawn,
        template: &Template,
        site: (usize, usize),
        bounds: &Bounds,
    ) -> Vec<(New, f32)> {
        let Inserter { arsenal, target, fit, .. } = self.inserter;
        let (view, file) = (self.view, self.file);
        let draws =
            self.draws.get_or_insert_with(|| Draws::new(view, file, &target.facts, arsenal, fit.draws));
        draws.candidates(drawn, &Self::draw_place(view, arsenal, template, site, bounds))
    }

    /// Where a template wants something drawn.
    fn draw_place<'v>(
        view: View<'v>,
        arsenal: &'v Arsenal,
        template: &Template,
        (start, end): (usize, usize),
        bounds: &Bounds,
    ) -> DrawPlace<'v> {
        let news = template.filled(bounds);
        let at = template.drawn_at(bounds);
        let word = |new: New| match new.origin() {
            Origin::Old(index) => facts::word(view, index),
            Origin::Literal(literal) => Word {
                kind: arsenal.kinds[literal],
                sym: arsenal.literals.terms[literal].1,
                text: arsenal.literals.text(literal),
                marks: Marks::default(),
            },
        };
        let old = |index: Option<usize>| {
            index.filter(|index| *index < view.file.tokens.len()).map(|index| facts::word(view, index))
        };
        // Tokens that both have in common lead to the one that gives way.
        let same = news.len() == end - start;
        let replaced = Some(start + at).filter(|old| same && view.file.tokens[*old].kind.is_bindable());
        let base = match at {
            0 => start.checked_sub(2),
            1 => start.checked_sub(1),
            _ => match news[at - 2].origin() {
                Origin::Old(index) => Some(index),
                Origin::Literal(_) => None,
            },
        };
        DrawPlace {
            at: start,
            replaced,
            before: if at == 0 { old(start.checked_sub(1)) } else { Some(word(news[at - 1])) },
            after: if at + 1 < news.len() { Some(word(news[at + 1])) } else { old(Some(end)) },
            base,
        }
    }

    /// The rules about operators that a site breaks.
    fn unfit_entry(&self, demands: &Demands, start: usize, end: usize) -> Rules {
        demands.broken(&self.inserter.fit, self.inserter.def, self.view, start, end)
    }

    /// Counts what an entry breaks; whether that is the end of it.
    fn refused(&mut self, unfit: Rules) -> bool {
        if unfit.is_empty() {
            return false;
        }
        unfit.iter().take(1).for_each(|rule| *self.out.rejected.entry(rule).or_default() += 1);
        !self.inserter.fit.keep_unfit
    }

    /// Takes an edit that an operator makes; whether it is a mutant that breaks no rule.
    fn offer(&mut self, entry: u32, written: bool, edit: Edit, unfit: Rules) -> bool {
        if !self.is_allowed(&edit) {
            self.out.excluded += 1;
            return false;
        }
        let key = edit.key(self.view.file, &self.inserter.arsenal.literals);
        match self.seen.get(&key).copied() {
            Some(Seen::Mutant(place)) => {
                self.out.duplicates += 1;
                self.join(place, entry, written, unfit)
            }
            Some(Seen::RefusedCaught(rule)) if written => {
                let edit = edit.natural(self.view);
                if !self.broken(&edit, written).is_empty() {
                    self.out.duplicates += 1;
                    self.seen.insert(key, Seen::Refused);
                    return false;
                }
                // The edit is not left out after all: its first place had the result of this one.
                self.out.rejected.entry(rule).and_modify(|count| *count -= 1);
                self.out.duplicates += 1;
                self.admit(key, entry, edit, unfit)
            }
            Some(Seen::RefusedCaught(_) | Seen::Refused) => {
                self.out.duplicates += 1;
                false
            }
            Some(Seen::Unlikely(sum)) => {
                self.out.duplicates += 1;
                self.reconsider(key, entry, edit, unfit, sum)
            }
            None => self.judge(key, entry, written, edit.natural(self.view), unfit),
        }
    }

    /// Judges an edit that is seen for the first time.
    fn judge(&mut self, key: u64, entry: u32, written: bool, edit: Edit, mut unfit: Rules) -> bool {
        let broken = self.broken(&edit, written);
        for rule in broken.iter() {
            *self.out.rejected.entry(rule).or_default() += 1;
            unfit.insert(rule);
        }
        if let Some(rule) = broken.iter().next()
            && !self.inserter.fit.keep_unfit
        {
            self.seen.insert(key, if written { Seen::Refused } else { Seen::RefusedCaught(rule) });
            return false;
        }
        self.admit(key, entry, edit, unfit)
    }

    /// Takes an edit that rules let pass, if the model, where there is one, finds it likely enough.
    fn admit(&mut self, key: u64, entry: u32, edit: Edit, unfit: Rules) -> bool {
        match &self.inserter.fit.learned {
            Some(learned) => {
                let keeps = self.inserter.fit.keep_unfit;
                let least = if keeps { f32::MIN } else { self.least(entry) };
                let sum = self.judge_of(&edit, false).sum(&learned.model, least);
                self.estimate(key, entry, edit, unfit, sum)
            }
            None => self.add(key, entry, edit, unfit),
        }
    }

    /// Takes an edit if it is likely enough to compile.
    fn estimate(&mut self, key: u64, entry: u32, edit: Edit, mut unfit: Rules, sum: Sum) -> bool {
        if sum.most() < self.least(entry) {
            *self.out.rejected.entry(Rule::VIABILITY).or_default() += 1;
            if !self.inserter.fit.keep_unfit {
                self.seen.insert(key, Seen::Unlikely(sum));
                return false;
            }
            unfit.insert(Rule::VIABILITY);
        }
        let fits = self.add(key, entry, edit, unfit);
        self.sums.push(sum.most());
        self.out.mutants.last_mut().expect("it was added").viability = self.chance(entry, sum.most());
        fits
    }

    /// Takes an edit that was unlikely by another operator, if it is likely by this one.
    fn reconsider(&mut self, key: u64, entry: u32, edit: Edit, unfit: Rules, sum: Sum) -> bool {
        let least = self.least(entry);
        let Some(learned) = self.inserter.fit.learned.as_ref().filter(|_| sum.most() >= least) else {
            return false;
        };
        let edit = edit.natural(self.view);
        let sum = match sum {
            Sum::Exactly(_) => sum,
            Sum::AtMost(_) => self.judge_of(&edit, false).sum(&learned.model, least),
        };
        self.out.rejected.entry(Rule::VIABILITY).and_modify(|count| *count -= 1);
        self.estimate(key, entry, edit, unfit, sum)
    }

    /// The chance that an edit compiles which an entry makes.
    fn chance(&self, entry: u32, sum: f32) -> f32 {
        let learned = self.inserter.fit.learned.as_ref();
        learned.map_or(1.0, |learned| learned.chance(&self.inserter.arsenal.entries[entry as usize], sum))
    }

    /// What an edit must add to the estimate so that an entry's mutant is likely enough.
    fn least(&self, entry: u32) -> f32 {
        let learned = self.inserter.fit.learned.as_ref();
        learned.map_or(f32::MIN, |learned| learned.least(&self.inserter.arsenal.entries[entry as usize]))
    }

    fn add(&mut self, key: u64, entry: u32, edit: Edit, unfit: Rules) -> bool {
        self.seen.insert(key, Seen::Mutant(self.out.mutants.len() as u32));
        let entries = [entry].into_iter().collect();
        // Numbered when all are known.
        let draw = self.draw;
        let mutant = Mutant { file: self.file, number: 0, edit, entries, unfit, draw, viability: 1.0 };
        self.out.mutants.push(mutant);
        unfit.is_empty()
    }

    /// Notes that another operator makes a mutant. What counts is what the operator breaks that breaks least.
    fn join(&mut self, place: u32, entry: u32, written: bool, mut unfit: Rules) -> bool {
        let known = &self.out.mutants[place as usize];
        if !known.unfit.is_empty() {
            self.broken(&known.edit, written).iter().for_each(|rule| unfit.insert(rule));
        }
        let chance = self.sums.get(place as usize).map_or(1.0, |sum| self.chance(entry, *sum));
        let short = self.sums.get(place as usize).is_some_and(|sum| *sum < self.least(entry));
        if short {
            unfit.insert(Rule::VIABILITY);
        }
        let mutant = &mut self.out.mutants[place as usize];
        mutant.viability = mutant.viability.max(chance);
        if unfit.iter().all(|rule| mutant.unfit.has(rule)) {
            mutant.unfit = unfit;
        }
        if !mutant.entries.contains(&entry) {
            mutant.entries.push(entry);
            mutant.draw = mutant.draw.max(self.draw);
        }
        mutant.unfit.is_empty()
    }

    /// The rules about edits that an edit breaks. An operator written by hand may make rows of tokens that the
    /// target never has.
    fn broken(&self, edit: &Edit, written: bool) -> Rules {
        let fit = &self.inserter.fit;
        let judge = self.judge_of(edit, written);
        let mut rules = fit.rules;
        if written {
            rules.remove(Rule::ROWS);
        }
        judge.broken(rules, fit.keep_unfit)
    }

    fn judge_of<'e>(&'e self, edit: &'e Edit, written: bool) -> Judge<'e> {
        let Inserter { arsenal, target, .. } = self.inserter;
        let mutated = Mutated { view: self.view, edit, literals: &arsenal.literals, kinds: &arsenal.kinds };
        Judge { facts: &target.facts, file: self.file, written, mutated }
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
                self.shift(entry, index, literal);
            }
        }
    }

    fn shift(&mut self, entry: u32, index: usize, literal: u32) {
        for demands in &self.inserter.arsenal.entries[entry as usize].demands {
            self.out.sites += 1;
            let mut unfit = self.unfit_entry(demands, index, index + 1);
            // A shift is one name for another: what stands around it does not matter.
            unfit.remove(Rule::NEIGHBOURS);
            if !self.refused(unfit) && self.offer(entry, demands.written, Edit::one(index, literal), unfit) {
                return;
            }
        }
    }

    /// As many mutants as were asked for per 1,000 tokens, the likeliest.
    fn keep_likeliest(&mut self) {
        let Inserter { fit, arsenal, .. } = self.inserter;
        let Density::PerThousand(density) = fit.density.of(arsenal) else { return };
        let most = (self.view.file.tokens.len() * density as usize).div_ceil(1000);
        if self.out.mutants.len() <= most {
            return;
        }
        let mut order = likeliest_first(&self.out.mutants, arsenal);
        self.out.unlikely += order.split_off(most).len() as u64;
        order.sort_unstable();
        let mut kept = order.into_iter().peekable();
        let mut place = 0;
        self.out.mutants.retain(|_| {
            place += 1;
            kept.next_if_eq(&(place - 1)).is_some()
        });
    }

    fn finish(mut self) -> FileMutants {
        self.out.rejected.retain(|_, count| *count > 0);
        self.keep_likeliest();
        // By place; what is equal there keeps the order in which operators stand in their sets.
        self.out.mutants.sort_by_key(|mutant| (mutant.edit.from, mutant.edit.to, mutant.entries[0]));
        for (number, mutant) in self.out.mutants.iter_mut().enumerate() {
            mutant.number = number;
            mutant.entries.sort_unstable();
        }
        self.out
    }
}

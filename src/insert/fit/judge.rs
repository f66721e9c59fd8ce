//! What rules look at: an edit, the file as it would be, and the facts.

use super::super::facts::Facts;
use super::super::facts::Name;
use super::super::facts::Word;
use super::super::mutated::Mutated;
use super::rules::RULES;
use super::rules::Rule;
use super::rules::Rules;

/// What a rule looks at.
pub struct Judge<'a> {
    pub facts: &'a Facts,
    /// Which file of the target it is.
    pub file: usize,
    /// The operator was written by hand: that its result is new to the target is the point.
    pub written: bool,
    pub mutated: Mutated<'a>,
}

impl<'a> Judge<'a> {
    /// Which of the asked rules the edit breaks; with `all`, all of them, else the first.
    pub fn broken(&self, asked: Rules, all: bool) -> Rules {
        let mut broken = Rules::NONE;
        for (place, row) in RULES.iter().enumerate() {
            let rule = Rule(place as u8);
            if asked.has(rule) && row.test.is_some_and(|test| test(self)) {
                broken.insert(rule);
                if !all {
                    break;
                }
            }
        }
        broken
    }

    pub(super) fn name(&self, word: Word) -> Name {
        self.facts.names.get(&word.sym).copied().unwrap_or_default()
    }

    /// The places whose neighbours are not what they were: new tokens, and those on either side.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        self.mutated.start().saturating_sub(1)..self.mutated.end() + 1
    }

    pub(super) fn around(&self, at: usize) -> (Option<Word<'a>>, Option<Word<'a>>) {
        (at.checked_sub(1).and_then(|before| self.mutated.get(before)), self.mutated.get(at + 1))
    }

    /// The function that the edit is in.
    pub(super) fn function(&self) -> u32 {
        let functions = &self.mutated.view.structure.function;
        functions.get(self.mutated.start()).or(functions.last()).copied().unwrap_or(0)
    }

    pub(super) fn news(&self) -> impl Iterator<Item = (usize, Word<'a>)> {
        (self.mutated.start()..self.mutated.end()).filter_map(|at| Some((at, self.mutated.get(at)?)))
    }
}

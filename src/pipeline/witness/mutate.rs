//! The mutants of a program that shows a fault.

use std::path::PathBuf;

use crate::insert::Density;
use crate::insert::Describer;
use crate::insert::Fit;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Rule;
use crate::insert::Rules;
use crate::insert::Target;
use crate::insert::TextEdit;
use crate::text::LineIndex;

use super::request::WitnessRequest;

/// Mutants per 1,000 tokens: programs that show a fault are short, and runs cheap.
const DENSITY: u32 = 6_000;

/// Rules that do not apply: in a short program, most of what is right was never seen before, and declarations are what
/// compilers stumble over. The oracle rejects mutants that are not programs.
const NOT_ASKED: [&str; 11] = [
    "outside",
    "declaration",
    "rows",
    "arity",
    "members",
    "slots",
    "results",
    "arms",
    "pointers",
    "items",
    "flow",
];

/// The rules of fit for short programs.
fn rules() -> Rules {
    let mut rules = Rules::sane();
    NOT_ASKED.iter().filter_map(|name| Rule::of_name(name)).for_each(|rule| rules.remove(rule));
    rules
}

/// A program, and what can be made of it.
pub struct Seed {
    pub text: Vec<u8>,
    /// Mutations that lead to it from the failing program.
    pub order: usize,
    pub mutants: Vec<Offspring>,
}

/// A mutant of a seed.
pub struct Offspring {
    pub edit: TextEdit,
    /// The place of its operator in the arsenal: its rule.
    pub rule: usize,
    /// The token where it begins.
    pub token: u32,
}

impl Seed {
    /// Finds the mutants of a text. Lines that carry the oracle are left as they are.
    pub fn new(request: &WitnessRequest, text: Vec<u8>, order: usize) -> Self {
        let mut target = Target::new(request.def, vec![(PathBuf::from(&request.name), text.clone())]);
        let lines = LineIndex::new(&text);
        let file = &target.files[0];
        let all: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        let kept: Vec<bool> = all.iter().map(|line| request.keep.is_match(line)).collect();
        let line = |at: u32| lines.place(at as usize).line - 1;
        let allowed = |token: &crate::lex::Token| !kept.get(line(token.span.start)).copied().unwrap_or(false);
        target.allowed[0] = file.tokens.iter().map(allowed).collect();
        let fit = Fit { density: Density::PerThousand(DENSITY), ..Fit::of(rules(), 0.0) };
        let inserter = Inserter { def: request.def, arsenal: request.arsenal, target: &target, fit };
        let describer = Describer::new(&inserter, 0);
        let offspring = |mutant: &Mutant| Offspring {
            edit: describer.edit(mutant),
            rule: mutant.entries[0] as usize,
            token: mutant.edit.from,
        };
        let mutants = inserter.file(0).mutants.iter().map(offspring).collect();
        Self { text, order, mutants }
    }

    /// The text of a mutant.
    pub fn text_of(&self, mutant: &Offspring) -> Vec<u8> {
        mutant.edit.apply(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_are_not_asked_exist() {
        assert!(NOT_ASKED.iter().all(|name| Rule::of_name(name).is_some()));
    }
}

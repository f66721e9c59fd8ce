//! Whether a whole file is compiled to the same code: what was found for a function by itself must also hold in
//! the functions that it is inlined into.
//!
//! Many claims are checked at once: all changes are made in one text. Where that is compiled to something else,
//! each half is checked, down to the claims that are wrong.

use std::path::Path;

use crate::insert::TextEdit;
use crate::insert::apply_all;
use crate::runner::RunError;

use super::super::screen::Ladder;
use super::bench::Bench;
use super::claim::Claim;
use super::record::CompilerCall;

/// Where a change begins and ends.
type Place = (usize, usize);

/// A file in which claims are checked.
pub struct Whole<'a> {
    pub bench: &'a Bench<'a>,
    pub ladder: &'a Ladder<'a>,
    pub text: &'a [u8],
    /// The file as it is compiled.
    pub source: &'a Path,
    /// The file as errors and asserts name it.
    pub name: &'a Path,
    pub ways: &'a [CompilerCall],
}

impl Whole<'_> {
    /// The claims that do not hold for the file as a whole.
    pub fn refuted(&self, claims: &[Claim]) -> Result<Vec<u32>, RunError> {
        let mut wrong = Vec::new();
        let mut left = claims.to_vec();
        while !left.is_empty() {
            let (now, later) = self.apart(&left);
            self.halve(&now, &mut wrong)?;
            left = later;
        }
        Ok(wrong)
    }

    fn halve(&self, claims: &[Claim], wrong: &mut Vec<u32>) -> Result<(), RunError> {
        if self.holds(claims)? {
            return Ok(());
        }
        if let [claim] = claims {
            wrong.push(claim.mutant);
            return Ok(());
        }
        let (first, second) = claims.split_at(claims.len() / 2);
        self.halve(first, wrong)?;
        self.halve(second, wrong)
    }

    /// Whether the file with all these mutants is compiled to what it is with those that they are said to equal.
    fn holds(&self, claims: &[Claim]) -> Result<bool, RunError> {
        let mutants = claims.iter().map(|claim| claim.mutant);
        let others = claims.iter().filter_map(|claim| claim.same.mutant());
        let texts = [self.with(mutants), self.with(others)];
        for call in self.ways {
            let [mine, theirs] = &texts;
            let mine = self.bench.whole(mine, self.name, call, self.source)?;
            if mine.is_none() || mine != self.bench.whole(theirs, self.name, call, self.source)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn with(&self, mutants: impl Iterator<Item = u32>) -> Vec<u8> {
        let mut edits: Vec<TextEdit> = mutants.map(|mutant| self.ladder.text_edit(mutant)).collect();
        edits.sort_by_key(|edit| (edit.start, edit.end));
        apply_all(self.text, &edits)
    }

    /// Claims whose changes do not touch each other, and the others.
    fn apart(&self, claims: &[Claim]) -> (Vec<Claim>, Vec<Claim>) {
        let mut taken: [Vec<Place>; 2] = [vec![], vec![]];
        claims.iter().partition(|claim| {
            let places = [Some(claim.mutant), claim.same.mutant()].map(|mutant| {
                let edit = self.ladder.text_edit(mutant?);
                Some((edit.start, edit.end))
            });
            let free = |(taken, place): (&Vec<Place>, Option<Place>)| {
                place.is_none_or(|(start, end)| taken.iter().all(|(from, to)| end < *from || *to < start))
            };
            let fits = taken.iter().zip(places).all(free);
            if fits {
                taken.iter_mut().zip(places).for_each(|(taken, place)| taken.extend(place));
            }
            fits
        })
    }
}

//! The mutants that are worth running: of code that failing tests execute, a few of each statement.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::control::Events;
use crate::engine::Execution;
use crate::engine::Survey;
use crate::insert::Mutant;
use crate::insert::Sampler;

use super::gather::GatherRequest;
use super::observed::place_of;
use super::rounds::in_order;

impl<'a> GatherRequest<'a> {
    /// The mutants of statements that failing tests execute; where nothing says who executes them, all.
    pub(super) fn choose(
        &self,
        survey: &Survey,
        failing: &RoaringBitmap,
        events: &Events,
    ) -> Vec<&'a Mutant> {
        let mut by_statement: BTreeMap<(usize, u32, u32), Vec<&Mutant>> = BTreeMap::new();
        let (mut outside, mut undefined) = (0, 0);
        for mutant in self.all.iter().flat_map(|found| &found.mutants) {
            let entry = &self.inserter.arsenal.entries[mutant.entries[0] as usize];
            if !self.operators.is_empty() && !self.operators.contains(&entry.name()) {
                continue;
            }
            if self.inserter.is_undefined(mutant) {
                // What a caller gets of a function that lost its return is chance, no evidence.
                undefined += 1;
                continue;
            }
            let (file, from, to) = place_of(mutant);
            match survey.execution(file, from, to) {
                Execution::By(covered) if covered.is_disjoint(failing) => continue,
                Execution::By(_) | Execution::Unknown => {}
                Execution::Outside => {
                    outside += 1;
                    continue;
                }
            }
            let statement = survey.statement(file, from, to);
            let key = statement.map_or((file, from, to), |known| (file, known.piece.start, known.piece.end));
            by_statement.entry(key).or_default().push(mutant);
        }
        if outside > 0 {
            events.inform(format!("{outside} mutants outside of functions are skipped"));
        }
        if undefined > 0 {
            events.inform(format!(
                "{undefined} mutants that drop the return of a value are skipped, since their behaviour is \
                 undefined"
            ));
        }
        let most = if self.per_statement == 0 { usize::MAX } else { self.per_statement };
        let mut sampler = Sampler::new(self.seed);
        let mut chosen: Vec<&Mutant> = Vec::new();
        for here in by_statement.into_values() {
            chosen.extend(sampler.choose(most, here.len()).into_iter().map(|at| here[at]));
        }
        chosen.sort_unstable_by_key(|mutant| mutant.place());
        match self.max.filter(|max| *max < chosen.len()) {
            Some(max) => self.most_suspicious(survey, failing, chosen, max, events),
            None => chosen,
        }
    }

    /// The first of all mutants in the order in which they deserve to be run.
    fn most_suspicious(
        &self,
        survey: &Survey,
        failing: &RoaringBitmap,
        chosen: Vec<&'a Mutant>,
        max: usize,
        events: &Events,
    ) -> Vec<&'a Mutant> {
        events.inform(format!(
            "--max: of {} mutants, {max} are run, those of the most suspicious statements",
            chosen.len()
        ));
        let mut first = in_order(survey, failing, &chosen);
        first.truncate(max);
        first.sort_unstable();
        first.into_iter().map(|number| chosen[number]).collect()
    }
}

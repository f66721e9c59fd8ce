//! Of a large target, the slots that failing tests execute, the most suspicious first.

use crate::control::Events;
use crate::engine::Survey;
use crate::engine::TestError;
use crate::insert::slots::Slot;
use crate::pipeline::Subject;

/// Alternatives that one program holds.
const MOST_ALTERNATIVES: usize = 8_000;

/// The slots of a target that fit into one program. Where all do, nothing is run for it.
pub fn narrowed(
    subject: &Subject,
    slots: Vec<Slot>,
    jobs: usize,
    events: &Events,
) -> Result<Vec<Slot>, TestError> {
    let size = |slot: &Slot| slot.alternatives.len() + usize::from(!slot.values.is_empty());
    if slots.iter().map(size).sum::<usize>() <= MOST_ALTERNATIVES {
        return Ok(slots);
    }
    let survey = Survey::run(subject.project, subject.inserter, subject.paths, jobs, events)?;
    let all = slots.len();
    let mut ranked: Vec<(f64, Slot)> =
        slots.into_iter().map(|slot| (suspicion(subject, &survey, &slot), slot)).collect();
    ranked.retain(|(suspicion, _)| *suspicion > 0.0);
    let executed = ranked.len();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut room = MOST_ALTERNATIVES;
    ranked.retain(|(_, slot)| match room.checked_sub(size(slot)) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    });
    let kept = ranked.len();
    events.inform(format!(
        "failing tests execute {executed} of {all} places that could be edited; the {kept} most suspicious are \
         tried"
    ));
    let mut kept: Vec<Slot> = ranked.into_iter().map(|(_, slot)| slot).collect();
    kept.sort_by_key(|slot| (slot.file, slot.bytes.start, slot.kind, slot.bytes.end));
    Ok(kept)
}

/// How suspicious the statement is that a slot is in, by the tests that execute it: Ochiai's formula.
fn suspicion(subject: &Subject, survey: &Survey, slot: &Slot) -> f64 {
    let tokens = &subject.inserter.target.files[slot.file].tokens;
    let first = tokens.partition_point(|token| (token.span.end as usize) <= slot.bytes.start);
    let at = first.min(tokens.len().saturating_sub(1)) as u32;
    let Some(statement) = survey.statement(slot.file, at, at + 1) else { return 0.0 };
    let failing = survey.baseline.broken();
    let count = |tests: &[u32]| tests.iter().filter(|test| statement.covered.contains(**test)).count() as f64;
    let (fails, passes) = (count(&failing), count(&survey.baseline.trusted()));
    let under = (failing.len() as f64 * (fails + passes)).sqrt();
    if under == 0.0 { 0.0 } else { fails / under }
}

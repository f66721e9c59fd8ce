//! The whole repair, from a project with failing tests to verified patches.

use std::collections::BTreeSet;

use crate::control::Events;
use crate::control::Phase;
use crate::pipeline::Subject;
use crate::runner::RunError;

use super::build::build;
use super::error::RepairError;
use super::patch::Patch;
use super::program::SlotProgram;
use super::request::RepairRequest;
use super::result::RepairResult;
use super::result::VerifiedPatch;
use super::search::Found;
use super::search::Search;
use super::verify::Confirmed;
use super::verify::Verifier;

/// What it costs if a patch only takes code away.
const ONLY_DELETES: f64 = 1.0;
/// What every edit but the first costs.
const FURTHER_EDIT: f64 = 1.0;
/// Patches that are verified for each that is wanted; others are not looked at.
const MOST_VERIFIED: usize = 4;

/// Repairs a project. `first` gets the first patch as soon as it is verified. If asked to stop, the
/// result is what was found until then.
pub fn run(
    request: &RepairRequest,
    subject: &Subject,
    events: &Events,
    first: &mut dyn FnMut(&VerifiedPatch),
) -> Result<RepairResult, RepairError> {
    let program = build(subject, request, events)?;
    let held_out = request.held_out.as_deref();
    let verifier = Verifier { subject, program: &program, held_out };
    let mut verified: Vec<(Patch, Option<VerifiedPatch>)> = Vec::new();
    let mut verify = |found: &Found| -> Result<Option<VerifiedPatch>, RunError> {
        let Some(patch) = Patch::of(&program, subject.inserter, &found.edits) else { return Ok(None) };
        if let Some((_, known)) = verified.iter().find(|(known, _)| known.files == patch.files) {
            return Ok(known.clone());
        }
        events.enter(Phase::Verifying);
        let confirmed = match verifier.verify(&patch)? {
            Confirmed::Yes(held_out) => Some(VerifiedPatch {
                same: found.same.len(),
                cost: cost(found, &patch),
                held_out,
                after: found.after,
                patch: patch.clone(),
            }),
            Confirmed::No => None,
        };
        verified.push((patch, confirmed.clone()));
        Ok(confirmed)
    };
    let mut told = false;
    let searched = Search::new(&program, request, events).run(&mut |found| {
        if !told {
            if let Some(patch) = verify(found)? {
                first(&patch);
                told = true;
            }
            events.enter(Phase::Searching);
        }
        Ok(())
    })?;
    let ranked = ranked(&program, subject, &searched.found);
    let (mut patches, mut refuted) = (Vec::new(), 0);
    for found in ranked.into_iter().take(request.top.saturating_mul(MOST_VERIFIED)) {
        if patches.len() >= request.top {
            break;
        }
        match verify(found) {
            Ok(Some(patch)) => patches.push(patch),
            Ok(None) => refuted += 1,
            Err(RunError::Stopped) => break,
            Err(error) => return Err(error.into()),
        }
    }
    // What other evidence speaks against comes last.
    patches.sort_by(|a, b| a.held_out.cmp(&b.held_out).then(a.cost.total_cmp(&b.cost)));
    let name = |test: &u32| program.baseline.tests[*test as usize].name.clone();
    Ok(RepairResult {
        failing: program.failing.iter().map(name).collect(),
        passing: program.passing.len(),
        slots: program.slots.iter().filter(|slot| !slot.is_dropped()).count(),
        alternatives: program.alternatives(),
        unviable: program.unviable,
        patches,
        refuted,
        searched,
    })
}

/// What was found, the likeliest first: of combinations that make the same of the sources, one.
fn ranked<'f>(program: &SlotProgram, subject: &Subject, found: &'f [Found]) -> Vec<&'f Found> {
    let patch = |found: &'f Found| {
        let patch = Patch::of(program, subject.inserter, &found.edits)?;
        Some((cost(found, &patch), patch.texts(subject.inserter), found))
    };
    let mut all: Vec<_> = found.iter().filter_map(patch).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut seen = BTreeSet::new();
    all.into_iter().filter(|(_, texts, _)| seen.insert(texts.clone())).map(|(.., found)| found).collect()
}

/// How unlikely a patch is to be right.
fn cost(found: &Found, patch: &Patch) -> f64 {
    let further = FURTHER_EDIT * (found.edits.len() - 1) as f64;
    found.cost() + further + if patch.only_deletes() { ONLY_DELETES } else { 0.0 }
}

//! From edits that are switched on to edits of the sources.

use std::collections::BTreeMap;

use crate::insert::Inserter;
use crate::insert::TextEdit;
use crate::insert::apply_all;
use crate::insert::slots::Comparison;
use crate::insert::slots::Family;
use crate::insert::slots::Form;
use crate::insert::slots::Slot;
use crate::insert::slots::SlotKind;

use super::edit::Choice;
use super::edit::Edit;
use super::program::SlotProgram;

/// One edit of a patch, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchEdit {
    /// The file's place in the target.
    pub file: usize,
    /// From 1.
    pub line: u32,
    pub family: Family,
    /// What stood there; empty if something is put in.
    pub before: String,
    pub after: String,
}

/// A change of the sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    pub edits: Vec<PatchEdit>,
    /// Per file, by its place in the target, edits in order.
    pub files: BTreeMap<usize, Vec<TextEdit>>,
}

/// What is put in at one place stands in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Before,
    Opens,
    Inside,
    Closes,
    Otherwise,
    After,
}

impl Patch {
    /// What edits do to the sources; none if they are in each other's way.
    pub fn of(program: &SlotProgram, inserter: &Inserter, edits: &[Edit]) -> Option<Self> {
        let mut placed: BTreeMap<usize, Vec<(Place, TextEdit)>> = BTreeMap::new();
        let mut told = Vec::new();
        for edit in edits {
            for choice in &edit.choices {
                let slot = &program.slots[choice.slot()].slot;
                let text = &inserter.target.files[slot.file].text;
                let here = made(program, inserter, *choice);
                told.push(patch_edit(slot, edit.family, text, &here));
                placed.entry(slot.file).or_default().extend(here);
            }
        }
        told.sort_by_key(|edit| (edit.file, edit.line));
        let mut files = BTreeMap::new();
        for (file, mut edits) in placed {
            edits.sort_by_key(|(place, edit)| (edit.start, *place, edit.end));
            let apart = edits.windows(2).all(|pair| pair[0].1.end <= pair[1].1.start);
            if !apart {
                return None;
            }
            files.insert(file, edits.into_iter().map(|(_, edit)| edit).collect());
        }
        Some(Self { edits: told, files })
    }

    /// The files that it changes, as it makes them.
    pub fn texts(&self, inserter: &Inserter) -> BTreeMap<usize, Vec<u8>> {
        let text = |file: usize, edits| apply_all(&inserter.target.files[file].text, edits);
        self.files.iter().map(|(file, edits)| (*file, text(*file, edits))).collect()
    }

    /// Whether it only takes code away.
    pub fn only_deletes(&self) -> bool {
        let deletes =
            |edit: &PatchEdit| edit.after.trim().trim_matches(';').is_empty() || edit.after == "pass";
        self.edits.iter().all(|edit| edit.family == Family::Delete || deletes(edit))
    }
}

/// An edit for people: of all that is changed at a slot, from the first to the last.
fn patch_edit(slot: &Slot, family: Family, text: &[u8], here: &[(Place, TextEdit)]) -> PatchEdit {
    let start = here.iter().map(|(_, edit)| edit.start).min().unwrap_or(slot.bytes.start);
    let end = here.iter().map(|(_, edit)| edit.end).max().unwrap_or(slot.bytes.end);
    let before = String::from_utf8_lossy(&text[start..end]).into_owned();
    let (mut after, mut at) = (Vec::new(), start);
    for (_, edit) in here {
        after.extend_from_slice(&text[at..edit.start]);
        after.extend_from_slice(&edit.text);
        at = edit.end;
    }
    after.extend_from_slice(&text[at..end]);
    let line = 1 + text[..start].iter().filter(|byte| **byte == b'\n').count() as u32;
    let after = String::from_utf8_lossy(&after).trim().to_owned();
    PatchEdit { file: slot.file, line, family, before: before.trim().to_owned(), after }
}

/// What a choice does to the file of its slot, in order.
fn made(program: &SlotProgram, inserter: &Inserter, choice: Choice) -> Vec<(Place, TextEdit)> {
    let candidate = &program.slots[choice.slot()];
    let slot = &candidate.slot;
    match choice {
        Choice::Alternative { alternative, .. } => {
            let place = match slot.kind {
                SlotKind::Before => Place::Before,
                SlotKind::After => Place::After,
                SlotKind::Otherwise => Place::Otherwise,
                _ => Place::Inside,
            };
            vec![(place, slot.alternatives[alternative as usize].edit.clone())]
        }
        Choice::Comparison { number, .. } => {
            let comparison = Comparison::numbered(number, candidate.values.len());
            let text = comparison.text(&candidate.values);
            match slot.kind {
                SlotKind::Guard => guarded(inserter, slot, &text),
                _ => compared(inserter, slot, comparison.form, &text),
            }
        }
    }
}

fn at(start: usize, end: usize, text: String) -> TextEdit {
    TextEdit { start, end, text: text.into_bytes() }
}

/// A statement behind a condition.
fn guarded(inserter: &Inserter, slot: &Slot, condition: &str) -> Vec<(Place, TextEdit)> {
    let (switch, indent, bytes) = (&inserter.def.file.switch, &slot.indent, &slot.bytes);
    let deeper = if indent.contains('\t') { format!("{indent}\t") } else { format!("{indent}    ") };
    let (open, close) = match (switch.close.is_empty(), switch.bare_heads) {
        (true, _) => (format!("if {condition}:\n{deeper}"), String::new()),
        (false, true) => (format!("if {condition} {{\n{deeper}"), format!("\n{indent}}}")),
        (false, false) => (format!("if ({condition}) {{\n{deeper}"), format!("\n{indent}}}")),
    };
    let mut edits = vec![(Place::Opens, at(bytes.start, bytes.start, open))];
    if !close.is_empty() {
        edits.push((Place::Closes, at(bytes.end, bytes.end, close)));
    }
    edits
}

/// A condition instead of one, or joined with it.
fn compared(inserter: &Inserter, slot: &Slot, form: Form, condition: &str) -> Vec<(Place, TextEdit)> {
    let (words, bytes) = (&inserter.def.file.switch.slots, &slot.bytes);
    let (join, weaker) = match form {
        Form::Instead => return vec![(Place::Inside, at(bytes.start, bytes.end, condition.to_owned()))],
        Form::And => (&words.and, &words.or),
        Form::Or => (&words.or, &words.and),
    };
    let original =
        String::from_utf8_lossy(&inserter.target.files[slot.file].text[bytes.clone()]).into_owned();
    match is_comparison(&original) && !original.contains(weaker.as_str()) {
        true => vec![(Place::Closes, at(bytes.end, bytes.end, format!(" {join} {condition}")))],
        false => vec![
            (Place::Opens, at(bytes.start, bytes.start, "(".into())),
            (Place::Closes, at(bytes.end, bytes.end, format!(") {join} {condition}"))),
        ],
    }
}

/// Whether a condition has comparisons in it and no assignment or choice that binds less.
fn is_comparison(text: &str) -> bool {
    let bare = ["==", "!=", "<=", ">="].iter().fold(text.to_owned(), |text, sign| text.replace(sign, ""));
    !bare.contains(['=', '?'])
}

//! The slots that are woven, and which of their alternatives are dropped because they do not compile.
//!
//! In: slots. Out: files with all alternatives woven into them that were not dropped. An error on the line of an
//! alternative or value drops it. An error elsewhere follows from one: those that could be its cause are dropped, from
//! the likely to the unlikely.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::engine::FailedBuild;
use crate::engine::NoCulprit;
use crate::engine::Weaving;
use crate::engine::screen::Complaint;
use crate::engine::screen::file_meant;
use crate::insert::Inserter;
use crate::insert::slots::Family;
use crate::insert::slots::Slot;
use crate::insert::slots::SlotKind;
use crate::insert::slots::SlotValue;
use crate::workspace::SlotOwner;
use crate::workspace::SlotText;
use crate::workspace::WovenSlot;
use crate::workspace::weave_slots;

/// What compilers say of a function that is too long for them.
const TOO_LARGE: [&str; 2] = ["code too large", "too many constants"];

/// A slot, and what is left of it.
pub struct SlotCandidate {
    pub slot: Slot,
    /// Its alternatives that were not dropped, by their places.
    pub kept: Vec<usize>,
    /// The values that were not dropped.
    pub values: Vec<SlotValue>,
}

impl SlotCandidate {
    /// Whether nothing is left of it.
    pub fn is_dropped(&self) -> bool {
        self.kept.is_empty() && self.values.is_empty()
    }
}

/// The unit of a slot's alternatives.
pub fn unit_of(slot: usize) -> u32 {
    2 * slot as u32
}

/// The unit of conditions made of a slot's values.
pub fn compared_unit_of(slot: usize) -> u32 {
    2 * slot as u32 + 1
}

/// All slots that are woven. A slot's number is its place among them.
pub struct SlotCandidates<'a> {
    inserter: &'a Inserter<'a>,
    pub all: Vec<SlotCandidate>,
    /// Per file with slots, its text as it was woven last.
    woven: BTreeMap<usize, SlotText>,
    /// How often errors of a function were nobody's.
    unexplained: BTreeMap<(usize, usize), usize>,
    /// How many alternatives did not compile.
    pub unviable: usize,
}

impl<'a> SlotCandidates<'a> {
    /// All alternatives of some slots.
    pub fn new(inserter: &'a Inserter<'a>, slots: Vec<Slot>) -> Self {
        let candidate = |slot: Slot| SlotCandidate {
            kept: (0..slot.alternatives.len()).collect(),
            values: slot.values.clone(),
            slot,
        };
        let all = slots.into_iter().map(candidate).collect();
        Self { inserter, all, woven: BTreeMap::new(), unexplained: BTreeMap::new(), unviable: 0 }
    }

    /// How many units the program has.
    pub fn units(&self) -> usize {
        2 * self.all.len()
    }

    fn drop(&mut self, owner: SlotOwner) {
        match owner {
            SlotOwner::Alternative(slot, alternative) => {
                let candidate = &mut self.all[slot as usize];
                let before = candidate.kept.len();
                candidate.kept.retain(|kept| *kept != alternative);
                self.unviable += before - candidate.kept.len();
            }
            SlotOwner::Value(slot, value) => {
                let candidate = &mut self.all[slot as usize];
                if value < candidate.values.len() {
                    candidate.values.remove(value);
                }
                candidate.settle();
            }
            SlotOwner::Original(slot) => {
                let candidate = &mut self.all[slot as usize];
                match candidate.values.is_empty() {
                    true => {
                        self.unviable += candidate.kept.len();
                        candidate.kept.clear();
                    }
                    false => candidate.values.clear(),
                }
            }
        }
    }

    /// A place that a compiler named: the file and the line.
    fn place(&self, (path, line): &(String, u32)) -> Option<(usize, u32)> {
        let files = self.inserter.target.files.iter().map(|source| source.path.as_path());
        Some((file_meant(files.enumerate(), path)?, *line))
    }

    /// The function whose line a line is, by its file.
    fn function_at(&self, file: usize, line: u32) -> Option<usize> {
        let byte = self.woven.get(&file)?.byte_of(line);
        let (source, structure) = (&self.inserter.target.files[file], &self.inserter.target.structures[file]);
        let start = |token: u32| {
            source.tokens.get(token as usize).map_or(usize::MAX, |token| token.span.start as usize)
        };
        let last =
            source.text[byte.min(source.text.len())..].iter().position(|byte| *byte == b'\n').unwrap_or(0);
        let holds = |number: &usize| {
            let function = &structure.functions[*number];
            let close = structure.mate.get(function.body as usize).copied().unwrap_or(u32::MAX);
            start(function.head) <= byte + last && byte <= start(close)
        };
        (0..structure.functions.len()).filter(holds).max_by_key(|number| structure.functions[*number].head)
    }

    /// What an error that falls on no alternative could follow from.
    fn suspects(&mut self, file: usize, line: u32, complaint: &Complaint) -> Vec<SlotOwner> {
        let Some(function) = self.function_at(file, line) else { return vec![] };
        let here: Vec<usize> = (0..self.all.len())
            .filter(|at| self.all[*at].slot.file == file && self.all[*at].slot.function == function)
            .collect();
        if TOO_LARGE.iter().any(|text| complaint.message.contains(text)) {
            return self.half(&here);
        }
        let named = self.without_assignment(&here, &complaint.message);
        if !named.is_empty() {
            return named;
        }
        let times = self.unexplained.entry((file, function)).or_default();
        *times += 1;
        let families: &[Family] = match *times {
            1 => &[Family::Delete, Family::Replace, Family::Guard],
            2 => &[Family::Insert, Family::Otherwise, Family::Condition],
            _ => &[],
        };
        self.of_families(&here, families)
    }

    /// The less likely half of a function's alternatives.
    fn half(&self, here: &[usize]) -> Vec<SlotOwner> {
        let mut all: Vec<(f64, SlotOwner)> = Vec::new();
        for at in here {
            for kept in &self.all[*at].kept {
                let alternative = &self.all[*at].slot.alternatives[*kept];
                all.push((alternative.cost(), SlotOwner::Alternative(*at as u32, *kept)));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.split_off(all.len() / 2).into_iter().map(|(_, owner)| owner).collect()
    }

    /// Alternatives of statements that give a value to a name that is told of, and do not themselves.
    fn without_assignment(&self, here: &[usize], message: &str) -> Vec<SlotOwner> {
        let words: BTreeSet<&str> = message
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .filter(|word| !word.is_empty())
            .collect();
        let mut found = Vec::new();
        for at in here {
            let Slot { file, bytes, alternatives, kind, .. } = &self.all[*at].slot;
            let original = &self.inserter.target.files[*file].text[bytes.clone()];
            let assigned = assigned_name(original).filter(|name| words.contains(name.as_str()));
            let Some(name) = assigned else { continue };
            if *kind == SlotKind::Guard && !self.all[*at].values.is_empty() {
                found.push(SlotOwner::Original(*at as u32));
            }
            let lacks =
                |kept: &&usize| assigned_name(&alternatives[**kept].woven).is_none_or(|other| other != name);
            let lacking = self.all[*at].kept.iter().filter(lacks);
            found.extend(lacking.map(|kept| SlotOwner::Alternative(*at as u32, *kept)));
        }
        found
    }

    /// Alternatives of these families, of all if there are none.
    fn of_families(&self, here: &[usize], families: &[Family]) -> Vec<SlotOwner> {
        let wanted = |family: Family| families.is_empty() || families.contains(&family);
        let mut found = Vec::new();
        for at in here {
            let SlotCandidate { slot, kept, values } = &self.all[*at];
            let family = if slot.kind == SlotKind::Guard { Family::Guard } else { Family::Condition };
            if !values.is_empty() && wanted(family) {
                found.push(SlotOwner::Original(*at as u32));
            }
            let kept = kept.iter().filter(|kept| wanted(slot.alternatives[**kept].family));
            found.extend(kept.map(|kept| SlotOwner::Alternative(*at as u32, *kept)));
        }
        found
    }
}

impl SlotCandidate {
    /// A condition is made of two values, one of which is none that never changes.
    fn settle(&mut self) {
        if self.values.len() < 2 || self.values.iter().all(|value| value.constant) {
            self.values.clear();
        }
    }
}

/// The name that a statement begins with, if something is assigned to it.
fn assigned_name(statement: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(statement);
    let name: String = text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    let rest = text[name.len()..].trim_start();
    (!name.is_empty() && rest.starts_with('=') && !rest.starts_with("==")).then_some(name)
}

impl Weaving for SlotCandidates<'_> {
    fn weave(&mut self) {
        let mut by_file: BTreeMap<usize, Vec<WovenSlot>> = BTreeMap::new();
        for (number, candidate) in self.all.iter().enumerate() {
            by_file.entry(candidate.slot.file).or_default().push(WovenSlot {
                slot: &candidate.slot,
                number: number as u32,
                unit: unit_of(number),
                compared: compared_unit_of(number),
                kept: &candidate.kept,
                values: &candidate.values,
            });
        }
        let Inserter { def, target, .. } = self.inserter;
        let weave =
            |(file, slots): (usize, Vec<WovenSlot>)| (file, weave_slots(def, &target.files[file], &slots));
        self.woven = by_file.into_iter().map(weave).collect();
    }

    fn files(&self) -> Vec<(usize, &[u8])> {
        self.woven.iter().map(|(file, woven)| (*file, &woven.text[..])).collect()
    }

    fn leave_out(&mut self, failed: &FailedBuild) -> Result<(), NoCulprit> {
        let mut guilty: BTreeSet<SlotOwner> = BTreeSet::new();
        let mut elsewhere: Vec<(usize, u32, &Complaint)> = Vec::new();
        for complaint in failed.complaints {
            // An error in the original may point at what it follows from.
            let places: Vec<(usize, u32)> =
                complaint.places.iter().filter_map(|place| self.place(place)).collect();
            let owners = places.iter().filter_map(|(file, line)| self.woven.get(file)?.owner(*line));
            let added = |owner: &SlotOwner| !matches!(owner, SlotOwner::Original(_));
            match (owners.into_iter().find(added), places.first()) {
                (Some(owner), _) => drop(guilty.insert(owner)),
                (None, Some((file, line))) => elsewhere.push((*file, *line, complaint)),
                (None, None) => {}
            }
        }
        // What falls on no alternative may follow from those that do.
        if guilty.is_empty() {
            let mut seen: BTreeSet<Option<usize>> = BTreeSet::new();
            for (file, line, complaint) in elsewhere {
                if seen.insert(self.function_at(file, line)) || complaint.message.contains("initialized") {
                    let suspects = self.suspects(file, line, complaint);
                    guilty.extend(suspects);
                }
            }
        }
        // Values behind one that is dropped move up: the last are dropped first.
        for owner in guilty.iter().rev() {
            self.drop(*owner);
        }
        if guilty.is_empty() { Err(NoCulprit) } else { Ok(()) }
    }
}

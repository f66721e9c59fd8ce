//! Weaves slots into a file: code that can be exchanged, put in or left out while the program runs.
//!
//! In: a file, its slots, and for each which of its alternatives and values are wanted. Out: the file's text in which
//! all of them stand behind switches, and whose line each line is. Invariant: with nothing switched on, the text does
//! what the original does.

use std::cmp::Reverse;

use crate::insert::SourceFile;
use crate::insert::slots::Slot;
use crate::insert::slots::SlotKind;
use crate::insert::slots::SlotValue;
use crate::langdef::LangDef;
use crate::langdef::SlotsFile;
use crate::langdef::SwitchFile;

use super::meta::deepen;

/// A slot to be woven.
#[derive(Clone, Copy)]
pub struct WovenSlot<'a> {
    pub slot: &'a Slot,
    /// Its number among all slots.
    pub number: u32,
    /// The unit of its alternatives; the k-th of them, counted from 1, is switched on by k.
    pub unit: u32,
    /// The unit of conditions made of its values.
    pub compared: u32,
    /// The alternatives that are wanted, by their places in the slot.
    pub kept: &'a [usize],
    /// The values that are wanted.
    pub values: &'a [SlotValue],
}

/// Which code a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotOwner {
    /// An alternative, by the slot's number and its place there.
    Alternative(u32, usize),
    /// A value, by the slot's number and its place there.
    Value(u32, usize),
    /// What stands at the slot in the original.
    Original(u32),
}

/// A file with slots in it.
#[derive(Default)]
pub struct SlotText {
    pub text: Vec<u8>,
    owners: Vec<(u32, u32, SlotOwner)>,
    /// Bytes of the original and the lines at which they stand now, in order.
    places: Vec<(usize, u32)>,
}

impl SlotText {
    /// The innermost owner of a line.
    pub fn owner(&self, line: u32) -> Option<SlotOwner> {
        let holding = self.owners.iter().filter(|(first, last, _)| (*first..=*last).contains(&line));
        // Behind an alternative on its own line, the next one begins.
        holding.min_by_key(|(first, last, owner)| (last - first, *owner)).map(|(.., owner)| *owner)
    }

    /// The byte of the original that stands at a line, or before it.
    pub fn byte_of(&self, line: u32) -> usize {
        let at = self.places.partition_point(|(_, placed)| *placed <= line);
        at.checked_sub(1).map_or(0, |at| self.places[at].0)
    }
}

/// Weaves slots into a file.
pub fn weave_slots(def: &LangDef, file: &SourceFile, slots: &[WovenSlot]) -> SlotText {
    let mut order: Vec<WovenSlot> = slots.iter().copied().filter(|woven| !woven.is_empty()).collect();
    order.sort_by_key(|woven| {
        let (bytes, kind) = (&woven.slot.bytes, woven.slot.kind);
        // What is put in before something comes first; what is put in behind comes last.
        let gap = match kind {
            SlotKind::Before => 0,
            SlotKind::Otherwise | SlotKind::After => 2,
            _ => 1,
        };
        (bytes.start, gap, Reverse(bytes.end), kind)
    });
    let mut loom = Loom { def, switch: &def.file.switch, file, out: SlotText::default(), line: 1 };
    loom.stretch(0, file.text.len(), &order);
    loom.out
}

impl WovenSlot<'_> {
    fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.values.is_empty()
    }
}

struct Loom<'a> {
    def: &'a LangDef,
    switch: &'a SwitchFile,
    file: &'a SourceFile,
    out: SlotText,
    line: u32,
}

impl<'a> Loom<'a> {
    fn put(&mut self, text: &[u8]) {
        self.line += memchr::memchr_iter(b'\n', text).count() as u32;
        self.out.text.extend_from_slice(text);
    }

    fn words(&self) -> &'a SlotsFile {
        &self.switch.slots
    }

    fn is_indented(&self) -> bool {
        self.switch.close.is_empty()
    }

    /// The original's bytes `start..end` with these slots, outer ones first.
    fn stretch(&mut self, start: usize, end: usize, slots: &[WovenSlot]) {
        let (mut at, mut next) = (start, 0);
        while let Some(woven) = slots.get(next) {
            let bytes = woven.slot.bytes.clone();
            let inside =
                |other: &WovenSlot| other.slot.bytes.end <= bytes.end && other.slot.bytes.start < bytes.end;
            let inner = if woven.slot.kind.is_gap() {
                next + 1
            } else {
                next + 1 + slots[next + 1..].iter().take_while(|other| inside(other)).count()
            };
            self.original(at, bytes.start);
            self.slot(woven, &slots[next + 1..inner]);
            at = bytes.end;
            next = inner;
        }
        self.original(at, end);
    }

    fn original(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let text = &self.file.text[start..end];
        let mut at = start;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            self.out.places.push((at, self.line));
            self.put(line);
            at += line.len();
        }
    }

    fn slot(&mut self, woven: &WovenSlot, inner: &[WovenSlot]) {
        let first = self.line;
        match woven.slot.kind {
            SlotKind::Before => {
                self.chain(woven, inner);
                match self.is_indented() {
                    true => self.put(format!("\n{}", woven.slot.indent).as_bytes()),
                    false => self.put(b" "),
                }
            }
            SlotKind::After => {
                match self.is_indented() {
                    true => self.put(format!("\n{}", woven.slot.indent).as_bytes()),
                    false => self.put(b" "),
                }
                self.chain(woven, inner);
            }
            SlotKind::Otherwise => self.otherwise(woven, inner),
            SlotKind::Statement => self.chain(woven, inner),
            SlotKind::Guard => self.guard(woven, inner),
            SlotKind::Value | SlotKind::Condition => self.value(woven, inner),
        }
        self.out.owners.push((first, self.line, SlotOwner::Original(woven.number)));
    }

    fn otherwise(&mut self, woven: &WovenSlot, inner: &[WovenSlot]) {
        if self.is_indented() {
            let indent = &woven.slot.indent;
            let deeper = Slot { indent: format!("{indent} "), ..woven.slot.clone() };
            self.put(format!("\n{indent}else:\n{indent} ").as_bytes());
            self.chain(&WovenSlot { slot: &deeper, ..*woven }, inner);
        } else {
            self.put(b" else {");
            self.chain(woven, inner);
            self.put(b"}");
        }
    }

    /// The original, then every alternative, each on lines of its own.
    fn chain(&mut self, woven: &WovenSlot, inner: &[WovenSlot]) {
        let base = woven.slot.indent.clone();
        let bytes = woven.slot.bytes.clone();
        self.put(fill(&self.switch.open, woven.unit, 0).as_bytes());
        let from = self.out.text.len();
        if self.is_indented() {
            self.put(format!("\n{base}").as_bytes());
        }
        match bytes.is_empty() {
            true => self.put(self.words().nothing.as_bytes()),
            false => self.stretch(bytes.start, bytes.end, inner),
        }
        self.deepen(from, &base);
        for (at, kept) in woven.kept.iter().enumerate() {
            let head = if at + 1 == woven.kept.len() { &self.switch.last } else { &self.switch.next };
            self.put(b"\n");
            if self.is_indented() {
                self.put(base.as_bytes());
            }
            // A compiler may complain about the block as a whole.
            let first = self.line;
            self.put(fill(head, woven.unit, *kept as u32 + 1).as_bytes());
            let from = self.out.text.len();
            self.put(b"\n");
            if self.is_indented() {
                self.put(base.as_bytes());
            }
            self.put(&woven.slot.alternatives[*kept].woven);
            self.own(first, SlotOwner::Alternative(woven.number, *kept));
            self.deepen(from, &base);
        }
        if !self.is_indented() {
            self.put(b"\n");
        }
        self.put(self.switch.close.as_bytes());
    }

    /// The lines from `first` to here are somebody's.
    fn own(&mut self, first: u32, owner: SlotOwner) {
        self.out.owners.push((first, self.line, owner));
    }

    /// A statement behind a condition that is made of values.
    fn guard(&mut self, woven: &WovenSlot, inner: &[WovenSlot]) {
        let bytes = woven.slot.bytes.clone();
        if self.is_indented() {
            let base = woven.slot.indent.clone();
            self.put(b"if ");
            self.compared(woven, |loom| loom.put(loom.words().always.as_bytes()));
            self.put(b":");
            let from = self.out.text.len();
            self.put(format!("\n{base}").as_bytes());
            self.stretch(bytes.start, bytes.end, inner);
            self.deepen(from, &base);
            return;
        }
        self.put(if self.switch.bare_heads { b"if " } else { b"if(" });
        self.compared(woven, |loom| loom.put(loom.words().always.as_bytes()));
        self.put(if self.switch.bare_heads { b" {" } else { b"){" });
        self.stretch(bytes.start, bytes.end, inner);
        self.put(b"\n}");
    }

    /// A value in several versions, or a condition that can be made of values.
    fn value(&mut self, woven: &WovenSlot, inner: &[WovenSlot]) {
        let bytes = woven.slot.bytes.clone();
        let whole = |loom: &mut Self| {
            if woven.kept.is_empty() {
                return loom.stretch(bytes.start, bytes.end, inner);
            }
            loom.around(&loom.words().original, woven.unit, 0, |loom| {
                loom.stretch(bytes.start, bytes.end, inner);
            });
            for (at, kept) in woven.kept.iter().enumerate() {
                let words = loom.words();
                let template = if at + 1 == woven.kept.len() { &words.last } else { &words.version };
                loom.around(template, woven.unit, *kept as u32 + 1, |loom| {
                    let first = loom.line;
                    loom.put(&woven.slot.alternatives[*kept].woven);
                    loom.own(first, SlotOwner::Alternative(woven.number, *kept));
                });
            }
        };
        if woven.values.is_empty() { whole(self) } else { self.compared(woven, whole) }
    }

    /// A condition that can be made of values.
    fn compared(&mut self, woven: &WovenSlot, original: impl FnOnce(&mut Self)) {
        let words = self.words();
        let count = woven.values.len().to_string();
        self.around(&words.compared.replace("{count}", &count), woven.compared, 0, original);
        for (at, value) in woven.values.iter().enumerate() {
            // The template has the value more than once.
            let text = words.value.replace("{text}", &value.text);
            let (before, rest) = text.split_once('\n').unwrap_or(("", &text));
            self.put(before.as_bytes());
            self.put(b"\n");
            let first = self.line;
            self.put(rest.as_bytes());
            self.own(first, SlotOwner::Value(woven.number, at));
        }
        self.put(words.close.as_bytes());
    }

    /// A template with something in the place of `{text}`.
    fn around(&mut self, template: &str, unit: u32, mutant: u32, inside: impl FnOnce(&mut Self)) {
        let (before, behind) = template.split_once("{text}").unwrap_or((template, ""));
        self.put(fill(before, unit, mutant).as_bytes());
        inside(self);
        self.put(fill(behind, unit, mutant).as_bytes());
    }

    /// Where indentation makes blocks, moves what was written since `from` one blank in.
    fn deepen(&mut self, from: usize, base: &str) {
        if self.is_indented() {
            let text = self.out.text.split_off(from);
            deepen(self.def, &text, base.as_bytes(), &mut self.out.text);
        }
    }
}

fn fill(template: &str, unit: u32, mutant: u32) -> String {
    template.replace("{unit}", &unit.to_string()).replace("{mutant}", &mutant.to_string())
}

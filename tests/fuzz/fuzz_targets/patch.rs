//! Whatever the bytes, reading them as patch text ends, and every block lies inside its text.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use wildcaught::control::Progress;
use wildcaught::history::Change;
use wildcaught::history::Collector;
use wildcaught::history::Commit;
use wildcaught::history::CommitSelection;
use wildcaught::history::FixWords;
use wildcaught::history::PatchText;
use wildcaught::history::read_patch;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;

struct Checker;

impl Collector for Checker {
    fn take(&mut self, _: &Commit, change: &Change) {
        assert!(!change.before.lines().is_empty() || !change.after.lines().is_empty());
    }
}

static C: LazyLock<(LangDef, CommitSelection, FixWords)> = LazyLock::new(|| {
    let def = builtin("c").expect("C is built in");
    let selection = CommitSelection::new(&def, &[], true).expect("no patterns, no errors");
    (def, selection, FixWords::default())
});

fuzz_target!(|text: &[u8]| {
    let (def, selection, fixes) = &*C;
    let progress = Progress::default();
    let source = PatchText { name: "fuzz", input: text, size: None };
    let reading =
        read_patch(source, def, selection, fixes, &progress, || Checker).expect("memory does not fail");
    assert_eq!(reading.census.bytes, text.len() as u64);
});

//! Raw tallies: one that is accepted comes back as it was, and can be finished.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use wildcaught::harvest::FinishOptions;
use wildcaught::harvest::IdiomRule;
use wildcaught::harvest::finish;
use wildcaught::harvest::read_raw;
use wildcaught::harvest::write_raw;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;
use wildcaught::operator::Direction;
use wildcaught::operator::Thresholds;
use wildcaught::operator::read_set;
use wildcaught::operator::write_set;

static C: LazyLock<LangDef> = LazyLock::new(|| builtin("c").expect("C is built in"));

fuzz_target!(|text: &str| {
    let Ok(mut tally) = read_raw(text, "fuzz") else { return };
    let written = write_raw(&mut tally);
    let again = || read_raw(&written, "again").unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(write_raw(&mut again()), written);
    let mut both = again();
    both.merge(again());
    for tally in [tally, both] {
        let options = FinishOptions {
            name: "fuzz".into(),
            tool: "fuzz".into(),
            direction: Direction::Both,
            idioms: IdiomRule::Top(3),
            limits: Thresholds { shift_min: 1, ..Thresholds::default() },
        };
        let text = write_set(&finish(tally, &C, &options).set);
        read_set(&text, "set").unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
});

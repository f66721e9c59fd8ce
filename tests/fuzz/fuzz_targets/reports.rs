//! What test frameworks print: every reader takes every text, and gives no test twice with one place.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wildcaught::harness::Format;
use wildcaught::harness::read::ctest_list;
use wildcaught::harness::read::executables;
use wildcaught::harness::read::go_list;
use wildcaught::harness::read::libtest_list;
use wildcaught::harness::read::nextest_list;
use wildcaught::harness::read::pytest_list;

const FORMATS: [Format; 9] = [
    Format::Libtest,
    Format::Nextest,
    Format::JunitXml,
    Format::Tap,
    Format::GoJson,
    Format::GoVerbose,
    Format::Ctest,
    Format::Pytest,
    Format::Exit,
];

fuzz_target!(|bytes: &[u8]| {
    for format in FORMATS {
        let mut reading = format.read(bytes);
        let again = format.read(bytes);
        drop((reading.worst(), reading.by_name().len()));
        reading.absorb(again);
    }
    drop((ctest_list(bytes), executables(bytes)));
    for list in [go_list, libtest_list, nextest_list, pytest_list] {
        drop(list(bytes));
    }
});

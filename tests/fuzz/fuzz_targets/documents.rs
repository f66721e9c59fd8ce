//! Result documents that are read back, lists of faults, and which bugs inputs show.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wildcaught::analysis::localize::faults_from_diff;
use wildcaught::analysis::localize::faults_from_list;
use wildcaught::history::Remote;
use wildcaught::pipeline::tame::TruthFile;
use wildcaught::report::LocalizeDocument;

fuzz_target!(|text: &str| {
    drop(LocalizeDocument::read(text, "fuzz").map(|read| read.into_fault_result("fuzz")));
    drop(faults_from_list(text, "fuzz"));
    drop(faults_from_diff(text.as_bytes(), "fuzz"));
    for read in [TruthFile::from_json, TruthFile::from_csv, TruthFile::from_columns] {
        if let Ok(truth) = read(text, "fuzz") {
            drop(truth.of(&["a".to_owned()]));
        }
    }
    drop(Remote::parse(text));
});

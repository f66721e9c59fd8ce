//! Coverage in every format: what is read becomes a spectrum, and goes out as lcov.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use wildcaught::analysis::localize::FunctionTable;
use wildcaught::analysis::localize::Method;
use wildcaught::analysis::localize::MethodWish;
use wildcaught::analysis::localize::Spectrum;
use wildcaught::analysis::localize::Subject;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::coverage_from;
use wildcaught::matrix::from_json;
use wildcaught::matrix::from_plain;

const MATRIX: &str = r#"{"format":1,"tests":[{"name":"t"},{"name":"u","baseline":"fail"}],"mutants":[
    {"id":"1","file":"a.c","line":2,"endLine":4294967295,"outcome":{"fate":"killed","covered":[0,1],"ran":"covered","killedBy":{"fail":[0]}}},
    {"id":"2","file":"b.c","line":4294967295,"outcome":{"fate":"survived","covered":[1],"ran":"covered"}}]}"#;

static KILLS: LazyLock<KillMatrix> = LazyLock::new(|| from_json(MATRIX, "m").expect("it is a matrix"));

fuzz_target!(|text: &str| {
    if let Ok(plain) = from_plain(text, "fuzz") {
        assert!(plain.tests.iter().all(|test| test.statements.len() == test.counts.len()));
    }
    let Ok(coverage) = coverage_from(text, "fuzz", "t") else { return };
    if coverage.lines.values().map(roaring::RoaringBitmap::len).sum::<u64>() > 10_000 {
        return;
    }
    let mut both = coverage.clone();
    both.absorb(coverage.clone());
    assert_eq!(both, coverage);
    let spectrum = Spectrum::with_coverage(&KILLS, &coverage, &FunctionTable::new());
    if let Ok(subject) = Subject::new(&KILLS, &spectrum) {
        for method in Method::all() {
            drop(method.scores(&subject, MethodWish::default()));
        }
    }
});

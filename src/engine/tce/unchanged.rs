//! Checks that copies which differ only in their numbers compile to the same code: everything else relies on it.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::control::Progress;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::files::TemporaryDirectory;
use crate::insert::Arsenal;
use crate::insert::Fit;
use crate::insert::Inserter;
use crate::insert::Rules;
use crate::insert::Target;
use crate::langdef::builtin;
use crate::operator::read_set;

use super::super::screen::Complaints;
use super::super::screen::Ladder;
use super::bench::Bench;
use super::bench::Desk;
use super::bench::Sheeted;
use super::originals::originals;
use super::record::CompilerCall;
use super::sheet::Copy;
use super::sheet::Sheet;

/// A real file: the runtime.
const TEXT: &str = include_str!("../../workspace/runtime/c/runtime.c");
const COPIES: usize = 4;

/// Finds something in almost every function.
const SET: &str = "format = 1\nlanguage = 'c'\n[[operator]]\nfind = '.;'\nput = '.; .;'\n\
                   [[operator]]\nfind = '.='\nput = '.+='\n";

fn compiled(with: impl FnOnce(&Sheet, &Sheeted)) {
    let def = builtin("c").unwrap();
    let set = read_set(SET, "test").unwrap();
    let arsenal = Arsenal::new(std::slice::from_ref(&set), &def).unwrap();
    let target = Target::new(&def, vec![(PathBuf::from("runtime.c"), TEXT.into())]);
    let fit = Fit { keep_unfit: true, ..Fit::of(Rules::NONE, 0.0) };
    let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
    let found = inserter.file(0);
    let ladder = Ladder::new(&inserter, found.mutants.iter().collect());
    let functions = originals(&ladder, target.view(0), 0);
    let copies =
        (0..functions.len()).flat_map(|function| [Copy { function, mutant: None }; COPIES]).collect();
    let path = Path::new("runtime.c");
    let sheet =
        Sheet { def: &def, ladder: &ladder, file: &target.files[0], path, functions: &functions, copies };
    let (complaints, progress) = (Complaints::new(&def.file.switch).unwrap(), Progress::default());
    let limit = Duration::from_secs(100);
    let desk = Desk::new(TemporaryDirectory::new("desk").unwrap(), Sandbox::none());
    let bench = Bench { env: &[], limit, progress: &progress, complaints: &complaints, desk: &desk };
    let headers = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/src/workspace/runtime/c");
    let arguments = vec!["-DWILDCAUGHT_UNITS=64".into(), headers.into()];
    let call = CompilerCall { directory: "/".into(), tool: "cc".into(), arguments };
    let sheeted = bench.compile(&sheet, &call, path).unwrap().expect("it compiles");
    with(&sheet, &sheeted);
}

#[test]
fn unchanged_copies_of_a_function_are_compiled_to_one_code() {
    if Spec::program("cc", "/").arg("--version").run().is_err() {
        return; // there is no compiler
    }
    compiled(|sheet, sheeted| {
        assert!(sheeted.dropped.functions.is_empty(), "{:?}", sheeted.dropped);
        assert!(sheet.functions.len() >= 15, "{}", sheet.functions.len());
        let mut codes = std::collections::BTreeSet::new();
        for function in 0..sheet.functions.len() {
            let first = sheeted.codes[&(function * COPIES)];
            codes.insert(first);
            for copy in 1..COPIES {
                let name = &sheet.functions[function].name;
                let start = sheet.functions[function].start;
                let name = &TEXT[start + name.start..start + name.end];
                assert_eq!(sheeted.codes[&(function * COPIES + copy)], first, "{name}");
            }
        }
        assert!(codes.len() * 10 >= sheet.functions.len() * 8, "few codes: {}", codes.len());
    });
}

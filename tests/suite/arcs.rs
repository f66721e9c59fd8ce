//! Counters of `gcc --coverage`: what is read directly is what `gcov` says, and damaged files are refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use wildcaught::matrix::Counters;
use wildcaught::matrix::Notes;
use wildcaught::matrix::executed;

use super::targets::Project;
use super::tools;

fn run(root: &Path, line: &[&str]) -> String {
    let ran = Command::new(line[0]).args(&line[1..]).current_dir(root).output().unwrap();
    assert!(ran.status.success(), "{line:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// The lines that `gcov -t` says were executed.
fn lines_of_gcov(report: &str) -> BTreeSet<u32> {
    let executed = report.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (count, number) = (parts.next()?.trim(), parts.next()?.trim().parse::<u32>().ok()?);
        count.starts_with(|first: char| first.is_ascii_digit()).then_some(number)
    });
    executed.filter(|number| *number > 0).collect()
}

#[test]
fn executed_lines_are_those_of_gcov() {
    if !tools::are_here(&["cc", "ar", "make"]) {
        return;
    }
    let project = Project::copy("tiny-compiler");
    let root = project.root();
    run(&root, &["make", "-s"]);
    for program in ["bug.c", "programs/constants.c", "programs/branch.c"] {
        run(&root, &["./cc", program]);
        let wanted = lines_of_gcov(&run(&root, &["gcov", "-t", "cc.gcda"]));
        let notes = Notes::read(&fs::read(root.join("cc.gcno")).unwrap(), "cc.gcno").unwrap();
        let counters = Counters::read(&fs::read(root.join("cc.gcda")).unwrap(), "cc.gcda").unwrap();
        assert_eq!(notes.stamp, counters.stamp);
        let mut lines = BTreeSet::new();
        for function in &notes.functions {
            let Some(counts) = counters.functions.get(&(function.ident, function.checksum)) else { continue };
            let done = executed(function, counts).unwrap();
            let taken = function.lines.iter().filter(|line| done.blocks[line.block as usize]);
            lines.extend(taken.map(|line| line.line));
        }
        assert_eq!(lines, wanted, "{program}");
        // Counters add up from run to run.
        fs::remove_file(root.join("cc.gcda")).unwrap();
    }
}

#[test]
fn damaged_files_are_refused_and_never_believed() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus/arcs");
    let [notes, counters] = ["small.gcno", "small.gcda"].map(|name| fs::read(seeds.join(name)).unwrap());
    assert_eq!(Notes::read(&notes, "notes").unwrap().functions.len(), 2);
    assert_eq!(Counters::read(&counters, "counters").unwrap().functions.len(), 2);
    assert!(
        Notes::read(&counters, "notes").unwrap_err().to_string().contains("not a file of gcc --coverage")
    );
    let old = [&notes[..4], b"*27A", &notes[8..]].concat();
    assert!(Notes::read(&old, "old.gcno").unwrap_err().to_string().contains("old.gcno"));
    // Whatever byte is wrong, it is read or refused.
    for (bytes, at) in [(&notes, 0), (&counters, 1)] {
        for place in 0..bytes.len() {
            for wrong in [0, 0x7f, 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] = wrong;
                let cut = &damaged[..place];
                for bytes in [&damaged[..], cut] {
                    match at {
                        0 => drop(Notes::read(bytes, "notes")),
                        _ => drop(Counters::read(bytes, "counters")),
                    }
                }
            }
        }
    }
}

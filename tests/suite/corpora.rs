//! The sets that ship: they load, say where they come from, and are not too large.

use std::path::PathBuf;

use wildcaught::langdef::builtin;
use wildcaught::operator::Operator;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::lint;
use wildcaught::operator::read_set;
use wildcaught::operator::write_set;

/// Name, text and content of the sets whose names begin so.
fn shipped(prefix: &str) -> Vec<(String, String, OperatorSet)> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpora");
    let mut sets = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if name.starts_with(prefix) {
            let text = std::fs::read_to_string(&path).unwrap();
            let set = read_set(&text, &name).unwrap();
            sets.push((name, text, set));
        }
    }
    sets
}

#[test]
fn every_wild_set_is_canonical_weighed_and_names_its_sources() {
    let sets = shipped("wild-");
    assert!(sets.len() >= 8);
    let list = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/evaluation/mined.toml");
    let mined = std::fs::read_to_string(list).unwrap();
    for (name, text, set) in sets {
        assert_eq!(write_set(&set), text, "{name}");
        assert!(text.len() < 2_000_000, "{name}");
        for source in &set.header.sources {
            let row = format!("name = {:?}\nhead = {:?}\nlicense = \"", source.name, source.head);
            let known = mined.find(&row).map(|at| &mined[at + row.len()..]);
            assert!(
                known.is_some_and(|license| !license.starts_with('"')),
                "{name}: {} is not listed",
                source.name
            );
        }
        assert!(set.operators.iter().all(|operator| operator.evidence.repos.len() >= 2));
        let weighed = |operator: &Operator| operator.evidence.rate().is_some() && operator.evidence.fixes > 0;
        assert!(set.header.density > 0 && set.operators.iter().all(weighed), "{name} was never weighed");
    }
}

#[test]
fn every_classic_set_is_named_grouped_and_clean() {
    let sets = shipped("classic-");
    assert!(sets.len() >= 15);
    for (name, _, set) in sets {
        assert_eq!(set.header.name, name);
        let def = builtin(&set.header.language).unwrap();
        let findings = lint(&set, &def);
        assert!(findings.is_empty(), "{name}: {findings:?}");
        assert!(set.operators.iter().all(|operator| !operator.name.is_empty()), "{name}");
    }
}

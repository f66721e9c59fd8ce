//! The sets that ship: they load, are canonical, say where they come from, and are not too large.

use std::path::PathBuf;

use wildcaught::operator::read_set;
use wildcaught::operator::write_set;

#[test]
fn every_shipped_set_is_canonical_and_names_its_sources() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpora");
    let mut sets = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let set = read_set(&text, &path.display().to_string()).unwrap();
        assert_eq!(write_set(&set), text, "{}", path.display());
        assert!(text.len() < 2_000_000, "{}", path.display());
        assert!(
            set.header.sources.iter().all(|source| !source.head.is_empty() && !source.license.is_empty())
        );
        assert!(set.operators.iter().all(|operator| operator.evidence.repos.len() >= 2));
        sets += 1;
    }
    assert!(sets >= 3);
}

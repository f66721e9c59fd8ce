//! The revisions between two others.

use std::collections::BTreeMap;

use git2::Oid;
use git2::Sort;

use super::HistoryError;
use super::snapshot::Snapshots;

/// Revisions from the oldest to the newest. Those before the first are not part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitRange {
    /// The end that is not part of it.
    pub start: String,
    /// Per revision its id, and its parents by their places here.
    pub commits: Vec<(String, Vec<u32>)>,
}

impl Snapshots {
    /// The revisions that `A..B` names: ancestors of B, and B itself, that are no ancestors of A.
    pub fn range(&self, range: &str) -> Result<CommitRange, HistoryError> {
        let parts = range.split_once("..").filter(|(start, end)| !start.is_empty() && !end.starts_with('.'));
        let (start, end) = parts.ok_or_else(|| HistoryError::Range { range: range.to_owned() })?;
        let end = if end.is_empty() { "HEAD" } else { end };
        let named = |name: &str| {
            let found = self.repo().revparse_single(name).and_then(|found| found.peel_to_commit());
            found.map(|commit| commit.id()).map_err(|error| HistoryError::NoSuchBranch {
                path: self.path().to_owned(),
                name: name.to_owned(),
                reason: error.message().to_owned(),
            })
        };
        let (start, end) = (named(start)?, named(end)?);
        self.ask(|| {
            let mut walk = self.repo().revwalk()?;
            walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
            walk.push(end)?;
            walk.hide(start)?;
            let mut places: BTreeMap<Oid, u32> = BTreeMap::new();
            let mut commits = Vec::new();
            for id in walk {
                let id = id?;
                let commit = self.repo().find_commit(id)?;
                let parents = commit.parent_ids().filter_map(|id| places.get(&id).copied());
                commits.push((id.to_string(), parents.collect()));
                places.insert(id, commits.len() as u32 - 1);
            }
            Ok(CommitRange { start: start.to_string(), commits })
        })
    }
}

#[cfg(test)]
mod tests {
    use git2::Repository;
    use git2::Signature;

    use super::*;

    #[test]
    fn a_range_has_what_its_end_has_and_its_start_has_not() {
        let home = tempfile::tempdir().unwrap();
        let repo = Repository::init(home.path()).unwrap();
        let who = Signature::now("Ann", "ann@example.org").unwrap();
        let tree = repo.find_tree(repo.treebuilder(None).unwrap().write().unwrap()).unwrap();
        let commit = |say: &str, parents: &[Oid]| {
            let parents: Vec<_> = parents.iter().map(|id| repo.find_commit(*id).unwrap()).collect();
            repo.commit(None, &who, &who, say, &tree, &parents.iter().collect::<Vec<_>>()).unwrap()
        };
        let old = commit("old", &[]);
        let first = commit("first", &[old]);
        let side = commit("side", &[first]);
        let other = commit("other", &[first]);
        let merge = commit("merge", &[side, other]);
        repo.reference("refs/tags/good", first, false, "").unwrap();
        repo.set_head_detached(merge).unwrap();
        let below = home.path().join("below");
        std::fs::create_dir(&below).unwrap();
        let snapshots = Snapshots::around(&below).unwrap();
        assert_eq!(snapshots.root().unwrap(), home.path().canonicalize().unwrap());
        let range = snapshots.range("good..").unwrap();
        assert_eq!(range.start, first.to_string());
        assert_eq!(range.commits.len(), 3);
        assert_eq!(range.commits[2], (merge.to_string(), vec![range.place(side), range.place(other)]));
        assert!(range.commits[..2].iter().all(|(_, parents)| parents.is_empty()));
        for (wrong, said) in [
            ("good", "GOOD..BAD"),
            ("..good", "GOOD..BAD"),
            ("good...HEAD", "GOOD..BAD"),
            ("no..HEAD", "\"no\""),
        ] {
            let error = snapshots.range(wrong).unwrap_err().to_string();
            assert!(error.contains(said), "{wrong}: {error}");
        }
    }

    impl CommitRange {
        fn place(&self, id: Oid) -> u32 {
            self.commits.iter().position(|(known, _)| *known == id.to_string()).unwrap() as u32
        }
    }
}

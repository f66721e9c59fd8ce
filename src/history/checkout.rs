//! Revisions as trees on disk, and what a commit changed in them.

use std::fs;
use std::path::Path;

use git2::Commit;
use git2::Delta;
use git2::Oid;
use git2::build::CheckoutBuilder;

use super::HistoryError;
use super::handle::git_error;
use super::snapshot::Snapshots;

/// A file that a commit changed, seen from its first parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedPath {
    pub path: Vec<u8>,
    /// Whether the commit took it away.
    pub removed: bool,
}

impl Snapshots {
    /// The first parent of a commit; none if it has none.
    pub fn parent(&self, commit: &str) -> Result<Option<String>, HistoryError> {
        self.ask(|| {
            let commit = self.commit(commit)?;
            Ok(commit.parent_ids().next().map(|id| id.to_string()))
        })
    }

    /// The first line of a commit's message.
    pub fn subject(&self, commit: &str) -> Result<String, HistoryError> {
        self.ask(|| {
            let commit = self.commit(commit)?;
            let message = String::from_utf8_lossy(commit.message_bytes()).into_owned();
            Ok(message.lines().next().unwrap_or("").trim().to_owned())
        })
    }

    /// The files that a commit changed, added or removed, in the order of their paths.
    pub fn changed(&self, commit: &str) -> Result<Vec<ChangedPath>, HistoryError> {
        self.ask(|| {
            let commit = self.commit(commit)?;
            let before = commit.parent(0).and_then(|parent| parent.tree()).ok();
            let diff = self.repo().diff_tree_to_tree(before.as_ref(), Some(&commit.tree()?), None)?;
            let mut changed: Vec<ChangedPath> = diff
                .deltas()
                .filter_map(|delta| {
                    let removed = delta.status() == Delta::Deleted;
                    let file = if removed { delta.old_file() } else { delta.new_file() };
                    Some(ChangedPath { path: file.path_bytes()?.to_vec(), removed })
                })
                .collect();
            changed.sort_by(|a, b| a.path.cmp(&b.path));
            Ok(changed)
        })
    }

    /// The text of a file of a revision; none if it has no such file.
    pub fn file(&self, commit: &str, path: &[u8]) -> Result<Option<Vec<u8>>, HistoryError> {
        let mut found = self.files(commit, |other| other == path)?;
        Ok(found.pop().map(|(_, text)| text))
    }

    /// Writes all files of a revision into a directory, which is made. Submodules stay empty.
    pub fn check_out(&self, commit: &str, directory: &Path) -> Result<(), HistoryError> {
        let made = fs::create_dir_all(directory);
        made.map_err(|error| HistoryError::Io { path: directory.to_owned(), error })?;
        self.ask(|| {
            let tree = self.commit(commit)?.into_object();
            let mut options = CheckoutBuilder::new();
            options.target_dir(directory).force().update_index(false).refresh(false);
            self.repo().checkout_tree(&tree, Some(&mut options))
        })
    }

    fn commit(&self, id: &str) -> Result<Commit<'_>, git2::Error> {
        self.repo().find_commit(Oid::from_str(id)?)
    }

    pub(super) fn ask<T>(
        &self,
        question: impl FnOnce() -> Result<T, git2::Error>,
    ) -> Result<T, HistoryError> {
        question().map_err(|error| git_error(self.path(), &error))
    }
}

#[cfg(test)]
mod tests {
    use git2::Repository;
    use git2::Signature;
    use git2::build::TreeUpdateBuilder;

    use super::*;

    /// A bare repository with a commit that changes one file, adds one and removes one.
    fn scene() -> (tempfile::TempDir, String) {
        let home = tempfile::tempdir().unwrap();
        let repo = Repository::init_bare(home.path()).unwrap();
        let blob = |text: &str| repo.blob(text.as_bytes()).unwrap();
        let who = Signature::now("Ann", "ann@example.org").unwrap();
        let empty = repo.find_tree(repo.treebuilder(None).unwrap().write().unwrap()).unwrap();
        let mut update = TreeUpdateBuilder::new();
        update.upsert("src/a.c", blob("old"), git2::FileMode::Blob);
        update.upsert("run", blob("#!/bin/sh\n"), git2::FileMode::BlobExecutable);
        update.upsert("gone", blob("x"), git2::FileMode::Blob);
        let tree = repo.find_tree(update.create_updated(&repo, &empty).unwrap()).unwrap();
        let first = repo.commit(None, &who, &who, "Begin", &tree, &[]).unwrap();
        let mut update = TreeUpdateBuilder::new();
        update.upsert("src/a.c", blob("new"), git2::FileMode::Blob);
        update.upsert("added", blob("y"), git2::FileMode::Blob);
        update.remove("gone");
        let tree = repo.find_tree(update.create_updated(&repo, &tree).unwrap()).unwrap();
        let first = repo.find_commit(first).unwrap();
        let second = repo.commit(None, &who, &who, "Fix it\n\nLong ago.", &tree, &[&first]).unwrap();
        (home, second.to_string())
    }

    #[test]
    fn a_revision_of_a_bare_repository_is_written_with_its_modes() {
        let (home, commit) = scene();
        let snapshots = Snapshots::open(home.path()).unwrap();
        let out = tempfile::tempdir().unwrap();
        let parent = snapshots.parent(&commit).unwrap().unwrap();
        snapshots.check_out(&parent, &out.path().join("before")).unwrap();
        snapshots.check_out(&commit, &out.path().join("after")).unwrap();
        assert_eq!(fs::read(out.path().join("before/src/a.c")).unwrap(), b"old");
        assert_eq!(fs::read(out.path().join("after/src/a.c")).unwrap(), b"new");
        assert!(!out.path().join("after/gone").exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(out.path().join("after/run")).unwrap().permissions().mode();
            assert_eq!(mode & 0o100, 0o100);
        }
    }

    #[test]
    fn what_a_commit_changed_is_listed() {
        let (home, commit) = scene();
        let snapshots = Snapshots::open(home.path()).unwrap();
        let changed = snapshots.changed(&commit).unwrap();
        let shown: Vec<(String, bool)> = changed
            .iter()
            .map(|changed| (String::from_utf8_lossy(&changed.path).into_owned(), changed.removed))
            .collect();
        assert_eq!(shown, [("added".into(), false), ("gone".into(), true), ("src/a.c".into(), false)]);
        assert_eq!(snapshots.subject(&commit).unwrap(), "Fix it");
        assert_eq!(snapshots.file(&commit, b"src/a.c").unwrap().as_deref(), Some(&b"new"[..]));
        assert_eq!(snapshots.file(&commit, b"gone").unwrap(), None);
        let parent = snapshots.parent(&commit).unwrap().unwrap();
        assert_eq!(snapshots.parent(&parent).unwrap(), None);
    }
}

//! Small git repositories, made through git2.

use std::path::Path;

use git2::Oid;
use git2::Repository;
use git2::Signature;
use git2::Time;

/// A bare repository that a test fills commit by commit.
pub struct Fixture {
    directory: tempfile::TempDir,
    repo: Repository,
    head: Option<Oid>,
    time: i64,
}

impl Fixture {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let repo = Repository::init_bare(directory.path()).unwrap();
        Self { directory, repo, head: None, time: 1_500_000_000 }
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    pub fn repo(&self) -> &Repository {
        &self.repo
    }

    /// Commits files on top of the last commit, an hour later each time.
    pub fn commit(&mut self, message: &str, files: &[(&str, &str)]) -> Oid {
        self.time += 3600;
        let id = self.commit_at(message, files, self.time, self.head);
        self.head = Some(id);
        self.repo.set_head_detached(id).unwrap();
        id
    }

    /// Commits files on top of `parent`, without moving HEAD.
    pub fn commit_at(&self, message: &str, files: &[(&str, &str)], time: i64, parent: Option<Oid>) -> Oid {
        let parents: Vec<git2::Commit> =
            parent.iter().map(|&id| self.repo.find_commit(id).unwrap()).collect();
        let base = parents.first().map(|commit| commit.tree().unwrap());
        let mut update = git2::build::TreeUpdateBuilder::new();
        for (path, text) in files {
            let blob = self.repo.blob(text.as_bytes()).unwrap();
            update.upsert(*path, blob, git2::FileMode::Blob);
        }
        let empty = self.repo.find_tree(self.repo.treebuilder(None).unwrap().write().unwrap()).unwrap();
        let tree = update.create_updated(&self.repo, base.as_ref().unwrap_or(&empty)).unwrap();
        let tree = self.repo.find_tree(tree).unwrap();
        let author = Signature::new("Ann", "ann@example.org", &Time::new(time, 0)).unwrap();
        let parents: Vec<&git2::Commit> = parents.iter().collect();
        self.repo.commit(None, &author, &author, message, &tree, &parents).unwrap()
    }
}

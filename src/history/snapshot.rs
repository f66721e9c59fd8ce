//! The files of a revision, without a work tree.

use std::path::Path;
use std::path::PathBuf;

use git2::ObjectType;
use git2::Oid;
use git2::Repository;
use git2::TreeWalkMode;
use git2::TreeWalkResult;

use super::HistoryError;
use super::handle::git_error;
use super::handle::open;

/// A file of a revision: its path, and its text.
pub type FileAt = (Vec<u8>, Vec<u8>);

/// A repository whose revisions are read.
pub struct Snapshots {
    path: PathBuf,
    repo: Repository,
}

impl Snapshots {
    /// Opens a repository, bare or not.
    pub fn open(path: &Path) -> Result<Self, HistoryError> {
        Ok(Self { path: path.to_owned(), repo: open(path)? })
    }

    /// Opens the repository that a directory is in.
    pub fn around(directory: &Path) -> Result<Self, HistoryError> {
        let found = Repository::discover_path(directory, None::<&Path>);
        let unknown = |error: git2::Error| HistoryError::NotARepository {
            path: directory.to_owned(),
            reason: error.message().to_owned(),
        };
        Self::open(&found.map_err(unknown)?)
    }

    /// Where its work tree is; none if it has none.
    pub fn root(&self) -> Option<PathBuf> {
        self.repo.workdir().and_then(|root| root.canonicalize().ok())
    }

    /// The id of the newest revision.
    pub fn head(&self) -> Result<String, HistoryError> {
        let head = self.repo.head().and_then(|head| head.peel_to_commit());
        head.map(|commit| commit.id().to_string()).map_err(|error| git_error(&self.path, &error))
    }

    /// Where the repository is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The repository.
    pub(super) fn repo(&self) -> &Repository {
        &self.repo
    }

    /// The wanted files of a revision with their paths, in the order of their paths.
    pub fn files(&self, commit: &str, wanted: impl Fn(&[u8]) -> bool) -> Result<Vec<FileAt>, HistoryError> {
        self.read(commit, wanted).map_err(|error| git_error(&self.path, &error))
    }

    fn read(&self, commit: &str, wanted: impl Fn(&[u8]) -> bool) -> Result<Vec<FileAt>, git2::Error> {
        let tree = self.repo.find_commit(Oid::from_str(commit)?)?.tree()?;
        let mut listed: Vec<(Vec<u8>, Oid)> = Vec::new();
        tree.walk(TreeWalkMode::PreOrder, |directory, entry| {
            let is_link = entry.filemode() == i32::from(git2::FileMode::Link);
            if entry.kind() == Some(ObjectType::Blob) && !is_link {
                let path = [directory.as_bytes(), entry.name_bytes()].concat();
                if wanted(&path) {
                    listed.push((path, entry.id()));
                }
            }
            TreeWalkResult::Ok
        })?;
        listed.sort();
        let odb = self.repo.odb()?;
        listed.into_iter().map(|(path, id)| Ok((path, odb.read(id)?.data().to_vec()))).collect()
    }
}

//! Repositories opened once per thread.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;

use git2::Oid;
use git2::Repository;
use rustc_hash::FxHashMap;

use super::HistoryError;
use super::tree::TreeSource;

/// Raw trees cached, in bytes.
const TREE_CACHE: usize = 32 << 20;

/// Opens a repository, bare or not; ownership does not matter, since nothing in it is run.
#[expect(unsafe_code, reason = "libgit2 keeps this setting in a global")]
pub(super) fn open(path: &Path) -> Result<Repository, HistoryError> {
    // SAFETY: sets a global of libgit2 that nothing else in this program reads or writes.
    unsafe { git2::opts::set_verify_owner_validation(false) }.map_err(|error| git_error(path, &error))?;
    Repository::open(path)
        .map_err(|error| HistoryError::NotARepository { path: path.into(), reason: error.message().into() })
}

pub(super) fn git_error(path: &Path, error: &git2::Error) -> HistoryError {
    HistoryError::Git { path: path.into(), reason: error.message().into() }
}

pub(super) fn raw_id(id: Oid) -> [u8; 20] {
    id.as_bytes().try_into().expect("only SHA-1 repositories can be opened")
}

/// A repository handle for one thread, with the raw trees it read last.
pub(super) struct Handle {
    pub repo: Repository,
    trees: FxHashMap<[u8; 20], Arc<[u8]>>,
    tree_bytes: usize,
}

impl Handle {
    pub fn new(repo: Repository) -> Self {
        Self { repo, trees: FxHashMap::default(), tree_bytes: 0 }
    }
}

impl TreeSource for Handle {
    fn tree(&mut self, id: &[u8; 20]) -> Option<Arc<[u8]>> {
        if let Some(tree) = self.trees.get(id) {
            return Some(Arc::clone(tree));
        }
        let odb = self.repo.odb().ok()?;
        let tree: Arc<[u8]> = odb.read(Oid::from_bytes(id).ok()?).ok()?.data().into();
        if self.tree_bytes > TREE_CACHE {
            self.trees.clear();
            self.tree_bytes = 0;
        }
        self.tree_bytes += tree.len();
        self.trees.insert(*id, Arc::clone(&tree));
        Some(tree)
    }
}

/// Handles not in use; libgit2 wants one per thread.
pub(super) struct Handles {
    path: PathBuf,
    free: Mutex<Vec<Handle>>,
}

impl Handles {
    pub fn new(path: &Path) -> Self {
        Self { path: path.into(), free: Mutex::new(Vec::new()) }
    }

    pub fn with<T>(&self, work: impl FnOnce(&mut Handle) -> T) -> Result<T, HistoryError> {
        let free = self.free.lock().expect("no thread panics while it holds this lock").pop();
        let mut handle = match free {
            Some(handle) => handle,
            None => Handle::new(open(&self.path)?),
        };
        let result = work(&mut handle);
        self.free.lock().expect("no thread panics while it holds this lock").push(handle);
        Ok(result)
    }
}

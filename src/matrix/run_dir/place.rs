//! The directory, and the stores in it.

use std::fs;
use std::fs::File;
use std::path::Path;
use std::path::PathBuf;

use crate::files::Beneath;

use super::super::MergeError;
use super::super::MutantRow;
use super::super::Parts;
use super::super::Store;
use super::error::RunDirError;
use super::known::KnownResults;
use super::known::fingerprint_of;
use super::lock::lock;
use super::swap::COVERAGE;
use super::swap::NEW;
use super::swap::STORE;
use super::swap::keep_in;
use super::swap::put_new_in_place;
use super::swap::recover;
use super::swap::remove_if_there;
use super::swap::remove_new;
use super::swap::seal_if_ours;

pub(super) const PREVIOUS: &str = "previous";
pub(super) const SELECTED: &str = "selected";
const CACHE: &str = "cache";

/// What to do with existing results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// They are put into `previous`.
    Replaced,
    /// What is known is kept and not run again.
    Resumed,
    /// They stay; the new results are of single mutants, and are put among them.
    Updated,
}

/// A store that is ready for a run.
pub struct Begun {
    pub store: Store,
    /// Per mutant, whether its fate is known already.
    pub known: Vec<bool>,
    /// Where results were put, if they are kept apart from those of the last whole run.
    pub apart: Option<PathBuf>,
    fingerprint: String,
    merges: bool,
}

/// A directory of results, locked.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    _lock: File,
}

impl RunDir {
    /// Makes the directory if it is not there, and locks it.
    pub fn lock(path: &Path) -> Result<Self, RunDirError> {
        // Without a slash at the end, by which names of neighbours could not be made.
        let path: PathBuf = path.components().collect();
        fs::create_dir_all(&path).map_err(RunDirError::io(&path))?;
        let _lock = lock(&path)?;
        let directory = Self { path, _lock };
        directory.ignore_in_git()?;
        recover(&directory.path, &directory.path.join(PREVIOUS))?;
        Ok(directory)
    }

    /// The results of the last run, for reading.
    pub fn open_store(path: &Path) -> Result<Store, RunDirError> {
        Ok(Store::open(&Self::store_in(path)?)?)
    }

    /// The file with the results in a directory.
    pub fn store_in(path: &Path) -> Result<PathBuf, RunDirError> {
        let store = path.join(STORE);
        match store.exists() {
            true => Ok(store),
            false => Err(RunDirError::Nothing { path: path.to_owned() }),
        }
    }

    /// Puts the parts of a run together; what was here is kept in `previous`.
    pub fn put_together(&self, parts: &Parts) -> Result<(), MergeError> {
        let wrong = |error: RunDirError| MergeError::RunDir(Box::new(error));
        remove_new(&self.path).map_err(wrong)?;
        parts.write(&self.path.join(NEW))?;
        seal_if_ours(&self.path.join(STORE)).map_err(wrong)?;
        keep_in(&self.path, &self.path.join(PREVIOUS)).map_err(wrong)?;
        put_new_in_place(&self.path).map_err(wrong)?;
        remove_if_there(&self.coverage()).map_err(wrong)
    }

    /// Whether there are results of an earlier run.
    pub fn has_results(&self) -> bool {
        self.path.join(STORE).exists()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file with which tests execute which lines.
    pub fn coverage(&self) -> PathBuf {
        Self::coverage_in(&self.path)
    }

    /// The same file of another directory.
    pub fn coverage_in(path: &Path) -> PathBuf {
        path.join(COVERAGE)
    }

    /// A directory for what can be built once and outlives runs.
    pub fn cache(&self) -> Result<PathBuf, RunDirError> {
        let cache = self.path.join(CACHE);
        fs::create_dir_all(&cache).map_err(RunDirError::io(&cache))?;
        cache.canonicalize().map_err(RunDirError::io(&cache))
    }

    /// Makes a store for these mutants.
    pub fn begin(
        &self,
        earlier: Earlier,
        fingerprint: &str,
        rows: &[MutantRow],
    ) -> Result<Begun, RunDirError> {
        let main = self.path.join(STORE);
        seal_if_ours(&main)?;
        match earlier {
            Earlier::Updated if main.exists() => return self.begin_selected(fingerprint, rows),
            Earlier::Resumed if main.exists() => {
                if fingerprint_of(&main)?.as_deref() != Some(fingerprint) {
                    return Err(RunDirError::Changed { path: self.path.clone() });
                }
                let results = KnownResults::read(&main)?;
                if results.has_more_than(rows) {
                    keep_in(&self.path, &self.path.join(PREVIOUS))?;
                }
                let known = self.write(&self.path, &results, fingerprint, rows)?;
                return self.begun(&main, known, fingerprint, None, false);
            }
            _ => {}
        }
        keep_in(&self.path, &self.path.join(PREVIOUS))?;
        let known = self.write(&self.path, &KnownResults::default(), fingerprint, rows)?;
        remove_if_there(&self.coverage())?;
        self.begun(&main, known, fingerprint, None, false)
    }

    /// Makes a store for these mutants with what is known of some of them from the last run, of whatever project that
    /// was: the caller knows that it still holds.
    pub fn begin_with(
        &self,
        fingerprint: &str,
        rows: &[MutantRow],
        holds: impl Fn(&str) -> bool,
    ) -> Result<Begun, RunDirError> {
        let main = self.path.join(STORE);
        seal_if_ours(&main)?;
        let mut results = KnownResults::read(&main)?;
        results.outcomes.retain(|id, _| holds(id));
        keep_in(&self.path, &self.path.join(PREVIOUS))?;
        let known = self.write(&self.path, &results, fingerprint, rows)?;
        remove_if_there(&self.coverage())?;
        self.begun(&main, known, fingerprint, None, false)
    }

    /// A run of single mutants, beside the results of the last whole run.
    fn begin_selected(&self, fingerprint: &str, rows: &[MutantRow]) -> Result<Begun, RunDirError> {
        let apart = self.path.join(SELECTED);
        fs::create_dir_all(&apart).map_err(RunDirError::io(&apart))?;
        let known = self.write(&apart, &KnownResults::default(), fingerprint, rows)?;
        let merges = fingerprint_of(&self.path.join(STORE))?.as_deref() == Some(fingerprint);
        let told = (!merges).then(|| apart.clone());
        self.begun(&apart.join(STORE), known, fingerprint, told, merges)
    }

    /// Ends a run: results of single mutants are put among those of the last whole run, if both are of the same
    /// code and tests.
    pub fn finish(&self, begun: Begun) -> Result<(), RunDirError> {
        let Begun { store, fingerprint, merges, .. } = begun;
        let path = store.path().to_owned();
        drop(store);
        // Somebody may be reading it; then the next run seals it.
        let _ = Store::seal(&path);
        if !merges {
            return Ok(());
        }
        let selected = KnownResults::read(&self.path.join(SELECTED).join(STORE))?;
        let mut all = KnownResults::read(&self.path.join(STORE))?;
        let names =
            |known: &KnownResults| known.tests.iter().map(|test| test.name.clone()).collect::<Vec<_>>();
        if names(&all) != names(&selected) {
            return Ok(());
        }
        let mut rows = std::mem::take(&mut all.rows);
        for row in selected.rows {
            match rows.iter_mut().find(|known| known.id == row.id) {
                Some(known) => *known = row,
                None => rows.push(row),
            }
        }
        all.outcomes.extend(selected.outcomes);
        self.write(&self.path, &all, &fingerprint, &rows)?;
        Ok(())
    }

    /// Writes a store aside and puts it in the place of the one that is there.
    fn write(
        &self,
        directory: &Path,
        known: &KnownResults,
        fingerprint: &str,
        rows: &[MutantRow],
    ) -> Result<Vec<bool>, RunDirError> {
        remove_new(directory)?;
        let known = known.write(&directory.join(NEW), fingerprint, rows)?;
        put_new_in_place(directory)?;
        Ok(known)
    }

    fn begun(
        &self,
        store: &Path,
        known: Vec<bool>,
        fingerprint: &str,
        apart: Option<PathBuf>,
        merges: bool,
    ) -> Result<Begun, RunDirError> {
        let store = Store::reopen(store)?;
        Ok(Begun { store, known, apart, fingerprint: fingerprint.to_owned(), merges })
    }

    fn ignore_in_git(&self) -> Result<(), RunDirError> {
        let ignore = self.path.join(".gitignore");
        if ignore.exists() {
            return Ok(());
        }
        Beneath::open(&self.path)
            .and_then(|here| here.write(Path::new(".gitignore"), b"*\n"))
            .map_err(RunDirError::io(&ignore))
    }
}

//! The directory, and the stores in it.

use std::fs;
use std::fs::File;
use std::path::Path;
use std::path::PathBuf;

use super::super::MutantRow;
use super::super::Store;
use super::error::RunDirError;
use super::known::KnownResults;
use super::known::fingerprint_of;
use super::lock::lock;

const STORE: &str = "store.sqlite";
/// A store that is being made.
const NEW: &str = "store.new.sqlite";
const PREVIOUS: &str = "previous";
const SELECTED: &str = "selected";
const CACHE: &str = "cache";
const COVERAGE: &str = "coverage.info";
/// What belongs to the results of one run; SQLite adds the endings.
const RESULTS: [&str; 4] = [STORE, "store.sqlite-wal", "store.sqlite-shm", COVERAGE];

/// What becomes of the results that are there.
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
        directory.recover()?;
        Ok(directory)
    }

    /// The results of the last run, for reading.
    pub fn open_store(path: &Path) -> Result<Store, RunDirError> {
        let store = path.join(STORE);
        if !store.exists() {
            return Err(RunDirError::Nothing { path: path.to_owned() });
        }
        Ok(Store::open(&store)?)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file with which tests execute which lines.
    pub fn coverage(&self) -> PathBuf {
        self.path.join(COVERAGE)
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
        match earlier {
            Earlier::Updated if main.exists() => return self.begin_selected(fingerprint, rows),
            Earlier::Resumed if main.exists() => {
                if fingerprint_of(&main)?.as_deref() != Some(fingerprint) {
                    return Err(RunDirError::Changed { path: self.path.clone() });
                }
                let known = self.write(&self.path, &KnownResults::read(&main)?, fingerprint, rows)?;
                return self.begun(&main, known, fingerprint, None, false);
            }
            _ => {}
        }
        let new = self.path.join(NEW);
        let known = KnownResults::default().write(&new, fingerprint, rows)?;
        self.rotate()?;
        rename(&new, &main)?;
        self.begun(&main, known, fingerprint, None, false)
    }

    /// A run of single mutants, beside the results of the last whole run.
    fn begin_selected(&self, fingerprint: &str, rows: &[MutantRow]) -> Result<Begun, RunDirError> {
        let apart = self.path.join(SELECTED);
        fs::create_dir_all(&apart).map_err(RunDirError::io(&apart))?;
        remove_all(&apart, &[NEW])?;
        let known = self.write(&apart, &KnownResults::default(), fingerprint, rows)?;
        let merges = fingerprint_of(&self.path.join(STORE))?.as_deref() == Some(fingerprint);
        let told = (!merges).then(|| apart.clone());
        self.begun(&apart.join(STORE), known, fingerprint, told, merges)
    }

    /// Ends a run: results of single mutants are put among those of the last whole run, if both are of the same
    /// code and tests.
    pub fn finish(&self, begun: Begun) -> Result<(), RunDirError> {
        let Begun { store, fingerprint, merges, .. } = begun;
        drop(store);
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
        let new = directory.join(NEW);
        let known = known.write(&new, fingerprint, rows)?;
        rename(&new, &directory.join(STORE))?;
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
        let store = Store::open(store)?;
        Ok(Begun { store, known, apart, fingerprint: fingerprint.to_owned(), merges })
    }

    /// Puts the results that are there into `previous`.
    fn rotate(&self) -> Result<(), RunDirError> {
        if !self.path.join(STORE).exists() {
            return Ok(());
        }
        let previous = self.path.join(PREVIOUS);
        fs::create_dir_all(&previous).map_err(RunDirError::io(&previous))?;
        remove_all(&previous, &RESULTS)?;
        // The store last: as long as it is here, nothing is lost.
        for name in RESULTS.iter().rev().filter(|name| self.path.join(name).exists()) {
            rename(&self.path.join(name), &previous.join(name))?;
        }
        Ok(())
    }

    /// Takes back what a run left halfway when it was killed.
    fn recover(&self) -> Result<(), RunDirError> {
        remove_all(&self.path, &[NEW, "store.new.sqlite-wal", "store.new.sqlite-shm"])?;
        let previous = self.path.join(PREVIOUS);
        if !self.path.join(STORE).exists() && previous.join(STORE).exists() {
            for name in RESULTS.iter().filter(|name| previous.join(name).exists()) {
                rename(&previous.join(name), &self.path.join(name))?;
            }
        }
        Ok(())
    }

    fn ignore_in_git(&self) -> Result<(), RunDirError> {
        let ignore = self.path.join(".gitignore");
        if ignore.exists() {
            return Ok(());
        }
        fs::write(&ignore, "*\n").map_err(RunDirError::io(&ignore))
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), RunDirError> {
    fs::rename(from, to).map_err(RunDirError::io(to))
}

fn remove_all(directory: &Path, names: &[&str]) -> Result<(), RunDirError> {
    for path in names.iter().map(|name| directory.join(name)).filter(|path| path.exists()) {
        fs::remove_file(&path).map_err(RunDirError::io(&path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::Fate;
    use super::super::super::KillMatrix;
    use super::super::super::Outcome;
    use super::super::super::TestRow;
    use super::*;
    use crate::exec::Verdict;

    fn rows(ids: &[&str]) -> Vec<MutantRow> {
        ids.iter()
            .map(|id| MutantRow { id: (*id).into(), file: "a.c".into(), ..MutantRow::default() })
            .collect()
    }

    /// A run of these mutants, all of which meet this fate.
    fn run(out: &Path, earlier: Earlier, fingerprint: &str, ids: &[&str], fate: Fate) -> Vec<bool> {
        let directory = RunDir::lock(out).unwrap();
        let begun = directory.begin(earlier, fingerprint, &rows(ids)).unwrap();
        let test = TestRow { name: "t".into(), verdict: Verdict::Pass, millis: 1.0, flaky: false };
        begun.store.put_tests(&[test]).unwrap();
        for (number, known) in (0..).zip(&begun.known) {
            if !known {
                begun.store.record(number, &Outcome::new(fate)).unwrap();
            }
        }
        let known = begun.known.clone();
        directory.finish(begun).unwrap();
        known
    }

    fn fates(out: &Path) -> Vec<(String, Fate)> {
        let matrix = KillMatrix::load(&RunDir::open_store(out).unwrap()).unwrap();
        (0..matrix.mutants.len()).map(|at| (matrix.mutants[at].id.clone(), matrix.fate(at))).collect()
    }

    fn of(pairs: &[(&str, Fate)]) -> Vec<(String, Fate)> {
        pairs.iter().map(|(id, fate)| ((*id).to_owned(), *fate)).collect()
    }

    #[test]
    fn a_second_run_keeps_the_first_and_touches_no_neighbour() {
        let home = tempfile::tempdir().unwrap();
        let neighbour = home.path().join("out.old");
        fs::create_dir(&neighbour).unwrap();
        fs::write(neighbour.join("precious"), "x").unwrap();
        // With a slash at the end, as a shell completes it.
        let out = PathBuf::from(format!("{}/", home.path().join("out").display()));
        for fate in [Fate::Killed, Fate::Survived, Fate::TimeOut] {
            run(&out, Earlier::Replaced, "f", &["a"], fate);
        }
        assert_eq!(fates(&out), of(&[("a", Fate::TimeOut)]));
        assert_eq!(fates(&out.join(PREVIOUS)), of(&[("a", Fate::Survived)]));
        assert!(neighbour.join("precious").exists());
    }

    #[test]
    fn files_of_others_in_the_directory_stay() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("notes.txt"), "mine").unwrap();
        run(home.path(), Earlier::Replaced, "f", &["a"], Fate::Killed);
        run(home.path(), Earlier::Replaced, "f", &["a"], Fate::Killed);
        assert_eq!(fs::read_to_string(home.path().join("notes.txt")).unwrap(), "mine");
    }

    #[test]
    fn a_run_of_one_mutant_keeps_the_results_of_all_others() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path();
        run(out, Earlier::Replaced, "f", &["a", "b", "c"], Fate::Killed);
        for _ in 0..2 {
            run(out, Earlier::Updated, "f", &["b", "d"], Fate::Survived);
            let all =
                [("a", Fate::Killed), ("b", Fate::Survived), ("c", Fate::Killed), ("d", Fate::Survived)];
            assert_eq!(fates(out), of(&all));
        }
    }

    #[test]
    fn a_run_of_one_mutant_of_other_code_is_kept_apart() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path();
        run(out, Earlier::Replaced, "f", &["a", "b"], Fate::Killed);
        run(out, Earlier::Updated, "g", &["b"], Fate::Survived);
        run(out, Earlier::Updated, "g", &["a"], Fate::Survived);
        assert_eq!(fates(out), of(&[("a", Fate::Killed), ("b", Fate::Killed)]));
        assert_eq!(fates(&out.join(SELECTED)), of(&[("a", Fate::Survived)]));
    }

    #[test]
    fn resuming_keeps_what_is_known_and_refuses_other_code() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path();
        run(out, Earlier::Replaced, "f", &["a", "b"], Fate::Killed);
        assert_eq!(run(out, Earlier::Resumed, "f", &["b", "c"], Fate::Survived), [true, false]);
        assert_eq!(fates(out), of(&[("b", Fate::Killed), ("c", Fate::Survived)]));
        let directory = RunDir::lock(out).unwrap();
        let refused = directory.begin(Earlier::Resumed, "g", &rows(&["b"])).err().unwrap().to_string();
        assert!(refused.contains("without --resume"), "{refused}");
        assert_eq!(fates(out), of(&[("b", Fate::Killed), ("c", Fate::Survived)]));
    }

    #[test]
    fn who_is_killed_between_two_renames_loses_nothing() {
        let home = tempfile::tempdir().unwrap();
        let out = home.path();
        run(out, Earlier::Replaced, "f", &["a"], Fate::Killed);
        fs::create_dir_all(out.join(PREVIOUS)).unwrap();
        fs::rename(out.join(STORE), out.join(PREVIOUS).join(STORE)).unwrap();
        fs::write(out.join(NEW), "half a store").unwrap();
        drop(RunDir::lock(out).unwrap());
        assert_eq!(fates(out), of(&[("a", Fate::Killed)]));
    }

    #[test]
    fn two_runs_at_once_are_refused_and_the_other_is_named() {
        let home = tempfile::tempdir().unwrap();
        let first = RunDir::lock(home.path()).unwrap();
        let refused = RunDir::lock(home.path()).unwrap_err().to_string();
        assert!(refused.contains(&format!("process {}", std::process::id())), "{refused}");
        drop(first);
        RunDir::lock(home.path()).unwrap();
    }
}

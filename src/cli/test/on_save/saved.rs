//! Finds the functions that were saved: waits for file events of the system, then compares the files with their last
//! content.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::mpsc::channel;
use std::time::Duration;

use anyhow::Context;
use anyhow::Result;
use notify::EventKind;
use notify::RecommendedWatcher;
use notify::RecursiveMode;
use notify::Watcher;

use crate::insert::FilePieces;
use crate::insert::FunctionPiece;
use crate::insert::file_pieces;
use crate::langdef::LangDef;
use crate::matrix::project_files;

use super::super::super::progress::interrupted;

/// How often Ctrl-C is looked for.
const TICK: Duration = Duration::from_millis(100);
/// An editor writes a file in several steps: a save is over when nothing was written for this long.
const QUIET: Duration = Duration::from_millis(150);

/// A function of a file, by its name and its number among those of that name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SavedFunction {
    /// Seen from the project's root.
    pub file: PathBuf,
    pub name: String,
    nth: u32,
    /// Its lines, from 1, both included.
    pub first: u32,
    pub last: u32,
}

/// What a save changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Save {
    pub files: BTreeSet<PathBuf>,
    pub functions: BTreeSet<SavedFunction>,
}

/// A file as it was.
#[derive(Debug, PartialEq)]
struct Known {
    text: Vec<u8>,
    /// None if it is no source of the language.
    pieces: Option<FilePieces>,
}

/// The files of a project, watched.
pub struct Files {
    root: PathBuf,
    out: PathBuf,
    def: LangDef,
    known: BTreeMap<PathBuf, Known>,
    watched: BTreeSet<PathBuf>,
    watcher: RecommendedWatcher,
    written: Receiver<()>,
}

impl Files {
    /// Reads all files of a project and begins to watch their directories.
    pub fn new(root: &Path, out: &Path, def: LangDef) -> Result<Self> {
        let (sender, written) = channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Reading a file is no reason to look; an error may mean that notices were lost.
            if !matches!(event, Ok(notify::Event { kind: EventKind::Access(_), .. })) {
                let _ = sender.send(());
            }
        })
        .context("cannot watch files on this system")?;
        let (root, out) = (root.to_owned(), out.to_owned());
        let (known, watched) = (BTreeMap::new(), BTreeSet::new());
        let mut files = Self { root, out, def, known, watched, watcher, written };
        files.look()?;
        Ok(files)
    }

    /// How many files are watched.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Functions where they are now; those that are gone are left out.
    pub fn where_now(&self, functions: &BTreeSet<SavedFunction>) -> BTreeSet<SavedFunction> {
        let now = |saved: &SavedFunction| {
            let pieces = self.known.get(&saved.file)?.pieces.as_ref()?;
            let here = |piece: &&FunctionPiece| piece.name == saved.name && piece.nth == saved.nth;
            pieces.functions.iter().find(here).map(|piece| SavedFunction::new(&saved.file, piece))
        };
        functions.iter().filter_map(now).collect()
    }

    /// Waits for a save that changes more than comments and layout; none once Ctrl-C was pressed.
    pub fn next(&mut self) -> Result<Option<Save>> {
        loop {
            match self.written.recv_timeout(TICK) {
                _ if interrupted() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => anyhow::bail!("the system stopped watching files"),
                Ok(()) => while self.written.recv_timeout(QUIET).is_ok() {},
            }
            let save = self.look()?;
            if !save.files.is_empty() {
                return Ok(Some(save));
            }
        }
    }

    /// Reads what changed, and watches directories that are new.
    fn look(&mut self) -> Result<Save> {
        let paths: Vec<PathBuf> = project_files(&self.root, &self.out).collect();
        let mut save = Save::default();
        let mut now = BTreeMap::new();
        for path in paths {
            let inside = path.strip_prefix(&self.root).unwrap_or(&path).to_owned();
            self.watch(path.parent().map_or_else(|| self.root.clone(), Path::to_owned))?;
            let Ok(text) = fs::read(&path) else { continue };
            let before = self.known.remove(&inside);
            if let Some(before) = before.as_ref().filter(|before| before.text == text) {
                let same = Known { text, pieces: before.pieces.clone() };
                now.insert(inside, same);
                continue;
            }
            let is_source = self.def.owns(inside.as_os_str().as_encoded_bytes());
            let pieces = is_source.then(|| file_pieces(&self.def, &text));
            let old = before.as_ref().and_then(|before| before.pieces.as_ref());
            if pieces.is_none() || pieces.as_ref() != old {
                let changed = pieces.as_ref().map(|new| changed(&inside, old, new)).unwrap_or_default();
                let moved_only = old.is_some_and(|old| Some(old.rest) == pieces.as_ref().map(|new| new.rest));
                if !(moved_only && changed.is_empty()) {
                    save.files.insert(inside.clone());
                }
                save.functions.extend(changed);
            }
            now.insert(inside, Known { text, pieces });
        }
        save.files.extend(std::mem::replace(&mut self.known, now).into_keys());
        Ok(save)
    }

    fn watch(&mut self, directory: PathBuf) -> Result<()> {
        // A file at the root of `.` has no directory in its path.
        let directory = if directory.as_os_str().is_empty() { PathBuf::from(".") } else { directory };
        if !self.watched.contains(&directory) {
            self.watcher.watch(&directory, RecursiveMode::NonRecursive).with_context(|| {
                format!("cannot watch {}; on Linux, raise fs.inotify.max_user_watches", directory.display())
            })?;
            self.watched.insert(directory);
        }
        Ok(())
    }
}

impl SavedFunction {
    fn new(file: &Path, piece: &FunctionPiece) -> Self {
        let FunctionPiece { name, nth, first, last, .. } = piece;
        Self { file: file.to_owned(), name: name.clone(), nth: *nth, first: *first, last: *last }
    }
}

/// Functions that are not as they were; comments and layout do not count.
fn changed(file: &Path, old: Option<&FilePieces>, new: &FilePieces) -> Vec<SavedFunction> {
    let before: BTreeMap<(&str, u32), u64> = old
        .iter()
        .flat_map(|pieces| &pieces.functions)
        .map(|piece| ((piece.name.as_str(), piece.nth), piece.hash))
        .collect();
    let differs = |piece: &&FunctionPiece| before.get(&(piece.name.as_str(), piece.nth)) != Some(&piece.hash);
    new.functions.iter().filter(differs).map(|piece| SavedFunction::new(file, piece)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::langdef::builtin;

    #[test]
    fn only_functions_whose_code_changed_are_named() {
        let def = builtin("python").unwrap();
        let pieces = |text: &str| file_pieces(&def, text.as_bytes());
        let old = pieces("def a(x):\n    return x\n\n\ndef b(x):\n    return x + 1\n");
        let new = pieces(
            "# more\ndef a(x):\n    return  x  # same\n\n\ndef b(x):\n    return x + 2\n\n\ndef c():\n    pass\n",
        );
        let found = changed(Path::new("m.py"), Some(&old), &new);
        let names: Vec<(&str, u32)> = found.iter().map(|one| (one.name.as_str(), one.first)).collect();
        assert_eq!(names, [("b", 6), ("c", 10)]);
        assert_eq!(changed(Path::new("m.py"), None, &old).len(), 2);
    }

    #[test]
    fn a_save_is_told_once_and_comments_are_none() {
        let root = tempfile::tempdir().unwrap();
        let write = |text: &str| fs::write(root.path().join("m.py"), text).unwrap();
        write("def a(x):\n    return x\n");
        let def = builtin("python").unwrap();
        let mut files = Files::new(root.path(), &root.path().join("wildcaught.out"), def).unwrap();
        write("def a(x):\n    # why\n    return x\n");
        assert_eq!(files.look().unwrap(), Save::default());
        write("def a(x):\n    # why\n    return -x\n");
        let save = files.look().unwrap();
        assert_eq!(save.functions.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["a"]);
        write("import os\n\n\ndef a(x):\n    # why\n    return -x\n");
        files.look().unwrap();
        let moved = files.where_now(&save.functions);
        assert_eq!(moved.iter().map(|one| one.first).collect::<Vec<_>>(), [4]);
        assert_eq!(files.look().unwrap(), Save::default());
        fs::remove_file(root.path().join("m.py")).unwrap();
        assert_eq!(files.look().unwrap().files.len(), 1);
    }
}

//! One mutant in the target itself, and the way back.
//!
//! In: a project's root, a file in it and an edit. Out: the file changed, and a record in `wildcaught.revert/`
//! from which the change is undone. Invariants: the record is written before the file; nothing outside of the
//! root is written to; a file keeps its mode, and a link stays a link.

use std::io;
use std::path::Component;
use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;

use crate::files::Beneath;
use crate::insert::TextEdit;

/// The directory of the record, in the project's root. No other command writes to it.
pub(super) const DIRECTORY: &str = "wildcaught.revert";
const RECORD: &str = "mutant.json";
/// Bytes on either side of the mutant that must be as they were where the rest of the file changed.
const AROUND: usize = 32;

/// Why a mutant cannot be put in place or taken back.
#[derive(Debug, thiserror::Error)]
pub enum InPlaceError {
    #[error("mutant {id} is still in {}; remove it first with `wildcaught mutate --revert`", file.display())]
    Occupied { id: String, file: PathBuf },
    #[error(
        "{} is {}, outside of {}; run wildcaught in the project that holds the file",
        file.display(), real.display(), root.display()
    )]
    Outside { file: PathBuf, real: PathBuf, root: PathBuf },
    #[error("{} changed during the search for mutants; try again", .0.display())]
    Stale(PathBuf),
    #[error(
        "{} has changed where mutant {id} is, which wrote {after:?} instead of {before:?}; undo the mutant by \
         hand, then remove {}",
        file.display(), record.display()
    )]
    Changed { id: String, file: PathBuf, before: String, after: String, record: PathBuf },
    #[error("{} is damaged ({problem}); undo the mutant by hand and remove the file", record.display())]
    Damaged { record: PathBuf, problem: String },
    #[error("cannot {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
}

/// The result of taking a mutant back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reverted {
    /// The file has its own text again.
    TakenOut,
    /// Somebody had undone it before.
    NotThere,
}

/// A mutant that was put into its file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct InPlace {
    pub id: String,
    /// The real file, from the root on.
    pub file: PathBuf,
    start: usize,
    /// As bytes: sources need not be text.
    before: Vec<u8>,
    after: Vec<u8>,
    /// What stands around it.
    left: Vec<u8>,
    right: Vec<u8>,
}

impl InPlace {
    /// The mutant that is in place in this project, if there is one.
    pub fn current(root: &Path) -> Result<Option<Self>, InPlaceError> {
        let record = root.join(DIRECTORY).join(RECORD);
        let bytes = match open(root)?.read(&record_inside()) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(InPlaceError::Io { action: "read", path: record, source }),
        };
        let read = serde_json::from_slice::<Self>(&bytes).map_err(|problem| problem.to_string());
        match read.and_then(Self::checked) {
            Ok(known) => Ok(Some(known)),
            Err(problem) => Err(InPlaceError::Damaged { record, problem }),
        }
    }

    /// A record as only [`InPlace::put`] writes it, or what is wrong: anybody may have changed the file.
    fn checked(self) -> Result<Self, String> {
        let plain = self.file.components().all(|part| matches!(part, Component::Normal(_)));
        if self.file.as_os_str().is_empty() || !plain {
            return Err(format!("{} is not a file inside the project", self.file.display()));
        }
        if self.left.len() > AROUND || self.right.len() > AROUND || self.left.len() > self.start {
            return Err("its positions are inconsistent".into());
        }
        Ok(self)
    }

    /// Refuses while another mutant is in place.
    pub fn check_free(root: &Path) -> Result<(), InPlaceError> {
        match Self::current(root)? {
            Some(Self { id, file, .. }) => Err(InPlaceError::Occupied { id, file }),
            None => Ok(()),
        }
    }

    /// Puts a mutant into a file whose text is `text`. A link is followed as far as it leads inside of the root.
    pub fn put(
        root: &Path,
        id: &str,
        file: &Path,
        text: &[u8],
        edit: &TextEdit,
    ) -> Result<Self, InPlaceError> {
        Self::check_free(root)?;
        let project = open(root)?;
        let real = inside(root, file)?;
        if read(&project, &real)? != text {
            return Err(InPlaceError::Stale(file.to_owned()));
        }
        let mutated = edit.apply(text);
        let record = Self {
            id: id.to_owned(),
            file: real.clone(),
            start: edit.start,
            before: text[edit.start..edit.end].to_vec(),
            after: edit.text.clone(),
            left: text[edit.start.saturating_sub(AROUND)..edit.start].to_vec(),
            right: text[edit.end..text.len().min(edit.end + AROUND)].to_vec(),
        };
        // The way back first: whatever happens between the two, nothing is lost.
        record.write(&project)?;
        if let Err(error) = replace(&project, &real, &mutated) {
            forget(&project)?;
            return Err(error);
        }
        Ok(record)
    }

    /// Takes the mutant back. What was changed elsewhere in the file since stays; a file that was changed where
    /// the mutant is stays as it is.
    pub fn revert(&self, root: &Path) -> Result<Reverted, InPlaceError> {
        let project = open(root)?;
        let real = inside(root, &root.join(&self.file))?;
        let text = read(&project, &real)?;
        let start = self.find(&text, &self.after);
        let reverted = match start {
            Some(start) => {
                let end = start + self.after.len();
                replace(&project, &real, &[&text[..start], &self.before, &text[end..]].concat())?;
                Reverted::TakenOut
            }
            None if self.find(&text, &self.before).is_some() => Reverted::NotThere,
            None => return Err(self.changed(root)),
        };
        forget(&project)?;
        Ok(reverted)
    }

    /// The one place where a text stands between what stood around the mutant; the old place goes first.
    fn find(&self, text: &[u8], part: &[u8]) -> Option<usize> {
        let whole = [&self.left[..], part, &self.right].concat();
        let at = |start: usize| text.get(start..).is_some_and(|rest| rest.starts_with(&whole));
        let old = self.start - self.left.len();
        let mut places = (0..=text.len().checked_sub(whole.len())?).filter(|start| at(*start));
        let found = if at(old) { old } else { places.next().filter(|_| places.next().is_none())? };
        Some(found + self.left.len())
    }

    fn changed(&self, root: &Path) -> InPlaceError {
        InPlaceError::Changed {
            id: self.id.clone(),
            file: self.file.clone(),
            before: String::from_utf8_lossy(&self.before).into_owned(),
            after: String::from_utf8_lossy(&self.after).into_owned(),
            record: root.join(DIRECTORY).join(RECORD),
        }
    }

    fn write(&self, project: &Beneath) -> Result<(), InPlaceError> {
        let directory = Path::new(DIRECTORY);
        project.create_dir_all(directory).map_err(failed("create", &project.path().join(directory)))?;
        // Git need not know of any of this.
        let ignore = directory.join(".gitignore");
        project.write(&ignore, b"*\n").map_err(failed("write", &project.path().join(ignore)))?;
        let record = record_inside();
        let json = serde_json::to_vec(self).expect("strings and numbers are JSON");
        // Of two that run at the same time, one is refused here.
        project.create_durably(&record, &json).map_err(failed("create", &project.path().join(record)))
    }
}

fn record_inside() -> PathBuf {
    Path::new(DIRECTORY).join(RECORD)
}

fn open(root: &Path) -> Result<Beneath, InPlaceError> {
    Beneath::open(root).map_err(failed("open", root))
}

/// Where a file of the project is in truth, from the root on.
fn inside(root: &Path, file: &Path) -> Result<PathBuf, InPlaceError> {
    let root = root.canonicalize().map_err(failed("find", root))?;
    let path = file.canonicalize().map_err(failed("find", file))?;
    match path.strip_prefix(&root) {
        Ok(inside) => Ok(inside.to_owned()),
        Err(_) => Err(InPlaceError::Outside { file: file.to_owned(), real: path, root }),
    }
}

/// Replaces a file, whole or not at all; it keeps its mode, and its owner where that is allowed.
fn replace(project: &Beneath, inside: &Path, bytes: &[u8]) -> Result<(), InPlaceError> {
    project.write_durably(inside, bytes).map_err(failed("write", &project.path().join(inside)))
}

/// Removes the record, and its directory unless there is something else in it.
fn forget(project: &Beneath) -> Result<(), InPlaceError> {
    let (directory, record) = (Path::new(DIRECTORY), record_inside());
    project.remove_file(&record).map_err(failed("remove", &project.path().join(record)))?;
    let _ = project.remove_file(&directory.join(".gitignore")).and_then(|()| project.remove_dir(directory));
    Ok(())
}

fn read(project: &Beneath, inside: &Path) -> Result<Vec<u8>, InPlaceError> {
    project.read(inside).map_err(failed("read", &project.path().join(inside)))
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> InPlaceError {
    let path = path.to_owned();
    move |source| InPlaceError::Io { action, path, source }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const TEXT: &str = "int less(int a, int b) {\n    return a < b;\n}\n";

    fn project() -> (tempfile::TempDir, PathBuf, TextEdit) {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a.c");
        fs::write(&file, TEXT).unwrap();
        let start = TEXT.find('<').unwrap();
        (root, file, TextEdit { start, end: start + 1, text: b"<=".to_vec() })
    }

    fn put(root: &Path, file: &Path, edit: &TextEdit) -> Result<InPlace, InPlaceError> {
        InPlace::put(root, "ab-cd", file, TEXT.as_bytes(), edit)
    }

    fn text(file: &Path) -> String {
        fs::read_to_string(file).unwrap()
    }

    #[test]
    fn a_mutant_is_taken_back_and_nothing_is_left() {
        let (root, file, edit) = project();
        let record = put(root.path(), &file, &edit).unwrap();
        assert_eq!(text(&file), TEXT.replace('<', "<="));
        assert_eq!(InPlace::current(root.path()).unwrap(), Some(record.clone()));
        assert!(matches!(put(root.path(), &file, &edit), Err(InPlaceError::Occupied { .. })));
        assert_eq!(record.revert(root.path()).unwrap(), Reverted::TakenOut);
        assert_eq!(text(&file), TEXT);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_was_changed_elsewhere_stays_even_before_the_mutant() {
        let (root, file, edit) = project();
        let deletion = TextEdit { text: Vec::new(), ..edit };
        let record = put(root.path(), &file, &deletion).unwrap();
        fs::write(&file, format!("// first\n{}", text(&file))).unwrap();
        assert_eq!(record.revert(root.path()).unwrap(), Reverted::TakenOut);
        assert_eq!(text(&file), format!("// first\n{TEXT}"));
    }

    #[test]
    fn a_file_that_was_changed_at_the_mutant_is_left_alone() {
        let (root, file, edit) = project();
        let record = put(root.path(), &file, &edit).unwrap();
        let changed = text(&file).replace("<=", "==");
        fs::write(&file, &changed).unwrap();
        let error = record.revert(root.path()).unwrap_err().to_string();
        assert!(error.contains("a.c has changed") && error.contains("undo the mutant by hand"), "{error}");
        assert_eq!(text(&file), changed);
        fs::write(&file, TEXT).unwrap();
        assert_eq!(record.revert(root.path()).unwrap(), Reverted::NotThere);
    }

    #[cfg(unix)]
    #[test]
    fn a_mode_and_a_link_are_kept_and_no_planted_link_is_followed() {
        use std::os::unix::fs::PermissionsExt;
        use std::os::unix::fs::symlink;
        let (root, file, edit) = project();
        let (link, victim) = (root.path().join("link.c"), root.path().join("victim"));
        symlink("a.c", &link).unwrap();
        fs::write(&victim, "safe").unwrap();
        symlink(&victim, root.path().join("a.c.partial")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        let record = put(root.path(), &link, &edit).unwrap();
        assert_eq!((mode(), text(&file)), (0o755, TEXT.replace('<', "<=")));
        record.revert(root.path()).unwrap();
        assert_eq!((mode(), text(&file)), (0o755, TEXT.to_owned()));
        assert!(link.is_symlink());
        assert_eq!(text(&victim), "safe");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_outside_of_the_root_is_written() {
        let (outside, file, edit) = project();
        let root = tempfile::tempdir().unwrap();
        let link = root.path().join("a.c");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let error = put(root.path(), &link, &edit).unwrap_err().to_string();
        assert!(error.contains("outside of"), "{error}");
        assert!(!root.path().join(DIRECTORY).exists());
        // Nor by a record that somebody edited.
        let record = put(outside.path(), &file, &edit).unwrap();
        let name = Path::new("..").join(outside.path().file_name().unwrap()).join("a.c");
        let foreign = InPlace { file: name, ..record };
        assert!(matches!(foreign.revert(root.path()), Err(InPlaceError::Outside { .. })));
        assert_eq!(text(&file), TEXT.replace('<', "<="));
    }

    /// Writes a record that was never ours; gives what is said about it.
    fn crafted(root: &Path, record: &InPlace) -> String {
        fs::create_dir_all(root.join(DIRECTORY)).unwrap();
        fs::write(root.join(DIRECTORY).join(RECORD), serde_json::to_vec(record).unwrap()).unwrap();
        let current = InPlace::current(root);
        current.and_then(|record| record.unwrap().revert(root)).unwrap_err().to_string()
    }

    #[test]
    fn a_crafted_record_is_refused_and_nothing_changes() {
        let (root, file, edit) = project();
        let record = put(root.path(), &file, &edit).unwrap();
        let before = text(&file);
        for name in ["../a.c", "/etc/passwd", "src/../../a.c", ""] {
            let said = crafted(root.path(), &InPlace { file: name.into(), ..record.clone() });
            assert!(said.contains("damaged") && said.contains("by hand"), "{name}: {said}");
        }
        for start in [0, 5, usize::MAX] {
            let left = vec![b'x'; 9];
            crafted(root.path(), &InPlace { start, left, ..record.clone() });
        }
        assert_eq!(text(&file), before);
    }

    #[cfg(unix)]
    #[test]
    fn the_directory_of_the_record_may_be_no_way_out() {
        use std::os::unix::fs::symlink;
        let (root, file, edit) = project();
        let outside = tempfile::tempdir().unwrap();
        symlink(outside.path(), root.path().join(DIRECTORY)).unwrap();
        put(root.path(), &file, &edit).unwrap_err();
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
        fs::remove_file(root.path().join(DIRECTORY)).unwrap();
        let victim = outside.path().join("victim");
        fs::write(&victim, "safe").unwrap();
        fs::create_dir(root.path().join(DIRECTORY)).unwrap();
        symlink(&victim, root.path().join(DIRECTORY).join(".gitignore")).unwrap();
        let record = put(root.path(), &file, &edit).unwrap();
        record.revert(root.path()).unwrap();
        assert_eq!((text(&victim), text(&file)), ("safe".into(), TEXT.into()));
    }
}

//! Plain line coverage: a line `file:line count` per statement.
//!
//! In: a directory with a file `NAME.cov` per test, or one document in which a line `[NAME]` begins a test.
//! Out: the table. Invariant: every line is read or refused with its place; a count of 0 is as good as no line.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use rayon::prelude::*;

use super::table::Coverage;
use super::table::Part;
use super::table::join;

/// How the files of a directory end.
const ENDING: &str = "cov";

/// Why coverage was refused, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum PlainError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{origin}: not UTF-8 from byte {at} on; write `file:line count`")]
    Text { origin: String, at: usize },
    #[error("{origin}:{line}: `{found}` is not a count; write `file:line count`")]
    Count { origin: String, line: usize, found: String },
    #[error("{origin}:{line}: no test name yet; write `[NAME]` before the lines of a test")]
    NoTest { origin: String, line: usize },
}

/// The coverage of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainFile {
    /// The test: the file's name without its ending.
    pub name: String,
    pub path: PathBuf,
}

/// The `*.cov` files of a directory in the order of their names.
pub fn list_plain(directory: &Path) -> Result<Vec<PlainFile>, PlainError> {
    let unread = |source| PlainError::Read { path: directory.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            files.push(PlainFile { name, path });
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Reads files, one test each.
pub fn read_plain(files: &[PlainFile]) -> Result<Coverage, PlainError> {
    // A part per thread: names of statements recur from test to test, and each part keeps them once.
    let size = files.len().div_ceil(rayon::current_num_threads()).max(1);
    let parts: Result<Vec<Part>, PlainError> = files.par_chunks(size).map(read_part).collect();
    Ok(join(parts?))
}

fn read_part(files: &[PlainFile]) -> Result<Part, PlainError> {
    let mut part = Part::default();
    for file in files {
        let bytes =
            fs::read(&file.path).map_err(|source| PlainError::Read { path: file.path.clone(), source })?;
        let origin = || file.path.display().to_string();
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| PlainError::Text { origin: origin(), at: error.valid_up_to() })?;
        part.begin(&file.name);
        for (at, line) in text.lines().enumerate() {
            note(&mut part, line).map_err(|found| PlainError::Count {
                origin: origin(),
                line: at + 1,
                found,
            })?;
        }
    }
    Ok(part)
}

/// Reads one document with several tests, each begun by a line `[NAME]`; `origin` names it in errors.
pub fn from_plain(text: &str, origin: &str) -> Result<Coverage, PlainError> {
    let mut part = Part::default();
    for (at, line) in text.lines().enumerate() {
        let place = || (origin.to_owned(), at + 1);
        if let Some(name) = line.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            part.begin(name);
        } else if !part.is_begun() && !line.trim().is_empty() {
            let (origin, line) = place();
            return Err(PlainError::NoTest { origin, line });
        } else {
            note(&mut part, line).map_err(|found| {
                let (origin, line) = place();
                PlainError::Count { origin, line, found }
            })?;
        }
    }
    Ok(join(vec![part]))
}

/// Notes one line; gives back what should be a count and is none.
fn note(part: &mut Part, line: &str) -> Result<(), String> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(());
    }
    let gap = memchr::memrchr2(b' ', b'\t', line.as_bytes()).ok_or_else(|| line.to_owned())?;
    let (statement, count) = (&line[..gap], &line[gap + 1..]);
    part.note(statement.trim_ascii_end(), count.parse().map_err(|_| count.to_owned())?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_document_holds_several_tests() {
        let coverage = from_plain("[t one]\na.c:1 2\na.c:2\t0\n\n[t,two]\r\na.c:3 1\r\n", "c.cov").unwrap();
        let names: Vec<&str> = coverage.tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["t one", "t,two"]);
        assert_eq!(coverage.statements.len(), 2);
        assert_eq!(coverage.tests[0].counts, [2]);
    }

    #[test]
    fn refusals_name_file_and_line() {
        let refusal = |text: &str| from_plain(text, "c.cov").unwrap_err().to_string();
        assert!(refusal("[t]\na.c:1 many\n").starts_with("c.cov:2: `many` is not a count"));
        assert!(refusal("[t]\na.c:1\n").starts_with("c.cov:2: `a.c:1` is not a count"));
        assert!(refusal("\na.c:1 1\n").starts_with("c.cov:2: no test name yet"));
    }

    #[test]
    fn a_directory_gives_the_same_table_whatever_the_number_of_threads() {
        let directory = tempfile::tempdir().unwrap();
        for at in 0..9 {
            let text: String = (0..20).map(|line| format!("f{}.c:{line} {at}\n", (line * at) % 5)).collect();
            fs::write(directory.path().join(format!("t{at}.cov")), text).unwrap();
        }
        fs::write(directory.path().join("t1.rev"), "7\n").unwrap();
        let files = list_plain(directory.path()).unwrap();
        assert_eq!(files.len(), 9);
        let read = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| read_plain(&files).unwrap())
        };
        assert_eq!(read(1), read(4));
        assert!(read(1).tests[0].statements.is_empty(), "counts of 0");
        fs::write(directory.path().join("t3.cov"), "a.c:1 1\nb.c:2 x\n").unwrap();
        let error = read_plain(&files).unwrap_err().to_string();
        assert!(error.contains("t3.cov:2: `x` is not a count"), "{error}");
    }
}

//! Where the fault really is: from a list, from the fix as a diff, from the fixed text.

use crate::history::blocks;
use crate::history::replaced_in;
use crate::text::LineIndex;

/// A line that is at fault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FaultLine {
    pub file: String,
    pub line: u32,
}

/// Why a list of faults was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultsError {
    #[error("{origin}:{line}: `{text}` is not a place; write file:line, as in src/main.c:12")]
    Place { origin: String, line: usize, text: String },
    #[error("{origin}: contains no fault; {remedy}")]
    Empty { origin: String, remedy: &'static str },
}

/// Reads `file:line`, one a line; `#` begins a comment.
pub fn faults_from_list(text: &str, origin: &str) -> Result<Vec<FaultLine>, FaultsError> {
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let entry = line.split('#').next().unwrap_or_default().trim();
        if entry.is_empty() {
            continue;
        }
        let place = entry.rsplit_once(':').and_then(|(file, line)| Some((file, line.trim().parse().ok()?)));
        let (file, line) = place.filter(|(file, line)| !file.is_empty() && *line > 0).ok_or_else(|| {
            FaultsError::Place { origin: origin.to_owned(), line: number + 1, text: entry.to_owned() }
        })?;
        faults.push(FaultLine { file: file.to_owned(), line });
    }
    sorted(faults, origin, "write file:line, one per line")
}

/// The faulty lines of a fix: those that it takes out or replaces. Where it only adds lines, what was missing
/// has no line; then the line that follows is at fault, or the last one at the end of a file.
pub fn faults_from_diff(diff: &[u8], origin: &str) -> Result<Vec<FaultLine>, FaultsError> {
    let mut faults = Vec::new();
    for (path, ranges) in replaced_in(diff) {
        for line in ranges.into_iter().flatten() {
            faults.push(FaultLine { file: path.display().to_string(), line: line as u32 });
        }
    }
    sorted(
        faults,
        origin,
        "write the fix as a unified diff (`git diff faulty fixed`) of files that exist in the faulty version",
    )
}

/// The same for one file, from its faulty and its fixed text.
pub fn faults_from_versions(file: &str, faulty: &[u8], fixed: &[u8]) -> Vec<FaultLine> {
    let lines = LineIndex::new(faulty);
    let last = lines.place(faulty.len().saturating_sub(1)).line;
    let line = |offset: u32| lines.place(offset as usize).line;
    let mut faults = Vec::new();
    for block in blocks(faulty, fixed) {
        let first = line(block.before.start).min(last);
        let end = if block.before.start == block.before.end { first } else { line(block.before.end - 1) };
        faults.extend((first..=end).map(|line| FaultLine { file: file.to_owned(), line: line as u32 }));
    }
    faults.sort();
    faults.dedup();
    faults
}

fn sorted(
    mut faults: Vec<FaultLine>,
    origin: &str,
    remedy: &'static str,
) -> Result<Vec<FaultLine>, FaultsError> {
    faults.sort();
    faults.dedup();
    if faults.is_empty() { Err(FaultsError::Empty { origin: origin.to_owned(), remedy }) } else { Ok(faults) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(faults: &[FaultLine]) -> Vec<String> {
        faults.iter().map(|fault| format!("{}:{}", fault.file, fault.line)).collect()
    }

    #[test]
    fn a_list_may_have_comments() {
        let found = faults_from_list("# seeded\na.c:12\n\nC:/x y.c: 3 # why\na.c:12\n", "t").unwrap();
        assert_eq!(shown(&found), ["C:/x y.c:3", "a.c:12"]);
        for (text, says) in [
            ("a.c\n", "t:1: `a.c` is not a place"),
            ("#\na.c:x\n", "t:2: `a.c:x` is not a place"),
            ("a.c:0", "t:1: `a.c:0`"),
            ("#\n", "t: contains no fault"),
        ] {
            let error = faults_from_list(text, "t").unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
        }
    }

    #[test]
    fn diff_and_texts_say_the_same() {
        let faulty = "one\ntwo\nthree\nfour\nfive\n";
        let fixed = "one\n2\nthree\nmore\nfour\nfive\nsix\n";
        let diff =
            "--- a/f.c\n+++ b/f.c\n@@ -1,5 +1,7 @@\n one\n-two\n+2\n three\n+more\n four\n five\n+six\n";
        let wanted = ["f.c:2", "f.c:4", "f.c:5"];
        assert_eq!(shown(&faults_from_diff(diff.as_bytes(), "t").unwrap()), wanted);
        assert_eq!(shown(&faults_from_versions("f.c", faulty.as_bytes(), fixed.as_bytes())), wanted);
        assert!(faults_from_versions("f.c", b"x\n", b"x\n").is_empty());
        assert!(faults_from_diff(b"nothing", "t").is_err());
    }
}

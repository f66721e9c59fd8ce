//! Maps line numbers in the messages of a woven program back to the original.
//!
//! In: where the lines of each woven file came from. Out: messages in which `file:line` means the user's file,
//! whichever mutants are woven in.

use std::path::PathBuf;
use std::sync::LazyLock;

use regex::Captures;
use regex::Regex;

use crate::insert::Inserter;
use crate::workspace::Regions;

use super::screen::file_meant;

/// A file and a line of it, as compilers, runtimes and test frameworks write them.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?<path>[^\s"'()<>:]+\.[A-Za-z]+)(?<gap>:|", line )(?<line>[0-9]+)"#)
        .expect("the expression is a constant")
});

/// Where lines came from.
#[derive(Clone, Debug, Default)]
pub struct LineMap {
    /// Files whose lines have other numbers.
    files: Vec<(PathBuf, FileLines)>,
}

/// The lines of a woven file.
#[derive(Clone, Debug, Default)]
struct FileLines {
    /// Per line of the original, its number now.
    now: Vec<u32>,
    /// What mutants make of pieces: its first and last line, and the line of the original where the piece begins.
    versions: Vec<(u32, u32, u32)>,
}

impl FileLines {
    fn original(&self, line: u32) -> u32 {
        let upto = self.versions.partition_point(|(first, ..)| *first <= line);
        match self.versions[..upto].last() {
            Some((first, last, begins)) if line <= *last => begins + (line - first),
            _ => self.now.partition_point(|now| *now <= line).max(1) as u32,
        }
    }
}

impl LineMap {
    /// Notes where the lines of a file of the target are.
    pub fn add(&mut self, inserter: &Inserter, file: usize, regions: &Regions) {
        let source = &inserter.target.files[file];
        let ends = memchr::memchr_iter(b'\n', &source.text).map(|end| end as u32 + 1);
        let starts = std::iter::once(0).chain(ends).filter(|start| (*start as usize) < source.text.len());
        let starts: Vec<u32> = starts.collect();
        let now: Vec<u32> = starts.iter().map(|start| regions.line_of(*start, &source.text)).collect();
        if (1..).zip(&now).all(|(line, now)| line == *now) {
            return;
        }
        let line = |byte: u32| starts.partition_point(|start| *start <= byte) as u32;
        let versions = regions.versions().iter().map(|(first, last, byte)| (*first, *last, line(*byte)));
        self.files.push((source.path.clone(), FileLines { now, versions: versions.collect() }));
    }

    /// A message with the numbers that lines have in the original.
    pub fn restore(&self, message: &str) -> String {
        if self.files.is_empty() {
            return message.to_owned();
        }
        let place = |found: &Captures| {
            let (path, gap) = (&found["path"], &found["gap"]);
            let line = found["line"].parse().ok().and_then(|line| self.original(path, line));
            line.map_or_else(|| found[0].to_owned(), |line| format!("{path}{gap}{line}"))
        };
        PLACE.replace_all(message, place).into_owned()
    }

    fn original(&self, path: &str, line: u32) -> Option<u32> {
        let files = (0..).zip(&self.files).map(|(number, (path, _))| (number, path.as_path()));
        Some(self.files[file_meant(files, path)?].1.original(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_file_that_is_meant() {
        let lib = FileLines { now: vec![1, 2, 12, 13], versions: vec![(5, 6, 2), (8, 9, 2)] };
        let other = FileLines { now: vec![1, 5], versions: vec![] };
        let files = vec![(PathBuf::from("src/lib.rs"), lib), ("b.py".into(), other)];
        let told = LineMap { files };
        for (message, expected) in [
            ("panicked at src/lib.rs:13:9:\nno", "panicked at src/lib.rs:4:9:\nno"),
            ("src/lib.rs:5 src/lib.rs:9 src/lib.rs:10", "src/lib.rs:2 src/lib.rs:3 src/lib.rs:2"),
            ("at src/lib.rs:7:9, not src/main.rs:7", "at src/lib.rs:2:9, not src/main.rs:7"),
            ("File \"/tmp/x/b.py\", line 6, in f", "File \"/tmp/x/b.py\", line 2, in f"),
            ("b.py:99999999999999", "b.py:99999999999999"),
            ("1:2 a.b 3", "1:2 a.b 3"),
        ] {
            assert_eq!(told.restore(message), expected);
        }
        assert_eq!(LineMap::default().restore("src/lib.rs:13"), "src/lib.rs:13");
    }
}

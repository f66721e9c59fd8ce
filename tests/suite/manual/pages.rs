//! Markdown pages, as far as the tests look at them: blocks, and lines outside of them.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use walkdir::WalkDir;

/// A page of the manual.
pub struct Page {
    /// Its path below the root of the repository.
    pub name: String,
    pub text: String,
}

/// Lines between fences.
pub struct Block {
    /// What stands behind the first fence.
    pub info: String,
    /// Where its first line is in the page.
    pub line: usize,
    pub lines: Vec<String>,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All pages, by name.
pub fn pages() -> Vec<Page> {
    let mut names: Vec<String> =
        ["README.md", "CONTRIBUTING.md", "corpora/README.md"].map(str::to_owned).to_vec();
    names.extend(files_of_docs());
    names.into_iter().map(|name| Page::read(&name)).collect()
}

/// The Markdown files below `docs`.
pub fn files_of_docs() -> Vec<String> {
    let entries = WalkDir::new(root().join("docs")).into_iter().map(|entry| entry.unwrap().into_path());
    let pages = entries.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let below = |path: PathBuf| path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
    let mut names: Vec<String> = pages.map(below).collect();
    names.sort();
    names
}

impl Page {
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Self { name: name.to_owned(), text }
    }

    /// The directory that its links begin at.
    pub fn directory(&self) -> PathBuf {
        root().join(&self.name).parent().unwrap().to_owned()
    }

    pub fn blocks(&self) -> Vec<Block> {
        self.split().1
    }

    /// Lines outside of blocks, with their numbers.
    pub fn prose(&self) -> Vec<(usize, &str)> {
        self.split().0
    }

    #[track_caller]
    fn split(&self) -> (Vec<(usize, &str)>, Vec<Block>) {
        let mut prose = Vec::new();
        let mut blocks: Vec<Block> = Vec::new();
        let mut open = false;
        for (number, line) in (1..).zip(self.text.lines()) {
            if let Some(info) = line.strip_prefix("```") {
                open = !open;
                if open {
                    blocks.push(Block { info: info.to_owned(), line: number + 1, lines: Vec::new() });
                } else {
                    assert_eq!(info, "", "{}:{number}: a block in a block", self.name);
                }
            } else if open {
                blocks.last_mut().unwrap().lines.push(line.to_owned());
            } else {
                prose.push((number, line));
            }
        }
        assert!(!open, "{}: a block without end", self.name);
        (prose, blocks)
    }
}

/// The code spans of a line, and the line without them.
pub fn spans(line: &str) -> (Vec<&str>, String) {
    let pieces: Vec<&str> = line.split('`').collect();
    let code = pieces.iter().skip(1).step_by(2).copied().filter(|span| !span.is_empty()).collect();
    (code, pieces.iter().step_by(2).copied().collect())
}

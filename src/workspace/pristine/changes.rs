//! What a run changed in its tree, in words.

use std::path::PathBuf;

/// Paths that are named; others are only counted.
const MOST_NAMED: usize = 3;

/// How a path of a tree differed from what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    Wrote,
    Removed,
}

/// What a run changed in its tree, relative to the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeChanges {
    /// Files that it added or wrote to, and those whose mode it changed.
    pub wrote: Vec<PathBuf>,
    pub removed: Vec<PathBuf>,
}

impl TreeChanges {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.wrote.is_empty() && self.removed.is_empty()
    }

    /// Adds a path that may have differed.
    pub(super) fn add(&mut self, difference: Option<Difference>, path: PathBuf) {
        match difference {
            Some(Difference::Wrote) => self.wrote.push(path),
            Some(Difference::Removed) => self.removed.push(path),
            None => {}
        }
    }

    /// A sentence for the user: `changed its tree: wrote a.c, removed prog`.
    pub fn note(&self) -> String {
        let parts = [("wrote", &self.wrote), ("removed", &self.removed)];
        let parts = parts.iter().filter(|(_, paths)| !paths.is_empty());
        let parts: Vec<String> = parts.map(|(did, paths)| format!("{did} {}", listed(paths))).collect();
        format!("changed its tree: {}", parts.join(", "))
    }
}

fn listed(paths: &[PathBuf]) -> String {
    // Names are chosen by what ran: they must not end a line.
    let name = |path: &PathBuf| path.display().to_string().replace(char::is_control, "?");
    let named: Vec<String> = paths.iter().take(MOST_NAMED).map(name).collect();
    match paths.len().saturating_sub(MOST_NAMED) {
        0 => named.join(" and "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_in_a_sentence() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let changes = TreeChanges { wrote: paths(&["a", "b\n"]), removed: paths(&["c", "d", "e", "f", "g"]) };
        assert_eq!(changes.note(), "changed its tree: wrote a and b?, removed c, d, e and 2 more");
        assert!(TreeChanges::default().is_empty());
    }
}

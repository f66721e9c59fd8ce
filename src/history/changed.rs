//! Which lines are new: since a revision, or in a diff.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::path::PathBuf;

use super::HistoryError;
use super::patch::path;

/// Per file, the lines (from 1) that are new or changed, in order. Where lines only went there is no line to
/// name.
pub type ChangedLines = BTreeMap<PathBuf, Vec<RangeInclusive<usize>>>;

/// The lines that changed since `revision`, with paths relative to the repository's root: `A` or `A..` up to
/// the working tree, `A..B` between two revisions, `A...` and `A...B` from where they parted.
pub fn changed_since(directory: &Path, revision: &str) -> Result<(PathBuf, ChangedLines), HistoryError> {
    let failed = |error: git2::Error| HistoryError::Git {
        path: directory.to_owned(),
        reason: error.message().to_owned(),
    };
    let repo = git2::Repository::discover(directory).map_err(|error| HistoryError::NotARepository {
        path: directory.to_owned(),
        reason: error.message().to_owned(),
    })?;
    let commit = |name: &str| {
        let found = repo.revparse_single(name).and_then(|object| object.peel_to_commit());
        found.map_err(|error| HistoryError::NoSuchBranch {
            path: directory.to_owned(),
            name: name.to_owned(),
            reason: error.message().to_owned(),
        })
    };
    let (from, to, parted) = match (revision.split_once("..."), revision.split_once("..")) {
        (Some((from, to)), _) => (from, to, true),
        (None, Some((from, to))) => (from, to, false),
        (None, None) => (revision, "", false),
    };
    let mut base = commit(from)?;
    if parted {
        let other = commit(if to.is_empty() { "HEAD" } else { to })?;
        let parting = repo.merge_base(base.id(), other.id()).map_err(failed)?;
        base = repo.find_commit(parting).map_err(failed)?;
    }
    let tree = base.tree().map_err(failed)?;
    let mut options = git2::DiffOptions::new();
    options
        .context_lines(0)
        .include_untracked(true)
        .recurse_untracked_dirs(true)
        .show_untracked_content(true);
    let diff = if to.is_empty() {
        repo.diff_tree_to_workdir_with_index(Some(&tree), Some(&mut options))
    } else {
        let other = commit(to)?.tree().map_err(failed)?;
        repo.diff_tree_to_tree(Some(&tree), Some(&other), Some(&mut options))
    }
    .map_err(failed)?;
    let mut changed = ChangedLines::new();
    let mut hunk = |delta: git2::DiffDelta, hunk: git2::DiffHunk| {
        let (start, count) = (hunk.new_start() as usize, hunk.new_lines() as usize);
        if let Some(path) = delta.new_file().path().filter(|_| count > 0) {
            changed.entry(path.to_owned()).or_default().push(start..=start + count - 1);
        }
        true
    };
    diff.foreach(&mut |_, _| true, None, Some(&mut |delta, found| hunk(delta, found)), None)
        .map_err(failed)?;
    let root = repo.workdir().unwrap_or(repo.path()).to_owned();
    Ok((root, changed))
}

/// What [`changed_since`] takes for all that changed since work left a branch: the remote's branch, or the one of that
/// name here. None if the branch is not known here, or there is no repository.
pub fn revision_of_branch(directory: &Path, branch: &str) -> Option<String> {
    let repo = git2::Repository::discover(directory).ok()?;
    let commit =
        |name: &str| repo.revparse_single(name).ok()?.peel_to_commit().ok().map(|commit| commit.id());
    let names = [format!("refs/remotes/origin/{branch}"), format!("refs/heads/{branch}")];
    let (name, base) = names.into_iter().find_map(|name| commit(&name).map(|base| (name, base)))?;
    let name = name.trim_start_matches("refs/remotes/").trim_start_matches("refs/heads/").to_owned();
    let parted = commit("HEAD").is_some_and(|head| repo.merge_base(base, head).is_ok());
    // In a shallow clone nobody knows where the work left the branch.
    Some(if parted { name + "..." } else { name })
}

/// The lines that a diff adds, with paths as it names them, but for `a/` and `b/`.
pub fn changed_in(diff: &[u8]) -> ChangedLines {
    let mut changed = ChangedLines::new();
    let mut old: Vec<u8> = Vec::new();
    let mut file: Option<PathBuf> = None;
    let mut line = 0;
    let (mut removed, mut added) = (0usize, 0usize);
    for text in diff.split(|byte| *byte == b'\n') {
        if removed > 0 || added > 0 {
            match text.first() {
                Some(b'+') => {
                    if let Some(file) = &file {
                        push_line(changed.entry(file.clone()).or_default(), line);
                    }
                    line += 1;
                    added = added.saturating_sub(1);
                }
                Some(b'-') => removed = removed.saturating_sub(1),
                Some(b'\\') => {}
                _ => {
                    line += 1;
                    added = added.saturating_sub(1);
                    removed = removed.saturating_sub(1);
                }
            }
        } else if let Some(name) = text.strip_prefix(b"--- ") {
            old = path::name(name).into_owned();
        } else if let Some(name) = text.strip_prefix(b"+++ ") {
            let new = path::name(name);
            let new = if path::is_null(&old) { path::single(&new) } else { path::shared(&old, &new) };
            file = (!path::is_null(new)).then(|| PathBuf::from(String::from_utf8_lossy(new).into_owned()));
        } else if let Some(head) = text.strip_prefix(b"@@ -") {
            (_, removed, line, added) = hunk_head(head).unwrap_or((0, 0, 0, 0));
        }
    }
    changed
}

pub(super) fn push_line(ranges: &mut Vec<RangeInclusive<usize>>, line: usize) {
    match ranges.last_mut() {
        Some(last) if *last.end() + 1 == line => *last = *last.start()..=line,
        _ => ranges.push(line..=line),
    }
}

/// From `1,2 +3,4 @@`: first line and lines of the old side, and those of the new one.
pub(super) fn hunk_head(head: &[u8]) -> Option<(usize, usize, usize, usize)> {
    let text = std::str::from_utf8(head).ok().or_else(|| {
        let end = head.windows(3).position(|part| part == b" @@")?;
        std::str::from_utf8(&head[..end]).ok()
    })?;
    let (old, rest) = text.split_once(" +")?;
    let new = rest.split(' ').next()?;
    let pair = |part: &str| match part.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((part.parse().ok()?, 1)),
    };
    let (old_start, removed): (usize, usize) = pair(old)?;
    let (start, added): (usize, usize) = pair(new)?;
    Some((old_start, removed, start, added))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_lines_are_found_in_a_diff() {
        let diff = b"diff --git a/x y.c b/x y.c\n--- a/x y.c\n+++ b/x y.c\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+C\n d\n@@ -9 +10,0 @@\n-gone\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ b/new.c\n@@ -0,0 +1,2 @@\n+one\n+--- two\n";
        let changed = changed_in(diff);
        let lines = |name: &str| changed[Path::new(name)].clone();
        assert_eq!(lines("x y.c"), [2..=3]);
        assert_eq!(lines("new.c"), [1..=2]);
        assert_eq!(changed.len(), 2);
    }
}

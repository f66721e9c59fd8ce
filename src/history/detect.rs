//! Which language a repository is written in: the one with most files.

use std::path::Path;

use crate::langdef::LangDef;

use super::HistoryError;
use super::handle::Handle;
use super::handle::open;
use super::handle::raw_id;
use super::tree;

/// Counts the files of HEAD (or of `branch`) per language and names the language with most of them. A name
/// ending that several languages share counts for the one that has more files of its own.
pub fn detect_language<'d>(
    path: &Path,
    branch: Option<&str>,
    languages: &'d [LangDef],
) -> Result<Option<&'d LangDef>, HistoryError> {
    let mut handle = Handle::new(open(path)?);
    let root = {
        let Ok(object) = handle.repo.revparse_single(branch.unwrap_or("HEAD")) else { return Ok(None) };
        let Ok(commit) = object.peel_to_commit() else { return Ok(None) };
        raw_id(commit.tree_id())
    };
    let mut shared = vec![0usize; languages.len()];
    let mut own = vec![0usize; languages.len()];
    tree::count_files(&mut handle, &root, &mut |name| {
        let owners: Vec<usize> = (0..languages.len()).filter(|&index| languages[index].owns(name)).collect();
        for &index in &owners {
            shared[index] += 1;
            own[index] += usize::from(owners.len() == 1);
        }
    });
    let best = (0..languages.len()).filter(|&index| shared[index] > 0).max_by_key(|&index| {
        let with_shared = if own[index] > 0 { shared[index] } else { 0 };
        (own[index].max(with_shared / 2), std::cmp::Reverse(index))
    });
    Ok(best.map(|index| &languages[index]))
}

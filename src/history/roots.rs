//! Which repository this is, whatever directory it lies in.

use std::path::Path;

use git2::Oid;
use git2::Repository;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use super::HistoryError;
use super::handle::open;

/// Hexadecimal digits of an id.
const DIGITS: usize = 12;

/// The id of the repository that a history belongs to: the first digits of its root commit, or of a hash of
/// several. The same for all its clones and forks. Empty where the roots are not there: in shallow, damaged and
/// empty repositories.
pub fn repository_id(path: &Path, branch: Option<&str>) -> Result<String, HistoryError> {
    let repo = open(path)?;
    let start = repo.revparse_single(branch.unwrap_or("HEAD")).and_then(|object| object.peel_to_commit());
    let Some(start) = start.ok().filter(|_| !repo.is_shallow()) else { return Ok(String::new()) };
    Ok(roots(&repo, start.id()).map(|roots| id_of(&roots)).unwrap_or_default())
}

/// The commits without parents that lead to a commit, sorted; none if some commit on the way is missing.
fn roots(repo: &Repository, start: Oid) -> Option<Vec<String>> {
    let mut roots = Vec::new();
    let mut seen = FxHashSet::from_iter([start]);
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        let commit = repo.find_commit(id).ok()?;
        if commit.parent_count() == 0 {
            roots.push(id.to_string());
        }
        open.extend(commit.parent_ids().filter(|&parent| seen.insert(parent)));
    }
    roots.sort_unstable();
    Some(roots)
}

fn id_of(roots: &[String]) -> String {
    match roots {
        [root] => root[..DIGITS].to_owned(),
        several => format!("{:016x}", xxh3_64(several.join("\n").as_bytes()))[..DIGITS].to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_root_is_the_id_and_several_are_hashed() {
        let (a, b) = ("0123456789abcdef".to_owned(), "fedcba9876543210".to_owned());
        assert_eq!(id_of(std::slice::from_ref(&a)), "0123456789ab");
        assert_eq!(id_of(&[a.clone(), b.clone()]).len(), 12);
        assert_ne!(id_of(&[a.clone(), b.clone()]), id_of(&[a, b.clone(), b]));
    }
}

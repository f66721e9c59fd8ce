//! Which sources are one repository, and what each repository is called.
//!
//! A repository is known by its root commits, not by the directory it lies in: two directories of one name may
//! hold different repositories, and one repository may lie in several directories.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use super::OperatorSet;
use super::Source;

/// Gives every source the name of its repository: the same for the same repository, another for every other.
/// Where repositories share a name, `#` and the id are added to it. A source without an id (patch text, a
/// shallow clone, a file of an earlier version) is known by its name alone.
pub fn repository_names(sources: &[Source]) -> Vec<String> {
    let mut name_of: BTreeMap<&str, &str> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.id.is_empty()) {
        let name = name_of.entry(&source.id).or_insert(source.plain_name());
        *name = source.plain_name().min(name);
    }
    let mut ids: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (id, name) in &name_of {
        ids.entry(name).or_default().insert(id);
    }
    let name = |source: &Source| match name_of.get(&source.id[..]) {
        Some(name) if ids[name].len() > 1 => format!("{name}#{}", source.id),
        Some(name) => (*name).to_owned(),
        None => source.name.clone(),
    };
    sources.iter().map(name).collect()
}

impl Source {
    /// The name without the id that may have been added to it.
    fn plain_name(&self) -> &str {
        let marked = self.name.strip_suffix(&self.id).and_then(|name| name.strip_suffix('#'));
        marked.unwrap_or(&self.name)
    }
}

/// Renames the repositories of sets that are put together, so that one name means one repository.
pub(super) fn agree_on_names(sets: &mut [OperatorSet]) {
    let all: Vec<Source> = sets.iter().flat_map(|set| set.header.sources.iter().cloned()).collect();
    let mut names = repository_names(&all).into_iter();
    for set in sets {
        let old = set.header.sources.iter().map(|source| source.name.clone());
        let new: BTreeMap<String, String> = old.zip(names.by_ref()).filter(|(old, new)| old != new).collect();
        if !new.is_empty() {
            rename(set, &new);
        }
    }
}

fn rename(set: &mut OperatorSet, new: &BTreeMap<String, String>) {
    let name = |old: String| new.get(&old).cloned().unwrap_or(old);
    for source in &mut set.header.sources {
        source.name = name(std::mem::take(&mut source.name));
    }
    let operators = set.operators.iter_mut().map(|operator| &mut operator.evidence);
    for evidence in operators.chain(set.shifts.iter_mut().map(|shift| &mut shift.evidence)) {
        evidence.repos = std::mem::take(&mut evidence.repos).into_iter().map(name).collect();
        let examples = std::mem::take(&mut evidence.examples);
        evidence.examples = examples.into_iter().map(|(commit, repo)| (commit, name(repo))).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sources: &[(&str, &str)]) -> Vec<String> {
        let source = |(name, id): &(&str, &str)| Source {
            name: (*name).into(),
            id: (*id).into(),
            ..Source::default()
        };
        repository_names(&sources.iter().map(source).collect::<Vec<_>>())
    }

    #[test]
    fn repositories_of_one_name_are_told_apart_and_one_of_two_names_is_one() {
        assert_eq!(names(&[("x", "1"), ("x", "2"), ("y", "3")]), ["x#1", "x#2", "y"]);
        assert_eq!(names(&[("x", "1"), ("fork/x", "1")]), ["fork/x", "fork/x"]);
        assert_eq!(names(&[("x#1", "1"), ("x#2", "2"), ("x", "3")]), ["x#1", "x#2", "x#3"]);
        assert_eq!(names(&[("x#1", "1"), ("y", "2")]), ["x", "y"]);
        assert_eq!(names(&[("x", ""), ("x", ""), ("x", "1")]), ["x", "x", "x"]);
    }
}

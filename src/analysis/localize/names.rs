//! Matches names: tools call the same file and the same test differently.

use std::collections::BTreeMap;

/// Files that are known, by any of their names.
pub struct FileNames {
    /// Known names by their last component.
    by_last: BTreeMap<String, Vec<String>>,
}

impl FileNames {
    /// Knows these files.
    pub fn new<'a>(known: impl IntoIterator<Item = &'a str>) -> Self {
        let mut by_last: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for name in known {
            let names = by_last.entry(last(name).to_owned()).or_default();
            if !names.iter().any(|other| other == name) {
                names.push(name.to_owned());
            }
        }
        Self { by_last }
    }

    /// The known file that another tool calls so: the same name, or one that ends in the other at a `/`. The
    /// one with most components in common counts; none if there are two.
    pub fn find(&self, name: &str) -> Option<&str> {
        let known = self.by_last.get(last(name))?;
        if let Some(same) = known.iter().find(|other| *other == name) {
            return Some(same);
        }
        let common = |other: &&String| common_end(other, name);
        let best = known.iter().filter_map(|other| common(&other)).max()?;
        let mut found = known.iter().filter(|other| common(other) == Some(best));
        let first = found.next()?;
        found.next().is_none().then_some(first.as_str())
    }
}

/// How many components two paths have in common, if one of them ends in the other.
fn common_end(one: &str, other: &str) -> Option<usize> {
    let (one, other): (Vec<&str>, Vec<&str>) = (components(one).collect(), components(other).collect());
    let same = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    (same == one.len().min(other.len())).then_some(same)
}

fn components(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".")
}

fn last(path: &str) -> &str {
    components(path).last().unwrap_or(path)
}

/// Tests by their names.
pub struct TestNames<'a> {
    exact: BTreeMap<&'a str, u32>,
    /// By the name with everything but letters and digits made `_`, as lcov writes it; none if two share it.
    plain: BTreeMap<String, Option<u32>>,
}

impl<'a> TestNames<'a> {
    /// Knows these tests, numbered from 0.
    pub fn new(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known = Self { exact: BTreeMap::new(), plain: BTreeMap::new() };
        for (number, name) in (0..).zip(names) {
            known.exact.insert(name, number);
            known.plain.entry(plain(name)).and_modify(|known| *known = None).or_insert(Some(number));
        }
        known
    }

    /// The number of the test that is called so.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.exact.get(name).copied().or_else(|| *self.plain.get(&plain(name))?)
    }
}

fn plain(name: &str) -> String {
    name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_the_end_of_their_path() {
        let names =
            FileNames::new(["src/main/java/a/B.java", "src/test/java/a/C.java", "x/D.java", "y/D.java"]);
        assert_eq!(names.find("a/B.java"), Some("src/main/java/a/B.java"));
        assert_eq!(names.find("/home/me/p/src/test/java/a/C.java"), Some("src/test/java/a/C.java"));
        assert_eq!(names.find("./x/D.java"), Some("x/D.java"));
        assert_eq!(names.find("D.java"), None, "it could be either");
        assert_eq!(names.find("b/B.java"), None, "another package");
    }

    #[test]
    fn tests_are_known_by_their_letters() {
        let names = TestNames::new(["a::one", "a::two", "b.x", "b-x"]);
        assert_eq!(names.find("a::one"), Some(0));
        assert_eq!(names.find("a__two"), Some(1));
        assert_eq!(names.find("b_x"), None, "it could be either");
        assert_eq!(names.find("b-x"), Some(3));
    }
}

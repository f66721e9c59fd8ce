//! The result of mutants that were compiled before, kept in a file: compiling takes longest, and learning again from
//! the same verdicts should not need it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use super::super::viability::Viability;

/// Verdicts by the site of the mutant.
#[derive(Clone, Debug, Default)]
pub struct Verdicts(BTreeMap<String, Known>);

/// What is kept of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Viable,
    Broken,
    /// In code that is not compiled.
    Uncompiled,
}

const NAMES: [(Known, &str); 3] =
    [(Known::Viable, "viable"), (Known::Broken, "broken"), (Known::Uncompiled, "uncompiled")];

impl Verdicts {
    /// Reads a file; empty if there is none. Lines that mean nothing are left out.
    pub fn read(path: &Path) -> io::Result<Self> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error),
        };
        let row = |line: &str| {
            let (site, name) = line.split_once(' ')?;
            let (known, _) = NAMES.iter().find(|(_, known)| *known == name)?;
            Some((site.to_owned(), *known))
        };
        Ok(Self(text.lines().filter_map(row).collect()))
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (site, known) in &self.0 {
            let name = NAMES.iter().find(|(name, _)| name == known).map_or("", |(_, name)| name);
            let _ = writeln!(text, "{site} {name}");
        }
        text
    }

    /// What is known of a mutant: whether it compiles; `Some(None)` if its code is not compiled.
    pub fn get(&self, site: &str) -> Option<Option<bool>> {
        self.0.get(site).map(|known| match known {
            Known::Viable => Some(true),
            Known::Broken => Some(false),
            Known::Uncompiled => None,
        })
    }

    /// Keeps a verdict.
    pub fn put(&mut self, site: &str, verdict: &Viability) {
        let known = match verdict {
            Viability::Viable => Known::Viable,
            Viability::Broken(_) | Viability::TimedOut => Known::Broken,
            Viability::Untried => Known::Uncompiled,
        };
        self.0.insert(site.to_owned(), known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_as_they_were_written() {
        let mut verdicts = Verdicts::default();
        verdicts.put("a", &Viability::Viable);
        verdicts.put("b", &Viability::Broken("x".into()));
        verdicts.put("c", &Viability::Untried);
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("x.verdicts");
        assert_eq!(Verdicts::read(&path).unwrap().get("a"), None);
        fs::write(&path, verdicts.text()).unwrap();
        let read = Verdicts::read(&path).unwrap();
        let got = ["a", "b", "c", "d"].map(|site| read.get(site));
        assert_eq!(got, [Some(Some(true)), Some(Some(false)), Some(None), None]);
    }
}

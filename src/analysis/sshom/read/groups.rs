//! Groups files: a line per point, with the names of its mutants.
//!
//! In: text; blank lines and lines that begin with `#` say nothing. Out: points. Their order is the order of
//! the variables in files that number them, so every mutant that has a variable must be listed.

use rustc_hash::FxHashMap;

use super::super::points::Points;
use super::error::ConditionFileError;
use super::error::TextOrigin;

/// Reads a groups file.
pub fn read_groups(origin: &str, text: &str) -> Result<Points, ConditionFileError> {
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    let mut groups = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        for name in line.split_whitespace() {
            if let Some(earlier) = seen.insert(name, at + 1) {
                let problem =
                    format!("mutant `{name}` is also on line {earlier}; a mutant belongs to one point");
                return Err(TextOrigin(origin).line(at + 1, problem));
            }
        }
        groups.push(line.split_whitespace().map(str::to_owned).collect());
    }
    if groups.is_empty() {
        return Err(
            TextOrigin(origin).file("no points; write one line per point with the names of its mutants")
        );
    }
    Ok(Points::new(groups))
}

/// The numbers of mutants by their names.
pub(super) fn by_name(points: &Points) -> FxHashMap<&str, u32> {
    (0..points.mutants() as u32).map(|mutant| (points.name(mutant), mutant)).collect()
}

/// Which mutant a variable stands for, if variables are numbered from `first` in the order of the groups.
pub(super) fn numbered(points: &Points, first: u32, variable: u32) -> Result<u32, String> {
    let mutant = variable.checked_sub(first).filter(|mutant| (*mutant as usize) < points.mutants());
    mutant.ok_or_else(|| {
        let last = (u64::from(first) + points.mutants() as u64).saturating_sub(1);
        let remedy = "list every mutant that has a variable, or see --first-variable";
        format!("variable {variable}, but the groups have mutants for variables {first} to {last}; {remedy}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_point() {
        let points = read_groups("g", "# two points\na b \n\nc\n").unwrap();
        assert_eq!(points, Points::new([vec!["a".into(), "b".into()], vec!["c".into()]]));
        assert_eq!(numbered(&points, 1, 3), Ok(2));
        assert!(numbered(&points, 1, 0).unwrap_err().contains("variables 1 to 3"));
        assert!(numbered(&points, 1, 4).is_err());
    }

    #[test]
    fn a_mutant_of_two_points_is_refused_with_both_lines() {
        let error = read_groups("g.txt", "a b\nc a\n").unwrap_err().to_string();
        assert_eq!(error, "g.txt:2: mutant `a` is also on line 1; a mutant belongs to one point");
        assert!(read_groups("g.txt", "#\n").unwrap_err().to_string().starts_with("g.txt: no points"));
    }
}

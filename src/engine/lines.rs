//! Which files use their line numbers at run time, so that shifted lines would change their output.
//!
//! In: the words of a language that give a line (`__LINE__`, `assert`, `Caller`), and all its files in a tree. Out: the
//! files of the target that use such a word. With a preprocessor, a macro that uses such a word counts as one;
//! without, one use anywhere affects all files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::insert::Inserter;
use crate::langdef::LangDef;

/// Files that are larger were written by no person.
const MOST_BYTES: u64 = 16 << 20;

/// The files of the target that can tell their lines, by their numbers.
pub fn files_that_use_lines(inserter: &Inserter, tree: &Path) -> Vec<usize> {
    let switch = &inserter.def.file.switch;
    let all = 0..inserter.target.files.len();
    if switch.line.is_empty() {
        return vec![];
    }
    let texts = texts(inserter.def, tree);
    let words: BTreeSet<&str> = switch.tells_lines.iter().map(String::as_str).collect();
    if inserter.def.file.preprocessor.is_none() {
        return if texts.iter().any(|text| uses(text, &words)) { all.collect() } else { vec![] };
    }
    let words = with_macros(&texts, words);
    let tells = |file: &usize| uses(&String::from_utf8_lossy(&inserter.target.files[*file].text), &words);
    all.filter(tells).collect()
}

/// All files of a language in a tree.
fn texts(def: &LangDef, tree: &Path) -> Vec<String> {
    let files = WalkDir::new(tree).sort_by_file_name().into_iter().filter_map(Result::ok);
    let is_code = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| def.file.extensions.iter().any(|known| known == ending))
    };
    files
        .filter(|entry| entry.file_type().is_file() && is_code(entry.path()))
        .filter(|entry| entry.metadata().is_ok_and(|known| known.len() <= MOST_BYTES))
        .filter_map(|entry| Some(String::from_utf8_lossy(&fs::read(entry.path()).ok()?).into_owned()))
        .collect()
}

/// The words, and all macros that use one of them, or such a macro.
fn with_macros<'t>(texts: &'t [String], mut words: BTreeSet<&'t str>) -> BTreeSet<&'t str> {
    let mut macros: Vec<(&str, &str)> = texts.iter().flat_map(|text| definitions(text)).collect();
    loop {
        let (telling, silent): (Vec<_>, Vec<_>) =
            macros.into_iter().partition(|(_, body)| uses(body, &words));
        if telling.is_empty() {
            return words;
        }
        words.extend(telling.into_iter().map(|(name, _)| name));
        macros = silent;
    }
}

/// Macros and what stands behind their names.
fn definitions(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices("define").filter_map(|(at, word)| {
        let begins = text[..at].trim_end_matches([' ', '\t']).ends_with('#');
        let rest = text[at + word.len()..].trim_start_matches([' ', '\t']);
        let (name, body) = rest.split_at(rest.find(|c| !is_word(c))?);
        begins.then(|| (name, &body[..logical_line(body)]))
    })
}

/// Where a line ends that a backslash may lead on.
fn logical_line(text: &str) -> usize {
    let ends = text.match_indices('\n').map(|(at, _)| at);
    let mut ends = ends.filter(|at| !text[..*at].trim_end_matches('\r').ends_with('\\'));
    ends.next().unwrap_or(text.len())
}

fn uses(text: &str, words: &BTreeSet<&str>) -> bool {
    text.split(|c| !is_word(c)).any(|word| words.contains(word))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_macro_gives_lines_if_one_that_it_uses_does() {
        let text = "#define A(x) B(x, 1)\n#  define B(x, y) \\\n  C(x) __LINE__\n#define D 1\nint define = __LINE__;\n";
        let texts = [text.to_owned()];
        let found = with_macros(&texts, BTreeSet::from(["__LINE__"]));
        assert_eq!(found, BTreeSet::from(["A", "B", "__LINE__"]));
    }
}

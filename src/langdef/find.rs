//! Which language is meant: by name, by definition file, by file name, by what is in a directory.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use thiserror::Error;

use super::LangDef;
use super::LangDefError;
use super::builtin;
use super::builtin_names;

/// Why no language was found.
#[derive(Debug, Error)]
pub enum FindError {
    #[error("unknown language {name:?}; built in are {known}, or name a definition file")]
    Unknown { name: String, known: String },
    #[error("cannot read {name}")]
    Unread { name: String, source: io::Error },
    #[error(transparent)]
    Wrong(#[from] LangDefError),
    #[error("{}: cannot detect the language from the file name; name it with -l", .0.display())]
    NoOwner(PathBuf),
    #[error("{}: no such file or directory", .0.display())]
    NoPath(PathBuf),
    #[error("{0}: no file of a known language; name the language with -l")]
    NoFile(String),
}

/// The definition that a name or a file names.
pub fn language(name_or_file: &str) -> Result<LangDef, FindError> {
    if let Some(def) = builtin(name_or_file) {
        return Ok(def);
    }
    let (name, path) = (name_or_file.to_owned(), Path::new(name_or_file));
    if path.extension().is_none() && !path.exists() {
        let known: Vec<&str> = builtin_names().collect();
        return Err(FindError::Unknown { name, known: known.join(", ") });
    }
    let text = fs::read_to_string(path).map_err(|source| FindError::Unread { name, source })?;
    Ok(LangDef::parse(&text, name_or_file)?)
}

/// All built-in languages.
pub fn all_languages() -> Vec<LangDef> {
    builtin_names().filter_map(builtin).collect()
}

/// The built-in language of a file name.
pub fn language_of_file(path: &Path) -> Result<LangDef, FindError> {
    let name = path.as_os_str().as_encoded_bytes();
    let owner = all_languages().into_iter().find(|def| def.owns(name));
    owner.ok_or_else(|| FindError::NoOwner(path.to_owned()))
}

/// The built-in language with most files under these paths; what git ignores does not count.
pub fn language_of_tree(roots: &[PathBuf]) -> Result<LangDef, FindError> {
    let languages = all_languages();
    let mut counts = vec![0usize; languages.len()];
    for root in roots {
        if !root.exists() {
            return Err(FindError::NoPath(root.clone()));
        }
        let walk = ignore::WalkBuilder::new(root).require_git(false).build();
        for entry in walk.filter_map(Result::ok) {
            let name = entry.path().as_os_str().as_encoded_bytes();
            let owners: Vec<usize> =
                (0..languages.len()).filter(|index| languages[*index].owns(name)).collect();
            // A name ending that several languages share counts for the first, unless another has its own.
            owners.iter().for_each(|owner| counts[*owner] += if owners.len() == 1 { 2 } else { 1 });
        }
    }
    let best = (0..languages.len()).rev().max_by_key(|index| counts[*index]).filter(|best| counts[*best] > 0);
    match best {
        Some(best) => Ok(languages.into_iter().nth(best).expect("it was counted")),
        None => {
            let roots: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
            Err(FindError::NoFile(roots.join(", ")))
        }
    }
}

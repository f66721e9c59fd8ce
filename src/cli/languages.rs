//! From what `-l` says to a language definition.

use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::langdef::LangDef;
use crate::langdef::builtin;
use crate::langdef::builtin_names;

/// The definition that a name or a file names.
pub fn language(name_or_file: &str) -> Result<LangDef> {
    if let Some(def) = builtin(name_or_file) {
        return Ok(def);
    }
    let path = Path::new(name_or_file);
    if path.extension().is_none() && !path.exists() {
        let names: Vec<&str> = builtin_names().collect();
        bail!("no language {name_or_file:?}; built in are {}, or give a definition file", names.join(", "));
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name_or_file}"))?;
    Ok(LangDef::parse(&text, name_or_file)?)
}

/// All built-in languages.
pub fn all() -> Vec<LangDef> {
    builtin_names().filter_map(builtin).collect()
}

/// The built-in language of a file name.
pub fn of_file(path: &Path) -> Result<LangDef> {
    let name = path.as_os_str().as_encoded_bytes();
    match all().into_iter().find(|def| def.owns(name)) {
        Some(def) => Ok(def),
        None => bail!("{}: cannot tell the language by the name; say it with -l", path.display()),
    }
}

/// The built-in language with most files under these paths; what git ignores does not count.
pub fn of_tree(roots: &[PathBuf]) -> Result<LangDef> {
    let languages = all();
    let mut counts = vec![0usize; languages.len()];
    for root in roots {
        if !root.exists() {
            bail!("{}: no such file or directory", root.display());
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
            bail!("{}: no file of a known language; say the language with -l", roots.join(", "))
        }
    }
}

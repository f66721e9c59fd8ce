//! From what `-l` says to a language definition.

use std::path::Path;

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

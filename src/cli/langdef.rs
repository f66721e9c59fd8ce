//! `wildcaught langdef`: shows, checks and imports language definitions.

use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::langdef::LangDef;
use crate::langdef::LangFile;
use crate::langdef::all_languages;
use crate::langdef::builtin_names;
use crate::langdef::builtin_text;
use crate::langdef::import;
use crate::report::Align;
use crate::report::Table;
use crate::report::counted;

use super::args::LangdefCommand;
use super::exit::Exit;
use super::output::write_out;

/// Lines of a definition are at most so long.
const LONGEST: usize = 110;

/// Runs the command.
pub fn run(command: &LangdefCommand) -> Result<Exit> {
    let text = match command {
        LangdefCommand::List => list(),
        LangdefCommand::Show { name } => show(name)?.to_owned(),
        LangdefCommand::Check { file } => check(file)?,
        LangdefCommand::Import { file, name, extensions } => imported(file, name.as_deref(), extensions)?,
    };
    write_out(None, &text)?;
    Ok(Exit::Fine)
}

fn list() -> String {
    let mut table = Table::new(&[
        ("name", Align::Left),
        ("language", Align::Left),
        ("keywords", Align::Right),
        ("operators", Align::Right),
        ("files", Align::Left),
    ]);
    for def in all_languages() {
        let file = &def.file;
        table.row(vec![
            file.name.clone(),
            file.title.clone(),
            file.keywords.len().to_string(),
            file.operators.len().to_string(),
            endings(file),
        ]);
    }
    table.to_string()
}

fn endings(file: &LangFile) -> String {
    let endings: Vec<String> = file.extensions.iter().map(|ending| format!("*.{ending}")).collect();
    endings.join(" ")
}

fn show(name: &str) -> Result<&'static str> {
    match builtin_text(name) {
        Some(text) => Ok(text),
        None => {
            let names: Vec<&str> = builtin_names().collect();
            bail!("unknown language {name:?}; built in are {}", names.join(", "))
        }
    }
}

fn check(path: &Path) -> Result<String> {
    let origin = path.display().to_string();
    let file = LangDef::parse(&read(path)?, &origin)?.file;
    Ok(format!(
        "{origin}: valid: {} (-l {}), {}; {}, {}, {}, {}, {}\n",
        file.title,
        file.name,
        endings(&file),
        counted(file.keywords.len() as u64, "keyword"),
        counted(file.operators.len() as u64, "operator"),
        counted(file.brackets.len() as u64, "bracket pair"),
        counted(file.comments.len() as u64, "comment"),
        counted(file.quotes.len() as u64, "quote"),
    ))
}

fn imported(path: &Path, name: Option<&str>, extensions: &[String]) -> Result<String> {
    let name = match name {
        Some(name) => name.to_owned(),
        None => stem(path)?,
    };
    let own = [name.clone()];
    let extensions = if extensions.is_empty() { &own } else { extensions };
    let file = import(&read(path)?, &name, extensions, &path.display().to_string())?;
    let text = toml::to_string(&file).context("cannot write the definition")?;
    Ok(text.lines().map(wrapped).collect())
}

/// The name of a file without its ending, if that can name a language.
fn stem(path: &Path) -> Result<String> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
    if stem.is_empty() || !stem.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        bail!("{}: cannot derive a language name from the file name; give one with --name", path.display());
    }
    Ok(stem)
}

/// A line of the definition; a long list is broken as the built-in definitions are. No word has white space in
/// it, so that every `, ` stands between two.
fn wrapped(line: &str) -> String {
    let list = line.split_once(" = [").and_then(|(key, rest)| Some((key, rest.strip_suffix(']')?)));
    let Some((key, words)) = list.filter(|_| line.len() > LONGEST) else { return format!("{line}\n") };
    let mut text = format!("{key} = [\n ");
    let mut column = 1;
    for word in words.split(", ") {
        if column + word.len() + 2 > LONGEST {
            text.push_str("\n ");
            column = 1;
        }
        text.push_str(&format!(" {word},"));
        column += word.len() + 2;
    }
    format!("{text}\n]\n")
}

/// The text of a file.
fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

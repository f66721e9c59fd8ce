//! Writes results to standard output, or to a file that is written completely or not at all; prints messages on
//! standard error.
//!
//! All that is printed goes through here, and everything for people through [`printable`].

use std::fmt;
use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use serde::Serialize;

use crate::files::replace;
use crate::matrix::note_export;
use crate::text::printable;

use super::settings::results;

/// Writes a file whole or not at all; standard output if there is no name.
pub fn write_out(path: Option<&Path>, text: &str) -> Result<()> {
    write_bytes(path, text.as_bytes())
}

/// Writes what was made from the results in a directory. With it in the project, they still are of the same project.
pub fn write_result(out: &Path, path: Option<&Path>, text: &str) -> Result<()> {
    note_export(&results(out), text.as_bytes())?;
    write_out(path, text)
}

/// A document as JSON, for people to read.
pub fn as_json(document: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(document)? + "\n")
}

/// Prints a document as JSON.
pub fn write_json(document: &impl Serialize) -> Result<()> {
    write_out(None, &as_json(document)?)
}

/// Prints text for people. Colours are left out where nobody would see them.
pub fn print_text(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    Ok(out.write_all(printable(text).as_bytes()).and_then(|()| out.flush())?)
}

/// Tells people a line on standard error; [`tell!`] formats it.
pub fn tell_line(line: fmt::Arguments) {
    anstream::eprintln!("{}", printable(&line.to_string()));
}

/// Tells people a line on standard error: progress, notes, warnings, errors.
macro_rules! tell {
    ($($said:tt)*) => { $crate::cli::output::tell_line(format_args!($($said)*)) };
}

/// The same as [`write_out`] for bytes that need not be text. A program gets them as they are, a terminal gets them
/// printable.
pub fn write_bytes(path: Option<&Path>, bytes: &[u8]) -> Result<()> {
    let Some(path) = path else {
        if io::stdout().is_terminal() {
            return print_text(&String::from_utf8_lossy(bytes));
        }
        let mut out = io::stdout().lock();
        return Ok(out.write_all(bytes).and_then(|()| out.flush())?);
    };
    replace(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_behind() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("set.toml");
        write_out(Some(&path), "one").unwrap();
        write_out(Some(&path), "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_names_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let error = write_out(Some(&directory.path().join("no/set.toml")), "one").unwrap_err();
        assert!(format!("{error:#}").contains("set.toml"), "{error:#}");
    }
}

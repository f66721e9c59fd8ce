//! From what was typed to the sources that are meant: each with a name of its own.

use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::history::Remote;

use super::manifest::ManifestLine;

/// What kind of thing a source is.
#[derive(Clone, Debug)]
pub enum SourceOrigin {
    Repository(PathBuf),
    Remote(Remote),
    Tally(PathBuf),
    Patch(PathBuf),
}

/// A source and the name it goes by.
#[derive(Clone, Debug)]
pub struct NamedSource {
    pub name: String,
    /// The user gave the name.
    pub given: bool,
    pub origin: SourceOrigin,
    /// By what it belongs to a part of the work: its given name, or what was typed.
    pub label: String,
    /// Where its history starts, if that is said of this source alone.
    pub at: Option<String>,
}

/// Reads the list of sources as typed, and as a manifest has them.
pub fn parse(typed: &[String], listed: &[ManifestLine], patches: &[PathBuf]) -> Result<Vec<NamedSource>> {
    let mut sources = Vec::new();
    for text in typed {
        sources.push(parse_one(text)?);
    }
    for line in listed {
        sources.push(parse_line(line).with_context(|| line.place.clone())?);
    }
    for path in patches {
        let origin = SourceOrigin::Patch(path.clone());
        sources.push(NamedSource { name: path.display().to_string(), ..NamedSource::new("", origin) });
    }
    if sources.is_empty() {
        bail!("nothing to harvest; give a git repository, a URL, or --patches FILE…");
    }
    Ok(sources)
}

impl NamedSource {
    /// A source without a name.
    fn new(typed: &str, origin: SourceOrigin) -> Self {
        Self { name: String::new(), given: false, origin, label: typed.into(), at: None }
    }

    /// Whether it is a git repository, here or elsewhere.
    pub fn is_repository(&self) -> bool {
        matches!(self.origin, SourceOrigin::Repository(_) | SourceOrigin::Remote(_))
    }
}

fn parse_line(line: &ManifestLine) -> Result<NamedSource> {
    let source = parse_one(&line.source)?;
    if line.at.is_some() && !source.is_repository() {
        bail!("{} has no history; name a commit only behind a repository", line.source);
    }
    Ok(NamedSource { at: line.at.clone(), ..source })
}

fn parse_one(text: &str) -> Result<NamedSource> {
    if let Some(remote) = Remote::parse(text) {
        let name = remote.name();
        return Ok(NamedSource { name, ..NamedSource::new(text, SourceOrigin::Remote(remote)) });
    }
    if !Path::new(text).exists() {
        if let Some((name, rest)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) {
            let name = name.to_owned();
            return Ok(NamedSource { label: name.clone(), name, given: true, ..parse_one(rest)? });
        }
        bail!("{text}: no such file or directory; for a project on GitHub write gh:owner/name");
    }
    let path = PathBuf::from(text);
    let origin = match path.extension() {
        Some(ending) if ending == "tally" => SourceOrigin::Tally(path),
        _ if path.is_file() => {
            bail!("{text} is a file; give patch files with --patches, raw tallies end in .tally")
        }
        _ => SourceOrigin::Repository(path),
    };
    Ok(NamedSource::new(text, origin))
}

/// Names the repositories that have none: by where they were cloned from, else by as much of their path
/// as tells them apart.
pub fn name_repositories(sources: &mut [NamedSource], origin_of: impl Fn(&Path) -> Option<String>) {
    for parts in 1..=4 {
        let names: Vec<String> = sources.iter().map(|source| source.name.clone()).collect();
        for (index, source) in sources.iter_mut().enumerate() {
            let SourceOrigin::Repository(path) = &source.origin else { continue };
            let taken = names.iter().enumerate().any(|(other, name)| other != index && *name == source.name);
            if source.name.is_empty() {
                source.name = origin_of(path).unwrap_or_else(|| path_name(path, parts));
            } else if taken && !source.given {
                source.name = path_name(path, parts);
            }
        }
    }
}

/// The last parts of a path, without `.git`.
fn path_name(path: &Path, parts: usize) -> String {
    let full = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let text = full.to_string_lossy().into_owned();
    let names: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".git").collect();
    let from = names.len().saturating_sub(parts);
    names[from..].join("/").trim_end_matches(".git").to_owned()
}

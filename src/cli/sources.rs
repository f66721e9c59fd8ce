//! Resolves typed sources, and gives each a unique name.

use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::control::Shard;
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
        sources.push(NamedSource { name: path.display().to_string(), ..NamedSource::new(origin) });
    }
    if sources.is_empty() {
        bail!("nothing to harvest; name a git repository, a URL, or --patches FILE…");
    }
    Ok(sources)
}

/// Reads the repositories of a part of the work, and counts those of all parts. The others need not be here.
pub fn parse_part(
    shard: Shard,
    typed: &[String],
    listed: &[ManifestLine],
) -> Result<(Vec<NamedSource>, usize)> {
    let is_repository = |text: &str| !text.ends_with(".tally");
    let mut count = 0;
    let mut is_mine = |text: &str| {
        count += usize::from(is_repository(text));
        is_repository(text) && shard.owns(label(text))
    };
    let mine: Vec<String> = typed.iter().filter(|text| is_mine(text)).cloned().collect();
    let listed: Vec<ManifestLine> = listed.iter().filter(|line| is_mine(&line.source)).cloned().collect();
    match (count, mine.len() + listed.len()) {
        (0, _) => bail!("no repositories to split into parts; name them, or list them with --manifest FILE"),
        (_, 0) => Ok((Vec::new(), count)),
        _ => Ok((parse(&mine, &listed, &[])?, count)),
    }
}

/// By what a source belongs to a part: the name that the user gave it, or all that was typed.
fn label(text: &str) -> &str {
    let named = text.split_once('=').filter(|(name, _)| !name.is_empty() && Remote::parse(text).is_none());
    named.map_or(text, |(name, _)| name)
}

/// Whether it is the whole id of a commit, as git writes it.
pub fn is_whole_id(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl NamedSource {
    /// A source without a name.
    fn new(origin: SourceOrigin) -> Self {
        Self { name: String::new(), given: false, origin, at: None }
    }

    /// Whether it is a git repository, here or elsewhere.
    pub fn is_repository(&self) -> bool {
        matches!(self.origin, SourceOrigin::Repository(_) | SourceOrigin::Remote(_))
    }
}

fn parse_line(line: &ManifestLine) -> Result<NamedSource> {
    let source = parse_one(&line.source).or_else(|error| elsewhere(line).ok_or(error))?;
    if line.at.is_some() && !source.is_repository() {
        bail!("{} has no history; only a repository can be followed by a commit", line.source);
    }
    Ok(NamedSource { at: line.at.clone(), ..source })
}

/// A repository that is not here, but whose tally may be: its name and head are known.
fn elsewhere(line: &ManifestLine) -> Option<NamedSource> {
    let (name, path) = line.source.split_once('=').filter(|(name, _)| !name.is_empty())?;
    line.at.as_deref().filter(|at| is_whole_id(at) && !path.ends_with(".tally"))?;
    let source = NamedSource::new(SourceOrigin::Repository(path.into()));
    Some(NamedSource { name: name.into(), given: true, ..source })
}

fn parse_one(text: &str) -> Result<NamedSource> {
    if let Some(remote) = Remote::parse(text) {
        let name = remote.name();
        return Ok(NamedSource { name, ..NamedSource::new(SourceOrigin::Remote(remote)) });
    }
    if !Path::new(text).exists() {
        if let Some((name, rest)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) {
            return Ok(NamedSource { name: name.into(), given: true, ..parse_one(rest)? });
        }
        bail!("{text}: no such file or directory; for a project on GitHub write gh:owner/name");
    }
    let path = PathBuf::from(text);
    let origin = match path.extension() {
        Some(ending) if ending == "tally" => SourceOrigin::Tally(path),
        _ if path.is_file() => {
            bail!(
                "{text} is a file, not a repository; name patch files with --patches; raw tallies end in .tally"
            )
        }
        _ => SourceOrigin::Repository(path),
    };
    Ok(NamedSource::new(origin))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_belongs_to_a_part_by_its_name_wherever_it_is() {
        for (text, wanted) in [
            ("redis=/srv/a/redis", "redis"),
            ("/srv/a/redis", "/srv/a/redis"),
            ("gh:redis/redis", "gh:redis/redis"),
            ("https://h/o/n?a=b", "https://h/o/n?a=b"),
            ("=x", "=x"),
        ] {
            assert_eq!(label(text), wanted);
        }
    }
}

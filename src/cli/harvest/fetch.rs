//! Fetches and opens sources.

use std::fs;
use std::io::IsTerminal;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;

use crate::cli::args::HistoryArgs;
use crate::cli::progress;
use crate::cli::sources::NamedSource;
use crate::cli::sources::SourceOrigin;
use crate::history::Cloning;
use crate::history::HistoryError;
use crate::history::identify;
use crate::history::repository_id;
use crate::operator::Source;

/// Brings remote sources into the cache, but for those that are known well enough. One of several that cannot be had is
/// left out with a warning. Tells whether Ctrl-C was pressed, and whether anything was left out.
pub fn fetch_all(
    sources: &mut Vec<NamedSource>,
    args: &HistoryArgs,
    quiet: bool,
    is_known: impl Fn(&NamedSource) -> bool,
) -> Result<(bool, bool)> {
    let several = sources.len() > 1;
    let (mut interrupted, mut incomplete) = (false, false);
    let mut kept = Vec::new();
    for mut source in sources.drain(..) {
        if is_known(&source) {
            kept.push(source);
            continue;
        }
        match fetch(&mut source, args, quiet) {
            Ok(()) => kept.push(source),
            Err(error) if progress::interrupted() || stopped(&error) => interrupted = true,
            Err(error) if several => {
                tell!("warning: skipped: {error:#}");
                incomplete = true;
            }
            Err(error) => return Err(error),
        }
    }
    *sources = kept;
    Ok((interrupted, incomplete))
}

/// Whether the user ended the transfer. Ctrl-C may reach git before this program notices it.
fn stopped(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(HistoryError::Stopped))
}

/// A repository as the sets that are mined from it name it.
pub fn described(name: &str, path: &Path, branch: Option<&str>) -> Source {
    let who = identify(path, branch).unwrap_or_default();
    let id = repository_id(path, branch).unwrap_or_default();
    Source { name: name.into(), head: who.head, license: who.license, id }
}

/// Opens patch text; `-` is standard input. Gives its size where it has one.
pub fn open_patch(path: &Path) -> Result<(Option<u64>, Box<dyn Read + Send>)> {
    if path == Path::new("-") {
        return Ok((None, Box::new(std::io::stdin())));
    }
    let file = fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let size = file.metadata().ok().map(|data| data.len());
    Ok((size, Box::new(file)))
}

/// Brings a remote repository into the cache, if it is one.
pub fn fetch(source: &mut NamedSource, args: &HistoryArgs, quiet: bool) -> Result<()> {
    let SourceOrigin::Remote(remote) = &source.origin else { return Ok(()) };
    let cache = match &args.cache {
        Some(cache) => cache.clone(),
        None => default_cache().context(
            "no cache directory: neither HOME nor XDG_CACHE_HOME is set; name one with --cache DIR",
        )?,
    };
    let options = Cloning { offline: args.offline, can_ask: std::io::stdin().is_terminal() };
    let path = progress::cloning(&source.name, quiet, |report| remote.fetch_into(&cache, &options, report))?;
    source.origin = SourceOrigin::Repository(path);
    source.given = true;
    Ok(())
}

/// `$XDG_CACHE_HOME/wildcaught`, or `~/.cache/wildcaught`.
fn default_cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")));
    Some(base?.join("wildcaught"))
}

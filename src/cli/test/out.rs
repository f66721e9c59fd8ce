//! The directory in which results are kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use xxhash_rust::xxh3::Xxh3;

use crate::matrix::KillMatrix;
use crate::matrix::MutantRow;
use crate::matrix::Outcome;
use crate::matrix::Store;

/// The store's file.
const STORE: &str = "store.sqlite";
/// What outlives runs: dependencies that were built.
const CACHE: &str = "cache";
/// The key under which it is noted what was tested.
const FINGERPRINT: &str = "fingerprint";

/// Opens the results of a run.
pub fn open(out: &Path) -> Result<Store> {
    let path = out.join(STORE);
    if !path.exists() {
        bail!("{}: there are no results; `wildcaught test` makes them", out.display());
    }
    Ok(Store::open(&path)?)
}

/// Where dependencies that were built are kept.
pub fn cache(out: &Path) -> Result<PathBuf> {
    let cache = out.join(CACHE);
    fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
    // Git need not know of any of this.
    let ignore = out.join(".gitignore");
    if !ignore.exists() {
        fs::write(&ignore, "*\n").with_context(|| format!("cannot write {}", ignore.display()))?;
    }
    Ok(cache.canonicalize()?)
}

/// A new store with these mutants, and for each whether its fate is known from the run before.
pub fn begin(out: &Path, resume: bool, fingerprint: &str, rows: &[MutantRow]) -> Result<(Store, Vec<bool>)> {
    let known = if resume { earlier(out, fingerprint)? } else { BTreeMap::new() };
    rotate(out)?;
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let store = Store::create(&out.join(STORE))?;
    store.set_meta(FINGERPRINT, fingerprint)?;
    store.put_mutants(rows)?;
    let outcomes: Vec<(u32, &Outcome)> =
        (0..).zip(rows).filter_map(|(number, row)| Some((number, &known.get(&row.id)?.1))).collect();
    if let Some((tests, _)) = known.values().next() {
        store.put_tests(tests)?;
    }
    store.record_all(outcomes.iter().copied())?;
    let mut is_known = vec![false; rows.len()];
    outcomes.iter().for_each(|(number, _)| is_known[*number as usize] = true);
    Ok((store, is_known))
}

type Known = BTreeMap<String, (Vec<crate::matrix::TestRow>, Outcome)>;

/// What the run before found out, if it was about the same project.
fn earlier(out: &Path, fingerprint: &str) -> Result<Known> {
    if !out.join(STORE).exists() {
        return Ok(BTreeMap::new());
    }
    let store = open(out)?;
    if store.meta(FINGERPRINT)?.as_deref() != Some(fingerprint) {
        bail!(
            "--resume: the project, its settings or its tests changed since the run in {}; run without --resume",
            out.display()
        );
    }
    let KillMatrix { tests, mutants, outcomes } = KillMatrix::load(&store)?;
    let tested = |outcome: &Outcome| outcome.fate != crate::matrix::Fate::Untested;
    let pairs = mutants.into_iter().zip(outcomes);
    Ok(pairs.filter_map(|(row, outcome)| Some((row.id, (tests.clone(), outcome.filter(tested)?)))).collect())
}

/// Puts the results of the last run aside; what outlives runs stays.
fn rotate(out: &Path) -> Result<()> {
    if !out.join(STORE).exists() {
        return Ok(());
    }
    let old = PathBuf::from(format!("{}.old", out.display()));
    if old.exists() {
        fs::remove_dir_all(&old).with_context(|| format!("cannot remove {}", old.display()))?;
    }
    fs::rename(out, &old).with_context(|| format!("cannot rename {}", out.display()))?;
    fs::create_dir_all(out)?;
    for kept in [CACHE, ".gitignore"] {
        if old.join(kept).exists() {
            fs::rename(old.join(kept), out.join(kept))?;
        }
    }
    Ok(())
}

/// A number for everything that a result depends on: all files of the project that git would keep.
pub fn fingerprint(root: &Path, settings: &str) -> String {
    let mut hash = Xxh3::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    hash.update(settings.as_bytes());
    let walk = ignore::WalkBuilder::new(root)
        .require_git(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(|entry| !entry.file_name().to_string_lossy().starts_with("wildcaught.out"))
        .build();
    for entry in walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())) {
        hash.update(entry.path().as_os_str().as_encoded_bytes());
        if let Ok(bytes) = fs::read(entry.path()) {
            hash.update(&bytes);
        }
    }
    format!("{:016x}", hash.digest())
}

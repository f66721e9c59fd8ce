//! Reads a git history: every non-merge commit against its first parent.
//!
//! In: a repository on disk. Out: [`Change`]s with whole files on both sides. Commits are taken in chunks;
//! inside a chunk, first the trees are compared, then the files are read path by path, newest first, so
//! that each old version is the next one's new version and git's delta bases stay warm. Memory holds one
//! chunk's list of changed files and a few versions per thread.

use std::collections::BTreeMap;
use std::collections::BinaryHeap;
use std::path::Path;

use git2::OdbObject;
use git2::Oid;
use git2::Repository;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::langdef::LangDef;

use super::Census;
use super::Change;
use super::Collector;
use super::Commit;
use super::CommitSelection;
use super::FixWords;
use super::HistoryError;
use super::Known;
use super::Side;
use super::diff::blocks;
use super::handle::Handle;
use super::handle::Handles;
use super::handle::raw_id;
use super::select::Unwanted;
use super::tree;
use super::versions::Version;
use super::versions::Versions;
use crate::control::Progress;

/// Commits whose changed files are listed before any is read.
const CHUNK: usize = 8192;
/// Versions of one path that one thread reads in a row.
const SEGMENT: usize = 512;

/// Which part of a history to read, and how.
#[derive(Clone, Debug)]
pub struct GitOptions {
    /// Earliest and latest commit time, in seconds since 1970.
    pub since: Option<i64>,
    pub until: Option<i64>,
    /// At most this many commits, the newest.
    pub max_commits: Option<usize>,
    /// Where to start; HEAD if none.
    pub branch: Option<String>,
    pub selection: CommitSelection,
    pub fixes: FixWords,
}

/// What a reading leaves: the collectors, the counts, and what a person should know.
pub struct HistoryReading<C> {
    pub collectors: Vec<C>,
    pub census: Census,
    /// What was left out for reasons that are not the user's wish.
    pub warnings: Vec<String>,
}

/// Reads a repository; `new_collector` is called once per thread and chunk.
pub fn read_git<C: Collector>(
    path: &Path,
    def: &LangDef,
    options: &GitOptions,
    progress: &Progress,
    new_collector: impl Fn() -> C + Sync,
) -> Result<HistoryReading<C>, HistoryError> {
    // Git checked every object's hash when it wrote it; checking again costs more than all the rest, and
    // damage shows as a failed inflate all the same.
    git2::opts::strict_hash_verification(false);
    let handles = Handles::new(path);
    let mut warnings = Vec::new();
    let ids = handles.with(|handle| list_commits(handle, path, options, &mut warnings))??;
    progress.expect(ids.len() as u64);
    let mut reading = HistoryReading { collectors: Vec::new(), census: Census::default(), warnings };
    for chunk in ids.chunks(CHUNK) {
        if progress.stopped() {
            break;
        }
        let reader = Reader { def, options, progress, handles: &handles };
        let listing = reader.list_changes(chunk)?;
        reading.census.add(&listing.census);
        let commits = chunk.len() as u64;
        for (collector, census) in reader.read_changes(&listing, commits, &new_collector)? {
            reading.census.add(&census);
            reading.collectors.push(collector);
        }
    }
    if reading.census.unreadable > 0 {
        reading.warnings.push(format!(
            "{} objects are missing or damaged, so their changes were skipped (a partial clone? see `git -C {} \
             fsck`)",
            reading.census.unreadable,
            path.display()
        ));
    }
    Ok(reading)
}

/// The commits to read, newest first.
fn list_commits(
    handle: &mut Handle,
    path: &Path,
    options: &GitOptions,
    warnings: &mut Vec<String>,
) -> Result<Vec<Oid>, HistoryError> {
    let repo = &handle.repo;
    if repo.is_shallow() {
        warnings
            .push("shallow clone, so older history was not read; `git fetch --unshallow` fetches it".into());
    }
    let start = repo.revparse_single(options.branch.as_deref().unwrap_or("HEAD"));
    let start = match (start.and_then(|object| object.peel_to_commit()), &options.branch) {
        (Ok(commit), _) => commit,
        (Err(_), None) => {
            warnings.push(
                "no commits: the repository is empty, or HEAD does not point to a branch; try --branch"
                    .into(),
            );
            return Ok(Vec::new());
        }
        (Err(error), Some(name)) => {
            let (name, reason) = (name.clone(), error.message().into());
            return Err(HistoryError::NoSuchBranch { path: path.into(), name, reason });
        }
    };
    let (ids, lost) = walk(&start, repo, options.max_commits.unwrap_or(usize::MAX));
    if lost > 0 {
        warnings.push(format!(
            "{lost} commits are missing or damaged, so they and commits reachable only through them were \
             skipped (see `git -C {} fsck`)",
            path.display()
        ));
    }
    Ok(ids)
}

/// All ancestors of a commit, newest first, and how many of them could not be read. Git's own walk gives up
/// at the first that it cannot read.
fn walk(start: &git2::Commit, repo: &Repository, most: usize) -> (Vec<Oid>, usize) {
    let mut ids = Vec::new();
    let mut lost = 0;
    let mut seen: FxHashSet<Oid> = FxHashSet::from_iter([start.id()]);
    let mut open = BinaryHeap::from([(start.time().seconds(), start.id())]);
    while let Some((_, id)) = open.pop() {
        ids.push(id);
        let Ok(commit) = repo.find_commit(id) else { continue };
        for parent in commit.parent_ids().filter(|&parent| ids.len() < most && seen.insert(parent)) {
            match repo.find_commit(parent) {
                Ok(commit) => open.push((commit.time().seconds(), parent)),
                Err(_) => lost += 1,
            }
        }
        if ids.len() >= most {
            break;
        }
    }
    (ids, lost)
}

/// A file that a commit of the chunk modified.
#[derive(Clone, Copy)]
struct FileChange {
    commit: u32,
    before: [u8; 20],
    after: [u8; 20],
}

/// The changed files of a chunk, by path.
struct Listing {
    commits: Vec<Option<Commit>>,
    paths: Vec<(Vec<u8>, Vec<FileChange>)>,
    census: Census,
}

struct Reader<'a> {
    def: &'a LangDef,
    options: &'a GitOptions,
    progress: &'a Progress,
    handles: &'a Handles,
}

impl Reader<'_> {
    fn list_changes(&self, chunk: &[Oid]) -> Result<Listing, HistoryError> {
        let parts: Vec<Vec<CommitDiff>> = chunk
            .par_chunks(256)
            .map(|ids| {
                self.handles.with(|handle| ids.iter().map(|&id| self.diff_commit(handle, id)).collect())
            })
            .collect::<Result<_, _>>()?;
        let mut census = Census::default();
        let mut commits = Vec::with_capacity(chunk.len());
        let mut paths: BTreeMap<Vec<u8>, Vec<FileChange>> = BTreeMap::new();
        for (index, diff) in parts.into_iter().flatten().enumerate() {
            census.add(&diff.census);
            for file in diff.modified {
                let change = FileChange { commit: index as u32, before: file.before, after: file.after };
                paths.entry(file.path).or_default().push(change);
            }
            commits.push(diff.commit);
        }
        let mut wanted = Vec::new();
        for (path, changes) in paths {
            let count = changes.len() as u64;
            match self.options.selection.judge_path(self.def, &path) {
                None => wanted.push((path, changes)),
                Some(Unwanted::Vendored) => census.vendored += count,
                Some(Unwanted::Generated) => census.generated += count,
                Some(_) => {}
            }
        }
        Ok(Listing { commits, paths: wanted, census })
    }

    fn diff_commit(&self, handle: &mut Handle, id: Oid) -> CommitDiff {
        let mut out = CommitDiff::default();
        match self.commit_trees(handle, id, &mut out.census) {
            Ok(Some(CommitTrees { commit, before, after })) => {
                let diff = tree::compare(handle, &before, &after, &|name| self.def.owns(name));
                out.census.commits = 1;
                out.census.added_or_removed = diff.one_sided;
                out.census.unreadable = diff.unreadable;
                out.modified = diff.modified;
                out.commit = Some(commit);
            }
            Ok(None) => {}
            Err(_) => out.census.unreadable += 1,
        }
        out
    }

    /// The commit with the trees before and after it, if it counts.
    fn commit_trees(
        &self,
        handle: &Handle,
        id: Oid,
        census: &mut Census,
    ) -> Result<Option<CommitTrees>, git2::Error> {
        let commit = handle.repo.find_commit(id)?;
        let time = commit.time().seconds();
        let options = self.options;
        if options.since.is_some_and(|since| time < since) || options.until.is_some_and(|until| time > until)
        {
            return Ok(None);
        }
        match commit.parent_count() {
            0 => census.commits += 1, // everything is new: nothing to compare with
            1 => {
                let parent = commit.parent(0)?;
                let author = commit.author();
                let known = Commit {
                    id: id.to_string(),
                    time: Some(author.when().seconds()),
                    author: author.email_bytes().to_vec(),
                    fix: options.fixes.speaks_of_fix(commit.message_bytes()),
                };
                let (before, after) = (raw_id(parent.tree_id()), raw_id(commit.tree_id()));
                return Ok(Some(CommitTrees { commit: known, before, after }));
            }
            _ => census.merges += 1,
        }
        Ok(None)
    }

    fn read_changes<C: Collector>(
        &self,
        listing: &Listing,
        commits: u64,
        new_collector: &(impl Fn() -> C + Sync),
    ) -> Result<Vec<(C, Census)>, HistoryError> {
        let total: usize = listing.paths.iter().map(|(_, changes)| changes.len()).sum();
        if total == 0 {
            self.progress.advance(commits * 1024);
        }
        let parts_per_change = (commits * 1024) as f64 / total.max(1) as f64;
        let segments: Vec<(&[u8], &[FileChange])> = listing
            .paths
            .iter()
            .flat_map(|(path, changes)| changes.chunks(SEGMENT).map(|segment| (path.as_slice(), segment)))
            .collect();
        // Paths come in order, so a file and its neighbours, which git packs together, are read together.
        segments
            .par_iter()
            .fold(
                || Ok((new_collector(), Census::default())),
                |state, (path, changes)| {
                    let (mut collector, mut census) = state?;
                    if !self.progress.stopped() {
                        self.handles.with(|handle| {
                            self.read_path(handle, listing, path, changes, &mut collector, &mut census);
                        })?;
                    }
                    self.progress.advance((parts_per_change * changes.len() as f64) as u64);
                    Ok((collector, census))
                },
            )
            .collect()
    }

    fn read_path<C: Collector>(
        &self,
        handle: &Handle,
        listing: &Listing,
        path: &[u8],
        changes: &[FileChange],
        collector: &mut C,
        census: &mut Census,
    ) {
        let Ok(odb) = handle.repo.odb() else { return };
        let mut versions = Versions::new(&odb, self.def);
        for change in changes.iter().take_while(|_| !self.progress.stopped()) {
            let Some(commit) = &listing.commits[change.commit as usize] else { continue };
            let (Some(after), Some(before)) =
                (versions.with_ground(change.after), versions.read(change.before))
            else {
                census.unreadable += 1;
                continue;
            };
            match self
                .options
                .selection
                .judge_text(after.text())
                .or_else(|| self.options.selection.judge_text(before.data()))
            {
                Some(Unwanted::Generated) => census.generated += 1,
                Some(Unwanted::Minified) => census.minified += 1,
                Some(_) => census.unfit += 1,
                None => {
                    let version = compare_versions(self.def, path, commit, &after, before, collector, census);
                    versions.keep(change.before, version);
                }
            }
            versions.keep(change.after, after);
        }
    }
}

/// Hands out the blocks between two versions; gives the earlier one back with its ground known.
fn compare_versions<'o, C: Collector>(
    def: &LangDef,
    path: &[u8],
    commit: &Commit,
    after: &Version<'o>,
    before: OdbObject<'o>,
    collector: &mut C,
    census: &mut Census,
) -> Version<'o> {
    let found = blocks(before.data(), after.text());
    let ground = after.ground.of_neighbour(def, before.data(), &found);
    census.files += 1;
    census.blocks += found.len() as u64;
    census.bytes += (before.len() + after.object.len()) as u64;
    for block in found {
        let change = Change {
            path,
            before: Side { text: before.data(), block: block.before, known: Known::File(&ground) },
            after: Side { text: after.text(), block: block.after, known: Known::File(&after.ground) },
        };
        collector.take(commit, &change);
    }
    Version { object: before, ground }
}

/// A commit with the ids of the trees before and after it.
struct CommitTrees {
    commit: Commit,
    before: [u8; 20],
    after: [u8; 20],
}

/// A commit and the files it modified.
#[derive(Default)]
struct CommitDiff {
    commit: Option<Commit>,
    modified: Vec<tree::Modified>,
    census: Census,
}

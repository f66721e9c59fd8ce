//! Git objects: commits, trees and files with any content are read, or counted as unreadable.
#![no_main]

use std::cell::RefCell;
use std::fs;
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use git2::ObjectType;
use git2::Odb;
use git2::Oid;
use git2::Repository;
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use wildcaught::control::Progress;
use wildcaught::history::Change;
use wildcaught::history::Collector;
use wildcaught::history::Commit;
use wildcaught::history::CommitSelection;
use wildcaught::history::FixWords;
use wildcaught::history::GitOptions;
use wildcaught::history::identify;
use wildcaught::history::read_git;
use wildcaught::history::repository_id;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;

#[derive(Arbitrary, Debug)]
struct History<'a> {
    /// From the oldest to the newest; each has the one before as its parent.
    commits: Vec<Step<'a>>,
    /// Removes the stored object with this number. One with other bytes is not tried: libgit2 1.9 never ends on some.
    missing: Option<u8>,
}

#[derive(Arbitrary, Debug)]
enum Step<'a> {
    Files {
        files: Vec<(u8, &'a [u8])>,
        message: &'a [u8],
        time: i64,
    },
    /// A tree as bytes.
    Tree(&'a [u8]),
    /// A commit as bytes; %T and %P stand for a tree and a parent.
    Commit(&'a str),
}

const NAMES: [&str; 6] = ["a.c", "b.c", "dir/c.c", "x.h", "LICENSE", "z\n\x1b[31m.c"];

struct Checker;

impl Collector for Checker {
    fn take(&mut self, _: &Commit, change: &Change) {
        assert!(!change.before.lines().is_empty() || !change.after.lines().is_empty());
    }
}

static C: LazyLock<(LangDef, GitOptions)> = LazyLock::new(|| {
    let def = builtin("c").expect("C is built in");
    let selection = CommitSelection::new(&def, &[], false).expect("no patterns, no errors");
    let options = GitOptions {
        since: None,
        until: None,
        max_commits: None,
        branch: None,
        selection,
        fixes: FixWords::default(),
    };
    (def, options)
});

thread_local! {
    static WHERE: RefCell<TempDir> = RefCell::new(tempfile::tempdir().expect("a directory"));
}

/// Writes a tree with a subdirectory.
fn tree(odb: &Odb, files: &[(u8, &[u8])]) -> Result<Oid, git2::Error> {
    let mut lists = [Vec::new(), Vec::new()];
    for (name, text) in files {
        let name = NAMES[usize::from(*name) % NAMES.len()];
        let blob = odb.write(ObjectType::Blob, text)?;
        let (list, name) = name.strip_prefix("dir/").map_or((0, name), |rest| (1, rest));
        lists[list].push(("100644", name, blob));
    }
    let written = |mut list: Vec<(&str, &str, Oid)>| {
        list.sort_by(|a, b| a.1.cmp(b.1));
        let mut bytes = Vec::new();
        for (mode, name, id) in list {
            bytes.extend(format!("{mode} {name}\0").into_bytes());
            bytes.extend(id.as_bytes());
        }
        odb.write(ObjectType::Tree, &bytes)
    };
    let [mut top, below] = lists;
    if !below.is_empty() {
        top.push(("40000", "dir", written(below)?));
    }
    written(top)
}

fn write(repo: &Repository, history: &History) -> Result<(), git2::Error> {
    let odb = repo.odb()?;
    let mut last: Option<Oid> = None;
    let mut ids = Vec::new();
    for step in &history.commits {
        let root = match step {
            Step::Files { files, .. } => tree(&odb, files)?,
            Step::Tree(bytes) => odb.write(ObjectType::Tree, bytes)?,
            Step::Commit(_) => tree(&odb, &[(0, b"int x;\n")])?,
        };
        let parent = last.map_or(String::new(), |id| format!("parent {id}\n"));
        let (message, time) = match step {
            Step::Files { message, time, .. } => (*message, *time),
            _ => (b"fix".as_slice(), 0),
        };
        let mut bytes =
            format!("tree {root}\n{parent}author A <a@b> {time} +0000\ncommitter A <a@b> {time} +0000\n\n")
                .into_bytes();
        bytes.extend(message);
        if let Step::Commit(text) = step {
            bytes = text.replace("%T", &format!("{root}")).replace("%P", &parent).into_bytes();
        }
        let commit = odb.write(ObjectType::Commit, &bytes)?;
        ids.extend([root, commit]);
        last = Some(commit);
    }
    let git = repo.path();
    let head = last.map_or("0".repeat(40), |id| id.to_string());
    fs::write(git.join("HEAD"), head).expect("the head is written");
    if let (Some(which), false) = (history.missing, ids.is_empty()) {
        let id = ids[usize::from(which) % ids.len()].to_string();
        let _ = fs::remove_file(git.join("objects").join(&id[..2]).join(&id[2..]));
    }
    Ok(())
}

fuzz_target!(|history: History| {
    WHERE.with_borrow_mut(|place| {
        let path = place.path().join("r");
        let repo = Repository::open(&path).or_else(|_| Repository::init_bare(&path)).expect("a repository");
        for entry in fs::read_dir(path.join("objects")).expect("a directory").flatten() {
            if entry.file_name().len() == 2 {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        if history.commits.len() > 16 || write(&repo, &history).is_err() {
            return;
        }
        let (def, options) = &*C;
        let progress = Progress::default();
        let _ = read_git(&path, def, options, &progress, || Checker);
        let _ = identify(&path, None);
        let _ = repository_id(&path, None);
    });
});

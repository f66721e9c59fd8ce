//! Patch text against two other opinions: the diff crate that wrote it, and the git history it came from.

use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

use git2::DiffFormat;
use git2::Repository;
use git2::Signature;
use git2::Time;
use proptest::prelude::*;
use wildcaught::control::Progress;
use wildcaught::history::Change;
use wildcaught::history::Collector;
use wildcaught::history::Commit;
use wildcaught::history::CommitSelection;
use wildcaught::history::FixWords;
use wildcaught::history::GitOptions;
use wildcaught::history::HistoryReading;
use wildcaught::history::PatchText;
use wildcaught::history::read_git;
use wildcaught::history::read_patch;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    commit: (String, Option<i64>, Vec<u8>, bool),
    path: Vec<u8>,
    removed: Vec<u8>,
    added: Vec<u8>,
}

#[derive(Default)]
struct Seer(Vec<Seen>);

impl Collector for Seer {
    fn take(&mut self, commit: &Commit, change: &Change) {
        self.0.push(Seen {
            commit: (commit.id.clone(), commit.time, commit.author.clone(), commit.fix),
            path: change.path.to_vec(),
            removed: change.before.lines().to_vec(),
            added: change.after.lines().to_vec(),
        });
    }
}

fn all(reading: HistoryReading<Seer>) -> Vec<Seen> {
    reading.collectors.into_iter().flat_map(|seer| seer.0).collect()
}

/// Made once: compiling patterns takes longer than most readings here.
static C: LazyLock<(LangDef, CommitSelection, FixWords)> = LazyLock::new(|| {
    let def = builtin("c").unwrap();
    let selection = CommitSelection::new(&def, &[], false).unwrap();
    (def, selection, FixWords::default())
});

fn read(text: &[u8]) -> HistoryReading<Seer> {
    let (def, selection, fixes) = &*C;
    let source = PatchText { name: "patch", input: text, size: Some(text.len() as u64) };
    read_patch(source, def, selection, fixes, &Progress::default(), Seer::default).unwrap()
}

/// Lines that are hard to tell from what stands around them in a patch.
fn text() -> impl Strategy<Value = Vec<u8>> {
    const LINES: [&[u8]; 14] = [
        b"",
        b"a",
        b"b",
        b"\r",
        b"-- x",
        b"++ y",
        b"--- x.c",
        b"+++ x.c",
        b"@@ -1 +1 @@",
        b"diff --git a/x b/x",
        b"\\ No newline at end of file",
        b"\xff\0",
        b" ",
        b"-- ",
    ];
    let lines = prop::collection::vec(prop::sample::select(LINES.to_vec()), 0..30);
    (lines, any::<bool>()).prop_map(|(lines, ended)| {
        let mut text = lines.join(&b"\n"[..]);
        text.extend(ended.then_some(b'\n'));
        text
    })
}

/// The blocks that the writer of a patch says are in it.
fn written_blocks(patch: &diffy::Patch<[u8]>) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut blocks = Vec::new();
    for hunk in patch.hunks() {
        let mut open = false;
        for line in hunk.lines() {
            if !open && !matches!(line, diffy::Line::Context(_)) {
                blocks.push((Vec::new(), Vec::new()));
            }
            open = !matches!(line, diffy::Line::Context(_));
            match (line, blocks.last_mut()) {
                (diffy::Line::Delete(text), Some(block)) => block.0.extend_from_slice(text),
                (diffy::Line::Insert(text), Some(block)) => block.1.extend_from_slice(text),
                _ => {}
            }
        }
    }
    blocks
}

proptest! {
    #[test]
    fn what_a_diff_writes_is_what_is_read(before in text(), after in text(), context in 0usize..5) {
        let patch = diffy::DiffOptions::new().set_context_len(context).create_patch_bytes(&before, &after);
        let written = patch.to_bytes();
        let hunks = written.windows(3).position(|bytes| bytes == b"\n@@").map_or(&b""[..], |at| &written[at + 1..]);
        let file = [b"--- a/x.c\n+++ b/x.c\n", hunks].concat();
        // Twice, so that the end of one is the beginning of another.
        let reading = read(&file.repeat(2));
        prop_assert_eq!(reading.census.malformed, 0);
        let seen: Vec<_> = all(reading).into_iter().map(|seen| (seen.removed, seen.added)).collect();
        let once = written_blocks(&patch);
        prop_assert_eq!(seen, [once.clone(), once].concat());
    }

    #[test]
    fn any_text_is_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..400) {
        let mut text = b"commit 0123456\nAuthor: A <a@b>\n\n    x\n\ndiff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n\
            @@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n".to_vec();
        let at = cut.min(text.len());
        text.splice(at..at, bytes);
        read(&text);
    }
}

/// Writes files, commits them, and says what `git log -p` would say of it.
struct Author<'r> {
    repo: &'r Repository,
    log: Vec<String>,
    time: i64,
}

impl Author<'_> {
    fn commit(&mut self, message: &str, files: &[(&str, String)]) {
        let repo = self.repo;
        let mut index = repo.index().unwrap();
        for (path, text) in files {
            let full = repo.workdir().unwrap().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, text).unwrap();
            index.add_path(Path::new(path)).unwrap();
        }
        index.write().unwrap();
        let tree = repo.find_tree(index.write_tree().unwrap()).unwrap();
        self.time += 3600;
        let who = Signature::new("A B", "a@b.org", &Time::new(self.time, 120)).unwrap();
        let parent = repo.head().ok().map(|head| head.peel_to_commit().unwrap());
        let parents: Vec<_> = parent.iter().collect();
        let id = repo.commit(Some("HEAD"), &who, &who, message, &tree, &parents).unwrap();
        let before = parent.as_ref().map(|parent| parent.tree().unwrap());
        let diff = repo.diff_tree_to_tree(before.as_ref(), Some(&tree), None).unwrap();
        let mut out = String::new();
        writeln!(out, "commit {id}\nAuthor: A B <a@b.org>\nDate:   {} +0200\n\n    {message}\n", self.time)
            .unwrap();
        diff.print(DiffFormat::Patch, |_, _, line| {
            out.extend(matches!(line.origin(), ' ' | '+' | '-').then(|| line.origin()));
            out.push_str(std::str::from_utf8(line.content()).unwrap());
            true
        })
        .unwrap();
        self.log.insert(0, out + "\n");
    }
}

/// A version of a file in which every line is its own, so that there is one way to see what changed.
fn version(number: usize) -> String {
    let line = |at: usize| match (at * 31 + number / 2) % 7 {
        0 => format!("int changed_{at}_{number};\n"),
        1 if number.is_multiple_of(2) => String::new(),
        _ => format!("int line_{at};\n"),
    };
    (0..80).map(line).collect()
}

#[test]
fn a_log_and_its_repository_say_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let repo = Repository::init(directory.path()).unwrap();
    let mut author = Author { repo: &repo, log: Vec::new(), time: 1_000_000_000 };
    for number in 0..20 {
        let message = if number % 3 == 0 { "Fix a thing" } else { "Rename a thing" };
        let late = [("sp \u{e4}ce/y.c", version(number * 3)), ("z.txt", version(number))];
        let files = [&[("x.c", version(number))][..], if number > 5 { &late } else { &[] }].concat();
        author.commit(message, &files);
    }
    let log = author.log.concat();
    let read = read(log.as_bytes());
    let (def, selection, fixes) = &*C;
    let options = GitOptions {
        since: None,
        until: None,
        max_commits: None,
        branch: None,
        selection: selection.clone(),
        fixes: fixes.clone(),
    };
    let git = read_git(directory.path(), def, &options, &Progress::default(), Seer::default).unwrap();
    assert_eq!((read.census.commits, read.census.files), (git.census.commits, git.census.files));
    assert_eq!((read.census.blocks, read.census.malformed), (git.census.blocks, 0));
    let (mut ours, mut theirs) = (all(read), all(git));
    assert!(ours.len() > 200, "{}", ours.len());
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs);
}

//! Patch text in, changes out, for every shape that patch text comes in.

use std::io::Read;
use std::sync::LazyLock;

use proptest::prelude::*;

use crate::control::Progress;
use crate::history::Census;
use crate::history::Change;
use crate::history::Collector;
use crate::history::Commit;
use crate::history::CommitSelection;
use crate::history::FixWords;
use crate::history::HistoryError;
use crate::history::HistoryReading;
use crate::langdef::LangDef;

use super::PatchText;
use super::piece::PatchWish;
use super::read::read_in_pieces;

/// A change as a test compares it: commit id, path, removed and added lines.
type Seen = (String, String, String, String);

#[derive(Default)]
struct Seer {
    seen: Vec<Seen>,
    commits: Vec<Commit>,
    texts: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Collector for Seer {
    fn take(&mut self, commit: &Commit, change: &Change) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (before, after) = (change.before, change.after);
        self.seen.push((commit.id.clone(), text(change.path), text(before.lines()), text(after.lines())));
        self.commits.push(commit.clone());
        self.texts.push((before.text.to_vec(), after.text.to_vec()));
    }
}

/// Made once: compiling patterns takes longer than most readings here.
static C: LazyLock<(LangDef, CommitSelection, FixWords)> = LazyLock::new(|| {
    let def = crate::langdef::builtin("c").unwrap();
    let selection = CommitSelection::new(&def, &[], false).unwrap();
    (def, selection, FixWords::default())
});

fn read_as(
    input: impl Read,
    piece: usize,
    progress: &Progress,
) -> Result<HistoryReading<Seer>, HistoryError> {
    let (def, selection, fixes) = &*C;
    let wish = PatchWish { def, selection, fixes, progress };
    // A single piece where the window is large, so that tests can compare cut with uncut.
    let threads = if piece > 1000 { 1 } else { 3 };
    read_in_pieces(PatchText { name: "test.patch", input, size: None }, wish, piece, threads, Seer::default)
}

fn read(text: impl AsRef<[u8]>) -> (Seer, Census, Vec<String>) {
    let reading = read_as(text.as_ref(), 1 << 20, &Progress::default()).unwrap();
    let mut all = Seer::default();
    for seer in reading.collectors {
        all.seen.extend(seer.seen);
        all.commits.extend(seer.commits);
        all.texts.extend(seer.texts);
    }
    (all, reading.census, reading.warnings)
}

/// The blocks of a text, without commit and path.
fn blocks(text: impl AsRef<[u8]>) -> Vec<(String, String)> {
    read(text).0.seen.into_iter().map(|(_, _, removed, added)| (removed, added)).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(removed, added)| (removed.into(), added.into())).collect()
}

fn file(path: &str, hunks: &str) -> String {
    format!("diff --git a/{path} b/{path}\nindex 1..2 100644\n--- a/{path}\n+++ b/{path}\n{hunks}")
}

#[test]
fn context_ends_a_block_and_empty_sides_stand_in_the_right_place() {
    let (seer, census, warnings) = read(file("x.c", "@@ -1,5 +1,5 @@ int f\n a\n-b\n+B\n c\n+d\n e\n-f\n"));
    let blocks: Vec<_> = seer.seen.iter().map(|seen| (&seen.2[..], &seen.3[..])).collect();
    assert_eq!(blocks, [("b\n", "B\n"), ("", "d\n"), ("f\n", "")]);
    assert!(seer.texts.iter().all(|texts| *texts == (b"a\nb\nc\ne\nf\n".into(), b"a\nB\nc\nd\ne\n".into())));
    assert_eq!((census.files, census.blocks, census.malformed), (1, 3, 0));
    assert_eq!((seer.commits[0].clone(), warnings), (Commit::default(), vec![]));
}

#[test]
fn counts_and_not_looks_decide_what_a_line_is() {
    let text = "--- x.c\n+++ x.c\n@@ -1,2 +1,2 @@\n--- a\n+++ b\n-diff --git\n+@@ -1 +1 @@\n-- \n2.43.0\n";
    assert_eq!(blocks(text), pairs(&[("-- a\ndiff --git\n", "++ b\n@@ -1 +1 @@\n")]));
}

#[test]
fn any_byte_passes_through() {
    let mut text = file("x.c", "@@ -1 +1 @@\n").into_bytes();
    text.extend_from_slice(b"-\ta\xff\0\r\n+\tb\xfe\0\xc3\xa4\r\n");
    let (seer, ..) = read(&text);
    assert_eq!(seer.texts, [(b"\ta\xff\0\r\n".to_vec(), b"\tb\xfe\0\xc3\xa4\r\n".to_vec())]);
}

#[test]
fn a_missing_last_line_end_is_missing_in_the_text_too() {
    let none = "\\ No newline at end of file\n";
    let of = |hunk: String| read(file("x.c", &hunk)).0;
    assert_eq!(of(format!("@@ -1 +1 @@\n-a\n{none}+b\n")).texts, [(b"a".into(), b"b\n".into())]);
    assert_eq!(of(format!("@@ -1 +1 @@\n-a\n+b\n{none}")).texts, [(b"a\n".into(), b"b".into())]);
    let both = of(format!("@@ -1,2 +1,2 @@\n-a\n+b\n c\n{none}@@ -9 +9 @@\n-x\n+y\n"));
    assert_eq!(both.texts, [(b"a\nc".into(), b"b\nc".into()), (b"x\n".to_vec(), b"y\n".to_vec())]);
}

#[test]
fn empty_context_lines_that_lost_their_blank_are_context() {
    let hunk = "@@ -1,4 +1,4 @@\n\n-a\n+b\n\r\n-c\n+d\n";
    assert_eq!(blocks(file("x.c", hunk)), pairs(&[("a\n", "b\n"), ("c\n", "d\n")]));
}

#[test]
fn paths_come_without_prefix_quotes_and_times() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let path = |head: &str| read(format!("{head}{hunk}")).0.seen.first().map(|seen| seen.1.clone());
    assert_eq!(path("--- a/d/x.c\n+++ b/d/x.c\n").unwrap(), "d/x.c");
    assert_eq!(path("--- d/x.c\t2001-09-17 00:00:00\n+++ d/x.c\t2001-09-18\n").unwrap(), "d/x.c");
    assert_eq!(path("--- a/a b.c\t\n+++ b/a b.c\t\n").unwrap(), "a b.c");
    assert_eq!(path("--- \"a/sp\\303\\244ce.c\"\n+++ \"b/sp\\303\\244ce.c\"\n").unwrap(), "späce.c");
    assert_eq!(
        path("diff --git a/o.c b/n.c\nrename from o.c\nrename to n.c\n--- a/o.c\n+++ b/n.c\n").unwrap(),
        "n.c"
    );
    assert_eq!(path("Index: x.c\n=====\n--- x.c\t(revision 1)\n+++ x.c\t(working copy)\n").unwrap(), "x.c");
    assert_eq!(path("--- a/x.py\n+++ b/x.py\n"), None);
}

#[test]
fn files_that_are_left_out_are_counted() {
    let hunk = "@@ -0,0 +1 @@\n+a\n";
    let added = format!("diff --git a/x.c b/x.c\nnew file mode 100644\n--- /dev/null\n+++ b/x.c\n{hunk}");
    let empty = "diff --git a/x.c b/x.c\ndeleted file mode 100644\nindex 1..2\n";
    let plain = format!("--- /dev/null\n+++ b/x.c\n{hunk}");
    let other = format!("--- /dev/null\n+++ b/x.py\n{hunk}");
    let binary = "diff --git a/x.c b/x.c\nindex 1..2\nBinary files a/x.c and b/x.c differ\n";
    let literal = "diff --git a/x.c b/x.c\nindex 1..2\nGIT binary patch\nliteral 3\nKcmZQzU|?ckU|;|N\n\n";
    let mode = "diff --git a/x.c b/x.c\nold mode 100644\nnew mode 100755\n";
    let (vendored, generated) = (file("vendor/x.c", hunk), file("x.pb.c", hunk));
    let text = format!("{added}{empty}{binary}{literal}{mode}{vendored}{generated}{plain}{other}");
    let (seer, census, warnings) = read(&text);
    assert!(seer.seen.is_empty() && warnings.len() == 1);
    assert_eq!((census.added_or_removed, census.unfit), (3, 2));
    assert_eq!((census.vendored, census.generated, census.files, census.malformed), (1, 1, 0, 0));
    assert_eq!(census.bytes, text.len() as u64);
}

const LOG: &str = "Author: A <a@b>\nDate:   Mon Sep 17 01:02:03 2001 +0200\n\n    Fix it\n\n";

#[test]
fn merges_are_left_out_and_counted_once() {
    let combined =
        "diff --cc x.c\nindex 1,2..3\n--- a/x.c\n+++ b/x.c\n@@@ -1,2 -1,2 +1,2 @@@\n  a\n--- b\n +++ c\n";
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let merge = format!("commit 0000001\nMerge: 1 2\n{LOG}{combined}{}\n", file("x.c", hunk));
    let text = format!("{merge}commit 0000002\n{LOG}{}", file("x.c", hunk));
    let (seer, census, _) = read(&text);
    assert_eq!((census.merges, census.commits, census.malformed, seer.seen.len()), (1, 1, 0, 1));
    assert_eq!(read(combined).1.merges, 1);
}

#[test]
fn changes_know_their_commit() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let log = format!("commit 0123456\n{LOG}{}\n", file("x.c", hunk));
    let mail = format!(
        "From {} Mon Sep 17 00:00:00 2001\nFrom: C <c@d>\nDate: Mon, 17 Sep 2001 01:02:03 +0200\n\
         Subject: [PATCH] Rename\n\ndo it\n---\n x.c | 2 +-\n 1 file changed\n\n{}-- \n2.43.0\n\n",
        "12".repeat(20),
        file("y.c", hunk)
    );
    let (seer, census, _) = read(format!("{log}{mail}{log}"));
    let short: Vec<_> = seer
        .commits
        .iter()
        .zip(&seer.seen)
        .map(|(commit, seen)| (commit.author.as_slice(), commit.fix, commit.time, &seen.1[..]))
        .collect();
    let time = Some(1_000_681_323);
    let log = (&b"a@b"[..], true, time, "x.c");
    assert_eq!(short, [log, (b"c@d", false, time, "y.c"), log]);
    assert_eq!((census.commits, census.malformed), (3, 0));
    assert!(blocks(mail) == pairs(&[("a\n", "b\n")]));
}

#[test]
fn broken_hunks_are_counted_and_the_rest_goes_on() {
    let sound = file("y.c", "@@ -1 +1 @@\n-x\n+y\n");
    for (hunk, kept) in [
        ("@@ -1,9 +1,9 @@\n-a\n+b\n c\n-d\n", vec![("a\n", "b\n"), ("x\n", "y\n")]),
        ("@@ -1,1 +1,3 @@\n-a\n+b\n c\n", vec![("a\n", "b\n"), ("x\n", "y\n")]),
        ("@@ -2 +1,2 @@\n-a\n-b\n+c\n+d\n", vec![("x\n", "y\n")]),
        ("@@ garbage\n@@ -x +1 @@\n-a\n", vec![("x\n", "y\n")]),
    ] {
        let (seer, census, warnings) = read(format!("{}{sound}", file("x.c", hunk)));
        let blocks: Vec<_> = seer.seen.iter().map(|seen| (&seen.2[..], &seen.3[..])).collect();
        assert_eq!((blocks, census.malformed, warnings.len()), (kept, 1, 1), "{hunk}");
    }
    let (seer, census, _) = read(file("x.c", "@@ -1,5 +1,5 @@\n-a\n+b\n c\n-d"));
    assert_eq!((seer.seen.len(), census.malformed), (1, 1), "the torn block is left out");
    assert_eq!(read("@@ -1 +1 @@\n-a\n+b\n").1.malformed, 1, "a hunk of no file");
}

#[test]
fn a_block_of_nothing_is_no_block() {
    assert_eq!(blocks(file("x.c", "@@ -1 +0,0 @@\n-")), []);
    assert_eq!(blocks(file("x.c", "@@ -1 +0,0 @@\n-\n\\ No newline at end of file\n")), []);
}

#[test]
fn other_formats_are_counted_as_malformed() {
    let context = "*** x.c\t2001\n--- x.c\t2002\n***************\n*** 1,2 ****\n! a\n--- 1,2 ----\n! b\n";
    let normal = "diff -r x.c y.c\n1,2c3\n< a\n---\n> b\n9d8\n< x\n";
    let (seer, census, _) = read(format!("{context}{normal}"));
    assert_eq!((seer.seen.len(), census.malformed), (0, 3));
}

#[test]
fn cuts_change_nothing() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let log = |id: u32| format!("commit 000000{id}\n{LOG}{}{}\n", file("x.c", hunk), file("y.c", hunk));
    let text: String = (1..9).map(log).collect();
    let whole = read(&text).0.seen;
    assert_eq!(whole.len(), 16);
    for size in [1, 40, 77, 150, 1000] {
        let reading = read_as(text.as_bytes(), size, &Progress::default()).unwrap();
        assert_eq!((reading.census.commits, reading.census.bytes), (8, text.len() as u64));
        let seen: Vec<_> = reading.collectors.into_iter().flat_map(|seer| seer.seen).collect();
        assert_eq!(seen, whole, "{size}");
    }
}

/// Lines of every kind, sound and broken, in any order.
const LINES: [&str; 24] = [
    "diff --git a/x.c b/x.c\n",
    "--- a/x.c\n+++ b/x.c\n",
    "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-a\n+b\n",
    "diff --git a/y.c b/y.c\n--- a/y.c\n+++ b/y.c\n@@ -1,2 +1,2 @@\n a\n-a\n+b\n",
    "@@ -1,3 +1,3 @@\n",
    "@@ -1 +1 @@\n",
    "-a\n",
    "+b\n",
    " c\n",
    "\n",
    "--- x\n",
    "+++ y\n",
    "-- \n",
    "\\ No newline at end of file\n",
    "commit 0123456\nAuthor: A <a@b>\n\n    fix\n\n",
    "commit 1234567\nMerge: 1 2\nAuthor: A <c@d>\n\n    text\n\n",
    "From a Mon Sep 17 00:00:00 2001\nFrom: e@f\nSubject: x\n\nbody\n",
    "---\n",
    "diff --cc x.c\n",
    "@@@ -1 -1 +1 @@@\n",
    "new file mode 100644\n",
    "Binary files a/x.c and b/x.c differ\n",
    "***************\n",
    "1c1\n",
];

proptest! {
    #[test]
    fn no_cut_changes_what_is_read(lines in prop::collection::vec(prop::sample::select(&LINES[..]), 0..40),
                                   size in 1usize..300) {
        let text = lines.concat();
        let whole = read_as(text.as_bytes(), 1 << 20, &Progress::default()).unwrap();
        let cut = read_as(text.as_bytes(), size, &Progress::default()).unwrap();
        prop_assert_eq!(&whole.census, &cut.census);
        let all = |reading: HistoryReading<Seer>| {
            let seers = reading.collectors.into_iter();
            seers.flat_map(|seer| seer.seen.into_iter().zip(seer.commits)).collect::<Vec<_>>()
        };
        prop_assert_eq!(all(whole), all(cut));
    }
}

#[test]
fn progress_counts_bytes_and_stops_the_reading() {
    let text = file("x.c", "@@ -1 +1 @@\n-a\n+b\n").repeat(50);
    let progress = Progress::default();
    read_as(text.as_bytes(), 100, &progress).unwrap();
    assert_eq!(progress.done(), text.len() as u64);
    progress.stop();
    assert!(read_as(text.as_bytes(), 100, &progress).unwrap().collectors.is_empty());
}

#[test]
fn a_stream_that_fails_names_its_source() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    let error = read_as(Failing, 10, &Progress::default()).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "test.patch: gone");
}

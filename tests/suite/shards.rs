//! Many repositories: tallies that are kept, manifests, and parts of the work on several machines.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::cli::command;
use crate::fixture::Fixture;
use crate::tools;

/// The repositories; the last directories of two of them have one name.
const NAMES: [&str; 5] = ["one/x", "two/x", "three", "four", "five"];

/// Five repositories with changes of their own, and some that all have.
fn five() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    for (number, name) in NAMES.iter().enumerate() {
        let mut repo = Fixture::new();
        let file = |check: &str, rest: &str| {
            format!(
                "int f{number}(int a, int b)\n{{\n    if ({check})\n        g(a);\n{rest}    return a;\n}}\n"
            )
        };
        repo.commit(name, &[("f.c", &file("a", "")), ("h.c", "int h = old_name;\n")]);
        repo.commit("Fix the check", &[("f.c", &file("a && b", ""))]);
        repo.commit("More", &[("f.c", &file("a && b", &"    b++;\n".repeat(number + 1)))]);
        repo.commit("Shift", &[("h.c", "int h = new_name;\n")]);
        let last = repo.commit("Less", &[("f.c", &file("a >= b", &format!("    b -= {number};\n")))]);
        repo.repo().reference("refs/heads/main", last, true, "for clones").unwrap();
        repo.repo().set_head("refs/heads/main").unwrap();
        let place = home.path().join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::rename(repo.path(), place).unwrap();
    }
    home
}

/// What a command prints to standard error.
#[track_caller]
fn run(home: &Path, code: i32, arguments: &[&str]) -> String {
    let output = command(home).args(["harvest", "--name", "set"]).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

/// The set that a harvest of all five writes.
#[track_caller]
fn set(home: &Path, more: &[&str]) -> (String, String) {
    let said = run(home, 0, &[&NAMES[..], &["-o", "set.toml", "--shift-min", "1"], more].concat());
    (fs::read_to_string(home.join("set.toml")).unwrap(), said)
}

fn tallies(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn head(home: &Path, name: &str) -> String {
    let repo = git2::Repository::open(home.join(name)).unwrap();
    repo.head().unwrap().target().unwrap().to_string()
}

#[test]
fn any_parts_in_any_order_put_together_are_the_whole() {
    let home = five();
    let home = home.path();
    let (whole, _) = set(home, &[]);
    assert!(whole.contains("one/x") || whole.contains("x#"), "{whole}");
    for parts in 1..=5 {
        let keep = format!("keep{parts}");
        let mut mine = 0;
        for part in (1..=parts).rev() {
            let shard = format!("{part}/{parts}");
            let said = run(home, 0, &[&NAMES[..], &["-l", "c", "--keep", &keep, "--shard", &shard]].concat());
            let (_, after) = said.split_once(&format!("part {shard}: ")).expect(&said);
            mine += after.split_once(" of 5 repositories").expect(&said).0.parse::<usize>().unwrap();
        }
        assert_eq!((mine, tallies(&home.join(&keep)).len()), (5, 5));
        let (together, said) = set(home, &["--keep", &keep]);
        assert!(said.contains("5 tallies already kept, 0 read now"), "{said}");
        assert_eq!(together, whole, "{parts} parts");
    }
    let (in_files, said) = set(home, &["--keep", "keep3", "--memory", "1K"]);
    assert!(said.contains("temporary files"), "{said}");
    assert_eq!(in_files, whole);
}

#[test]
fn levels_and_both_directions_are_put_together_as_well() {
    let home = five();
    let home = home.path();
    let asked = ["--granularity", "levels", "--direction", "both", "-l", "c"];
    let (whole, _) = set(home, &asked);
    for shard in ["2/2", "1/2"] {
        run(home, 0, &[&NAMES[..], &asked, &["--keep", "keep", "--shard", shard, "-q"]].concat());
    }
    for memory in ["1G", "0"] {
        let (together, _) = set(home, &[&asked[..], &["--keep", "keep", "--memory", memory]].concat());
        assert_eq!(together, whole, "{memory}");
    }
}

#[test]
fn only_what_is_missing_damaged_or_changed_is_read_again() {
    let home = five();
    let home = home.path();
    let keep = ["--keep", "keep", "-l", "c"];
    let (whole, said) = set(home, &keep);
    assert!(said.contains("0 tallies already kept, 5 read now"), "{said}");
    let files = tallies(&home.join("keep"));
    assert!(files.iter().any(|file| file.to_string_lossy().contains("/three-")), "{files:?}");
    fs::remove_file(&files[0]).unwrap();
    let text = fs::read_to_string(&files[1]).unwrap();
    fs::write(&files[1], &text[..text.len() / 2]).unwrap();
    let text = fs::read_to_string(&files[2]).unwrap();
    fs::write(&files[2], text.replacen("\"candidates\":", "\"candidates\":1", 1)).unwrap();
    let (again, said) = set(home, &keep);
    assert!(said.contains("2 tallies already kept, 3 read now"), "{said}");
    assert_eq!(said.matches("; reading ").count(), 2, "{said}");
    assert_eq!(again, whole);
    // Thresholds and idioms are not asked of tallies, but what is left out early is.
    let (_, said) = set(home, &[&keep[..], &["--min-count", "2", "--no-idioms"]].concat());
    assert!(said.contains("5 tallies already kept, 0 read now"), "{said}");
    for other in [&["--max-tokens", "9"][..], &["--max-commits", "3"], &["--granularity", "line"]] {
        let (_, said) = set(home, &[&keep[..], other].concat());
        assert!(said.contains("0 tallies already kept, 5 read now"), "{other:?}: {said}");
    }
    // A repository that goes on is another one to read.
    let repo = git2::Repository::open(home.join("five")).unwrap();
    let parent = repo.head().unwrap().peel_to_commit().unwrap().parent(0).unwrap();
    repo.set_head_detached(parent.id()).unwrap();
    let (less, said) = set(home, &keep);
    assert!(said.contains("4 tallies already kept, 1 read now"), "{said}");
    assert_eq!(less, set(home, &[]).0);
}

#[test]
fn what_was_missing_when_a_tally_was_kept_is_said_again() {
    let home = five();
    let home = home.path();
    let repo = git2::Repository::open(home.join("five")).unwrap();
    let tree = repo.head().unwrap().peel_to_tree().unwrap();
    let blob = tree.get_name("f.c").unwrap().id().to_string();
    fs::remove_file(repo.path().join("objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    for again in ["", "from its kept tally"] {
        let said = run(home, 5, &["four", "five", "-l", "c", "--keep", "keep", "-o", "set.toml", "-q"]);
        assert!(said.contains("missing or damaged") && said.contains(again), "{said}");
    }
    assert_eq!(tallies(&home.join("keep")).len(), 2);
}

#[test]
fn a_kept_tally_is_a_raw_tally() {
    let home = five();
    let home = home.path();
    run(home, 0, &["three", "--keep", "keep", "-o", "a.toml", "-q"]);
    let file = tallies(&home.join("keep"))[0].to_str().unwrap().to_owned();
    run(home, 0, &[&file, "-o", "b.toml", "-q"]);
    assert_eq!(fs::read(home.join("a.toml")).unwrap(), fs::read(home.join("b.toml")).unwrap());
}

#[test]
fn merge_puts_raw_tallies_together_in_any_order() {
    let home = five();
    run(home.path(), 0, &[&NAMES[..], &["-l", "c", "--raw", "-o", "all.tally"]].concat());
    run(home.path(), 0, &[&NAMES[..], &["-l", "c", "--keep", "kept", "-q", "-o", "set.toml"]].concat());
    let mut kept = tallies(&home.path().join("kept"));
    kept.rotate_left(2);
    let merge = |parts: &[PathBuf], output: &str| {
        command(home.path()).arg("merge").args(parts).args(["-o", output]).output().unwrap()
    };
    let read = |name: &str| fs::read_to_string(home.path().join(name)).unwrap();
    assert!(merge(&kept[..3], "some.tally").status.success());
    let rest = [&[home.path().join("some.tally")], &kept[3..]].concat();
    assert!(merge(&rest, "merged.tally").status.success());
    assert_eq!(read("merged.tally"), read("all.tally"));
    let mixed = merge(&[kept[0].clone(), home.path().join("kept")], "mixed.tally");
    assert_eq!(mixed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&mixed.stderr).contains("cannot be merged"));
}

#[test]
fn a_manifest_names_repositories_and_where_their_histories_start() {
    let home = five();
    let home = home.path();
    let (whole, _) = set(home, &[]);
    let heads: Vec<String> = NAMES[2..].iter().map(|name| format!("{name} {}", head(home, name))).collect();
    fs::write(home.join("list"), format!("# the rest\n\n{}\n", heads.join("\n"))).unwrap();
    run(home, 0, &["one/x", "two/x", "--manifest", "list", "--shift-min", "1", "-o", "listed.toml"]);
    assert_eq!(fs::read_to_string(home.join("listed.toml")).unwrap(), whole);
    let repo = git2::Repository::open(home.join("three")).unwrap();
    let earlier = repo.head().unwrap().peel_to_commit().unwrap().parent(0).unwrap().id().to_string();
    fs::write(home.join("list"), format!("three {earlier}")).unwrap();
    run(home, 0, &["--manifest", "list", "-o", "a.toml", "-q"]);
    run(home, 0, &["three", "--branch", &earlier, "-o", "b.toml", "-q"]);
    assert_eq!(fs::read(home.join("a.toml")).unwrap(), fs::read(home.join("b.toml")).unwrap());
}

#[test]
fn mistakes_in_a_manifest_are_named_with_their_lines() {
    let home = five();
    let home = home.path();
    run(home, 0, &["three", "--raw", "-o", "three.tally", "-q"]);
    for (text, place, remedy) in [
        ("three\n\nnowhere abc\n", "list:3", "no such file"),
        ("three a b\n", "list:1", "SOURCE [COMMIT]"),
        ("# nothing\n", "list", "lists no repository"),
        ("four\nthree.tally abc\n", "list:2", "no history"),
    ] {
        fs::write(home.join("list"), text).unwrap();
        let said = run(home, 1, &["--manifest", "list", "-o", "set.toml"]);
        assert!(said.contains(place) && said.contains(remedy), "{text:?}: {said}");
    }
    fs::write(home.join("list"), "three\nfour nothing-of-this-name\n").unwrap();
    let said = run(home, 5, &["--manifest", "list", "-o", "set.toml", "-q"]);
    assert!(said.contains("skipped") && said.contains("nothing-of-this-name"), "{said}");
    assert!(run(home, 1, &["--manifest", "no-list"]).contains("no-list"));
}

#[test]
fn what_a_part_cannot_do_is_refused_with_a_remedy() {
    let home = five();
    let home = home.path();
    for (arguments, remedy) in [
        (&["three", "--shard", "1/2", "-l", "c"][..], "--keep DIR"),
        (&["three", "--shard", "1/2", "-l", "c", "--keep", "k", "-o", "s"], "without --shard"),
        (&["three", "--shard", "1/2", "-l", "c", "--keep", "k", "--raw"], "without --shard"),
        (&["three", "--shard", "1/2", "--keep", "k"], "-l"),
        (&["--shard", "1/2", "-l", "c", "--keep", "k"], "--manifest"),
        (&["three", "--shard", "3/2", "-l", "c", "--keep", "k"], "K/N"),
        (&["three", "--keep", "k", "--explain"], "--explain"),
        (&["three", "--memory", "much"], "2G"),
        (&["three", "--keep", "three/HEAD"], "cannot keep tallies in three/HEAD"),
    ] {
        let output = command(home).arg("harvest").args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(1 | 2)) && said.contains(remedy),
            "{arguments:?}: {said}"
        );
    }
    assert!(!home.join("k").exists());
}

#[test]
fn repositories_of_other_parts_need_not_be_here() {
    let home = five();
    let home = home.path();
    let names = ["a", "b", "c", "d", "e"];
    let line = |(name, path): (&&str, &&str)| format!("{name}={path} {}\n", head(home, path));
    fs::write(home.join("list"), names.iter().zip(&NAMES).map(line).collect::<String>()).unwrap();
    let asked = ["--manifest", "list", "-l", "c", "-q"];
    run(home, 0, &[&asked[..], &["-o", "whole.toml"]].concat());
    let all = home.join("all");
    fs::create_dir(&all).unwrap();
    let tops = ["one", "two", "three", "four", "five"];
    tops.iter().for_each(|name| fs::rename(home.join(name), all.join(name)).unwrap());
    for part in 1..=2 {
        let shard = wildcaught::control::Shard::new(part, 2).unwrap();
        let mine: Vec<&str> =
            names.iter().zip(tops).filter(|(name, _)| shard.owns(name)).map(|(_, top)| top).collect();
        mine.iter().for_each(|top| fs::rename(all.join(top), home.join(top)).unwrap());
        run(home, 0, &[&asked[..], &["--keep", "keep", "--shard", &shard.to_string()]].concat());
        mine.iter().for_each(|top| fs::rename(home.join(top), all.join(top)).unwrap());
    }
    run(home, 0, &[&asked[..], &["--keep", "keep", "-o", "merged.toml"]].concat());
    assert_eq!(fs::read(home.join("merged.toml")).unwrap(), fs::read(home.join("whole.toml")).unwrap());
    fs::remove_file(&tallies(&home.join("keep"))[0]).unwrap();
    let said = run(home, 5, &[&asked[..], &["--keep", "keep", "-o", "merged.toml"]].concat());
    assert!(said.contains("skipped"), "{said}");
}

#[test]
fn kept_tallies_of_remote_repositories_need_no_network() {
    if !tools::are_here(&["git"]) {
        return;
    }
    let home = five();
    let home = home.path();
    let list: Vec<String> =
        NAMES.iter().map(|name| format!("file://{}/{name} {}", home.display(), head(home, name))).collect();
    fs::write(home.join("list"), list.join("\n")).unwrap();
    let asked = ["--manifest", "list", "-l", "c", "--cache", "cache", "-q"];
    run(home, 0, &[&asked[..], &["-o", "whole.toml"]].concat());
    for shard in ["1/2", "2/2"] {
        let cache = format!("cache{}", &shard[..1]);
        run(
            home,
            0,
            &["--manifest", "list", "-l", "c", "--cache", &cache, "-q", "--keep", "keep", "--shard", shard],
        );
    }
    let copies = |cache: &str| {
        let copy = |name: &&str| home.join(cache).join(format!("file{}/{name}.git", home.display())).exists();
        NAMES.iter().filter(|name| copy(name)).count()
    };
    assert_eq!(copies("cache1") + copies("cache2"), 5, "repositories of other parts are not fetched");
    // All of them may be in one part: it depends on where the temporary directory is.
    for name in ["one", "two", "three", "four", "five", "cache", "cache1", "cache2"] {
        let place = home.join(name);
        assert!(!place.exists() || fs::remove_dir_all(&place).is_ok(), "{name}");
    }
    run(home, 0, &[&asked[..], &["--keep", "keep", "--offline", "-o", "merged.toml"]].concat());
    assert_eq!(fs::read(home.join("merged.toml")).unwrap(), fs::read(home.join("whole.toml")).unwrap());
    fs::remove_file(&tallies(&home.join("keep"))[0]).unwrap();
    let said = run(home, 5, &[&asked[..], &["--keep", "keep", "--offline", "-o", "merged.toml"]].concat());
    assert!(said.contains("skipped"), "{said}");
}

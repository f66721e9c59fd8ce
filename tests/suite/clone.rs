//! Cloning from a git server that the test runs itself, and from `file://`.

use std::fs;
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use git2::Repository;
use git2::Signature;
use tempfile::TempDir;
use wildcaught::history::Cloning;
use wildcaught::history::HistoryError;
use wildcaught::history::Received;
use wildcaught::history::Remote;

use crate::cli::command;
use crate::git_server::serve;
use crate::tools;

const ONLINE: Cloning = Cloning { offline: false, can_ask: false };
const OFFLINE: Cloning = Cloning { offline: true, can_ask: false };

fn go_on(_: Received) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Adds a commit to a branch of a bare repository.
fn commit(repo: &Repository, branch: &str, text: &str) {
    let blob = repo.blob(text.as_bytes()).unwrap();
    let mut tree = repo.treebuilder(None).unwrap();
    tree.insert("x.c", blob, 0o100_644).unwrap();
    let tree = repo.find_tree(tree.write().unwrap()).unwrap();
    let who = Signature::now("A", "a@b").unwrap();
    let name = format!("refs/heads/{branch}");
    let parent = repo.find_reference(&name).ok().map(|parent| parent.peel_to_commit().unwrap());
    let parents: Vec<_> = parent.iter().collect();
    repo.commit(Some(&name), &who, &who, text, &tree, &parents).unwrap();
}

/// A bare repository `owner/good.git` with two branches, HEAD on `trunk`; none if there is no git to clone it.
fn origin() -> Option<(TempDir, Repository)> {
    if !tools::are_here(&["git"]) {
        return None;
    }
    let directory = tempfile::tempdir().unwrap();
    let repo = Repository::init_bare(directory.path().join("owner/good.git")).unwrap();
    commit(&repo, "trunk", "int a;\n");
    commit(&repo, "side", "int b;\n");
    repo.set_head("refs/heads/trunk").unwrap();
    Some((directory, repo))
}

fn file_remote(directory: &TempDir) -> Remote {
    Remote::parse(&format!("file://{}/owner/good.git", directory.path().display())).unwrap()
}

/// What the cache holds, hidden files and the insides of copies left out.
fn copies(cache: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![cache.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap();
            let is_copy = name.ends_with(".git") || name.ends_with(".partial");
            if is_copy {
                found.push(name);
            } else if entry.path().is_dir() {
                open.push(entry.path());
            }
        }
    }
    found
}

fn message_at_head(path: &Path) -> String {
    let repo = Repository::open_bare(path).unwrap();
    assert!(repo.find_reference("refs/heads/trunk").is_ok());
    repo.head().unwrap().peel_to_commit().unwrap().message().unwrap().to_owned()
}

/// Clones, adds commits to the origin, and looks whether the copy follows.
fn clone_and_update(remote: &Remote, origin: &Repository) {
    let cache = tempfile::tempdir().unwrap();
    let path = remote.fetch_into(cache.path(), &ONLINE, &go_on).unwrap();
    assert!(path.ends_with("owner/good.git") && path.starts_with(cache.path()));
    assert_eq!(message_at_head(&path), "int a;\n");
    commit(origin, "trunk", "int c;\n");
    commit(origin, "new", "int d;\n");
    origin.find_reference("refs/heads/side").unwrap().delete().unwrap();
    assert_eq!(remote.fetch_into(cache.path(), &OFFLINE, &go_on).unwrap(), path);
    assert_eq!(message_at_head(&path), "int a;\n", "offline, nothing is fetched");
    assert_eq!(remote.fetch_into(cache.path(), &ONLINE, &go_on).unwrap(), path);
    assert_eq!(message_at_head(&path), "int c;\n");
    let copy = Repository::open_bare(&path).unwrap();
    assert!(copy.find_reference("refs/heads/new").is_ok() && copy.find_reference("refs/heads/side").is_err());
    assert_eq!(copies(cache.path()), ["good.git"]);
}

#[test]
fn a_file_address_is_cloned_and_followed() {
    let Some((directory, repo)) = origin() else { return };
    clone_and_update(&file_remote(&directory), &repo);
}

#[test]
fn an_empty_repository_is_cloned_too() {
    if !tools::are_here(&["git"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    Repository::init_bare(directory.path().join("owner/good.git")).unwrap();
    let cache = tempfile::tempdir().unwrap();
    let path = file_remote(&directory).fetch_into(cache.path(), &ONLINE, &go_on).unwrap();
    assert!(Repository::open_bare(path).unwrap().is_empty().unwrap());
}

#[test]
fn offline_without_a_copy_says_what_to_do() {
    let cache = tempfile::tempdir().unwrap();
    let remote = Remote::parse("gh:owner/name").unwrap();
    let error = remote.fetch_into(cache.path(), &OFFLINE, &go_on).unwrap_err();
    assert_eq!(
        error.to_string(),
        "https://github.com/owner/name.git: not in the cache, and --offline forbids cloning it; run once without --offline"
    );
    assert!(fs::read_dir(cache.path()).unwrap().next().is_none());
}

#[test]
fn an_interruption_leaves_nothing_behind() {
    let Some((directory, _repo)) = origin() else { return };
    let (remote, cache) = (file_remote(&directory), tempfile::tempdir().unwrap());
    for calls in [0, 1, 2] {
        let left = AtomicUsize::new(calls);
        let stop =
            |_| match left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) {
                Ok(_) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            };
        let result = remote.fetch_into(cache.path(), &ONLINE, &stop);
        assert!(matches!(result, Err(HistoryError::Stopped)), "{result:?}");
        assert!(copies(cache.path()).is_empty());
    }
}

#[test]
fn a_transfer_that_hangs_is_ended_at_once() {
    if !tools::are_here(&["git"]) {
        return;
    }
    // It takes the connection, and never answers.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/owner/good", listener.local_addr().unwrap());
    let (cache, begun) = (tempfile::tempdir().unwrap(), Instant::now());
    let later = |_| match begun.elapsed() < Duration::from_millis(500) {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let result = Remote::parse(&url).unwrap().fetch_into(cache.path(), &ONLINE, &later);
    assert!(matches!(result, Err(HistoryError::Stopped)), "{result:?}");
    assert!(begun.elapsed() < Duration::from_secs(30) && copies(cache.path()).is_empty());
}

#[test]
fn without_git_the_error_says_so() {
    let Some((directory, _repo)) = origin() else { return };
    let here = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/bin/sh", here.path().join("sh")).unwrap();
    let output = command(here.path())
        .args(["harvest", "--cache", "cache", file_remote(&directory).shown()])
        .env("PATH", here.path())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("git is not in PATH; install git"), "{error}");
}

#[test]
fn git_goes_by_its_own_configuration() {
    let Some((directory, _repo)) = origin() else { return };
    let here = tempfile::tempdir().unwrap();
    let output = command(here.path())
        .args(["harvest", "-l", "c", "--cache", "cache", "git@no-such-host.invalid:owner/good"])
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", format!("url.file://{}/.insteadOf", directory.path().display()))
        .env("GIT_CONFIG_VALUE_0", "git@no-such-host.invalid:")
        // As in a hook of another repository.
        .env("GIT_DIR", "/no/such/directory")
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("commits") && !error.contains("skipped:"), "{error}");
    let copy = here.path().join("cache/no-such-host.invalid/owner/good.git");
    assert_eq!(message_at_head(&copy), "int a;\n");
}

#[test]
fn what_a_killed_process_left_is_removed() {
    let Some((directory, _repo)) = origin() else { return };
    let (remote, cache) = (file_remote(&directory), tempfile::tempdir().unwrap());
    let place = remote.place(cache.path());
    let partial = place.with_file_name(".good.git.partial");
    fs::create_dir_all(partial.join("objects")).unwrap();
    fs::write(partial.join("HEAD"), "garbage").unwrap();
    assert_eq!(remote.fetch_into(cache.path(), &ONLINE, &go_on).unwrap(), place);
    assert_eq!((message_at_head(&place), copies(cache.path())), ("int a;\n".into(), vec!["good.git".into()]));
}

#[test]
fn many_at_once_share_one_copy() {
    let Some((directory, _repo)) = origin() else { return };
    let (remote, cache) = (file_remote(&directory), tempfile::tempdir().unwrap());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let path = remote.fetch_into(cache.path(), &ONLINE, &go_on).unwrap();
                assert_eq!(message_at_head(&path), "int a;\n");
            });
        }
    });
    assert_eq!(copies(cache.path()), ["good.git"]);
}

#[test]
fn a_damaged_copy_says_what_to_do() {
    let Some((directory, _repo)) = origin() else { return };
    let (remote, cache) = (file_remote(&directory), tempfile::tempdir().unwrap());
    fs::create_dir_all(remote.place(cache.path())).unwrap();
    let error = remote.fetch_into(cache.path(), &ONLINE, &go_on).unwrap_err().to_string();
    assert!(error.contains("is damaged") && error.ends_with("delete it; it will be cloned again"), "{error}");
}

fn error_of(url: &str) -> String {
    let cache = tempfile::tempdir().unwrap();
    let error = Remote::parse(url).unwrap().fetch_into(cache.path(), &ONLINE, &go_on).unwrap_err();
    assert!(copies(cache.path()).is_empty());
    error.to_string()
}

#[test]
fn a_port_where_nobody_listens_is_no_connection() {
    if !tools::are_here(&["git"]) {
        return;
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = error_of(&format!("http://127.0.0.1:{port}/owner/good"));
    assert!(error.contains("no connection (") && error.contains("--offline"), "{error}");
    let error = error_of("http://no-such-host.invalid/owner/good");
    assert!(error.contains("host no-such-host.invalid not found"), "{error}");
}

#[test]
fn a_missing_directory_is_no_such_repository() {
    if !tools::are_here(&["git"]) {
        return;
    }
    let error = error_of("file:///no/such/directory");
    assert!(error.contains("no such repository (") && error.ends_with("check owner and name"), "{error}");
}

#[test]
fn a_server_is_cloned_from_and_its_refusals_are_told_apart() {
    let Some((directory, repo)) = origin() else { return };
    let server = serve(directory.path());
    clone_and_update(&Remote::parse(&format!("{server}/owner/good")).unwrap(), &repo);
    let missing = error_of(&format!("{server}/owner/missing"));
    assert!(missing.contains("no such repository"), "{missing}");
    let private = error_of(&format!("{server}/private/name"));
    assert!(private.contains("authentication needed") && private.contains("credential.helper"), "{private}");
    let refused = error_of(&server.replace("http://", "http://me:secret@"));
    assert!(refused.contains("authentication needed") && !refused.contains("secret"), "{refused}");
    let secure = error_of(&server.replace("http:", "https:").replace("/root", "/owner/good"));
    assert!(secure.contains("no secure connection"), "{secure}");
}

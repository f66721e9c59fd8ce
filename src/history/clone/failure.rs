//! Why a repository could not be cloned, and what to do about it.

use std::time::Duration;

use crate::history::HistoryError;

use super::Remote;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    NotFound,
    Access,
    Certificate,
    HostKey,
    NoHost,
    NoConnection,
    Owner,
    Other,
}

/// Words of git, ssh and curl, in lower case, and what they mean; the first row that fits counts.
const WORDS: [(&str, Kind); 34] = [
    ("dubious ownership", Kind::Owner),
    ("repository not found", Kind::NotFound),
    ("' not found", Kind::NotFound),
    ("error: 404", Kind::NotFound),
    ("does not appear to be a git repository", Kind::NotFound),
    ("is this a git repository?", Kind::NotFound),
    ("does not exist", Kind::NotFound),
    ("no such file or directory", Kind::NotFound),
    ("host key verification failed", Kind::HostKey),
    ("could not read username", Kind::Access),
    ("could not read password", Kind::Access),
    ("authentication failed", Kind::Access),
    ("permission denied", Kind::Access),
    ("access denied", Kind::Access),
    ("error: 401", Kind::Access),
    ("error: 403", Kind::Access),
    ("could not resolve", Kind::NoHost),
    ("name or service not known", Kind::NoHost),
    ("name resolution", Kind::NoHost),
    ("unable to look up", Kind::NoHost),
    ("couldn't resolve", Kind::NoHost),
    ("failed to connect", Kind::NoConnection),
    ("couldn't connect", Kind::NoConnection),
    ("unable to connect", Kind::NoConnection),
    ("connection refused", Kind::NoConnection),
    ("unreachable", Kind::NoConnection),
    ("no route to host", Kind::NoConnection),
    ("timed out", Kind::NoConnection),
    ("connection reset", Kind::NoConnection),
    ("certificate", Kind::Certificate),
    ("gnutls", Kind::Certificate),
    ("ssl", Kind::Certificate),
    ("early eof", Kind::NoConnection),
    ("hung up", Kind::NoConnection),
];

/// What kind of failure git's output describes, and the line that says so.
fn kind(output: &str) -> (Kind, &str) {
    // Progress overwrites its line, and is no reason.
    let lines = || output.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty());
    let found = WORDS.iter().find_map(|(words, kind)| {
        lines().find(|line| line.to_lowercase().contains(words)).map(|line| (*kind, line))
    });
    found.unwrap_or_else(|| {
        let fatal = lines().find(|line| line.starts_with("fatal: ")).or_else(|| lines().next_back());
        (Kind::Other, fatal.unwrap_or("git failed without a message"))
    })
}

/// Turns what git printed into an error that says what to do.
pub fn explain(remote: &Remote, output: &str) -> HistoryError {
    let host = remote.host();
    // The address may hold a password, and words that mean something else.
    let output = output.replace(remote.url(), "").replace(remote.shown(), "");
    let (kind, line) = kind(&output);
    let detail = line.trim_start_matches("fatal: ").trim_start_matches("ERROR: ");
    let (reason, remedy) = match kind {
        Kind::NotFound => (format!("no such repository ({detail})"), "check owner and name".into()),
        Kind::Access => (
            format!("authentication needed ({detail})"),
            "check owner and name, since hosts hide private repositories in this way; for a private one, set up \
             git's credential.helper, or use git@host:owner/name and ssh-add your key"
                .into(),
        ),
        Kind::Certificate => (
            format!("no secure connection ({detail})"),
            "check the clock and the system's certificates; behind a proxy that inspects traffic, add its \
             certificate"
                .into(),
        ),
        Kind::HostKey => (
            format!("the key of {host} is unknown or has changed ({detail})"),
            format!("connect once with `ssh {host}` and check the key it shows"),
        ),
        Kind::NoHost => (
            format!("host {host} not found ({detail})"),
            "check the address and the network, or use --offline to work with an earlier copy".into(),
        ),
        Kind::NoConnection => (
            format!("no connection ({detail})"),
            "check the network and the proxy, or use --offline to work with an earlier copy".into(),
        ),
        Kind::Owner => (
            format!("the copy, or the repository behind the address, belongs to another user ({detail})"),
            "if you trust it, `git config --global --add safe.directory` its directory".into(),
        ),
        Kind::Other => (detail.into(), format!("check whether `git ls-remote {}` works", remote.shown())),
    };
    HistoryError::Clone { url: remote.shown().into(), reason, remedy }
}

/// There is no git on this machine.
pub fn no_git(remote: &Remote) -> HistoryError {
    HistoryError::Clone {
        url: remote.shown().into(),
        reason: "cloning needs git, but git is not in PATH".into(),
        remedy: "install git, or name the directory of a local repository".into(),
    }
}

/// Git printed nothing for too long.
pub fn silent(remote: &Remote, patience: Duration) -> HistoryError {
    HistoryError::Clone {
        url: remote.shown().into(),
        reason: format!("no connection (nothing received for {} seconds)", patience.as_secs()),
        remedy: "check the network and the proxy, or use --offline to work with an earlier copy".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart() {
        for (output, expected) in [
            ("fatal: repository 'http://h/o/n/' not found", Kind::NotFound),
            ("ERROR: Repository not found.\nfatal: Could not read from remote repository.", Kind::NotFound),
            ("fatal: 'x' does not appear to be a git repository", Kind::NotFound),
            ("fatal: could not read Username for 'https://h': terminal prompts disabled", Kind::Access),
            ("git@h: Permission denied (publickey).\nfatal: Could not read from remote", Kind::Access),
            ("fatal: unable to access '': The requested URL returned error: 403", Kind::Access),
            ("fatal: unable to access '': Could not resolve host: x.invalid", Kind::NoHost),
            ("ssh: Could not resolve hostname x: Name or service not known", Kind::NoHost),
            ("Host key verification failed.\nfatal: Could not read", Kind::HostKey),
            ("fatal: unable to access '': SSL certificate problem: self-signed", Kind::Certificate),
            ("Receiving objects:  9% (1/9)\rfatal: early EOF", Kind::NoConnection),
            ("fatal: detected dubious ownership in repository at '/c'", Kind::Owner),
            ("fatal: unable to access '': The requested URL returned error: 500", Kind::Other),
        ] {
            assert_eq!(kind(output).0, expected, "{output}");
        }
    }

    #[test]
    fn a_password_that_git_prints_is_not_repeated() {
        let remote = Remote::parse("https://me:secret@h/o/n").unwrap();
        let error = explain(&remote, "fatal: unable to access 'https://me:secret@h/o/n/': broken");
        assert_eq!(
            error.to_string(),
            "https://h/o/n: unable to access '/': broken; check whether `git ls-remote https://h/o/n` works"
        );
    }
}

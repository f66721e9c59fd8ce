//! Why a repository could not be brought here, and what to do about it.

use git2::Error;
use git2::ErrorClass;
use git2::ErrorCode;

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
    Other,
}

/// Which words in libgit2's messages, in lower case, mean what; the first that fits counts.
const WORDS: [(&str, Kind); 17] = [
    ("status code: 404", Kind::NotFound),
    ("repository not found", Kind::NotFound),
    ("does not appear to be a git repository", Kind::NotFound),
    ("no such file or directory", Kind::NotFound),
    ("status code: 401", Kind::Access),
    ("status code: 403", Kind::Access),
    ("authentication", Kind::Access),
    ("resolve address", Kind::NoHost),
    ("hostkey", Kind::HostKey),
    ("certificate", Kind::Certificate),
    ("ssl error", Kind::Certificate),
    ("failed to connect", Kind::NoConnection),
    ("connection refused", Kind::NoConnection),
    ("unreachable", Kind::NoConnection),
    ("timed out", Kind::NoConnection),
    ("reset by peer", Kind::NoConnection),
    ("unexpected eof", Kind::NoConnection),
];

fn kind(error: &Error) -> Kind {
    let message = error.message().to_lowercase();
    match (error.code(), error.class()) {
        (ErrorCode::Auth, _) => return Kind::Access,
        (ErrorCode::Timeout, _) => return Kind::NoConnection,
        (ErrorCode::Certificate, ErrorClass::Ssh) => return Kind::HostKey,
        (ErrorCode::Certificate, _) | (_, ErrorClass::Ssl) => return Kind::Certificate,
        _ => {}
    }
    if let Some((_, kind)) = WORDS.iter().find(|(words, _)| message.contains(words)) {
        return *kind;
    }
    match (error.code(), error.class()) {
        (ErrorCode::NotFound, _) => Kind::NotFound,
        (_, ErrorClass::Net) => Kind::NoConnection,
        _ => Kind::Other,
    }
}

/// Turns libgit2's error into one that says what to do.
pub fn explain(remote: &Remote, error: &Error) -> HistoryError {
    let host = remote.host();
    let detail = error.message().trim();
    let (reason, remedy) = match kind(error) {
        Kind::NotFound => (format!("no such repository ({detail})"), "check owner and name".into()),
        Kind::Access => (
            format!("authentication needed ({detail})"),
            "check owner and name, since hosts hide private repositories this way; for a private one, set up \
             git's credential.helper, or use git@host:owner/name and ssh-add your key"
                .into(),
        ),
        Kind::Certificate => (
            format!("no secure connection ({detail})"),
            "check the clock and the system's certificates; behind a proxy that reads along, add its certificate"
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
        Kind::Other => (detail.into(), format!("see whether `git clone --bare {}` works", remote.shown())),
    };
    HistoryError::Clone { url: remote.shown().into(), reason, remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart() {
        let of = |code, class, message: &str| kind(&Error::new(code, class, message));
        let plain = |class, message| of(ErrorCode::GenericError, class, message);
        assert_eq!(plain(ErrorClass::Http, "unexpected http status code: 404"), Kind::NotFound);
        assert_eq!(plain(ErrorClass::Http, "unexpected http status code: 403"), Kind::Access);
        assert_eq!(plain(ErrorClass::Net, "failed to resolve address for x.invalid: ..."), Kind::NoHost);
        assert_eq!(plain(ErrorClass::Ssl, "SSL error: unknown error"), Kind::Certificate);
        assert_eq!(of(ErrorCode::Certificate, ErrorClass::Ssh, "invalid"), Kind::HostKey);
        assert_eq!(plain(ErrorClass::Http, "unexpected http status code: 500"), Kind::Other);
    }
}

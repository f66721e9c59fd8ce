//! What people type for a remote repository, and where its copy belongs.

use std::path::Path;
use std::path::PathBuf;

/// A repository on another machine, or behind a `file://` address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    url: String,
    /// The address as it may be shown: without a password.
    shown: String,
    host: String,
    /// Path segments, the last without `.git`.
    segments: Vec<String>,
}

const SCHEMES: [&str; 5] = ["https", "http", "git", "ssh", "file"];

impl Remote {
    /// Recognises `gh:owner/name`, `https://`, `http://`, `git://`, `ssh://`, `file://` and
    /// `git@host:owner/name`. Anything else, such as a path, gives none.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(path) = text.strip_prefix("gh:") {
            let path = path.trim_end_matches('/').trim_end_matches(".git");
            let valid = path.split('/').count() == 2 && path.split('/').all(is_github_name);
            return Self::new(format!("https://github.com/{path}.git"), "github.com", path).filter(|_| valid);
        }
        if let Some((scheme, rest)) = text.split_once("://") {
            let (authority, path) = rest.split_once('/')?;
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            let host = if scheme == "file" { "file" } else { host };
            return Self::new(text.into(), host, path).filter(|_| SCHEMES.contains(&scheme));
        }
        let (login, path) = text.split_once(':')?;
        let (user, host) = login.split_once('@')?;
        let plain = |part: &str| !part.is_empty() && !part.contains(['/', '\\', ' ']);
        Self::new(text.into(), host, path).filter(|_| plain(user) && plain(host))
    }

    fn new(url: String, host: &str, path: &str) -> Option<Self> {
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
        let segments: Vec<String> = path.split('/').map(str::to_owned).collect();
        // Segments become directories: none may lead out of the one they belong to.
        let safe = segments.iter().all(|segment| !matches!(&segment[..], "" | "." | ".."));
        let shown = without_password(&url);
        let fine = safe && !host.is_empty() && !matches!(host, "." | "..");
        fine.then(|| Self { url, shown, host: host.to_lowercase(), segments })
    }

    /// The address to connect to; it may hold a password.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The address as messages may show it.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The machine's name, as typed.
    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// A short name: `owner/name`.
    pub fn name(&self) -> String {
        self.segments[self.segments.len().saturating_sub(2)..].join("/")
    }

    /// Where the copy belongs in a directory of copies.
    pub fn place(&self, cache: &Path) -> PathBuf {
        let (name, owners) = self.segments.split_last().expect("checked when it was made");
        let mut place = cache.join(file_name(&self.host));
        for owner in owners {
            // `a.git/b` must not lie inside the copy of `a`.
            let tail = if owner.ends_with(".git") { "_" } else { "" };
            place.push(file_name(owner) + tail);
        }
        place.push(file_name(name) + ".git");
        place
    }
}

fn is_github_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

/// A name that every file system takes.
fn file_name(segment: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '~');
    segment.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}

fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.into() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    match authority.rsplit_once('@') {
        Some((user, host)) if user.contains(':') || scheme.starts_with("http") => {
            format!("{scheme}://{host}{path}")
        }
        _ => url.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_is_recognised() {
        for (text, url, name, place) in [
            ("gh:o/n", "https://github.com/o/n.git", "o/n", "github.com/o/n.git"),
            ("gh:o/n.git/", "https://github.com/o/n.git", "o/n", "github.com/o/n.git"),
            ("https://GitHub.com/o/n", "https://GitHub.com/o/n", "o/n", "github.com/o/n.git"),
            ("https://h:80/a/b/c.git", "https://h:80/a/b/c.git", "b/c", "h_80/a/b/c.git"),
            ("git@h:o/n.git", "git@h:o/n.git", "o/n", "h/o/n.git"),
            ("ssh://git@h/o/n", "ssh://git@h/o/n", "o/n", "h/o/n.git"),
            ("git://h/n", "git://h/n", "n", "h/n.git"),
            ("http://h/a.git/b", "http://h/a.git/b", "a.git/b", "h/a.git_/b.git"),
            ("file:///srv/x/n", "file:///srv/x/n", "x/n", "file/srv/x/n.git"),
        ] {
            let remote = Remote::parse(text).unwrap();
            assert_eq!((remote.url(), &remote.name()[..]), (url, name));
            assert_eq!(remote.place(Path::new("c")), Path::new("c").join(place));
        }
    }

    #[test]
    fn what_is_no_remote_is_left_alone() {
        for text in [
            "",
            "src",
            "./src",
            "/srv/n.git",
            "C:\\src",
            "gh:o",
            "gh:o/n/m",
            "gh:../n",
            "gh:o/n?x",
            "https://h",
            "https:///o/n",
            "https://h/../n",
            "https://h/o//n",
            "ftp://h/o/n",
            "@h:n",
            "a b@h:n",
            "https://../o/n",
        ] {
            assert_eq!(Remote::parse(text), None, "{text}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = |text| Remote::parse(text).unwrap().shown().to_owned();
        assert_eq!(shown("https://me:secret@h/o/n"), "https://h/o/n");
        assert_eq!(shown("https://token@h/o/n"), "https://h/o/n");
        assert_eq!(shown("ssh://git@h/o/n"), "ssh://git@h/o/n");
    }
}

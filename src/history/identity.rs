//! The identity of a repository: its name, its current commit, its licence.

use std::path::Path;

use git2::ObjectType;
use git2::Repository;

use super::HistoryError;
use super::handle::open;

/// The identity of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// `owner/name` of the remote it was cloned from, if it was.
    pub origin: Option<String>,
    /// Hexadecimal id of the commit.
    pub head: String,
    /// SPDX name of the licence, several with slashes between, `unknown` if the licence file is of no known kind,
    /// empty if there is none.
    pub license: String,
    /// The commits at which a shallow clone is cut off, sorted, with spaces between; empty if it is whole.
    pub shallow: String,
}

/// Phrases of licence texts, the more specific first.
const LICENSES: [(&str, &[&str]); 17] = [
    ("RSALv2 OR SSPL-1.0", &["redis source available license", "server side public license"]),
    (
        "curl",
        &[
            "permission to use, copy, modify, and distribute this software",
            "except as contained in this notice",
        ],
    ),
    (
        "ISC",
        &[
            "permission to use, copy, modify, and distribute this software for any purpose with or without fee",
        ],
    ),
    ("Apache-2.0", &["apache license", "version 2.0"]),
    ("MPL-2.0", &["mozilla public license", "2.0"]),
    ("AGPL-3.0", &["gnu affero general public license"]),
    ("LGPL-3.0", &["gnu lesser general public license", "version 3"]),
    ("LGPL-2.1", &["gnu lesser general public license", "version 2.1"]),
    ("GPL-3.0", &["gnu general public license", "version 3"]),
    ("GPL-2.0", &["gnu general public license", "version 2"]),
    ("EPL-2.0", &["eclipse public license", "2.0"]),
    ("EPL-1.0", &["eclipse public license"]),
    ("BSD-3-Clause", &["redistribution and use in source and binary forms", "neither the name"]),
    ("BSD-2-Clause", &["redistribution and use in source and binary forms"]),
    ("ISC", &["permission to use, copy, modify, and/or distribute this software"]),
    ("MIT", &["permission is hereby granted, free of charge", "without restriction"]),
    ("Unlicense", &["this is free and unencumbered software"]),
];

/// Looks a repository over.
pub fn identify(path: &Path, branch: Option<&str>) -> Result<Identity, HistoryError> {
    let repo = open(path)?;
    let origin = repo
        .find_remote("origin")
        .ok()
        .and_then(|remote| origin_name(&String::from_utf8_lossy(remote.url_bytes())));
    let commit = repo.revparse_single(branch.unwrap_or("HEAD")).and_then(|object| object.peel_to_commit());
    let shallow = shallow(&repo);
    Ok(match commit {
        Ok(commit) => {
            Identity { origin, head: commit.id().to_string(), license: license(&repo, &commit), shallow }
        }
        Err(_) => Identity { origin, shallow, ..Identity::default() },
    })
}

fn shallow(repo: &Repository) -> String {
    // A repository that is whole has no such file.
    let text = std::fs::read_to_string(repo.commondir().join("shallow")).unwrap_or_default();
    let mut ids: Vec<&str> = text.split_whitespace().collect();
    ids.sort_unstable();
    ids.join(" ")
}

/// The last two parts of a URL.
fn origin_name(url: &str) -> Option<String> {
    let trimmed = url.trim_end_matches('/').trim_end_matches(".git");
    let mut parts = trimmed.rsplit(['/', ':']).filter(|part| !part.is_empty());
    let (name, owner) = (parts.next()?, parts.next()?);
    Some(format!("{owner}/{name}"))
}

fn license(repo: &Repository, commit: &git2::Commit) -> String {
    let Ok(tree) = commit.tree() else { return String::new() };
    let mut found: Vec<&str> = Vec::new();
    let mut any = false;
    for entry in &tree {
        let name = String::from_utf8_lossy(entry.name_bytes()).to_lowercase();
        let is_license =
            ["license", "licence", "copying", "unlicense"].iter().any(|stem| name.starts_with(stem));
        if !is_license || entry.kind() != Some(ObjectType::Blob) {
            continue;
        }
        let Ok(blob) = repo.find_blob(entry.id()) else { continue };
        any = true;
        found.extend(license_of(&String::from_utf8_lossy(blob.content())));
    }
    found.sort_unstable();
    found.dedup();
    match (found.is_empty(), any) {
        (false, _) => found.join(" / "),
        (true, true) => "unknown".into(),
        (true, false) => String::new(),
    }
}

/// The licence whose phrases come first: files of several licences begin with the project's own.
fn license_of(text: &str) -> Option<&'static str> {
    let flat = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let places = |phrases: &[&str]| -> Option<(usize, usize)> {
        let first = flat.find(phrases[0])?;
        let second = match phrases.get(1) {
            Some(phrase) => first + flat[first..].find(phrase)?,
            None => usize::MAX,
        };
        Some((first, second))
    };
    let found = LICENSES.iter().filter_map(|(name, phrases)| Some((places(phrases)?, *name)));
    found.min_by_key(|(places, _)| *places).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_short() {
        for url in
            ["https://github.com/redis/redis.git", "git@github.com:redis/redis", "ssh://h/x/redis/redis/"]
        {
            assert_eq!(origin_name(url).as_deref(), Some("redis/redis"), "{url}");
        }
        assert_eq!(origin_name("x"), None);
    }

    #[test]
    fn licences_are_told_by_their_phrases() {
        assert_eq!(license_of("Apache License\n Version 2.0, January 2004"), Some("Apache-2.0"));
        assert_eq!(
            license_of("Permission is hereby granted, free\nof charge … without restriction"),
            Some("MIT")
        );
        assert_eq!(
            license_of(
                "GNU General Public License, version 2 … GNU Lesser General Public License version 2.1"
            ),
            Some("GPL-2.0")
        );
        assert_eq!(license_of("all rights reserved"), None);
    }
}

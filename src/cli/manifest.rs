//! Lists of repositories and commits in a file: `SOURCE [COMMIT]`, one per line.

use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

/// A line that names a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestLine {
    /// `file:line`, for messages.
    pub place: String,
    pub source: String,
    /// Where its history starts.
    pub at: Option<String>,
}

/// Reads a manifest.
pub fn read_manifest(path: &Path) -> Result<Vec<ManifestLine>> {
    let origin = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {origin}"))?;
    let lines = parse(&text, &origin)?;
    if lines.is_empty() {
        bail!("{origin} lists no repository; write `SOURCE [COMMIT]`, one per line");
    }
    Ok(lines)
}

fn parse(text: &str, origin: &str) -> Result<Vec<ManifestLine>> {
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = format!("{origin}:{}", number + 1);
        // A `#` inside of a word belongs to it.
        let words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
        match words.collect::<Vec<_>>()[..] {
            [] => {}
            [source] => lines.push(ManifestLine { place, source: source.into(), at: None }),
            [source, at] => lines.push(ManifestLine { place, source: source.into(), at: Some(at.into()) }),
            [_, _, more, ..] => {
                bail!("{place}: unexpected {more:?}; write `SOURCE [COMMIT]`, without spaces in paths")
            }
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_commits_are_read_and_comments_are_not() {
        let text = "# all of them\n\ngh:a/b 0123abc # pinned\n  name=../c#1\t\n";
        let lines = parse(text, "m").unwrap();
        let read: Vec<_> =
            lines.iter().map(|line| (&line.place[..], &line.source[..], line.at.as_deref())).collect();
        assert_eq!(read, [("m:3", "gh:a/b", Some("0123abc")), ("m:4", "name=../c#1", None)]);
    }

    #[test]
    fn a_line_that_says_too_much_is_named() {
        let refusal = parse("gh:a/b\ngh:a/b c d\n", "m.txt").unwrap_err().to_string();
        assert!(refusal.starts_with("m.txt:2:") && refusal.contains("SOURCE [COMMIT]"), "{refusal}");
    }
}

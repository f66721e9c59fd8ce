//! Markdown as a terminal shows it: blocks indented, tables in columns, links with the topic that they lead to, no comments.

use std::sync::LazyLock;

use regex::Captures;
use regex::Regex;

use super::pages::Page;
use super::rows;

static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"!?\[([^\]]+)\]\(([^)\s]+)\)").expect("a pattern of ours"));

/// The text of a page.
pub(super) fn plain(page: &Page) -> String {
    let mut text = String::new();
    let mut in_block = false;
    let mut table: Vec<String> = Vec::new();
    for line in page.text.lines().chain([""]) {
        let is_row = !in_block && line.starts_with('|');
        if !is_row && !table.is_empty() {
            text += &rows::table(&std::mem::take(&mut table));
        }
        if line.starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            text += &format!("    {line}\n");
        } else if is_row {
            table.push(words(line, page));
        } else if !line.starts_with("<!--") {
            text += words(line, page).trim_end();
            text.push('\n');
        }
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// A line with its links as words.
fn words(line: &str, page: &Page) -> String {
    LINK.replace_all(line, |found: &Captures| shown(&found[1], &found[2], page)).into_owned()
}

/// A link as words.
fn shown(text: &str, target: &str, page: &Page) -> String {
    if target.contains("://") {
        return format!("{text} ({target})");
    }
    match topic(target, page) {
        Some(topic) if topic != text => format!("{text} (wildcaught help {topic})"),
        _ => text.to_owned(),
    }
}

/// The topic that a link in a page leads to; none if it leads out of the manual, or to a place in the same page.
fn topic(target: &str, page: &Page) -> Option<String> {
    let file = target.split('#').next().filter(|file| !file.is_empty())?;
    let path = match file.strip_prefix("../") {
        Some(above) if !page.directory().is_empty() => above.to_owned(),
        Some(_) => return None,
        None => format!("{}{file}", page.directory()),
    };
    let name = path.strip_suffix(".md")?;
    let name = name.strip_prefix("commands/").unwrap_or(name);
    match name {
        "README" => Some("manual".into()),
        _ => Some(name.strip_suffix("/README").unwrap_or(name).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_as(topic: &'static str, text: &'static str) -> String {
        plain(&Page { topic, part: "", text })
    }

    #[test]
    fn links_name_topics_and_blocks_are_indented() {
        assert_eq!(shown_as("start", "See [CI](ci.md#x).\n"), "See CI (wildcaught help ci).\n");
        assert_eq!(shown_as("start", "[start](#here) [start](start.md)\n"), "start start\n");
        let above = "[a](../scale.md) [b](tame.md) [c](README.md)";
        assert_eq!(
            shown_as("evaluation/tests", above),
            "a (wildcaught help scale) b (wildcaught help evaluation/tame) c (wildcaught help evaluation)\n"
        );
        assert_eq!(
            shown_as("start", "[x](https://a.b/c)\n![a still](x.svg)\n"),
            "x (https://a.b/c)\na still\n"
        );
        assert_eq!(shown_as("start", "<!-- no -->\n```sh\n[a](b.md)\n```\nend\n"), "    [a](b.md)\nend\n");
        assert_eq!(
            shown_as("start", "[out](../CONTRIBUTING.md), [one](commands/test.md)\n"),
            "out, one (wildcaught help test)\n"
        );
    }
}

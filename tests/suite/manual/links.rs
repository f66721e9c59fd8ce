//! Links lead somewhere, and every page can be found.

use std::collections::BTreeMap;
use std::fs;

use regex::Regex;

use super::pages::Page;
use super::pages::files_of_docs;
use super::pages::pages;
use super::pages::root;
use super::pages::spans;

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(page: &Page) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let headings = page.prose().into_iter().filter(|(_, line)| line.starts_with('#'));
    headings
        .map(|(_, line)| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
            let anchor: String = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect();
            let count = seen.entry(anchor.clone()).or_default();
            *count += 1;
            if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
        })
        .collect()
}

/// Links of a page: the line, and where they lead.
fn links(page: &Page) -> Vec<(usize, String)> {
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let of_line = |(number, line): (usize, &str)| {
        let (_, plain) = spans(line);
        link.captures_iter(&plain).map(|found| (number, found[1].to_owned())).collect::<Vec<_>>()
    };
    page.prose().into_iter().flat_map(of_line).collect()
}

#[test]
fn every_relative_link_and_anchor_leads_somewhere() {
    let mut count = 0;
    for page in pages() {
        for (line, target) in links(&page) {
            if target.contains("://") {
                continue;
            }
            count += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() { root().join(&page.name) } else { page.directory().join(file) };
            let Ok(path) = path.canonicalize() else {
                panic!("{}:{line}: {target}: there is no such file", page.name)
            };
            let in_book = page.name.starts_with("docs/");
            let inside = path.starts_with(root().join("docs").canonicalize().unwrap());
            assert!(
                !in_book || inside,
                "{}:{line}: {target} is not in the book; name the file in backticks",
                page.name
            );
            if !anchor.is_empty() {
                let name = path.strip_prefix(root().canonicalize().unwrap()).unwrap().to_string_lossy();
                let known = anchors(&Page::read(&name));
                assert!(known.iter().any(|one| one == anchor), "{}:{line}: {target}: {known:?}", page.name);
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = Page::read("docs/SUMMARY.md");
    let listed: Vec<String> =
        links(&summary).into_iter().map(|(_, target)| format!("docs/{target}")).collect();
    for name in files_of_docs().iter().filter(|name| *name != "docs/SUMMARY.md") {
        assert_eq!(listed.iter().filter(|one| *one == name).count(), 1, "{name} in docs/SUMMARY.md");
    }
}

#[test]
fn files_that_the_pages_name_are_there() {
    let path = Regex::new(r"^(src|tests|docs|examples|corpora|langdefs|\.ci)/[A-Za-z0-9_./-]+$").unwrap();
    for page in pages() {
        for (number, line) in page.prose() {
            for span in spans(line).0.into_iter().filter(|span| path.is_match(span)) {
                assert!(fs::exists(root().join(span)).unwrap(), "{}:{number}: there is no {span}", page.name);
            }
        }
    }
}

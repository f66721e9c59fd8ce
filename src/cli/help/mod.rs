//! `wildcaught help TOPIC`: pages of the manual. In: what was typed. Out: a page, the list of topics, or an error that
//! names topics like it. Help of commands is made by clap, which never sees a topic.

mod pages;
mod plain;
mod rows;

use std::ffi::OsString;

use anyhow::Result;
use anyhow::bail;
use clap::Command;

use super::definition::definition;
use super::exit::Exit;
use super::output::print_text;

use pages::PAGES;
use pages::Page;
use plain::plain;

/// The topic that lists the others.
const TOPICS: &str = "topics";
/// Letters in which a topic may differ from what was typed.
const NEAR: usize = 2;

/// The names of all pages that `wildcaught help` prints.
pub fn topics() -> impl Iterator<Item = &'static str> {
    PAGES.iter().map(|page| page.topic)
}

/// Prints the page that these arguments ask for; none if they ask for something else.
pub(super) fn asked(arguments: &[OsString]) -> Option<Result<Exit>> {
    let words: Vec<&str> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let ["help", topic] = words[..] else { return None };
    let is_command = definition().find_subcommand(topic).is_some();
    (!is_command && topic != "help" && !topic.starts_with('-')).then(|| show(topic))
}

fn show(topic: &str) -> Result<Exit> {
    if topic == TOPICS {
        print_text(&listed())?;
    } else if let Some(page) = Page::called(topic) {
        print_text(&plain(page))?;
    } else {
        bail!("{}", unknown(topic));
    }
    Ok(Exit::Fine)
}

/// Every topic with its title, under the part of the manual that it is in.
fn listed() -> String {
    let width = topics().map(str::len).max().unwrap_or_default();
    let mut text = String::new();
    let mut part = "";
    for page in &PAGES {
        if page.part != part {
            part = page.part;
            text += &format!("{}{part}:\n", if text.is_empty() { "" } else { "\n" });
        }
        text += &format!("  {:width$}  {}\n", page.topic, page.title());
    }
    text + "\n`wildcaught help TOPIC` prints a page, `wildcaught help COMMAND` the help of a command.\n"
}

fn unknown(topic: &str) -> String {
    let commands = definition();
    let mut names: Vec<&str> = topics().collect();
    names.extend(commands.get_subcommands().map(Command::get_name));
    names.retain(|name| is_near(name, topic));
    let near: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let hint = if near.is_empty() { String::new() } else { format!(" Near it: {}.", near.join(", ")) };
    format!("no topic or command is called `{topic}`.{hint} `wildcaught help topics` lists all topics.")
}

fn is_near(name: &str, typed: &str) -> bool {
    let typed = typed.to_lowercase();
    let inside = typed.len() > NEAR && (name.contains(&typed) || typed.contains(name));
    inside || rapidfuzz::distance::levenshtein::distance(name.chars(), typed.chars()) <= NEAR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_topic_hides_a_command() {
        let commands = definition();
        for topic in topics().chain([TOPICS]) {
            assert!(commands.find_subcommand(topic).is_none(), "{topic}");
        }
    }

    #[test]
    fn every_topic_has_a_title_and_a_name_of_its_own() {
        let mut names: Vec<&str> = topics().collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PAGES.len());
        assert!(PAGES.iter().all(|page| !page.title().is_empty()));
    }

    #[test]
    fn an_unknown_topic_names_those_like_it() {
        assert!(unknown("operator").contains("Near it: `operators`"), "{}", unknown("operator"));
        assert!(unknown("tset").contains("`test`"), "{}", unknown("tset"));
        assert!(!unknown("zebra-crossing").contains("Near it"), "{}", unknown("zebra-crossing"));
    }
}

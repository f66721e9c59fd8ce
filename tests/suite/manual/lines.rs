//! Lines, tables and blocks are well formed.

use wildcaught::harness::ConfigFile;

use super::pages::Page;
use super::pages::pages;

/// The number of cells of a row.
fn cells(row: &str) -> usize {
    row.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "").matches('|').count() + 1
}

fn is_row(line: &str) -> bool {
    line.starts_with('|')
}

#[test]
fn rows_of_a_table_have_the_same_number_of_cells() {
    let mut count = 0;
    for page in pages() {
        let prose = page.prose();
        for table in prose.chunk_by(|(a, first), (b, second)| a + 1 == *b && is_row(first) && is_row(second))
        {
            let (number, head) = table[0];
            if !is_row(head) {
                continue;
            }
            count += 1;
            let place = format!("{}:{number}", page.name);
            let rule = table.get(1).map_or("", |(_, line)| line);
            assert!(rule.starts_with("|--") || rule.starts_with("|:-"), "{place}: no line under the heads");
            for (number, row) in table {
                assert!(row.ends_with('|'), "{}:{number}: the row has no end", page.name);
                assert_eq!(cells(row), cells(head), "{}:{number}: {row}", page.name);
            }
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn the_readme_is_short() {
    let readme = Page::read("README.md");
    assert!(readme.text.lines().count() <= 250, "{} lines", readme.text.lines().count());
    for (number, line) in readme.prose() {
        assert!(line.chars().count() <= 120, "README.md:{number}: {} characters", line.chars().count());
    }
}

#[test]
fn every_block_says_what_it_is() {
    for page in pages() {
        for block in page.blocks() {
            let known = match block.info.as_str() {
                "sh" | "console run" | "text" | "toml" | "json" | "c" | "diff" => true,
                info => info.strip_prefix("console seen ").is_some_and(|place| !place.trim().is_empty()),
            };
            assert!(known, "{}:{}: `{}`; see docs/contributing.md", page.name, block.line - 1, block.info);
        }
    }
}

#[test]
fn the_two_commands_of_a_fresh_clone_come_first() {
    let readme = Page::read("README.md");
    let first = &readme.blocks()[0];
    let commands: Vec<&str> = first.lines.iter().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(
        commands,
        ["cargo run --release -- test --config tests/targets/c-cases/wildcaught.toml", "cargo test"]
    );
}

#[test]
fn examples_of_files_can_be_read() {
    for page in pages() {
        for block in page.blocks() {
            let text = block.lines.join("\n");
            let problem = match block.info.as_str() {
                "toml" if text.contains("[tests]") => {
                    toml::from_str::<ConfigFile>(&text).err().map(|error| error.to_string())
                }
                "toml" => toml::from_str::<toml::Table>(&text).err().map(|error| error.to_string()),
                "json" => {
                    serde_json::from_str::<serde_json::Value>(&text).err().map(|error| error.to_string())
                }
                _ => None,
            };
            assert_eq!(problem, None, "{}:{}", page.name, block.line);
        }
    }
}

//! Parts of the manual that come from the code are what the code gives. `BLESS=1` writes them again.

use std::fmt::Write;
use std::fs;

use serde_json::Value;

use wildcaught::cli::definition;
use wildcaught::harness::KEYS;
use wildcaught::harness::presets;
use wildcaught::operator::Filter;
use wildcaught::report::SCHEMAS;
use wildcaught::report::SchemaRow;

use super::pages::Page;
use super::pages::pages;
use super::pages::root;
use crate::cli::command;

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end of generated -->";

/// What stands between the marks of this name.
fn generated(name: &str) -> String {
    match name.split_once(' ').unwrap_or((name, "")) {
        ("keys", _) => keys(),
        ("presets", _) => preset_table(),
        ("filters", _) => filters(),
        ("schemas", _) => schemas(),
        ("documents", _) => documents(),
        ("fields", document) => fields(&schema(document)),
        ("tables", document) => tables(document),
        ("output", line) => format!("```text\n{}```\n", printed(&line.split(' ').collect::<Vec<_>>())),
        ("commands", _) => commands(),
        ("summary", _) => summary(),
        _ => panic!("nothing is called {name}"),
    }
}

/// A cell of a table.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{}`", cell(text)) }
}

fn table(heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    rows.into_iter().for_each(|row| {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    });
    text
}

fn keys() -> String {
    let mut text = String::new();
    for keys in KEYS.chunk_by(|a, b| a.section == b.section) {
        let title =
            if keys[0].section.is_empty() { "At the top".into() } else { format!("`[{}]`", keys[0].section) };
        let rows = keys.iter().map(|key| {
            let presets: Vec<String> = key.presets().iter().map(|name| code(name)).collect();
            let only =
                if presets.is_empty() { String::new() } else { format!(" Only {}.", presets.join(", ")) };
            vec![code(key.name), code(key.example), cell(key.comment) + &only]
        });
        let _ = writeln!(text, "### {title}\n\n{}", table(&["key", "example", "meaning"], rows));
    }
    text.trim_end().to_owned() + "\n"
}

fn preset_table() -> String {
    let rows = presets().iter().map(|preset| {
        let command = preset.test.as_deref().unwrap_or_default();
        let takes: Vec<String> = preset.takes.iter().map(|key| code(key)).collect();
        vec![code(&preset.name), cell(&preset.title), code(command), takes.join(", ")]
    });
    table(&["preset", "what it is", "command", "keys of its own"], rows)
}

fn filters() -> String {
    let rows = Filter::ALL.iter().map(|filter| vec![cell(filter.title()), code(filter.key())]);
    table(&["filter", "key in `[funnel]`"], rows)
}

fn schemas() -> String {
    let rows = SCHEMAS.iter().map(|row| vec![code(row.name), cell(row.what)]);
    table(&["name", "document"], rows)
}

fn schema(name: &str) -> Value {
    serde_json::to_value(SchemaRow::called(name).unwrap().schema()).unwrap()
}

/// The first sentence or line that a schema says of a field.
fn description(field: &Value) -> String {
    cell(field["description"].as_str().unwrap_or_default())
}

/// What a field may be, in a word.
fn kind(field: &Value) -> String {
    let reference =
        |value: &Value| value["$ref"].as_str().map(|path| path.rsplit('/').next().unwrap().to_owned());
    if let Some(name) = reference(field) {
        return name;
    }
    for several in ["anyOf", "oneOf", "allOf"] {
        let kinds = field[several].as_array().into_iter().flatten().map(kind);
        let kinds: Vec<String> = kinds.filter(|kind| !kind.is_empty() && kind != "null").collect();
        if !kinds.is_empty() {
            return kinds.join(" or ");
        }
    }
    let name = match &field["type"] {
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("")
        }
        one => one.as_str().unwrap_or_default(),
    };
    match (name, kind_of_items(field)) {
        ("array", Some(items)) => format!("list of {items}"),
        (name, _) => name.to_owned(),
    }
}

fn kind_of_items(field: &Value) -> Option<String> {
    field.get("items").map(kind).filter(|items| !items.is_empty())
}

/// A table of the fields of an object.
fn fields(schema: &Value) -> String {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let rows = schema["properties"].as_object().into_iter().flatten().map(|(name, field)| {
        let always = if required.contains(&name.as_str()) { "yes" } else { "" };
        vec![code(name), kind(field), always.to_owned(), description(field)]
    });
    table(&["field", "type", "required", "meaning"], rows)
}

/// A document's own fields, then those of the objects in it.
fn tables(name: &str) -> String {
    let schema = schema(name);
    let mut text = fields(&schema);
    for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
        if definition["properties"].is_object() {
            let _ = write!(text, "\n### {name}\n\n{}\n\n{}", description(definition), fields(definition));
        }
    }
    text
}

fn documents() -> String {
    let mut text = String::new();
    for row in &SCHEMAS {
        let schema = schema(row.name);
        if schema["properties"].is_object() {
            let _ = writeln!(text, "### {}\n\n{}.\n\n{}", row.name, first_upper(row.what), fields(&schema));
        }
    }
    text.trim_end().to_owned() + "\n"
}

fn first_upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What wildcaught prints.
fn printed(words: &[&str]) -> String {
    let output = command(root()).args(words).output().unwrap();
    assert!(output.status.success(), "{words:?} {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The names of the commands that have a page.
fn names() -> Vec<String> {
    let all = definition();
    all.get_subcommands().map(|one| one.get_name().to_owned()).filter(|name| name != "help").collect()
}

fn commands() -> String {
    let all = definition();
    let rows = names().into_iter().map(|name| {
        let about = all.find_subcommand(&name).unwrap().get_about().unwrap().to_string();
        vec![format!("[{name}](commands/{name}.md)"), cell(&about)]
    });
    table(&["command", "what it is for"], rows)
}

fn summary() -> String {
    names().iter().fold(String::new(), |mut text, name| {
        let _ = writeln!(text, "  - [{name}](commands/{name}.md)");
        text
    })
}

/// The page of a command: its help, and that of the commands below it.
fn command_page(name: &str) -> String {
    let help = |words: &[&str]| format!("```text\n{}```\n", printed(&[words, &["--help"]].concat()));
    let mut text = format!("# wildcaught {name}\n\n{}", help(&[name]));
    let all = definition();
    for below in all.find_subcommand(name).unwrap().get_subcommands() {
        let below = below.get_name();
        let _ = write!(text, "\n## wildcaught {name} {below}\n\n{}", help(&[name, below]));
    }
    text
}

/// A page with its generated parts as they should be.
fn renewed(page: &Page) -> String {
    let mut text = String::new();
    let mut rest = page.text.as_str();
    while let Some(begin) = rest.find(BEGIN) {
        let (before, after) = rest.split_at(begin);
        let name = after[BEGIN.len()..].split(" -->").next().unwrap();
        let end = after.find(END).unwrap_or_else(|| panic!("{}: {name} has no end", page.name));
        // In a list, a blank line would begin another list.
        let space = if name == "summary" { "" } else { "\n" };
        let _ = write!(text, "{before}{BEGIN}{name} -->\n{space}{}{space}{END}", generated(name));
        rest = &after[end + END.len()..];
    }
    text + rest
}

#[track_caller]
fn holds(name: &str, now: &str, wanted: &str) {
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(root().join(name).parent().unwrap()).unwrap();
        fs::write(root().join(name), wanted).unwrap();
    } else {
        assert!(now == wanted, "{name} is not what the code gives: BLESS=1 cargo test --test suite manual");
    }
}

#[test]
fn generated_parts_are_what_the_code_gives() {
    let all: Vec<Page> = pages().into_iter().filter(|page| page.text.contains(BEGIN)).collect();
    assert!(all.len() > 5);
    all.iter().for_each(|page| holds(&page.name, &page.text, &renewed(page)));
}

#[test]
fn pages_of_commands_are_the_help() {
    for name in names() {
        let file = format!("docs/commands/{name}.md");
        let now = fs::read_to_string(root().join(&file)).unwrap_or_default();
        holds(&file, &now, &command_page(&name));
    }
    for entry in fs::read_dir(root().join("docs/commands")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(names().contains(&name), "{}: there is no such command; remove the file", path.display());
    }
}

/// Exit codes are a table that people wrote; the numbers are those of the code.
#[test]
fn every_exit_code_is_explained() {
    let source = fs::read_to_string(root().join("src/cli/exit.rs")).unwrap();
    let codes = source.lines().filter_map(|line| line.split_once(" = ")?.1.strip_suffix(','));
    let codes: Vec<&str> = codes.filter(|code| code.bytes().all(|byte| byte.is_ascii_digit())).collect();
    let page = Page::read("docs/exit-codes.md");
    let rows: Vec<&str> =
        page.text.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()).collect();
    assert_eq!(rows.iter().filter(|row| row.bytes().all(|byte| byte.is_ascii_digit())).count(), codes.len());
    codes.iter().for_each(|code| assert!(rows.contains(code), "{code}"));
}

/// What each language has is a table that people wrote; the files say it.
#[test]
fn the_table_of_languages_is_that_of_the_files() {
    let page = Page::read("docs/languages.md");
    let has = |file: String| root().join(file).exists();
    for language in wildcaught::langdef::builtin_names() {
        let text = fs::read_to_string(root().join(format!("langdefs/{language}.toml"))).unwrap();
        let file: toml::Table = toml::from_str(&text).unwrap();
        let title = file["title"].as_str().unwrap();
        let of_language = |line: &&str| {
            line.split('|').nth(1).is_some_and(|names| names.split(',').any(|name| name.trim() == title))
        };
        let row = page.text.lines().find(of_language).unwrap_or_else(|| panic!("{title} is in no row"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[2] == "yes", has(format!("corpora/wild-{language}.toml")), "{row}");
        assert_eq!(cells[3] == "yes", has(format!("corpora/viability-{language}.toml")), "{row}");
        assert_eq!(!cells[4].starts_with("no"), file.contains_key("switch"), "{row}");
        assert!(has(format!("corpora/classic-{language}.toml")), "{language}");
    }
}

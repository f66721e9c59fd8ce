//! The help of every command, held against `tests/golden/help`.

use std::fs;
use std::path::Path;

use super::cli::command;

/// `BLESS=1` writes the files anew.
#[test]
fn help_is_as_it_was() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/help");
    let bless = std::env::var_os("BLESS").is_some();
    fs::create_dir_all(&golden).unwrap();
    let mut open = vec![String::new()];
    let mut names = Vec::new();
    while let Some(path) = open.pop() {
        let text = help(&path);
        open.extend(subcommands(&text).map(|name| format!("{path} {name}")));
        names.push(format!("wildcaught{}.txt", path.replace(' ', "-")));
        let file = golden.join(names.last().unwrap());
        if bless {
            fs::write(&file, &text).unwrap();
        }
        let known = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(known, text, "{}: if this is meant, run with BLESS=1", file.display());
    }
    for entry in fs::read_dir(golden).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(names.contains(&name), "{}: there is no such command; remove the file", path.display());
    }
}

/// The names between usage and options: `  name  what it does`, under one heading or under those of groups.
fn subcommands(help: &str) -> impl Iterator<Item = &str> {
    let list = help.lines().skip_while(|line| !line.starts_with("Usage:")).skip(1);
    list.take_while(|line| *line != "Options:" && *line != "Arguments:")
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
}

fn help(path: &str) -> String {
    let output = command(Path::new(".")).args(path.split_whitespace()).arg("--help").output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()), "{path}");
    String::from_utf8(output.stdout).unwrap()
}
